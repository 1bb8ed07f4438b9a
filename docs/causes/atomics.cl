// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Counts of 8 kinds of numbers: all work-items add to global memory, or a group adds up in local memory first. */
kernel void faulty(global uint *restrict counts, global const uint *restrict in)
{
    atomic_inc(&counts[in[get_global_id(0)] & 7]);
}

kernel void repaired(global uint *restrict counts, global const uint *restrict in)
{
    local uint own[8];
    int item = get_local_id(0);
    if (item < 8)
        own[item] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&own[in[get_global_id(0)] & 7]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < 8)
        atomic_add(&counts[item], own[item]);
}
