__kernel void copy(__global const float *in, __global float *out)
{
    out[get_global_id(0)] = in[get_global_id(0)];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
