; Branches that libdevice's functions of doubles leave their fast path by are never taken; the sign of a number is data.
; RUN: %profile_ir %s | FileCheck %s
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.d2i.hi(double)
declare float @llvm.nvvm.fabs.f32(float)
declare double @llvm.nvvm.fabs.f64(double)

; The exponential of more than 708.
; CHECK-LABEL: kernel "exponential"
; CHECK: condbr {{.*}} kind data probability 65535 :
define ptx_kernel void @exponential(ptr addrspace(1) %p) {
  %x = load double, ptr addrspace(1) %p
  %upper = call i32 @llvm.nvvm.d2i.hi(double %x)
  %view = bitcast i32 %upper to float
  %size = call float @llvm.nvvm.fabs.f32(float %view)
  %fast = fcmp olt float %size, 0x4010C46560000000
  br i1 %fast, label %done, label %slow
slow:
  %other = fdiv double %x, %x
  br label %done
done:
  %result = phi double [ %x, %0 ], [ %other, %slow ]
  store double %result, ptr addrspace(1) %p
  ret void
}

; The logarithm of what is no positive normal number.
; CHECK-LABEL: kernel "logarithm"
; CHECK: condbr {{.*}} kind data probability 0 :
; CHECK: condbr {{.*}} kind data probability 65535 :
define ptx_kernel void @logarithm(ptr addrspace(1) %p) {
  %x = load double, ptr addrspace(1) %p
  %upper = call i32 @llvm.nvvm.d2i.hi(double %x)
  %denormal = icmp slt i32 %upper, 1048576
  br i1 %denormal, label %scale, label %scaled
scale:
  %larger = fmul double %x, 0x4350000000000000
  %its = call i32 @llvm.nvvm.d2i.hi(double %larger)
  br label %scaled
scaled:
  %word = phi i32 [ %its, %scale ], [ %upper, %0 ]
  %less = add i32 %word, -1
  %normal = icmp ult i32 %less, 2146435071
  br i1 %normal, label %fast, label %done
fast:
  store double 0.0, ptr addrspace(1) %p
  br label %done
done:
  ret void
}

; A sine's argument of 2^31, as a number that compares unordered.
; CHECK-LABEL: kernel "sine"
; CHECK: condbr {{.*}} kind data probability 65535 :
define ptx_kernel void @sine(ptr addrspace(1) %p) {
  %x = load double, ptr addrspace(1) %p
  %size = call double @llvm.nvvm.fabs.f64(double %x)
  %fast = fcmp ult double %size, 0x41E0000000000000
  br i1 %fast, label %done, label %slow
slow:
  %other = fdiv double %x, %x
  br label %done
done:
  %result = phi double [ %x, %0 ], [ %other, %slow ]
  store double %result, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: kernel "sign"
; CHECK: condbr {{.*}} kind data :
define ptx_kernel void @sign(ptr addrspace(1) %p) {
  %x = load double, ptr addrspace(1) %p
  %upper = call i32 @llvm.nvvm.d2i.hi(double %x)
  %negative = icmp slt i32 %upper, 0
  br i1 %negative, label %other, label %done
other:
  store double 0.0, ptr addrspace(1) %p
  br label %done
done:
  ret void
}

; CHECK-LABEL: kernel "one"
; CHECK: condbr {{.*}} kind data :
define ptx_kernel void @one(ptr addrspace(1) %p) {
  %x = load double, ptr addrspace(1) %p
  %upper = call i32 @llvm.nvvm.d2i.hi(double %x)
  %large = icmp sgt i32 %upper, 1072693247
  br i1 %large, label %other, label %done
other:
  store double 0.0, ptr addrspace(1) %p
  br label %done
done:
  ret void
}
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
