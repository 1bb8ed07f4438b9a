/* VARIANT 0: sines as the standard asks; 1: the hardware's. */
__kernel void sines(__global float *restrict out, __global const float *restrict in)
{
    const int i = get_group_id(0) * BLOCK_X + get_local_id(0);
    const float x = in[i];
    float sum = 0.0f;
    for (int k = 0; k < 32; k++)
#if VARIANT == 0
        sum += sin(x * (0.1f * k));
#else
        sum += native_sin(x * (0.1f * k));
#endif
    out[i] = sum;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
