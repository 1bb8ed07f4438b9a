// What is served one after the other costs Hong & Kim's model as much as the others: constants that lanes read different ones of (throughput: 9.8 million cycles), and atomics on one address (69714).
// A group of one warp waits at its barriers for nobody.
// RUN: %gpuperf predict --device a100 --kernel table --model mwp-cwp --local 256 %s | FileCheck %s --check-prefix=TABLE
// RUN: %gpuperf predict --device a100 --kernel count --model mwp-cwp --local 256 %s | FileCheck %s --check-prefix=COUNT
// RUN: %gpuperf predict --device a100 --kernel waves --model mwp-cwp --local 32 %s | FileCheck %s --check-prefix=WAVES

// TABLE: {{ 256 +(9|10)[0-9]{6} }}
// TABLE: uncoalesced constant load
// COUNT: {{ 256 +6[0-9]{4} .* l2 }}
// WAVES: {{ 32 +[5-9][0-9]{4} .* issue }}
kernel void table(constant int *t, global const int *in, global int *out, int n)
{
    int i = get_global_id(0), v = in[i];
    for (int k = 0; k < n; k++)
        v = t[v & 1023] + k;
    out[i] = v;
}

kernel void count(global const int *in, global int *sum)
{
    if (in[get_global_id(0)] > 0)
        atomic_or(sum, in[get_global_id(0)]);
}

kernel __attribute__((reqd_work_group_size(32, 1, 1))) void waves(global const int *in, global int *out)
{
    local int s[33];
    int t = get_local_id(0);
    s[t] = in[get_global_id(0)];
    s[32] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int m = 0; m < 64; m++) {
        int v = s[t + 1];
        barrier(CLK_LOCAL_MEM_FENCE);
        s[t] = v * 3 + m;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = s[t];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
