/* Two ways of work, by the parity of the element. VARIANT 0: neighbours differ; 1: the first half of a group takes the even ones, the second the odd ones. */
__kernel void parity(__global float *restrict out, __global const float *restrict in)
{
    const int item = get_local_id(0), group = get_group_id(0) * BLOCK_X;
#if VARIANT == 0
    const int odd = item % 2, i = group + item;
#else
    const int odd = item / (BLOCK_X / 2), i = group + 2 * (item % (BLOCK_X / 2)) + odd;
#endif
    float x = in[i];
    if (odd)
        for (int k = 0; k < 200; k++)
            x = sqrt(x * 0.5f + 1.0f);
    else
        for (int k = 0; k < 400; k++)
            x = x * x * 0.25f + 0.125f;
    out[i] = x;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
