// A file of functions: nothing is said but in the remarks.
// RUN: %cl -c %s -o %t.bc 2>&1 | count 0
// RUN: %cl -Rpass-analysis=gpuperf-loops -c %s -o %t.bc 2>&1 | count 0
// RUN: %cl -Rpass-analysis=gpuperf -c %s -o %t.bc 2>&1 | FileCheck %s
// RUN: %cl -Rpass-analysis=gpuperf -DKERNEL -c %s -o %t.bc 2>&1 | FileCheck %s --check-prefix=KERNEL
// RUN: %clang -Rpass-analysis=gpuperf -DKERNEL -x c -O2 -c %s -o %t.bc 2>&1 | count 0
// CHECK: remark: gpuperf: no kernel here
// KERNEL-NOT: no kernel here
float twice(float x) { return 2 * x; }
#if defined(KERNEL) && defined(__OPENCL_C_VERSION__)
kernel void doubled(global float *data) { data[get_global_id(0)] = twice(data[get_global_id(0)]); }
#endif
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
