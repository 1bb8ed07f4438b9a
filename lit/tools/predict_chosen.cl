// What data chooses among a loop's counters lies where the loop has read: the gather is from 16 points, not from all of memory. A buffer of constant memory has 64 KB at most.
// RUN: %gpuperf predict --device a100,mi250x --local 256 --global 4194304 --arg n=16 --kernel nearest %s | FileCheck %s --check-prefix=NEAREST
// RUN: %gpuperf predict --device mi250x --local 256 --global 4194304 --kernel table %s | FileCheck %s --check-prefix=TABLE

// 80 MB in all: 64 us on an A100.
// NEAREST-LABEL: nearest on a100
// NEAREST: known 100%
// NEAREST: 256 {{ *[0-9]+ +6[0-9]\.[0-9] us .*}} dram best
// NEAREST-LABEL: nearest on mi250x
// NEAREST: known 100%
// NEAREST: 256 {{ *[0-9]+ +[67][0-9]\.[0-9] us .*}} best
__kernel void nearest(__global const float *in, __global const float4 *centre, int n, __global float4 *out)
{
    int i = get_global_id(0), best = 0;
    float x = in[i], least = 1e30f;
    for (int k = 0; k < n; k++) {
        float d = fabs(x - centre[k].x);
        if (d < least) {
            least = d;
            best = k;
        }
    }
    out[i] = centre[best];
}

// TABLE: known 8{{[0-9]}}%
// TABLE: 256 {{ *[0-9]+ +7[0-9]\.[0-9] us .*}} l2 best
__kernel void table(__global const int *in, __constant float4 *values, __global float4 *out)
{
    int i = get_global_id(0);
    out[i] = values[in[i]];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
