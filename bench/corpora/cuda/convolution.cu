/* Convolutions: weights in constant memory, rows through shared memory with halos, columns straight. */
#include "subset.h"

enum { RADIUS = 8 };
__constant__ float weights[2 * RADIUS + 1];

__global__ void rows(const float *in, float *out, int width, int pitch)
{
    extern __shared__ float line[];
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y, t = threadIdx.x;
    const float *row = in + y * pitch;
    line[t + RADIUS] = x < width ? row[x] : 0.0f;
    if (t < RADIUS) {
        line[t] = x >= RADIUS ? row[x - RADIUS] : 0.0f;
        line[t + RADIUS + blockDim.x] = x + (int)blockDim.x < width ? row[x + blockDim.x] : 0.0f;
    }
    __syncthreads();
    float sum = 0;
#pragma unroll
    for (int k = -RADIUS; k <= RADIUS; k++)
        sum += weights[k + RADIUS] * line[t + RADIUS + k];
    if (x < width)
        out[y * pitch + x] = sum;
}

__global__ void columns(const float *in, float *out, int width, int height, int pitch)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    float sum = 0;
    for (int k = -RADIUS; k <= RADIUS; k++) {
        int from = y + k;
        if (from >= 0 && from < height)
            sum += weights[k + RADIUS] * in[from * pitch + x];
    }
    out[y * pitch + x] = sum;
}

/* Each lane another weight: constant memory is read one address after the other. */
__global__ void scattered_weights(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i] * weights[i % (2 * RADIUS + 1)];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
