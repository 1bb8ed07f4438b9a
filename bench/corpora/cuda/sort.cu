/* Bitonic sort, in shared memory and one step in global memory; a radix count. */
#include "subset.h"

static __device__ void order(int &a, int &b, bool up)
{
    if ((a > b) == up) {
        int old = a;
        a = b;
        b = old;
    }
}

__global__ void bitonic_block(int *data)
{
    extern __shared__ int keys[];
    unsigned t = threadIdx.x, n = 2 * blockDim.x;
    keys[t] = data[blockIdx.x * n + t];
    keys[t + blockDim.x] = data[blockIdx.x * n + t + blockDim.x];
    for (unsigned size = 2; size <= n; size <<= 1)
        for (unsigned stride = size >> 1; stride > 0; stride >>= 1) {
            __syncthreads();
            unsigned low = 2 * t - (t & (stride - 1));
            order(keys[low], keys[low + stride], (low & size) == 0);
        }
    __syncthreads();
    data[blockIdx.x * n + t] = keys[t];
    data[blockIdx.x * n + t + blockDim.x] = keys[t + blockDim.x];
}

__global__ void bitonic_step(int *data, int j, int k)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, partner = i ^ j;
    if (partner > i) {
        int a = data[i], b = data[partner];
        order(a, b, (i & k) == 0);
        data[i] = a;
        data[partner] = b;
    }
}

__global__ void radix_count(const unsigned *keys, unsigned *counts, int n, int shift)
{
    __shared__ unsigned local[16];
    if (threadIdx.x < 16)
        local[threadIdx.x] = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned digit = i < n ? keys[i] >> shift & 15 : 0;
    for (unsigned d = 0; d < 16; d++) {
        unsigned votes = __ballot_sync(0xffffffffu, i < n && digit == d);
        if ((threadIdx.x & 31) == 0)
            atomicAdd(&local[d], (unsigned)__popc(votes));
    }
    __syncthreads();
    if (threadIdx.x < 16)
        counts[threadIdx.x * gridDim.x + blockIdx.x] = local[threadIdx.x];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
