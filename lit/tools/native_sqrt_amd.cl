/*
 * AMD's native_sqrt is one instruction with nothing around it, of which LLVM would make an exact root.
 *
 * RUN: env KEEP=%t.gpuperf KEEP_CLANG=%noplugin GPUPERF_CLANG=%S/Inputs/keep_profile.sh %gpuperf predict --device mi250x --local 256 %s
 * RUN: %gpuperf dis %t.gpuperf | FileCheck %s
 * CHECK-LABEL: kernel "roots"
 * CHECK: : fp32.sqrt_flush
 * CHECK-COUNT-4: : fp32.sqrt_flush
 * CHECK: : fp32.sqrt_loose
 * CHECK-NOT: fp32.sqrt
 */
__kernel void roots(__global float *a, __global float4 *b, __global float *c)
{
    size_t i = get_global_id(0);
    a[i] = native_sqrt(a[i]);
    b[i] = native_sqrt(b[i]);
    c[i] = sqrt(c[i]);
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
