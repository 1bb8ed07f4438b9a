/* y = A x for a matrix of n columns, a warp for each row. */
__global__ void matvec(float *__restrict__ y, const float *__restrict__ a, const float *__restrict__ x, int rows, int n)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows)
        return;
    float sum = 0.0f;
    for (int k = lane; k < n; k += 32)
        sum += a[row * n + k] * x[k];
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, step);
    if (lane == 0)
        y[row] = sum;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
