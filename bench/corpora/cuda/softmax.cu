/* A warp per row: maximum and sum by butterfly shuffles, for rows of a fixed and of any width; layer normalisation. */
#include "subset.h"

static __device__ float all_max(float v)
{
    for (int lanes = 16; lanes > 0; lanes /= 2)
        v = fmaxf(v, __shfl_xor_sync(0xffffffffu, v, lanes));
    return v;
}

static __device__ float all_sum(float v)
{
    for (int lanes = 16; lanes > 0; lanes /= 2)
        v += __shfl_xor_sync(0xffffffffu, v, lanes);
    return v;
}

template <int WIDTH> __global__ void softmax_fixed(const float *in, float *out, int rows)
{
    int row = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
    if (row >= rows)
        return;
    float value[WIDTH / 32], most = -1e30f, sum = 0;
    for (int i = 0; i < WIDTH / 32; i++)
        most = fmaxf(most, value[i] = in[row * WIDTH + i * 32 + lane]);
    most = all_max(most);
    for (int i = 0; i < WIDTH / 32; i++)
        sum += value[i] = expf(value[i] - most);
    sum = all_sum(sum);
    for (int i = 0; i < WIDTH / 32; i++)
        out[row * WIDTH + i * 32 + lane] = value[i] / sum;
}
template __global__ void softmax_fixed<256>(const float *, float *, int);
template __global__ void softmax_fixed<1024>(const float *, float *, int);

__global__ void softmax_any(const float *in, float *out, int rows, int width)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) >> 5, lane = threadIdx.x & 31;
    if (row >= rows)
        return;
    float most = -1e30f, sum = 0;
    for (int i = lane; i < width; i += 32) {
        float v = in[row * width + i], old = most;
        most = fmaxf(most, v);
        sum = sum * __expf(old - most) + __expf(v - most);
    }
    float whole = all_max(most);
    sum = all_sum(sum * __expf(most - whole));
    for (int i = lane; i < width; i += 32)
        out[row * width + i] = __expf(in[row * width + i] - whole) / sum;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
