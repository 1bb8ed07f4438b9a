// The host's calling convention passes vectors as doubles, integers and pointers to copies, each width and type in its own way. Every function of
// OpenCL 1.2 is known there with all of them (passes/ir/host_vectors.h), with and without the registers for wide vectors, and on other hosts.
// RUN: %noplugin -w -x cl -cl-std=CL1.2 -O2 -target x86_64-linux-gnu -emit-llvm -S -Xclang -fno-builtin %s -o - | %profile_ir - > %t.x86-64
// RUN: not grep -E ' call |call\.unknown' %t.x86-64
// RUN: FileCheck %s --input-file=%t.x86-64
// RUN: %noplugin -w -x cl -cl-std=CL1.2 -O1 -target x86_64-linux-gnu -mavx512f -emit-llvm -S -Xclang -fno-builtin %s -o - | %profile_ir - > %t.avx512
// RUN: not grep -E ' call |call\.unknown' %t.avx512
// RUN: FileCheck %s --input-file=%t.avx512
// RUN: %noplugin -w -x cl -cl-std=CL1.2 -Xclang -cl-ext=+all -O1 -target aarch64-linux-gnu -emit-llvm -S -Xclang -fno-builtin %s -o - | %profile_ir - > %t.aarch64
// RUN: not grep -E ' call |call\.unknown' %t.aarch64
// RUN: FileCheck %s --input-file=%t.aarch64

#include "builtins-all.cl"

// A function keeps its elements: two sines of 60 cycles each, not one of a double, of 50.
// CHECK-LABEL: kernel "sines"
// CHECK-NOT: math64
// CHECK: call.library x12
// CHECK-NOT: math64
kernel void sines(global float2 *a) { a[0] = sin(a[1]); }
// CHECK-LABEL: kernel "products"
// CHECK: fp32.fma
kernel void products(global float2 *a, global float *s, int i) { s[i] = dot(a[i], a[i + 1]); }
// CHECK-LABEL: kernel "bytes"
// CHECK: load {{.*}} in global 1x3
// CHECK: store {{.*}} in global 1x3
kernel void bytes(global uchar *a, int i) { vstore3(vload3(i, a).zyx, i, a); }
// CHECK-LABEL: kernel "second_result"
// CHECK: math32
// CHECK-NOT: private
// CHECK: ret
kernel void second_result(global float16 *a) { float16 c; a[0] = sincos(a[1], &c); a[2] = c; }

#define WIDTHS(M) M(2) M(3) M(4) M(8) M(16)

#define FLOATS(W)                                                                                                                                           \
    MATHS(maths_float_##W, float##W, int##W)                                                                                                                \
    MATHS(maths_double_##W, double##W, int##W)                                                                                                              \
    APPROXIMATE(native_float_##W, float##W, native_)                                                                                                        \
    APPROXIMATE(half_float_##W, float##W, half_)                                                                                                            \
    COMMON(common_float_##W, float##W, float)                                                                                                               \
    COMMON(common_double_##W, double##W, double)                                                                                                            \
    RELATIONAL(relational_float_##W, float##W, int##W, uint##W)                                                                                             \
    RELATIONAL(relational_double_##W, double##W, long##W, ulong##W)
WIDTHS(FLOATS)
#define GEOMETRICS(W) GEOMETRIC(geometric_float_##W, float##W, float) GEOMETRIC(geometric_double_##W, double##W, double)
GEOMETRICS(2) GEOMETRICS(3) GEOMETRICS(4)

/* Where numbers may stand beside vectors. */
#define BESIDE(NAME, V, S, I)                                                                                                                               \
    kernel void NAME(global V *a, V x, S s, int k)                                                                                                          \
    {                                                                                                                                                       \
        a[0] = fmax(x, s); a[1] = fmin(x, s); a[2] = max(x, s); a[3] = min(x, s); a[4] = clamp(x, s, s); a[5] = mix(x, x, s);                              \
        a[6] = step(s, x); a[7] = smoothstep(s, s, x); a[8] = ldexp(x, k);                                                                                  \
    }
#define BESIDES(W) BESIDE(beside_float_##W, float##W, float, int##W) BESIDE(beside_double_##W, double##W, double, int##W)
WIDTHS(BESIDES)

#define BITS(NAME, V, U, I, S)                                                                                                                              \
    INTEGERS(integers_##NAME, V, U)                                                                                                                         \
    kernel void bits_##NAME(global V *a, global int *n, V x, V y, I k, U m, S s)                                                                            \
    {                                                                                                                                                       \
        a[0] = bitselect(x, y, x); a[1] = select(x, y, k); a[2] = select(x, y, m); a[3] = max(x, s); a[4] = min(x, s); a[5] = clamp(x, s, s);               \
        n[0] = any(k) + all(k);                                                                                                                             \
    }
#define INTS(W)                                                                                                                                             \
    BITS(char_##W, char##W, uchar##W, char##W, char) BITS(uchar_##W, uchar##W, uchar##W, char##W, uchar)                                                    \
    BITS(short_##W, short##W, ushort##W, short##W, short) BITS(ushort_##W, ushort##W, ushort##W, short##W, ushort)                                          \
    BITS(int_##W, int##W, uint##W, int##W, int) BITS(uint_##W, uint##W, uint##W, int##W, uint)                                                              \
    BITS(long_##W, long##W, ulong##W, long##W, long) BITS(ulong_##W, ulong##W, ulong##W, long##W, ulong)                                                    \
    kernel void upsample_##W(global ushort##W *s, global uint##W *i, global ulong##W *l, global short##W *t, global int##W *j, global long##W *m)           \
    {                                                                                                                                                       \
        uchar##W b = convert_uchar##W(s[0]);                                                                                                                \
        s[1] = upsample(b, b); i[0] = upsample(s[2], s[3]); l[0] = upsample(i[1], i[2]);                                                                    \
        t[1] = upsample(convert_char##W(t[0]), b); j[0] = upsample(t[0], s[0]); m[0] = upsample(j[1], i[0]);                                                \
        i[3] = mul24(i[4], i[5]); i[6] = mad24(i[7], i[8], i[9]); j[3] = mul24(j[4], j[5]); j[6] = mad24(j[7], j[8], j[9]);                                 \
    }
WIDTHS(INTS)

VECTORS(vectors_uchar, uchar)
VECTORS(vectors_short, short)
VECTORS(vectors_uint, uint)
VECTORS(vectors_ulong, ulong)

#define SHUFFLE(NAME, T, U, N, W)                                                                                                                           \
    kernel void shuffle_##NAME##_##N##_##W(global T##N *a, global T##W *b, U##W m) { b[0] = shuffle(a[0], m); b[1] = shuffle2(a[1], a[2], m); }
#define SHUFFLES_FROM(N, W)                                                                                                                                 \
    SHUFFLE(char, char, uchar, N, W) SHUFFLE(uchar, uchar, uchar, N, W) SHUFFLE(short, short, ushort, N, W) SHUFFLE(ushort, ushort, ushort, N, W)           \
    SHUFFLE(int, int, uint, N, W) SHUFFLE(uint, uint, uint, N, W) SHUFFLE(long, long, ulong, N, W) SHUFFLE(ulong, ulong, ulong, N, W)                       \
    SHUFFLE(float, float, uint, N, W) SHUFFLE(double, double, ulong, N, W)
#define SHUFFLES(W) SHUFFLES_FROM(2, W) SHUFFLES_FROM(4, W) SHUFFLES_FROM(8, W) SHUFFLES_FROM(16, W)
SHUFFLES(2) SHUFFLES(4) SHUFFLES(8) SHUFFLES(16)

#define TO_INTEGERS(T, W)                                                                                                                                   \
    CONVERSIONS(T##W##_to_the_char##W, char##W, T##W) CONVERSIONS(T##W##_to_the_uchar##W, uchar##W, T##W)                                                           \
    CONVERSIONS(T##W##_to_the_short##W, short##W, T##W) CONVERSIONS(T##W##_to_the_ushort##W, ushort##W, T##W)                                                       \
    CONVERSIONS(T##W##_to_the_int##W, int##W, T##W) CONVERSIONS(T##W##_to_the_uint##W, uint##W, T##W)                                                               \
    CONVERSIONS(T##W##_to_the_long##W, long##W, T##W) CONVERSIONS(T##W##_to_the_ulong##W, ulong##W, T##W)
#define TO_ALL(T, W) TO_INTEGERS(T, W) TO_FLOAT(T##W##_to_the_float##W, float##W, T##W) TO_FLOAT(T##W##_to_the_double##W, double##W, T##W)
#define FROM_ALL(W)                                                                                                                                         \
    TO_ALL(char, W) TO_ALL(uchar, W) TO_ALL(short, W) TO_ALL(ushort, W) TO_ALL(int, W) TO_ALL(uint, W) TO_ALL(long, W) TO_ALL(ulong, W)                     \
    TO_ALL(float, W) TO_ALL(double, W)
WIDTHS(FROM_ALL)
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
