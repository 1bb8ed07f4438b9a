/* A row is divided by a number. VARIANT 0: each element; 1: multiplied by the inverse. */
__kernel void divisions(__global float *restrict out, __global const float *restrict in)
{
    const int i = get_group_id(0) * BLOCK_X + get_local_id(0);
    const float divisor = in[i] + 2.0f;
    float sum = 0.0f;
#if VARIANT == 1
    const float inverse = 1.0f / divisor;
#endif
    for (int k = 0; k < 64; k++) {
#if VARIANT == 0
        const float x = in[k] / divisor;
#else
        const float x = in[k] * inverse;
#endif
        sum += x * x;
    }
    out[i] = sum;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
