/* y = sparse matrix (CSR) * x. VARIANT 0: a row per work-item; 1: a row per 32 work-items, which add up in local memory. */
__kernel void spmv(__global float *restrict y, __global const int *restrict starts, __global const int *restrict columns,
                   __global const float *restrict values, __global const float *restrict x)
{
#if VARIANT == 0
    const int row = get_group_id(0) * BLOCK_X + get_local_id(0);
    if (row < SIZE) {
        float sum = 0.0f;
        for (int i = starts[row]; i < starts[row + 1]; i++)
            sum += values[i] * x[columns[i]];
        y[row] = sum;
    }
#else
    __local float part[BLOCK_X];
    const int t = get_local_id(0), lane = t % 32, row = (get_group_id(0) * BLOCK_X + t) / 32;
    float sum = 0.0f;
    if (row < SIZE)
        for (int i = starts[row] + lane; i < starts[row + 1]; i += 32)
            sum += values[i] * x[columns[i]];
    part[t] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = 16; step > 0; step /= 2) {
        if (lane < step)
            part[t] += part[t + step];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lane == 0 && row < SIZE)
        y[row] = part[t];
#endif
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
