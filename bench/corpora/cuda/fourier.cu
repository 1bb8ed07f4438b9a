/* A radix-2 transform of 512 points in shared memory: bit-reversed start, butterflies in geometric steps. */
#include "subset.h"

__global__ void fourier512(float2 *data)
{
    __shared__ float2 work[512];
    int t = threadIdx.x;
    for (int half = 0; half < 2; half++) {
        unsigned i = t + half * 256;
        work[__brev(i) >> 23] = data[blockIdx.x * 512 + i];
    }
    for (int span = 1; span < 512; span <<= 1) {
        __syncthreads();
        int within = t & (span - 1), low = ((t - within) << 1) + within, high = low + span;
        float angle = -3.14159265f * within / span, c = __cosf(angle), s = __sinf(angle);
        float2 a = work[low], b = work[high];
        float2 turned = make_float2(b.x * c - b.y * s, b.x * s + b.y * c);
        __syncthreads();
        work[low] = make_float2(a.x + turned.x, a.y + turned.y);
        work[high] = make_float2(a.x - turned.x, a.y - turned.y);
    }
    __syncthreads();
    data[blockIdx.x * 512 + t] = work[t];
    data[blockIdx.x * 512 + t + 256] = work[t + 256];
}

__global__ void twiddles(float2 *table, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        table[i] = make_float2(cosf(6.2831853f * i / n), sinf(6.2831853f * i / n));
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
