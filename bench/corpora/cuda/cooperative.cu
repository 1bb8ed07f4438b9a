/* Groups of threads: barriers of a block and of parts of a warp. With CUDA's headers through cooperative groups. */
#include "subset.h"

#ifdef __CLANG_CUDA_RUNTIME_WRAPPER_H__
#include <cooperative_groups.h>
namespace groups = cooperative_groups;

__global__ void tiles(const float *in, float *out, int n)
{
    groups::thread_block block = groups::this_thread_block();
    groups::thread_block_tile<16> tile = groups::tiled_partition<16>(block);
    __shared__ float sums[64];
    unsigned i = block.group_index().x * block.size() + block.thread_rank();
    float value = i < n ? in[i] : 0.0f;
    for (int lanes = tile.size() / 2; lanes > 0; lanes /= 2)
        value += tile.shfl_down(value, lanes);
    if (tile.thread_rank() == 0)
        sums[block.thread_rank() / 16] = value;
    block.sync();
    if (block.thread_rank() < block.size() / 16)
        out[block.group_index().x * (block.size() / 16) + block.thread_rank()] = sums[block.thread_rank()];
}
#endif

__global__ void warps(const float *in, float *out, int n)
{
    __shared__ volatile float sums[256];
    unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    sums[t] = i < n ? in[i] : 0.0f;
    __syncwarp();
    for (unsigned lanes = 16; lanes > 0; lanes /= 2) {
        if ((t & 31) < lanes)
            sums[t] = sums[t] + sums[t + lanes];
        __syncwarp();
    }
    if ((t & 31) == 0)
        out[i / 32] = sums[t];
}

/* The last block adds up what the others left. */
__global__ void last_block(const float *in, float *partial, unsigned *arrived, float *out, int n)
{
    __shared__ float sums[256];
    __shared__ bool last;
    unsigned t = threadIdx.x;
    float sum = 0;
    for (unsigned i = blockIdx.x * 256 + t; i < n; i += gridDim.x * 256)
        sum += in[i];
    sums[t] = sum;
    for (unsigned half = 128; half > 0; half >>= 1) {
        __syncthreads();
        if (t < half)
            sums[t] += sums[t + half];
    }
    if (t == 0) {
        partial[blockIdx.x] = sums[0];
        __threadfence();
        last = atomicAdd(arrived, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && t == 0) {
        float whole = 0;
        for (unsigned b = 0; b < gridDim.x; b++)
            whole += partial[b];
        *out = whole;
    }
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
