// Ids by clang's builtins for SPIR-V, which are intrinsics.
// RUN: %noplugin -x cl -cl-std=CL2.0 -O2 -target spirv64 -emit-llvm -S %s -o - | %profile_ir - | FileCheck %s

// CHECK-LABEL: kernel "plane"
// CHECK: dims 2
// CHECK: local-size-agnostic yes
// CHECK: split-safe no "it uses the global size"
// CHECK-DAG: id.global_id.0 i64
// CHECK-DAG: id.global_id.1 i64
// CHECK-DAG: id.global_size.0 i64
// CHECK: store %
kernel void plane(global ulong *p) { p[__builtin_spirv_global_invocation_id(1) * __builtin_spirv_global_size(0) + __builtin_spirv_global_invocation_id(0)] = 1; }

// CHECK-LABEL: kernel "local_id"
// CHECK: local-size-agnostic no "it uses the local id of dimension 0"
kernel void local_id(global ulong *p) { p[get_global_id(0)] = __builtin_spirv_local_invocation_id(0); }

// CHECK-LABEL: kernel "made_up"
// CHECK: local-size-agnostic yes
kernel void made_up(global ulong *p)
{
    ulong i = __builtin_spirv_workgroup_id(0) * __builtin_spirv_workgroup_size(0) + __builtin_spirv_local_invocation_id(0);
    p[i] = i;
}

// CHECK-LABEL: kernel "lane"
// CHECK: local-size-agnostic no "it uses sub-group ids"
kernel void lane(global uint *p) { p[get_global_id(0)] = __builtin_spirv_subgroup_local_invocation_id(); }
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
