// A dimension that a kernel does not look along is 1, whatever lies behind it: with more, work-items would do the same over and over.
// RUN: %gpuperf predict --device a100 --local 64x1x1 %s | FileCheck %s

// CHECK: batched on a100
// CHECK-NEXT: launch     global 1024x1x1024, n=1024, b=1024; all of it assumed
kernel void batched(global const float *a, global float *o, int n, int b)
{
    int i = get_global_id(0), k = get_global_id(2);
    if (i < n && k < b)
        o[k * n + i] = a[k * n + i] * 2;
}

// CHECK: second on a100
// CHECK-NEXT: launch     global 1x1048576, n=1048576; all of it assumed
kernel void second(global const float *a, global float *o, int n)
{
    int i = get_global_id(1);
    if (i < n)
        o[i] = a[i] * 2;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
