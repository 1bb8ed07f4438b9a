// Vectors of integers among the arguments: each element is a parameter by itself behind the kernel's own, also where the vector is shuffled, computed with or taken as a whole.
// RUN: %noplugin -x cl -cl-std=CL1.2 -O2 -cl-kernel-arg-info -target spir64 -emit-llvm -S -o %t.ll %s
// RUN: %profile_ir %t.ll | FileCheck %s
// RUN: %profile_ir -addresses=global=128:local=64 %t.ll | FileCheck %s --check-prefix=ADDRESSES

// CHECK-LABEL: kernel "guarded"
// CHECK: param "size": int 128 signed size 16
// CHECK-NEXT: param "x": buffer
// CHECK-NEXT: param "mask": int 16 size 2
// CHECK-NEXT: param "size.x": int 32 skeleton signed bounds 0 size 4 element 0 of 0
// CHECK-NEXT: param "size.y": int 32 signed size 4 element 1 of 0
// CHECK-NEXT: param "size.z": int 32 signed size 4 element 2 of 0
// CHECK-NEXT: param "size.w": int 32 skeleton signed size 4 element 3 of 0
// CHECK-NEXT: param "mask.x": int 8 size 1 element 0 of 2
// CHECK-NEXT: param "mask.y": int 8 skeleton size 1 element 1 of 2
kernel void guarded(int4 size, global float *x, uchar2 mask)
{
    int i = get_global_id(0);
    if (i < size.x && mask.y)
        x[i * size.w] = 1;
}

// In elements: 64 of group 1, 2 y - 2 z - z, each 1024.
// ADDRESSES: mixed: store global 4x1 x+-3840 4
// CHECK-LABEL: kernel "mixed"
// CHECK: param "cut.z": int 32 skeleton signed size 4 element 2 of 1
// CHECK-NOT: weight
kernel void mixed(global float *x, int3 cut)
{
    int3 twice = cut.yxz * 2;
    x[get_global_id(0) + twice.x - twice.z - cut.z] = 1;
}

// CHECK-LABEL: kernel "wide"
// CHECK: param "many.s0": int 16 signed size 2 element 0 of 1
// CHECK: param "many.sf": int 16 skeleton signed size 2 element 15 of 1
kernel void wide(global float *x, short16 many)
{
    x[get_global_id(0) + many.sf] = 1;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
