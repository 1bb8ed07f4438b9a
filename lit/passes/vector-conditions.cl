// A guard of four comparisons becomes one of vectors where a target has them (or, as SPIR-V, says nothing): each comparison is known all the same.
// RUN: %noplugin -x cl -cl-std=CL1.2 -O2 -target spir64 -emit-llvm -S %s -o %t.ll
// RUN: FileCheck %s --check-prefix=IR < %t.ll
// RUN: %profile_ir %t.ll | FileCheck %s

// IR: icmp {{.*}}<4 x i32>
// IR: <4 x i1> {{.*}} to i4
// CHECK-LABEL: kernel "guarded"
// CHECK-COUNT-4: = icmp.s{{[gl]}}t i32
// CHECK-COUNT-3: = and i1
// CHECK: condbr {{.*}} kind thread
kernel void guarded(global const float *in, global float *out, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1)
        return;
    out[y * w + x] = 0.25f * (in[y * w + x - 1] + in[y * w + x + 1] + in[(y - 1) * w + x] + in[(y + 1) * w + x]);
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
