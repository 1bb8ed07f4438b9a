/*
 * How many of ENTRIES (a power of two) ascending words are below each of QUERIES keys, TILE_X per work-item. VARIANT 0: one key after the other,
 * until the bounds meet; 1: a fixed number of steps, in each of which all keys of the work-item go on.
 */
__kernel void bisection(__global int *restrict out, __global const uint *restrict table, __global const uint *restrict queries)
{
    const int first = get_group_id(0) * (BLOCK_X * TILE_X) + get_local_id(0);
#if VARIANT == 0
    for (int t = 0; t < TILE_X; t++) {
        const int i = first + t * BLOCK_X;
        if (i >= QUERIES)
            return;
        const uint key = queries[i];
        int low = 0, high = ENTRIES;
        while (low < high) {
            const int middle = (low + high) / 2;
            if (table[middle] < key)
                low = middle + 1;
            else
                high = middle;
        }
        out[i] = low;
    }
#else
    uint key[TILE_X];
    int below[TILE_X];
    #pragma unroll
    for (int t = 0; t < TILE_X; t++) {
        below[t] = 0;
        key[t] = first + t * BLOCK_X < QUERIES ? queries[first + t * BLOCK_X] : 0u;
    }
    for (int step = ENTRIES / 2; step > 0; step /= 2)
        #pragma unroll
        for (int t = 0; t < TILE_X; t++)
            below[t] += table[below[t] + step - 1] < key[t] ? step : 0;
    #pragma unroll
    for (int t = 0; t < TILE_X; t++)
        if (first + t * BLOCK_X < QUERIES)
            out[first + t * BLOCK_X] = below[t] + (table[below[t]] < key[t]);
#endif
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
