// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes whose product bounds ids or loops go together, also with one that is stated; what wraps is told; ids that are moved begin at 0.
// RUN: %gpuperf predict --device a100 --local 256 %s | FileCheck %s
// RUN: %gpuperf predict --device a100 --local 256 --kernel area --kernel turned --arg w=640 %s | FileCheck %s --check-prefix=BESIDE
// RUN: %gpuperf predict --device a100 --local 256 --kernel turned --arg w=640 --arg h=480 %s | FileCheck %s --check-prefix=BOTH
// RUN: %gpuperf predict --device a100 --local 256 --kernel area --arg w=65536 --arg h=65536 %s | FileCheck %s --check-prefix=WRAPS
// RUN: %gpuperf predict --device a100 --local 256 --kernel power --arg lg=12 %s | FileCheck %s --check-prefix=POWER
// RUN: %gpuperf predict --device a100 --local 256 --kernel part --arg end=1000 %s | FileCheck %s --check-prefix=END
// RUN: %gpuperf predict --device a100 --local 7 --kernel part --arg end=1000 %s | FileCheck %s --check-prefix=WHOLE
// WHOLE: launch global 1001, first=0, end=1000;

// CHECK: cube on
// CHECK-NEXT: {{.*}} 1048576, n=64;
kernel void cube(global const float *in, global float *out, int n)
{
    float s = 0;
    for (int i = 0; i < n * n * n; i++)
        s += in[i];
    out[get_global_id(0)] = s;
}

// CHECK: nest on
// CHECK-NEXT: {{.*}} 1048576, n=64, m=64, l=64;
kernel void nest(global const float *in, global float *out, int n, int m, int l)
{
    float s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < l; k++)
                s += in[i * j + k];
    out[get_global_id(0)] = s;
}

// CHECK: area on
// CHECK-NEXT: {{.*}} 1048576, w=1024, h=1024;
// BESIDE: area on
// BESIDE-NEXT: launch global 1048576, w=640, h=1639;
// WRAPS: area on
// WRAPS: w * h is more than an int holds with these arguments: it wraps
kernel void area(global const float *in, global float *out, int w, int h)
{
    int i = get_global_id(0);
    if (i < w * h)
        out[i] = in[i];
}

// BESIDE: turned on
// BESIDE-NEXT: launch global 1048576, w=640, h=1639;
// BOTH: turned on
// BOTH-NEXT: launch global 307200, w=640, h=480;
kernel void turned(global const float *in, global float *out, int w, int h)
{
    int i = get_global_id(0), x = i % w, y = i / w;
    if (y < h)
        out[x * h + y] = in[i];
}

// CHECK: power on
// CHECK-NEXT: launch global 1048576, lg=20;
// POWER: power on
// POWER-NEXT: launch global 4096, lg=12;
kernel void power(global const float *in, global float *out, int lg)
{
    int i = get_global_id(0);
    if (i < 1 << lg)
        out[i] = in[i];
}

// CHECK: part on
// CHECK-NEXT: launch global 1048576, first=0, end=1048576;
// END: part on
// END-NEXT: launch global 1024, first=0, end=1000;
kernel void part(global const float *in, global float *out, int first, int end)
{
    int i = get_global_id(0) + first;
    if (i >= end)
        return;
    out[i] = in[i];
}

// What is added for a neighbour's place is no beginning.
// CHECK: neighbours on
// CHECK-NEXT: launch global 1048576, s=1024,
kernel void neighbours(global float *a, int s, int n)
{
    int i = get_global_id(0);
    if (i + s < n)
        a[i] += a[i + s];
}
