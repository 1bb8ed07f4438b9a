// Bins that all groups count in stay in L2 whatever streams by: each line takes one segment of a request a cycle, and no bandwidth beyond L2.
// RUN: %gpuperf predict --device w6600 --global 1048576 --local 256 --arg n=268435456 %s | FileCheck %s
// RUN: %gpuperf predict --device a100 --global 1048576 --local 256 --arg n=268435456 %s | FileCheck %s

// CHECK: 256 {{.*}} l2 best
// CHECK: atomics: contended global atomic: the launch's 268435456 operations fall on 256 addresses
kernel void histogram(global int *bins, global const uchar *in, int n)
{
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        atomic_inc(&bins[in[i]]);
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
