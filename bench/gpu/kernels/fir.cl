/* A filter of TAPS taps over SIZE floats, TILE_X outputs per work-item. STAGED: what the group reads is brought to local memory first. */

#ifndef TAPS_OF
#define TAPS_OF
#ifdef CONSTANTS /* where no host sets the array: its values */
__constant float taps[TAPS] = CONSTANTS;
#else
__attribute__((weak)) __constant float taps[TAPS] = {0};
#endif
#endif

__kernel void fir(__global float *restrict out, __global const float *restrict in)
{
    const int t = get_local_id(0), first = get_group_id(0) * (BLOCK_X * TILE_X);
#if STAGED
    __local float near[BLOCK_X * TILE_X + TAPS];
    for (int i = t; i < BLOCK_X * TILE_X + TAPS; i += BLOCK_X)
        near[i] = in[first + i];
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    float sums[TILE_X];
    #pragma unroll
    for (int i = 0; i < TILE_X; i++)
        sums[i] = 0.0f;
    for (int k = 0; k < TAPS; k++)
        #pragma unroll
        for (int i = 0; i < TILE_X; i++)
#if STAGED
            sums[i] += taps[k] * near[t + i * BLOCK_X + k];
#else
            sums[i] += taps[k] * in[first + t + i * BLOCK_X + k];
#endif
    #pragma unroll
    for (int i = 0; i < TILE_X; i++)
        out[first + t + i * BLOCK_X] = sums[i];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
