// A range that ends at an argument, which it includes, is as large as usual: no constant bounds it.
// RUN: %gpuperf predict --device a100 --local 256 %s | FileCheck %s
// CHECK: up_to on
// CHECK-NEXT: launch     global 1048576, last=1048576
kernel void up_to(global const float *in, global float *out, int last)
{
    int i = get_global_id(0);
    if (i <= last)
        out[i] = in[i] * 2;
}

// CHECK: returns on
// CHECK-NEXT: launch     global 1048576, n=1048576
kernel void returns(global const float *in, global float *out, uint n)
{
    uint i = get_global_id(0);
    if (i > n - 1)
        return;
    out[i] = in[i] * 2;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
