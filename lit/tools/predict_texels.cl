// Nothing in the code tells how many bytes a texel has: as many as its colours, unless it is said. The same traffic through buffers is 8 bytes a work-item.
// RUN: %gpuperf predict --device a100 --kernel invert --global 4096x4096 --local 32x8 %s | FileCheck %s --check-prefix=ASSUMED
// RUN: %gpuperf predict --device a100 --kernel invert --global 4096x4096 --local 32x8 --arg in=4 --arg out=4 %s | FileCheck %s --check-prefix=STATED
// RUN: %gpuperf predict --device a100 --kernel invert --global 4096x4096 --local 32x8 --arg in=16 --arg out=16 %s | FileCheck %s --check-prefix=FLOATS
// RUN: %gpuperf predict --device a100 --kernel threshold --global 4096x4096 --local 32x8 %s | FileCheck %s --check-prefix=SINGLE
// RUN: not %gpuperf predict --device a100 --kernel invert --arg in=17 %s 2>&1 | FileCheck %s --check-prefix=WRONG

constant sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

// ASSUMED: known {{[23][0-9]}}%
// ASSUMED: note texels of 'in', 'out' are taken to have as many bytes as the colours; say how many an image's format has (--arg in=4)
// ASSUMED: 32x8 {{ *[0-9]+ +[0-9]{3} us .*}} dram best
// STATED-NOT: texels of
// STATED: known 100%
// STATED: 32x8 {{ *[0-9]+ +(99[.][0-9]|10[0-9]) us .*}} dram best
// FLOATS-NOT: texels of
// FLOATS: known 100%
// FLOATS: 32x8 {{ *[0-9]+ +[34][0-9]{2} us .*}} dram best
// WRONG: '17' is no number of bytes that a texel of the image 'in' can have: from 1 to 16
__kernel void invert(read_only image2d_t in, write_only image2d_t out)
{
    int2 p = (int2)(get_global_id(0), get_global_id(1));
    write_imagef(out, p, 1 - read_imagef(in, s, p));
}

// SINGLE-NOT: texels of
// SINGLE: known 100%
// SINGLE: 32x8 {{.*}} best
__kernel void threshold(read_only image2d_t in, write_only image2d_t out)
{
    int2 p = (int2)(get_global_id(0), get_global_id(1));
    write_imagef(out, p, (float4)(read_imagef(in, s, p).x > 0.5f, 0, 0, 0));
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
