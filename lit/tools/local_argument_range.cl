// A local argument that global ids index bounds the range, as an array of the kernel's own does: a smaller range is assumed, and one that is stated and too large is told so.
// RUN: %gpuperf predict --device a100 %s | FileCheck %s
// RUN: %gpuperf predict --device a100 --global 256 --local 256 %s | FileCheck %s --check-prefix=STATED
// RUN: not %gpuperf predict --device a100 --global 1048576 --local 256 --kernel reverse %s 2>&1 | FileCheck %s --check-prefix=LARGE
// RUN: %cl -fplugin-arg-gpuperf-device=a100 -Rpass-analysis='gpuperf$' -c %s -o %t.bc 2>&1 | FileCheck %s --check-prefix=PLUGIN
// LARGE: cannot run with local 256x1x1 on a100: work-items reach {{[0-9]+}} bytes of 't': it is made for a smaller range (--global)
// CHECK: reverse on
// CHECK-NEXT: global {{256|512}}
// STATED: global 256
// PLUGIN: kernel reverse on a100, global {{256|512}}, local 256:
kernel void reverse(local int *t, global const int *in, global int *out)
{
    size_t i = get_global_id(0);
    t[i] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = t[get_global_size(0) - 1 - i];
}

// CHECK: shift on
// CHECK-NEXT: global 256
// PLUGIN: kernel shift on a100, global 256, local 256, n=256:
kernel void shift(local float *t, global const float *in, global float *out, int n)
{
    int i = get_global_id(0);
    if (i < n)
        t[i] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < n)
        out[i] = t[i > 0 ? i - 1 : 0];
}

// What groups' numbers turn round in is no larger for later groups.
// CHECK: turns on
// CHECK-NEXT: global 1048576
// PLUGIN: kernel turns on a100, global 1048576, local 256:
kernel void turns(local float *t, global const float *in, global float *out)
{
    int i = get_global_id(0);
    t[i & 255] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = t[255 - (i & 255)];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
