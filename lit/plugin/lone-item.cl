// One work-item of a group does what all could share.
// RUN: %cl -fplugin-arg-gpuperf-device=a100 -c %s -o %t.bc 2>&1 | FileCheck %s --implicit-check-not=warning:
// RUN: %gpuperf predict --device a100 --local 256 --kernel block_sum %s | FileCheck %s --check-prefix=SHORT
// CHECK: :[[# @LINE + 6]]:{{[0-9]+}}: warning: divergent branch: lanes of one warp part here, {{8[3-9]|9[0-9]}}% of the instructions run for idle lanes; {{.*}}([[GAIN:[0-9.]+]]x faster without divergence)
// CHECK: note: one work-item of a work-group does this while the others wait; share it among them, as a reduction tree or a loop with their number as stride does
kernel void mean_of_row(global const float *in, global float *out, int columns)
{
    local float mean;
    int row = get_group_id(0), item = get_local_id(0);
    if (item == 0) {
        float sum = 0;
        for (int i = 0; i < columns; i++)
            sum += in[row * columns + i];
        mean = sum / columns;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = item; i < columns; i += get_local_size(0))
        out[row * columns + i] = in[row * columns + i] - mean;
}

// What the branch leads to is short beside the block that ends with it, and still all of one lane's.
// CHECK: :[[# @LINE + 10]]:{{[0-9]+}}: warning: divergent branch: {{.*}}
// CHECK: note: one work-item of a work-group does this
// SHORT: divergence: divergent branch: lanes of one warp part here, 7{{[0-9]}}% of the instructions run for idle lanes
// SHORT-NEXT: one work-item of a work-group does this while the others wait
__attribute__((reqd_work_group_size(256, 1, 1))) kernel void block_sum(global const float *restrict in, global float *restrict out)
{
    local float t[256];
    int item = get_local_id(0);
    t[item] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item == 0) {
        float sum = 0;
        for (int i = 0; i < 256; i++)
            sum += t[i];
        out[get_group_id(0)] = sum;
    }
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
