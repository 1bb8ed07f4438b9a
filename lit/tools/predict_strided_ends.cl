// Where a loop steps by all work-items, or groups, of the launch, its end is so far that each goes round it 16 times: what stands behind it once is not taken for most of the work.
// RUN: %gpuperf predict --device a100 --local 256 %s | FileCheck %s
// RUN: %gpuperf predict --device a100 --global 4096 --local 256 --kernel items %s | FileCheck %s --check-prefix=FEW
// FEW: launch     global 4096, n=65536

// CHECK: items on
// CHECK-NEXT: launch     global 1048576, n=16777216
kernel void items(global const float *in, global float *out, int n)
{
    float sum = 0;
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        sum += in[i];
    out[get_global_id(0)] = sum;
}

// CHECK: product on
// CHECK-NEXT: launch     global 1048576, n=16777216
kernel void product(global const float *in, global float *out, int n)
{
    float sum = 0;
    for (int i = get_group_id(0) * get_local_size(0) + get_local_id(0); i < n; i += get_num_groups(0) * get_local_size(0))
        sum += in[i];
    out[get_global_id(0)] = sum;
}

// A group's work-items share its elements: no more than the guard asks for.
// CHECK: group on
// CHECK-NEXT: launch     global 1048576, n=1024
kernel void group(global const float *in, global float *out, int n)
{
    float sum = 0;
    for (int i = get_local_id(0); i < n; i += get_local_size(0))
        sum += in[i];
    out[get_global_id(0)] = sum;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
