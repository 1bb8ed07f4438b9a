// What a byte picks near a place that each lane knows is near: a tile's permutation moves the bytes of a copy, and each row's code book is 1 KB.
// RUN: %gpuperf predict --warm --device w6600 --global 1048576 --local 256 %s | FileCheck %s

// CHECK: tile on
// CHECK: 256 {{.*}} 1{{[34]}}.{{.*}} us
kernel void tile(global const uchar *p, global const float *in, global float *out)
{
    int i = get_global_id(0);
    out[i] = in[(i & ~255) + p[i]];
}

// CHECK: copy on
// CHECK: 256 {{.*}} 14.{{.*}} us
kernel void copy(global const uchar *p, global const float *in, global float *out)
{
    int i = get_global_id(0);
    out[i] = in[i] + p[i];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
