// What CUDA's users read of sizes is told of blocks.
// RUN: %gpuperf predict --device a100 %s | FileCheck %s --implicit-check-not=local\ size
// CHECK: note       it uses threadIdx.x: results may differ between block sizes; with --groups each has as many blocks
__global__ void tree(const float *in, float *out)
{
    __shared__ float part[1024];
    int lane = threadIdx.x;
    part[lane] = in[blockIdx.x * blockDim.x + lane];
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s /= 2) {
        if (lane < s)
            part[lane] += part[lane + s];
        __syncthreads();
    }
    if (lane == 0)
        out[blockIdx.x] = part[0];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
