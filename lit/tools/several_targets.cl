/*
 * A file with code for several targets (a CUDA object for several architectures, an archive): each device is predicted from the code that its driver would
 * take, and each kernel once.
 *
 * RUN: %clang -x cl -O2 -w -emit-llvm -c -target nvptx64-nvidia-cuda -march=sm_75 -Xclang -target-feature -Xclang +ptx78 -nogpulib %s -o %t.75
 * RUN: %clang -x cl -O2 -w -emit-llvm -c -target amdgcn-amd-amdhsa -mcpu=gfx90a -nogpulib %s -o %t.90a
 * RUN: %clang -x cl -O2 -w -emit-llvm -c -target nvptx64-nvidia-cuda -march=sm_80 -Xclang -target-feature -Xclang +ptx78 -nogpulib %s -o %t.80
 * RUN: cat %t.75 %t.90a %t.80 > %t.all
 * RUN: %gpuperf predict --device a100,mi250x,t4,h100 --local 64 %t.all | FileCheck %s --implicit-check-not="scale on"
 * RUN: %gpuperf dis %t.all | FileCheck %s --check-prefix=DIS
 *
 * CHECK: scale on a100
 * CHECK-NOT: predicted from code for
 * CHECK: scale on mi250x
 * CHECK-NOT: predicted from code for
 * CHECK: scale on t4
 * CHECK-NOT: predicted from code for
 * CHECK: scale on h100
 * CHECK: predicted from code for nvptx64-nvidia-cuda sm_80
 * DIS: cpu "sm_75"
 * DIS: cpu "gfx90a"
 * DIS: cpu "sm_80"
 */
kernel void scale(global float *data, float factor)
{
    data[get_global_id(0)] *= factor;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
