; What stands in place of a call, whatever the callee's form. The argument decides what is left of it.
; RUN: %profile_ir %s | FileCheck %s
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spir64"

; One of three ways is left: neither a branch nor the others' stores.
; CHECK-LABEL: kernel "chosen"
; CHECK-NOT: condbr
; CHECK-NOT: switch
; CHECK: store {{.*}}, 12 in global
; CHECK-NOT: store
; CHECK: ret
; CHECK-NOT: block 1
define void @choose(ptr addrspace(1) %out, i32 %what) noinline {
  switch i32 %what, label %other [ i32 1, label %one
                                   i32 2, label %two ]
one:
  store i32 11, ptr addrspace(1) %out
  br label %end
two:
  %second = getelementptr i32, ptr addrspace(1) %out, i64 2
  store i32 12, ptr addrspace(1) %second
  br label %end
other:
  %third = getelementptr i32, ptr addrspace(1) %out, i64 3
  store i32 13, ptr addrspace(1) %third
  store i32 14, ptr addrspace(1) %out
  br label %end
end:
  ret void
}
define spir_kernel void @chosen(ptr addrspace(1) %out) {
  call void @choose(ptr addrspace(1) %out, i32 2)
  ret void
}

; Several returns: which value comes back is the address of the store behind the call.
; CHECK-LABEL: kernel "returns"
; CHECK: condbr %{{[0-9]+}}, block 2, block 1 kind argument
; CHECK: [[AT:%[0-9]+]] = phi i64 [block 2: 7], [block 1: %{{[0-9]+}}]
; CHECK: [[BYTES:%[0-9]+]] = mul i64 [[AT]], 4
; CHECK: [[PLACE:%[0-9]+]] = add i64 $out, [[BYTES]]
; CHECK: store [[PLACE]], 1
define i64 @place(i32 %n) noinline {
  %small = icmp slt i32 %n, 10
  br i1 %small, label %yes, label %no
yes:
  ret i64 7
no:
  %wide = sext i32 %n to i64
  ret i64 %wide
}
define spir_kernel void @returns(ptr addrspace(1) %out, i32 %n) {
  %at = call i64 @place(i32 %n)
  %here = getelementptr i32, ptr addrspace(1) %out, i64 %at
  store i32 1, ptr addrspace(1) %here
  ret void
}

; A loop whose bound the argument gives, called twice: two loops of their own bounds.
; CHECK-LABEL: kernel "loops"
; CHECK: loop 0: header 1 latch 1 bound constant trips 5
; CHECK: loop 1: header 3 latch 3 bound constant trips 9
define void @fill(ptr addrspace(1) %out, i32 %n) noinline {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %at = getelementptr i32, ptr addrspace(1) %out, i32 %i
  store volatile i32 %i, ptr addrspace(1) %at
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}
define spir_kernel void @loops(ptr addrspace(1) %out) {
  call void @fill(ptr addrspace(1) %out, i32 5)
  call void @fill(ptr addrspace(1) %out, i32 9)
  ret void
}

; A callee's variable is the kernel's; a copy of an argument passed by value, too.
; CHECK-LABEL: kernel "variables"
; CHECK: private "kept.i2": 128 align 4
; CHECK: private "kept.i": 128 align 4
; CHECK: private "given1": 8 align 8
; CHECK: load i32 {{.*}} base private.given1
; CHECK: load i32 {{.*}} base private.kept.i2
%pair = type { i32, [1 x i32] }
define i32 @look(ptr byval(%pair) %whole, i32 %n) noinline {
  %kept = alloca [32 x i32]
  %at = getelementptr i32, ptr %kept, i32 %n
  store i32 %n, ptr %at
  %other = getelementptr i32, ptr %kept, i32 3
  %a = load i32, ptr %other
  %inside = getelementptr %pair, ptr %whole, i32 0, i32 1, i32 %n
  store i32 %a, ptr %inside
  %b = load i32, ptr %whole
  %sum = add i32 %a, %b
  ret i32 %sum
}
define i32 @keep(i32 %n) noinline {
  %kept = alloca [32 x i32]
  %at = getelementptr i32, ptr %kept, i32 %n
  store i32 %n, ptr %at
  %other = getelementptr i32, ptr %kept, i32 3
  %a = load i32, ptr %other
  ret i32 %a
}
define spir_kernel void @variables(ptr addrspace(1) %out, ptr byval(%pair) %given, i32 %n) {
  %sum = call i32 @look(ptr byval(%pair) %given, i32 %n)
  %more = call i32 @keep(i32 %n)
  %all = add i32 %sum, %more
  store i32 %all, ptr addrspace(1) %out
  ret void
}

; Nothing comes back: what is behind the call is not reached.
; CHECK-LABEL: kernel "never"
; CHECK: store $out, 1 in global
; CHECK-NOT: store
define void @stop(ptr addrspace(1) %out) noinline {
  store volatile i32 1, ptr addrspace(1) %out
  unreachable
}
define spir_kernel void @never(ptr addrspace(1) %out) {
  call void @stop(ptr addrspace(1) %out)
  store volatile i32 2, ptr addrspace(1) %out
  ret void
}
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
