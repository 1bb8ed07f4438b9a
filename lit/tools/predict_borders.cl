// A guard that cuts off the first and last rows and columns: groups of more than eight warps in which branches turn are looked at warp by warp.
// RUN: %gpuperf predict --device a100,mi250x --local 32x16,32x32 --global 1024x1024 --arg w=1024 --arg h=700 %s | FileCheck %s
// CHECK-COUNT-4: {{^ +32x(16|32) }}
__kernel void inside(__global const float *a, __global float *b, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1)
        return;
    b[y * w + x] = a[y * w + x - 1] + a[y * w + x + 1] + a[(y - 1) * w + x] + a[(y + 1) * w + x];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
