/*
 * L2 fetches 64 bytes for the 32 that a row of a group 8 wide has; the group beside it asks for the others. So coalesced twins take the same time in
 * groups of 8x32, also where a guard leaves out half of the buffer.
 *
 * RUN: %gpuperf predict --device a100,rtx3080 --global 2048x2048 --local 8x32,32x8 --arg n=2048 %s | FileCheck %s
 * RUN: %gpuperf predict --device h200 --model trace --kernel upper --global 1024x1024 --local 8x32,32x8 --arg n=1024 %s | FileCheck %s --check-prefix=TRACE
 * TRACE: tied
 */
// CHECK-COUNT-2: {{(8x32|32x8) .* tied}}
kernel void upper(global float *a, int n)
{
    int i = get_global_id(0), j = get_global_id(1);
    if (j < n / 2)
        a[j * n + i] *= 1.0001f;
}

// CHECK-COUNT-2: {{(8x32|32x8) .* tied}}
kernel void triangle(global float *a, int n)
{
    int i = get_global_id(0), j = get_global_id(1);
    if (i >= j)
        a[j * n + i] *= 1.0001f;
}

// CHECK-COUNT-2: {{(8x32|32x8) .* tied}}
kernel void corner(global float *out, global const float *in, int n)
{
    int i = get_global_id(0), j = get_global_id(1);
    if (i + j >= n)
        out[j * n + i] = in[j * n + i];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
