// The cause `throughput` names the path that is too narrow, its line, and what to try.
// RUN: %gpuperf predict --device a4000 --local 256 %s | FileCheck %s

// CHECK-LABEL: divides on a4000
// CHECK: throughput: integer divisions and remainders
// CHECK-NEXT: divide by constants
__kernel void divides(__global uint *x, uint n)
{
    uint v = x[get_global_id(0)];
    for (int i = 0; i < 64; i++)
        v = v % (n + i) + v / (n + 2 * i);
    x[get_global_id(0)] = v;
}

// CHECK-LABEL: doubles on a4000
// CHECK: predict_narrow_paths.cl:{{1[78]|2[0-3]}}:{{[0-9]+}}: throughput: double precision at 1/64 of the rate of single precision, between floats and constants only
// CHECK-NEXT: a constant without an f (0.5) makes the whole expression double
__kernel void doubles(__global float *x)
{
    float v = x[get_global_id(0)];
    for (int i = 0; i < 64; i++)
        v = v * 1.1 + 0.5;
    x[get_global_id(0)] = v;
}

// CHECK-LABEL: roots on a4000
// CHECK: throughput: special functions, at 1/8 of the rate of arithmetic
// CHECK-NOT: native_
__kernel void roots(__global float *x)
{
    float v = x[get_global_id(0)];
    for (int i = 0; i < 64; i++)
        v = native_exp2(native_sin(v));
    x[get_global_id(0)] = v;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
