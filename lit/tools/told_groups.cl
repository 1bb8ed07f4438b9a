// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constants of the kernel tell the size of a group: groups step by 16, and so many work-items fill what is between two.
// RUN: %gpuperf predict --device a100 %s | FileCheck %s
// RUN: %gpuperf predict --device a100 --kernel tile --local 16x8 %s | FileCheck %s --check-prefix=OTHER
// OTHER: its constants are made for local 16x16: with 16x8 places are left out or stored twice

// CHECK: tile on
// CHECK: time {{.*}} with local 16x16,
// CHECK: its constants are made for local 16x16; other sizes would leave places out or store them twice
// CHECK: local cycles
// CHECK-NEXT: 16x16
// CHECK-NOT: {{^ *[0-9]+x[0-9]+ }}
kernel void tile(global const float *in, global float *out, int n)
{
    local float t[16][17];
    int x = get_group_id(0) * 16 + get_local_id(0), y = get_group_id(1) * 16 + get_local_id(1);
    t[get_local_id(1)][get_local_id(0)] = in[y * n + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    x = get_group_id(1) * 16 + get_local_id(0);
    y = get_group_id(0) * 16 + get_local_id(1);
    out[y * n + x] = t[get_local_id(0)][get_local_id(1)];
}

// Two elements each, a group's size apart.
// CHECK: two on
// CHECK: its constants are made for local 256;
kernel void two(global const float *in, global float *out)
{
    int i = get_group_id(0) * 512 + get_local_id(0);
    out[i] = 2 * in[i];
    out[i + 256] = 3 * in[i + 256];
}

// One dimension is free.
// CHECK: rows on
// CHECK: its constants are made for local 32xany;
kernel void rows(global const float *in, global float *out, int n)
{
    int x = get_group_id(0) * 32 + get_local_id(0), y = get_global_id(1);
    if (x < n)
        out[y * n + x] = 2 * in[y * n + x];
}

// A border is loaded by more work-items than store; a loop takes what is left.
// CHECK: halo on
// CHECK-NOT: its constants
kernel void halo(global const float *in, global float *out, int n)
{
    local float t[256];
    int l = get_local_id(0), x = get_group_id(0) * 62 + l - 1;
    t[l] = x >= 0 && x < n ? in[x] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l > 0 && l < 63)
        out[x] = t[l - 1] + t[l + 1];
}

kernel void share(global const float *in, global float *out)
{
    for (int i = get_local_id(0); i < 512; i += get_local_size(0))
        out[get_group_id(0) * 512 + i] = 2 * in[get_group_id(0) * 512 + i];
}
