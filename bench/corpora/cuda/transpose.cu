/* Transposition: naive, through a tile (conflicts), a padded tile, an exclusive-or swizzle; a template over types. */
#include "subset.h"

template <typename T> __global__ void transpose_naive(const T *in, T *out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height)
        out[x * height + y] = in[y * width + x];
}
template __global__ void transpose_naive<float>(const float *, float *, int, int);
template __global__ void transpose_naive<double>(const double *, double *, int, int);

template <int PAD, bool SWIZZLE> __global__ void transpose_tile(const float *in, float *out, int width, int height)
{
    __shared__ float tile[32][32 + PAD];
    int tx = threadIdx.x, x = blockIdx.x * 32 + tx, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) {
        int row = threadIdx.y + j;
        tile[row][SWIZZLE ? tx ^ row : tx] = in[(y + j) * width + x];
    }
    __syncthreads();
    x = blockIdx.y * 32 + tx;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) {
        int row = threadIdx.y + j;
        out[(y + j) * height + x] = tile[tx][SWIZZLE ? row ^ tx : row];
    }
}
template __global__ void transpose_tile<0, false>(const float *, float *, int, int);
template __global__ void transpose_tile<1, false>(const float *, float *, int, int);
template __global__ void transpose_tile<0, true>(const float *, float *, int, int);
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
