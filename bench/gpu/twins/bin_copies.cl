/* Sums of 8 kinds of numbers in local memory. VARIANT 0: 8 cells that all add to; 1: a copy of them in each of 32 banks. */
__kernel void bin_copies(__global uint *restrict out, __global const int *restrict kinds)
{
    const int item = get_local_id(0), base = get_group_id(0) * BLOCK_X * 64 + item;
#if VARIANT == 0
    __local uint bins[8];
    if (item < 8)
        bins[item] = 0;
#else
    __local uint bins[8 * 32];
    for (int k = item; k < 8 * 32; k += BLOCK_X)
        bins[k] = 0;
#endif
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 64; k++) {
        const int number = kinds[base + k * BLOCK_X];
#if VARIANT == 0
        atomic_add(&bins[number & 7], (uint)number >> 3);
#else
        atomic_add(&bins[(number & 7) * 32 + (item & 31)], (uint)number >> 3);
#endif
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < 8) {
#if VARIANT == 0
        atomic_add(&out[item], bins[item]);
#else
        uint sum = 0;
        for (int k = 0; k < 32; k++)
            sum += bins[item * 32 + (k + item) % 32];
        atomic_add(&out[item], sum);
#endif
    }
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
