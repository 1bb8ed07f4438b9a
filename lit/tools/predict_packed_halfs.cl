// Two halfs take as long as one where AMD's GPUs have packed instructions. The HD 6970 has none: the code of the target that stands for it has.
// RUN: %gpuperf predict --device mi250x,hd6970 --local 256 %s | FileCheck %s
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define KERNEL(TYPE, NAME) \
    kernel void NAME(global const TYPE *a, global TYPE *o) \
    { \
        TYPE v = a[get_global_id(0)]; \
        for (int k = 0; k < 200; k++) \
            v = v * (TYPE)1.01f + (TYPE)0.5f; \
        o[get_global_id(0)] = v; \
    }
// CHECK-LABEL: one on mi250x
// CHECK: 256 {{ *}}36[[#]]
// CHECK-LABEL: two on mi250x
// CHECK: 256 {{ *}}36[[#]]
// CHECK-LABEL: one on hd6970
// CHECK: 256 {{ *}}23[[#]]
// CHECK-LABEL: two on hd6970
// CHECK: 256 {{ *}}46[[#]]
KERNEL(half, one)
KERNEL(half2, two)
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
