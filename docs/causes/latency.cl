// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A polynomial of 4096 terms per work-item: one chain, or four that do not depend on each other. */
kernel void faulty(global float *restrict out, global const float *restrict in)
{
    int i = get_global_id(0);
    float x = in[i], sum = 0.0f;
    for (int k = 0; k < 4096; k++)
        sum = sum * x + 0.25f;
    out[i] = sum;
}

kernel void repaired(global float *restrict out, global const float *restrict in)
{
    int i = get_global_id(0);
    float x = in[i], x2 = x * x, x4 = x2 * x2;
    float a = 0.0f, b = 0.0f, c = 0.0f, d = 0.0f;
    for (int k = 0; k < 1024; k++) {
        a = a * x4 + 0.25f;
        b = b * x4 + 0.25f;
        c = c * x4 + 0.25f;
        d = d * x4 + 0.25f;
    }
    out[i] = a + x * b + x2 * c + x2 * x * d;
}
