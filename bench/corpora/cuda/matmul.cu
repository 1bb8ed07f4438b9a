/* Matrix products: plain, tiled in shared memory with guards, and with a block of results per thread. */
#include "subset.h"

__global__ void matmul_plain(const float *a, const float *b, float *c, int n)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= n || col >= n)
        return;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + col];
    c[row * n + col] = sum;
}

template <int TILE> __global__ void __launch_bounds__(TILE *TILE) matmul_tiled(const float *a, const float *b, float *c, int n)
{
    __shared__ float as[TILE][TILE], bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    float sum = 0;
    for (int tile = 0; tile < (n + TILE - 1) / TILE; tile++) {
        int k = tile * TILE;
        as[ty][tx] = row < n && k + tx < n ? a[row * n + k + tx] : 0.0f;
        bs[ty][tx] = col < n && k + ty < n ? b[(k + ty) * n + col] : 0.0f;
        __syncthreads();
        for (int i = 0; i < TILE; i++)
            sum += as[ty][i] * bs[i][tx];
        __syncthreads();
    }
    if (row < n && col < n)
        c[row * n + col] = sum;
}
template __global__ void matmul_tiled<16>(const float *, const float *, float *, int);
template __global__ void matmul_tiled<32>(const float *, const float *, float *, int);

/* 64x64 results per block of 256 threads, 4x4 per thread, wide loads. n is a multiple of 64. */
__global__ void __launch_bounds__(256, 2) matmul_blocked(const float4 *a, const float4 *b, float4 *c, int n)
{
    __shared__ float4 as[16][16 + 1], bs[16][16];
    int t = threadIdx.x, tx = t & 15, ty = t >> 4, pitch = n / 4;
    float sum[4][4] = {};
    for (int k = 0; k < n; k += 16) {
        as[ty][tx] = a[(blockIdx.y * 16 + ty) * pitch + k / 4 + (tx & 3)];
        bs[ty][tx] = b[(k + ty) * pitch + blockIdx.x * 16 + tx];
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 16; i++) {
            const float *left = &as[i][ty].x;
            float4 right = bs[i][tx];
#pragma unroll
            for (int r = 0; r < 4; r++) {
                sum[r][0] += left[r] * right.x;
                sum[r][1] += left[r] * right.y;
                sum[r][2] += left[r] * right.z;
                sum[r][3] += left[r] * right.w;
            }
        }
        __syncthreads();
    }
    for (int r = 0; r < 4; r++)
        c[(blockIdx.y * 64 + ty * 4 + r) * pitch + blockIdx.x * 16 + tx] = make_float4(sum[r][0], sum[r][1], sum[r][2], sum[r][3]);
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
