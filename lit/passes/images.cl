// Image operations have their coordinates, element by element.
// RUN: %plain_cl -S %s -o - | %profile_ir - | FileCheck %s
// CHECK: param "": image
// CHECK: [[X:%[0-9]+]] = trunc i64
// CHECK: [[Y:%[0-9]+]] = trunc i64
// CHECK: [[X1:%[0-9]+]] = add i32 {{.*}}[[X]]
// CHECK: image_load i32 $0, [[X1]], [[Y]] in image 4x1 align 4 base $0 readonly
// CHECK: image_store $1, [[X]], [[Y]] in image 4x4 align 16 base $1
constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
kernel void shift(read_only image2d_t in, write_only image2d_t out, global float *copy)
{
    int2 p = (int2)(get_global_id(0), get_global_id(1));
    float v = read_imagef(in, nearest, p + (int2)(1, 0)).x;
    copy[p.x] = v;
    write_imagef(out, p, (float4)(p.x, p.y, 0.0f, 1.0f));
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
