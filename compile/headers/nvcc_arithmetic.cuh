/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define GPUPERF_NATIVE(name, cuda) GPUPERF_F float native_##name(float x) { return cuda(x); } GPUPERF_F float \
    half_##name(float x) { return cuda(x); }
GPUPERF_NATIVE(sin, __sinf) GPUPERF_NATIVE(cos, __cosf) GPUPERF_NATIVE(exp, __expf) GPUPERF_NATIVE(log, __logf)
    GPUPERF_NATIVE(sqrt, __fsqrt_rn) GPUPERF_NATIVE(rsqrt, rsqrtf)
GPUPERF_NATIVE(exp2, exp2f) GPUPERF_NATIVE(log2, __log2f) GPUPERF_NATIVE(tan, __tanf) GPUPERF_NATIVE(recip,
    __frcp_rn)
GPUPERF_F float native_divide(float a, float b) { return __fdividef(a, b); }
GPUPERF_F float native_powr(float a, float b) { return __powf(a, b); }
GPUPERF_F float powr(float a, float b) { return powf(a, b); }
GPUPERF_F float pown(float a, int b) { return powf(a, (float)b); }
GPUPERF_F float mad(float a, float b, float c) { return fmaf(a, b, c); }
GPUPERF_F double mad(double a, double b, double c) { return fma(a, b, c); }
GPUPERF_F float mix(float a, float b, float t) { return a + (b - a) * t; }
GPUPERF_F float step(float edge, float x) { return x < edge ? 0.0f : 1.0f; }
GPUPERF_F float sign(float x) { return x > 0.0f ? 1.0f : x < 0.0f ? -1.0f : 0.0f; }
GPUPERF_F float degrees(float x) { return x * 57.295779513f; }
GPUPERF_F float radians(float x) { return x * 0.0174532925f; }
#define GPUPERF_CLAMP(T) GPUPERF_F T clamp(T x, T a, T b) { return x < a ? a : x > b ? b : x; }
GPUPERF_CLAMP(int) GPUPERF_CLAMP(uint) GPUPERF_CLAMP(float) GPUPERF_CLAMP(double) GPUPERF_CLAMP(long)
GPUPERF_F int mul24(int a, int b) { return __mul24(a, b); }
GPUPERF_F uint mul24(uint a, uint b) { return __umul24(a, b); }
GPUPERF_F int mad24(int a, int b, int c) { return __mul24(a, b) + c; }
GPUPERF_F uint mad24(uint a, uint b, uint c) { return __umul24(a, b) + c; }
GPUPERF_F int mul_hi(int a, int b) { return __mulhi(a, b); }
GPUPERF_F uint mul_hi(uint a, uint b) { return __umulhi(a, b); }
GPUPERF_F uint rotate(uint x, uint n) { return __funnelshift_l(x, x, n); }
GPUPERF_F int popcount(uint x) { return __popc(x); }
GPUPERF_F uint abs_diff(int a, int b) { return a > b ? (uint)a - (uint)b : (uint)b - (uint)a; }
GPUPERF_F int as_int(float x) { return __float_as_int(x); }
GPUPERF_F uint as_uint(float x) { return __float_as_uint(x); }
GPUPERF_F float as_float(int x) { return __int_as_float(x); }
GPUPERF_F float as_float(uint x) { return __uint_as_float(x); }
#define GPUPERF_CONVERT(T) template <class S> GPUPERF_F T convert_##T(S x) { return (T)x; }
GPUPERF_CONVERT(char) GPUPERF_CONVERT(uchar) GPUPERF_CONVERT(short) GPUPERF_CONVERT(ushort) GPUPERF_CONVERT(int)
    GPUPERF_CONVERT(uint) GPUPERF_CONVERT(long) GPUPERF_CONVERT(ulong)
GPUPERF_CONVERT(float) GPUPERF_CONVERT(double)
#define select(a, b, c) ((c) ? (b) : (a))
#define M_PI_F 3.14159274f
#define MAXFLOAT 3.402823466e+38f
#define M_PI 3.14159265358979323846
#define FLT_MAX MAXFLOAT
#define FLT_MIN 1.175494351e-38f
#define FLT_EPSILON 1.192092896e-07f
#define INFINITY __int_as_float(0x7f800000)
#define NAN __int_as_float(0x7fc00000)
#define CHAR_BIT 8
#define INT_MAX 2147483647
#define INT_MIN (-2147483647 - 1)
#define UINT_MAX 0xffffffffu
