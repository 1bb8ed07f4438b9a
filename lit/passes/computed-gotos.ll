; A computed goto, here into a cycle with two entries: a choice that data decides.
; RUN: %profile_ir %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: kernel "interpreter"
; CHECK: loop 0: {{.*}} irreducible
; CHECK: kind data
; CHECK: ret
define ptx_kernel void @interpreter(ptr addrspace(1) %p, ptr addrspace(1) %code, i1 %odd) {
entry:
  br i1 %odd, label %one, label %two
one:
  %a = phi i32 [ 0, %entry ], [ %next.b, %two ]
  %next.a = add i32 %a, 1
  %at = getelementptr ptr, ptr addrspace(1) %code, i32 %next.a
  %label = load ptr, ptr addrspace(1) %at
  indirectbr ptr %label, [ label %two, label %out ]
two:
  %b = phi i32 [ 0, %entry ], [ %next.a, %one ]
  %next.b = add i32 %b, 1
  %on = icmp slt i32 %next.b, 100
  br i1 %on, label %one, label %out
out:
  %last = phi i32 [ %next.a, %one ], [ %next.b, %two ]
  %to = getelementptr i32, ptr addrspace(1) %p, i32 %last
  store i32 1, ptr addrspace(1) %to
  ret void
}

; CHECK-LABEL: kernel "table"
; CHECK: switch {{.*}} kind data
; CHECK-COUNT-2: store
define ptx_kernel void @table(ptr addrspace(1) %p, ptr addrspace(1) %code) {
entry:
  %label = load ptr, ptr addrspace(1) %code
  indirectbr ptr %label, [ label %one, label %two ]
one:
  store i32 1, ptr addrspace(1) %p
  ret void
two:
  store i32 2, ptr addrspace(1) %p
  ret void
}
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
