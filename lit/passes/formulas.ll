; What PTX's instructions compute where it decides an address: a lane's index is what the instruction gives for 8 lanes from 0 on.
; Prices are the instructions' own, whatever the number of operations that compute them.
; RUN: %profile_ir -addresses=global=1024:local=64 %s | FileCheck %s
; RUN: %profile_ir %s | FileCheck --check-prefix=COST %s
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.mulhi.ui(i32, i32)
declare i32 @llvm.nvvm.mulhi.i(i32, i32)
declare i64 @llvm.nvvm.mulhi.ull(i64, i64)
declare i32 @llvm.nvvm.sad.i(i32, i32, i32)
declare i32 @llvm.nvvm.prmt(i32, i32, i32)
declare i32 @llvm.nvvm.f2i.rn(float)
declare i32 @llvm.nvvm.d2i.hi(double)
declare i32 @llvm.nvvm.d2i.lo(double)
declare double @llvm.nvvm.lohi.i2d(i32, i32)
declare i32 @llvm.nvvm.f2i.rp(float)
declare float @llvm.nvvm.i2f.rn(i32)
declare float @llvm.nvvm.sqrt.approx.f(float)
declare float @llvm.nvvm.div.approx.f(float, float)
declare float @llvm.nvvm.rcp.rn.f(float)
declare float @llvm.nvvm.mul.rz.f(float, float)
declare i32 @llvm.fshr.i32(i32, i32, i32)
declare i32 @llvm.sadd.sat.i32(i32, i32)
declare i32 @llvm.bitreverse.i32(i32)

; i * 3 / 4 by a high product with 0.75.
; CHECK: high: store global 1x1 p+0 0 1 2 3 3 4 5
; COST-LABEL: kernel "high"
; COST: umulhi i32 {{.*}}: int32.mulhi
define ptx_kernel void @high(ptr addrspace(1) %p) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %x = call i32 @llvm.nvvm.mulhi.ui(i32 %i, i32 -1073741824)
  call void @mark(ptr addrspace(1) %p, i32 %x)
  ret void
}
; (4 - i) * -2^31 >> 32
; CHECK: high_signed: store global 1x1 p+-2 0 1 1 2 2 3 3
define ptx_kernel void @high_signed(ptr addrspace(1) %p) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = sub i32 4, %i
  %x = call i32 @llvm.nvvm.mulhi.i(i32 %y, i32 -2147483648)
  call void @mark(ptr addrspace(1) %p, i32 %x)
  ret void
}
; A double of two words has these.
; CHECK: words: store global 1x1 p+1072693248 1 2 3 4 5 6 7
define ptx_kernel void @words(ptr addrspace(1) %p) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %d = call double @llvm.nvvm.lohi.i2d(i32 %i, i32 1072693248)
  %hi = call i32 @llvm.nvvm.d2i.hi(double %d)
  %lo = call i32 @llvm.nvvm.d2i.lo(double %d)
  %x = add i32 %hi, %lo
  call void @mark(ptr addrspace(1) %p, i32 %x)
  ret void
}
; CHECK: high_long: store global 1x1 p+0 0 1 1 2 2 3 3
define ptx_kernel void @high_long(ptr addrspace(1) %p) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %wide = zext i32 %i to i64
  %y = call i64 @llvm.nvvm.mulhi.ull(i64 %wide, i64 -9223372036854775808)
  %x = trunc i64 %y to i32
  call void @mark(ptr addrspace(1) %p, i32 %x)
  ret void
}
; |i - 3| + 10
; CHECK: sad: store global 1x1 p+13 -1 -2 -3 -2 -1 0 1
; COST-LABEL: kernel "sad"
; COST: smax i32 {{.*}}: free
; COST: smin i32 {{.*}}: free
; COST: sub i32 {{.*}}: free
; COST-NEXT: add i32 {{.*}}: int32.add
define ptx_kernel void @sad(ptr addrspace(1) %p) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %x = call i32 @llvm.nvvm.sad.i(i32 %i, i32 3, i32 10)
  call void @mark(ptr addrspace(1) %p, i32 %x)
  ret void
}
; The id's lowest byte second, the other number's lowest first.
; CHECK: permuted: store global 1x1 p+7 256 512 768 1024 1280 1536 1792
define ptx_kernel void @permuted(ptr addrspace(1) %p) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %x = call i32 @llvm.nvvm.prmt(i32 %i, i32 7, i32 21764)
  call void @mark(ptr addrspace(1) %p, i32 %x)
  ret void
}
; The sign of the lowest byte, of i - 4, everywhere: mode 8.
; CHECK: signs: store global 1x1 p+-1 0 0 0 1 1 1 1
define ptx_kernel void @signs(ptr addrspace(1) %p) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = sub i32 %i, 4
  %x = call i32 @llvm.nvvm.prmt(i32 %y, i32 0, i32 34952)
  call void @mark(ptr addrspace(1) %p, i32 %x)
  ret void
}
; i / 2 to the nearest, ties to even.
; CHECK: nearest: store global 1x1 p+0 0 1 2 2 2 3 4
; COST-LABEL: kernel "nearest"
; COST: rint f32 {{.*}}: free
; COST-NEXT: fptosi f32 {{.*}} to i32 {{.*}}: cvt
define ptx_kernel void @nearest(ptr addrspace(1) %p) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %f = call float @llvm.nvvm.i2f.rn(i32 %i)
  %h = fmul float %f, 0.5
  %x = call i32 @llvm.nvvm.f2i.rn(float %h)
  call void @mark(ptr addrspace(1) %p, i32 %x)
  ret void
}
; CHECK: upwards: store global 1x1 p+0 1 1 2 2 3 3 4
define ptx_kernel void @upwards(ptr addrspace(1) %p) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %f = uitofp i32 %i to float
  %h = call float @llvm.nvvm.div.approx.f(float %f, float 2.0)
  %x = call i32 @llvm.nvvm.f2i.rp(float %h)
  call void @mark(ptr addrspace(1) %p, i32 %x)
  ret void
}
; CHECK: root: store global 1x1 p+0 1 1 1 2 2 2 2
; COST-LABEL: kernel "root"
; COST: sqrt f32 {{.*}}: fp32.sqrt_fast
define ptx_kernel void @root(ptr addrspace(1) %p) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %f = uitofp i32 %i to float
  %r = call float @llvm.nvvm.sqrt.approx.f(float %f)
  %x = fptosi float %r to i32
  call void @mark(ptr addrspace(1) %p, i32 %x)
  ret void
}
; 12 / (i + 1)
; CHECK: reciprocal: store global 1x1 p+12 -6 -8 -9 -10 -10 -11 -11
define ptx_kernel void @reciprocal(ptr addrspace(1) %p) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %j = add i32 %i, 1
  %f = uitofp i32 %j to float
  %r = call float @llvm.nvvm.rcp.rn.f(float %f)
  %d = fmul float %r, 12.5
  %x = fptosi float %d to i32
  call void @mark(ptr addrspace(1) %p, i32 %x)
  ret void
}
; Rounded towards zero: not computed.
; CHECK: truncated: store global 1x1 ?
define ptx_kernel void @truncated(ptr addrspace(1) %p) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %f = uitofp i32 %i to float
  %m = call float @llvm.nvvm.mul.rz.f(float %f, float 0.75)
  %x = fptosi float %m to i32
  call void @mark(ptr addrspace(1) %p, i32 %x)
  ret void
}
; (0:256) >> i: by 0 the lower word itself.
; CHECK: right: store global 1x1 p+256 -128 -192 -224 -240 -248 -252 -254
define ptx_kernel void @right(ptr addrspace(1) %p) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %x = call i32 @llvm.fshr.i32(i32 0, i32 256, i32 %i)
  call void @mark(ptr addrspace(1) %p, i32 %x)
  ret void
}
; CHECK: saturated: store global 1x1 p+2147483645 1 2 2 2 2 2 2
define ptx_kernel void @saturated(ptr addrspace(1) %p) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %x = call i32 @llvm.sadd.sat.i32(i32 %i, i32 2147483645)
  call void @mark(ptr addrspace(1) %p, i32 %x)
  ret void
}
; CUDA's __ffs() - 1: -1 of 0.
; CHECK: lowest: store global 1x1 p+-1 1 2 1 3 1 2 1
; COST-LABEL: kernel "lowest"
; COST: select i32 {{.*}}: int32.bits
define ptx_kernel void @lowest(ptr addrspace(1) %p) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %r = call i32 @llvm.bitreverse.i32(i32 %i)
  %x = call i32 asm "bfind.shiftamt.u32 $0, $1;", "=r,r"(i32 %r)
  call void @mark(ptr addrspace(1) %p, i32 %x)
  ret void
}
; CHECK: highest: store global 1x1 p+-1 1 2 2 3 3 3 3
define ptx_kernel void @highest(ptr addrspace(1) %p) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %x = call i32 asm "bfind.u32 $0, $1;", "=r,r"(i32 %i)
  call void @mark(ptr addrspace(1) %p, i32 %x)
  ret void
}
; (1:2) << (i + 30), of which the lower 5 bits count.
; CHECK: wrapped: store global 1x1 p+1073741824 -3221225471 -1073741823 -1073741822 -1073741820 -1073741816 -1073741808 -1073741792
define ptx_kernel void @wrapped(ptr addrspace(1) %p) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %by = add i32 %i, 30
  %x = call i32 asm "shf.l.wrap.b32 $0, $1, $2, $3;", "=r,r,r,r"(i32 2, i32 1, i32 %by)
  call void @mark(ptr addrspace(1) %p, i32 %x)
  ret void
}
; (3:0) >> (i + 28), at most by 32.
; CHECK: clamped: store global 1x1 p+48 -24 -36 -42 -45 -45 -45 -45
define ptx_kernel void @clamped(ptr addrspace(1) %p) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %by = add i32 %i, 28
  %x = call i32 asm "shf.r.clamp.b32 $0, $1, $2, $3;", "=r,r,r,r"(i32 0, i32 3, i32 %by)
  call void @mark(ptr addrspace(1) %p, i32 %x)
  ret void
}
; CHECK: swapped: store global 1x1 p+1 1 3 7 15 31 63 127
define ptx_kernel void @swapped(ptr addrspace(1) %p) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %x = call i32 asm "shf.l.wrap.b32 $0, $2, $1, $3;", "=r,r,r,r"(i32 1, i32 2, i32 %i)
  call void @mark(ptr addrspace(1) %p, i32 %x)
  ret void
}
; A number as bytes, and bytes as a number.
; CHECK: bytes: store global 1x1 p+3 256 512 768 1024 1280 1536 1792
define ptx_kernel void @bytes(ptr addrspace(1) %p) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %up = shl i32 %i, 16
  %with = or i32 %up, 768
  %v = bitcast i32 %with to <4 x i8>
  %low = shufflevector <4 x i8> %v, <4 x i8> poison, <2 x i32> <i32 1, i32 2>
  %h = bitcast <2 x i8> %low to i16
  %x = zext i16 %h to i32
  call void @mark(ptr addrspace(1) %p, i32 %x)
  ret void
}
define internal void @mark(ptr addrspace(1) %p, i32 %x) alwaysinline {
  %at = sext i32 %x to i64
  %to = getelementptr i8, ptr addrspace(1) %p, i64 %at
  store i8 1, ptr addrspace(1) %to
  ret void
}
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
