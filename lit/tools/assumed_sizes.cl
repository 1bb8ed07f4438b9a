// Sizes that are assumed of several arguments make one index together that an int holds, and arrays of known size bound the loops that fill them.
// RUN: %gpuperf predict --device a100 --local 256 --kernel row_sums --kernel private_row --kernel taps --kernel local_tile --kernel guarded --kernel strided_square --kernel strided_rows %s | FileCheck %s
// RUN: %gpuperf predict --device a100 --local 32x8x1 --kernel planes %s | FileCheck %s --check-prefix=PLANES

// PLANES: global 128x128x128, gx=128, gy=128, gz=128, height=128, width=128, images=128
kernel void planes(global const float4 *in, global float4 *out, int gx, int gy, int gz, int height, int width, int images)
{
    int c = get_global_id(0), x = get_global_id(1), zy = get_global_id(2);
    if (c >= gx || x >= gy || zy >= gz)
        return;
    int image = zy / height, y = zy % height, at = ((image + c * images) * height + y) * width + x;
    out[at] = in[at] * 2;
}

// Rows of constant length: the range is one that their ends fit in.
// CHECK: global 262144
kernel void row_sums(global const float *a, global float *out)
{
    int row = get_global_id(0);
    float sum = 0;
    for (int k = row * 4096; k < (row + 1) * 4096; k++)
        sum += a[k];
    out[row] = sum;
}

// The array bounds the range as well, which is no larger than the rows are long.
// CHECK: global 512, n=512
kernel void private_row(int n, global const float *a, global const float *b, global float *c)
{
    int row = get_global_id(0);
    if (row >= n)
        return;
    float mine[512];
    for (int k = 0; k < n; k++)
        mine[k] = a[row * n + k];
    for (int col = 0; col < n; col++) {
        float sum = 0;
        for (int k = 0; k < n; k++)
            sum += mine[k] * b[k * n + col];
        c[row * n + col] = sum;
    }
}

constant float weight[25] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4, 5, 6, 7};
// CHECK: global 1048576, count=25, n=1048576
kernel void taps(global const float *in, global float *out, int count, int n)
{
    int i = get_global_id(0);
    float sum = 0;
    if (i >= n)
        return;
    for (int k = 0; k < count; k++)
        sum += in[i + k] * weight[k];
    out[i] = sum;
}

// CHECK: global 1048576, m=256
kernel void local_tile(global const float *in, global float *out, int m)
{
    local float tile[256];
    float sum = 0;
    for (int k = get_local_id(0); k < m; k += get_local_size(0))
        tile[k] = in[k];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < m; k++)
        sum += tile[k] * in[get_global_id(0) + k];
    out[get_global_id(0)] = sum;
}

// What is accessed under a condition bounds nothing.
// CHECK: global 1048576, n=1024
kernel void guarded(global const float *in, global float *out, int n)
{
    float first[8] = {0}, sum = 0;
    for (int k = 0; k < n; k++)
        if (k < 8)
            first[k] = in[k];
        else
            sum += in[k];
    out[get_global_id(0)] = sum + first[get_global_id(0) & 7];
}

// A loop over all work-items whose end is the length of a row as well, in doubles; and rows beside it.
// CHECK: global 32768, n=32768
kernel void strided_square(global const double *a, global double *out, uint n)
{
    for (uint i = get_global_id(0); i < n; i += get_global_size(0)) {
        double sum = 0;
        for (uint k = 0; k < n; k++)
            sum += a[i * n + k];
        out[i] = sum;
    }
}

// CHECK: global 1048576, n=2097152, m=1024
kernel void strided_rows(global const float *a, global float *out, int n, int m)
{
    for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
        float sum = 0;
        for (int k = 0; k < m; k++)
            sum += a[i * m + k];
        out[i] = sum;
    }
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
