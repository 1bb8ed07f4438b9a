/*
 * Which of SIZE words are below a bound, each group's side by side at the begin of its part of the output, and how many; TILE_X words per work-item.
 * VARIANT 0: places from an atomic counter; 1: in order, from sums of what the work-items before have (Hillis and Steele).
 */
__kernel void compaction(__global uint *restrict out, __global int *restrict counts, __global const uint *restrict in)
{
    const uint bound = 0x20000000u; /* a quarter of the words are below */
    const int t = get_local_id(0), base = get_group_id(0) * (BLOCK_X * TILE_X);
#if VARIANT == 0
    __local int count;
    if (t == 0)
        count = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < TILE_X; k++) {
        const int i = base + k * BLOCK_X + t;
        if (i < SIZE) {
            const uint word = in[i];
            if (word < bound)
                out[base + atomic_add(&count, 1)] = word;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t == 0)
        counts[get_group_id(0)] = count;
#else
    __local int before[2][BLOCK_X];
    uint words[TILE_X];
    int own = 0;
    #pragma unroll
    for (int k = 0; k < TILE_X; k++) {
        const int i = base + k * BLOCK_X + t;
        words[k] = i < SIZE ? in[i] : bound;
        own += words[k] < bound;
    }
    int from = 0;
    before[0][t] = own;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int span = 1; span < BLOCK_X; span *= 2) {
        before[1 - from][t] = before[from][t] + (t >= span ? before[from][t - span] : 0);
        from = 1 - from;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    int place = base + before[from][t] - own;
    #pragma unroll
    for (int k = 0; k < TILE_X; k++)
        if (words[k] < bound)
            out[place++] = words[k];
    if (t == BLOCK_X - 1)
        counts[get_group_id(0)] = before[from][t];
#endif
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
