// CUDA's grids are of whole blocks: those at the end of a range have all their threads, whatever these do.
// RUN: %gpuperf predict --device a100 --local 512,768 %s | FileCheck %s
// CHECK: all on
// CHECK: launch     grid times block 1024x1024
// CHECK: {{^ +}}512x1 {{.*}} best
// CHECK-NOT: tied
// Where a guard leaves those beyond the range nothing to do they are as many as there are, also if nobody states what it compares with.
// CHECK: guarded on
// CHECK: launch     grid times block 1024x1024, n=1048576
// CHECK: {{^ +}}512x1 {{.*}} best
// CHECK: {{^ +}}768x1 {{.*}} tied
#include <cuda_runtime.h>

__global__ void all(float a, const float *x, float *y)
{
    int i = (blockIdx.x + blockIdx.y * gridDim.x) * blockDim.x + threadIdx.x;
    y[i] += a * x[i];
}

__global__ void guarded(int n, float a, const float *x, float *y)
{
    int i = (blockIdx.x + blockIdx.y * gridDim.x) * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] += a * x[i];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
