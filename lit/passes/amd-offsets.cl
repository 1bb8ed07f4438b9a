// AMD's accesses add 32 bits of each lane to a scalar address; what does not fit takes 64-bit vector instructions. As LLVM's code for gfx906, gfx1032 and gfx1100 does (global_load with SADDR or without).
// RUN: %noplugin -x cl -cl-std=CL1.2 -O2 -fno-unroll-loops -target amdgcn-amd-amdhsa -mcpu=gfx1032 -nogpulib -emit-llvm -S %s -o %t.ll
// RUN: %profile_ir %t.ll | FileCheck %s

// v_lshlrev_b32, global_load with SADDR.
// CHECK-LABEL: kernel "fits"
// CHECK: block 1: ipdom
// CHECK: mul i64 {{.*}}, 4 : int32.shift
// CHECK-NEXT: add i64 {{.*}} : free
// CHECK-NEXT: load
kernel void fits(global const float *a, global float *o, uint n)
{
    uint i = get_local_id(0);
    float s = 0;
    for (uint k = 0; k < n; k++)
        s += a[(i ^ k) & 0xffff];
    o[i] = s;
}

// Bytes: nothing to scale.
// CHECK-LABEL: kernel "bytes"
// CHECK: block 1: ipdom
// CHECK: zext i32
// CHECK-NEXT: add i64 {{.*}} : free
// CHECK-NEXT: load
kernel void bytes(global const uchar *a, global float *o, uint n)
{
    uint i = get_local_id(0);
    float s = 0;
    for (uint k = 0; k < n; k++)
        s += a[(i ^ k) * 7];
    o[i] = s;
}

// Scaled by four it may need 34 bits: v_lshlrev_b64, v_add_co, v_addc_co.
// CHECK-LABEL: kernel "large"
// CHECK: block 1: ipdom
// CHECK: mul i64 {{.*}}, 4 : int64.shift
// CHECK-NEXT: add i64 {{.*}} : int64.add
// CHECK-NEXT: load
kernel void large(global const float *a, global float *o, uint n)
{
    uint i = get_local_id(0);
    float s = 0;
    for (uint k = 0; k < n; k++)
        s += a[i ^ k];
    o[i] = s;
}

// A pointer of each lane's own is no scalar address. The loaded index is signed.
// CHECK-LABEL: kernel "gathered"
// CHECK: block 1: ipdom
// CHECK: mul i64 {{.*}}, 4 : int32.shift
// CHECK-NEXT: add i64 {{.*}} : free
// CHECK-NEXT: load
// CHECK: sext i32 {{.*}} : int32.shift
// CHECK: mul i64 {{.*}}, 4 : int64.shift
// CHECK-NEXT: add i64 {{.*}} : int64.add
// CHECK-NEXT: load
kernel void gathered(global const int *x, global const float *a, global float *o, uint n)
{
    uint i = get_local_id(0);
    float s = 0;
    for (uint k = 0; k < n; k++)
        s += a[x[(i ^ k) & 0xfff]];
    o[i] = s;
}

// A sum of a counter's product takes one step, and is then added to what does not.
// CHECK-LABEL: kernel "stepped"
// CHECK: block 1: ipdom
// CHECK: mul i32 {{.*}} : free
// CHECK: add i32 {{.*}} : int32.add
// CHECK: add i32 {{.*}} : int32.add
// CHECK-NOT: : int32.m
// CHECK: load
kernel void stepped(global const uchar *a, global float *o, uint n, uint pitch)
{
    uint i = get_local_id(0);
    float s = 0;
    for (uint k = 0; k < n; k++)
        s += a[k * pitch + i + (uint)(s * 0.5f)];
    o[i] = s;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
