// A function that is inline and nothing else has its definition elsewhere, as C99 says. The analysis has its body all the same: as if it were static.
// RUN: %cl -c -o %t.bc -fplugin-arg-gpuperf-profile=%t.1 %s && %gpuperf dis %t.1 | FileCheck %s
// RUN: %cl -c -o %t.bc -fplugin-arg-gpuperf-profile=%t.2 -DSTATIC=static %s && %gpuperf dis %t.2 > %t.2.txt && %gpuperf dis %t.1 > %t.1.txt && diff %t.1.txt %t.2.txt
// The code is what it is without the plugin, annotations what they are with a body.
// RUN: %noplugin -x cl -O2 -target spir64 -emit-llvm -c %s -o %t.3 && %clang -fplugin-arg-gpuperf-annotate=off -x cl -O2 -target spir64 -emit-llvm -c %s -o %t.4 && cmp %t.3 %t.4
// RUN: %noplugin -x cl -O2 -target nvptx64-nvidia-cuda -march=sm_80 -Xclang -target-feature -Xclang +ptx83 -nogpulib -S %s -o %t.3 && %clang -fplugin-arg-gpuperf-annotate=off -x cl -O2 -target nvptx64-nvidia-cuda -march=sm_80 -Xclang -target-feature -Xclang +ptx83 -nogpulib -S %s -o %t.4 && cmp %t.3 %t.4
// RUN: %cl -S -o - %s | FileCheck --check-prefix=CODE %s
// CODE: define {{.*}} @k({{.*}} !gpuperf
// CODE: declare {{.*}} @big(
// CHECK: kernel "k"
// CHECK-NOT: callee
// CHECK: math32.trig
// CHECK-NOT: = call
#ifndef STATIC
#define STATIC
#endif
STATIC inline float big(global const float *a, int i, int n)
{
    float s = 0;
    for (int k = 0; k < 16; k++) {
        s += a[i * n + k] * sin(s) + cos(a[k]);
        s = s * s + exp(s) * a[i * n + k + 1] + tan(s) + sinh(s);
        s += log(s) * a[i * n + k + 2] + pow(s, a[k]) + cosh(s) * atan2(s, a[i]);
        s = fmin(s, a[i * n + k + 3]) * s + s * cos(s) + sin(s * a[i * n + k + 4]);
    }
    return s;
}
kernel void k(global const float *a, global float *o, int n)
{
    int i = get_global_id(0);
    o[i] = big(a, i, n) + big(o, i, n) + big(a, i + 1, n);
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
