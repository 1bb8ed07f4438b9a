/* Twice the input, 16 floats per work-item. VARIANT 0: neighbours in memory; 1: a group's width apart. */
__kernel void chunks(__global float *restrict out, __global const float *restrict in)
{
    const int group = get_group_id(0) * BLOCK_X * 16, item = get_local_id(0);
    for (int k = 0; k < 16; k++) {
#if VARIANT == 0
        const int i = group + item * 16 + k;
#else
        const int i = group + k * BLOCK_X + item;
#endif
        out[i] = in[i] * 2.0f;
    }
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
