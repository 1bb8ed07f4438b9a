/* VARIANT 0: a counter is converted for each step; 1: counts in floating point. */
__kernel void conversions(__global float *restrict out, __global const float *restrict in, __global const int *restrict counts)
{
    const int i = get_group_id(0) * BLOCK_X + get_local_id(0), first = counts[i] & 1023;
    const float x = in[i];
    float sum = 0.0f;
#if VARIANT == 0
    for (int k = 0; k < 128; k++)
        sum += x * (float)(first + k);
#else
    float y = (float)first;
    for (int k = 0; k < 128; k++, y += 1.0f)
        sum += x * y;
#endif
    out[i] = sum * 0.0001f;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
