// An array of a work-item that is indexed by what only the launch knows lives in memory: the warning names it, where it is indexed.
// RUN: %clang -x cl %s -cl-std=CL1.2 -target spir64 -O2 -emit-llvm -c -o %t.bc 2>&1 | FileCheck %s --implicit-check-not=warning:
// RUN: %gpuperf predict --device a100 --model trace --local 256 --kernel looked_up %s -- | FileCheck %s --check-prefix=TRACE
// TRACE: private-array.cl:{{[0-9:]+}}: spill: 'table' is indexed by a value unknown at compile time
// CHECK: private-array.cl:[[@LINE+9]]:39: warning: 'table' is indexed by a value unknown at compile time, so it lives in memory: {{[0-9]+}} accesses per work-item; {{[0-9]+}}% of predicted time on a100 ({{.*}} in registers) [gpuperf-spill]
// CHECK: note: its indices follow from data: make it smaller, with a narrower type or several elements packed into a word; in local memory it takes {{[0-9]+}} KB of each group
kernel void looked_up(global const float *in, global float *out, global const int *index)
{
    int i = get_global_id(0);
    float table[64];
    for (int k = 0; k < 64; k++)
        table[k] = in[i + k];
    float s = 0;
    for (int k = 0; k < 64; k++) s += table[(index[k] + i) & 63];
    out[i] = s;
}

// All indices are known once the loops are unrolled: registers.
kernel void known(global const float *in, global float *out)
{
    int i = get_global_id(0);
    float table[8];
    for (int k = 0; k < 8; k++)
        table[k] = in[i + k];
    float s = 0;
    for (int k = 0; k < 8; k++)
        s += table[k ^ 3];
    out[i] = s;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
