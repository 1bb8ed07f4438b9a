/*
 * Ids are 32-bit numbers on a GPU, as its own compiler knows: no 64-bit arithmetic on them, offsets fold into the address.
 *
 * RUN: env KEEP=%t.nvidia KEEP_CLANG=%noplugin GPUPERF_CLANG=%S/Inputs/keep_profile.sh %gpuperf predict --device a100 --local 256 %s
 * RUN: %gpuperf dis %t.nvidia | FileCheck %s
 * RUN: env KEEP=%t.amd KEEP_CLANG=%noplugin GPUPERF_CLANG=%S/Inputs/keep_profile.sh %gpuperf predict --device mi250x --local 256 %s
 * RUN: %gpuperf dis %t.amd | FileCheck %s
 * CHECK-LABEL: kernel "halves"
 * CHECK: local-size-agnostic no "it uses the local id of dimension 0"
 * CHECK-NOT: int64
 * CHECK: id.local_id.0 i32
 * CHECK: kernel "own"
 * CHECK: local-size-agnostic yes
 */
__kernel void halves(__global float *sums)
{
    __local float part[256];
    int t = get_local_id(0);
    part[t] = sums[t];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = 128; step > 0; step /= 2) {
        if (t < step)
            part[t] += part[t + step];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    sums[t] = part[0];
}

__kernel void own(__global float *a)
{
    a[get_global_id(0)] += get_global_size(1);
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
