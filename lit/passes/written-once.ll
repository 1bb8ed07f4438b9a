; An index into an array written once that is read from it itself, in blocks that stand the other way round.
; RUN: %profile_ir %s | FileCheck %s
target triple = "spir64-unknown-unknown"

; CHECK-LABEL: kernel "by_element"
; CHECK: [[FIRST:%[0-9]+]] = select i64 {{.*}}, $y, $x
; CHECK: [[EQUAL:%[0-9]+]] = icmp.eq i64 [[FIRST]], 1
; CHECK: [[SECOND:%[0-9]+]] = select i64 [[EQUAL]], $y, $x
; CHECK: mul i64 [[SECOND]], 4
; CHECK: store
define spir_kernel void @by_element(ptr addrspace(1) %p, i64 %j, i64 %x, i64 %y) {
entry:
  %array = alloca [2 x i64], align 8
  store i64 %x, ptr %array
  %last = getelementptr i8, ptr %array, i64 8
  store i64 %y, ptr %last
  br label %first
second:
  %at.second = getelementptr [2 x i64], ptr %array, i64 0, i64 %index
  %read = load i64, ptr %at.second
  %out = getelementptr float, ptr addrspace(1) %p, i64 %read
  store float 1.0, ptr addrspace(1) %out
  ret void
first:
  %at.first = getelementptr [2 x i64], ptr %array, i64 0, i64 %j
  %index = load i64, ptr %at.first
  br label %second
}
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
