/* How often each of 256 values occurs in SIZE bytes, TILE_X a block apart per work-item. VARIANT 0: atomics on global memory; 1: on local memory first. */
__kernel void histogram(__global uint *restrict bins, __global const uchar *restrict input)
{
    const int base = get_group_id(0) * BLOCK_X * TILE_X + get_local_id(0);
#if VARIANT == 0
    for (int i = 0; i < TILE_X; i++)
        if (base + i * BLOCK_X < SIZE)
            atomic_add(&bins[input[base + i * BLOCK_X]], 1u);
#else
    __local uint count[256];
    for (int i = get_local_id(0); i < 256; i += BLOCK_X)
        count[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < TILE_X; i++)
        if (base + i * BLOCK_X < SIZE)
            atomic_add(&count[input[base + i * BLOCK_X]], 1u);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = get_local_id(0); i < 256; i += BLOCK_X)
        if (count[i] != 0)
            atomic_add(&bins[i], count[i]);
#endif
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
