// Products of a wave (MFMA): multiply-adds per lane are the result's elements per lane times k.
// RUN: %noplugin -x cl -cl-std=CL1.2 -O2 -target amdgcn-amd-amdhsa -mcpu=gfx90a -nogpulib -emit-llvm -S %s -o - | %profile_ir - | FileCheck %s
typedef _Float16 half4_t __attribute__((ext_vector_type(4)));
typedef float float4_t __attribute__((ext_vector_type(4)));
typedef float float16_t __attribute__((ext_vector_type(16)));

// Result elements per lane times k: 16 x 8, and with four blocks of 16 x 16 in floats 16 x 1.
// CHECK-LABEL: kernel "waves"
// CHECK-DAG: matrix.fp16_fp32 x128
// CHECK-DAG: matrix.tf32 x16
__kernel void waves(__global float16_t *d, __global const half4_t *a, __global const float *b)
{
    uint i = get_local_id(0);
    float16_t sum = __builtin_amdgcn_mfma_f32_32x32x8f16(a[i], a[i + 64], (float16_t)(0), 0, 0, 0);
    d[i] = sum + __builtin_amdgcn_mfma_f32_16x16x1f32(b[i], b[i + 64], (float16_t)(0), 0, 0, 0);
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
