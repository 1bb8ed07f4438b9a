// Where denormal numbers are flushed to zero, an approximation is the special function unit's instruction alone; without, it is scaled before and after.
// RUN: %plain_cl -cl-fast-relaxed-math -Xclang -fdenormal-fp-math-f32=preserve-sign,preserve-sign -S %s -o - | %profile_ir - | FileCheck %s --check-prefixes=CHECK,FLUSH
// RUN: %plain_cl -cl-fast-relaxed-math -S %s -o - | %profile_ir - | FileCheck %s --check-prefixes=CHECK,KEEP
// RUN: %plain_cl -Xclang -fdenormal-fp-math-f32=preserve-sign,preserve-sign -S %s -o - | %profile_ir - | FileCheck %s --check-prefixes=CHECK,EXACT

// CHECK-LABEL: kernel "quotient"
// FLUSH: : fp32.div_flush
// KEEP: : fp32.div_fast
// EXACT: : fp32.div_loose
kernel void quotient(global float *o, float x, float y) { o[0] = x / y; }
// CHECK-LABEL: kernel "reciprocal"
// FLUSH: : fp32.rcp_flush
// KEEP: : fp32.rcp_native
// EXACT: : fp32.rcp{{ |$}}
kernel void reciprocal(global float *o, float x) { o[0] = 1 / x; }
// CHECK-LABEL: kernel "approximations"
// FLUSH-DAG: : fp32.rsqrt_flush
// FLUSH-DAG: : sfu.exp2_flush
// FLUSH-DAG: : sfu.log2_flush
// FLUSH-DAG: : fp32.sqrt_flush
// KEEP-DAG: : fp32.rsqrt_native
// KEEP-DAG: : sfu.exp2_native
// KEEP-DAG: : sfu.log2{{ |$}}
// KEEP-DAG: : fp32.sqrt_fast
// EXACT-DAG: : fp32.rsqrt_flush
// EXACT-DAG: : sfu.exp2_flush
// EXACT-DAG: : sfu.log2_flush
// EXACT-DAG: : fp32.sqrt_flush
kernel void approximations(global float *o, float x) { o[0] = native_rsqrt(x) + native_exp2(x) + native_log2(x) + native_sqrt(x); }
// Double precision knows no such thing.
// CHECK-LABEL: kernel "doubles"
// CHECK: : fp64.div
kernel void doubles(global double *o, double x, double y) { o[0] = x / y; }
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
