// AMD's GPUs since GFX9 make two neighbouring halfs with one instruction: v_pk_add_f16, v_pk_mul_f16, v_pk_fma_f16, v_pk_min_f16, v_pk_max_f16.
// RUN: %plain_cl -target amdgcn-amd-amdhsa -mcpu=gfx90a -nogpulib -S %s -o - | %profile_ir - | FileCheck %s --check-prefixes=CHECK,PACKED
// RUN: %plain_cl -target amdgcn-amd-amdhsa -mcpu=gfx906 -nogpulib -S %s -o - | %profile_ir - | FileCheck %s --check-prefixes=CHECK,PACKED
// RUN: %plain_cl -target amdgcn-amd-amdhsa -mcpu=gfx1032 -nogpulib -S %s -o - | %profile_ir - | FileCheck %s --check-prefixes=CHECK,PACKED
// RUN: %plain_cl -target amdgcn-amd-amdhsa -mcpu=gfx1100 -nogpulib -S %s -o - | %profile_ir - | FileCheck %s --check-prefixes=CHECK,PACKED
// RUN: %plain_cl -target amdgcn-amd-amdhsa -mcpu=gfx803 -nogpulib -S %s -o - | %profile_ir - | FileCheck %s --check-prefixes=CHECK,SINGLE
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

// CHECK-LABEL: kernel "one"
// CHECK: : fp16.fma uniform
kernel void one(global half *x, half a, half b) { *x = *x * a + b; }

// CHECK-LABEL: kernel "two"
// PACKED: : fp16.fma uniform
// SINGLE: : fp16.fma x2
kernel void two(global half2 *x, half2 a, half2 b) { *x = *x * a + b; }

// CHECK-LABEL: kernel "three"
// PACKED: : fp16.mul x2
// SINGLE: : fp16.mul x{{[34]}}
kernel void three(global half3 *x, half3 a) { *x = *x * a; }

// CHECK-LABEL: kernel "four"
// PACKED: : fp16.add x2
// SINGLE: : fp16.add x4
kernel void four(global half4 *x, half4 a) { *x = *x + a; }

// CHECK-LABEL: kernel "eight"
// PACKED: : fp16.fma x4
// SINGLE: : fp16.fma x8
kernel void eight(global half8 *x, half8 a, half8 b) { *x = __builtin_elementwise_fma(*x, a, b); }

// CHECK-LABEL: kernel "least"
// PACKED: : fp16.cmp uniform
// SINGLE: : fp16.cmp x2
kernel void least(global half2 *x, half2 a) { *x = __builtin_elementwise_min(*x, a); }

// CHECK-LABEL: kernel "differences"
// PACKED: : fp16.add x2
// SINGLE: : fp16.add x4
kernel void differences(global half4 *x, half4 a) { *x = *x - a; }

// Of eight, LLVM takes them one by one, but with a product as one operation.
// CHECK-LABEL: kernel "more_differences"
// CHECK: : fp16.add x8
kernel void more_differences(global half8 *x, half8 a) { *x = *x - a; }
// CHECK-LABEL: kernel "fused_differences"
// PACKED: : fp16.fma x4
// SINGLE: : fp16.fma x8
kernel void fused_differences(global half8 *x, half8 a, half8 b) { *x = *x * a - b; }

// Elements that decide a branch are executed one by one; the two are paid once, all the same.
// CHECK-LABEL: kernel "by_one"
// CHECK: = fadd f16 {{.*}}: fp16.add
// PACKED-NOT: fp16.add
// SINGLE: : fp16.add
// CHECK-LABEL: kernel "by_both"
// CHECK: = fadd f16 {{.*}}: fp16.add
// PACKED: = fadd f16 {{.*}}: free
// SINGLE: = fadd f16 {{.*}}: fp16.add
// CHECK-LABEL: kernel "quotients"
kernel void by_one(global half2 *x, half2 a) { for (half2 v = 0; v.s0 < (half)100; v += a) *x = v; }
kernel void by_both(global half2 *x, half2 a) { for (half2 v = 0; v.s0 < (half)100 && v.s1 < (half)50; v += a) *x = v; }

// CHECK: : fp16.div x2
kernel void quotients(global half2 *x, half2 a) { *x = *x / a; }

// CHECK-LABEL: kernel "rounded"
// CHECK: : fp16.add x2
kernel void rounded(global half2 *x) { *x = __builtin_elementwise_floor(*x); }

// CHECK-LABEL: kernel "converted"
// CHECK: : cvt.32 x2
kernel void converted(global half2 *x, global float2 *y) { *y = __builtin_convertvector(*x, float2); }

// CHECK-LABEL: kernel "compared"
// CHECK: : fp16.cmp x2
kernel void compared(global half2 *x, half2 a, half2 b) { *x = *x < a ? a : b; }
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
