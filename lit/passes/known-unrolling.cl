// What ptxas unrolls of loops of a known number of iterations, after libNVVM: all iterations where their number times the square of the body's size is below a limit, which look-ups in tables of constants raise; else as many as are 350
// instructions of PTX. ptxas 13 (nvcc 13.0 for sm_90, and NVIDIA's OpenCL's code for 300 products: 60 iterations are one).
// RUN: %clang -x cl -cl-std=CL1.2 -O2 -target nvptx64-nvidia-cuda -march=sm_80 -Xclang -target-feature -Xclang +ptx78 -nogpulib -S -emit-llvm -o /dev/null -fplugin-arg-gpuperf-builtins=early -fplugin-arg-gpuperf-unroll=nvidia -mllvm -unroll-max-upperbound=0 -mllvm -unroll-threshold=600 -mllvm -unroll-partial-threshold=150 -fplugin-arg-gpuperf-warn=none -fplugin-arg-gpuperf-profile=%t.gpuperf %s
// RUN: %gpuperf dis %t.gpuperf | grep -E '^kernel|^  loop' | sed 's/ *;.*//' | FileCheck %s

#define LOOP(name, unrolling, times, expression) \
    __kernel void name(__global const float *restrict a, __constant float *tab, __global float *restrict to, int w) \
    { \
        int t = get_global_id(0); \
        float s = 0; \
        unrolling for (int i = 0; i < times; i++) \
            s += expression; \
        to[t] = s; \
    }

// CHECK-LABEL: kernel "products"
// CHECK-NEXT: trips 5
// CHECK-NOT: loop
LOOP(products,, 300, a[t + i] * a[i * 9])

// As the source says: libNVVM's code says so to ptxas.
// CHECK-LABEL: kernel "products_by_four"
// CHECK-NEXT: trips 75
LOOP(products_by_four, _Pragma("unroll 4"), 300, a[t + i] * a[i * 9])

// CHECK-LABEL: kernel "products_as_they_are"
// CHECK-NEXT: trips 300
LOOP(products_as_they_are, _Pragma("unroll 1"), 300, a[t + i] * a[i * 9])

// CHECK-LABEL: kernel "sums"
// CHECK-NOT: loop
LOOP(sums,, 64, a[t + i * 64])

// An operation on a vector is one for each element, an access one (nvcc 13.0: 52 iterations are one).
// CHECK-LABEL: kernel "vectors"
// CHECK-NEXT: trips 10
__kernel void vectors(__global const float4 *a, __global float4 *to, float4 k)
{
    int t = get_global_id(0);
    float4 s = 0;
    for (int i = 0; i < 500; i++)
        s += a[t + i * 1024] * k;
    to[t] = s;
}

// ptxas unrolls no divisions of integers: this factor is libNVVM's.
// CHECK-LABEL: kernel "quotients"
// CHECK-NEXT: trips 30
LOOP(quotients,, 300, (int)a[t + i * 64] / w)

// What would be too much code wholly is unrolled in part.
// CHECK-LABEL: kernel "table"
// CHECK-NEXT: trips 40
LOOP(table,, 2000, a[t + i * 64] * tab[i])
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
