/* Texture and surface objects, with CUDA's headers; without them the same as plain loads. */
#include "subset.h"

#ifdef __CLANG_CUDA_RUNTIME_WRAPPER_H__
__global__ void rotate(cudaTextureObject_t image, float *out, int width, int height, float c, float s)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) {
        float u = (x - width / 2) * c - (y - height / 2) * s, v = (x - width / 2) * s + (y - height / 2) * c;
        out[y * width + x] = tex2D<float>(image, u + width / 2 + 0.5f, v + height / 2 + 0.5f);
    }
}

__global__ void blur(cudaTextureObject_t image, float4 *out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    float4 sum = make_float4(0, 0, 0, 0);
    for (int j = -2; j <= 2; j++)
        for (int i = -2; i <= 2; i++) {
            float4 v = tex2D<float4>(image, x + i + 0.5f, y + j + 0.5f);
            sum.x += v.x;
            sum.y += v.y;
            sum.z += v.z;
            sum.w += v.w;
        }
    out[y * width + x] = sum;
}

__global__ void gather(cudaTextureObject_t line, const int *index, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = tex1Dfetch<float>(line, index[i]);
}

__global__ void invert(cudaSurfaceObject_t in, cudaSurfaceObject_t out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) {
        float4 v;
        surf2Dread(&v, in, x * (int)sizeof v, y);
        surf2Dwrite(make_float4(1 - v.x, 1 - v.y, 1 - v.z, v.w), out, x * (int)sizeof v, y);
    }
}

__global__ void reduce_image(cudaTextureObject_t image, cudaSurfaceObject_t half, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) {
        float4 four = tex2Dgather<float4>(image, 2 * x + 1.0f, 2 * y + 1.0f, 0);
        surf2Dwrite((four.x + four.y + four.z + four.w) / 4, half, x * (int)sizeof(float), y);
    }
}
#else
__global__ void gather(const float *line, const int *index, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = __ldg(&line[index[i]]);
}
#endif
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
