/*
 * CHANNELS maps of SIZE x SIZE points laid out as a matrix whose columns are each point's 3x3 neighbours in all maps, zeros beyond the edges; a
 * work-item writes TILE_Y of a map's nine.
 */
__kernel void im2col(__global float *restrict out, __global const float *restrict in)
{
    const int x = get_group_id(0) * BLOCK_X + get_local_id(0), line = get_group_id(1) * BLOCK_Y + get_local_id(1);
    const int y = line % SIZE, first = line / SIZE * TILE_Y, map = first / 9;
    #pragma unroll
    for (int i = 0; i < TILE_Y; i++) {
        const int k = first % 9 + i, from_x = x + k % 3 - 1, from_y = y + k / 3 - 1;
        float value = 0.0f;
        if (from_x >= 0 && from_x < SIZE && from_y >= 0 && from_y < SIZE)
            value = in[(map * SIZE + from_y) * SIZE + from_x];
        out[((map * 9 + k) * SIZE + y) * SIZE + x] = value;
    }
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
