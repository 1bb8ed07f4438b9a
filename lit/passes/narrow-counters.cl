// A grid-stride loop whose counter is an int: the sum with get_global_size() has 64 bits, of which the source keeps 32. Its bound is known, on any target.
// RUN: %noplugin -x cl -cl-std=CL1.2 -O2 -target spir64 -emit-llvm -S %s -o %t.ll && %profile_ir %t.ll | FileCheck %s
// RUN: %noplugin -x cl -cl-std=CL1.2 -O2 -target nvptx64-nvidia-cuda -march=sm_80 -Xclang -target-feature -Xclang +ptx78 -nogpulib -emit-llvm -S %s -o %t.ll && %profile_ir %t.ll | FileCheck %s
// RUN: %noplugin -x cl -cl-std=CL1.2 -O2 -target amdgcn-amd-amdhsa -mcpu=gfx906 -nogpulib -emit-llvm -S %s -o %t.ll && %profile_ir %t.ll | FileCheck %s

// CHECK-LABEL: kernel "stride"
// CHECK: loop 0: {{.*}} bound induction trips %{{[0-9]+}}
// CHECK: induction %{{[0-9]+}} loop 0 step
// CHECK-NOT: ashr
// CHECK: phi i32
kernel void stride(global const float *x, global float *y, int n)
{
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        y[i] = 2 * x[i];
}

// A counter of 64 bits stays one.
// CHECK-LABEL: kernel "wide"
// CHECK: loop 0: {{.*}} trips
// CHECK: phi i64
kernel void wide(global const float *x, global float *y, ulong n)
{
    for (ulong i = get_global_id(0); i < n; i += get_global_size(0))
        y[i] = 2 * x[i];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
