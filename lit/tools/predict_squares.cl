// Where an argument bounds the range and is a row's length as well, the matrix is no larger than an int can index: 1048576 rows of 1048576 would be 4 TB.
// RUN: %gpuperf predict --device a100,mi50 --local 256 --kernel rows --kernel last --kernel several %s | FileCheck %s
// RUN: %gpuperf predict --device a100 --local 256 --kernel rows --global 1048576 %s | FileCheck %s --check-prefix=STATED
// RUN: %cl -c -o /dev/null -Rpass-analysis=gpuperf %s 2>&1 | FileCheck %s --check-prefix=PLUGIN
// CHECK-COUNT-2: launch     global 32768, n=32768
// CHECK: last on
// CHECK: launch     global 32768, n=32768
// CHECK: several on
// CHECK: launch     global 1048576, n=1048576, m=
// STATED: launch     global 1048576, n=1048576
// PLUGIN: kernel rows on a100, global 32768, local 256, n=32768:
kernel void rows(global const float *a, global const float *x, global float *y, int n)
{
    int i = get_global_id(0);
    if (i >= n)
        return;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[i * n + k] * x[k];
    y[i] = sum;
}

kernel void last(global float *a, int n)
{
    int i = get_global_id(0);
    if (i < n)
        a[i * n + n - 1] *= 2;
}

kernel void several(global const float *a, global float *y, int n, int m)
{
    int i = get_global_id(0);
    if (i < n)
        y[i] = a[i * m] + a[i];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
