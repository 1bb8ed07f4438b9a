/* Every work-item follows 16 links. VARIANT 0: a group holds 48 KB of local memory that it hardly uses; 1: only what it uses. */
__kernel void resident(__global uint *restrict out, __global const uint *restrict links)
{
#if VARIANT == 0
    __local uint scratch[12 * 1024];
#else
    __local uint scratch[BLOCK_X];
#endif
    const int item = get_local_id(0), i = get_group_id(0) * BLOCK_X + item;
    uint at = (uint)i;
    for (int k = 0; k < 16; k++)
        at = links[at];
    scratch[item] = at;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = scratch[item ^ 1];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
