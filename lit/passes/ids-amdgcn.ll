; AMD's ids: sizes packed in a word of the dispatch packet, offsets loaded as a vector, everything two lanes wide.
; RUN: %profile_ir %s | FileCheck %s
; CHECK: dims 2
; CHECK: local-size-agnostic yes
; CHECK: split-safe yes
; CHECK-DAG: id.group_id.0 i32
; CHECK-DAG: id.group_id.1 i32
; CHECK-DAG: id.local_size.0 i32
; CHECK-DAG: id.local_size.1 i32
; CHECK-DAG: id.global_offset.0 i32
; CHECK-DAG: id.global_offset.1 i32
; CHECK-NOT: load
; CHECK: store {{.*}} in global 4x1 align 4 base $out
target datalayout = "e-m:e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-A5-G1"
target triple = "amdgcn-amd-amdhsa"
declare i32 @llvm.amdgcn.workgroup.id.x()
declare i32 @llvm.amdgcn.workgroup.id.y()
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.workitem.id.y()
declare ptr addrspace(4) @llvm.amdgcn.dispatch.ptr()
declare ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()

define amdgpu_kernel void @copy(ptr addrspace(1) %out, i32 %width) {
  %gx = call i32 @llvm.amdgcn.workgroup.id.x()
  %gy = call i32 @llvm.amdgcn.workgroup.id.y()
  %packet = call ptr addrspace(4) @llvm.amdgcn.dispatch.ptr()
  %sizes.at = getelementptr i8, ptr addrspace(4) %packet, i64 4
  %sizes = load i32, ptr addrspace(4) %sizes.at
  %sx = and i32 %sizes, 65535
  %sy = lshr i32 %sizes, 16
  %lx = call i32 @llvm.amdgcn.workitem.id.x()
  %ly = call i32 @llvm.amdgcn.workitem.id.y()
  %hidden = call ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
  %offset.at = getelementptr i8, ptr addrspace(4) %hidden, i64 4
  %offset = load <2 x i32>, ptr addrspace(4) %offset.at
  %s0 = insertelement <2 x i32> poison, i32 %sx, i64 0
  %s = insertelement <2 x i32> %s0, i32 %sy, i64 1
  %g0 = insertelement <2 x i32> poison, i32 %gx, i64 0
  %g = insertelement <2 x i32> %g0, i32 %gy, i64 1
  %start = mul <2 x i32> %s, %g
  %l0 = insertelement <2 x i32> poison, i32 %lx, i64 0
  %l = insertelement <2 x i32> %l0, i32 %ly, i64 1
  %shifted = add <2 x i32> %offset, %l
  %id = add <2 x i32> %shifted, %start
  %x = extractelement <2 x i32> %id, i64 0
  %y = extractelement <2 x i32> %id, i64 1
  %row = mul i32 %y, %width
  %index = add i32 %row, %x
  %wide = sext i32 %index to i64
  %at = getelementptr i32, ptr addrspace(1) %out, i64 %wide
  store i32 7, ptr addrspace(1) %at
  ret void
}
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
