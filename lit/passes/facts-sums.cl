// A sum of two global ids is made of nothing but these: how the range is cut does not matter, on whatever target the ids are sums themselves.
// RUN: %clang -x cl -cl-std=CL1.2 -O2 -target spir64 -emit-llvm -fplugin-arg-gpuperf-profile=%t.spir -c %s -o %t.bc
// RUN: %gpuperf dis %t.spir | FileCheck %s
// RUN: %gpuperf predict --device a100 --local 16x16 %s | FileCheck %s --check-prefix=AGNOSTIC
// RUN: %gpuperf predict --device mi250x --local 16x16 %s | FileCheck %s --check-prefix=AGNOSTIC
// CHECK-COUNT-3: local-size-agnostic yes
// AGNOSTIC-NOT: results may differ between local sizes
kernel void triangle(global const float *in, global float *out, int n)
{
    int i = get_global_id(0), j = get_global_id(1);
    if (i + j < n)
        out[j * n + i] = in[j * n + i];
}

kernel void constant_sum(global const float *in, global float *out, int n)
{
    int i = get_global_id(0), j = get_global_id(1);
    if (i >= n || j >= n || i + j >= 1000)
        return;
    out[j * n + i] = in[i + j];
}

kernel void parity(global const float *in, global float *out, int n)
{
    int i = get_global_id(0), j = get_global_id(1);
    if (((i + j) & 1) == 0)
        out[j * n + i] = in[j * n + i];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
