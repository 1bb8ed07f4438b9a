/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What these kernels need of CUDA's headers, so that they compile without a toolkit, and as HIP for other targets. With a
 * toolkit (clang has then included its own wrapper of CUDA's headers) nothing of this is used.
 */
#pragma once
#ifndef __CLANG_CUDA_RUNTIME_WRAPPER_H__
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define DEVICE static __device__ __forceinline__

typedef __SIZE_TYPE__ size_t;
struct uint3 { unsigned x, y, z; };
struct alignas(8) float2 { float x, y; };
struct float3 { float x, y, z; };
struct alignas(16) float4 { float x, y, z, w; };
struct alignas(8) int2 { int x, y; };
struct alignas(16) int4 { int x, y, z, w; };
struct alignas(4) uchar4 { unsigned char x, y, z, w; };
DEVICE float2 make_float2(float x, float y) { return {x, y}; }
DEVICE float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }

/* ---- Ids, barriers, exchanges: per target ---- */
#if defined(__NVPTX__)
DEVICE uint3 subset_thread() { return {(unsigned)__nvvm_read_ptx_sreg_tid_x(), (unsigned)__nvvm_read_ptx_sreg_tid_y(), (unsigned)__nvvm_read_ptx_sreg_tid_z()}; }
DEVICE uint3 subset_block() { return {(unsigned)__nvvm_read_ptx_sreg_ctaid_x(), (unsigned)__nvvm_read_ptx_sreg_ctaid_y(), (unsigned)__nvvm_read_ptx_sreg_ctaid_z()}; }
DEVICE uint3 subset_dim() { return {(unsigned)__nvvm_read_ptx_sreg_ntid_x(), (unsigned)__nvvm_read_ptx_sreg_ntid_y(), (unsigned)__nvvm_read_ptx_sreg_ntid_z()}; }
DEVICE uint3 subset_grid() { return {(unsigned)__nvvm_read_ptx_sreg_nctaid_x(), (unsigned)__nvvm_read_ptx_sreg_nctaid_y(), (unsigned)__nvvm_read_ptx_sreg_nctaid_z()}; }
DEVICE void __syncwarp(unsigned mask = ~0u) { __nvvm_bar_warp_sync(mask); }
DEVICE void __threadfence() { __nvvm_membar_gl(); }
DEVICE int subset_xor(int v, int lanes) { return __nvvm_shfl_sync_bfly_i32(~0u, v, lanes, 31); }
DEVICE int subset_down(int v, int lanes) { return __nvvm_shfl_sync_down_i32(~0u, v, lanes, 31); }
DEVICE int subset_up(int v, int lanes) { return __nvvm_shfl_sync_up_i32(~0u, v, lanes, 0); }
DEVICE int subset_from(int v, int lane) { return __nvvm_shfl_sync_idx_i32(~0u, v, lane, 31); }
DEVICE unsigned __ballot_sync(unsigned mask, int p) { return __nvvm_vote_ballot_sync(mask, p); }
DEVICE float __ldg(const float *p) { return __nvvm_ldg_f(p); }
DEVICE int __ldg(const int *p) { return __nvvm_ldg_i(p); }
#elif defined(__AMDGCN__)
DEVICE uint3 subset_thread() { return {__builtin_amdgcn_workitem_id_x(), __builtin_amdgcn_workitem_id_y(), __builtin_amdgcn_workitem_id_z()}; }
DEVICE uint3 subset_block() { return {__builtin_amdgcn_workgroup_id_x(), __builtin_amdgcn_workgroup_id_y(), __builtin_amdgcn_workgroup_id_z()}; }
DEVICE uint3 subset_dim() { return {__builtin_amdgcn_workgroup_size_x(), __builtin_amdgcn_workgroup_size_y(), __builtin_amdgcn_workgroup_size_z()}; }
DEVICE uint3 subset_grid()
{
    uint3 dim = subset_dim();
    return {__builtin_amdgcn_grid_size_x() / dim.x, __builtin_amdgcn_grid_size_y() / dim.y, __builtin_amdgcn_grid_size_z() / dim.z};
}
DEVICE void __syncthreads() { __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup"); __builtin_amdgcn_s_barrier(); }
DEVICE void __syncwarp(unsigned = ~0u) { __builtin_amdgcn_wave_barrier(); }
DEVICE void __threadfence() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent"); }
DEVICE int subset_lane() { return __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0)); }
DEVICE int subset_xor(int v, int lanes) { return __builtin_amdgcn_ds_bpermute((subset_lane() ^ lanes) << 2, v); }
DEVICE int subset_down(int v, int lanes) { return __builtin_amdgcn_ds_bpermute((subset_lane() + lanes) << 2, v); }
DEVICE int subset_up(int v, int lanes) { return __builtin_amdgcn_ds_bpermute((subset_lane() - lanes) << 2, v); }
DEVICE int subset_from(int v, int lane) { return __builtin_amdgcn_ds_bpermute(lane << 2, v); }
DEVICE unsigned __ballot_sync(unsigned, int p) { return (unsigned)__builtin_amdgcn_ballot_w64(p); }
template <class T> DEVICE T __ldg(const T *p) { return *p; }
#else /* SPIR-V: OpenCL's functions by their names */
__device__ size_t get_local_id(unsigned);
__device__ size_t get_group_id(unsigned);
__device__ size_t get_local_size(unsigned);
__device__ size_t get_num_groups(unsigned);
__device__ void barrier(unsigned) __attribute__((convergent));
__device__ void mem_fence(unsigned);
__device__ int sub_group_shuffle_xor(int, unsigned) __attribute__((convergent));
__device__ int sub_group_shuffle_down(int, unsigned) __attribute__((convergent));
__device__ int sub_group_shuffle_up(int, unsigned) __attribute__((convergent));
__device__ int sub_group_shuffle(int, unsigned) __attribute__((convergent));
__device__ unsigned sub_group_ballot(int) __attribute__((convergent));
#define SUBSET_IDS(name, get) DEVICE uint3 name() { return {(unsigned)get(0), (unsigned)get(1), (unsigned)get(2)}; }
SUBSET_IDS(subset_thread, get_local_id)
SUBSET_IDS(subset_block, get_group_id)
SUBSET_IDS(subset_dim, get_local_size)
SUBSET_IDS(subset_grid, get_num_groups)
DEVICE void __syncthreads() { barrier(1); }
DEVICE void __syncwarp(unsigned = ~0u) {}
DEVICE void __threadfence() { mem_fence(2); }
DEVICE int subset_xor(int v, int lanes) { return sub_group_shuffle_xor(v, lanes); }
DEVICE int subset_down(int v, int lanes) { return sub_group_shuffle_down(v, lanes); }
DEVICE int subset_up(int v, int lanes) { return sub_group_shuffle_up(v, lanes); }
DEVICE int subset_from(int v, int lane) { return sub_group_shuffle(v, lane); }
DEVICE unsigned __ballot_sync(unsigned, int p) { return sub_group_ballot(p); }
template <class T> DEVICE T __ldg(const T *p) { return *p; }
#endif
#define threadIdx (subset_thread())
#define blockIdx (subset_block())
#define blockDim (subset_dim())
#define gridDim (subset_grid())
#define warpSize 32

#define SUBSET_SHUFFLE(name, does)                                                                                    \
    DEVICE int name(unsigned, int v, int n, int = 32) { return does(v, n); }                                          \
    DEVICE unsigned name(unsigned, unsigned v, int n, int = 32) { return (unsigned)does((int)v, n); }                 \
    DEVICE float name(unsigned, float v, int n, int = 32)                                                             \
    {                                                                                                                 \
        return __builtin_bit_cast(float, does(__builtin_bit_cast(int, v), n));                                        \
    }
SUBSET_SHUFFLE(__shfl_xor_sync, subset_xor)
SUBSET_SHUFFLE(__shfl_down_sync, subset_down)
SUBSET_SHUFFLE(__shfl_up_sync, subset_up)
SUBSET_SHUFFLE(__shfl_sync, subset_from)
DEVICE int __any_sync(unsigned mask, int p) { return __ballot_sync(mask, p) != 0; }

/* ---- Atomics ---- */
template <class T> DEVICE T atomicAdd(T *p, T v) { return __atomic_fetch_add(p, v, __ATOMIC_RELAXED); }
template <class T> DEVICE T atomicMin(T *p, T v) { return __atomic_fetch_min(p, v, __ATOMIC_RELAXED); }
template <class T> DEVICE T atomicMax(T *p, T v) { return __atomic_fetch_max(p, v, __ATOMIC_RELAXED); }
template <class T> DEVICE T atomicExch(T *p, T v) { return __atomic_exchange_n(p, v, __ATOMIC_RELAXED); }
template <class T> DEVICE T atomicCAS(T *p, T expected, T v)
{
    __atomic_compare_exchange_n(p, &expected, v, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    return expected;
}

/* ---- Mathematics ---- */
#define SUBSET_UNARY(name) DEVICE float name(float x) { return __builtin_##name(x); }
#define SUBSET_BINARY(name) DEVICE float name(float x, float y) { return __builtin_##name(x, y); }
SUBSET_UNARY(sqrtf) SUBSET_UNARY(fabsf) SUBSET_UNARY(floorf) SUBSET_UNARY(ceilf) SUBSET_UNARY(expf) SUBSET_UNARY(logf)
SUBSET_UNARY(sinf) SUBSET_UNARY(cosf) SUBSET_BINARY(fminf) SUBSET_BINARY(fmaxf) SUBSET_BINARY(powf)
DEVICE double fabs(double x) { return __builtin_fabs(x); }
DEVICE double fmax(double x, double y) { return __builtin_fmax(x, y); }
DEVICE double sqrt(double x) { return __builtin_sqrt(x); }
DEVICE double exp(double x) { return __builtin_exp(x); }
DEVICE float fmaf(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
DEVICE float rsqrtf(float x) { return 1.0f / sqrtf(x); }
DEVICE float __expf(float x) { return expf(x); }
DEVICE float __logf(float x) { return logf(x); }
DEVICE float __sinf(float x) { return sinf(x); }
DEVICE float __cosf(float x) { return cosf(x); }
DEVICE float __fdividef(float x, float y) { return x / y; }
DEVICE float __saturatef(float x) { return fminf(fmaxf(x, 0.0f), 1.0f); }
DEVICE int __float2int_rn(float x) { return (int)__builtin_rintf(x); }
DEVICE int __popc(unsigned x) { return __builtin_popcount(x); }
DEVICE int __clz(int x) { return x ? __builtin_clz((unsigned)x) : 32; }
DEVICE int __ffs(int x) { return x ? __builtin_ctz((unsigned)x) + 1 : 0; }
DEVICE unsigned __brev(unsigned x) { return __builtin_bitreverse32(x); }
DEVICE int __mul24(int x, int y) { return x * y; }
DEVICE unsigned __umulhi(unsigned x, unsigned y) { return (unsigned)((unsigned long long)x * y >> 32); }
template <class T> DEVICE T min(T a, T b) { return b < a ? b : a; }
template <class T> DEVICE T max(T a, T b) { return a < b ? b : a; }
#endif
