/* What of OpenCL C the kernels use, for nvcc: one source serves both. */
#pragma once

#include <cuda_fp16.h>

#define __kernel extern "C" __global__
#define __global
#define __local __shared__
#define __constant __constant__
#define restrict __restrict__
#define CLK_LOCAL_MEM_FENCE 0
#define barrier(fence) __syncthreads()
#define atomic_add(address, value) atomicAdd(address, value)

typedef unsigned char uchar;
typedef unsigned int uint;

__device__ __forceinline__ int get_local_id(int d) { return d == 0 ? threadIdx.x : d == 1 ? threadIdx.y : threadIdx.z; }
__device__ __forceinline__ int get_group_id(int d) { return d == 0 ? blockIdx.x : d == 1 ? blockIdx.y : blockIdx.z; }

/* The addresses are multiples of 16 bytes wherever the kernels use these. */
__device__ __forceinline__ float4 vload4(size_t i, const float *from) { return reinterpret_cast<const float4 *>(from)[i]; }
__device__ __forceinline__ void vstore4(float4 value, size_t i, float *to) { reinterpret_cast<float4 *>(to)[i] = value; }

__device__ __forceinline__ float native_exp(float x) { return __expf(x); }
__device__ __forceinline__ float native_sin(float x) { return __sinf(x); }
__device__ __forceinline__ float native_cos(float x) { return __cosf(x); }
__device__ __forceinline__ float native_log(float x) { return __logf(x); }
__device__ __forceinline__ float native_sqrt(float x)
{
    float root;
    asm("sqrt.approx.f32 %0, %1;" : "=f"(root) : "f"(x));
    return root;
}
__device__ __forceinline__ uint mul_hi(uint a, uint b) { return __umulhi(a, b); }
__device__ __forceinline__ uint rotate(uint x, uint bits) { return __funnelshift_l(x, x, bits); }
__device__ __forceinline__ float vload_half(size_t i, const half *from) { return __half2float(from[i]); }
__device__ __forceinline__ void vstore_half(float value, size_t i, half *to) { to[i] = __float2half_rn(value); }

/* The addresses are multiples of 8 bytes. */
__device__ __forceinline__ float4 vloada_half4(size_t i, const half *from)
{
    const uint2 words = reinterpret_cast<const uint2 *>(from)[i];
    const float2 low = __half22float2(reinterpret_cast<const __half2 &>(words.x)), high = __half22float2(reinterpret_cast<const __half2 &>(words.y));
    return make_float4(low.x, low.y, high.x, high.y);
}
__device__ __forceinline__ void vstorea_half4(float4 value, size_t i, half *to)
{
    uint2 words;
    reinterpret_cast<__half2 &>(words.x) = __floats2half2_rn(value.x, value.y);
    reinterpret_cast<__half2 &>(words.y) = __floats2half2_rn(value.z, value.w);
    reinterpret_cast<uint2 *>(to)[i] = words;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
