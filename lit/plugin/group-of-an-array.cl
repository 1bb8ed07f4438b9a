// The kernel's own arrays tell how a group is cut that is assumed, not only how large it is: four rows of 72, and 72 rows of four.
// RUN: %cl -fplugin-arg-gpuperf-device=a100 -Rpass-analysis='gpuperf$' -c %s -o %t.bc 2>&1 | FileCheck %s
// CHECK: kernel wide on a100, global 1024x1024, local 64x4:
kernel void wide(global const float *f, global float *df)
{
    local float s[4][72];
    int i = get_local_id(0), j = get_local_id(1), at = get_global_id(1) * 64 + i;
    s[j][i + 4] = f[at];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < 4) {
        s[j][i] = s[j][i + 63];
        s[j][i + 68] = s[j][i + 5];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    df[at] = s[j][i + 5] - s[j][i + 3];
}

// CHECK: kernel high on a100, global 1024x1024, local 4x64:
kernel void high(global const float *f, global float *df)
{
    local float s[72][4];
    int i = get_local_id(0), j = get_local_id(1), at = j * 64 + get_global_id(0);
    s[j + 4][i] = f[at];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (j < 4) {
        s[j][i] = s[j + 63][i];
        s[j + 68][i] = s[j + 5][i];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    df[at] = s[j + 5][i] - s[j + 3][i];
}

// CHECK: kernel square on a100, global 1024x1024, local 16x16:
kernel void square(global const float *f, global float *df)
{
    local float s[16][16];
    int i = get_local_id(0), j = get_local_id(1), at = get_global_id(1) * 1024 + get_global_id(0);
    s[i][j] = f[at];
    barrier(CLK_LOCAL_MEM_FENCE);
    df[at] = s[j][i];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
