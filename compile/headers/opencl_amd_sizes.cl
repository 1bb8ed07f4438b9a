/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The same from where AMD's library has it, for a compile whose code shall be whole: the dispatch packet (HSA), the
 * hidden arguments (LLVM's AMDGPUUsage). */
#define GPUPERF_PACKET(type) ((__constant type *)__builtin_amdgcn_dispatch_ptr())
GPUPERF_ID(get_local_size) { return GPUPERF_PICK(GPUPERF_PACKET(ushort)[2], GPUPERF_PACKET(ushort)[3],
    GPUPERF_PACKET(ushort)[4], 1); }
GPUPERF_ID(get_global_size) { return GPUPERF_PICK(GPUPERF_PACKET(uint)[3], GPUPERF_PACKET(uint)[4],
    GPUPERF_PACKET(uint)[5], 1); }
GPUPERF_ID(get_num_groups) { return (uint)(gpuperf_get_global_size(d) + gpuperf_get_local_size(d) - 1) /
    (uint)gpuperf_get_local_size(d); }
GPUPERF_ID(get_global_offset) { return d < 3 ? ((__constant ulong *)__builtin_amdgcn_implicitarg_ptr())[d] : 0; }
static inline __attribute__((always_inline)) void gpuperf_barrier(uint flags)
{ __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup"); __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup"); }
#define get_local_size gpuperf_get_local_size
#define get_global_size gpuperf_get_global_size
#define get_num_groups gpuperf_get_num_groups
#define get_global_offset gpuperf_get_global_offset
#define barrier gpuperf_barrier
#undef GPUPERF_PACKET
