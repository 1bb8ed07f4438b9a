// The embedded profile stays in every kind of output and leaves the kernels' code alone.
// RUN: %clang -x cl -O2 -target spirv64 -c %s -o %t.spv && grep -q gpuperf_profile_0 %t.spv && %gpuperf dis %t.spv | FileCheck %s --check-prefix=FOUND
// RUN: %clang -x cl -O2 -target spirv64 -S %s -o - | FileCheck %s --check-prefix=SPIRV
// FOUND: kernel "scale"
// The SPIR-V backend writes out constants' elements for each function anew, which took many times the compile's own time.
// SPIRV: OpName %{{[0-9]+}} "__gpuperf_profile_0.
// SPIRV-NOT: OpConstantComposite
// RUN: %clang -x cl -O2 -target amdgcn-amd-amdhsa -mcpu=gfx90a -nogpulib -c %s -o %t.o && grep -q GPPP %t.o
// RUN: %clang -x cl -O2 -target x86_64-linux-gnu -c %s -o %t.o && grep -q GPPP %t.o
// RUN: %clang -x cl -O2 -target nvptx64-nvidia-cuda -march=sm_80 -Xclang -target-feature -Xclang +ptx83 -nogpulib -S %s -o %t.with
// RUN: %noplugin -x cl -O2 -target nvptx64-nvidia-cuda -march=sm_80 -Xclang -target-feature -Xclang +ptx83 -nogpulib -S %s -o %t.without
// RUN: not diff %t.with %t.without | FileCheck %s --check-prefix=PTX
// RUN: %clang -x cl -O2 -target amdgcn-amd-amdhsa -mcpu=gfx90a -nogpulib -c %s -o %t.with && llvm-objcopy -O binary -j .text %t.with %t.with.text
// RUN: %noplugin -x cl -O2 -target amdgcn-amd-amdhsa -mcpu=gfx90a -nogpulib -c %s -o %t.without && llvm-objcopy -O binary -j .text %t.without %t.without.text
// RUN: cmp %t.with.text %t.without.text
// PTX: < .global .align 4 .b8 __gpuperf_profile_0[
// PTX-NOT: {{^[<>] [^.]}}
kernel void scale(global float *data, global const float *factors, int n)
{
    float factor = 1;
    for (int i = 0; i < n; i++)
        factor *= factors[i];
    data[0] = factor;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
