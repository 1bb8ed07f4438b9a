// In a reduction the first warp of a group does the most: it must not stand for half of the group.
// RUN: %cl -fplugin-arg-gpuperf-device=a100 -c %s -o %t.bc 2>&1 | FileCheck %s --implicit-check-not=warning:
// RUN: %cl -w -fplugin-arg-gpuperf-device=a100 -Rpass-analysis=gpuperf -c %s -o %t.bc 2>&1 | FileCheck %s --check-prefix=REMARK
// The 8-fold conflict is in one warp of eight, for few of nine rounds. But the load/store unit is busy with what the other warps issue for nothing, so that it shows: an H100 takes 367 us for 2^26 numbers so and
// 287 us without conflicts, 1.28 times as fast (bench/gpu/results/h100/reduction__h100.csv).
// CHECK: warning: 8-way bank conflict in local-memory load: {{.*}} on a100 (1.{{[1-4]}}x faster without conflicts) [gpuperf-bank-conflict]
// REMARK: kernel sums on a100, global 1048576, local 256: {{1[0-9]}}{{[0-9][0-9][0-9]}} cycles

__attribute__((reqd_work_group_size(256, 1, 1))) kernel void sums(global const float *in, global float *out)
{
    local float part[256];
    int l = get_local_id(0);
    part[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 1; k < 256; k *= 2) {
        int i = 2 * k * l;
        if (i < 256)
            part[i] += part[i + k];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        out[get_group_id(0)] = part[0];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
