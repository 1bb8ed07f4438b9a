// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*
 * Before a program that CUDA's driver compiles further: what the programs use of OpenCL, in PTX's terms. An entry is
 * the kernel itself, not a call of it. Functions are those that NVIDIA's OpenCL makes of them.
 */
#define CUDA_DRIVER                1
#define kernel                     __attribute__((nvptx_kernel))
#define get_local_id(dimension)    ((size_t)__nvvm_read_ptx_sreg_tid_x())
#define get_group_id(dimension)    ((size_t)__nvvm_read_ptx_sreg_ctaid_x())
#define get_local_size(dimension)  ((size_t)__nvvm_read_ptx_sreg_ntid_x())
#define get_num_groups(dimension)  ((size_t)__nvvm_read_ptx_sreg_nctaid_x())
#define get_global_id(dimension)   (get_group_id(0) * get_local_size(0) + get_local_id(0))
#define get_global_size(dimension) (get_num_groups(0) * get_local_size(0))
#define barrier(fences)            __syncthreads()
#define atomic_xchg(word, value)   __scoped_atomic_exchange_n(word, value, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE)
#if __CUDA_ARCH__ >= 700
#define sub_group_shuffle_xor(x, lanes) __nvvm_shfl_sync_bfly_i32(-1, x, lanes, 31)
#else
#define sub_group_shuffle_xor(x, lanes) __nvvm_shfl_bfly_i32(x, lanes, 31)
#endif
#define mad(x, y, z)    ((x) * (y) + (z))
#define native_rsqrt(x) __nvvm_rsqrt_approx_ftz_f(x)
#define native_sqrt(x)  __nvvm_sqrt_approx_ftz_f(x)
#define native_sin(x)   __nvvm_sin_approx_ftz_f(x)
#define native_cos(x)   __nvvm_cos_approx_ftz_f(x)
#define native_tan(x)   (native_sin(x) / native_cos(x))
#define native_exp(x)   __nvvm_ex2_approx_ftz_f((x)*M_LOG2E_F)
#define native_log(x)   (__nvvm_lg2_approx_ftz_f(x) * M_LN2_F)
#define sqrt(x)         __nvvm_sqrt_rn_d(x)
