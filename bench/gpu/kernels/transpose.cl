/*
 * output = transposed input, SIZE x SIZE floats. A group makes a tile of BLOCK_X x BLOCK_X; each work-item TILE_Y = BLOCK_X / BLOCK_Y
 * elements of it. VARIANT 0: straight, writes a column at a time; 1: through local memory, which the columns' reads hit in one bank;
 * 2: through local memory with a padded row.
 */
__kernel void transpose(__global float *restrict output, __global const float *restrict input)
{
    const int tx = get_local_id(0), ty = get_local_id(1);
    const int x0 = get_group_id(0) * BLOCK_X, y0 = get_group_id(1) * BLOCK_X;
#if VARIANT == 0
    for (int i = ty; i < BLOCK_X; i += BLOCK_Y)
        output[(x0 + tx) * SIZE + y0 + i] = input[(y0 + i) * SIZE + x0 + tx];
#else
    __local float tile[BLOCK_X][BLOCK_X + (VARIANT == 2)];
    for (int i = ty; i < BLOCK_X; i += BLOCK_Y)
        tile[i][tx] = input[(y0 + i) * SIZE + x0 + tx];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = ty; i < BLOCK_X; i += BLOCK_Y)
        output[(x0 + i) * SIZE + y0 + tx] = tile[tx][i];
#endif
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
