// Nothing is wrong with a copy and with a transpose through padded local memory.
// RUN: %cl -fplugin-arg-gpuperf-device=a100 -c %s -o %t.bc 2>&1 | count 0
// RUN: %clang -x cl -O2 -target spirv64 -fplugin-arg-gpuperf-device=a100 -c %s -o %t.spv 2>&1 | count 0

#define TILE 32

kernel void copy(global const float *in, global float *out)
{
    int i = get_global_id(0);
    out[i] = in[i];
}

kernel void copy2d(global const float *in, global float *out, int width, int height)
{
    int col = get_global_id(0), row = get_global_id(1);
    if (col < width && row < height)
        out[row * width + col] = in[row * width + col];
}

__attribute__((reqd_work_group_size(TILE, 8, 1)))
kernel void transpose_padded(global const float *in, global float *out, int width, int height)
{
    local float tile[TILE][TILE + 1];
    int lx = get_local_id(0), ly = get_local_id(1);
    int x = get_group_id(0) * TILE + lx, y = get_group_id(1) * TILE + ly;
    for (int i = 0; i < TILE; i += 8)
        tile[ly + i][lx] = in[(y + i) * width + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    x = get_group_id(1) * TILE + lx;
    y = get_group_id(0) * TILE + ly;
    for (int i = 0; i < TILE; i += 8)
        out[(y + i) * height + x] = tile[lx][ly + i];
}

// Each texel once, and a blur along a row: neighbouring rows fill the blocks of texels that a warp leaves half used.
__kernel void image_copy(read_only image2d_t in, write_only image2d_t out)
{
    const sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
    int2 p = (int2)(get_global_id(0), get_global_id(1));
    write_imagef(out, p, read_imagef(in, nearest, p));
}

__kernel void image_blur(read_only image2d_t in, write_only image2d_t out)
{
    const sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
    int2 p = (int2)(get_global_id(0), get_global_id(1));
    float4 sum = 0;
    for (int i = -2; i <= 2; i++)
        sum += read_imagef(in, nearest, p + (int2)(i, 0));
    write_imagef(out, p, sum / 5);
}

/* Nor with what computes nothing. */
kernel void empty(void) {}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
