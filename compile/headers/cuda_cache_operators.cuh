/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Loads and stores with a cache operator that clang's own headers lack, and the toolkit's, as clang takes them, too. */
#define GPUPERF_DEVICE static __device__ __forceinline__ __attribute__((nodebug))
#define GPUPERF_LOAD(name, at, ptx, type, word, letter) \
    GPUPERF_DEVICE type name(const type *p) { word v; asm("ld.global." at "." ptx " %0, [%1];" : "=" letter(v) : \
    "l"(p)); return (type)v; }
#define GPUPERF_STORE(name, at, ptx, type, word, letter) \
    GPUPERF_DEVICE void name(type *p, type v) { asm("st.global." at "." ptx " [%0], %1;" :: "l"(p), \
    letter((word)v) : "memory"); }
#define GPUPERF_LOAD2(name, at, ptx, type, word, letter) \
    GPUPERF_DEVICE type name(const type *p) { word x, y; type v; \
        asm("ld.global." at ".v2." ptx " {%0,%1}, [%2];" : "=" letter(x), "=" letter(y) : "l"(p)); v.x = x; v.y = \
    y; return v; }
#define GPUPERF_STORE2(name, at, ptx, type, word, letter) \
    GPUPERF_DEVICE void name(type *p, type v) \
    { asm("st.global." at ".v2." ptx " [%0], {%1,%2};" :: "l"(p), letter((word)v.x), letter((word)v.y) : \
    "memory"); }
#define GPUPERF_LOAD4(name, at, ptx, type, word, letter) \
    GPUPERF_DEVICE type name(const type *p) { word x, y, z, w; type v; \
        asm("ld.global." at ".v4." ptx " {%0,%1,%2,%3}, [%4];" : "=" letter(x), "=" letter(y), "=" letter(z), "=" \
    letter(w) : "l"(p)); \
        v.x = x; v.y = y; v.z = z; v.w = w; return v; }
#define GPUPERF_STORE4(name, at, ptx, type, word, letter) \
    GPUPERF_DEVICE void name(type *p, type v) \
    { asm("st.global." at ".v4." ptx " [%0], {%1,%2,%3,%4};" :: "l"(p), letter((word)v.x), letter((word)v.y), \
    letter((word)v.z), letter((word)v.w) : "memory"); }
#define GPUPERF_CACHED(X, name, at) X(name, at, "s8", char, int, "r") X(name, at, "s8", signed char, int, "r") \
    X(name, at, "u8", unsigned char, unsigned, "r") \
    X(name, at, "s16", short, short, "h") X(name, at, "u16", unsigned short, unsigned short, "h") X(name, at, \
    "s32", int, int, "r") \
    X(name, at, "u32", unsigned, unsigned, "r") X(name, at, "s64", long, long, "l") X(name, at, "u64", unsigned \
    long, unsigned long, "l") \
    X(name, at, "s64", long long, long long, "l") X(name, at, "u64", unsigned long long, unsigned long long, "l") \
    X(name, at, "f32", float, float, "f") X(name, at, "f64", double, double, "d") \
    X##2(name, at, "s8", char2, int, "r") X##2(name, at, "u8", uchar2, unsigned, "r") X##2(name, at, "s16", \
    short2, short, "h") \
    X##2(name, at, "u16", ushort2, unsigned short, "h") X##2(name, at, "s32", int2, int, "r") X##2(name, at, \
    "u32", uint2, unsigned, "r") \
    X##2(name, at, "s64", longlong2, long long, "l") X##2(name, at, "u64", ulonglong2, unsigned long long, "l") \
    X##2(name, at, "f32", float2, float, "f") X##2(name, at, "f64", double2, double, "d") \
    X##4(name, at, "s8", char4, int, "r") X##4(name, at, "u8", uchar4, unsigned, "r") X##4(name, at, "s16", \
    short4, short, "h") \
    X##4(name, at, "u16", ushort4, unsigned short, "h") X##4(name, at, "s32", int4, int, "r") X##4(name, at, \
    "u32", uint4, unsigned, "r") \
    X##4(name, at, "f32", float4, float, "f")
GPUPERF_CACHED(GPUPERF_LOAD, __ldca, "ca") GPUPERF_CACHED(GPUPERF_LOAD, __ldlu, "lu")
GPUPERF_CACHED(GPUPERF_STORE, __stwb, "wb") GPUPERF_CACHED(GPUPERF_STORE, __stcg, "cg")
    GPUPERF_CACHED(GPUPERF_STORE, __stcs, "cs")
