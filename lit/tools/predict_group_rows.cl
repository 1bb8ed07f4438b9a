/*
 * Groups are planes and batches, work-items lie along one dimension: no other is worth a size, as its work-items would all do the same.
 * RUN: %gpuperf predict --device a100,mi50 --global 4096x16x4 --arg n=4096 %s | FileCheck %s
 * CHECK-NOT: {{^ +[0-9]+x([2-9]|1[0-9])|^ +[0-9]+x1x([2-9]|1[0-9])}}
 * CHECK: {{^ +[0-9]+x1x1 }}
 * CHECK-NOT: {{^ +[0-9]+x([2-9]|1[0-9])|^ +[0-9]+x1x([2-9]|1[0-9])}}
 */
__kernel void rows(__global const float *a, __global float *d, int n)
{
    int batch = get_group_id(2), plane = get_group_id(1), row = get_group_id(0);
    for (int i = get_local_id(0); i < n; i += get_local_size(0))
        d[((batch * 16 + plane) * 64 + row) * n + i] = a[((batch * 16 + plane) * 64 + row) * n + i];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
