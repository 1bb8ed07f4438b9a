/*
 * Registers from LLVM's AMDGPU backend, images included.
 *
 * RUN: %gpuperf predict --device mi250x,w6600 --local 32x8 %s | FileCheck %s
 * CHECK: warm on mi250x
 * CHECK: registers  {{[0-9]+}} (LLVM 22)
 * CHECK: warm on w6600
 * CHECK: registers  {{[0-9]+}} (LLVM 22)
 */
__constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

__kernel void warm(__read_only image2d_t in, __write_only image2d_t out, float heat)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    float4 pixel = read_imagef(in, nearest, at);
    write_imagef(out, at, (float4)(exp(pixel.x * heat), pow(pixel.y, heat), log2(pixel.z), sin(pixel.w)));
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
