// What ptxas makes four of again, sixteen in all: loops whose end it sees, and that are short. nvcc 13.0 and ptxas 13 (sm_90), and NVIDIA's OpenCL (driver 580), make the same factors of these.
// RUN: %clang -x cl -cl-std=CL1.2 -O2 -target nvptx64-nvidia-cuda -march=sm_80 -Xclang -target-feature -Xclang +ptx78 -nogpulib -S -emit-llvm -o /dev/null -fplugin-arg-gpuperf-builtins=early -fplugin-arg-gpuperf-unroll=nvidia -mllvm -unroll-max-upperbound=0 -fplugin-arg-gpuperf-warn=none -fplugin-arg-gpuperf-profile=%t.gpuperf %s
// RUN: %gpuperf dis %t.gpuperf | grep -E '^kernel|^  loop' | sed 's/ *;.*//' | FileCheck %s

#define LOOP(name, type, first, expression) \
    __kernel void name(__global const float *restrict a, __global const float *restrict b, __constant float *tab, __local float *sh, __global float *restrict to, type n, int w) \
    { \
        int t = get_global_id(0); \
        float s = 0; \
        for (type i = first; i < n; i++) \
            s += expression; \
        to[t] = s; \
    }

// ---- Where one number is index and end, the end is not seen: indices of a constant step and something added, and products of sums.
// CHECK-LABEL: kernel "plain"
// CHECK-NEXT: unroll 16
LOOP(plain, int, 0, a[i])
// CHECK-LABEL: kernel "sum"
// CHECK-NEXT: unroll 16
LOOP(sum, int, 0, a[t + i])
// CHECK-LABEL: kernel "by_argument"
// CHECK-NEXT: unroll 16
LOOP(by_argument, int, 0, a[t + i * w])
// CHECK-LABEL: kernel "twice"
// CHECK-NEXT: unroll 16
LOOP(twice, int, 0, a[t + i * 2])
// CHECK-LABEL: kernel "step_alone"
// CHECK-NEXT: unroll 16
LOOP(step_alone, int, 0, a[i * 64])
// CHECK-LABEL: kernel "masked"
// CHECK-NEXT: unroll 16
LOOP(masked, int, 0, a[i ^ 1])
// CHECK-LABEL: kernel "step_and_sum"
// CHECK-NEXT: unroll 4
// CHECK-NOT: unroll 16
LOOP(step_and_sum, int, 0, a[t + i * 64])
// CHECK-LABEL: kernel "thrice"
// CHECK-NEXT: unroll 4
// CHECK-NOT: unroll 16
LOOP(thrice, int, 0, a[t + i * 3])
// CHECK-LABEL: kernel "next"
// CHECK-NEXT: unroll 4
// CHECK-NOT: unroll 16
LOOP(next, int, 0, a[(i + 1) * 64])
// CHECK-LABEL: kernel "moved"
// CHECK-NEXT: unroll 4
// CHECK-NOT: unroll 16
LOOP(moved, int, 0, (a + t)[i * 64])
// CHECK-LABEL: kernel "product_of_sum"
// CHECK-NEXT: unroll 4
// CHECK-NOT: unroll 16
LOOP(product_of_sum, int, 0, a[(t + i) * w])
// CHECK-LABEL: kernel "with_plain"
// CHECK-NEXT: unroll 16
LOOP(with_plain, int, 0, a[t + i * 64] * b[i])
// A counter that does not start at zero is no index of that kind.
// CHECK-LABEL: kernel "from_argument"
// CHECK-NEXT: unroll 16
LOOP(from_argument, int, w, a[t + i * 64])
// Nor is the end of long counters seen, but where they only count.
// CHECK-LABEL: kernel "wide"
// CHECK-NEXT: unroll 4
// CHECK-NOT: unroll 16
LOOP(wide, long, 0, a[i])
// CHECK-LABEL: kernel "wide_sum"
// CHECK-NEXT: unroll 4
// CHECK-NOT: unroll 16
LOOP(wide_sum, ulong, 0, a[t + i])
// Of unsigned numbers sums and products may wrap around.
// CHECK-LABEL: kernel "unsigned_plain"
// CHECK-NEXT: unroll 16
LOOP(unsigned_plain, uint, 0, a[i])
// CHECK-LABEL: kernel "unsigned_sum"
// CHECK-NEXT: unroll 4
// CHECK-NOT: unroll 16
LOOP(unsigned_sum, uint, 0, a[t + i])
// CHECK-LABEL: kernel "unsigned_product"
// CHECK-NEXT: unroll 16
LOOP(unsigned_product, uint, 0, a[i * w])
// CHECK-LABEL: kernel "unsigned_step"
// CHECK-NEXT: unroll 4
// CHECK-NOT: unroll 16
LOOP(unsigned_step, uint, 0, a[i * 64])
// CHECK-LABEL: kernel "unsigned_difference"
// CHECK-NEXT: unroll 16
LOOP(unsigned_difference, uint, 0, a[n - i])
// CHECK-LABEL: kernel "unsigned_mixed"
// CHECK-NEXT: unroll 16
LOOP(unsigned_mixed, uint, 0, a[i ^ 1])

// ---- Short: 46 instructions of four iterations, accesses counting twice, with a load of other than constant memory; else 18.
// CHECK-LABEL: kernel "loads_of_eleven"
// CHECK-NEXT: unroll 16
LOOP(loads_of_eleven, int, 0, a[i] * b[i] * sh[i] + a[i + 1000])
// CHECK-LABEL: kernel "loads_of_13"
// CHECK-NEXT: unroll 4
// CHECK-NOT: unroll 16
LOOP(loads_of_13, int, 0, a[i] * b[i] * sh[i] + a[i + 1000] * b[i + 1000])
// CHECK-LABEL: kernel "constants_of_three"
// CHECK-NEXT: unroll 16
LOOP(constants_of_three, int, 0, tab[i])
// CHECK-LABEL: kernel "constants_of_five"
// CHECK-NEXT: unroll 4
// CHECK-NOT: unroll 16
LOOP(constants_of_five, int, 0, tab[i] * tab[t + i])
// CHECK-LABEL: kernel "stores"
// CHECK-NEXT: unroll 16
__kernel void stores(__global float *to, int n, float s, float w)
{
    int t = get_global_id(0);
    for (int i = 0; i < n; i++) {
        s = s * w + w;
        to[t * n + i] = s;
    }
}

// CHECK-LABEL: kernel "stores_of_five"
// CHECK-NEXT: unroll 4
// CHECK-NOT: unroll 16
__kernel void stores_of_five(__global float *to, int n, float s, float w)
{
    int t = get_global_id(0);
    for (int i = 0; i < n; i++) {
        s = s * w + w;
        s = s * w + w;
        s = s * w + w;
        to[t * n + i] = s;
    }
}

// CHECK-LABEL: kernel "atomics"
// CHECK-NEXT: unroll 4
// CHECK-NOT: unroll 16
__kernel void atomics(__global const int *a, __local int *c, int n)
{
    for (int i = 0; i < n; i++)
        atomic_inc(c + (a[i] & 7));
}
// CHECK-LABEL: kernel "minimum"
// A minimum of a counter and a bound is an instruction.
// CHECK-NEXT: unroll 4
// CHECK-NOT: unroll 16
LOOP(minimum, int, 0, a[min(i, w)] * b[min(i + 1, w)] * a[max(i - 1, t)])
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
