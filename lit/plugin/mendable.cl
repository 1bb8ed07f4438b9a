// Of the cause `throughput` what the source can spell otherwise warns by default; genuine double precision and special functions do when asked for.
// RUN: %cl -fplugin-arg-gpuperf-device=rtx3090,a100 -c %s -o %t.bc 2>&1 | FileCheck %s --implicit-check-not=warning:
// RUN: %cl -fplugin-arg-gpuperf-device=rtx3090,a100 -fplugin-arg-gpuperf-warn=none,throughput -c %s -o %t.bc 2>&1 | FileCheck %s --check-prefix=ALL
// RUN: %cl -fplugin-arg-gpuperf-device=rtx3090,a100 -fplugin-arg-gpuperf-warn=spill -c %s -o %t.bc 2>&1 | count 0
// RUN: %cl -fplugin-arg-gpuperf-device=rtx3090 -Wno-unknown-warning-option -Wno-gpuperf-throughput -c %s -o %t.bc 2>&1 | count 0
// RUN: %cl -fplugin-arg-gpuperf-device=w6600 -c %s -o %t.bc 2>&1 | FileCheck %s --check-prefix=AMD
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

// CHECK: mendable.cl:[[#@LINE+6]]:{{[0-9]+}}: warning: double precision at 1/64 of the rate of single precision, between floats and constants only (and line [[#@LINE+7]]);{{.*}}on rtx3090 ({{.*}}x faster in single precision){{.*}}[gpuperf-throughput]
// CHECK: note: {{.*}}a constant without an f (0.5) makes the whole expression double
kernel void constants(global float *x, int n)
{
    float v = x[get_global_id(0)];
    for (int i = 0; i < n; i++) {
        v = v * 0.999 + 1.0;
        if (v > 10.0f)
            v = v * 0.1;
    }
    x[get_global_id(0)] = v;
}

// CHECK: mendable.cl:[[#@LINE+5]]:{{[0-9]+}}: warning: integer divisions and remainders{{.*}}faster with one instruction each{{.*}}[gpuperf-throughput]
kernel void divisions(global int *x, int n, int m)
{
    int v = x[get_global_id(0)];
    for (int i = 0; i < n; i++)
        v += (v + i) % m;
    x[get_global_id(0)] = v;
}

// CHECK: mendable.cl:[[#@LINE+7]]:{{[0-9]+}}: warning: pow() with a small whole number as exponent{{.*}}faster as products{{.*}}[gpuperf-throughput]
// CHECK: note: multiply: x * x instead of pow(x, 2)
// AMD-NOT: pow()
kernel void squares(global float *x, int n)
{
    float v = x[get_global_id(0)];
    for (int i = 0; i < n; i++)
        v = pow(v, 2.0f) + 0.1f;
    x[get_global_id(0)] = v;
}

// ALL: warning: double precision at 1/64 of the rate of single precision;{{.*}}on rtx3090 ({{.*}}x faster with a pipe as wide as FP32)
kernel void doubles(global double *x, int n)
{
    double v = x[get_global_id(0)];
    for (int i = 0; i < n; i++)
        v = v * 0.999 + 1.0;
    x[get_global_id(0)] = v;
}

// ALL: warning: special functions, at 1/8 of the rate of arithmetic
kernel void functions(global float *x, int n)
{
    float v = x[get_global_id(0)];
    for (int i = 0; i < n; i++)
        v = native_exp2(native_sin(v));
    x[get_global_id(0)] = v;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
