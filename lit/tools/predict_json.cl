/*
 * A naive matrix multiplication: what reads along rows is better than what reads along a column.
 *
 * RUN: %gpuperf predict --json --device a100 --global 2048x2048 --arg n=2048 --local 16x16,32x8,1x256 %s > %t.json
 * RUN: %python %S/Inputs/check_matmul.py %t.json | FileCheck %s
 * CHECK: fields ok
 * CHECK: ranks ok
 * CHECK: order ok
 *
 * The same twice.
 * RUN: %gpuperf predict --json --device a100 --global 2048x2048 --arg n=2048 --local 16x16,32x8,1x256 %s | diff - %t.json
 *
 * A device after the other.
 * RUN: %gpuperf predict --json --device a100,mi250x,w6600,pocl-cpu --local 32x8 %s > %t.all
 * RUN: FileCheck %s --check-prefix=ALL --input-file %t.all
 * ALL: "device": "a100"
 * ALL: "device": "mi250x"
 * ALL: "device": "w6600"
 * ALL: "device": "pocl-cpu"
 */
__kernel void matmul(__global const float *a, __global const float *b, __global float *c, int n)
{
    int column = get_global_id(0), row = get_global_id(1);
    if (column >= n || row >= n)
        return;
    float sum = 0.0f;
    for (int k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
