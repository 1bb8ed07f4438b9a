/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define _GNU_SOURCE /* PATH_MAX */
#include "compile/cuda_prelude.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "support/text.h"

static const char keywords[] = "#define __host__ __attribute__((host))\n"
                               "#define __device__ __attribute__((device))\n"
                               "#define __global__ __attribute__((global))\n"
                               "#define __shared__ __attribute__((shared))\n"
                               "#define __constant__ __attribute__((constant))\n"
                               "#define __forceinline__ __inline__ __attribute__((always_inline))\n"
                               "#define __noinline__ __attribute__((noinline))\n"
                               "#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))\n";

/* What the toolkit's headers declare, as far as clang's own headers for CUDA do not: these need a few names of the
 * former. Vectors are aligned to at most 16 bytes. */
static const char types[] =
    "typedef __SIZE_TYPE__ size_t;\n"
    "#define GPUPERF_BOTH static __host__ __device__ __forceinline__ __attribute__((nodebug))\n"
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
    "GPUPERF_VECTORS(long long, longlong, 16) GPUPERF_VECTORS(unsigned long long, ulonglong, 16) "
    "GPUPERF_VECTORS(float, float, 16) GPUPERF_VECTORS(double, double, 16)\n"
    "#undef GPUPERF_VECTORS\n"
    "struct dim3 { unsigned x, y, z; __host__ __device__ constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = "
    "1) : x(x), y(y), z(z) {}\n"
    "    __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {} __host__ __device__ constexpr "
    "operator uint3() const { return uint3{x, y, z}; } };\n";

/* Of NVIDIA's library (__nv_...) what is an instruction or two is written out, so that its value is known; the
 * mathematical functions stay calls, which the plugin knows by name. */
static const char functions[] =
    "#define CUDA_VERSION 12000\n"
    "#define INT_MAX __INT_MAX__\n"
    "#define INT_MIN (-__INT_MAX__ - 1)\n"
    "#define HUGE_VAL __builtin_huge_val()\n"
    "#define HUGE_VALF __builtin_huge_valf()\n"
    "#define INFINITY __builtin_inff()\n"
    "#define NAN __builtin_nanf(\"\")\n"
    "extern \"C\" __device__ int printf(const char *, ...);\n"
    "extern \"C\" __device__ __attribute__((noreturn)) void __assert_fail(const char *, const char *, unsigned, const "
    "char *) noexcept;\n"
    "typedef unsigned cuuint32_t;\n"
    "static __device__ inline unsigned __isShared(const void *p) { return __nvvm_isspacep_shared(p); }\n"
    "static __device__ inline unsigned __isGlobal(const void *p) { return __nvvm_isspacep_global(p); }\n"
    "static __device__ inline unsigned __isConstant(const void *p) { return __nvvm_isspacep_const(p); }\n"
    "static __device__ inline unsigned __isLocal(const void *p) { return __nvvm_isspacep_local(p); }\n"
    "static __device__ inline size_t __cvta_generic_to_shared(const void *p) { return (size_t)(void "
    "__attribute__((address_space(3))) *)p; }\n"
    "static __device__ inline size_t __cvta_generic_to_global(const void *p) { return (size_t)(void "
    "__attribute__((address_space(1))) *)p; }\n"
    "#define GPUPERF_NV(type, name, arguments, value) extern \"C\" __device__ __forceinline__ __attribute__((nodebug)) "
    "type __nv_##name arguments { return value; }\n"
    "GPUPERF_NV(int, abs, (int a), a < 0 ? -a : a) GPUPERF_NV(long long, llabs, (long long a), a < 0 ? -a : a)\n"
    "GPUPERF_NV(int, brev, (int a), (int)__builtin_bitreverse32((unsigned)a)) GPUPERF_NV(long long, brevll, (long long "
    "a), (long long)__builtin_bitreverse64((unsigned long long)a))\n"
    "GPUPERF_NV(int, clz, (int a), a != 0 ? __builtin_clz((unsigned)a) : 32) GPUPERF_NV(int, clzll, (long long a), a "
    "!= 0 ? __builtin_clzll((unsigned long long)a) : 64)\n"
    "GPUPERF_NV(int, ffs, (int a), __builtin_ffs(a)) GPUPERF_NV(int, ffsll, (long long a), __builtin_ffsll(a))\n"
    "GPUPERF_NV(int, popc, (unsigned a), __builtin_popcount(a)) GPUPERF_NV(int, popcll, (unsigned long long a), "
    "__builtin_popcountll(a))\n"
    "GPUPERF_NV(int, float_as_int, (float a), __builtin_bit_cast(int, a)) GPUPERF_NV(unsigned, float_as_uint, (float "
    "a), __builtin_bit_cast(unsigned, a))\n"
    "GPUPERF_NV(float, int_as_float, (int a), __builtin_bit_cast(float, a)) GPUPERF_NV(float, uint_as_float, (unsigned "
    "a), __builtin_bit_cast(float, a))\n"
    "GPUPERF_NV(unsigned long long, double_as_longlong, (double a), __builtin_bit_cast(unsigned long long, a))\n"
    "GPUPERF_NV(double, longlong_as_double, (long long a), __builtin_bit_cast(double, a))\n"
    "GPUPERF_NV(int, double2hiint, (double a), (int)(__builtin_bit_cast(long long, a) >> 32)) GPUPERF_NV(int, "
    "double2loint, (double a), (int)__builtin_bit_cast(long long, a))\n"
    "GPUPERF_NV(double, hiloint2double, (int a, int b), __builtin_bit_cast(double, (unsigned long long)(unsigned)a << "
    "32 | (unsigned)b))\n"
    "GPUPERF_NV(int, float2int_rz, (float a), (int)a) GPUPERF_NV(unsigned, float2uint_rz, (float a), (unsigned)a) "
    "GPUPERF_NV(int, double2int_rz, (double a), (int)a)\n"
    "GPUPERF_NV(float, int2float_rn, (int a), (float)a) GPUPERF_NV(float, uint2float_rn, (unsigned a), (float)a) "
    "GPUPERF_NV(double, int2double_rn, (int a), (double)a)\n"
    "GPUPERF_NV(int, max, (int a, int b), a > b ? a : b) GPUPERF_NV(int, min, (int a, int b), a < b ? a : b)\n"
    "GPUPERF_NV(unsigned, umax, (unsigned a, unsigned b), a > b ? a : b) GPUPERF_NV(unsigned, umin, (unsigned a, "
    "unsigned b), a < b ? a : b)\n"
    "GPUPERF_NV(long long, llmax, (long long a, long long b), a > b ? a : b) GPUPERF_NV(long long, llmin, (long long "
    "a, long long b), a < b ? a : b)\n"
    "GPUPERF_NV(int, mulhi, (int a, int b), (int)((long long)a * b >> 32)) GPUPERF_NV(unsigned, umulhi, (unsigned a, "
    "unsigned b), (unsigned)((unsigned long long)a * b >> 32))\n"
    "GPUPERF_NV(long long, mul64hi, (long long a, long long b), (long long)((__int128)a * b >> 64))\n"
    "GPUPERF_NV(unsigned long long, umul64hi, (unsigned long long a, unsigned long long b), (unsigned long "
    "long)((unsigned __int128)a * b >> 64))\n"
    "GPUPERF_NV(int, mul24, (int a, int b), a * b) GPUPERF_NV(unsigned, umul24, (unsigned a, unsigned b), a * b)\n"
    "GPUPERF_NV(int, hadd, (int a, int b), (a & b) + ((a ^ b) >> 1)) GPUPERF_NV(int, rhadd, (int a, int b), (a | b) - "
    "((a ^ b) >> 1))\n"
    "GPUPERF_NV(int, sad, (int a, int b, int c), (a > b ? a - b : b - a) + c)\n"
    "GPUPERF_NV(float, fadd_rn, (float a, float b), a + b) GPUPERF_NV(float, fsub_rn, (float a, float b), a - b) "
    "GPUPERF_NV(float, fmul_rn, (float a, float b), a * b)\n"
    "GPUPERF_NV(float, fdiv_rn, (float a, float b), a / b) GPUPERF_NV(float, frcp_rn, (float a), 1 / a) "
    "GPUPERF_NV(float, fsqrt_rn, (float a), __builtin_sqrtf(a))\n"
    "GPUPERF_NV(float, fmaf_rn, (float a, float b, float c), __builtin_fmaf(a, b, c)) GPUPERF_NV(double, fma_rn, "
    "(double a, double b, double c), __builtin_fma(a, b, c))\n"
    "GPUPERF_NV(double, dadd_rn, (double a, double b), a + b) GPUPERF_NV(double, dsub_rn, (double a, double b), a - b) "
    "GPUPERF_NV(double, dmul_rn, (double a, double b), a * b)\n"
    "GPUPERF_NV(double, ddiv_rn, (double a, double b), a / b) GPUPERF_NV(double, drcp_rn, (double a), 1 / a) "
    "GPUPERF_NV(double, dsqrt_rn, (double a), __builtin_sqrt(a))\n"
    "#include <__clang_cuda_libdevice_declares.h>\n"
    "#include <__clang_cuda_device_functions.h>\n"
    "#include <__clang_cuda_math.h>\n"
    "#include <__clang_cuda_intrinsics.h>\n"
    "#define GPUPERF_ATOMIC(type, name, called) GPUPERF_DEVICE type name(type *p, type value) { return called(p, "
    "value); }\n"
    "#define GPUPERF_ATOMICS(name) GPUPERF_ATOMIC(int, atomic##name, __iAtomic##name) GPUPERF_ATOMIC(unsigned, "
    "atomic##name, __uAtomic##name)\n"
    "#define GPUPERF_EXCHANGE(type, name, called) GPUPERF_DEVICE type name(type *p, type old, type value) { return "
    "called(p, old, value); }\n"
    "#define GPUPERF_SCOPE(scope) GPUPERF_ATOMICS(Add##scope) GPUPERF_ATOMICS(Exch##scope) GPUPERF_ATOMICS(Min##scope) "
    "GPUPERF_ATOMICS(Max##scope) \\\n"
    "    GPUPERF_ATOMICS(And##scope) GPUPERF_ATOMICS(Or##scope) GPUPERF_ATOMICS(Xor##scope) \\\n"
    "    GPUPERF_ATOMIC(unsigned, atomicInc##scope, __uAtomicInc##scope) GPUPERF_ATOMIC(unsigned, atomicDec##scope, "
    "__uAtomicDec##scope) \\\n"
    "    GPUPERF_ATOMIC(float, atomicAdd##scope, __fAtomicAdd##scope) GPUPERF_ATOMIC(double, atomicAdd##scope, "
    "__dAtomicAdd##scope) \\\n"
    "    GPUPERF_ATOMIC(float, atomicExch##scope, __fAtomicExch##scope) GPUPERF_ATOMIC(unsigned long long, "
    "atomicExch##scope, __ullAtomicExch##scope) \\\n"
    "    GPUPERF_ATOMIC(unsigned long long, atomicAdd##scope, __ullAtomicAdd##scope) GPUPERF_ATOMIC(unsigned long "
    "long, atomicMin##scope, __ullAtomicMin##scope) \\\n"
    "    GPUPERF_ATOMIC(unsigned long long, atomicMax##scope, __ullAtomicMax##scope) GPUPERF_ATOMIC(unsigned long "
    "long, atomicAnd##scope, __ullAtomicAnd##scope) \\\n"
    "    GPUPERF_ATOMIC(unsigned long long, atomicOr##scope, __ullAtomicOr##scope) GPUPERF_ATOMIC(unsigned long long, "
    "atomicXor##scope, __ullAtomicXor##scope) \\\n"
    "    GPUPERF_ATOMIC(long long, atomicMin##scope, __illAtomicMin##scope) GPUPERF_ATOMIC(long long, "
    "atomicMax##scope, __illAtomicMax##scope) \\\n"
    "    GPUPERF_EXCHANGE(int, atomicCAS##scope, __iAtomicCAS##scope) GPUPERF_EXCHANGE(unsigned, atomicCAS##scope, "
    "__uAtomicCAS##scope) \\\n"
    "    GPUPERF_EXCHANGE(unsigned long long, atomicCAS##scope, __ullAtomicCAS##scope) \\\n"
    "    GPUPERF_DEVICE int atomicSub##scope(int *p, int value) { return __iAtomicAdd##scope(p, -value); } \\\n"
    "    GPUPERF_DEVICE unsigned atomicSub##scope(unsigned *p, unsigned value) { return __uAtomicAdd##scope(p, "
    "-value); }\n"
    "GPUPERF_SCOPE() GPUPERF_SCOPE(_block) GPUPERF_SCOPE(_system)\n"
    "GPUPERF_EXCHANGE(unsigned short, atomicCAS, __usAtomicCAS)\n"
    "#if __CUDA_ARCH__ >= 700\n"
    "GPUPERF_DEVICE void __nanosleep(unsigned ns) { asm volatile(\"nanosleep.u32 %0;\" :: \"r\"(ns)); }\n"
    "#endif\n"
    "#define GPUPERF_FLOAT(name) GPUPERF_DEVICE float name(float x) { return name##f(x); }\n"
    "GPUPERF_FLOAT(sqrt) GPUPERF_FLOAT(rsqrt) GPUPERF_FLOAT(cbrt) GPUPERF_FLOAT(exp) GPUPERF_FLOAT(exp2) "
    "GPUPERF_FLOAT(expm1) GPUPERF_FLOAT(log) GPUPERF_FLOAT(log2)\n"
    "GPUPERF_FLOAT(log10) GPUPERF_FLOAT(log1p) GPUPERF_FLOAT(sin) GPUPERF_FLOAT(cos) GPUPERF_FLOAT(tan) "
    "GPUPERF_FLOAT(asin) GPUPERF_FLOAT(acos) GPUPERF_FLOAT(atan)\n"
    "GPUPERF_FLOAT(sinh) GPUPERF_FLOAT(cosh) GPUPERF_FLOAT(tanh) GPUPERF_FLOAT(erf) GPUPERF_FLOAT(fabs) "
    "GPUPERF_FLOAT(floor) GPUPERF_FLOAT(ceil) GPUPERF_FLOAT(trunc)\n"
    "GPUPERF_FLOAT(round) GPUPERF_FLOAT(rint)\n"
    "GPUPERF_DEVICE float pow(float x, float y) { return powf(x, y); }\n"
    "GPUPERF_DEVICE double pow(double, int) __asm__(\"gpuperf_powi\"); GPUPERF_DEVICE double pow(double x, int y) { "
    "return pow(x, (double)y); }\n"
    "GPUPERF_DEVICE double pow(float, int) __asm__(\"gpuperf_powif\"); GPUPERF_DEVICE double pow(float x, int y) { "
    "return pow((double)x, (double)y); }\n"
    "GPUPERF_DEVICE float atan2(float x, float y) { return atan2f(x, y); }\n"
    "GPUPERF_DEVICE float fmod(float x, float y) { return fmodf(x, y); }\n"
    "GPUPERF_DEVICE float fma(float x, float y, float z) { return fmaf(x, y, z); }\n"
    "GPUPERF_DEVICE float abs(float x) { return fabsf(x); }\n"
    "GPUPERF_DEVICE double abs(double x) { return fabs(x); }\n"
    "#define GPUPERF_TEST(name, called) GPUPERF_DEVICE bool name(float x) { return called(x); } GPUPERF_DEVICE bool "
    "name(double x) { return called(x); }\n"
    "GPUPERF_TEST(isnan, __builtin_isnan) GPUPERF_TEST(isinf, __builtin_isinf) GPUPERF_TEST(isfinite, "
    "__builtin_isfinite) GPUPERF_TEST(signbit, __builtin_signbit)\n"
    "template <class A, class B> GPUPERF_DEVICE auto min(A a, B b) -> decltype(a + b) { return b < a ? b : a; }\n"
    "template <class A, class B> GPUPERF_DEVICE auto max(A a, B b) -> decltype(a + b) { return a < b ? b : a; }\n"
    "GPUPERF_DEVICE float min(float a, float b) { return fminf(a, b); }\n"
    "GPUPERF_DEVICE float max(float a, float b) { return fmaxf(a, b); }\n"
    "GPUPERF_DEVICE double min(double a, double b) { return fmin(a, b); }\n"
    "GPUPERF_DEVICE double max(double a, double b) { return fmax(a, b); }\n"
    "#if __CUDA_ARCH__ >= 700\n"
    "template <class T> GPUPERF_DEVICE unsigned __match_any_sync(unsigned mask, T value)\n"
    "{ return sizeof(T) == 8 ? __match64_any_sync(mask, (unsigned long long)value) : __match32_any_sync(mask, "
    "(unsigned)value); }\n"
    "template <class T> GPUPERF_DEVICE unsigned __match_all_sync(unsigned mask, T value, int *all)\n"
    "{ return sizeof(T) == 8 ? __match64_all_sync(mask, (unsigned long long)value, all) : __match32_all_sync(mask, "
    "(unsigned)value, all); }\n"
    "#endif\n";

/*
 * pow() with an int as exponent is a power of doubles to nvcc (C++11's overloads; nvcc 13.0 makes the same PTX of
 * pow(v, 2) and pow(v, 2.0), also of a float v), repeated products in clang's headers. Of functions that differ in that
 * alone, the one with a condition is taken.
 */
static const char powers_as_nvcc[] =
    "#define GPUPERF_POWER static __device__ __forceinline__ __attribute__((nodebug)) double\n"
    "#define GPUPERF_ALWAYS __attribute__((enable_if(true, \"\")))\n"
    "GPUPERF_POWER pow(double, int) GPUPERF_ALWAYS __asm__(\"gpuperf_powi\"); GPUPERF_POWER pow(double x, int y) "
    "GPUPERF_ALWAYS { return pow(x, (double)y); }\n"
    "GPUPERF_POWER pow(float, int) GPUPERF_ALWAYS __asm__(\"gpuperf_powif\"); GPUPERF_POWER pow(float x, int y) "
    "GPUPERF_ALWAYS { return pow((double)x, (double)y); }\n"
    "namespace std { using ::pow; }\n";

/* Loads and stores with a cache operator that clang's own headers lack, and the toolkit's, as clang takes them, too. */
static const char cache_operators[] =
    "#define GPUPERF_DEVICE static __device__ __forceinline__ __attribute__((nodebug))\n"
    "#define GPUPERF_LOAD(name, at, ptx, type, word, letter) \\\n"
    "    GPUPERF_DEVICE type name(const type *p) { word v; asm(\"ld.global.\" at \".\" ptx \" %0, [%1];\" : \"=\" "
    "letter(v) : \"l\"(p)); return (type)v; }\n"
    "#define GPUPERF_STORE(name, at, ptx, type, word, letter) \\\n"
    "    GPUPERF_DEVICE void name(type *p, type v) { asm(\"st.global.\" at \".\" ptx \" [%0], %1;\" :: \"l\"(p), "
    "letter((word)v) : \"memory\"); }\n"
    "#define GPUPERF_LOAD2(name, at, ptx, type, word, letter) \\\n"
    "    GPUPERF_DEVICE type name(const type *p) { word x, y; type v; \\\n"
    "        asm(\"ld.global.\" at \".v2.\" ptx \" {%0,%1}, [%2];\" : \"=\" letter(x), \"=\" letter(y) : \"l\"(p)); "
    "v.x = x; v.y = y; return v; }\n"
    "#define GPUPERF_STORE2(name, at, ptx, type, word, letter) \\\n"
    "    GPUPERF_DEVICE void name(type *p, type v) \\\n"
    "    { asm(\"st.global.\" at \".v2.\" ptx \" [%0], {%1,%2};\" :: \"l\"(p), letter((word)v.x), letter((word)v.y) : "
    "\"memory\"); }\n"
    "#define GPUPERF_LOAD4(name, at, ptx, type, word, letter) \\\n"
    "    GPUPERF_DEVICE type name(const type *p) { word x, y, z, w; type v; \\\n"
    "        asm(\"ld.global.\" at \".v4.\" ptx \" {%0,%1,%2,%3}, [%4];\" : \"=\" letter(x), \"=\" letter(y), \"=\" "
    "letter(z), \"=\" letter(w) : \"l\"(p)); \\\n"
    "        v.x = x; v.y = y; v.z = z; v.w = w; return v; }\n"
    "#define GPUPERF_STORE4(name, at, ptx, type, word, letter) \\\n"
    "    GPUPERF_DEVICE void name(type *p, type v) \\\n"
    "    { asm(\"st.global.\" at \".v4.\" ptx \" [%0], {%1,%2,%3,%4};\" :: \"l\"(p), letter((word)v.x), "
    "letter((word)v.y), letter((word)v.z), letter((word)v.w) : \"memory\"); }\n"
    "#define GPUPERF_CACHED(X, name, at) X(name, at, \"s8\", char, int, \"r\") X(name, at, \"s8\", signed char, int, "
    "\"r\") X(name, at, \"u8\", unsigned char, unsigned, \"r\") \\\n"
    "    X(name, at, \"s16\", short, short, \"h\") X(name, at, \"u16\", unsigned short, unsigned short, \"h\") X(name, "
    "at, \"s32\", int, int, \"r\") \\\n"
    "    X(name, at, \"u32\", unsigned, unsigned, \"r\") X(name, at, \"s64\", long, long, \"l\") X(name, at, \"u64\", "
    "unsigned long, unsigned long, \"l\") \\\n"
    "    X(name, at, \"s64\", long long, long long, \"l\") X(name, at, \"u64\", unsigned long long, unsigned long "
    "long, \"l\") \\\n"
    "    X(name, at, \"f32\", float, float, \"f\") X(name, at, \"f64\", double, double, \"d\") \\\n"
    "    X##2(name, at, \"s8\", char2, int, \"r\") X##2(name, at, \"u8\", uchar2, unsigned, \"r\") X##2(name, at, "
    "\"s16\", short2, short, \"h\") \\\n"
    "    X##2(name, at, \"u16\", ushort2, unsigned short, \"h\") X##2(name, at, \"s32\", int2, int, \"r\") X##2(name, "
    "at, \"u32\", uint2, unsigned, \"r\") \\\n"
    "    X##2(name, at, \"s64\", longlong2, long long, \"l\") X##2(name, at, \"u64\", ulonglong2, unsigned long long, "
    "\"l\") \\\n"
    "    X##2(name, at, \"f32\", float2, float, \"f\") X##2(name, at, \"f64\", double2, double, \"d\") \\\n"
    "    X##4(name, at, \"s8\", char4, int, \"r\") X##4(name, at, \"u8\", uchar4, unsigned, \"r\") X##4(name, at, "
    "\"s16\", short4, short, \"h\") \\\n"
    "    X##4(name, at, \"u16\", ushort4, unsigned short, \"h\") X##4(name, at, \"s32\", int4, int, \"r\") X##4(name, "
    "at, \"u32\", uint4, unsigned, \"r\") \\\n"
    "    X##4(name, at, \"f32\", float4, float, \"f\")\n"
    "GPUPERF_CACHED(GPUPERF_LOAD, __ldca, \"ca\") GPUPERF_CACHED(GPUPERF_LOAD, __ldlu, \"lu\")\n"
    "GPUPERF_CACHED(GPUPERF_STORE, __stwb, \"wb\") GPUPERF_CACHED(GPUPERF_STORE, __stcg, \"cg\") "
    "GPUPERF_CACHED(GPUPERF_STORE, __stcs, \"cs\")\n";

bool gp_write_cuda_headers(const char *directory, struct gp_error *error)
{
    static const char *const names[] = {"crt/sm_70_rt.hpp", "cuda_runtime.h", "cuda_runtime_api.h", "cuda.h",
                                        "device_launch_parameters.h"};
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/crt", directory);
    bool made = mkdir(directory, 0700) == 0 && mkdir(path, 0700) == 0;
    for (size_t i = 0; made && i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/%s", directory, names[i]);
        made = gp_write_file(path, "", 0);
    }
    return made || errno == EEXIST || gp_fail(error, "cannot write %s: %s", path, strerror(errno));
}

bool gp_write_cuda_prelude(const char *path, enum gp_cuda_prelude extent, struct gp_error *error)
{
    bool alone = extent != GP_CUDA_BESIDE_TOOLKIT;
    const char *const parts[] = {alone ? keywords : "",
                                 alone && extent >= GP_CUDA_TYPES ? types : "",
                                 alone ? "#include <__clang_cuda_builtin_vars.h>\n" : "",
                                 extent >= GP_CUDA_FUNCTIONS ? cache_operators : "",
                                 alone ? "" : powers_as_nvcc,
                                 extent == GP_CUDA_FUNCTIONS ? functions : ""};
    FILE *file = fopen(path, "w");
    bool written = file != NULL;
    for (size_t i = 0; written && i < sizeof parts / sizeof *parts; i++)
        written = fputs(parts[i], file) >= 0;
    if (file != NULL)
        written = fclose(file) == 0 && written;
    return written || gp_fail(error, "cannot write %s: %s", path, strerror(errno));
}
