// Structures passed by value: each integer of one is a parameter behind the kernel's own, which the launch decides, by the number of bytes before it where the source's names are not known. What the kernel writes to stays memory.
// RUN: %noplugin -x cl -cl-std=CL1.2 -O2 -cl-kernel-arg-info -target spir64 -emit-llvm -S -o %t.spir.ll %s
// RUN: %profile_ir %t.spir.ll | FileCheck %s
// RUN: %noplugin -x cl -cl-std=CL1.2 -O2 -cl-kernel-arg-info -target nvptx64-nvidia-cuda -nogpulib -emit-llvm -S -o %t.ptx.ll %s
// RUN: %profile_ir %t.ptx.ll | FileCheck %s
// RUN: %noplugin -x cl -cl-std=CL1.2 -O2 -cl-kernel-arg-info -target amdgcn-amd-amdhsa -nogpulib -emit-llvm -S -o %t.amd.ll %s
// RUN: %profile_ir %t.amd.ll | FileCheck %s
// RUN: %noplugin -x cl -cl-std=CL1.2 -O2 -cl-kernel-arg-info -target x86_64 -emit-llvm -S -o %t.host.ll %s
// RUN: %profile_ir %t.host.ll | FileCheck %s
struct Inner { short small; int list[3]; };
struct Dims { int rows; uint width; ulong count; struct Inner inner; float scale; int2 pair; };

// CHECK-LABEL: kernel "bounded"
// CHECK: param "d": other
// CHECK: param "d.0": int 32 skeleton signed bounds 0 size 4 element 0 of 0
// CHECK-NEXT: param "d.4": int 32 skeleton signed size 4 element 1 of 0
// CHECK-NEXT: param "d.8": int 64 skeleton signed size 8 element 1 of 0
// CHECK-NEXT: param "d.16": int 16 signed size 2 element 8 of 0
// CHECK-NEXT: param "d.20": int 32 signed size 4 element 5 of 0
// CHECK-NEXT: param "d.24": int 32 skeleton signed size 4 element 6 of 0
// CHECK-NEXT: param "d.28": int 32 signed size 4 element 7 of 0
// CHECK-NEXT: param "d.40": int 32 signed size 4 element 10 of 0
// CHECK-NEXT: param "d.44": int 32 skeleton signed size 4 element 11 of 0
// CHECK-NOT: load {{.*}} 4x1 {{.*}} base $d
kernel void bounded(struct Dims d, global float *x)
{
    int i = get_global_id(0);
    if (i >= d.rows)
        return;
    float s = 0;
    for (ulong j = 0; j < d.count; j++)
        s += x[i + j * d.width + d.inner.list[1] + d.pair.y];
    x[i] = s;
}

// CHECK-LABEL: kernel "written"
// CHECK: in private
kernel void written(struct Dims d, global float *x)
{
    int i = get_global_id(0);
    d.inner.list[i & 1] = i;
    for (int j = 0; j < d.inner.list[0]; j++)
        x[i + j] = 1;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
