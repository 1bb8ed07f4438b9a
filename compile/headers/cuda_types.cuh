/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the toolkit's headers declare, and ROCm's, as far as clang's own do not: these need a few names of the former.
 * Vectors are aligned to at most 16 bytes. */
typedef __SIZE_TYPE__ size_t;
#define GPUPERF_BOTH static __host__ __device__ __forceinline__ __attribute__((nodebug))
#define GPUPERF_VECTORS(type, name, align4) struct name##1 { type x; }; struct __attribute__((aligned(2 * \
    sizeof(type)))) name##2 { type x, y; }; \
    struct name##3 { type x, y, z; }; struct __attribute__((aligned(align4))) name##4 { type x, y, z, w; }; \
    GPUPERF_BOTH name##1 make_##name##1(type x) { name##1 v = {x}; return v; } GPUPERF_BOTH name##2 \
    make_##name##2(type x, type y) { name##2 v = {x, y}; return v; } \
    GPUPERF_BOTH name##3 make_##name##3(type x, type y, type z) { name##3 v = {x, y, z}; return v; } \
    GPUPERF_BOTH name##4 make_##name##4(type x, type y, type z, type w) { name##4 v = {x, y, z, w}; return v; }
GPUPERF_VECTORS(signed char, char, 4) GPUPERF_VECTORS(unsigned char, uchar, 4) GPUPERF_VECTORS(short, short, 8)
    GPUPERF_VECTORS(unsigned short, ushort, 8)
GPUPERF_VECTORS(int, int, 16) GPUPERF_VECTORS(unsigned, uint, 16) GPUPERF_VECTORS(long, long, 16)
    GPUPERF_VECTORS(unsigned long, ulong, 16)
GPUPERF_VECTORS(long long, longlong, 16) GPUPERF_VECTORS(unsigned long long, ulonglong, 16) GPUPERF_VECTORS(float,
    float, 16) GPUPERF_VECTORS(double, double, 16)
#undef GPUPERF_VECTORS
struct dim3 { unsigned x, y, z; __host__ __device__ constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1)
    : x(x), y(y), z(z) {}
    __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {} __host__ __device__ constexpr operator
    uint3() const { return uint3{x, y, z}; } };
