// Arguments that choose what is done are assumed to be one of the numbers that the kernel knows.
// RUN: %gpuperf predict --device a100 --local 256 --kernel by_switch --kernel by_flag --kernel leaves --kernel colour --kernel resample --kernel diagonal --kernel of_data %s | FileCheck %s

// RUN: %gpuperf predict --device a100 --local 256 --kernel by_switch --arg mode=9 %s | FileCheck %s --check-prefix=OTHER
// OTHER: known 10%
// OTHER: note {{.*}}with these arguments no work-item that was looked at stores anything

// CHECK: by_switch on
// CHECK-NEXT: launch     global 1048576, mode=2
// CHECK-NOT: stores anything
kernel void by_switch(global float *a, int mode)
{
    int i = get_global_id(0);
    float v = a[i];
    switch (mode) {
    case 2: v *= 2; break;
    case 3: v = native_sqrt(v); break;
    case 4: v = native_exp(v); break;
    default: return;
    }
    a[i] = v;
}

// CHECK: by_flag on
// CHECK-NEXT: launch     global 1024x1024, transposed=1, n=1024
kernel void by_flag(global const float *in, global float *out, int transposed, int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    out[y * n + x] = transposed ? in[x * n + y] : in[y * n + x];
}

// With 3 it does nothing.
// CHECK: leaves on
// CHECK-NEXT: launch     global 1048576, op=0
kernel void leaves(global float *a, int op)
{
    if (op == 3)
        return;
    a[get_global_id(0)] *= 2;
}

// CHECK: colour on
// CHECK-NEXT: launch     global 1024x1024, n=1024, which=0
kernel void colour(global float *u, int n, int which)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (((x + y) & 1) != which)
        return;
    u[y * n + x] *= 0.5f;
}

// CHECK: resample on
// CHECK-NEXT: launch     global 1048576, up=1023, down=1024
kernel void resample(global const float *in, global float *out, global const float *h, int up, int down)
{
    int i = get_global_id(0);
    out[i] = h[(i * down) % up] * in[(i * down) / up];
}

// All work-items are on the diagonal.
// CHECK: diagonal on
// CHECK-NEXT: launch     global 1048576, rows=1048576, columns=1048577, diag=1048576
kernel void diagonal(global const char *a, global const char *b, global int *out, int rows, int columns, int diag)
{
    int i = get_global_id(0), j = diag - i;
    if (i >= rows || j < 1 || j > columns)
        return;
    out[i] = a[i] == b[j - 1];
}

// CHECK: of_data on
// CHECK-NEXT: launch     global 1048576, level=?
kernel void of_data(global const int *levels, global int *out, int level)
{
    int i = get_global_id(0);
    if (levels[i] == level)
        out[i] = 1;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
