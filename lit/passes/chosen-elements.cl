// Elements of vectors in registers whose number is a value. As LLVM 22's code for gfx90a and gfx1032 has them (v_cmp, v_cndmask; v_movrel): comparisons on the scalar unit where the number is the same in all lanes.
// RUN: %noplugin -x cl -cl-std=CL1.2 -O2 -fno-unroll-loops -target amdgcn-amd-amdhsa -mcpu=gfx90a -nogpulib -emit-llvm -S %s -o %t.ll
// RUN: %profile_ir %t.ll | FileCheck %s --check-prefixes=CHECK,INDEX
// RUN: %noplugin -x cl -cl-std=CL1.2 -O2 -fno-unroll-loops -target amdgcn-amd-amdhsa -mcpu=gfx1032 -nogpulib -emit-llvm -S %s -o %t2.ll
// RUN: %profile_ir %t2.ll | FileCheck %s --check-prefixes=CHECK,MOVREL

// 15 v_cmp and v_cndmask; the store has the load's comparisons.
// CHECK-LABEL: kernel "lanes"
// CHECK: : select x30 mended mov x1
// CHECK: : select x16 mended mov x1
kernel void lanes(global const int *in, global float *out, int n)
{
    float v[16];
    int g = get_global_id(0);
    for (int i = 0; i < 16; i++)
        v[i] = in[g + i];
    for (int i = 0; i < n; i++) {
        int k = in[g + i * 1024] & 15;
        v[k] = v[k] * 3 + 1;
    }
    for (int i = 0; i < 16; i++)
        out[g * 16 + i] = v[i];
}

// CHECK-LABEL: kernel "same"
// INDEX: : select x7 mended mov x1
// MOVREL: : mov{{$}}
kernel void same(global const float *in, global float *out, int n)
{
    float v[8];
    int g = get_global_id(0);
    for (int i = 0; i < 8; i++)
        v[i] = in[g + i];
    float sum = 0;
    for (int i = 0; i < n; i++)
        sum += v[(i * 3) & 7];
    out[g] = sum;
}

// CHECK-LABEL: kernel "known"
// CHECK-NOT: mended
kernel void known(global const float4 *in, global float *out)
{
    float4 v = in[get_global_id(0)];
    out[get_global_id(0)] = v.x + v.w;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
