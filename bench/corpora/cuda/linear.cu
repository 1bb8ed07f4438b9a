/* Linear algebra with triangular and down-counting loops: substitution, LU on a tile, a Cholesky column. */
#include "subset.h"

__global__ void lower_solve(const double *l, double *b, int n)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = 0; i < n; i++) {
        double sum = b[i * n + column];
        for (int k = 0; k < i; k++)
            sum -= l[i * n + k] * b[k * n + column];
        b[i * n + column] = sum / l[i * n + i];
    }
}

__global__ void upper_solve(const double *u, double *b, int n)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = n; i-- > 0;) {
        double sum = b[i * n + column];
        for (int k = n - 1; k > i; k--)
            sum -= u[i * n + k] * b[k * n + column];
        b[i * n + column] = sum / u[i * n + i];
    }
}

template <int SIZE> __global__ void lu_tile(float *a, int pitch)
{
    __shared__ float tile[SIZE][SIZE];
    int t = threadIdx.x;
    for (int i = 0; i < SIZE; i++)
        tile[i][t] = a[i * pitch + t];
    __syncthreads();
    for (int i = 0; i < SIZE - 1; i++) {
        if (t > i) {
            for (int j = 0; j < i; j++)
                tile[t][i] -= tile[t][j] * tile[j][i];
            tile[t][i] /= tile[i][i];
        }
        __syncthreads();
        if (t > i)
            for (int j = 0; j < i + 1; j++)
                tile[i + 1][t] -= tile[i + 1][j] * tile[j][t];
        __syncthreads();
    }
    for (int i = 1; i < SIZE; i++)
        a[i * pitch + t] = tile[i][t];
}
template __global__ void lu_tile<16>(float *, int);

__global__ void cholesky_column(double *a, int n, int k)
{
    int row = k + blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n)
        return;
    const double *left = a + (size_t)row * n, *top = a + (size_t)k * n, *end = left + k;
    double sum = left[k];
    while (left != end)
        sum -= *left++ * *top++;
    a[(size_t)row * n + k] = row == k ? sqrt(sum) : sum;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
