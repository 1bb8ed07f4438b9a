// Whoever returns beyond a constant at once is launched for as many work-items, however few these are, and nobody is told that the others do nothing.
// RUN: %cl -Rpass-analysis='gpuperf$' -c %s -o %t.bc 2>&1 | FileCheck %s --implicit-check-not=warning:
// RUN: %clang -x cl -cl-std=CL1.2 -O2 -target nvptx64 -emit-llvm -Rpass-analysis='gpuperf$' -c %s -o %t.bc 2>&1 | FileCheck %s --implicit-check-not=warning:
// RUN: %clang -x cl -cl-std=CL1.2 -O1 -emit-llvm -fplugin-arg-gpuperf-device=a100 -Rpass-analysis='gpuperf$' -c %s -o %t.bc 2>&1 | FileCheck %s --implicit-check-not=warning:

// CHECK: kernel hundred on a100, global 128, local 64:
kernel void hundred(global const float *in, global float *out)
{
    int i = get_global_id(0);
    if (i >= 100)
        return;
    out[i] = in[i];
}

// One column, and sixteen: the other dimension makes up for it.
// CHECK: kernel column on a100, global 1x1024, local 1x256, n=1024:
kernel void column(global const float *in, global float *out, int n)
{
    const int x = get_global_id(0), y = get_global_id(1);
    if (x >= 1 || y >= n)
        return;
    out[y] = in[y];
}
// CHECK: kernel sixteen on a100, global 16x1024, local 16x16, n=1024:
kernel void sixteen(global const float *in, global float *out, int n)
{
    uint x = get_global_id(0), y = get_global_id(1);
    if (x >= 16)
        return;
    if (y < n)
        out[y * 16 + x] = in[y * 16 + x];
}

// CHECK: kernel alone on a100, global 1, local 1, n=1024:
kernel void alone(global const float *in, global float *out, int n)
{
    float sum = 0;
    if (get_global_id(0) != 0)
        return;
    for (int i = 0; i < n; i++)
        sum += in[i];
    out[0] = sum;
}

// Three channels; groups are none that would reach beyond them.
// CHECK: kernel channels on a100, global 128x128x3, local 64x4x1, w=128, h=128:
kernel void channels(global const float *in, global float *out, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1), c = get_global_id(2);
    if (x < w && y < h && c < 3)
        out[(c * h + y) * w + x] = 2 * in[(c * h + y) * w + x];
}

// What is read beyond it only is nothing that ends the kernel.
// CHECK: kernel padded on a100, global 1048576, local 256:
kernel void padded(global const float *in, global float *out)
{
    int i = get_global_id(0);
    out[i] = i < 100 ? in[i] : 0.0f;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
