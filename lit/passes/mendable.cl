// Double precision that is there only for constants without an f, and pow() that a few products could be: what these would cost otherwise is in
// the profile. What is meant to be double has no such mark.
// RUN: %plain_cl -S %s -o - | %profile_ir - | FileCheck %s
// RUN: %plain_cl -cl-fp32-correctly-rounded-divide-sqrt -S %s -o - | %profile_ir -exact-divisions - | FileCheck %s --check-prefix=EXACT
// RUN: %plain_cl -cl-fast-relaxed-math -S %s -o - | %profile_ir - | FileCheck %s --check-prefix=FAST
// RUN: %plain_cl -target amdgcn-amd-amdhsa -mcpu=gfx90a -nogpulib -S %s -o - | %profile_ir - | FileCheck %s --check-prefix=AMD
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

// CHECK-LABEL: kernel "expression"
// CHECK: : cvt.64 mended free x1
// CHECK: : fp64.fma mended fp32.fma x1
// CHECK: : cvt.64 mended free x1
kernel void expression(global float *x, int i) { x[i] = x[i] * 0.999 + 1.0; }

// CHECK-LABEL: kernel "index"
// CHECK-DAG: : cvt.64 mended cvt.32 x1
// CHECK-DAG: : fp64.mul mended fp32.mul x1
// CHECK-DAG: : cvt.64 mended free x1
kernel void index(global float *x, int i) { x[i] = i * 0.3; }

// CHECK-LABEL: kernel "functions"
// CHECK: : fp64.mul mended fp32.mul x1
// CHECK: : fp64.sqrt mended fp32.sqrt_loose x1
// CHECK: : fp64.div mended fp32.div_loose x1
// EXACT-LABEL: kernel "functions"
// EXACT: : fp64.sqrt mended fp32.sqrt x1
// EXACT: : fp64.div mended fp32.div x1
kernel void functions(global float *x, int i) { x[i] = sqrt(x[i] * 0.1) / 3.7; }

// What single precision makes of them follows the flags, too.
// CHECK-LABEL: kernel "quotients"
// CHECK: : fp64.div mended fp32.rcp x1
// CHECK: : fp64.div mended fp32.div_loose x1
// EXACT-LABEL: kernel "quotients"
// EXACT: : fp64.div mended fp32.div x1
// EXACT: : fp64.div mended fp32.div x1
// FAST-LABEL: kernel "quotients"
// FAST: : fp64.sqrt mended fp32.sqrt_fast x1
// FAST: : fp64.div mended fp32.div_fast x1
kernel void quotients(global float *x, int i, int c) { x[i] = c ? sqrt(x[i] * 0.7) * (1.0 / (x[i] + 0.1)) : x[i] * 0.3 / (x[i] + 0.9); }

// CHECK-LABEL: kernel "condition"
// CHECK: : fp64.cmp mended fp32.cmp x1
kernel void condition(global float *x, int i) { if (x[i] > 0.1) x[i] = 1.0f; }

// CHECK-LABEL: kernel "choice"
// CHECK-COUNT-2: : fp64.{{mul|fma|add}} mended fp32.{{mul|fma|add}} x1
kernel void choice(global float *x, int i, int c) { x[i] = c ? x[i] * 0.3 : x[i] + 0.7; }

// CHECK-LABEL: kernel "of_doubles"
// CHECK-NOT: mended
// CHECK-LABEL: kernel "argument"
// CHECK-NOT: mended
// CHECK-LABEL: kernel "sum"
// CHECK-NOT: mended
// CHECK-LABEL: kernel "unrolled_sum"
// CHECK-NOT: mended
// CHECK-LABEL: kernel "widened_product"
// CHECK-NOT: mended
// CHECK-LABEL: kernel "bits"
// CHECK-NOT: mended
// CHECK-LABEL: kernel "integers"
// CHECK-NOT: mended
// CHECK-LABEL: kernel "powers"
kernel void of_doubles(global double *x, int i) { x[i] = x[i] * 0.999 + 1.0; }
kernel void argument(global float *x, int i, double a) { x[i] = x[i] * a + 1.0; }
kernel void sum(global float *x, int n)
{
    double s = 0;
    for (int k = 0; k < n; k++)
        s += x[k] * 1.1;
    x[0] = s;
}
kernel void unrolled_sum(global float *x, int i)
{
    double s = 0;
    for (int k = 0; k < 4; k++)
        s += x[i + k];
    x[i] = s / 4.0;
}
kernel void widened_product(global float *x, int i) { x[i] = (double)x[i] * x[i + 1] - 0.1; }
kernel void bits(global float *x, int i) { x[i] = as_double(as_long((double)x[i]) + 1) * 0.3; }
kernel void integers(global int *x, int i) { x[i] = x[i] * 0.3; }

// CHECK: : math32.pow mended fp32.mul x1
// CHECK: : math32.pow mended fp32.mul x2
// CHECK: : math32.pow mended fp32.mul x4
// CHECK: : math32.pow x4 mended fp32.mul x4
// CHECK-LABEL: kernel "no_powers"
// CHECK-COUNT-4: : math32.pow
// CHECK-NOT: mended
// AMD-LABEL: kernel "powers"
// AMD: : fp32.mul
// AMD: : math32.pow mended fp32.mul x2
kernel void powers(global float *x, global float4 *y, int i)
{
    x[i] = pow(x[i], 2.0f);
    x[i + 1] = powr(x[i + 1], 3.0f);
    x[i + 2] = pown(x[i + 2], 7);
    y[i] = pow(y[i], (float4)2.0f);
}
kernel void no_powers(global float *x, int i, float e)
{
    x[i] = pow(x[i], e);
    x[i + 1] = pow(x[i + 1], 2.5f);
    x[i + 2] = rootn(x[i + 2], 2);
    x[i + 3] = pow(x[i + 3], 9.0f);
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
