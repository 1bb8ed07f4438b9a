// A texel is a call of PoCL's: 25 cycles, 18 to write one, more than what is computed with it.
// RUN: %gpuperf predict --device pocl-cpu --local 64x4 --global 1024x1024 --arg a=4 --arg o=4 %s | FileCheck %s
// 1048576 texels on 4 cores at 3 GHz, (25 + 18) cycles each: 3.8 ms
// CHECK: copy on pocl-cpu
// CHECK: 64x4 {{.*}} {{3\.[89]|4\.[0-3]}}{{[0-9]*}} ms {{.*}} 100% issue
constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
kernel void copy(read_only image2d_t a, write_only image2d_t o)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    write_imagef(o, at, read_imagef(a, nearest, at));
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
