// Where memory decides how often a loop goes round, a note says which buffer holds the number.
// RUN: %gpuperf predict --device a100 --local 256 --trip 40 %s | FileCheck %s

// CHECK-LABEL: row_sums on a100
// CHECK: note       {{.*}}predict_assumed_loop.cl:[[#@LINE+6]]:{{[0-9]+}}: this loop's number of iterations is in 'row'; 40 are assumed (--trip)
// CHECK: occupancy  limiter
__kernel void row_sums(__global const int *row, __global const float *value, __global float *y)
{
    int i = get_global_id(0);
    float s = 0;
    for (int j = row[i]; j < row[i + 1]; j++)
        s += value[j];
    y[i] = s;
}

// CHECK-LABEL: sums on a100
// CHECK-NOT: assumed (--trip)
// CHECK: occupancy  limiter
__kernel void sums(__global const float *value, __global float *y, int n)
{
    int i = get_global_id(0);
    float s = 0;
    for (int j = 0; j < n; j++)
        s += value[j];
    y[i] = s;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
