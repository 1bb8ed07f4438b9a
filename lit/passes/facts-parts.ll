; Parts of global ids that are used by themselves depend on the local size; where the whole is all that is used, they do not.
; RUN: %profile_ir %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()

; The first id of the group.
; CHECK-LABEL: kernel "start"
; CHECK: local-size-agnostic no "it uses the group id of dimension 0"
define ptx_kernel void @start(ptr addrspace(1) %a) {
  %g = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %start = mul i32 %g, %n
  %id = add i32 %start, %t
  %p = getelementptr i32, ptr addrspace(1) %a, i32 %id
  store i32 %start, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: kernel "widened_start"
; CHECK: local-size-agnostic no "it uses the group id of dimension 0"
define ptx_kernel void @widened_start(ptr addrspace(1) %a) {
  %g = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %start = mul i32 %g, %n
  %wide_start = zext i32 %start to i64
  %wide = zext i32 %t to i64
  %id = add i64 %wide_start, %wide
  %p = getelementptr i64, ptr addrspace(1) %a, i64 %id
  store i64 %wide_start, ptr addrspace(1) %p
  ret void
}

; The local id and an argument, which are first added up.
; CHECK-LABEL: kernel "shifted"
; CHECK: local-size-agnostic no "it uses the local id of dimension 0"
define ptx_kernel void @shifted(ptr addrspace(1) %a, i32 %x) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %g = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %shifted = add i32 %t, %x
  %start = mul i32 %g, %n
  %id = add i32 %start, %shifted
  %p = getelementptr i32, ptr addrspace(1) %a, i32 %id
  store i32 %shifted, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: kernel "only_the_sum"
; CHECK: local-size-agnostic yes
define ptx_kernel void @only_the_sum(ptr addrspace(1) %a, i32 %x) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %g = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %shifted = add i32 %t, %x
  %start = mul i32 %g, %n
  %id = add i32 %start, %shifted
  %wide = zext i32 %id to i64
  %more = add i64 %wide, 7
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %more
  store i32 %id, ptr addrspace(1) %p
  ret void
}

; A row of padding for each group; the local id once more.
; CHECK-LABEL: kernel "padded"
; CHECK: local-size-agnostic no "it uses the group id of dimension 0"
define ptx_kernel void @padded(ptr addrspace(1) %a) {
  %g = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %start = mul i32 %g, %n
  %id = add i32 %start, %t
  %place = add i32 %id, %g
  %p = getelementptr i32, ptr addrspace(1) %a, i32 %place
  store i32 1, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: kernel "twice"
; CHECK: local-size-agnostic no "it uses the local id of dimension 0"
define ptx_kernel void @twice(ptr addrspace(1) %a) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %g = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %start = mul i32 %g, %n
  %both = add i32 %t, %t
  %place = add i32 %start, %both
  %p = getelementptr i32, ptr addrspace(1) %a, i32 %place
  store i32 1, ptr addrspace(1) %p
  ret void
}

; Both dimensions' ids in one sum, however it is put together.
; CHECK-LABEL: kernel "diagonal"
; CHECK: local-size-agnostic yes
define ptx_kernel void @diagonal(ptr addrspace(1) %a) {
  %tx = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %gx = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %nx = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %ty = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %gy = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %ny = call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %x = mul i32 %gx, %nx
  %y = mul i32 %gy, %ny
  %starts = add i32 %x, %y
  %locals = add i32 %tx, %ty
  %sum = add i32 %starts, %locals
  %p = getelementptr i32, ptr addrspace(1) %a, i32 %sum
  store i32 1, ptr addrspace(1) %p
  ret void
}
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
