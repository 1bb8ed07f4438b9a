// A lone warp waits for results of arithmetic: the finding names the loop that holds the chain, not the one load before it.
// RUN: %clang -x cl %s -cl-std=CL1.2 -target spir64 -O2 -fplugin-arg-gpuperf-warn=latency -fplugin-arg-gpuperf-threshold=2 -emit-llvm -c -o %t.bc 2>&1 | FileCheck %s
// The simulation says what its schedulers see.
// RUN: %gpuperf predict --device a100 --model trace --kernel chain %s | FileCheck %s --check-prefix=SIMULATED
// SIMULATED: exposed latency: {{[5-9][0-9]}}% of the time a scheduler has nothing to issue, since its warps wait for results of earlier instructions (a dependent chain)
// CHECK: dependent-chain.cl:[[@LINE+6]]:{{[0-9]+}}: warning: exposed latency: a lone warp waits {{[0-9]+}} of its {{[0-9]+}} cycles for results of earlier instructions (a dependent chain); {{.*}} [gpuperf-latency]
// CHECK: note: several independent chains per work-item, as several accumulators make them, or more warps per SM
kernel __attribute__((reqd_work_group_size(64, 1, 1))) __attribute__((annotate("gpuperf: global=8192"))) void chain(global const float *in, global float *out)
{
    int i = get_global_id(0);
    float v = in[i];
    for (int k = 0; k < 4096; k++) v = fma(v, 0.99f, 0.1f);
    out[i] = v;
}

// CHECK: dependent-chain.cl:[[@LINE+6]]:{{[0-9]+}}: warning: exposed latency: a lone warp waits {{[0-9]+}} of its {{[0-9]+}} cycles for memory; {{.*}} [gpuperf-latency]
kernel __attribute__((reqd_work_group_size(64, 1, 1))) __attribute__((annotate("gpuperf: global=8192"))) void chase(global const int *in, global int *out)
{
    int at = get_global_id(0);
#pragma unroll 1
    for (int k = 0; k < 64; k++)
        at = in[at];
    out[get_global_id(0)] = at;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
