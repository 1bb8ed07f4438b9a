/* output[i] = input[i * STRIDE] */
__kernel void stride(__global float *restrict output, __global const float *restrict input)
{
    const int i = get_group_id(0) * BLOCK_X + get_local_id(0);
    if (i < SIZE)
        output[i] = input[(size_t)i * STRIDE];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
