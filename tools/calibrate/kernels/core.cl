// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*
 * A CPU's core. Work-items of a group are a loop, which the compiler makes vectors of where there is no loop inside: then
 * operations that stand straight behind each other show what a core does in vectors. Data lie in the group's place of a
 * range that L1 holds.
 */
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#define FOUR(step) step step step step
#define SIXTEEN(step) FOUR(step) FOUR(step) FOUR(step) FOUR(step)
#define STRAIGHT(name, type, times, step)                                                                              \
    kernel void name(global type *restrict in, global type *restrict out, int count, int other)                        \
    {                                                                                                                  \
        int i = get_local_id(0);                                                                                       \
        type a = in[0], b = in[1], x = in[i + 2];                                                                      \
        times(step) out[get_group_id(0) % 8 * get_local_size(0) + i] = x;                                              \
    }
STRAIGHT(vector_float, float, SIXTEEN, x = x * a + b;)
STRAIGHT(vector_int, int, SIXTEEN, x = (x + a) ^ b;)
STRAIGHT(vector_divide, float, FOUR, x = a / x;)
#ifdef cl_khr_fp64
STRAIGHT(vector_double, double, SIXTEEN, x = x * a + b;)
#endif

/* Each work-item a stretch of its own, one behind the other. */
kernel void copy_stretches(global float4 *restrict in, global float4 *restrict out, int count, int other)
{
    size_t at = get_global_id(0) * (size_t)count;
    for (int k = 0; k < count; k++)
        out[at + k] = in[at + k];
}

/* Sums of their own, none of which waits for another: bytes count, not additions. */
kernel void read_stretch(global float4 *restrict in, global float4 *restrict out, int count, int other)
{
    float4 a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0;
    for (int r = 0; r < count; r++)
        for (int k = 0; k < other; k += 8) {
            a += in[k];
            b += in[k + 1];
            c += in[k + 2];
            d += in[k + 3];
            e += in[k + 4];
            f += in[k + 5];
            g += in[k + 6];
            h += in[k + 7];
        }
    out[get_global_id(0)] = a + b + c + d + e + f + g + h;
}

/* Each work-item its stretch, again and again. */
kernel void copy_again(global float4 *restrict in, global float4 *restrict out, int count, int other)
{
    size_t first = get_global_id(0) * other;
    for (int r = 0; r < count; r++)
        for (int k = 0; k < other; k++)
            out[first + k] = in[first + k] + r;
}

/* Words a page apart, all of which fall into one set of L1. */
kernel void one_set(global float *restrict in, global float *restrict out, int count, int other)
{
    float sum = 0;
    for (int r = 0; r < count; r++)
        for (int k = 0; k < other; k++)
            sum += in[k * 1024];
    out[get_global_id(0)] = sum;
}

/* Words anywhere in a range, a power of two of words: misses that do not wait for each other. */
kernel void gather(global uint *restrict in, global uint *restrict out, int count, int mask)
{
    uint at = get_global_id(0) * 2654435761u, sum = 0;
    for (int k = 0; k < count; k++) {
        at = at * 1664525u + 1013904223u;
        sum += in[(at >> 4) & (uint)mask];
    }
    out[get_global_id(0)] = sum;
}

/* Three values live across each barrier. */
kernel void live_barriers(global float *restrict in, global float *restrict out, int count, int other)
{
    int i = get_local_id(0);
    float x = in[i], y = in[i + 1], z = in[i + 2];
    for (int k = 0; k < count; k++) {
        x += y;
        y += z;
        z += x;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[i] = x + y + z;
}
