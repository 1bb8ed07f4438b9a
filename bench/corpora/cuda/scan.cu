/* Prefix sums: Hillis and Steele's with two buffers, Blelloch's up and down sweep, and one per warp with shuffles. */
#include "subset.h"

__global__ void scan_double_buffer(const int *in, int *out, int n)
{
    extern __shared__ int both[];
    int *from = both, *to = both + blockDim.x, t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    from[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int offset = 1; offset < (int)blockDim.x; offset <<= 1) {
        to[t] = t >= offset ? from[t] + from[t - offset] : from[t];
        __syncthreads();
        int *other = from;
        from = to;
        to = other;
    }
    if (i < n)
        out[i] = from[t];
}

__global__ void scan_sweeps(int *data, int *sums)
{
    extern __shared__ int tree[];
    int t = threadIdx.x, n = 2 * blockDim.x, offset = 1;
    tree[2 * t] = data[blockIdx.x * n + 2 * t];
    tree[2 * t + 1] = data[blockIdx.x * n + 2 * t + 1];
    for (int d = n >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d) {
            int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1;
            tree[b] += tree[a];
        }
        offset *= 2;
    }
    if (t == 0) {
        sums[blockIdx.x] = tree[n - 1];
        tree[n - 1] = 0;
    }
    for (int d = 1; d < n; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (t < d) {
            int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1, old = tree[a];
            tree[a] = tree[b];
            tree[b] += old;
        }
    }
    __syncthreads();
    data[blockIdx.x * n + 2 * t] = tree[2 * t];
    data[blockIdx.x * n + 2 * t + 1] = tree[2 * t + 1];
}

__global__ void scan_warps(int *data)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31, value = data[i];
#pragma unroll
    for (int offset = 1; offset < 32; offset *= 2) {
        int other = __shfl_up_sync(0xffffffffu, value, offset);
        if (lane >= offset)
            value += other;
    }
    data[i] = value;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
