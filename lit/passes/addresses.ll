; Constant parts of an index are immediates; the variable part is computed once, and shared.
; RUN: %profile_ir %s | FileCheck %s
; CHECK: [[X:%[0-9]+]] = trunc i64
; CHECK: [[WIDE:%[0-9]+]] = sext i32 [[X]] to i64 {{.*}}: free cheap
; CHECK: [[BYTES:%[0-9]+]] = mul i64 [[WIDE]], 4 {{.*}}: free
; CHECK: [[HERE:%[0-9]+]] = add i64 $a, [[BYTES]] {{.*}}: int32.mad
; CHECK: [[LEFT:%[0-9]+]] = add i64 [[HERE]], -4 {{.*}}: free
; CHECK: load i32 [[LEFT]] in global 4x1 align 4 base $a
; CHECK: [[RIGHT:%[0-9]+]] = add i64 [[HERE]], 4 {{.*}}: free
; CHECK: load i32 [[RIGHT]] in global 4x1
; CHECK-NOT: int32.add
; CHECK: store [[HERE]],
; CHECK: add i64 local.tile, {{.*}}: int32.add
target triple = "spir64"
@k.tile = internal addrspace(3) global [64 x i32] undef
declare spir_func i64 @_Z13get_global_idj(i32)
declare spir_func i64 @_Z12get_local_idj(i32)
define spir_kernel void @k(ptr addrspace(1) %a) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %x = trunc i64 %id to i32
  %before = add nsw i32 %x, -1
  %before.wide = sext i32 %before to i64
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %before.wide
  %l = load i32, ptr addrspace(1) %p, align 4
  %after = add nsw i32 %x, 1
  %after.wide = sext i32 %after to i64
  %q = getelementptr i32, ptr addrspace(1) %a, i64 %after.wide
  %r = load i32, ptr addrspace(1) %q, align 4
  %sum = xor i32 %l, %r
  %wide = sext i32 %x to i64
  %here = getelementptr i32, ptr addrspace(1) %a, i64 %wide
  store i32 %sum, ptr addrspace(1) %here, align 4
  %local = call spir_func i64 @_Z12get_local_idj(i32 0)
  %slot = getelementptr i32, ptr addrspace(3) @k.tile, i64 %local
  store i32 %sum, ptr addrspace(3) %slot, align 4
  ret void
}
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
