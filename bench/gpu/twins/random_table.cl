/* Walks through a table of 256 words in local memory, as ciphers do. VARIANT 0: one table; 1: a copy in each of 32 banks. */
__kernel void random_table(__global uint *restrict out, __global const uint *restrict table, __global const uint *restrict seeds)
{
    const int item = get_local_id(0), i = get_group_id(0) * BLOCK_X + item;
#if VARIANT == 0
    __local uint copy[256];
    for (int k = item; k < 256; k += BLOCK_X)
        copy[k] = table[k];
#else
    __local uint copy[256 * 32];
    for (int k = item; k < 256 * 32; k += BLOCK_X)
        copy[k] = table[k / 32];
#endif
    barrier(CLK_LOCAL_MEM_FENCE);
    uint x = seeds[i];
    for (int k = 0; k < 256; k++)
#if VARIANT == 0
        x = (x >> 8) ^ copy[x & 255];
#else
        x = (x >> 8) ^ copy[(x & 255) * 32 + (item & 31)];
#endif
    out[i] = x;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
