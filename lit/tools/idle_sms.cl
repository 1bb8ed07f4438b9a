/*
 * One group on a device of 108 SMs: that the others are idle stands first.
 *
 * RUN: %gpuperf predict --warm --device a100 --global 64 --local 64 --arg n=1048576 %s -- | FileCheck %s
 * CHECK: Bottlenecks
 * CHECK-NEXT: 99% {{.*}}idle_sms.cl:{{[0-9:]+}}: tail: 1 work-group on 108 SMs: 107 idle
 * CHECK-NEXT: more work-items, each with less of the work, as where several share a loop; smaller groups gain nothing, since one work-item alone takes as long
 * CHECK-NEXT: latency: {{.*}} a lone warp waits 33{{[0-9]+}} of its 36{{[0-9]+}} cycles for memory
 * The launch before has left it all in L2, so that no warp waits for DRAM: 3.6 million cycles, as the launch takes.
 * RUN: %gpuperf predict --warm --device a100 --model trace --global 64 --local 64 --arg n=65536 %s -- | FileCheck %s --check-prefix=TRACE
 * TRACE: tail: 1 work-group on 108 SMs: 107 idle
 * TRACE-NEXT: smaller groups gain nothing
 * RUN: %gpuperf predict --warm --device a100 --global 1048576 --local 256 --arg n=1048576 %s -- | FileCheck %s --check-prefix=MANY
 * MANY: Bottlenecks
 * MANY-NOT: {{[0-9]}} idle
 */
kernel void twice(global const float *x, global float *y, int n)
{
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        y[i] = 2.0f * x[i];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
