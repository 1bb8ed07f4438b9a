// A distance between neighbours is 1 where nobody states it, what the launch shares out is 16 elements for each work-item; a row's length is as any other integer.
// A clamp cuts nothing off but what is added to a neighbour's index; what something is shifted by are ten bits.
// RUN: %gpuperf predict --device a100,mi250x --local 256 --kernel axpy --kernel share --kernel quarters --kernel chunks --kernel rows --kernel clamped --kernel window --kernel blocks --kernel column %s | FileCheck %s
// RUN: %gpuperf predict --device a100 --local 32x8 --kernel pitched --kernel turned --kernel pixels %s | FileCheck %s --check-prefix=TWO
// RUN: %gpuperf predict --device a100 --global 1024x1024 --local 256x1 --kernel outer %s | FileCheck %s --check-prefix=OUTER
// RUN: %gpuperf predict --device a100 --local 256 --kernel axpy --arg incx=2 %s | FileCheck %s --check-prefix=STATED
// CHECK: axpy on
// CHECK: launch     global 1048576, n=1048576, offx=1024, incx=1, offy=1024, incy=1
// CHECK-NOT: % {{.*}}uncoalesced{{.*}}dimension 0{{$}}
// CHECK: uncoalesced global load if 'incy' is 1024, not 1 as assumed: 32 transactions{{.*}}; {{[0-9.]+}}x then
// CHECK: uncoalesced global load if 'incx' is 1024, not 1 as assumed: 32 transactions{{.*}}; {{[0-9.]+}}x then
// CHECK: share on
// CHECK: launch     global 1048576, n=16777216
// CHECK-NOT: bank-conflict
// CHECK: quarters on
// CHECK: launch     global 1048576, n=67108864
// CHECK-NOT: throughput
// CHECK: chunks on
// CHECK: launch     global 1048576, n=16777216
// CHECK: uncoalesced
// CHECK: rows on
// CHECK: launch     global 1048576, n=1024
// CHECK: uncoalesced
// CHECK: clamped on
// CHECK: launch     global 1048576, n=4194304
// CHECK: uncoalesced global load
// CHECK: window on
// CHECK: launch     global 1048576, n=1048576
// CHECK: blocks on
// CHECK: launch     global 1048576, log_n=10
// CHECK: column on
// CHECK: launch     global 1048576, k=1024, rows=1048576, n=1024
// CHECK: uncoalesced
// STATED: incx=2, offy=1024, incy=1
// OUTER: T=1024
// OUTER: uncoalesced global store: 32 transactions
kernel void axpy(int n, float alpha, global const float *x, int offx, int incx, global float *y, int offy, int incy)
{
    int i = get_global_id(0);
    if (i < n)
        y[i * incy + offy] += alpha * x[i * incx + offx];
}

kernel void share(global const uint *keys, global uint *counts, int n)
{
    local uint found[16 * 256];
    int t = get_local_id(0), per = n / get_num_groups(0), base = get_group_id(0) * per;
    for (int i = 0; i < 16; i++)
        found[i * 256 + t] = 0;
    for (int i = t; i < per; i += 256)
        found[(keys[base + i] & 15) * 256 + t]++;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint sum = 0;
    for (int i = 0; i < 16; i++)
        sum += found[i * 256 + t];
    counts[get_global_id(0)] = sum;
}

// Vectors of four are shared out.
kernel void quarters(global const uint4 *in, global uint *out, int n)
{
    uint sum = 0;
    int per = n / 4 / get_num_groups(0), first = get_group_id(0) * per;
    for (int i = first + get_local_id(0); i < first + per; i += get_local_size(0))
        sum += in[i].x + in[i].y + in[i].z + in[i].w;
    out[get_global_id(0)] = sum;
}

kernel void chunks(global const float *in, global float *out, int n)
{
    int per = (n + get_global_size(0) - 1) / get_global_size(0);
    float s = 0;
    for (int i = 0; i < per; i++)
        s += in[get_global_id(0) * per + i];
    out[get_global_id(0)] = s;
}

kernel void rows(global const float *in, global float *out, int n)
{
    float s = 0;
    for (int i = 0; i < n; i++)
        s += in[get_global_id(0) * n + i];
    out[get_global_id(0)] = s;
}

kernel void clamped(global const float *in, global float *out, int n)
{
    int i = get_global_id(0);
    out[i] = in[clamp(4 * i, 0, n - 1)];
}

kernel void window(global const float *in, global float *out, int n)
{
    int i = get_global_id(0);
    float s = 0;
    for (int d = -20; d <= 20; d++)
        s += in[clamp(i + d, 0, n - 1)];
    out[i] = s;
}

kernel void blocks(global float *a, int log_n)
{
    int i = get_global_id(0);
    for (int k = 0; k < 1 << (log_n - 1); k++)
        a[(i >> log_n << log_n) + k] += 1;
}

// TWO: pitched on
// TWO: launch     global 1024x1024, pitch=1024, step=1
// TWO: turned on
// TWO: launch     global 1024x1024, height=1024
// TWO: pixels on
// TWO: launch     global 1024x1024, width=1024, channels=1
kernel void pitched(global float *a, int pitch, int step)
{
    a[get_global_id(1) * pitch + get_global_id(0) * step] += 1;
}

kernel void turned(global float *a, int height)
{
    a[get_global_id(0) * height + get_global_id(1)] += 1;
}

kernel void pixels(global float *a, int width, int channels)
{
    a[(get_global_id(1) * width + get_global_id(0)) * channels] += 1;
}

/* A row for each work-item, in which the groups along dimension 1 have an element each. */
kernel void outer(global const float *a, global const float *b, global float *s, int T)
{
    s[get_global_id(0) * T + get_group_id(1)] = a[get_global_id(0)] * b[get_group_id(1)];
}

// Column k of a matrix, by what stands on the diagonal: n tells rows there.
kernel void column(global const float *a, global const float *r, global float *q, int k, int rows, int n)
{
    int i = get_global_id(0);
    if (i < rows)
        q[i * n + k] = a[i * n + k] / r[k * n + k];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
