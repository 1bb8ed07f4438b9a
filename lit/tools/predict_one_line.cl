// A line that goes to two buffers is one finding, which names both: the gain is that of mending both.
// RUN: %gpuperf predict --device a100 --global 65536 --local 256 --arg n=1024 %s | FileCheck %s
// CHECK: uncoalesced global {{load|store}}: 32 transactions per warp, stride 4096 bytes
// CHECK-NEXT: a row of its own of '{{from|to}}'; {{.*}}; fix '{{from|to}}' there, too
kernel void scaled(global const float *restrict from, global float *restrict to, int n)
{
    int r = get_global_id(0);
    for (int k = 0; k < n; k++)
        to[r * n + k] = 2 * from[r * n + k];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
