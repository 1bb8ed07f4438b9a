// Local memory behind pointers of no address space.
// RUN: %noplugin -x cl -cl-std=CL2.0 -O2 -target spir64 -emit-llvm -S %s -o - | %profile_ir - | FileCheck %s

// CHECK-LABEL: kernel "either"
// CHECK: local-size-agnostic no "it uses local memory"
kernel void either(global int *p, int c)
{
    local int t[64];
    int *q = c > get_global_id(0) ? (int *)t : (int *)p;
    q[get_global_id(0) & 63] += 1;
    p[get_global_id(0)] = q[5];
}

// CHECK-LABEL: kernel "counted"
// CHECK: local-size-agnostic no "it uses local memory"
kernel void counted(global int *p, int c)
{
    local int t[64];
    int *q = c ? (int *)t : (int *)p;
    atomic_fetch_add((atomic_int *)q, 1);
}

// CHECK-LABEL: kernel "elsewhere"
// CHECK: local-size-agnostic yes
kernel void elsewhere(global int *p, global int *r, int c)
{
    int *q = c > get_global_id(0) ? (int *)r : (int *)p;
    q[get_global_id(0)] = 1;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
