/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Of NVIDIA's library (__nv_...) what is an instruction or two is written out, so that its value is known; the
 * mathematical functions stay calls, which the plugin knows by name. */
#define CUDA_VERSION 12000
#define INT_MAX __INT_MAX__
#define INT_MIN (-__INT_MAX__ - 1)
#define HUGE_VAL __builtin_huge_val()
#define HUGE_VALF __builtin_huge_valf()
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
extern "C" __device__ int printf(const char *, ...);
extern "C" __device__ __attribute__((noreturn)) void __assert_fail(const char *, const char *, unsigned, const
    char *) noexcept;
typedef unsigned cuuint32_t;
static __device__ inline unsigned __isShared(const void *p) { return __nvvm_isspacep_shared(p); }
static __device__ inline unsigned __isGlobal(const void *p) { return __nvvm_isspacep_global(p); }
static __device__ inline unsigned __isConstant(const void *p) { return __nvvm_isspacep_const(p); }
static __device__ inline unsigned __isLocal(const void *p) { return __nvvm_isspacep_local(p); }
static __device__ inline size_t __cvta_generic_to_shared(const void *p) { return (size_t)(void
    __attribute__((address_space(3))) *)p; }
static __device__ inline size_t __cvta_generic_to_global(const void *p) { return (size_t)(void
    __attribute__((address_space(1))) *)p; }
#define GPUPERF_NV(type, name, arguments, value) extern "C" __device__ __forceinline__ __attribute__((nodebug)) \
    type __nv_##name arguments { return value; }
GPUPERF_NV(int, abs, (int a), a < 0 ? -a : a) GPUPERF_NV(long long, llabs, (long long a), a < 0 ? -a : a)
GPUPERF_NV(int, brev, (int a), (int)__builtin_bitreverse32((unsigned)a)) GPUPERF_NV(long long, brevll, (long long
    a), (long long)__builtin_bitreverse64((unsigned long long)a))
GPUPERF_NV(int, clz, (int a), a != 0 ? __builtin_clz((unsigned)a) : 32) GPUPERF_NV(int, clzll, (long long a), a !=
    0 ? __builtin_clzll((unsigned long long)a) : 64)
GPUPERF_NV(int, ffs, (int a), __builtin_ffs(a)) GPUPERF_NV(int, ffsll, (long long a), __builtin_ffsll(a))
GPUPERF_NV(int, popc, (unsigned a), __builtin_popcount(a)) GPUPERF_NV(int, popcll, (unsigned long long a),
    __builtin_popcountll(a))
GPUPERF_NV(int, float_as_int, (float a), __builtin_bit_cast(int, a)) GPUPERF_NV(unsigned, float_as_uint, (float
    a), __builtin_bit_cast(unsigned, a))
GPUPERF_NV(float, int_as_float, (int a), __builtin_bit_cast(float, a)) GPUPERF_NV(float, uint_as_float, (unsigned
    a), __builtin_bit_cast(float, a))
GPUPERF_NV(unsigned long long, double_as_longlong, (double a), __builtin_bit_cast(unsigned long long, a))
GPUPERF_NV(double, longlong_as_double, (long long a), __builtin_bit_cast(double, a))
GPUPERF_NV(int, double2hiint, (double a), (int)(__builtin_bit_cast(long long, a) >> 32)) GPUPERF_NV(int,
    double2loint, (double a), (int)__builtin_bit_cast(long long, a))
GPUPERF_NV(double, hiloint2double, (int a, int b), __builtin_bit_cast(double, (unsigned long long)(unsigned)a <<
    32 | (unsigned)b))
GPUPERF_NV(int, float2int_rz, (float a), (int)a) GPUPERF_NV(unsigned, float2uint_rz, (float a), (unsigned)a)
    GPUPERF_NV(int, double2int_rz, (double a), (int)a)
GPUPERF_NV(float, int2float_rn, (int a), (float)a) GPUPERF_NV(float, uint2float_rn, (unsigned a), (float)a)
    GPUPERF_NV(double, int2double_rn, (int a), (double)a)
GPUPERF_NV(int, max, (int a, int b), a > b ? a : b) GPUPERF_NV(int, min, (int a, int b), a < b ? a : b)
GPUPERF_NV(unsigned, umax, (unsigned a, unsigned b), a > b ? a : b) GPUPERF_NV(unsigned, umin, (unsigned a,
    unsigned b), a < b ? a : b)
GPUPERF_NV(long long, llmax, (long long a, long long b), a > b ? a : b) GPUPERF_NV(long long, llmin, (long long a,
    long long b), a < b ? a : b)
GPUPERF_NV(int, mulhi, (int a, int b), (int)((long long)a * b >> 32)) GPUPERF_NV(unsigned, umulhi, (unsigned a,
    unsigned b), (unsigned)((unsigned long long)a * b >> 32))
GPUPERF_NV(long long, mul64hi, (long long a, long long b), (long long)((__int128)a * b >> 64))
GPUPERF_NV(unsigned long long, umul64hi, (unsigned long long a, unsigned long long b), (unsigned long
    long)((unsigned __int128)a * b >> 64))
GPUPERF_NV(int, mul24, (int a, int b), a * b) GPUPERF_NV(unsigned, umul24, (unsigned a, unsigned b), a * b)
GPUPERF_NV(int, hadd, (int a, int b), (a & b) + ((a ^ b) >> 1)) GPUPERF_NV(int, rhadd, (int a, int b), (a | b) -
    ((a ^ b) >> 1))
GPUPERF_NV(int, sad, (int a, int b, int c), (a > b ? a - b : b - a) + c)
GPUPERF_NV(float, fadd_rn, (float a, float b), a + b) GPUPERF_NV(float, fsub_rn, (float a, float b), a - b)
    GPUPERF_NV(float, fmul_rn, (float a, float b), a * b)
GPUPERF_NV(float, fdiv_rn, (float a, float b), a / b) GPUPERF_NV(float, frcp_rn, (float a), 1 / a)
    GPUPERF_NV(float, fsqrt_rn, (float a), __builtin_sqrtf(a))
GPUPERF_NV(float, fmaf_rn, (float a, float b, float c), __builtin_fmaf(a, b, c)) GPUPERF_NV(double, fma_rn,
    (double a, double b, double c), __builtin_fma(a, b, c))
GPUPERF_NV(double, dadd_rn, (double a, double b), a + b) GPUPERF_NV(double, dsub_rn, (double a, double b), a - b)
    GPUPERF_NV(double, dmul_rn, (double a, double b), a * b)
GPUPERF_NV(double, ddiv_rn, (double a, double b), a / b) GPUPERF_NV(double, drcp_rn, (double a), 1 / a)
    GPUPERF_NV(double, dsqrt_rn, (double a), __builtin_sqrt(a))
#include <__clang_cuda_libdevice_declares.h>
#include <__clang_cuda_device_functions.h>
#include <__clang_cuda_math.h>
#include <__clang_cuda_intrinsics.h>
#define GPUPERF_ATOMIC(type, name, called) GPUPERF_DEVICE type name(type *p, type value) { return called(p, \
    value); }
#define GPUPERF_ATOMICS(name) GPUPERF_ATOMIC(int, atomic##name, __iAtomic##name) GPUPERF_ATOMIC(unsigned, \
    atomic##name, __uAtomic##name)
#define GPUPERF_EXCHANGE(type, name, called) GPUPERF_DEVICE type name(type *p, type old, type value) { return \
    called(p, old, value); }
#define GPUPERF_SCOPE(scope) GPUPERF_ATOMICS(Add##scope) GPUPERF_ATOMICS(Exch##scope) GPUPERF_ATOMICS(Min##scope) \
    GPUPERF_ATOMICS(Max##scope) \
    GPUPERF_ATOMICS(And##scope) GPUPERF_ATOMICS(Or##scope) GPUPERF_ATOMICS(Xor##scope) \
    GPUPERF_ATOMIC(unsigned, atomicInc##scope, __uAtomicInc##scope) GPUPERF_ATOMIC(unsigned, atomicDec##scope, \
    __uAtomicDec##scope) \
    GPUPERF_ATOMIC(float, atomicAdd##scope, __fAtomicAdd##scope) GPUPERF_ATOMIC(double, atomicAdd##scope, \
    __dAtomicAdd##scope) \
    GPUPERF_ATOMIC(float, atomicExch##scope, __fAtomicExch##scope) GPUPERF_ATOMIC(unsigned long long, \
    atomicExch##scope, __ullAtomicExch##scope) \
    GPUPERF_ATOMIC(unsigned long long, atomicAdd##scope, __ullAtomicAdd##scope) GPUPERF_ATOMIC(unsigned long long, \
    atomicMin##scope, __ullAtomicMin##scope) \
    GPUPERF_ATOMIC(unsigned long long, atomicMax##scope, __ullAtomicMax##scope) GPUPERF_ATOMIC(unsigned long long, \
    atomicAnd##scope, __ullAtomicAnd##scope) \
    GPUPERF_ATOMIC(unsigned long long, atomicOr##scope, __ullAtomicOr##scope) GPUPERF_ATOMIC(unsigned long long, \
    atomicXor##scope, __ullAtomicXor##scope) \
    GPUPERF_ATOMIC(long long, atomicMin##scope, __illAtomicMin##scope) GPUPERF_ATOMIC(long long, atomicMax##scope, \
    __illAtomicMax##scope) \
    GPUPERF_EXCHANGE(int, atomicCAS##scope, __iAtomicCAS##scope) GPUPERF_EXCHANGE(unsigned, atomicCAS##scope, \
    __uAtomicCAS##scope) \
    GPUPERF_EXCHANGE(unsigned long long, atomicCAS##scope, __ullAtomicCAS##scope) \
    GPUPERF_DEVICE int atomicSub##scope(int *p, int value) { return __iAtomicAdd##scope(p, -value); } \
    GPUPERF_DEVICE unsigned atomicSub##scope(unsigned *p, unsigned value) { return __uAtomicAdd##scope(p, -value); }
GPUPERF_SCOPE() GPUPERF_SCOPE(_block) GPUPERF_SCOPE(_system)
GPUPERF_EXCHANGE(unsigned short, atomicCAS, __usAtomicCAS)
#if __CUDA_ARCH__ >= 700
GPUPERF_DEVICE void __nanosleep(unsigned ns) { asm volatile("nanosleep.u32 %0;" :: "r"(ns)); }
#endif
#define GPUPERF_FLOAT(name) GPUPERF_DEVICE float name(float x) { return name##f(x); }
GPUPERF_FLOAT(sqrt) GPUPERF_FLOAT(rsqrt) GPUPERF_FLOAT(cbrt) GPUPERF_FLOAT(exp) GPUPERF_FLOAT(exp2)
    GPUPERF_FLOAT(expm1) GPUPERF_FLOAT(log) GPUPERF_FLOAT(log2)
GPUPERF_FLOAT(log10) GPUPERF_FLOAT(log1p) GPUPERF_FLOAT(sin) GPUPERF_FLOAT(cos) GPUPERF_FLOAT(tan)
    GPUPERF_FLOAT(asin) GPUPERF_FLOAT(acos) GPUPERF_FLOAT(atan)
GPUPERF_FLOAT(sinh) GPUPERF_FLOAT(cosh) GPUPERF_FLOAT(tanh) GPUPERF_FLOAT(erf) GPUPERF_FLOAT(fabs)
    GPUPERF_FLOAT(floor) GPUPERF_FLOAT(ceil) GPUPERF_FLOAT(trunc)
GPUPERF_FLOAT(round) GPUPERF_FLOAT(rint)
GPUPERF_DEVICE float pow(float x, float y) { return powf(x, y); }
GPUPERF_DEVICE double pow(double, int) __asm__("gpuperf_powi"); GPUPERF_DEVICE double pow(double x, int y) {
    return pow(x, (double)y); }
GPUPERF_DEVICE double pow(float, int) __asm__("gpuperf_powif"); GPUPERF_DEVICE double pow(float x, int y) { return
    pow((double)x, (double)y); }
GPUPERF_DEVICE float atan2(float x, float y) { return atan2f(x, y); }
GPUPERF_DEVICE float fmod(float x, float y) { return fmodf(x, y); }
GPUPERF_DEVICE float fma(float x, float y, float z) { return fmaf(x, y, z); }
GPUPERF_DEVICE float abs(float x) { return fabsf(x); }
GPUPERF_DEVICE double abs(double x) { return fabs(x); }
#define GPUPERF_TEST(name, called) GPUPERF_DEVICE bool name(float x) { return called(x); } GPUPERF_DEVICE bool \
    name(double x) { return called(x); }
GPUPERF_TEST(isnan, __builtin_isnan) GPUPERF_TEST(isinf, __builtin_isinf) GPUPERF_TEST(isfinite,
    __builtin_isfinite) GPUPERF_TEST(signbit, __builtin_signbit)
template <class A, class B> GPUPERF_DEVICE auto min(A a, B b) -> decltype(a + b) { return b < a ? b : a; }
template <class A, class B> GPUPERF_DEVICE auto max(A a, B b) -> decltype(a + b) { return a < b ? b : a; }
GPUPERF_DEVICE float min(float a, float b) { return fminf(a, b); }
GPUPERF_DEVICE float max(float a, float b) { return fmaxf(a, b); }
GPUPERF_DEVICE double min(double a, double b) { return fmin(a, b); }
GPUPERF_DEVICE double max(double a, double b) { return fmax(a, b); }
#if __CUDA_ARCH__ >= 700
template <class T> GPUPERF_DEVICE unsigned __match_any_sync(unsigned mask, T value)
{ return sizeof(T) == 8 ? __match64_any_sync(mask, (unsigned long long)value) : __match32_any_sync(mask,
    (unsigned)value); }
template <class T> GPUPERF_DEVICE unsigned __match_all_sync(unsigned mask, T value, int *all)
{ return sizeof(T) == 8 ? __match64_all_sync(mask, (unsigned long long)value, all) : __match32_all_sync(mask,
    (unsigned)value, all); }
#endif
