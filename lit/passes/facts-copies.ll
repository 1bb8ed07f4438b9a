; Local memory that is only copied.
; RUN: %profile_ir %s | FileCheck %s
; CHECK: local-size-agnostic no "it uses local memory"
target triple = "spir64"
@shared = internal addrspace(3) global [20 x i32] undef
declare void @llvm.memcpy.p1.p3.i64(ptr addrspace(1), ptr addrspace(3), i64, i1)
define spir_kernel void @copied(ptr addrspace(1) %p) {
  call void @llvm.memcpy.p1.p3.i64(ptr addrspace(1) %p, ptr addrspace(3) @shared, i64 80, i1 false)
  ret void
}
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
