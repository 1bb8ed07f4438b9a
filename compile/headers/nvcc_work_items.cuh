/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define GPUPERF_ID(name, v) GPUPERF_F size_t name(unsigned d) { return d == 0 ? v(x) : d == 1 ? v(y) : v(z); }
#define GPUPERF_LOCAL_ID(d) threadIdx.d
#define GPUPERF_GROUP_ID(d) blockIdx.d
#define GPUPERF_LOCAL_SIZE(d) blockDim.d
#define GPUPERF_GROUPS(d) gridDim.d
#define GPUPERF_GLOBAL_ID(d) (blockIdx.d * blockDim.d + threadIdx.d)
#define GPUPERF_GLOBAL_SIZE(d) (gridDim.d * blockDim.d)
GPUPERF_ID(get_local_id, GPUPERF_LOCAL_ID) GPUPERF_ID(get_group_id, GPUPERF_GROUP_ID) GPUPERF_ID(get_local_size,
    GPUPERF_LOCAL_SIZE)
GPUPERF_ID(get_num_groups, GPUPERF_GROUPS) GPUPERF_ID(get_global_id, GPUPERF_GLOBAL_ID)
    GPUPERF_ID(get_global_size, GPUPERF_GLOBAL_SIZE)
GPUPERF_F size_t get_global_offset(unsigned) { return 0; }
#define CLK_LOCAL_MEM_FENCE 1
#define CLK_GLOBAL_MEM_FENCE 2
GPUPERF_F void barrier(int) { __syncthreads(); }
GPUPERF_F void mem_fence(int) { __threadfence_block(); }
#define GPUPERF_ATOMIC(name, cuda) template <class T, class V> GPUPERF_F T name(volatile T *p, V v) { return \
    cuda((T *)p, (T)v); }
GPUPERF_ATOMIC(atomic_add, atomicAdd) GPUPERF_ATOMIC(atomic_sub, atomicSub) GPUPERF_ATOMIC(atomic_min, atomicMin)
    GPUPERF_ATOMIC(atomic_max, atomicMax)
GPUPERF_ATOMIC(atomic_and, atomicAnd) GPUPERF_ATOMIC(atomic_or, atomicOr) GPUPERF_ATOMIC(atomic_xor, atomicXor)
    GPUPERF_ATOMIC(atomic_xchg, atomicExch)
template <class T> GPUPERF_F T atomic_inc(volatile T *p) { return atomicAdd((T *)p, (T)1); }
template <class T> GPUPERF_F T atomic_dec(volatile T *p) { return atomicSub((T *)p, (T)1); }
template <class T> GPUPERF_F T atomic_cmpxchg(volatile T *p, T expected, T v) { return atomicCAS((T *)p, expected,
    v); }
#define atom_add atomic_add
#define atom_inc atomic_inc
