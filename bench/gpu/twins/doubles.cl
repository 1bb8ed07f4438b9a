/* A polynomial. VARIANT 0: constants without f; 1: with. */
#if VARIANT == 0
#define NUMBER(x) x
#else
#define NUMBER(x) x##f
#endif
__kernel void doubles(__global float *restrict out, __global const float *restrict in)
{
    const int i = get_group_id(0) * BLOCK_X + get_local_id(0);
    const float x = in[i];
    float y = 0.0f;
    for (int k = 0; k < 128; k++)
        y = y * x * NUMBER(0.9) + NUMBER(0.3);
    out[i] = y;
}
#undef NUMBER
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
