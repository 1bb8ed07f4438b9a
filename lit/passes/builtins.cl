// Builtin functions that are arithmetic become arithmetic: executable where they decide an address.
// RUN: %plain_cl -S %s -o - | %profile_ir - | FileCheck %s
// CHECK-LABEL: kernel "clamped"
// CHECK: param "": int 32 skeleton signed bounds 0 size 4
// CHECK: smax i32
// CHECK: smin i32
// CHECK: fptosi f32 {{.*}} to i32
// CHECK: mul i32 {{.*}}: free
// CHECK-NEXT: add i32 {{.*}}: int32.mul24
kernel void clamped(global float *a, int width, float k)
{
    int x = clamp((int)get_global_id(0) - 1, 0, width - 1);
    a[mad24(x, width, convert_int_rtz(k * x))] = 1.0f;
}
// CHECK-LABEL: kernel "vectors"
// CHECK: load i32 {{.*}} in global 4x1 align 4 base $1
// CHECK: fp32.fma x4
// CHECK: store {{.*}} in global 4x1 align 4 base $0
kernel void vectors(global float *out, global const float *in)
{
    size_t i = get_global_id(0);
    vstore4(mad(vload4(i, in), (float4)2.0f, (float4)1.0f), i, out);
}
// CHECK-LABEL: kernel "counts"
// CHECK: local-size-agnostic yes
// CHECK: atomic i32 {{.*}} in global 4x1 {{.*}} base $0
kernel void counts(global int *bins, global const int *in) { atomic_inc(&bins[in[get_global_id(0)] & 255]); }
// CHECK-LABEL: kernel "mathematics"
// CHECK-DAG: math32.trig
// CHECK-DAG: sfu.sin
// CHECK-DAG: math32.pow
// CHECK-DAG: fp32.rsqrt
// CHECK-DAG: fp32.div_fast
kernel void mathematics(global float *a)
{
    size_t i = get_global_id(0);
    a[i] = sin(a[i]) + native_sin(a[i + 1]) + pow(a[i + 2], a[i + 3]) + rsqrt(a[i + 4]) + native_divide(a[i + 5], a[i + 6]);
}
// OpenCL C 2's: a state that is read, compared and exchanged, and written.
// RUN: %plain_cl -cl-std=CL2.0 -DSECOND -S %s -o - | %profile_ir - | FileCheck --check-prefix=SECOND %s
// SECOND-LABEL: kernel "states"
// SECOND-NOT: callee
// SECOND: atomic i32 {{.*}} in {{[a-z]+}} 4x1 align 4 base $0
// SECOND: atomic i32 {{.*}} in {{[a-z]+}} 4x1 align 4 base $0
// SECOND: store {{.*}}, 7 in {{[a-z]+}} 4x1 align 4 base $0
#ifdef SECOND
kernel void states(global atomic_int *state, global atomic_flag *flag, global int *out)
{
    int i = get_global_id(0), expected = 3;
    if (atomic_compare_exchange_strong_explicit(state + i, &expected, 5, memory_order_relaxed, memory_order_relaxed, memory_scope_device))
        out[i] = expected;
    if (!atomic_flag_test_and_set_explicit((global atomic_flag *)state, memory_order_relaxed))
        out[i + 1] = 1;
    atomic_store_explicit(state + 2 * i, 7, memory_order_relaxed);
}
#endif
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
