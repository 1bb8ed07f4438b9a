// Rows made of the rows beside them: in place as from one buffer to another all of it comes from DRAM once and goes back once.

// RUN: %gpuperf predict --device a100 --cold --global 8192x8190 --local 256x1,32x8 --arg n=8192 --json %s | FileCheck %s

// CHECK: "kernel": "beside"
// CHECK: "time_ns": 40{{[0-9]{4}[.]}}
// CHECK: "time_ns": 40{{[0-9]{4}[.]}}
__kernel void beside(__global const float *in, __global float *out, int n)
{
    int x = get_global_id(0), y = get_global_id(1) + 1;
    out[y * n + x] = in[y * n + n + x] + in[y * n - n + x];
}

// CHECK: "kernel": "in_place"
// CHECK: "time_ns": 40{{[0-9]{4}[.]}}
// CHECK: "time_ns": 40{{[0-9]{4}[.]}}
__kernel void in_place(__global float *a, int n)
{
    int x = get_global_id(0), y = get_global_id(1) + 1;
    a[y * n + x] = a[y * n + n + x] + a[y * n - n + x];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
