// The assumed global size is whole groups of a required size, and the note says the size that was taken.
// RUN: %cl -fplugin-arg-gpuperf-device=a100 -c %s -o %t.bc 2>&1 | FileCheck %s
// CHECK: note: predicted for global 1048608, local 33 (set with -fplugin-arg-gpuperf-assume=strided:...)
__attribute__((reqd_work_group_size(33, 1, 1))) kernel void strided(global float *data)
{
    data[get_global_id(0) * 32] *= 2;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
