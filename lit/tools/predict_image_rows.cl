/*
 * A block of texels has two rows. Groups of one row ask for half of each; their neighbours ask for the other half at about the same time, so that
 * DRAM moves each block once, whatever the groups' shape.
 *
 * RUN: %gpuperf predict --device a100 --model throughput --local 256x1,32x8,16x16 %s | FileCheck %s
 * CHECK: {{[0-9x]+}} {{.*}} dram best
 * CHECK-NEXT: {{[0-9x]+}} {{.*}} dram tied
 * CHECK-NEXT: {{[0-9x]+}} {{.*}} dram tied
 */
constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

kernel void copy(read_only image2d_t in, write_only image2d_t out)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    write_imagef(out, at, read_imagef(in, nearest, at) * 2);
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
