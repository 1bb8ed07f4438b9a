/*
 * QUERIES keys looked up in a hash table of 2^BITS slots by linear probing, TILE_X per work-item: their values, or 0. PAIRED: a key beside its value,
 * not two arrays.
 */
__kernel void probing(__global uint *restrict out, __global const uint *restrict keys, __global const uint *restrict values,
                      __global const uint2 *restrict pairs, __global const uint *restrict queries)
{
    const uint EMPTY = 0xffffffffu, last = (1u << BITS) - 1u;
    const int first = get_group_id(0) * (BLOCK_X * TILE_X) + get_local_id(0);
    for (int t = 0; t < TILE_X; t++) {
        const int i = first + t * BLOCK_X;
        if (i >= QUERIES)
            break;
        const uint key = queries[i];
        uint slot = (key * 2654435769u) >> (32 - BITS), found = 0u;
        while (1) {
#if PAIRED
            const uint2 pair = pairs[slot];
            const uint other = pair.x;
#else
            const uint other = keys[slot];
#endif
            if (other == key) {
#if PAIRED
                found = pair.y;
#else
                found = values[slot];
#endif
                break;
            }
            if (other == EMPTY)
                break;
            slot = (slot + 1u) & last;
        }
        out[i] = found;
    }
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
