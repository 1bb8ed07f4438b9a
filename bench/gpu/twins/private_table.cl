/* A sequence shifted in a work-item's own array. VARIANT 0: by a number read from memory, so that the array lives there; 1: by a constant. */
__kernel void private_table(__global float *restrict out, __global const float *restrict in, __global const int *restrict shifts)
{
    const int i = get_group_id(0) * BLOCK_X + get_local_id(0);
    float table[16], sum = 0.0f;
#if VARIANT == 0
    const int shift = shifts[0];
#else
    const int shift = 3;
#endif
    for (int k = 0; k < 16; k++)
        table[k] = in[k * SIZE + i];
    for (int k = 0; k < 16; k++)
        sum = sum * 0.5f + table[(k + shift) & 15];
    out[i] = sum;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
