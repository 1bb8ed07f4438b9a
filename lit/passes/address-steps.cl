// Addresses in loops cost what code generators make of them: a step of a pointer for all that lie constants apart, nothing for what they were computed from.
// RUN: %noplugin -x cl -cl-std=CL1.2 -O2 -fno-unroll-loops -target nvptx64-nvidia-cuda -march=sm_80 -Xclang -target-feature -Xclang +ptx78 -nogpulib -emit-llvm -S %s -o %t.ll
// RUN: %profile_ir %t.ll | FileCheck %s --check-prefixes=CHECK,NV,NVIDIA
// RUN: %noplugin -x cl -cl-std=CL1.2 -O2 -fno-unroll-loops -target nvptx64-nvidia-cuda -march=sm_50 -Xclang -target-feature -Xclang +ptx78 -nogpulib -emit-llvm -S %s -o %t.50.ll
// RUN: %profile_ir %t.50.ll | FileCheck %s --check-prefixes=CHECK,PAIR,NVIDIA
// RUN: %noplugin -x cl -cl-std=CL1.2 -O2 -fno-unroll-loops -target amdgcn-amd-amdhsa -mcpu=gfx906 -nogpulib -emit-llvm -S %s -o %t.amd.ll
// RUN: %profile_ir %t.amd.ll | FileCheck %s --check-prefixes=CHECK,PAIR,AMD

// Two pointers and the counter of the loop: nvcc 13.0 has IADD3, IADD3.X and IMAD.WIDE, LLVM's code for gfx906 two v_add_co, v_addc_co.
// CHECK-LABEL: kernel "product"
// CHECK: block 1: ipdom
// CHECK: add i64 {{.*}} : int64.add
// CHECK: load {{.*}} base $0
// CHECK: mul i32 {{.*}} : free
// NV: add i64 {{.*}} : int32.mad
// PAIR: add i64 {{.*}} : int64.add
// CHECK: load {{.*}} base $1
// CHECK-NOT: : int64
// CHECK-NOT: : int32.m
// CHECK: add i32 %{{[0-9]+}}, 1 : int32.add
// CHECK: icmp
kernel void product(global const float *a, global const float *b, global float *c, int n)
{
    int x = get_local_id(0), y = get_local_id(1) * n;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[y + k] * b[k * n + x];
    c[y + x] = sum;
}

// Neighbours: the pointer's immediates.
// CHECK-LABEL: kernel "neighbours"
// CHECK: block 1: ipdom
// CHECK: add i64 {{.*}} : int64.add
// CHECK: load
// CHECK-NOT: : int64.add
// CHECK-NOT: : int32.m
// CHECK: load
// CHECK: block 2:
kernel void neighbours(global const float *a, global float *c, int n)
{
    int y = get_local_id(0) * n;
    float sum = 0;
    for (int k = 1; k + 1 < n; k++)
        sum = sum * sum + a[y + k - 1] + a[y + k + 1];
    c[y] = sum;
}

// Unsigned indices may wrap around in 32 bits: each is computed and extended. AMD's scalar unit makes the product.
// CHECK-LABEL: kernel "wrapping"
// CHECK: block 1: ipdom
// NVIDIA: : int32.mad
// AMD: mul i32 {{.*}} : int32.mul uniform
// AMD-NEXT: : int32.add
// CHECK: load
kernel void wrapping(global const float *a, global float *c, uint n)
{
    uint x = get_local_id(0) * 3;
    float sum = 0;
    for (uint k = 0; k < n; k++)
        sum = sum * sum + a[k * n + x];
    c[x] = sum;
}

// What is stored, too, is computed whatever its use in an address.
// CHECK-LABEL: kernel "used"
// CHECK: block 1: ipdom
// NVIDIA: : int32.mad
// AMD: mul i32 {{.*}} : int32.mul uniform
// AMD-NEXT: : int32.add
// CHECK: store
kernel void used(global int *a, int n)
{
    int x = get_local_id(0);
    for (int k = 0; k < n; k++) {
        int i = k * n + x;
        a[i] = i;
    }
}

// What an inner loop's pointer starts from is computed in the outer one. That sums of signed numbers do not wrap around is forgotten where LLVM moves the row out of the inner
// loop; nvcc has it in mind, LLVM for AMD's has not.
// CHECK-LABEL: kernel "nested"
// CHECK: block 1: ipdom
// NVIDIA: mul i32
// NVIDIA: : int32.mad
// AMD: mul i32 {{.*}} : int32.mul uniform
// AMD-NEXT: : int32.add
// CHECK: block 2: ipdom
// NVIDIA: add i32 %{{.*}}, %{{.*}} : free
// NVIDIA: int64.add
// AMD: add i32 %{{.*}}, %{{.*}} : int32.add
// CHECK: load
kernel void nested(global const float *a, global float *c, int n)
{
    int x = get_local_id(0);
    float sum = 0;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            sum = sum * sum + a[j * n + i + x];
    c[x] = sum;
}

// A pointer that the source moves itself pays its step, once.
// CHECK-LABEL: kernel "moved"
// CHECK: block 1: ipdom
// CHECK: load
// CHECK: add i64 {{.*}} : int64.add
// CHECK-NOT: : int64.add
// CHECK: block 2:
kernel void moved(global const float *a, global float *c, int n)
{
    float sum = 0;
    for (global const float *p = a + get_local_id(0), *end = p + n; p != end; p += 4)
        sum = sum * sum + p[0] + p[1];
    c[get_local_id(0)] = sum;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
