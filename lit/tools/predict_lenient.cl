// What drivers only warn about is no error: pointers of other types, numbers as pointers; sub-groups without OpenCL C 2.0.
// RUN: %gpuperf predict --device a100,mi250x --local 256 %s | FileCheck %s
// RUN: %gpuperf predict --device mi250x --local 256 %s -- -DSUB_GROUPS | FileCheck %s --check-prefix=SUB
// RUN: not %gpuperf predict --device mi250x --local 256 %s -- -DSUB_GROUPS -DWRONG 2>&1 | FileCheck %s --check-prefix=WRONG
// CHECK-NOT: not for the device itself
// CHECK: row on a100
// CHECK-NOT: not for the device itself
// CHECK: row on mi250x
// CHECK-NOT: not for the device itself
// SUB: sums on mi250x
// SUB-NOT: not for the device itself
// SUB: best
// WRONG: use of undeclared identifier 'sub_group_reduce_ad
#ifndef SUB_GROUPS
kernel void row(global char *from, ulong bytes, global float *to)
{
    global float *row = from + get_global_id(0) * bytes;
    int place = to;
    to[get_global_id(0)] = row[0] + (place & 15);
}
#else
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
kernel void sums(global const float *in, global float *out)
{
    float s = sub_group_reduce_add(in[get_global_id(0)]);
#ifdef WRONG
    s = sub_group_reduce_ad(s);
#endif
    if (get_sub_group_local_id() == 0)
        out[get_group_id(0)] = s;
}
#endif
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
