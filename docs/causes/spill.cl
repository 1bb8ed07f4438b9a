// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A sum of a column per work-item: in its element of the output, which other pointers may point to, or in a variable. */
kernel void faulty(global float *out, global const float *in, int n)
{
    int i = get_global_id(0);
    out[i] = 0.0f;
    for (int k = 0; k < 64; k++)
        out[i] += in[k * n + i];
}

kernel void repaired(global float *out, global const float *in, int n)
{
    int i = get_global_id(0);
    float sum = 0.0f;
    for (int k = 0; k < 64; k++)
        sum += in[k * n + i];
    out[i] = sum;
}
