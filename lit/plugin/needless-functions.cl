// A function that is given a float as a double is told as a constant without an f is; what is meant to be double is not.
// RUN: %cl -fplugin-arg-gpuperf-device=rtx3070 -c %s -o %t.bc 2>&1 | FileCheck %s --implicit-check-not=warning:
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define LOOP(NAME, E) kernel void NAME(global float *x) { int i = get_global_id(0); float v = x[i]; for (int k = 0; k < 64; k++) v = E; x[i] = v; }

// CHECK: needless-functions.cl:[[@LINE+1]]:{{[0-9]+}}: warning: double precision at 1/64 of the rate of single precision, between floats and constants only{{.*}}[gpuperf-throughput]
LOOP(inverse, (float)(1.0f / sqrt((double)v)))
// CHECK: needless-functions.cl:[[@LINE+1]]:{{[0-9]+}}: warning: double precision{{.*}}[gpuperf-throughput]
LOOP(gauss, exp(-0.5 * v * v))
// CHECK: needless-functions.cl:[[@LINE+1]]:{{[0-9]+}}: warning: double precision{{.*}}[gpuperf-throughput]
LOOP(waves, (float)cos((double)v) + (float)log((double)v))

kernel void length_of(global const float *x, global float *y)
{
    int i = get_global_id(0);
    y[i] = sqrt((double)x[i] * x[i] + (double)x[i + 1] * x[i + 1]);
}
kernel void sum(global const float *x, global float *y, int n)
{
    double s = 0;
    for (int k = 0; k < n; k++)
        s += x[k];
    y[get_global_id(0)] = sqrt(s);
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
