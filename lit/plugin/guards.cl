// An argument that guards an index made of ids is as large as lets all work-items of the assumed launch pass; any other is 1024.
// RUN: %cl -Rpass-analysis=gpuperf -c %s -o %t.bc 2>&1 | FileCheck %s

// CHECK: [[# @LINE + 1]]:13: remark: kernel {{[a-z_]+}} on a100, global 1048576, local 256, rows=32768, width=1024:
kernel void warp_per_row(global const float *in, global float *out, int rows, int width)
{
    int row = get_global_id(0) / 32, lane = get_local_id(0) & 31;
    if (row >= rows)
        return;
    float s = 0;
    for (int i = lane; i < width; i += 32)
        s += in[row * width + i];
    out[row * 32 + lane] = s;
}

// CHECK: [[# @LINE + 1]]:13: remark: kernel {{[a-z_]+}} on a100, global 1048576, local 256, rows=4096, width=1024:
kernel void group_per_row(global const float *in, global float *out, int rows, int width)
{
    int row = get_group_id(0);
    if (row < rows)
        for (int i = get_local_id(0); i < width; i += get_local_size(0))
            out[row * width + i] = 2 * in[row * width + i];
}

// CHECK: [[# @LINE + 1]]:13: remark: kernel {{[a-z_]+}} on a100, global 1048576, local 256, n=4194304:
kernel void four_each(global const float *in, global float *out, int n)
{
    int i = 4 * get_global_id(0);
    if (i >= n)
        return;
    for (int k = 0; k < 4; k++)
        out[i + k] = 2 * in[i + k];
}

// Two groups' width apart: both comparisons let all pass.
// CHECK: [[# @LINE + 1]]:13: remark: kernel {{[a-z_]+}} on a100, global 1048576, local 256, n=2097152:
kernel void halves(global const float *in, global float *out, uint n)
{
    uint i = get_group_id(0) * (get_local_size(0) * 2) + get_local_id(0);
    float s = i < n ? in[i] : 0;
    if (i + get_local_size(0) < n)
        s += in[i + get_local_size(0)];
    out[get_global_id(0)] = s;
}

// The next one is read, too: one more than there are work-items.
// CHECK: [[# @LINE + 1]]:13: remark: kernel {{[a-z_]+}} on a100, global 1024x1024, local 32x8, width=1024, n=1048577:
kernel void linear(global const float *in, global float *out, int width, int n)
{
    int x = get_global_id(0), y = get_global_id(1), i = y * width + x;
    if (x < width && i < n - 1)
        out[i] = in[i] + in[i + 1];
}

// Which lane: nothing that grows with the launch.
// CHECK: [[# @LINE + 1]]:13: remark: kernel {{[a-z_]+}} on a100, global 1048576, local 256, n=1024:
kernel void lane(global const float *in, global float *out, int n)
{
    int lane = get_global_id(0) & 31;
    if (lane < n)
        out[get_global_id(0)] = in[lane];
}

// CHECK: [[# @LINE + 1]]:13: remark: kernel {{[a-z_]+}} on a100, global 1048576, local 256, n=33554432:
kernel void strided(global const float *in, global float *out, int n)
{
    for (int i = 2 * get_global_id(0); i < n; i += 2 * get_global_size(0))
        out[i] = in[i];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
