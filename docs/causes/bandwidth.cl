// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A weighted sum of two arrays: kept as floats, or as halves that are widened to compute. */
kernel void faulty(global float *restrict out, global const float *restrict a, global const float *restrict b)
{
    int i = get_global_id(0);
    out[i] = 0.75f * a[i] + 0.25f * b[i];
}

kernel void repaired(global half *restrict out, global const half *restrict a, global const half *restrict b)
{
    int i = get_global_id(0);
    vstore_half(0.75f * vload_half(i, a) + 0.25f * vload_half(i, b), i, out);
}
