// The second result of a function of halves is an integer of 32 bits, wider than they are.
// RUN: %plain_cl -S %s -o - | %profile_ir - | FileCheck %s
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

// CHECK-LABEL: kernel "exponents"
// CHECK-NOT: trunc i16 %
// CHECK: zext i16 %{{[0-9]+}} to i32
// CHECK-NOT: trunc i16 %
// CHECK-LABEL: kernel "quotients"
kernel void exponents(global half *a, global int *b)
{
    int e, i = get_global_id(0);
    a[i] = frexp(a[i], &e);
    b[e & 255] = e;
}

// CHECK-NOT: trunc i16 %
// CHECK: zext i16 %{{[0-9]+}} to i32
// CHECK-NOT: trunc i16 %
// CHECK-LABEL: kernel "narrowed"
kernel void quotients(global half2 *a, global int *b)
{
    int2 q;
    int i = get_global_id(0);
    a[i] = remquo(a[i], a[i + 1], &q);
    b[q.y & 255] = i;
}

// CHECK: trunc i64 %{{[0-9]+}} to i32
kernel void narrowed(global double *a, global int *b)
{
    int e, i = get_global_id(0);
    a[i] = frexp(a[i], &e);
    b[e & 255] = e;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
