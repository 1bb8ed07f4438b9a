// What a builtin function costs is decided by its class: the same function has another one as native_, half_ or with less accuracy asked for.
// RUN: %plain_cl -S %s -o - | %profile_ir - | FileCheck %s --check-prefixes=CHECK,LOOSE
// RUN: %plain_cl -cl-fp32-correctly-rounded-divide-sqrt -S %s -o - | %profile_ir - | FileCheck %s --check-prefixes=CHECK,EXACT
// RUN: %plain_cl -cl-fast-relaxed-math -S %s -o - | %profile_ir - | FileCheck %s --check-prefixes=CHECK,FAST

// CHECK-LABEL: kernel "divide"
// LOOSE: : fp32.div_loose
// EXACT: : fp32.div
// FAST: : fp32.div_fast
kernel void divide(global float *o, float x, float y) { o[0] = x / y; }
// CHECK-LABEL: kernel "native_quotient"
// CHECK: : fp32.div_fast
kernel void native_quotient(global float *o, float x, float y) { o[0] = native_divide(x, y); }
// CHECK-LABEL: kernel "half_quotient"
// CHECK: : fp32.div_fast
kernel void half_quotient(global float *o, float x, float y) { o[0] = half_divide(x, y); }
// CHECK-LABEL: kernel "root"
// LOOSE: : fp32.sqrt_loose
// EXACT: : fp32.sqrt{{ |$}}
// FAST: : fp32.sqrt_fast
kernel void root(global float *o, float x) { o[0] = sqrt(x); }
// CHECK-LABEL: kernel "native_root"
// CHECK: : fp32.sqrt_fast
kernel void native_root(global float *o, float x) { o[0] = native_sqrt(x); }
// CHECK-LABEL: kernel "native_ones"
// CHECK-DAG: : fp32.rcp_native
// CHECK-DAG: : fp32.rsqrt_native
// CHECK-DAG: : sfu.exp2_native
kernel void native_ones(global float *o, float x) { o[0] = native_recip(x) + native_rsqrt(x) + native_exp(x); }
// Nobody has these in double precision, and a power is more than an exponential.
// CHECK-LABEL: kernel "exact_ones"
// CHECK-NOT: _native
kernel void exact_ones(global float *o, float x) { o[0] = rsqrt(x) + native_powr(x, 2.5f); }
// CHECK-LABEL: kernel "saturating"
// CHECK: : fp32.round
// CHECK: : cvt.narrow
kernel void saturating(global uchar *o, float x) { o[0] = convert_uchar_sat_rte(x); }
// CHECK-LABEL: kernel "product24"
// CHECK: : int32.mul24
kernel void product24(global int *o, int x, int y) { o[0] = mul24(x, y); }
// CHECK-LABEL: kernel "sum24"
// CHECK-NOT: int32.add
// CHECK: : int32.mul24
// CHECK-NOT: int32.add
kernel void sum24(global int *o, int x, int y) { o[0] = mad24(x, y, x); }
// As libclc writes it.
// CHECK-LABEL: kernel "product24_in_shifts"
// CHECK-NOT: int32.shift
// CHECK: : int32.mul24
kernel void product24_in_shifts(global int *o, int x, int y) { o[0] = (x << 8 >> 8) * (y << 8 >> 8); }
// CHECK-LABEL: kernel "long_product"
// CHECK: : int64.mul
kernel void long_product(global long *o, long x, long y) { o[0] = x * y; }
// CHECK-LABEL: kernel "long_quotient"
// CHECK: : int64.div
kernel void long_quotient(global long *o, long x, long y) { o[0] = x / y; }
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
