// Predicated accesses of warps that have no work left take the load/store unit a cycle each: an H100 is 83% busy with those of this sum by a tree, and took 287 us (bench/gpu/results/h100).
// RUN: %gpuperf predict --device h100 --local 256 --global 67108864 %s | FileCheck %s
// CHECK: {{ 256 +[0-9]+ +(2[6-9][0-9]|30[0-9]) us .* lsu}}

kernel void tree(global float *restrict sums, global const float *restrict in)
{
    local float part[256];
    const int t = get_local_id(0);
    part[t] = in[get_group_id(0) * 256 + t];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = 128; step > 0; step /= 2) {
        if (t < step)
            part[t] += part[t + step];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (t == 0)
        sums[get_group_id(0)] = part[0];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
