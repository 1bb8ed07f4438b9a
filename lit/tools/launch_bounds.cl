/*
 * REQUIRES: ptxas
 * A required work-group size is a bound for ptxas: a group of 1024 work-items leaves 64 registers for each.
 *
 * RUN: %gpuperf predict --device a100 --json %s > %t.json
 * RUN: FileCheck %s --input-file=%t.json
 * RUN: %gpuperf predict --device a100 %s | FileCheck %s --check-prefix=TABLE
 * CHECK: "known_share": 1.0,
 * CHECK: "registers": 64,
 * TABLE: registers  64 (ptxas)
 *
 * Compiled without it, the kernel takes more.
 * RUN: %gpuperf predict --device a100 --local 256 %s -- -DANY_SIZE | FileCheck %s --check-prefix=ANY
 * ANY: registers  {{[1-9][0-9][0-9]|[7-9][0-9]}} (ptxas); local memory 0 B; no spills
 */
#ifndef ANY_SIZE
__attribute__((reqd_work_group_size(1024, 1, 1)))
#endif
__kernel void many_values(__global const float *in, __global float *out, int n)
{
    int i = get_global_id(0);
    float v[96], sum = 0;
#pragma unroll
    for (int k = 0; k < 96; k++)
        v[k] = in[i + k * n];
#pragma unroll
    for (int k = 0; k < 96; k++)
        sum += v[k] * v[(k * 7 + 3) % 96];
    out[i] = sum;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
