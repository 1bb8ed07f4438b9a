// Every finding is an optimisation remark, too, and each loop says how its bound was found.
// RUN: %cl -w -Rpass-analysis=gpuperf -fplugin-arg-gpuperf-device=a100 -c %s -o %t.bc 2>&1 | FileCheck %s
// RUN: %cl -w -Rpass-analysis=gpuperf-loops -fplugin-arg-gpuperf-assume=sums:trip=40 -c %s -o %t.bc 2>&1 | FileCheck %s --check-prefix=LOOPS
// RUN: %cl -w -fsave-optimization-record -foptimization-record-file=%t.yaml -c %s -o %t.bc
// RUN: FileCheck %s --check-prefix=RECORD --input-file=%t.yaml
// CHECK: remarks.cl:[[#@LINE+10]]:{{[0-9]+}}: remark: kernel sums on a100, global 1048576, local 256{{.*}}cycles
// CHECK: remark: {{.*}}uncoalesced global load{{.*}}[gpuperf-uncoalesced]
// RECORD: --- !Analysis
// RECORD: Pass:{{ +}}gpuperf
// RECORD: Name:{{ +}}uncoalesced
// RECORD: Pass:{{ +}}gpuperf-loops
// LOOPS-DAG: remarks.cl:[[#@LINE+9]]:{{[0-9]+}}: remark: loop bound found by scalar-evolution: {{.*}}n{{.*}} iterations; depth 1
// LOOPS-DAG: remarks.cl:[[#@LINE+11]]:{{[0-9]+}}: remark: loop bound found by assumed: 40 iterations {{.*}}depends on loaded data

// The bounds:
kernel void sums(global const float *in, global float *out, global const int *next, int n)
{
    int row = get_global_id(0);
    float sum = 0;
    #pragma unroll 1
    for (int i = 0; i < n; i++)
        sum += in[row * n + i];
    #pragma unroll 1
    for (int i = row; i != 0; i = next[i])
        sum *= in[i];
    out[row] = sum;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
