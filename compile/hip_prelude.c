/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define _GNU_SOURCE /* PATH_MAX */
#include "compile/hip_prelude.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "support/text.h"

/*
 * The indices are OpenCL's functions, which the passes know by name on every target. Of ROCm's functions of devices
 * what is an instruction or two is written out; the mathematical functions stay calls of AMD's library (__ocml_...),
 * which the passes know, too.
 */
static const char prelude[] =
    "#include <__clang_hip_runtime_wrapper.h>\n"
    "typedef __SIZE_TYPE__ size_t;\n"
    "#define __forceinline__ __inline__ __attribute__((always_inline))\n"
    "#define __noinline__ __attribute__((noinline))\n"
    "#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))\n"
    "#define HIP_DYNAMIC_SHARED(type, variable) extern __shared__ type variable[];\n"
    "#define GPUPERF_DEVICE static __device__ __forceinline__ __attribute__((nodebug))\n"
    "#define GPUPERF_BOTH static __host__ __device__ __forceinline__ __attribute__((nodebug))\n"
    "#define GPUPERF_ASKED(name, called) extern \"C\" __device__ __attribute__((const)) size_t "
    "gpuperf_##name(unsigned) "
    "__asm__(called);\n"
    "GPUPERF_ASKED(local_id, \"_Z12get_local_idj\") GPUPERF_ASKED(group_id, \"_Z12get_group_idj\")\n"
    "GPUPERF_ASKED(local_size, \"_Z14get_local_sizej\") GPUPERF_ASKED(num_groups, \"_Z14get_num_groupsj\")\n"
    "#define GPUPERF_VECTORS(type, name, align4) struct name##1 { type x; }; struct __attribute__((aligned(2 * "
    "sizeof(type)))) name##2 { type x, y; }; \\\n"
    "    struct name##3 { type x, y, z; }; struct __attribute__((aligned(align4))) name##4 { type x, y, z, w; }; \\\n"
    "    GPUPERF_BOTH name##1 make_##name##1(type x) { name##1 v = {x}; return v; } GPUPERF_BOTH name##2 "
    "make_##name##2(type x, type y) { name##2 v = {x, y}; return v; } \\\n"
    "    GPUPERF_BOTH name##3 make_##name##3(type x, type y, type z) { name##3 v = {x, y, z}; return v; } \\\n"
    "    GPUPERF_BOTH name##4 make_##name##4(type x, type y, type z, type w) { name##4 v = {x, y, z, w}; return v; }\n"
    "GPUPERF_VECTORS(signed char, char, 4) GPUPERF_VECTORS(unsigned char, uchar, 4) GPUPERF_VECTORS(short, short, 8) "
    "GPUPERF_VECTORS(unsigned short, ushort, 8)\n"
    "GPUPERF_VECTORS(int, int, 16) GPUPERF_VECTORS(unsigned, uint, 16) GPUPERF_VECTORS(long, long, 16) "
    "GPUPERF_VECTORS(unsigned long, ulong, 16)\n"
    "GPUPERF_VECTORS(float, float, 16) GPUPERF_VECTORS(double, double, 16)\n"
    "struct dim3 { unsigned x, y, z; __host__ __device__ constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = "
    "1) : x(x), y(y), z(z) {} };\n"
    "#define GPUPERF_INDEX(name, asked) struct gpuperf_of_##name { \\\n"
    "    __declspec(property(get = get_x)) unsigned x; __declspec(property(get = get_y)) unsigned y; "
    "__declspec(property(get = get_z)) unsigned z; \\\n"
    "    GPUPERF_DEVICE unsigned get_x() { return (unsigned)asked(0); } GPUPERF_DEVICE unsigned get_y() { return "
    "(unsigned)asked(1); } \\\n"
    "    GPUPERF_DEVICE unsigned get_z() { return (unsigned)asked(2); } __device__ operator dim3() const { return "
    "dim3(get_x(), get_y(), get_z()); } }; \\\n"
    "    extern const __device__ __attribute__((weak)) gpuperf_of_##name name;\n"
    "GPUPERF_INDEX(threadIdx, gpuperf_local_id) GPUPERF_INDEX(blockIdx, gpuperf_group_id)\n"
    "GPUPERF_INDEX(blockDim, gpuperf_local_size) GPUPERF_INDEX(gridDim, gpuperf_num_groups)\n"
    "#define hipThreadIdx_x threadIdx.x\n#define hipThreadIdx_y threadIdx.y\n#define hipThreadIdx_z threadIdx.z\n"
    "#define hipBlockIdx_x blockIdx.x\n#define hipBlockIdx_y blockIdx.y\n#define hipBlockIdx_z blockIdx.z\n"
    "#define hipBlockDim_x blockDim.x\n#define hipBlockDim_y blockDim.y\n#define hipBlockDim_z blockDim.z\n"
    "#define hipGridDim_x gridDim.x\n#define hipGridDim_y gridDim.y\n#define hipGridDim_z gridDim.z\n"
    "#define warpSize __builtin_amdgcn_wavefrontsize()\n"
    "GPUPERF_DEVICE void __syncthreads() { __builtin_amdgcn_fence(__ATOMIC_RELEASE, \"workgroup\"); "
    "__builtin_amdgcn_s_barrier(); __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, \"workgroup\"); }\n"
    "GPUPERF_DEVICE void __threadfence() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, \"agent\"); }\n"
    "GPUPERF_DEVICE void __threadfence_block() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, \"workgroup\"); }\n"
    "#define GPUPERF_ATOMIC(name, called) template <class T> GPUPERF_DEVICE T name(T *p, T v) { return called(p, v, "
    "__ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT); }\n"
    "GPUPERF_ATOMIC(atomicAdd, __hip_atomic_fetch_add) GPUPERF_ATOMIC(atomicMin, __hip_atomic_fetch_min) "
    "GPUPERF_ATOMIC(atomicMax, __hip_atomic_fetch_max)\n"
    "GPUPERF_ATOMIC(atomicAnd, __hip_atomic_fetch_and) GPUPERF_ATOMIC(atomicOr, __hip_atomic_fetch_or) "
    "GPUPERF_ATOMIC(atomicXor, __hip_atomic_fetch_xor) GPUPERF_ATOMIC(atomicExch, __hip_atomic_exchange)\n"
    "template <class T> GPUPERF_DEVICE T atomicSub(T *p, T v) { return atomicAdd(p, (T)-v); }\n"
    "template <class T> GPUPERF_DEVICE T atomicCAS(T *p, T old, T v) { __hip_atomic_compare_exchange_strong(p, &old, "
    "v, "
    "__ATOMIC_RELAXED, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT); return old; }\n"
    "template <class T> GPUPERF_DEVICE T __ldg(const T *p) { return *p; }\n"
    "GPUPERF_DEVICE int __popc(unsigned v) { return __builtin_popcount(v); }\n"
    "GPUPERF_DEVICE int __clz(int v) { return v != 0 ? __builtin_clz((unsigned)v) : 32; }\n"
    "GPUPERF_DEVICE int __ffs(int v) { return __builtin_ffs(v); }\n"
    "GPUPERF_DEVICE int __mul24(int a, int b) { return a * b; }\n"
    "GPUPERF_DEVICE float __int_as_float(int v) { return __builtin_bit_cast(float, v); }\n"
    "GPUPERF_DEVICE int __float_as_int(float v) { return __builtin_bit_cast(int, v); }\n"
    "GPUPERF_DEVICE int gpuperf_from_lane(int v, int lane) { return __builtin_amdgcn_ds_bpermute(lane << 2, v); }\n"
    "GPUPERF_DEVICE int gpuperf_lane() { return (int)__builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, "
    "0)); "
    "}\n"
    "#define GPUPERF_SHUFFLE(name, type, lane) GPUPERF_DEVICE type name(type v, int by, int width = 0) { return "
    "__builtin_bit_cast(type, gpuperf_from_lane(__builtin_bit_cast(int, v), lane)); }\n"
    "#define GPUPERF_SHUFFLES(name, lane) GPUPERF_SHUFFLE(name, int, lane) GPUPERF_SHUFFLE(name, unsigned, lane) "
    "GPUPERF_SHUFFLE(name, float, lane)\n"
    "GPUPERF_SHUFFLES(__shfl, by) GPUPERF_SHUFFLES(__shfl_xor, gpuperf_lane() ^ by)\n"
    "GPUPERF_SHUFFLES(__shfl_down, gpuperf_lane() + by) GPUPERF_SHUFFLES(__shfl_up, gpuperf_lane() - by)\n";

bool gp_write_hip_headers(const char *directory, struct gp_error *error)
{
    static const char *const names[] = {"hip_runtime.h", "hip_runtime_api.h", "hip_vector_types.h"};
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/hip", directory);
    bool made = (mkdir(directory, 0700) == 0 || errno == EEXIST) && (mkdir(path, 0700) == 0 || errno == EEXIST);
    for (size_t i = 0; made && i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/hip/%s", directory, names[i]);
        made = gp_write_file(path, "", 0);
    }
    return made || gp_fail(error, "cannot write %s: %s", path, strerror(errno));
}

bool gp_write_hip_prelude(const char *path, struct gp_error *error)
{
    return gp_write_file(path, prelude, strlen(prelude)) ||
           gp_fail(error, "cannot write %s: %s", path, strerror(errno));
}
