; NVIDIA's parts of a global id are recognised: the kernel does not depend on the local size, and n bounds dimension 0.
; RUN: %profile_ir %s | FileCheck %s
; CHECK: kernel "scale" symbol "scale"
; CHECK: param "n": int 32 skeleton signed bounds 0 size 4
; CHECK: dims 1
; CHECK: max-local 128
; CHECK: local-size-agnostic yes
; CHECK: split-safe yes
; CHECK: [[GROUP:%[0-9]+]] = id.group_id.0 i32 {{.*}}: mov uniform
; CHECK: [[SIZE:%[0-9]+]] = id.local_size.0 i32 {{.*}}: free uniform
; CHECK: [[LOCAL:%[0-9]+]] = id.local_id.0 i32 {{.*}}: mov
; CHECK: [[START:%[0-9]+]] = mul i32 [[GROUP]], [[SIZE]] {{.*}}: free
; CHECK: [[ID:%[0-9]+]] = add i32 [[START]], [[LOCAL]] {{.*}}: int32.mad
; CHECK: icmp.slt i32 [[ID]], $n
; CHECK: condbr {{.*}}kind thread
; CHECK: kernel "tiled"
; CHECK: local-size-agnostic no "it uses the local id of dimension 0"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @scale(ptr addrspace(1) %data, i32 %n) "nvvm.maxntid"="128" {
  %group = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %local = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %start = mul i32 %group, %size
  %id = add i32 %start, %local
  %in = icmp slt i32 %id, %n
  br i1 %in, label %body, label %done
body:
  %wide = sext i32 %id to i64
  %at = getelementptr float, ptr addrspace(1) %data, i64 %wide
  store float 1.0, ptr addrspace(1) %at
  br label %done
done:
  ret void
}

define ptx_kernel void @tiled(ptr addrspace(1) %data) {
  %group = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %local = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %start = mul i32 %group, %size
  %id = add i32 %start, %local
  %value = uitofp i32 %local to float
  %at = getelementptr float, ptr addrspace(1) %data, i32 %id
  store float %value, ptr addrspace(1) %at
  ret void
}
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
