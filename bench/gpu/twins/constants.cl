/* Sums out of a table, each work-item elsewhere. VARIANT 0: in constant memory; 1: in global memory. */
#ifndef TABLE
#define TABLE
#ifdef CONSTANTS /* where no host sets the array: its values */
__constant float table[1024] = CONSTANTS;
#else
/* Weak, so that the compiler cannot know the values. */
__attribute__((weak)) __constant float table[1024] = {0};
#endif
#endif
__kernel void constants(__global float *restrict out, __global const float *restrict copy)
{
    const int i = get_group_id(0) * BLOCK_X + get_local_id(0);
    float sum = 0.0f;
    for (int k = 0; k < 64; k++)
#if VARIANT == 0
        sum += table[(i * 7 + k * 5) & 1023];
#else
        sum += copy[(i * 7 + k * 5) & 1023];
#endif
    out[i] = sum;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
