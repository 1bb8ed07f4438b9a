/* Stencils: a 7-point one in three dimensions that marches along z, and an iterated one with pointers that walk. */
#include "subset.h"

__global__ void stencil7(const float *__restrict__ in, float *__restrict__ out, int nx, int ny, int nz, float c0, float c1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y, plane = nx * ny;
    if (i < 1 || j < 1 || i >= nx - 1 || j >= ny - 1)
        return;
    const float *at = in + j * nx + i;
    float below = at[0], here = at[plane];
    float *to = out + j * nx + i + plane;
    at += plane;
    for (int k = 1; k < nz - 1; k++, at += plane, to += plane) {
        float above = at[plane];
        *to = c0 * here + c1 * (below + above + __ldg(at - 1) + __ldg(at + 1) + __ldg(at - nx) + __ldg(at + nx));
        below = here;
        here = above;
    }
}

template <int RADIUS> __global__ void smooth(const float *in, float *out, int n, int steps)
{
    extern __shared__ float line[];
    int t = threadIdx.x, width = blockDim.x + 2 * RADIUS, start = blockIdx.x * blockDim.x - RADIUS;
    float *from = line, *to = line + width;
    for (int i = t; i < width; i += blockDim.x) {
        int at = min(max(start + i, 0), n - 1);
        from[i] = in[at];
    }
    __syncthreads();
    while (steps-- > 0) {
        float sum = 0;
        for (int r = -RADIUS; r <= RADIUS; r++)
            sum += from[t + RADIUS + r];
        to[t + RADIUS] = sum / (2 * RADIUS + 1);
        __syncthreads();
        float *other = from;
        from = to;
        to = other;
    }
    if (start + RADIUS + t < n)
        out[start + RADIUS + t] = from[t + RADIUS];
}
template __global__ void smooth<3>(const float *, float *, int, int);
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
