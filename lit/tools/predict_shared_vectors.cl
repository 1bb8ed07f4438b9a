// A vector that a row of 16 lanes shares is written to the registers of all: no order of the lanes spares that, so that it is no uncoalesced load.
// RUN: %gpuperf predict --device mi50,w6600 --global 1024x1024 --local 16x16 --arg n=1024 %s | FileCheck %s --implicit-check-not=uncoalesced
// CHECK: rows on mi50
// CHECK: {{16x16 .* lsu +best}}
// CHECK: rows on w6600
// CHECK: {{16x16 .* lsu +best}}
kernel void rows(global float4 *restrict out, global const float4 *restrict a, global const float4 *restrict b, int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    float4 sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[y * n + k] * b[k * 1024 + x];
    out[y * 1024 + x] = sum;
}
