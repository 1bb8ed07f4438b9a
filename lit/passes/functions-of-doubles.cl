// What functions of doubles cost is decided by their code in double precision; nobody has approximations of them.
// RUN: %plain_cl -S %s -o - | %profile_ir - | FileCheck %s
// RUN: %plain_cl -cl-fast-relaxed-math -S %s -o - | %profile_ir - | FileCheck %s

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define KERNEL(name, e) kernel void of_##name(global double *o, double x, double y) { o[0] = e; }
// CHECK-LABEL: kernel "of_pow"
// CHECK: : math64.pow{{ |$}}
KERNEL(pow, pow(x, y))
// CHECK-LABEL: kernel "of_exp"
// CHECK: : math64.exp{{ |$}}
KERNEL(exp, exp(x))
// CHECK-LABEL: kernel "of_sin"
// CHECK: : math64.trig{{ |$}}
KERNEL(sin, sin(x))
// CHECK-LABEL: kernel "of_log"
// CHECK: : math64.log{{ |$}}
KERNEL(log, log(x))
// CHECK-LABEL: kernel "of_atan2"
// CHECK: : math64.any{{ |$}}
KERNEL(atan2, atan2(x, y))
// CHECK-LABEL: kernel "of_cbrt"
// CHECK: : math64.exp{{ |$}}
KERNEL(cbrt, cbrt(x))
// CHECK-LABEL: kernel "of_erfc"
// CHECK: : math64.exp x4
KERNEL(erfc, erfc(x))
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
