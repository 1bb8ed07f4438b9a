; How the bounds of loops are found.
; RUN: %profile_ir %s | FileCheck %s
target triple = "spir64"
declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK-LABEL: kernel "fixed"
; CHECK: loop 0: header 1 latch 1 bound constant trips 10
; CHECK: induction {{.*}} loop 0 step 1
define spir_kernel void @fixed(ptr addrspace(1) %a) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr i32, ptr addrspace(1) %a, i32 %i
  store volatile i32 %i, ptr addrspace(1) %at
  %next = add nsw i32 %i, 1
  %go = icmp slt i32 %next, 10
  br i1 %go, label %loop, label %done
done:
  ret void
}

; An inner loop that runs from the outer one's counter: the trip count is an expression of the outer phi.
; CHECK-LABEL: kernel "triangle"
; CHECK: param "n": int 32 skeleton
; CHECK: loop 0: header 1 latch {{[0-9]+}} bound scalar-evolution trips
; CHECK: loop 1: header 2 latch 2 parent 0 bound scalar-evolution trips
define spir_kernel void @triangle(ptr addrspace(1) %a, i32 %n) {
entry:
  br label %outer
outer:
  %i = phi i32 [ 1, %entry ], [ %i.next, %outer.end ]
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %inner ]
  %at = getelementptr i32, ptr addrspace(1) %a, i32 %j
  store volatile i32 %i, ptr addrspace(1) %at
  %j.next = add nuw nsw i32 %j, 1
  %j.go = icmp ult i32 %j.next, %i
  br i1 %j.go, label %inner, label %outer.end
outer.end:
  %i.next = add nuw nsw i32 %i, 1
  %i.go = icmp ult i32 %i.next, %n
  br i1 %i.go, label %outer, label %done
done:
  ret void
}

; CHECK-LABEL: kernel "list"
; CHECK: loop 0: header 1 latch 1 bound assumed data
; CHECK: condbr {{.*}}kind data
define spir_kernel void @list(ptr addrspace(1) %next, ptr addrspace(1) %out) {
entry:
  br label %loop
loop:
  %at = phi i32 [ 0, %entry ], [ %to, %loop ]
  %p = getelementptr i32, ptr addrspace(1) %next, i32 %at
  %to = load i32, ptr addrspace(1) %p
  %go = icmp ne i32 %to, 0
  br i1 %go, label %loop, label %done
done:
  store i32 %at, ptr addrspace(1) %out
  ret void
}

; Halving: no closed form, but execution finds the end.
; CHECK-LABEL: kernel "halve"
; CHECK: loop 0: header 1 latch 1 bound executed
; CHECK: condbr {{.*}}kind induction
define spir_kernel void @halve(ptr addrspace(1) %out, i32 %n) {
entry:
  br label %loop
loop:
  %s = phi i32 [ %n, %entry ], [ %half, %loop ]
  %half = sdiv i32 %s, 3
  store volatile i32 %s, ptr addrspace(1) %out
  %go = icmp sgt i32 %half, 7
  br i1 %go, label %loop, label %done
done:
  ret void
}

; What LLVM's runtime unrolling leaves: a counter of its own.
; CHECK-LABEL: kernel "unrolled"
; CHECK: loop 0: header 1 latch 1 {{.*}}unroll 4
define spir_kernel void @unrolled(ptr addrspace(1) %a, i32 %n) {
entry:
  %whole = and i32 %n, 2147483644
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %count = phi i32 [ 0, %entry ], [ %count.next, %loop ]
  %at = getelementptr i32, ptr addrspace(1) %a, i32 %i
  store volatile i32 %i, ptr addrspace(1) %at
  %i.next = add nuw nsw i32 %i, 4
  %count.next = add i32 %count, 4
  %end = icmp eq i32 %count.next, %whole
  br i1 %end, label %done, label %loop
done:
  ret void
}
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
