/* SIZE entries of a table in any order, TILE_X per work-item; the table's first ENTRIES >> SHIFT are asked for. */
__kernel void gather(__global float *restrict out, __global const float *restrict table, __global const uint *restrict indices)
{
    const int first = get_group_id(0) * (BLOCK_X * TILE_X) + get_local_id(0);
    #pragma unroll
    for (int t = 0; t < TILE_X; t++) {
        const int i = first + t * BLOCK_X;
        if (i < SIZE)
            out[i] = table[indices[i] >> SHIFT];
    }
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
