// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A sparse matrix times a vector, a row per work-item: which elements of x are read, and how many, stands in memory. */
kernel void spmv(global float *restrict y, global const float *restrict value, global const int *restrict column,
                 global const int *restrict first, global const float *restrict x)
{
    int row = get_global_id(0);
    float sum = 0.0f;
    for (int k = first[row]; k < first[row + 1]; k++)
        sum += value[k] * x[column[k]];
    y[row] = sum;
}
