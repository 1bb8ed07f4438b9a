// A range that the kernel itself bounds by a constant is that, where nobody states another one.
// RUN: %gpuperf predict --device a100,mi50 --local 256 --kernel row --kernel branch %s | FileCheck %s
// RUN: %gpuperf predict --device a100 --local 32x8 --kernel grid %s | FileCheck %s --check-prefix=GRID
// RUN: %gpuperf predict --device a100 --local 256 --global 8192 --kernel row %s | FileCheck %s --check-prefix=STATED
// RUN: %cl -c -o /dev/null -Rpass-analysis=gpuperf %s 2>&1 | FileCheck %s --check-prefix=PLUGIN
// CHECK: row on
// CHECK: launch     global 2048, k=1024
// CHECK: branch on
// CHECK: launch     global 1048576
// GRID: launch     global 4096x3000
// STATED: launch     global 8192, k=1024
// PLUGIN: kernel row on a100, global 2048, local 256, k=1024:
kernel void row(global float *a, int k)
{
    int j = get_global_id(0) + k + 1;
    if (j < 2048)
        a[k * 2048 + j] /= a[k * 2048 + k];
}

kernel void grid(global const float *in, global float *out)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= 4096 || y >= 3000)
        return;
    out[y * 4096 + x] = in[y * 4096 + x] * 2;
}

// Those beyond it do something else.
kernel void branch(global float *a)
{
    int i = get_global_id(0);
    if (i < 2048)
        a[i] = 1;
    else
        a[i] *= 2;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
