/* VARIANT 0: powers by pow(); 1: by products and a root. */
__kernel void powers(__global float *restrict out, __global const float *restrict in)
{
    const int i = get_group_id(0) * BLOCK_X + get_local_id(0);
    const float x = in[i] + 2.0f;
    float sum = 0.0f;
    for (int k = 0; k < 32; k++) {
        const float y = x + 0.1f * k;
#if VARIANT == 0
        sum += pow(y, 2.5f);
#else
        sum += y * y * sqrt(y);
#endif
    }
    out[i] = sum * 0.01f;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
