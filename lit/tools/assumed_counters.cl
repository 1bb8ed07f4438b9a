// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A counter of few bits comes to no more than it holds: a loop that counts up to more would never end. Arrays bound such loops as they do others.
// RUN: %gpuperf predict --device a100 --local 256 %s | FileCheck %s
// RUN: %gpuperf predict --device a100 --kernel group_bytes %s | FileCheck --check-prefix=GROUPS %s

// CHECK: bytes on
// CHECK-NEXT: global 1048576, n=255
kernel void bytes(global const float *in, global float *out, int n)
{
    int row = get_global_id(0);
    float sum = 0;
    for (uchar k = 0; k < n; k++)
        sum += in[row * n + k];
    out[row] = sum;
}

// CHECK: signed_bytes on
// CHECK-NEXT: global 1048576, n=127
kernel void signed_bytes(global const float *in, global float *out, int n)
{
    int row = get_global_id(0);
    float sum = 0;
    for (char k = 0; k < n; k++)
        sum += in[row * n + k];
    out[row] = sum;
}

// The argument bounds the range as well.
// CHECK: words on
// CHECK-NEXT: global 65536, n=65535
kernel void words(global const float4 *in, global float *out, uint n)
{
    uint i = get_global_id(0);
    float sum = 0;
    if (i >= n)
        return;
    for (ushort k = 0; k < n; k++)
        sum += distance(in[i], in[k]);
    out[i] = sum;
}

// CHECK: fill on
// CHECK-NEXT: global 1048576, n=32
kernel void fill(global const float *in, global float *out, ushort n)
{
    float row[32], sum = 0;
    for (ushort k = 0; k < n; k++)
        row[k] = in[get_global_id(0) + k];
    for (ushort k = 0; k < n; k++)
        sum += row[k] * row[n - 1 - k];
    out[get_global_id(0)] = sum;
}

// CHECK: fill_bytes on
// CHECK-NEXT: global 1048576, n=48
kernel void fill_bytes(global const float *in, global float *out, uchar n)
{
    float row[48], sum = 0;
    for (uchar k = 0; k < n; k++)
        row[k] = in[get_global_id(0) + k];
    for (uchar k = 0; k < n; k++)
        sum += row[k] * row[n - 1 - k];
    out[get_global_id(0)] = sum;
}

// Whether an unsigned size is neither 1 nor 2 is asked by `depth - 3 < 0xfffffffe`, which bounds nothing.
// CHECK: layers on
// CHECK-NEXT: global 1024x1024, width=1024, depth=1024
kernel void layers(global const float *in, global float *out, uint width, uint depth)
{
    uint x = get_global_id(0), y = get_global_id(1);
    if (x >= width)
        return;
    for (uint z = 1; z < depth - 1; z++) {
        uint i = (z * width + y) * width + x;
        out[i] = in[i] + in[i - 1] + in[i + 1] + in[i - width] + in[i + width];
    }
}

// Steps of a group's size, as far as a byte holds them: a counter that all groups of 64 end within. Of groups whose size is no step at all, half.
// GROUPS: global 1048576, n=192
kernel __attribute__((reqd_work_group_size(64, 1, 1))) void group_bytes(global const float *in, global float *out, int n)
{
    float sum = 0;
    for (uchar k = get_local_id(0); k < n; k += get_local_size(0))
        sum += in[k];
    out[get_global_id(0)] = sum;
}

// CHECK: any_group_bytes on
// CHECK-NEXT: global 1048576, n=128
kernel void any_group_bytes(global const float *in, global float *out, int n)
{
    float sum = 0;
    for (uchar k = get_local_id(0); k < n; k += get_local_size(0))
        sum += in[k];
    out[get_global_id(0)] = sum;
}

// The range is within what the loop allows.
// CHECK: strided_words on
// CHECK-NEXT: global 16384, n=16384
kernel void strided_words(global float *data, short n)
{
    for (short k = get_global_id(0); k < n; k += get_global_size(0))
        data[k] *= 2;
}

// A counter that all work-items share takes one element after the other: with a step of n the loop would turn once.
// CHECK: stepped on
// CHECK-NEXT: global 1048576, n=1024, s=1
// CHECK: s=1: twice 0.5{{.*}}; with half of it the kernel
// CHECK-NEXT: why: the step of a loop that takes one element after the other
kernel void stepped(global const float *in, global float *out, int n, int s)
{
    float sum = 0;
    for (int i = 0; i < n; i += s)
        sum += in[i];
    out[get_global_id(0)] = sum;
}

// CHECK: stepped_rows on
// CHECK-NEXT: global 1048576, w=1048576, h=1024, step=1
kernel void stepped_rows(global const float *in, global float *out, int w, int h, int step)
{
    int x = get_global_id(0);
    float sum = 0;
    for (int y = 0; y < h; y += step)
        sum += in[y * w + x];
    out[x] = sum;
}

// It steps over what other lanes, parts or loops take.
// CHECK: over_lanes on
// CHECK-NEXT: global 1048576, n=1024, s=1024
kernel void over_lanes(global const float *in, global float *out, int n, int s)
{
    int lane = get_local_id(0);
    float sum = 0;
    for (int i = 0; i < n; i += s)
        sum += in[i + lane];
    out[get_global_id(0)] = sum;
}

// CHECK: over_tiles on
// CHECK-NEXT: global 1048576, n=1024, tile=1024
kernel void over_tiles(global const float *in, global float *out, int n, int tile)
{
    float sum = 0;
    for (int t = 0; t < n; t += tile)
        for (int k = 0; k < tile; k++)
            sum += in[t + k];
    out[get_global_id(0)] = sum;
}
