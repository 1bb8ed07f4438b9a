/* A row less its mean; a group per row of 4 BLOCK_X. VARIANT 0: one work-item adds the row up; 1: each a share, and one their sums. */
__kernel void lone(__global float *restrict out, __global const float *restrict in)
{
    __local float part[BLOCK_X];
    __local float mean[1];
    const int item = get_local_id(0), row = get_group_id(0) * 4 * BLOCK_X;
    float sum = 0.0f;
#if VARIANT == 0
    if (item == 0) {
        for (int k = 0; k < 4 * BLOCK_X; k++)
            sum += in[row + k];
        mean[0] = sum / (4 * BLOCK_X);
    }
#else
    for (int k = item; k < 4 * BLOCK_X; k += BLOCK_X)
        sum += in[row + k];
    part[item] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = BLOCK_X / 2; step > 0; step /= 2) {
        if (item < step)
            part[item] += part[item + step];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (item == 0)
        mean[0] = part[0] / (4 * BLOCK_X);
#endif
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = item; k < 4 * BLOCK_X; k += BLOCK_X)
        out[row + k] = in[row + k] - mean[0];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
