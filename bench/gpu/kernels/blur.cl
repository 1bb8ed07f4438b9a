/*
 * A pass of a Gaussian blur of a picture of SIZE x SIZE floats, clamped at its edges: along the rows, or the columns (VERTICAL). STAGED: by way of
 * local memory.
 */

#ifndef KERNEL_OF_BLUR
#define KERNEL_OF_BLUR
#ifdef CONSTANTS /* where no host sets the array: its values */
__constant float gauss[2 * RADIUS + 1] = CONSTANTS;
#else
__attribute__((weak)) __constant float gauss[2 * RADIUS + 1] = {0};
#endif
#endif

__kernel void blur(__global float *restrict out, __global const float *restrict in)
{
    const int tx = get_local_id(0), ty = get_local_id(1), left = get_group_id(0) * BLOCK_X, top = get_group_id(1) * BLOCK_Y;
    const int x = left + tx, y = top + ty;
    float sum = 0.0f;
#if STAGED && VERTICAL
    __local float near[BLOCK_Y + 2 * RADIUS][BLOCK_X];
    for (int j = ty; j < BLOCK_Y + 2 * RADIUS; j += BLOCK_Y)
        near[j][tx] = in[min(max(top + j - RADIUS, 0), SIZE - 1) * SIZE + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    #pragma unroll
    for (int k = 0; k <= 2 * RADIUS; k++)
        sum += gauss[k] * near[ty + k][tx];
#elif STAGED
    __local float near[BLOCK_Y][BLOCK_X + 2 * RADIUS];
    for (int i = tx; i < BLOCK_X + 2 * RADIUS; i += BLOCK_X)
        near[ty][i] = in[y * SIZE + min(max(left + i - RADIUS, 0), SIZE - 1)];
    barrier(CLK_LOCAL_MEM_FENCE);
    #pragma unroll
    for (int k = 0; k <= 2 * RADIUS; k++)
        sum += gauss[k] * near[ty][tx + k];
#else
    for (int k = 0; k <= 2 * RADIUS; k++)
#if VERTICAL
        sum += gauss[k] * in[min(max(y + k - RADIUS, 0), SIZE - 1) * SIZE + x];
#else
        sum += gauss[k] * in[y * SIZE + min(max(x + k - RADIUS, 0), SIZE - 1)];
#endif
#endif
    out[y * SIZE + x] = sum;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
