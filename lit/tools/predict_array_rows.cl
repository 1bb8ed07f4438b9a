// What loops fill arrays with is no more than these hold: in rows of an array of two dimensions, whose inner loop's guard is no condition of its own, and where the compiler's turns are longer than the array. What stands under a condition on something else bounds nothing.
// RUN: %gpuperf predict --device a100,mi250x,pocl-cpu --top 1 --kernel nested %s | FileCheck %s
// CHECK-COUNT-3: launch {{.*}} rows=1{{[56]}}, cols=8
// RUN: %gpuperf predict --device a100,pocl-cpu --top 1 --kernel flat %s | FileCheck %s --check-prefix=FLAT
// FLAT-COUNT-2: launch {{.*}}, cols=6;
// RUN: %gpuperf predict --device a100,mi250x,pocl-cpu --top 1 --kernel seldom %s | FileCheck %s --check-prefix=SELDOM
// SELDOM-COUNT-3: launch {{.*}} rows=1024
// RUN: %gpuperf predict --device a100,mi250x,pocl-cpu --top 1 --kernel inclusive %s | FileCheck %s --check-prefix=INCLUSIVE
// INCLUSIVE-COUNT-3: launch {{.*}} steps=256
kernel void nested(global float *x, int rows, int cols)
{
    float m[16][8];
    int g = get_global_id(0);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++)
            m[i][j] = x[g + i * cols + j];
    float s = 0;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++)
            s += m[i][j] * m[i][0];
    x[g] = s;
}
kernel void inclusive(global float *x, int steps)
{
    float m[257];
    int g = get_global_id(0);
    for (int j = 0; j <= steps; j++)
        m[j] = x[g + j];
    float s = 0;
    for (int j = 0; j <= steps; j++)
        s += m[j] * x[j];
    x[g] = s;
}
kernel void flat(global float *x, int cols)
{
    float m[6];
    int g = get_global_id(0);
    for (int j = 0; j < cols; j++)
        m[j] = x[g + j];
    float s = 0;
    for (int j = 0; j < cols; j++)
        s += m[j] * m[0];
    x[g] = s;
}
kernel void seldom(global float *x, int rows, int mode)
{
    float m[16];
    int g = get_global_id(0);
    float s = 0;
    for (int i = 0; i < rows; i++) {
        if (mode == 7)
            m[i] = x[g + i];
        s += x[g + i] * 3;
    }
    x[g] = s + (mode == 7 ? m[g & 15] : 0);
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
