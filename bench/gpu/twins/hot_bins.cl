/* Sums of 8 kinds of numbers. VARIANT 0: all work-items add to them in global memory; 1: a group adds up in local memory first. */
__kernel void hot_bins(__global uint *restrict out, __global const int *restrict kinds)
{
    const int item = get_local_id(0), base = get_group_id(0) * BLOCK_X * 16 + item;
#if VARIANT == 1
    __local uint bins[8];
    if (item < 8)
        bins[item] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    for (int k = 0; k < 16; k++) {
        const int number = kinds[base + k * BLOCK_X];
#if VARIANT == 0
        atomic_add(&out[number & 7], (uint)number >> 3);
#else
        atomic_add(&bins[number & 7], (uint)number >> 3);
#endif
    }
#if VARIANT == 1
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < 8)
        atomic_add(&out[item], bins[item]);
#endif
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
