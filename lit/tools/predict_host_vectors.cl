// A CPU's calling convention passes a float2 as a double, an uchar4 as an integer, an int16 by its address: such calls are known all the same, and the
// kernel computes the same with every local size. The source's functions are expanded before the optimiser runs here, behind it in lit/passes/host-vectors.cl.
// RUN: %gpuperf predict --device pocl-cpu --local 64 %s > %t
// RUN: FileCheck %s --input-file=%t --implicit-check-not='not known'
// CHECK: dots on pocl-cpu
// CHECK: differences on pocl-cpu
// CHECK: pixels on pocl-cpu
// CHECK: pairs on pocl-cpu
// CHECK: sincosines on pocl-cpu
kernel void dots(global const float2 *a, global float *o) { int x = get_global_id(0); o[x] = dot(a[x], a[x]) + length(a[x + 1]); }
kernel void differences(global const int16 *a, global uint16 *o) { int x = get_global_id(0); o[x] = abs_diff(a[x], a[x + 1]); }
kernel void pixels(global const uchar *a, global uchar *o) { int x = get_global_id(0); vstore3(vload3(x, a).zyx, x, o); vstore4(vload4(x, a), x, o); }
kernel void pairs(global const int2 *a, global int2 *o) { int x = get_global_id(0); o[x] = mul24(a[x], a[x + 1]); }
kernel void sincosines(global float8 *a) { float8 c; int x = get_global_id(0); a[x] = sincos(a[x], &c) + c; }
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
