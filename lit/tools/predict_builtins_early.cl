/*
 * Vendors' optimisers see arithmetic where LLVM's sees calls: the small loop is unrolled and what its rounds share is computed once.
 * NVIDIA's compiler, which has its own way with both, is not asked.
 *
 * RUN: env GPUPERF_NVRTC= GPUPERF_NVCC= %gpuperf predict --device a100 --model throughput --local 32x8 %s | FileCheck %s
 * CHECK: filter on a100
 * CHECK: 32x8 {{.*}} lsu
 * CHECK-NOT: Hot loop: {{.*}}predict_builtins_early.cl:[[# @LINE + 7]]:
 */
kernel void filter(global const float *in, global float *out, constant float *weight, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1);
    float sum = 0;
    for (int j = -4; j <= 4; j++)
        for (int i = -4; i <= 4; i++)
            sum += in[clamp(y + j, 0, h - 1) * w + clamp(x + i, 0, w - 1)] * weight[(j + 4) * 9 + i + 4];
    out[y * w + x] = sum;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
