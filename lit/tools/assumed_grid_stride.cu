// The same in CUDA.
// RUN: %gpuperf predict --device a100 --local 256 %s | FileCheck %s

// CHECK: for_unsigned on
// CHECK-NEXT: grid times block 1048576, n=16777216
__global__ void for_unsigned(const float *in, float *out, unsigned n)
{
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        out[i] = in[i] * 2;
}

// As PyTorch's loops: a wide counter beside the one that indexes.
// CHECK: two_counters on
// CHECK-NEXT: grid times block 1048576, n=16777216
__global__ void two_counters(const float *in, float *out, int n)
{
    long wide = (long)blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = wide; wide < n; wide += blockDim.x * gridDim.x, i = wide)
        out[i] = in[i] * 2;
}

// As a reduction that adds two while it loads: 16 pairs.
// CHECK: pairs on
// CHECK-NEXT: grid times block 1048576, n=33554432
__global__ void pairs(const float *in, float *out, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x * 2 + threadIdx.x, step = blockDim.x * 2 * gridDim.x;
    float sum = 0;
    while (i < n) {
        sum += in[i];
        if (i + blockDim.x < n)
            sum += in[i + blockDim.x];
        i += step;
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
