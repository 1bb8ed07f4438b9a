/* C = A * B for square matrices of n x n, one element of C per work-item. */
__kernel void matmul(__global const float *a, __global const float *b, __global float *c, int n)
{
    int column = get_global_id(0);
    int row = get_global_id(1);
    if (column >= n || row >= n)
        return;
    float sum = 0.0f;
    for (int k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
