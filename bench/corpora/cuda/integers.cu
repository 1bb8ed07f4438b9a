/* Integer work: bit counts, 24-bit and high products, division, 64-bit arithmetic, saturation, a hash with a switch. */
#include "subset.h"

__global__ void bits(const unsigned *in, int *out, int n)
{
    int i = __mul24(blockIdx.x, blockDim.x) + threadIdx.x;
    if (i < n)
        out[i] = __popc(in[i]) + __clz((int)in[i]) + __ffs((int)in[i]) + (int)__brev(in[i]);
}

__global__ void divisions(const int *in, long long *out, int n, int by)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int x = in[i];
    long long wide = (long long)x * by;
    out[i] = x / by + x % by + x / 10 + (unsigned)x % 48u + wide / (by + 1) + (long long)__umulhi((unsigned)x, (unsigned)by);
}

__global__ void clamp_bytes(const float4 *in, uchar4 *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float4 v = in[i];
    uchar4 r;
    r.x = (unsigned char)__float2int_rn(__saturatef(v.x) * 255.0f);
    r.y = (unsigned char)__float2int_rn(__saturatef(v.y) * 255.0f);
    r.z = (unsigned char)__float2int_rn(__saturatef(v.z) * 255.0f);
    r.w = (unsigned char)__float2int_rn(__saturatef(v.w) * 255.0f);
    out[i] = r;
}

__global__ void modes(const int *mode, const float *in, float *out, int n, int choice)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v = in[i];
    switch (choice) { /* the same for all */
    case 0: v = v + 1; break;
    case 1: v = v * v; break;
    case 2: v = sqrtf(v); break;
    case 5: v = expf(v); break;
    default: v = 0;
    }
    switch (mode[i] & 3) { /* differs from lane to lane */
    case 0: v = sinf(v); break;
    case 1: v = logf(v); break;
    case 2: v = powf(v, 1.5f);
    }
    out[i] = v;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
