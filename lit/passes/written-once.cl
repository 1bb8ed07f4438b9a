// Small private arrays that are written once: what is read at an index that is computed has a known value. Pointers that lie equally far apart become steps, others a choice; what is written again
// later, or read before, stays memory.
// RUN: %noplugin -x cl -cl-std=CL2.0 -O2 -fno-discard-value-names -target nvptx64-nvidia-cuda -emit-llvm -S %s -o %t.ll
// RUN: %profile_ir %t.ll | FileCheck %s
// RUN: %profile_ir -addresses=global=128:local=64:n=4 %t.ll | FileCheck %s --check-prefix=ADDRESSES

// CHECK-LABEL: kernel "stages"
// CHECK-NOT: in private
// ADDRESSES: stages: store local 4x1 local.all+4 -4 8 4
// ADDRESSES: stages: load local 4x1 local.all+512 4 8
kernel void stages(global float *out, int n)
{
    local float all[3 * 64];
    int i = get_local_id(0);
    local float *stage[3];
    for (int s = 0; s < 3; s++)
        stage[s] = all + s * 64;
    float sum = 0;
    for (int k = 0; k < n; k++) {
        stage[k % 3][i ^ 1] = k;
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += stage[(k + 2) % 3][i];
    }
    out[i] = sum;
}

// CHECK-LABEL: kernel "offsets"
// CHECK-NOT: in private
// ADDRESSES: offsets: load global 4x1 in+4 4 8
kernel void offsets(global float *out, global const float *in, int n, int first)
{
    int offset[4];
    offset[0] = 7;
    offset[1] = first;
    offset[2] = n - 3;
    offset[3] = 40;
    float sum = 0;
#pragma clang loop unroll(disable)
    for (int k = 0; k < n; k++)
        sum += in[offset[(k + 2) & 3] + get_local_id(0)];
    out[get_local_id(0)] = sum;
}

// CHECK-LABEL: kernel "again"
// CHECK: in private
kernel void again(global float *out, global const float *in, int n)
{
    int offset[4] = {n, 2 * n, 3 * n, n};
    float sum = 0;
#pragma clang loop unroll(disable)
    for (int k = 0; k < n; k++) {
        sum += in[offset[k & 3]];
        offset[k & 3] = k;
    }
    out[get_local_id(0)] = sum;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
