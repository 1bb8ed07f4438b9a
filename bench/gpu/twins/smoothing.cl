/* The mean of 33 neighbours. VARIANT 0: from global memory; 1: from a tile in local memory. */
__kernel void smoothing(__global float *restrict out, __global const float *restrict in)
{
    const int item = get_local_id(0), group = get_group_id(0) * BLOCK_X, i = group + item;
    float sum = 0.0f;
#if VARIANT == 0
    for (int k = 0; k < 33; k++)
        sum += in[i + k];
#else
    __local float tile[BLOCK_X + 32];
    for (int k = item; k < BLOCK_X + 32; k += BLOCK_X)
        tile[k] = in[group + k];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 33; k++)
        sum += tile[item + k];
#endif
    out[i] = sum * (1.0f / 33);
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
