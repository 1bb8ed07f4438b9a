/* Rows of numbers. VARIANT 0: divided by a width that is read; 1: shifted, since it is a power of two. */
__kernel void quotients(__global uint *restrict out, __global const uint *restrict numbers, __global const int *restrict widths)
{
    const int i = get_group_id(0) * BLOCK_X + get_local_id(0);
    const uint width = (uint)widths[0], number = numbers[i];
    uint sum = 0;
    for (uint k = 0; k < 32; k++) {
        const uint n = number + k * 12345u;
#if VARIANT == 0
        sum += n / width ^ n % width;
#else
        sum += n >> 6 ^ (n & 63);
#endif
    }
    out[i] = sum;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
