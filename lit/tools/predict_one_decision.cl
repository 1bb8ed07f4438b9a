/*
 * Unrolling copies a branch; the source has one, and so have the findings.
 *
 * RUN: %gpuperf predict --device a100 --model throughput --local 256 %s | FileCheck %s
 * RUN: %gpuperf predict --device a100 --model trace --local 256 %s | FileCheck %s
 * CHECK: predict_one_decision.cl:[[# @LINE + 9]]:{{[0-9]+}}: divergence: divergent branch
 * CHECK-NOT: divergence:
 */
kernel void relax(global float *a, local float *tile)
{
    int i = get_local_id(0);
    tile[i] = a[get_global_id(0)];
    #pragma unroll
    for (int k = 0; k < 4; k++) {
        if ((i + k) % 4 < 2) {
            float x = tile[i];
            for (int j = 0; j < 40; j++)
                x = fma(x, x, 0.5f);
            tile[i] = x;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    a[get_global_id(0)] = tile[i];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
