// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Sums of 4096 floats down columns: a work-item each, or 16 work-items each that add up their parts. */
kernel void faulty(global float *restrict out, global const float *restrict in, int columns)
{
    int x = get_global_id(0);
    float sum = 0.0f;
    for (int y = 0; y < 4096; y++)
        sum += in[y * columns + x];
    out[x] = sum;
}

kernel __attribute__((reqd_work_group_size(16, 16, 1))) void repaired(global float *restrict out,
                                                                      global const float *restrict in, int columns)
{
    local float part[16][16];
    int x = get_global_id(0), item = get_local_id(0), share = get_local_id(1);
    float sum = 0.0f;
    for (int y = share; y < 4096; y += 16)
        sum += in[y * columns + x];
    part[share][item] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (share > 0)
        return;
    for (int k = 1; k < 16; k++)
        sum += part[k][item];
    out[x] = sum;
}
