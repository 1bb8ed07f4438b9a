// Why a kernel depends on its local size, or must not be launched in parts.
// RUN: %plain_cl -S %s -o - | %profile_ir - | FileCheck %s
// CHECK-LABEL: kernel "plain"
// CHECK: local-size-agnostic yes
// CHECK-NEXT: split-safe yes
kernel void plain(global int *a) { a[get_global_id(1) * 64 + get_global_id(0)] = 1; }
// CHECK-LABEL: kernel "strided"
// CHECK: local-size-agnostic yes
// CHECK-NEXT: split-safe no "it uses the global size"
kernel void strided(global int *a, int n) { for (int i = get_global_id(0); i < n; i += get_global_size(0)) a[i] = i; }
// CHECK-LABEL: kernel "grouped"
// CHECK: local-size-agnostic no "it uses the group id of dimension 0"
kernel void grouped(global int *a) { a[get_global_id(0)] = get_group_id(0); }
// CHECK-LABEL: kernel "shared"
// CHECK: barriers 1
// CHECK-NEXT: local-size-agnostic no "it has a parameter in local memory"
kernel void shared(global int *a, local int *b) { b[get_local_id(0)] = a[0]; barrier(CLK_LOCAL_MEM_FENCE); a[get_global_id(0)] = b[0]; }
// CHECK-LABEL: kernel "required"
// CHECK: required-local 16x4x1
// CHECK: local-size-agnostic no "it requires a work-group size"
kernel __attribute__((reqd_work_group_size(16, 4, 1))) void required(global int *a) { a[get_global_id(0)] = 1; }
// CHECK-LABEL: kernel "counted"
// CHECK: local-size-agnostic yes
kernel void counted(global int *a, global int *count) { atomic_inc(&count[a[get_global_id(0)] & 15]); }
// CHECK-LABEL: kernel "compacted"
// CHECK: local-size-agnostic no "what its atomics give depends on the order of work-items"
kernel void compacted(global int *a, global int *count, global int *out) { if (a[get_global_id(0)]) out[atomic_inc(count)] = get_global_id(0); }
// CHECK-LABEL: kernel "exchanged"
// CHECK: local-size-agnostic no "what its atomics give depends on the order of work-items"
kernel void exchanged(global int *a) { atomic_xchg(a, (int)get_global_id(0)); }
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
