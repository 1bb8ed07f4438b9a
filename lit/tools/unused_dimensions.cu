// As unused_dimensions.cl.
// RUN: %gpuperf predict --device a100 --local 64x1x1 %s | FileCheck %s

// CHECK: batched on a100
// CHECK-NEXT: launch     grid times block 1024x1x1024, n=1024, b=1024; all of it assumed
extern "C" __global__ void batched(const float *a, float *o, int n, int b)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, k = blockIdx.z;
    if (i < n && k < b)
        o[(size_t)k * n + i] = a[(size_t)k * n + i] * 2;
}

// CHECK: second on a100
// CHECK-NEXT: launch     grid times block 1x1048576, n=1048576; all of it assumed
extern "C" __global__ void second(const float *a, float *o, int n)
{
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < n)
        o[i] = a[i] * 2;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
