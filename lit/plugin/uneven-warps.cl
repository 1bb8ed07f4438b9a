// In a reduction the first warp of a group does the most: it must not stand for half of the group.
// RUN: %cl -fplugin-arg-gpuperf-device=a100 -c %s -o %t.bc 2>&1 | FileCheck %s --allow-empty --implicit-check-not=warning:
// RUN: %cl -w -fplugin-arg-gpuperf-device=a100 -Rpass-analysis=gpuperf -c %s -o %t.bc 2>&1 | FileCheck %s --check-prefix=REMARK
// The 8-fold conflict is in one warp of eight, for few of nine rounds: nothing to warn about.
// REMARK: kernel sums on a100, global 1048576, local 256: {{1[0-2]}}{{[0-9][0-9][0-9]}} cycles
// REMARK-NOT: {{[1-9][0-9]% of predicted time.*bank-conflict}}

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
