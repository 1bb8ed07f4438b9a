// Barriers take their own unit's time: 16 work-items a clock on an A100, so that 512 of them are half the time of a loop that does little else.
// RUN: %gpuperf predict --device a100 --local 256 %s | FileCheck %s
// RUN: %gpuperf predict --device a100 --model trace --local 256 %s | FileCheck %s

// CHECK: 256 {{.*}} barrier
// CHECK: {{[45][0-9]%}} {{.*}}predict_barriers.cl:{{[0-9]+}}:{{[0-9]+}}: barrier: waiting at 512 barriers per work-item
__kernel void handover(__global float *x, __local float *t)
{
    int i = get_global_id(0), l = get_local_id(0);
    float v = x[i];
    for (int k = 0; k < 256; k++) {
        t[l] = v;
        barrier(CLK_LOCAL_MEM_FENCE);
        v = t[l] * 0.5f + 1.0f;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    x[i] = v;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
