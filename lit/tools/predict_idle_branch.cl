// A branch that data decides, where DRAM limits whichever way it goes: nothing of the time rests on it. Where arithmetic limits, a quarter of its share: which way it goes is the guess.
// RUN: %gpuperf predict --device a100 --local 256 --global 16777216 --kernel streams --kernel computes %s | FileCheck %s

// CHECK-LABEL: streams on a100
// CHECK: known {{(9[5-9]|100)}}%
// CHECK: 256 {{.*}} best
__kernel void streams(__global const float *in, __global float *out)
{
    int i = get_global_id(0);
    float x = in[i], r;
    if (x > 0) r = sqrt(sin(x) * exp(x)) * cos(x);
    else r = exp(x * x) + x;
    out[i] = r;
}

// CHECK-LABEL: computes on a100
// CHECK: known 7{{[0-9]}}%
// CHECK: 256 {{.*}} fp32 best
// CHECK: data-dependent: {{9[0-9]}}% of the instructions
__kernel void computes(__global const float *in, __global float *out)
{
    int i = get_global_id(0);
    float x = in[i], r = x;
    if (x > 0) {
        for (int k = 0; k < 1000; k++)
            r = r * x + 0.5f;
    }
    out[i] = r;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
