/*
 * A step of PageRank: each of SIZE pages adds up the shares of the pages that link to it (CSR). LANES work-items per page; several add up in local
 * memory.
 */
__kernel void pagerank(__global float *restrict next, __global const int *restrict starts, __global const int *restrict sources,
                       __global const float *restrict shares)
{
    const int t = get_local_id(0), page = (get_group_id(0) * BLOCK_X + t) / LANES, lane = t % LANES;
    float sum = 0.0f;
    if (page < SIZE) {
        const int end = starts[page + 1];
        for (int i = starts[page] + lane; i < end; i += LANES)
            sum += shares[sources[i]];
    }
#if LANES > 1
    __local float part[BLOCK_X];
    part[t] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int span = LANES / 2; span > 0; span /= 2) {
        if (lane < span)
            part[t] += part[t + span];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    sum = part[t];
#endif
    if (lane == 0 && page < SIZE)
        next[page] = 0.15f / SIZE + 0.85f * sum;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
