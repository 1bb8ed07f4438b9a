// What is assumed of images is said beside what is assumed of other arguments; a guard by an image's size rests on no guess.
// RUN: %gpuperf predict --device a100,mi250x --kernel scale --local 32x8 --arg in=16 --arg out=16 %s | FileCheck %s
// RUN: %gpuperf predict --device a100 --kernel sum --local 256 %s | FileCheck %s --check-prefix=ROWS
// CHECK: launch     global 1024x1024, images as large as the range
// CHECK: known 100%
// CHECK: 32x8 {{.*}} best
// CHECK: known 100%
// CHECK: 32x8 {{.*}} best
// ROWS: launch     global 1048576, images as large as the range (2D, 3D: 1024 along each dimension)
constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

kernel void scale(read_only image2d_t in, write_only image2d_t out)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= get_image_width(out) || y >= get_image_height(out))
        return;
    write_imagef(out, (int2)(x, y), read_imagef(in, nearest, (int2)(x, y)) * 2.0f);
}

kernel void sum(read_only image2d_t in, global float *out)
{
    float sum = 0;
    for (int x = 0; x < get_image_width(in); x++)
        sum += read_imagef(in, nearest, (int2)(x, get_global_id(0))).x;
    out[get_global_id(0)] = sum;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
