/* Each work-item adds up a row of 32 floats in local memory. VARIANT 0: all in one bank; 1: padded rows. */
__kernel void local_rows(__global float *restrict out, __global const float *restrict in)
{
    enum { PITCH = VARIANT == 0 ? 32 : 33 };
    __local float rows[BLOCK_X * PITCH];
    const int item = get_local_id(0), group = get_group_id(0) * BLOCK_X;
    for (int k = item; k < BLOCK_X * 32; k += BLOCK_X)
        rows[k / 32 * PITCH + k % 32] = in[group * 32 + k];
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0.0f;
    for (int round = 0; round < 4; round++)
        for (int k = 0; k < 32; k++)
            sum = sum * 0.5f + rows[item * PITCH + k];
    out[group + item] = sum;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
