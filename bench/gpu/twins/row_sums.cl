/* A sum of 64 floats per work-item. VARIANT 0: a row each; 1: a column each of the transposed matrix. */
__kernel void row_sums(__global float *restrict out, __global const float *restrict in, __global const float *restrict turned)
{
    const int i = get_group_id(0) * BLOCK_X + get_local_id(0);
    float sum = 0.0f;
    for (int k = 0; k < 64; k++)
#if VARIANT == 0
        sum += in[i * 64 + k];
#else
        sum += turned[k * SIZE + i];
#endif
    out[i] = sum;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
