/* Rounds of arithmetic. VARIANT 0: a barrier after each, which nothing needs; 1: none. */
__kernel void barriers(__global float *restrict out, __global const float *restrict in)
{
    const int i = get_group_id(0) * BLOCK_X + get_local_id(0);
    float x = in[i];
    for (int k = 0; k < 64; k++) {
        x = x * 0.5f + in[k];
        x = x * 0.25f - 0.125f;
#if VARIANT == 0
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
    }
    out[i] = x;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
