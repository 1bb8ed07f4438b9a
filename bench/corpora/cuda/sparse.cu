/* Sparse matrix times vector: a thread per row, a warp per row, and ELLPACK. */
#include "subset.h"

__global__ void csr_scalar(const int *rows, const int *columns, const float *values, const float *x, float *y, int n)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n)
        return;
    float sum = 0;
    for (int k = rows[row]; k < rows[row + 1]; k++)
        sum += values[k] * __ldg(&x[columns[k]]);
    y[row] = sum;
}

__global__ void csr_vector(const int *rows, const int *columns, const float *values, const float *x, float *y, int n)
{
    int lane = threadIdx.x & 31, row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (row >= n)
        return;
    float sum = 0;
    int end = rows[row + 1];
    for (int k = rows[row] + lane; k < end; k += 32)
        sum += values[k] * x[columns[k]];
    for (int lanes = 16; lanes > 0; lanes >>= 1)
        sum += __shfl_xor_sync(0xffffffffu, sum, lanes);
    if (lane == 0)
        y[row] = sum;
}

__global__ void ellpack(const int *columns, const float *values, const float *x, float *y, int n, int width, int pitch)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n)
        return;
    float sum = 0;
    for (int k = 0; k < width; k++) {
        int column = columns[k * pitch + row];
        if (column >= 0)
            sum += values[k * pitch + row] * x[column];
    }
    y[row] = sum;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
