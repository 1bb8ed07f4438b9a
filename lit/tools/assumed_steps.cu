// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// As assumed_steps.cl.
// RUN: %gpuperf predict --device a100 --local 256 %s | FileCheck %s --implicit-check-not="never ends"

// CHECK: multiplied on
// CHECK-NEXT: grid times block 1048576, n=1024, s=2;
__global__ void multiplied(float *a, int n, int s)
{
    float sum = 0;
    for (int i = 1; i < n; i *= s)
        sum += a[i * 7 + threadIdx.x];
    a[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// CHECK: lanes on
// CHECK-NEXT: grid times block 1048576, n=1024, s=1;
__global__ void lanes(float *a, int n, int s)
{
    float sum = 0;
    for (int c = threadIdx.x * s; c < n; c += blockDim.x * s)
        sum += a[c];
    a[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// CHECK: counted on
// CHECK-NEXT: grid times block 1048576, n=16777216, nthreads=1048576;
__global__ void counted(float *a, int n, int nthreads)
{
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += nthreads)
        sum += a[i];
    a[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
