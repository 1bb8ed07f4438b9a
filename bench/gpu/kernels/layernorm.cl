/*
 * Rows of COLUMNS floats, each brought to mean 0 and variance 1, then scaled and shifted column by column; a row per group, in vectors of VECTOR.
 * VARIANT 0: the mean first, then the squares of what differs from it; 1: the sum and the sum of squares at once.
 */
#undef WIDE
#undef SUM
#undef SQUARES
#if VECTOR == 4
#define WIDE float4
#define SUM(v) ((v).x + (v).y + (v).z + (v).w)
#define SQUARES(v, m) \
    (((v).x - (m)) * ((v).x - (m)) + ((v).y - (m)) * ((v).y - (m)) + ((v).z - (m)) * ((v).z - (m)) + ((v).w - (m)) * ((v).w - (m)))
#else
#define WIDE float
#define SUM(v) (v)
#define SQUARES(v, m) (((v) - (m)) * ((v) - (m)))
#endif
__kernel void layernorm(__global WIDE *restrict out, __global const WIDE *restrict in, __global const WIDE *restrict gains,
                        __global const WIDE *restrict offsets)
{
    enum { WIDTH = COLUMNS / VECTOR };
    __local float sums[BLOCK_X];
    const int t = get_local_id(0);
    const size_t first = (size_t)get_group_id(0) * WIDTH;
    float sum = 0.0f, squares = 0.0f;
#if VARIANT == 1
    __local float powers[BLOCK_X];
    for (int i = t; i < WIDTH; i += BLOCK_X) {
        const WIDE some = in[first + i];
        sum += SUM(some);
        squares += SQUARES(some, 0.0f);
    }
    powers[t] = squares;
#else
    for (int i = t; i < WIDTH; i += BLOCK_X) {
        const WIDE some = in[first + i];
        sum += SUM(some);
    }
#endif
    sums[t] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int span = 512; span > 0; span /= 2) {
        if (t < span && t + span < BLOCK_X) {
            sums[t] += sums[t + span];
#if VARIANT == 1
            powers[t] += powers[t + span];
#endif
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    const float mean = sums[0] / COLUMNS;
#if VARIANT == 1
    const float variance = powers[0] / COLUMNS - mean * mean;
#else
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = t; i < WIDTH; i += BLOCK_X) {
        const WIDE some = in[first + i];
        squares += SQUARES(some, mean);
    }
    sums[t] = squares;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int span = 512; span > 0; span /= 2) {
        if (t < span && t + span < BLOCK_X)
            sums[t] += sums[t + span];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    const float variance = sums[0] / COLUMNS;
#endif
    const float scale = rsqrt(variance + 1e-5f);
    for (int i = t; i < WIDTH; i += BLOCK_X) {
        const WIDE some = in[first + i], gain = gains[i], offset = offsets[i];
#if VECTOR == 4
        WIDE result;
        result.x = (some.x - mean) * scale * gain.x + offset.x;
        result.y = (some.y - mean) * scale * gain.y + offset.y;
        result.z = (some.z - mean) * scale * gain.z + offset.z;
        result.w = (some.w - mean) * scale * gain.w + offset.w;
        out[first + i] = result;
#else
        out[first + i] = (some - mean) * scale * gain + offset;
#endif
    }
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
