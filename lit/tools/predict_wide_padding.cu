// Rows whose elements ptxas reads four at a time are padded by four, or they could not be read so any more.
// RUN: %gpuperf predict --device rtx3090 --local 32x32 %s | FileCheck %s
// RUN: %gpuperf predict --device rtx3090 --local 32x32 %s -- -DPAD=4 | FileCheck %s --check-prefix=PADDED
// CHECK: passes per warp instead of 4
// CHECK-NEXT: pad the rows of 'right' by 4 elements, as many as are accessed at once
// PADDED-NOT: bank conflict
#ifndef PAD
#define PAD 0
#endif
extern "C" __global__ void multiply_transposed(const float *a, const float *b, float *c, int n)
{
    __shared__ float left[32][32], right[32][32 + PAD];
    int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 32 + ty, column = blockIdx.x * 32 + tx;
    float sum = 0;
    for (int t = 0; t < n / 32; t++) {
        left[ty][tx] = a[row * n + t * 32 + tx];
        right[ty][tx] = b[(blockIdx.x * 32 + ty) * n + t * 32 + tx];
        __syncthreads();
        for (int k = 0; k < 32; k++)
            sum += left[ty][k] * right[tx][k];
        __syncthreads();
    }
    c[row * n + column] = sum;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
