// An id that is asked for in several places is one value, as for every compiler that knows what these functions are: nothing is computed twice from it.
// RUN: %plain_cl -S %s -o - | %profile_ir - | FileCheck %s
// CHECK-LABEL: kernel "asked"
// CHECK: id.global_id.1
// CHECK: mul i64 {{.*}} : int64.mul
// CHECK: id.global_id.0
// CHECK-NOT: {{id.global_id|int64.mul}}
kernel void asked(global const float *in, global float *out, ulong w)
{
    float s = in[get_global_id(1) * w + get_global_id(0)];
    if (s > 0)
        s += in[get_global_id(1) * w + get_global_id(0) + 1];
    out[get_global_id(1) * w + get_global_id(0)] = s;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
