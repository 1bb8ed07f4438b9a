// Bytes that become floats and go back: the conversions are told of.
// RUN: %gpuperf predict --device rtx3090 --global 4194304 --local 256 %s | FileCheck %s
// CHECK: bytes on rtx3090
// CHECK: throughput: conversions between integers and floats, at 1/8 of the rate of arithmetic
// CHECK-NEXT: convert what is used again once, or stay with integers until the end
// CHECK: words on rtx3090
// CHECK-NOT: between integers and floats

kernel void bytes(global const uchar4 *in, global uchar4 *out)
{
    int i = get_global_id(0) & 4095;
    float4 sum = 0;
    for (int k = 0; k < 16; k++)
        sum += convert_float4(in[i + k]);
    out[i] = convert_uchar4(sum / 16);
}

kernel void words(global const uchar4 *in, global uchar4 *out)
{
    int i = get_global_id(0) & 4095;
    uint4 sum = 0;
    for (int k = 0; k < 16; k++)
        sum += convert_uint4(in[i + k]);
    out[i] = convert_uchar4(sum / 16);
}
