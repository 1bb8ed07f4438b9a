// Floats that become integers in a loop: the conversions are told of. (Bytes become floats by a permutation and I2FP, at the rate of integers, from cc 8.6 on.)
// RUN: %gpuperf predict --device rtx3090 --global 4194304 --local 256 %s | FileCheck %s
// CHECK: rounded on rtx3090
// CHECK: throughput: conversions between integers and floats, at 1/8 of the rate of arithmetic
// CHECK-NEXT: convert what is used again once, or stay with integers until the end
// CHECK: words on rtx3090
// CHECK-NOT: between integers and floats

kernel void rounded(global const float *in, global int4 *out)
{
    int i = get_global_id(0) & 4095;
    int4 sum = 0;
    for (int k = 0; k < 16; k++)
        sum += convert_int4(in[i + k] * (float4)(1, 2, 3, 4));
    out[i] = sum;
}

kernel void words(global const uchar4 *in, global uchar4 *out)
{
    int i = get_global_id(0) & 4095;
    uint4 sum = 0;
    for (int k = 0; k < 16; k++)
        sum += convert_uint4(in[i + k]);
    out[i] = convert_uchar4(sum / 16);
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
