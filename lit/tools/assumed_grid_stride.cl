// Where a loop steps by all work-items, its end is 16 elements for each of them, whatever the types of the counter and of the end are, however the loop is written, and what a target's optimiser makes of it.
// RUN: %gpuperf predict --device a100 --local 256 %s | FileCheck %s
// RUN: %gpuperf predict --device mi250x --local 256 %s | FileCheck %s
// RUN: %gpuperf predict --device pocl-cpu --local 256 %s | FileCheck %s

// CHECK: for_uint on
// CHECK-NEXT: global 1048576, n=16777216
kernel void for_uint(global const float *in, global float *out, uint n)
{
    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        out[i] = in[i] * 2;
}

// CHECK: for_size on
// CHECK-NEXT: global 1048576, n=16777216
kernel void for_size(global const float *in, global float *out, int n)
{
    for (size_t i = get_global_id(0); i < n; i += get_global_size(0))
        out[i] = in[i] * 2;
}

// CHECK: while_uint on
// CHECK-NEXT: global 1048576, n=16777216
kernel void while_uint(global const float *in, global float *out, uint n)
{
    float sum = 0;
    uint i = get_global_id(0);
    while (i < n) {
        sum += in[i];
        i += get_global_size(0);
    }
    out[get_global_id(0)] = sum;
}

// CHECK: do_uint on
// CHECK-NEXT: global 1048576, n=16777216
kernel void do_uint(global const float *in, global float *out, uint n)
{
    uint i = get_global_id(0);
    if (i >= n)
        return;
    do {
        out[i] = in[i] * 2;
        i += get_global_size(0);
    } while (i < n);
}

// CHECK: by_groups on
// CHECK-NEXT: global 1048576, n=16777216
kernel void by_groups(global const float *in, global float *out, int n)
{
    const uint step = get_local_size(0) * get_num_groups(0);
    for (uint i = get_group_id(0) * get_local_size(0) + get_local_id(0); i < n; i += step)
        out[i] = in[i] * 2;
}

// 16 vectors.
// CHECK: fours on
// CHECK-NEXT: global 1048576, n=67108864
kernel void fours(global const float4 *in, global float4 *out, uint n)
{
    for (uint i = get_global_id(0); i < n / 4; i += get_global_size(0))
        out[i] = in[i] * 2;
}

// CHECK: planes on
// CHECK-NEXT: global 1048576, channels=256, height=256, width=256
kernel void planes(global const float *in, global float *out, int channels, int height, int width)
{
    for (int i = get_global_id(0); i < channels * height * width; i += get_global_size(0))
        out[i] = in[i] * 2;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
