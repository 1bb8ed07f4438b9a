; Copies and fills of a length that no memory has, as code that is never run may ask for: 256 moves, as of any other length that is large.
; RUN: %profile_ir -summary %s | FileCheck %s
target triple = "spir64-unknown-unknown"
declare void @llvm.memset.p1.i64(ptr addrspace(1), i8, i64, i1)
declare void @llvm.memcpy.p1.p1.i64(ptr addrspace(1), ptr addrspace(1), i64, i1)

; CHECK: fill: {{.*}} memory 256 executable 256
define spir_kernel void @fill(ptr addrspace(1) %p) {
  call void @llvm.memset.p1.i64(ptr addrspace(1) %p, i8 0, i64 -1, i1 false)
  ret void
}

; CHECK: copy: {{.*}} memory 512 executable 512
define spir_kernel void @copy(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  call void @llvm.memcpy.p1.p1.i64(ptr addrspace(1) align 16 %p, ptr addrspace(1) align 16 %q, i64 -256, i1 false)
  ret void
}

; CHECK: small: {{.*}} memory 6 executable 6
define spir_kernel void @small(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  call void @llvm.memcpy.p1.p1.i64(ptr addrspace(1) align 16 %p, ptr addrspace(1) align 16 %q, i64 40, i1 false)
  ret void
}
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
