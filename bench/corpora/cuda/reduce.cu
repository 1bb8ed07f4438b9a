/* Sums: shuffles within a warp, shared memory between warps, a grid-stride loop before; and the tree in shared memory. */
#include "subset.h"

static __device__ float warp_sum(float value)
{
    for (int lanes = warpSize / 2; lanes > 0; lanes >>= 1)
        value += __shfl_down_sync(0xffffffffu, value, lanes);
    return value;
}

__global__ void sum_shuffle(const float *__restrict__ in, float *out, int n)
{
    __shared__ float partial[32];
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        sum += in[i];
    sum = warp_sum(sum);
    if (threadIdx.x % warpSize == 0)
        partial[threadIdx.x / warpSize] = sum;
    __syncthreads();
    if (threadIdx.x < warpSize) {
        sum = threadIdx.x < blockDim.x / warpSize ? partial[threadIdx.x] : 0.0f;
        sum = warp_sum(sum);
        if (threadIdx.x == 0)
            atomicAdd(out, sum);
    }
}

template <unsigned THREADS> __global__ void sum_tree(const float *in, float *out)
{
    __shared__ float buffer[THREADS];
    buffer[threadIdx.x] = in[blockIdx.x * THREADS + threadIdx.x];
    __syncthreads();
#pragma unroll 1
    for (unsigned stride = THREADS / 2; stride > 0; stride /= 2) {
        if (threadIdx.x < stride)
            buffer[threadIdx.x] += buffer[threadIdx.x + stride];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = buffer[0];
}
template __global__ void sum_tree<256>(const float *, float *);

/* The interleaved tree, with its divergence and bank conflicts. */
__global__ void sum_interleaved(const float *in, float *out)
{
    extern __shared__ float buffer[];
    unsigned t = threadIdx.x;
    buffer[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        unsigned at = 2 * stride * t;
        if (at < blockDim.x)
            buffer[at] += buffer[at + stride];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = buffer[0];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
