; On NVIDIA the compiler sees only parts: the number of groups times the local size is the global size, alone it is not.
; RUN: %profile_ir %s | FileCheck %s
; CHECK-LABEL: kernel "strided"
; CHECK: local-size-agnostic yes
; CHECK-NEXT: split-safe no "it uses the number of groups"
; CHECK-LABEL: kernel "counts"
; CHECK: local-size-agnostic no "it uses the number of groups of dimension 0"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()

define ptx_kernel void @strided(ptr addrspace(1) %a) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %g = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %c = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %start = mul i32 %g, %n
  %id = add i32 %start, %t
  %size = mul i32 %c, %n
  %next = add i32 %id, %size
  %p = getelementptr i32, ptr addrspace(1) %a, i32 %next
  store i32 1, ptr addrspace(1) %p
  ret void
}

define ptx_kernel void @counts(ptr addrspace(1) %a) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %g = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %c = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %start = mul i32 %g, %n
  %id = add i32 %start, %t
  %p = getelementptr i32, ptr addrspace(1) %a, i32 %id
  store i32 %c, ptr addrspace(1) %p
  ret void
}
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
