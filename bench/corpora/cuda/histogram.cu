/* Histograms: atomics in shared memory and then in global memory; one table per warp. */
#include "subset.h"

template <int BINS> __global__ void histogram_shared(const unsigned char *in, unsigned *bins, int n)
{
    __shared__ unsigned local[BINS];
    for (int b = threadIdx.x; b < BINS; b += blockDim.x)
        local[b] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&local[in[i] % BINS], 1u);
    __syncthreads();
    for (int b = threadIdx.x; b < BINS; b += blockDim.x)
        atomicAdd(&bins[b], local[b]);
}
template __global__ void histogram_shared<256>(const unsigned char *, unsigned *, int);
template __global__ void histogram_shared<64>(const unsigned char *, unsigned *, int);

__global__ void histogram_warps(const uchar4 *in, unsigned *partial, int n)
{
    __shared__ unsigned char counts[64 * 64];
    int t = threadIdx.x;
    for (int i = 0; i < 64; i++)
        counts[t + i * 64] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 64 + t; i < n; i += gridDim.x * 64) {
        uchar4 v = in[i];
        counts[t + (v.x >> 2) * 64]++;
        counts[t + (v.y >> 2) * 64]++;
        counts[t + (v.z >> 2) * 64]++;
        counts[t + (v.w >> 2) * 64]++;
    }
    __syncthreads();
    unsigned sum = 0;
    for (int i = 0; i < 64; i++)
        sum += counts[t * 64 + ((i + t) & 63)];
    partial[blockIdx.x * 64 + t] = sum;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
