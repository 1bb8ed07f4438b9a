/*
 * The discrete cosine transform of each 8x8 points of a picture of SIZE x SIZE floats, LANES work-items for a block: one, all of it in its registers;
 * 8, a row and then a column each; or 64, a coefficient each, by the definition. Rows in local memory are PITCH floats apart.
 */

#ifndef COSINES_OF_DCT
#define COSINES_OF_DCT
#ifdef CONSTANTS /* where no host sets the array: its values */
__constant float cosines[64] = CONSTANTS;
#else
__attribute__((weak)) __constant float cosines[64] = {0};
#endif
#endif

/* Eight values, `step` apart. */
#ifndef TRANSFORM
#define TRANSFORM(v, step) \
    { \
        const float s0 = (v)[0] + (v)[7 * (step)], s1 = (v)[step] + (v)[6 * (step)], s2 = (v)[2 * (step)] + (v)[5 * (step)]; \
        const float d0 = (v)[0] - (v)[7 * (step)], d1 = (v)[step] - (v)[6 * (step)], d2 = (v)[2 * (step)] - (v)[5 * (step)]; \
        const float s3 = (v)[3 * (step)] + (v)[4 * (step)], d3 = (v)[3 * (step)] - (v)[4 * (step)]; \
        const float even = s0 + s3, odd = s1 + s2, outer = s0 - s3, inner = s1 - s2; \
        (v)[0] = 0.35355339f * (even + odd); \
        (v)[4 * (step)] = 0.35355339f * (even - odd); \
        (v)[2 * (step)] = 0.46193977f * outer + 0.19134172f * inner; \
        (v)[6 * (step)] = 0.19134172f * outer - 0.46193977f * inner; \
        (v)[step] = 0.49039264f * d0 + 0.41573481f * d1 + 0.27778512f * d2 + 0.09754516f * d3; \
        (v)[3 * (step)] = 0.41573481f * d0 - 0.09754516f * d1 - 0.49039264f * d2 - 0.27778512f * d3; \
        (v)[5 * (step)] = 0.27778512f * d0 - 0.49039264f * d1 + 0.09754516f * d2 + 0.41573481f * d3; \
        (v)[7 * (step)] = 0.09754516f * d0 - 0.27778512f * d1 + 0.41573481f * d2 - 0.49039264f * d3; \
    }
#endif

__kernel void dct(__global float *restrict out, __global const float *restrict in)
{
    enum { ACROSS = SIZE / 8, BLOCKS = ACROSS * ACROSS };
    const int t = get_local_id(0), lane = t % LANES, block = (get_group_id(0) * BLOCK_X + t) / LANES;
    const int at = block / ACROSS * (8 * SIZE) + block % ACROSS * 8;
#if LANES == 1
    if (block < BLOCKS) {
        float points[64];
        #pragma unroll
        for (int y = 0; y < 8; y++) {
            #pragma unroll
            for (int x = 0; x < 8; x++)
                points[y * 8 + x] = in[at + y * SIZE + x];
            TRANSFORM(&points[y * 8], 1)
        }
        #pragma unroll
        for (int x = 0; x < 8; x++)
            TRANSFORM(&points[x], 8)
        #pragma unroll
        for (int y = 0; y < 8; y++)
            #pragma unroll
            for (int x = 0; x < 8; x++)
                out[at + y * SIZE + x] = points[y * 8 + x];
    }
#elif LANES == 8
    __local float tiles[BLOCK_X / 8][8][PITCH];
    float points[8];
    if (block < BLOCKS) {
        #pragma unroll
        for (int y = 0; y < 8; y++) /* neighbours read neighbours */
            points[y] = in[at + y * SIZE + lane];
        TRANSFORM(points, 1)
        #pragma unroll
        for (int y = 0; y < 8; y++)
            tiles[t / 8][y][lane] = points[y];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (block < BLOCKS) {
        #pragma unroll
        for (int x = 0; x < 8; x++)
            points[x] = tiles[t / 8][lane][x];
        TRANSFORM(points, 1)
        #pragma unroll
        for (int x = 0; x < 8; x++)
            tiles[t / 8][lane][x] = points[x];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (block < BLOCKS)
        #pragma unroll
        for (int y = 0; y < 8; y++)
            out[at + y * SIZE + lane] = tiles[t / 8][y][lane];
#else
    __local float tiles[BLOCK_X / 64][8][PITCH], rows[BLOCK_X / 64][8][PITCH];
    const int x = lane % 8, y = lane / 8, tile = t / 64;
    float sum = 0.0f;
    if (block < BLOCKS)
        tiles[tile][y][x] = in[at + y * SIZE + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    #pragma unroll
    for (int k = 0; k < 8; k++)
        sum += tiles[tile][y][k] * cosines[x * 8 + k];
    rows[tile][y][x] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    sum = 0.0f;
    #pragma unroll
    for (int k = 0; k < 8; k++)
        sum += rows[tile][k][x] * cosines[y * 8 + k];
    if (block < BLOCKS)
        out[at + y * SIZE + x] = sum;
#endif
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
