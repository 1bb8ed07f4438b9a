// A place that a loop stores to in each iteration, since the compiler cannot keep it in a register: others' pointers may point to it. What the warning promises is what the twin gains.
// RUN: %cl -fplugin-arg-gpuperf-device=h200 -fplugin-arg-gpuperf-assume=*:global=65536:n=1024 -c %s -o %t.bc 2>&1 | FileCheck %s --implicit-check-not=warning:
// RUN: %gpuperf predict --device a100 --arg n=1024 --global 65536 --local 128 --kernel row --kernel row_in_register %s | FileCheck %s --check-prefix=TABLE

// CHECK: kept-value.cl:[[#@LINE+9]]:{{[0-9]+}}: warning: an element of 'y' is stored time and again: 1024 stores per work-item where 1 would do; {{[0-9]+}}% of predicted time on h200 ({{[0-9.]+}}x faster in a register) [gpuperf-spill]
// CHECK: note: keep it in a private variable and store that in the end; compilers cannot, since other pointers may point to it (or declare all of them restrict)
// TABLE: row on a100
// TABLE: 128 {{.*}} 4{{[0-9]}}{{[0-9]}} us
// TABLE: 2.2{{[0-9]}}x {{.*}}: spill: an element of 'y'
kernel void row(global const float *a, global float *y, int n)
{
    int r = get_global_id(0);
    for (int j = 0; j < n; j++)
        y[r] += a[j * 65536 + r];
}

// TABLE: row_in_register on a100
// TABLE: 128 {{.*}} 1{{[0-9]}}{{[0-9]}} us
// TABLE-NOT: spill:
kernel void row_in_register(global const float *a, global float *y, int n)
{
    int r = get_global_id(0);
    float sum = y[r];
    for (int j = 0; j < n; j++)
        sum += a[j * 65536 + r];
    y[r] = sum;
}

kernel void row_alone(global const float *restrict a, global float *restrict y, int n)
{
    int r = get_global_id(0);
    for (int j = 0; j < n; j++)
        y[r] += a[j * 65536 + r];
}

// The loop goes to other elements, too: which of them is the same nobody knows.
kernel void others_read(global const float *a, global float *y, int n, int k)
{
    int r = get_global_id(0);
    for (int j = 0; j < n; j++)
        y[r] += a[j * 65536 + r] * y[(j * k + r) & 65535];
}

// Others look at it meanwhile.
kernel void barriers(global const float *a, global float *y, int n)
{
    int r = get_global_id(0);
    for (int j = 0; j < n; j++) {
        y[r] = a[j * 65536 + r];
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}

kernel void watched(global const float *a, volatile global float *y, int n)
{
    int r = get_global_id(0);
    for (int j = 0; j < n; j++)
        y[r] += a[j * 65536 + r];
}

// An unrolled loop's stores; on two sides of a branch only one is made.
// RUN: %gpuperf predict --device h200 --global 524288 --local 256 --kernel unrolled --kernel sides %s | FileCheck %s --check-prefix=UNROLLED
// UNROLLED: unrolled on h200
// UNROLLED: 1.{{[5-9][0-9]}}x {{.*}}: spill: an element of 'y' is stored time and again: 65 stores per work-item where 1 would do
// UNROLLED: sides on h200
// UNROLLED-NOT: spill:
kernel void unrolled(global const float *a, global float *y)
{
    int r = get_global_id(0);
    y[r] = 0;
    for (int j = 0; j < 64; j++)
        y[r] += a[j * 524288 + r]; // gpuperf-ignore
}

kernel void sides(global const float *a, global float *y, global int *z)
{
    int r = get_global_id(0);
    if (a[r] > 0) {
        y[r] = a[r + 1];
        z[r] = 1;
    } else {
        y[r] = a[r + 2] * 3;
    }
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
