// A wave of 64 holds two rows of a group of 32x8: the stride along a row is told all the same; and waves are called so.
// RUN: %cl -fplugin-arg-gpuperf-device=mi250x -fplugin-arg-gpuperf-threshold=1 -c %s -o %t.bc 2>&1 | FileCheck %s

// CHECK-DAG: warning: uncoalesced global store: {{[0-9]+}} transactions per wave, stride 4096 bytes along dimension 0; {{.*}} on mi250x
// CHECK-DAG: note: work-items next to each other in dimension 0 are 4096 bytes apart in 'out'
kernel void transpose(global const float *in, global float *out, int n)
{
    int col = get_global_id(0), row = get_global_id(1);
    out[col * n + row] = in[row * n + col];
}

// CHECK-DAG: warning: {{.*}} on mi250x ({{[0-9.]+}}x faster with whole waves) [gpuperf-local-size]
__attribute__((reqd_work_group_size(8, 1, 1)))
kernel void narrow(global float *out)
{
    float x = get_global_id(0);
    for (int i = 0; i < 1000; i++)
        x = x * x + 0.5f;
    out[get_global_id(0)] = x;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
