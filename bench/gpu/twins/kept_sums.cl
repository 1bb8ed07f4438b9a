/* A sum of a column of 64 floats per work-item. VARIANT 0: in its element of the output, which the compiler cannot keep in a register: other pointers may point to it; 1: in a variable. */
__kernel void kept_sums(__global float *out, __global const float *in, __global const float *turned)
{
    const int i = get_group_id(0) * BLOCK_X + get_local_id(0);
#if VARIANT == 0
    out[i] = 0.0f;
    for (int k = 0; k < 64; k++)
        out[i] += turned[k * SIZE + i];
#else
    float sum = 0.0f;
    for (int k = 0; k < 64; k++)
        sum += turned[k * SIZE + i];
    out[i] = sum;
#endif
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
