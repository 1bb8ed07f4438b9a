/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The indices are OpenCL's functions, which the passes know by name on every target. Of ROCm's functions of devices
 * what is an instruction or two is written out; the mathematical functions stay calls of AMD's library (__ocml_...),
 * which the passes know, too.
 */
#define HIP_DYNAMIC_SHARED(type, variable) extern __shared__ type variable[];
#define GPUPERF_DEVICE static __device__ __forceinline__ __attribute__((nodebug))
#define GPUPERF_ASKED(name, called) extern "C" __device__ __attribute__((const)) size_t gpuperf_##name(unsigned) \
    __asm__(called);
GPUPERF_ASKED(local_id, "_Z12get_local_idj") GPUPERF_ASKED(group_id, "_Z12get_group_idj")
GPUPERF_ASKED(local_size, "_Z14get_local_sizej") GPUPERF_ASKED(num_groups, "_Z14get_num_groupsj")
#define GPUPERF_INDEX(name, asked) struct gpuperf_of_##name { \
    __declspec(property(get = get_x)) unsigned x; __declspec(property(get = get_y)) unsigned y; \
    __declspec(property(get = get_z)) unsigned z; \
    GPUPERF_DEVICE unsigned get_x() { return (unsigned)asked(0); } GPUPERF_DEVICE unsigned get_y() { return \
    (unsigned)asked(1); } \
    GPUPERF_DEVICE unsigned get_z() { return (unsigned)asked(2); } __device__ operator dim3() const { return \
    dim3(get_x(), get_y(), get_z()); } }; \
    extern const __device__ __attribute__((weak)) gpuperf_of_##name name;
GPUPERF_INDEX(threadIdx, gpuperf_local_id) GPUPERF_INDEX(blockIdx, gpuperf_group_id)
GPUPERF_INDEX(blockDim, gpuperf_local_size) GPUPERF_INDEX(gridDim, gpuperf_num_groups)
#define hipThreadIdx_x threadIdx.x
#define hipThreadIdx_y threadIdx.y
#define hipThreadIdx_z threadIdx.z
#define hipBlockIdx_x blockIdx.x
#define hipBlockIdx_y blockIdx.y
#define hipBlockIdx_z blockIdx.z
#define hipBlockDim_x blockDim.x
#define hipBlockDim_y blockDim.y
#define hipBlockDim_z blockDim.z
#define hipGridDim_x gridDim.x
#define hipGridDim_y gridDim.y
#define hipGridDim_z gridDim.z
#define warpSize __builtin_amdgcn_wavefrontsize()
GPUPERF_DEVICE void __syncthreads() { __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier(); __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup"); }
GPUPERF_DEVICE void __threadfence() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent"); }
GPUPERF_DEVICE void __threadfence_block() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup"); }
#define GPUPERF_ATOMIC(name, called) template <class T> GPUPERF_DEVICE T name(T *p, T v) { return called(p, v, \
    __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT); }
GPUPERF_ATOMIC(atomicAdd, __hip_atomic_fetch_add) GPUPERF_ATOMIC(atomicMin, __hip_atomic_fetch_min)
    GPUPERF_ATOMIC(atomicMax, __hip_atomic_fetch_max)
GPUPERF_ATOMIC(atomicAnd, __hip_atomic_fetch_and) GPUPERF_ATOMIC(atomicOr, __hip_atomic_fetch_or)
    GPUPERF_ATOMIC(atomicXor, __hip_atomic_fetch_xor) GPUPERF_ATOMIC(atomicExch, __hip_atomic_exchange)
template <class T> GPUPERF_DEVICE T atomicSub(T *p, T v) { return atomicAdd(p, (T)-v); }
template <class T> GPUPERF_DEVICE T atomicCAS(T *p, T old, T v) { __hip_atomic_compare_exchange_strong(p, &old, v,
    __ATOMIC_RELAXED, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT); return old; }
template <class T> GPUPERF_DEVICE T __ldg(const T *p) { return *p; }
GPUPERF_DEVICE int __popc(unsigned v) { return __builtin_popcount(v); }
GPUPERF_DEVICE int __clz(int v) { return v != 0 ? __builtin_clz((unsigned)v) : 32; }
GPUPERF_DEVICE int __ffs(int v) { return __builtin_ffs(v); }
GPUPERF_DEVICE int __mul24(int a, int b) { return a * b; }
GPUPERF_DEVICE float __int_as_float(int v) { return __builtin_bit_cast(float, v); }
GPUPERF_DEVICE int __float_as_int(float v) { return __builtin_bit_cast(int, v); }
GPUPERF_DEVICE int gpuperf_from_lane(int v, int lane) { return __builtin_amdgcn_ds_bpermute(lane << 2, v); }
GPUPERF_DEVICE int gpuperf_lane() { return (int)__builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0)); }
#define GPUPERF_SHUFFLE(name, type, lane) GPUPERF_DEVICE type name(type v, int by, int width = 0) { return \
    __builtin_bit_cast(type, gpuperf_from_lane(__builtin_bit_cast(int, v), lane)); }
#define GPUPERF_SHUFFLES(name, lane) GPUPERF_SHUFFLE(name, int, lane) GPUPERF_SHUFFLE(name, unsigned, lane) \
    GPUPERF_SHUFFLE(name, float, lane)
GPUPERF_SHUFFLES(__shfl, by) GPUPERF_SHUFFLES(__shfl_xor, gpuperf_lane() ^ by)
GPUPERF_SHUFFLES(__shfl_down, gpuperf_lane() + by) GPUPERF_SHUFFLES(__shfl_up, gpuperf_lane() - by)
