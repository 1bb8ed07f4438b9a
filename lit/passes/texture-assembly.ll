; What clang's CUDA headers make of texture and surface functions is inline assembly: image requests. A surface's first coordinate counts bytes, and floats
; travel in integer registers. A gather's coordinates are those of squares of four texels. A fetch that says whether the texel is resident stays assembly, and so do layers.
; RUN: %profile_ir %s | FileCheck %s
; CHECK-LABEL: kernel "surfaces"
; CHECK-NOT: callee
; CHECK: [[X:%[0-9]+]] = id.local_id.0 i32
; CHECK: [[BYTES:%[0-9]+]] = shl i32 [[X]], 4
; CHECK: [[TEXEL:%[0-9]+]] = lshr i32 [[BYTES]], 4
; CHECK: image_load i32 $in, [[TEXEL]], 7 in image 4x4 align 16 base $in readonly
; CHECK: [[OTHER:%[0-9]+]] = lshr i32 [[BYTES]], 2
; CHECK: image_store $out, [[OTHER]], 3 in image 2x2 align 4 base $out
; CHECK-LABEL: kernel "textures"
; CHECK-NOT: callee
; CHECK: image_load i32 $in, {{%[0-9]+}}, 2 in image 4x4 align 16 base $in readonly
; CHECK-LABEL: kernel "gathers"
; CHECK-NOT: callee
; CHECK: [[HALF:%[0-9]+]] = fmul f32 {{.*}}
; CHECK: image_load i32 $in, [[HALF]], 1 in image 4x4 align 16 base $in readonly
; CHECK-LABEL: kernel "others"
; CHECK: callee 0: "inline assembly: suld.b.a2d.b32.zero"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @surfaces(i64 %in, i64 %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %bytes = shl i32 %x, 4
  %texel = call { float, float, float, float } asm "suld.b.2d.v4.b32.zero {$0, $1, $2, $3}, [$4, {$5, $6}];", "=r,=r,=r,=r,l,r,r"(i64 %in, i32 %bytes, i32 7)
  %a = extractvalue { float, float, float, float } %texel, 0
  %b = extractvalue { float, float, float, float } %texel, 3
  %sum = fadd float %a, %b
  %whole = fptosi float %sum to i16
  call void asm sideeffect "sust.b.2d.v2.b16.trap [$0, {$1, $2}], {$3, $4};", "l,r,r,h,h"(i64 %out, i32 %bytes, i32 3, i16 %whole, i16 1)
  ret void
}

define ptx_kernel void @textures(i64 %in, ptr addrspace(1) %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %u = sitofp i32 %x to float
  %texel = call { float, float, float, float } asm "tex.2d.v4.f32.f32 {$0, $1, $2, $3}, [$4, {$5, $6}];", "=f,=f,=f,=f,l,f,f"(i64 %in, float %u, float 2.5)
  %a = extractvalue { float, float, float, float } %texel, 1
  %at = getelementptr float, ptr addrspace(1) %out, i32 %x
  store float %a, ptr addrspace(1) %at
  ret void
}

define ptx_kernel void @gathers(i64 %in, ptr addrspace(1) %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %u = sitofp i32 %x to float
  %four = call { float, float, float, float } asm "tld4.r.2d.v4.f32.f32 {$0, $1, $2, $3}, [$4, {$5, $6}];", "=f,=f,=f,=f,l,f,f"(i64 %in, float %u, float 2.0)
  %a = extractvalue { float, float, float, float } %four, 0
  %d = extractvalue { float, float, float, float } %four, 3
  %sum = fadd float %a, %d
  %at = getelementptr float, ptr addrspace(1) %out, i32 %x
  store float %sum, ptr addrspace(1) %at
  ret void
}

define ptx_kernel void @others(i64 %in, ptr addrspace(1) %out) {
  %texel = call i32 asm "suld.b.a2d.b32.zero {$0}, [$1, {$4, $2, $3, $3}];", "=r,l,r,r,r"(i64 %in, i32 4, i32 5, i32 6)
  store i32 %texel, ptr addrspace(1) %out
  ret void
}
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
