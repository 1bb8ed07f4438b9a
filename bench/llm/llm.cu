/*
 * Kernels of a language model's training that were measured in every group size and described elsewhere (see llm.sh), written after the descriptions: sums of columns, an activation, sums of two arrays,
 * embeddings, normalised rows, softmax. Macros: ROWS, the rows of a group of rows_normalised(); COLUMNS, its columns.
 */
#include <math.h>

/* ---- Sums of the columns of a matrix of `rows` rows ---- */

__device__ __forceinline__ float sum_of_warp(float x)
{
    for (int apart = 16; apart > 0; apart /= 2)
        x += __shfl_xor_sync(0xffffffffu, x, apart);
    return x;
}

/* A warp for each column, whose lanes are a row apart each. */
extern "C" __global__ void column_per_warp(float *sums, const float *from, int rows, int columns)
{
    int column = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (column >= columns)
        return;
    float sum = 0;
    for (int row = lane; row < rows; row += 32)
        sum += from[row * columns + column];
    sum = sum_of_warp(sum);
    if (lane == 0)
        sums[column] += sum;
}

/* ---- One number, or four, per work-item ---- */

extern "C" __global__ void gelu(float *to, const float *from, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float x = from[i];
    to[i] = 0.5f * x * (1.0f + tanhf(0.7978845608f * (x + 0.044715f * x * x * x)));
}

extern "C" __global__ void add(float *to, const float *a, const float *b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        to[i] = a[i] + b[i];
}

/* Rows of two tables, one chosen by a token and one by its position in a sequence of `length`. */
extern "C" __global__ void embed(float *to, const int *tokens, const float *words, const float *places, int count, int length, int columns)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count * columns)
        return;
    int token = i / columns, column = i % columns;
    to[i] = words[tokens[token] * columns + column] + places[token % length * columns + column];
}

extern "C" __global__ void embed_4(float *to, const int *tokens, const float *words, const float *places, int count, int length, int columns)
{
    int i = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    if (i >= count * columns)
        return;
    int token = i / columns, column = i % columns;
    float4 a = *(const float4 *)&words[tokens[token] * columns + column], b = *(const float4 *)&places[token % length * columns + column];
    *(float4 *)&to[i] = make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

/* ---- Rows ---- */

#ifdef ROWS
/* A warp for each row, which lies in local memory between its three passes; the group shares weights and biases. */
extern "C" __global__ void rows_normalised(float *__restrict__ to, const float *__restrict__ from, const float *__restrict__ weights, const float *__restrict__ biases, int rows)
{
    __shared__ float4 weight[COLUMNS / 4], bias[COLUMNS / 4], kept[ROWS][COLUMNS / 4];
    for (int i = threadIdx.y * 32 + threadIdx.x; i < COLUMNS / 4; i += 32 * ROWS) {
        weight[i] = ((const float4 *)weights)[i];
        bias[i] = ((const float4 *)biases)[i];
    }
    __syncthreads();
    int row = blockIdx.x * ROWS + threadIdx.y;
    if (row >= rows)
        return;
    const float4 *in = (const float4 *)(from + row * COLUMNS);
    float sum = 0, squares = 0;
    for (int i = threadIdx.x; i < COLUMNS / 4; i += 32) {
        float4 x = in[i];
        sum += x.x + x.y + x.z + x.w;
        kept[threadIdx.y][i] = x;
    }
    float mean = sum_of_warp(sum) / COLUMNS;
    for (int i = threadIdx.x; i < COLUMNS / 4; i += 32) {
        float4 x = kept[threadIdx.y][i];
        squares += (x.x - mean) * (x.x - mean) + (x.y - mean) * (x.y - mean) + (x.z - mean) * (x.z - mean) + (x.w - mean) * (x.w - mean);
    }
    float scale = rsqrtf(sum_of_warp(squares) / COLUMNS + 1e-5f);
    for (int i = threadIdx.x; i < COLUMNS / 4; i += 32) {
        float4 x = kept[threadIdx.y][i], w = weight[i], b = bias[i];
        ((float4 *)(to + row * COLUMNS))[i] = make_float4(scale * (x.x - mean) * w.x + b.x, scale * (x.y - mean) * w.y + b.y, scale * (x.z - mean) * w.z + b.z, scale * (x.w - mean) * w.w + b.w);
    }
}
#endif

/* A warp for each row: its largest number and the sum of the powers in one pass, the results in another. */
extern "C" __global__ void softmax(float *to, const float *from, int rows, int columns)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows)
        return;
    const float *in = from + (long)row * columns;
    float most = -INFINITY, sum = 0;
    for (int i = lane; i < columns; i += 32) {
        float x = in[i], larger = fmaxf(most, x);
        sum = sum * expf(most - larger) + expf(x - larger);
        most = larger;
    }
    for (int apart = 16; apart > 0; apart /= 2) {
        float other = __shfl_xor_sync(0xffffffffu, most, apart), larger = fmaxf(most, other);
        float others = __shfl_xor_sync(0xffffffffu, sum, apart);
        sum = sum * expf(most - larger) + others * expf(other - larger);
        most = larger;
    }
    float *out = to + (long)row * columns;
    for (int i = lane; i < columns; i += 32)
        out[i] = expf(in[i] - most) / sum;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
