// OpenCL C 2.0 is taken for sub-groups' sake, also where a target's own compiler does not declare them and the source uses more of 2.0; a source without them is refused with the remedy.
// RUN: %gpuperf predict --device mi250x,h100 --kernel sums --local 256 %s -- -DSUB_GROUPS | FileCheck %s
// CHECK: sums on mi250x
// CHECK: sums on h100
// RUN: not %gpuperf predict --device a100 --local 256 %s 2>&1 | FileCheck %s --check-prefix=REMEDY
// REMEDY: predict_opencl_version.cl:{{[0-9]+}}:{{[0-9]+}}: use of undeclared identifier 'work_group_reduce_add'; OpenCL C 2.0 takes it: add -cl-std=CL2.0 (gpuperf predict: after --){{$}}
// RUN: %gpuperf predict --device a100 --local 256 %s -- -cl-std=CL2.0 | FileCheck %s --check-prefix=TAKEN
// TAKEN: group_sums on a100
// RUN: not %gpuperf predict --device a100 --local 256 %s -- -cl-std=CL1.2 2>&1 | FileCheck %s --check-prefix=STATED
// STATED: use of undeclared identifier 'work_group_reduce_add'{{$}}
// RUN: not %gpuperf predict --device a100 --local 256 %s -- -DWRONG 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG-NOT: OpenCL C 2.0
#ifdef SUB_GROUPS
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
kernel void sums(global const float *in, global float *out)
{
    float s = sub_group_reduce_add(in[get_global_id(0)]);
    if (get_sub_group_local_id() == 0)
        out[get_global_id(0) / 32] = s;
}
#endif

kernel void group_sums(global const float *in, global float *out)
{
    float s = work_group_reduce_add(in[get_global_id(0)]);
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = s;
#ifdef WRONG
    out[0] = wrong;
#endif
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
