// How often data takes a branch nobody knows. A warning of what is behind it says what it rests on, and with how little confidence; where the source says how often, it is counted by that.
// RUN: %cl -c -o /dev/null %s 2>&1 | FileCheck %s

// CHECK: data-branch.cl:[[@LINE+8]]:{{[0-9]+}}: warning: contended global atomic: all 33554432 operations of the launch on one address (the lanes of a warp make one), if all take the branch of line [[@LINE+7]]; {{.*}}[gpuperf-atomics]
// CHECK: data-branch.cl:[[@LINE+7]]:{{[0-9]+}}: note: combine within {{.*}}; __builtin_expect() there says if few do
// CHECK: note: predicted for global 1048576, local 256, n=1024 (set with {{.*}}); all of it assumed; {{[1-4][0-9]}}% of the time is known, the rest is guessed
kernel void open(global const float2 *box, global int *out, global int *count, int n)
{
    float2 a = box[get_global_id(0)];
    for (int j = 0; j < n; j++) {
        if (a.x <= box[j].y)
            out[atomic_inc(count)] = j;
    }
}

// CHECK: data-branch.cl:[[@LINE+8]]:{{[0-9]+}}: warning: contended global atomic: all 536481 operations of the launch on one address (the lanes of a warp make one); {{.*}}[gpuperf-atomics]
// CHECK: note: combine within the work-group first (local memory), then one atomic per group{{$}}
// CHECK: note: predicted for global 1048576, local 256, n=1024; all of it assumed{{$}}
kernel void rare(global const float2 *box, global int *out, global int *count, int n)
{
    float2 a = box[get_global_id(0)];
    for (int j = 0; j < n; j++) {
        if (__builtin_expect(a.x <= box[j].y, 0))
            out[atomic_inc(count)] = j;
    }
}

// CHECK: data-branch.cl:[[@LINE+3]]:{{[0-9]+}}: warning: contended global atomic: all 32768 operations of the launch on one address (the lanes of a warp make one); {{.*}}[gpuperf-atomics]
kernel void surely(global float *box, global int *most)
{
    int old = atomic_max(most, (int)get_global_id(0) * 7 & 1023);
    if (old > 7)
        box[get_global_id(0)] = old;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
