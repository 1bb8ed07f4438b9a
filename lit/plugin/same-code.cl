// annotate=off leaves every byte as it was, bitcode's too.
// RUN: %noplugin -x cl -O2 -target spir64 -emit-llvm -c %s -o %t.1 && %clang -fplugin-arg-gpuperf-annotate=off -x cl -O2 -target spir64 -emit-llvm -c %s -o %t.2 && cmp %t.1 %t.2
// RUN: %noplugin -x cl -O2 -target spirv64 -c %s -o %t.1 && %clang -fplugin-arg-gpuperf-annotate=off -x cl -O2 -target spirv64 -c %s -o %t.2 && cmp %t.1 %t.2
// RUN: %noplugin -x cl -O2 -target nvptx64-nvidia-cuda -march=sm_80 -Xclang -target-feature -Xclang +ptx83 -nogpulib -S %s -o %t.1 && %clang -fplugin-arg-gpuperf-annotate=off -x cl -O2 -target nvptx64-nvidia-cuda -march=sm_80 -Xclang -target-feature -Xclang +ptx83 -nogpulib -S %s -o %t.2 && cmp %t.1 %t.2
// RUN: %noplugin -x cl -O2 -target amdgcn-amd-amdhsa -mcpu=gfx90a -nogpulib -c -emit-llvm %s -o %t.1 && %clang -fplugin-arg-gpuperf-annotate=off -x cl -O2 -target amdgcn-amd-amdhsa -mcpu=gfx90a -nogpulib -c -emit-llvm %s -o %t.2 && cmp %t.1 %t.2
// RUN: %noplugin -x cl -O2 -target amdgcn-amd-amdhsa -mcpu=gfx90a -nogpulib -S %s -o %t.1 && %clang -fplugin-arg-gpuperf-annotate=off -x cl -O2 -target amdgcn-amd-amdhsa -mcpu=gfx90a -nogpulib -S %s -o %t.2 && cmp %t.1 %t.2
// RUN: %noplugin -x cl -O2 -target x86_64-linux-gnu -c %s -o %t.1 && %clang -fplugin-arg-gpuperf-annotate=off -x cl -O2 -target x86_64-linux-gnu -c %s -o %t.2 && cmp %t.1 %t.2
// RUN: %noplugin -x cl -O2 -g -target spir64 -emit-llvm -c %s -o %t.1 && %clang -fplugin-arg-gpuperf-annotate=off -x cl -O2 -g -target spir64 -emit-llvm -c %s -o %t.2 && cmp %t.1 %t.2
// RUN: %noplugin -x cl -O2 -gline-tables-only -target x86_64-linux-gnu -c %s -o %t.1 && %clang -fplugin-arg-gpuperf-annotate=off -x cl -O2 -gline-tables-only -target x86_64-linux-gnu -c %s -o %t.2 && cmp %t.1 %t.2
kernel void sums(global const float *in, global float *out, int n, int rows)
{
    int row = get_global_id(0);
    float sum = 0;
    for (int i = 0; i < n; i++)
        sum += in[row * n + i];
    #pragma unroll 4
    for (int i = 0; i < rows; i++)
        sum *= in[i] > 0.5f ? in[i] : 1;
    out[row] = sum;
}

kernel void untouched(global float *out)
{
    out[get_global_id(0)] = 1;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
