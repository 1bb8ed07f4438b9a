// Loops over private arrays are unrolled whole up to four times the size of others, as nvcc 13.0 does (its PTX has an array in memory from so many elements on: 107 and 304 of these, 18 of the sort).
// RUN: %clang -x cl -cl-std=CL1.2 -O2 -target nvptx64-nvidia-cuda -march=sm_80 -Xclang -target-feature -Xclang +ptx78 -nogpulib -S -emit-llvm -o /dev/null -fplugin-arg-gpuperf-builtins=early -fplugin-arg-gpuperf-unroll=nvidia -mllvm -unroll-max-upperbound=0 -mllvm -unroll-threshold=600 -mllvm -unroll-partial-threshold=150 -fplugin-arg-gpuperf-warn=none -fplugin-arg-gpuperf-profile=%t.gpuperf %s
// RUN: %gpuperf dis %t.gpuperf | grep -E '^kernel|^  loop|^  private' | sed 's/ *;.*//' | FileCheck %s

#define ALIGNMENT(name, n) \
    __kernel void name(__global const uchar *q, __global const uchar *t, __global int *best, int length) \
    { \
        int g = get_global_id(0), most = 0, row[n + 1]; \
        for (int i = 0; i < n + 1; i++) \
            row[i] = 0; \
        for (int j = 0; j < length; j++) { \
            uchar c = t[g * length + j]; \
            int diagonal = 0; \
            for (int i = 1; i <= n; i++) { \
                int old = row[i], match = diagonal + (q[g * n + i - 1] == c ? 2 : -1); \
                int here = max(0, max(match, max(old - 1, row[i - 1] - 1))); \
                diagonal = old; \
                row[i] = here; \
                most = max(most, here); \
            } \
        } \
        best[g] = most; \
    }

// CHECK-LABEL: kernel "aligned_96"
// CHECK-NOT: private
ALIGNMENT(aligned_96, 96)
// CHECK-LABEL: kernel "aligned_128"
// CHECK: private
ALIGNMENT(aligned_128, 128)

#define PRODUCTS(name, n) \
    __kernel void name(__global float *a, int times) \
    { \
        int t = get_global_id(0); \
        float v[n], s = 0; \
        for (int i = 0; i < n; i++) \
            v[i] = a[t + i * 1024]; \
        for (int j = 0; j < times; j++) \
            for (int i = 0; i < n; i++) \
                v[i] *= a[j]; \
        for (int i = 0; i < n; i++) \
            s += v[i]; \
        a[t] = s; \
    }

// CHECK-LABEL: kernel "products_256"
// CHECK-NOT: private
PRODUCTS(products_256, 256)
// CHECK-LABEL: kernel "products_400"
// CHECK: private
PRODUCTS(products_400, 400)

#define SORT(name, n) \
    __kernel void name(__global float *a) \
    { \
        int t = get_global_id(0); \
        float v[n]; \
        for (int i = 0; i < n; i++) \
            v[i] = a[t + i * 1024]; \
        for (int i = 0; i < n; i++) \
            for (int j = i + 1; j < n; j++) \
                if (v[j] < v[i]) { \
                    float other = v[i]; \
                    v[i] = v[j]; \
                    v[j] = other; \
                } \
        for (int i = 0; i < n; i++) \
            a[t + i * 1024] = v[i]; \
    }

// CHECK-LABEL: kernel "sorted_17"
// CHECK-NOT: private
SORT(sorted_17, 17)
// CHECK-LABEL: kernel "sorted_20"
// CHECK: private
SORT(sorted_20, 20)
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
