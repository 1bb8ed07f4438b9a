// A source that does not compile for the device is predicted from code for spir64, and the note says what hinders.
// RUN: %gpuperf predict --device w7800 --local 256 %s | FileCheck %s
// CHECK: note       predicted from code for spir64{{.*}}, not for the device itself, for which it does not compile: {{.*}}predict_foreign.cl:5:2: not for these
#ifdef __AMDGCN__
#error not for these
#endif
kernel void one(global float *a) { a[get_global_id(0)] = 1; }
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
