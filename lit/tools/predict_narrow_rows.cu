// CUDA's sibling of predict_narrow_rows.cl.
// RUN: %gpuperf predict --device a100,rtx3080 --global 2048x2048 --local 8x32,32x8 --arg n=2048 %s | FileCheck %s
// CHECK-COUNT-2: {{(8x32|32x8) .* tied}}
__global__ void triangle(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= j)
        a[j * n + i] *= 1.0001f;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
