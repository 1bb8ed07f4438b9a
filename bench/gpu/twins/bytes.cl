/* The sum of 32 bytes. VARIANT 0: one by one; 1: four in a word. */
__kernel void bytes(__global float *restrict out, __global const uchar *restrict in)
{
    const int i = get_group_id(0) * BLOCK_X + get_local_id(0);
    uint sum = 0;
#if VARIANT == 0
    for (int k = 0; k < 32; k++)
        sum += in[i * 32 + k];
#else
    __global const uint *words = (__global const uint *)in;
    for (int k = 0; k < 8; k++) {
        const uint word = words[i * 8 + k];
        sum += (word & 255) + (word >> 8 & 255) + (word >> 16 & 255) + (word >> 24);
    }
#endif
    out[i] = (float)sum;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
