/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "compile/nvcc_prelude.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* OpenCL's `global` would be put for the attribute in CUDA's `__global__`. */
static const char language[] = "#undef __global__\n"
                               "#undef __shared__\n"
                               "#undef __constant__\n"
                               "#define __OPENCL_VERSION__ 120\n"
                               "#define __OPENCL_C_VERSION__ 120\n"
                               "#define CL_VERSION_1_0 100\n"
                               "#define CL_VERSION_1_1 110\n"
                               "#define CL_VERSION_1_2 120\n"
                               "#define __kernel extern \"C\" __attribute__((__global__))\n"
                               "#define kernel __kernel\n"
                               "#define __global\n"
                               "#define global\n"
                               "#define __private\n"
                               "#define __local __attribute__((__shared__))\n"
                               "#define local __local\n"
                               "#define __constant __attribute__((__constant__))\n"
                               "#define constant __constant\n"
                               "#define restrict __restrict__\n"
                               "#define reqd_work_group_size(x, y, z) launch_bounds((x) * (y) * (z))\n"
                               "#define work_group_size_hint(x, y, z)\n"
                               "#define vec_type_hint(type)\n"
                               "typedef unsigned char uchar;\n"
                               "typedef unsigned short ushort;\n"
                               "typedef unsigned int uint;\n"
                               "typedef unsigned long ulong;\n"
                               "#define GPUPERF_F static __device__ __forceinline__\n";

static const char work_items[] =
    "#define GPUPERF_ID(name, v) GPUPERF_F size_t name(unsigned d) { return d == 0 ? v(x) : d == 1 ? v(y) : v(z); }\n"
    "#define GPUPERF_LOCAL_ID(d) threadIdx.d\n"
    "#define GPUPERF_GROUP_ID(d) blockIdx.d\n"
    "#define GPUPERF_LOCAL_SIZE(d) blockDim.d\n"
    "#define GPUPERF_GROUPS(d) gridDim.d\n"
    "#define GPUPERF_GLOBAL_ID(d) (blockIdx.d * blockDim.d + threadIdx.d)\n"
    "#define GPUPERF_GLOBAL_SIZE(d) (gridDim.d * blockDim.d)\n"
    "GPUPERF_ID(get_local_id, GPUPERF_LOCAL_ID) GPUPERF_ID(get_group_id, GPUPERF_GROUP_ID) GPUPERF_ID(get_local_size, "
    "GPUPERF_LOCAL_SIZE)\n"
    "GPUPERF_ID(get_num_groups, GPUPERF_GROUPS) GPUPERF_ID(get_global_id, GPUPERF_GLOBAL_ID) "
    "GPUPERF_ID(get_global_size, GPUPERF_GLOBAL_SIZE)\n"
    "GPUPERF_F size_t get_global_offset(unsigned) { return 0; }\n"
    "#define CLK_LOCAL_MEM_FENCE 1\n"
    "#define CLK_GLOBAL_MEM_FENCE 2\n"
    "GPUPERF_F void barrier(int) { __syncthreads(); }\n"
    "GPUPERF_F void mem_fence(int) { __threadfence_block(); }\n"
    "#define GPUPERF_ATOMIC(name, cuda) template <class T, class V> GPUPERF_F T name(volatile T *p, V v) { return "
    "cuda((T *)p, (T)v); }\n"
    "GPUPERF_ATOMIC(atomic_add, atomicAdd) GPUPERF_ATOMIC(atomic_sub, atomicSub) GPUPERF_ATOMIC(atomic_min, atomicMin) "
    "GPUPERF_ATOMIC(atomic_max, atomicMax)\n"
    "GPUPERF_ATOMIC(atomic_and, atomicAnd) GPUPERF_ATOMIC(atomic_or, atomicOr) GPUPERF_ATOMIC(atomic_xor, atomicXor) "
    "GPUPERF_ATOMIC(atomic_xchg, atomicExch)\n"
    "template <class T> GPUPERF_F T atomic_inc(volatile T *p) { return atomicAdd((T *)p, (T)1); }\n"
    "template <class T> GPUPERF_F T atomic_dec(volatile T *p) { return atomicSub((T *)p, (T)1); }\n"
    "template <class T> GPUPERF_F T atomic_cmpxchg(volatile T *p, T expected, T v) { return atomicCAS((T *)p, "
    "expected, v); }\n"
    "#define atom_add atomic_add\n"
    "#define atom_inc atomic_inc\n";

static const char arithmetic[] =
    "#define GPUPERF_NATIVE(name, cuda) GPUPERF_F float native_##name(float x) { return cuda(x); } GPUPERF_F float "
    "half_##name(float x) { return cuda(x); }\n"
    "GPUPERF_NATIVE(sin, __sinf) GPUPERF_NATIVE(cos, __cosf) GPUPERF_NATIVE(exp, __expf) GPUPERF_NATIVE(log, __logf) "
    "GPUPERF_NATIVE(sqrt, __fsqrt_rn) GPUPERF_NATIVE(rsqrt, rsqrtf)\n"
    "GPUPERF_NATIVE(exp2, exp2f) GPUPERF_NATIVE(log2, __log2f) GPUPERF_NATIVE(tan, __tanf) GPUPERF_NATIVE(recip, "
    "__frcp_rn)\n"
    "GPUPERF_F float native_divide(float a, float b) { return __fdividef(a, b); }\n"
    "GPUPERF_F float native_powr(float a, float b) { return __powf(a, b); }\n"
    "GPUPERF_F float powr(float a, float b) { return powf(a, b); }\n"
    "GPUPERF_F float pown(float a, int b) { return powf(a, (float)b); }\n"
    "GPUPERF_F float mad(float a, float b, float c) { return fmaf(a, b, c); }\n"
    "GPUPERF_F double mad(double a, double b, double c) { return fma(a, b, c); }\n"
    "GPUPERF_F float mix(float a, float b, float t) { return a + (b - a) * t; }\n"
    "GPUPERF_F float step(float edge, float x) { return x < edge ? 0.0f : 1.0f; }\n"
    "GPUPERF_F float sign(float x) { return x > 0.0f ? 1.0f : x < 0.0f ? -1.0f : 0.0f; }\n"
    "GPUPERF_F float degrees(float x) { return x * 57.295779513f; }\n"
    "GPUPERF_F float radians(float x) { return x * 0.0174532925f; }\n"
    "#define GPUPERF_CLAMP(T) GPUPERF_F T clamp(T x, T a, T b) { return x < a ? a : x > b ? b : x; }\n"
    "GPUPERF_CLAMP(int) GPUPERF_CLAMP(uint) GPUPERF_CLAMP(float) GPUPERF_CLAMP(double) GPUPERF_CLAMP(long)\n"
    "GPUPERF_F int mul24(int a, int b) { return __mul24(a, b); }\n"
    "GPUPERF_F uint mul24(uint a, uint b) { return __umul24(a, b); }\n"
    "GPUPERF_F int mad24(int a, int b, int c) { return __mul24(a, b) + c; }\n"
    "GPUPERF_F uint mad24(uint a, uint b, uint c) { return __umul24(a, b) + c; }\n"
    "GPUPERF_F int mul_hi(int a, int b) { return __mulhi(a, b); }\n"
    "GPUPERF_F uint mul_hi(uint a, uint b) { return __umulhi(a, b); }\n"
    "GPUPERF_F uint rotate(uint x, uint n) { return __funnelshift_l(x, x, n); }\n"
    "GPUPERF_F int popcount(uint x) { return __popc(x); }\n"
    "GPUPERF_F uint abs_diff(int a, int b) { return a > b ? (uint)a - (uint)b : (uint)b - (uint)a; }\n"
    "GPUPERF_F int as_int(float x) { return __float_as_int(x); }\n"
    "GPUPERF_F uint as_uint(float x) { return __float_as_uint(x); }\n"
    "GPUPERF_F float as_float(int x) { return __int_as_float(x); }\n"
    "GPUPERF_F float as_float(uint x) { return __uint_as_float(x); }\n"
    "#define GPUPERF_CONVERT(T) template <class S> GPUPERF_F T convert_##T(S x) { return (T)x; }\n"
    "GPUPERF_CONVERT(char) GPUPERF_CONVERT(uchar) GPUPERF_CONVERT(short) GPUPERF_CONVERT(ushort) GPUPERF_CONVERT(int) "
    "GPUPERF_CONVERT(uint) GPUPERF_CONVERT(long) GPUPERF_CONVERT(ulong)\n"
    "GPUPERF_CONVERT(float) GPUPERF_CONVERT(double)\n"
    "#define select(a, b, c) ((c) ? (b) : (a))\n"
    "#define M_PI_F 3.14159274f\n"
    "#define MAXFLOAT 3.402823466e+38f\n";

/* Vectors: element by element. Addresses of whole ones are aligned to them; vloadN() and vstoreN() are not. */
static const char vectors[] =
    "#define GPUPERF_OP2(V, S, op) GPUPERF_F V operator op(V a, V b) { return {(S)(a.x op b.x), (S)(a.y op b.y)}; } "
    "GPUPERF_F V operator op(V a, S b) { return {(S)(a.x op b), (S)(a.y op b)}; } \\\n"
    "    GPUPERF_F V operator op(S a, V b) { return {(S)(a op b.x), (S)(a op b.y)}; } GPUPERF_F V &operator op##=(V "
    "&a, V b) { return a = a op b; } GPUPERF_F V &operator op##=(V &a, S b) { return a = a op b; }\n"
    "#define GPUPERF_OP4(V, S, op) GPUPERF_F V operator op(V a, V b) { return {(S)(a.x op b.x), (S)(a.y op b.y), "
    "(S)(a.z op b.z), (S)(a.w op b.w)}; } \\\n"
    "    GPUPERF_F V operator op(V a, S b) { return {(S)(a.x op b), (S)(a.y op b), (S)(a.z op b), (S)(a.w op b)}; } "
    "GPUPERF_F V operator op(S a, V b) { return {(S)(a op b.x), (S)(a op b.y), (S)(a op b.z), (S)(a op b.w)}; } \\\n"
    "    GPUPERF_F V &operator op##=(V &a, V b) { return a = a op b; } GPUPERF_F V &operator op##=(V &a, S b) { return "
    "a = a op b; }\n"
    "#define GPUPERF_ALL(n, V, S) GPUPERF_OP##n(V, S, +) GPUPERF_OP##n(V, S, -) GPUPERF_OP##n(V, S, *) "
    "GPUPERF_OP##n(V, S, /)\n"
    "GPUPERF_ALL(2, float2, float) GPUPERF_ALL(4, float4, float) GPUPERF_ALL(2, int2, int) GPUPERF_ALL(4, int4, int) "
    "GPUPERF_ALL(2, uint2, unsigned) GPUPERF_ALL(4, uint4, unsigned)\n"
    "GPUPERF_ALL(2, double2, double)\n"
    "GPUPERF_F float2 vload2(size_t i, const float *p) { p += 2 * i; return {p[0], p[1]}; }\n"
    "GPUPERF_F float4 vload4(size_t i, const float *p) { p += 4 * i; return {p[0], p[1], p[2], p[3]}; }\n"
    "GPUPERF_F void vstore2(float2 v, size_t i, float *p) { p += 2 * i; p[0] = v.x; p[1] = v.y; }\n"
    "GPUPERF_F void vstore4(float4 v, size_t i, float *p) { p += 4 * i; p[0] = v.x; p[1] = v.y; p[2] = v.z; p[3] = "
    "v.w; }\n"
    "GPUPERF_F float dot(float2 a, float2 b) { return a.x * b.x + a.y * b.y; }\n"
    "GPUPERF_F float dot(float4 a, float4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }\n"
    "GPUPERF_F float4 mad(float4 a, float4 b, float4 c) { return {fmaf(a.x, b.x, c.x), fmaf(a.y, b.y, c.y), fmaf(a.z, "
    "b.z, c.z), fmaf(a.w, b.w, c.w)}; }\n"
    "GPUPERF_F float4 fma(float4 a, float4 b, float4 c) { return mad(a, b, c); }\n";

bool gp_write_nvcc_prelude(const char *path, const char *further, struct gp_error *error)
{
    const char *const parts[] = {language, work_items, arithmetic, vectors, further};
    FILE *file = fopen(path, "w");
    bool written = file != NULL;
    for (size_t i = 0; written && i < sizeof parts / sizeof parts[0]; i++)
        written = fputs(parts[i], file) >= 0;
    if (file != NULL)
        written = fclose(file) == 0 && written;
    return written || gp_fail(error, "cannot write %s: %s", path, strerror(errno));
}
