// Guards by what is made of arguments: they are as large as lets all work-items pass, what is not stated being what is assumed.
// RUN: %gpuperf predict --device a100 --local 256 %s | FileCheck %s

#define ID get_global_id(0)

// CHECK-LABEL: quotient on
// CHECK: launch     global 1048576, n=4194304
__kernel void quotient(__global float *y, int n) { int i = ID; if (i < n / 4) y[i] *= 2; }
// CHECK-LABEL: product on
// CHECK: launch     global 1048576, n=262144
__kernel void product(__global float *y, int n) { int i = ID; if (i < n * 4) y[i] *= 2; }
// CHECK-LABEL: difference on
// CHECK: launch     global 1048576, n=1049600, r=1024
__kernel void difference(__global float *y, int n, int r) { int i = ID; if (i >= n - r) return; y[i] *= 2; }
// CHECK-LABEL: sum on
// CHECK: launch     global 1048576, n=1049600, m=1024
__kernel void sum(__global float *y, int n, int m) { int i = ID; if (i + m < n) y[i] *= 2; }
// CHECK-LABEL: least on
// CHECK: launch     global 1048576, n=1048576, m=1048576
__kernel void least(__global float *y, int n, int m) { int i = ID; if (i >= min(n, m)) return; y[i] *= 2; }
// CHECK-LABEL: row_of_a_warp on
// CHECK: launch     global 1048576, n=32768
__kernel void row_of_a_warp(__global float *y, int n) { int r = ID / 32, lane = get_local_id(0) & 31; if (lane == 0 && r < n) y[r] *= 2; }
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
