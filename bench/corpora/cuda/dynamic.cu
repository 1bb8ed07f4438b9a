/* Several arrays out of one block of dynamic shared memory; pointers chosen at run time; spilled private arrays. */
#include "subset.h"

__global__ void two_arrays(const float *in, float *out, int n)
{
    extern __shared__ float whole[];
    float *values = whole;
    int *order = (int *)(whole + blockDim.x);
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    values[t] = i < n ? in[i] : 0.0f;
    order[t] = (t * 7) & (blockDim.x - 1);
    __syncthreads();
    if (i < n)
        out[i] = values[order[t]];
}

__global__ void choose(const float *a, const float *b, float *out, int which, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float *uniform = which ? a : b, *varying = i & 1 ? a : b;
    if (i < n)
        out[i] = uniform[i] + varying[i / 2];
}

__global__ void nearest(const float2 *points, const float2 *queries, int *out, int n, int count)
{
    int q = blockIdx.x * blockDim.x + threadIdx.x;
    float best[8];
    int index[8];
    for (int k = 0; k < 8; k++) {
        best[k] = 1e30f;
        index[k] = -1;
    }
    float2 at = queries[q];
    for (int p = 0; p < n; p++) {
        float dx = points[p].x - at.x, dy = points[p].y - at.y, d = dx * dx + dy * dy;
        if (d >= best[7])
            continue;
        int slot = 7;
        while (slot > 0 && best[slot - 1] > d) {
            best[slot] = best[slot - 1];
            index[slot] = index[slot - 1];
            slot--;
        }
        best[slot] = d;
        index[slot] = p;
    }
    for (int k = 0; k < count; k++)
        out[q * count + k] = index[k & 7];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
