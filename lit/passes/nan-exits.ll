; Conditions that ask for NaNs and have another such one as their part: each is decided once, whatever the order, and the loop's other exit is left.
; RUN: %profile_ir %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: kernel "part_first"
; CHECK: loop 0:
; CHECK: condbr {{.*}} kind data
; CHECK-NOT: condbr
; CHECK: ret
define ptx_kernel void @part_first(ptr addrspace(1) %p, float %most) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %more ]
  %a = getelementptr float, ptr addrspace(1) %p, i32 %i
  %x = load volatile float, ptr addrspace(1) %a
  %y = load volatile float, ptr addrspace(1) %a
  %x_nan = fcmp uno float %x, 0.0
  %y_nan = fcmp uno float %y, 0.0
  br i1 %x_nan, label %out, label %middle
middle:
  %either = or i1 %x_nan, %y_nan
  %sum = fadd float %x, %y
  br i1 %either, label %out, label %more
more:
  %next = add i32 %i, 1
  %done = fcmp oge float %sum, %most
  br i1 %done, label %out, label %loop
out:
  ret void
}

; CHECK-LABEL: kernel "whole_first"
; CHECK: loop 0:
; CHECK: condbr {{.*}} kind data
; CHECK-NOT: condbr
; CHECK: ret
define ptx_kernel void @whole_first(ptr addrspace(1) %p, float %most) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %more ]
  %a = getelementptr float, ptr addrspace(1) %p, i32 %i
  %x = load volatile float, ptr addrspace(1) %a
  %y = load volatile float, ptr addrspace(1) %a
  %x_nan = fcmp uno float %x, 0.0
  %y_nan = fcmp uno float %y, 0.0
  %either = or i1 %x_nan, %y_nan
  br i1 %either, label %out, label %middle
middle:
  %sum = fadd float %x, %y
  br i1 %x_nan, label %out, label %more
more:
  %next = add i32 %i, 1
  %done = fcmp oge float %sum, %most
  br i1 %done, label %out, label %loop
out:
  ret void
}
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
