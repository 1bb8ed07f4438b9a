// What the kernel's annotation gets wrong is told, with the names that there are; the compile goes on.
// RUN: %cl -c %s -o %t.bc 2>&1 | FileCheck %s
// RUN: %cl -w -c %s -o %t.bc 2>&1 | count 0
// RUN: not %cl -Werror -c %s -o %t.bc 2>&1 | FileCheck %s --check-prefix=ERROR

// CHECK: :[[@LINE+2]]:16: warning: gpuperf: 'zz' in the annotation is no scalar argument of kernel 'misspelt'; the names are global, local, trip, n, scale
// ERROR: error: gpuperf: 'zz' in the annotation is no scalar argument {{.*}} [-Werror]
__attribute__((annotate("gpuperf: global=4096 zz=3 n=4096")))
kernel void misspelt(global float *out, int n, float scale) { out[get_global_id(0)] = n * scale; }

// CHECK: :[[@LINE+1]]:16: warning: gpuperf: 'out' in the annotation is no scalar argument
__attribute__((annotate("gpuperf: out=3")))
kernel void buffer(global float *out) { out[get_global_id(0)] = 1; }

// CHECK: :[[@LINE+1]]:16: warning: gpuperf: 'local=wide' in the annotation: expected local=X, XxY or XxYxZ
__attribute__((annotate("gpuperf: local=wide")))
kernel void size(global float *out) { out[get_global_id(0)] = 2; }

// Each mistake is told.
// CHECK: :[[@LINE+3]]:16: warning: gpuperf: 'global=0' in the annotation: expected global=X, XxY or XxYxZ
// CHECK: :[[@LINE+2]]:16: warning: gpuperf: 'n=x' in the annotation: expected n=INTEGER
// CHECK: :[[@LINE+1]]:16: warning: gpuperf: 'q' in the annotation is no scalar argument
__attribute__((annotate("gpuperf: global=0 n=x q=1")))
kernel void several(global float *out, int n) { out[get_global_id(0)] = n; }

// CHECK: :[[@LINE+1]]:16: warning: gpuperf: 'local=16x3' in the annotation does not divide its global size, as launches before OpenCL 2.0 must
__attribute__((annotate("gpuperf: global=64x64 local=16x3")))
kernel void indivisible(global float *out) { out[get_global_id(1) * 64 + get_global_id(0)] = 1; }

// What means us and does not begin as it should is not read, and that is said.
// CHECK: :[[@LINE+1]]:16: warning: gpuperf: the annotation 'gpuperf global=64' is not read; what gpuperf reads begins with 'gpuperf:'
__attribute__((annotate("gpuperf global=64")))
kernel void without_colon(global float *out) { out[get_global_id(0)] = 6; }

// CHECK: :[[@LINE+1]]:16: warning: gpuperf: the annotation 'GPUPERF: global=64' is not read
__attribute__((annotate("GPUPERF: global=64")))
kernel void capitals(global float *out) { out[get_global_id(0)] = 7; }

// CHECK-NOT: warning:
__attribute__((annotate("gpuperf_of_another_tool global=64")))
kernel void not_ours(global float *out) { out[get_global_id(0)] = 8; }

__attribute__((annotate("gpuperf: global=4096x2 local=32 trip=4 n=0x10")))
kernel void fine(global float *out, int n) { out[get_global_id(0)] = n; }

// CHECK: :[[@LINE+1]]:16: warning: gpuperf: 'trip=0' in the annotation: expected trip=COUNT
__attribute__((annotate("gpuperf: trip=0")))
kernel void trips(global float *out, global const int *counts)
{
    float sum = 0;
    for (int i = 0; i < counts[0]; i++)
        sum += out[i];
    out[get_global_id(0)] = sum;
}

// Vectors of more elements than OpenCL C has: they have no names.
typedef int wide __attribute__((ext_vector_type(4194304)));
// CHECK: :[[@LINE+1]]:16: warning: gpuperf: 'v.q' in the annotation is no scalar argument of kernel 'extended'
__attribute__((annotate("gpuperf: v.q=3")))
kernel void extended(global float *out, wide v) { out[get_global_id(0)] = 4; }

// What the device does not take is told where it is stated. (At the end, since these warnings come last.)
// CHECK: :[[@LINE+1]]:16: warning: gpuperf: no prediction for a100: kernel 'large': a local size of 2048x1x1 is more than the 1024 work-items per group of a100
__attribute__((annotate("gpuperf: local=2048")))
kernel void large(global float *out) { out[get_global_id(0)] = 3; }
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
