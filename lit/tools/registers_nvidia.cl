/*
 * REQUIRES: ptxas
 * Registers from ptxas, also of code that does not link: images, samplers and functions that LLVM has no code for.
 *
 * RUN: %gpuperf predict --device a100 --local 32x8 %s | FileCheck %s
 * CHECK: warm on a100
 * CHECK: registers  {{[0-9]+}} (ptxas)
 * CHECK: tile on a100
 * CHECK: registers  {{[0-9]+}} (ptxas); local memory 4096 B
 */
__constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

__kernel void warm(__read_only image2d_t in, __write_only image2d_t out, float heat)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    float4 pixel = read_imagef(in, nearest, at);
    write_imagef(out, at, (float4)(exp(pixel.x * heat), pow(pixel.y, heat), log2(pixel.z), sin(pixel.w)));
}

__kernel void tile(__global float *out, __global const float *in)
{
    __local float part[32][32];
    part[get_local_id(1)][get_local_id(0)] = in[get_global_id(1) * 1024 + get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(1) * 1024 + get_global_id(0)] = part[get_local_id(1)][31 - get_local_id(0)];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
