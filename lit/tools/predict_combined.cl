// Bins that groups combine in local memory first still take an addition for each group and bin: what is told is what that brings.
// RUN: %gpuperf predict --device a100,rtx3090 --global 1048576 --local 256 --arg n=1048576 --json %s > %t.json
// RUN: %python %S/Inputs/told_gain.py %t.json added combined 0.15 atomics
// RUN: %gpuperf predict --device a100 --global 65536 --local 256 --kernel merged %s | FileCheck %s
// CHECK: atomics: contended global atomic: the launch's 65536 operations fall on 256 addresses
// CHECK-NEXT: a work-group comes to each of them once at most; let fewer work-groups do more each

kernel void added(global uint *bins, global const uchar *in, int n)
{
    int i = get_global_id(0);
    if (i < n)
        atomic_inc(&bins[in[i]]);
}

kernel void combined(global uint *bins, global const uchar *in, int n)
{
    local uint own[256];
    int i = get_global_id(0), t = get_local_id(0);
    own[t] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < n)
        atomic_inc(&own[in[i]]);
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&bins[t], own[t]);
}

kernel void merged(global uint *bins)
{
    int t = get_local_id(0);
    atomic_add(&bins[t], t);
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
