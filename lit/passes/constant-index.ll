; A negative index that is a constant only behind what LLVM has not folded is extended as any other.
; RUN: %profile_ir -addresses= %s | FileCheck %s
target triple = "spir64"
; CHECK: store global 4x1 p+-4 0 0
define spir_kernel void @k(ptr addrspace(1) %p, <2 x i32> %v) {
  %pair = insertelement <2 x i32> %v, i32 -1, i32 0
  %index = extractelement <2 x i32> %pair, i32 0
  %wide = sext i32 %index to i64
  %at = getelementptr i32, ptr addrspace(1) %p, i64 %wide
  store i32 1, ptr addrspace(1) %at
  ret void
}
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
