// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the published numbers of times.csv were measured with, written anew from the descriptions: clpeak's reads and
// chains of multiply-adds, BabelStream's arrays of doubles.

// 16 floats per work-item, a group's side by side.
__kernel void read16(__global const float *in, __global float *out)
{
    size_t at = get_group_id(0) * get_local_size(0) * 16 + get_local_id(0);
    float sum = 0;
#pragma unroll
    for (int i = 0; i < 16; i++)
        sum += in[at + i * get_local_size(0)];
    out[get_global_id(0)] = sum;
}

// 2048 multiply-adds per work-item, each waits for the one before.
#define CHAIN(name, type) \
    __kernel void name(__global type *out, type a) \
    { \
        type x = a, y = (type)get_local_id(0); \
        for (int i = 0; i < 64; i++) { \
            _Pragma("unroll") for (int k = 0; k < 16; k++) \
            { \
                x = MAD(y, x, y); \
                y = MAD(x, y, x); \
            } \
        } \
        out[get_global_id(0)] = y; \
    }
#define MAD(a, b, c) mad(a, b, c)
CHAIN(chain_float, float)
CHAIN(chain_double, double)
#undef MAD
#define MAD(a, b, c) ((a) * (b) + (c))
CHAIN(chain_int, int)

__kernel void copy(__global const double *a, __global double *c) { c[get_global_id(0)] = a[get_global_id(0)]; }

__kernel void mul(__global double *b, __global const double *c) { b[get_global_id(0)] = 0.4 * c[get_global_id(0)]; }

__kernel void add(__global const double *a, __global const double *b, __global double *c)
{
    c[get_global_id(0)] = a[get_global_id(0)] + b[get_global_id(0)];
}

__kernel void triad(__global double *a, __global const double *b, __global const double *c)
{
    a[get_global_id(0)] = b[get_global_id(0)] + 0.4 * c[get_global_id(0)];
}

// 16 bytes each, s times as far apart.
__kernel void copy4_apart(__global const float4 *in, __global float4 *out, int s)
{
    size_t at = get_global_id(0) * s;
    out[at] = in[at];
}

// Convolutions of the book "Programming Massively Parallel Processors", chapter 7, whose sums are cut to 0 to 1 in
// double precision.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
float cut(float sum) { return fmin(fmax((double)sum, 0.0), 1.0); }

// Along a line: a group's stretch is in local memory, what is beside it comes through the caches.
__kernel void convolve_line(__global const float *in, __global float *out, __constant float *mask, int taps, int n,
                            __local float *stretch)
{
    int at = get_global_id(0), first = get_group_id(0) * get_local_size(0), next = first + get_local_size(0);
    float sum = 0;
    stretch[get_local_id(0)] = in[at];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < taps; k++) {
        int from = at - taps / 2 + k;
        if (from >= 0 && from < n)
            sum += (from >= first && from < next ? stretch[from - first] : in[from]) * mask[k];
    }
    out[at] = cut(sum);
}

// Of a square image, all through the caches.
__kernel void convolve_image(__global const float *in, __global const float *mask, __global float *out, int taps,
                             int side)
{
    int row = get_global_id(1), column = get_global_id(0);
    float sum = 0;
    if (row >= side || column >= side)
        return;
    for (int y = 0; y < taps; y++)
        for (int x = 0; x < taps; x++) {
            int from_row = row - taps / 2 + y, from = column - taps / 2 + x;
            if (from_row >= 0 && from_row < side && from >= 0 && from < side)
                sum += in[from_row * side + from] * mask[y * taps + x];
        }
    out[row * side + column] = cut(sum);
}
