/* y = A x for a matrix of n columns, a thread for each row. */
__global__ void matvec(float *__restrict__ y, const float *__restrict__ a, const float *__restrict__ x, int rows, int n)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    float sum = 0.0f;
    for (int k = 0; k < n; k++)
        sum += a[row * n + k] * x[k];
    y[row] = sum;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
