/*
 * AMD's compiler makes a vector of up to 32 words, in registers, of an array that code for no device has in memory: what the plugin says for its devices, and what the same predictor does for other ones
 * before and after. Larger ones stay in memory.
 *
 * RUN: %clang -x cl %s -cl-std=CL1.2 -target spir64 -O2 -emit-llvm -c -o %t.bc -fplugin-arg-gpuperf-device=mi250x -fplugin-arg-gpuperf-profile=%t.gpuperf 2>&1 | FileCheck %s
 * RUN: %gpuperf predict --device a100,mi250x,h200 --local 256 --model throughput --kernel few %t.gpuperf | FileCheck %s --check-prefix=EACH
 *
 * CHECK: private-vector.cl:[[#]]:[[#]]: warning: 'v' is indexed by a value unknown at compile time: it is in registers, and an access takes 30 comparisons and moves; [[#]]% of predicted time on mi250x
 * CHECK-NOT: lives in memory
 * CHECK: 'w' is indexed by a value unknown at compile time, so it lives in memory
 * EACH: few on a100
 * EACH: 'v' is indexed by a value unknown at compile time, so it lives in memory
 * EACH: few on mi250x
 * EACH: 'v' is indexed by a value unknown at compile time: it is in registers, and an access takes 30 comparisons and moves
 * EACH: few on h200
 * EACH: 'v' is indexed by a value unknown at compile time, so it lives in memory
 */
kernel void few(global const float *in, global float *out, int step)
{
    int g = get_global_id(0);
    float v[16];
    for (int k = 0; k < 16; k++)
        v[k] = in[g + k];
    float s = 0;
    for (int k = 0; k < 64; k++)
        s += v[(k * step + g) & 15] * k;
    out[g] = s;
}

kernel void many(global const float *in, global float *out, int step)
{
    int g = get_global_id(0);
    float w[64];
    for (int k = 0; k < 64; k++)
        w[k] = in[g + k];
    float s = 0;
    for (int k = 0; k < 64; k++)
        s += w[(k * step + g) & 63] * k;
    out[g] = s;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
