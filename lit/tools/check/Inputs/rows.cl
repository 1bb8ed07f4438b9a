// Sums of a matrix's rows, a work-item each, and of its columns.


__kernel void row_sums(__global const float *m, __global float *sums, int n)
{
    int i = get_global_id(0);
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += m[i * n + k];
    sums[i] = sum;
}

__kernel void column_sums(__global const float *m, __global float *sums, int n)
{
    int i = get_global_id(0);
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += m[k * n + i];
    sums[i] = sum;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
