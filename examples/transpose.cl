/* Matrix transposition, naive and through a tile of local memory: the latter in groups of 32x8, over width x height / 4 work-items. */

#define TILE 32

__kernel void transpose_naive(__global const float *in, __global float *out, int width, int height)
{
    int column = get_global_id(0);
    int row = get_global_id(1);
    if (column < width && row < height)
        out[column * height + row] = in[row * width + column];
}

__kernel void transpose_tiled(__global const float *in, __global float *out, int width, int height)
{
    __local float tile[TILE][TILE];
    int x = get_group_id(0) * TILE + get_local_id(0);
    int y = get_group_id(1) * TILE + get_local_id(1);
    for (int i = 0; i < TILE; i += 8)
        tile[get_local_id(1) + i][get_local_id(0)] = in[(y + i) * width + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    x = get_group_id(1) * TILE + get_local_id(0);
    y = get_group_id(0) * TILE + get_local_id(1);
    for (int i = 0; i < TILE; i += 8)
        out[(y + i) * height + x] = tile[get_local_id(0)][get_local_id(1) + i];
}

__kernel void transpose_padded(__global const float *in, __global float *out, int width, int height)
{
    __local float tile[TILE][TILE + 1];
    int x = get_group_id(0) * TILE + get_local_id(0);
    int y = get_group_id(1) * TILE + get_local_id(1);
    for (int i = 0; i < TILE; i += 8)
        tile[get_local_id(1) + i][get_local_id(0)] = in[(y + i) * width + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    x = get_group_id(1) * TILE + get_local_id(0);
    y = get_group_id(0) * TILE + get_local_id(1);
    for (int i = 0; i < TILE; i += 8)
        out[(y + i) * height + x] = tile[get_local_id(0)][get_local_id(1) + i];
}

__kernel void copy(__global const float *in, __global float *out)
{
    out[get_global_id(0)] = in[get_global_id(0)];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
