// A warp that is not followed to its end, since it never ends: the table says what its time is worth.
// RUN: %gpuperf predict --device a100 --local 64,256 %s | FileCheck %s

// CHECK-LABEL: endless on a100
// CHECK: note       local {{64, 256|256, 64}}: a warp is not followed to its end{{.*}}the kernel takes longer
// CHECK: occupancy  limiter
__kernel void endless(__global int *flag, __global int *out)
{
    while (1)
        if (flag[0])
            break;
    out[get_global_id(0)] = 1;
}

// CHECK-LABEL: waits on a100
// CHECK: note       {{.*}}predict_endless.cl:[[#@LINE+5]]:{{[0-9]+}}: the condition that ends this loop does not change in it
// CHECK: occupancy  limiter
__kernel void waits(__global int *flag, __global int *out)
{
    int n = 0;
    while (1) {
        if (flag[0])
            break;
        n++;
    }
    out[get_global_id(0)] = n;
}

// CHECK-LABEL: ends on a100
// CHECK-NOT: note
// CHECK: occupancy  limiter
__kernel void ends(__global float *out, int n)
{
    float v = 0;
    for (int i = 0; i < n; i++)
        v = v * 0.5f + out[i];
    out[get_global_id(0)] = v;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
