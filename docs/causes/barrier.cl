// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Rounds of arithmetic: a barrier after each, which nothing needs, or none. */
kernel void faulty(global float *restrict out, global const float *restrict in)
{
    int i = get_global_id(0);
    float x = in[i];
    for (int k = 0; k < 64; k++) {
        x = x * 0.5f + in[k];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[i] = x;
}

kernel void repaired(global float *restrict out, global const float *restrict in)
{
    int i = get_global_id(0);
    float x = in[i];
    for (int k = 0; k < 64; k++)
        x = x * 0.5f + in[k];
    out[i] = x;
}
