// An argument that does nothing but cut off what data decides is not known where nobody states it: no number of places is assumed, and none is printed. Where it is used otherwise, too, what is printed is what bounds.
// RUN: %gpuperf predict --warm --device a100 --global 1048576 --local 256 %s | FileCheck %s
// RUN: %gpuperf predict --warm --device a100 --global 1048576 --local 256 --kernel masked --arg mask=255 %s | FileCheck %s --check-prefix=STATED
// RUN: %gpuperf predict --warm --device a100 --global 1048576 --local 256 --kernel cut_off --arg n=256 %s | FileCheck %s --check-prefix=STATED
// STATED: atomics: contended global atomic: the launch's 1048576 operations fall on 256 addresses

// CHECK: masked on a100
// CHECK-NEXT: launch     global 1048576, mask=?
// CHECK-NOT: contended
kernel void masked(global const uint *key, global volatile uint *count, uint mask)
{
    atomic_inc(&count[key[get_global_id(0)] & mask]);
}

// CHECK: remainder_of on a100
// CHECK-NEXT: launch     global 1048576, slots=?
kernel void remainder_of(global const uint *key, global volatile uint *count, uint slots)
{
    atomic_inc(&count[key[get_global_id(0)] % slots]);
}

// CHECK: cut_off on a100
// CHECK-NEXT: launch     global 1048576, n=?
kernel void cut_off(global const float *key, global volatile uint *count, int n)
{
    atomic_inc(&count[clamp((int)(key[get_global_id(0)] * n), 0, n - 1)]);
}

// The table lies at 1024 * 256 then: all lanes find it in the same 1 KB.
// CHECK: table on a100
// CHECK-NEXT: launch     global 1048576, channel=1024
// CHECK: 256 {{.*}} launch
kernel void table(global const uchar *in, global const float *lut, global float *out, int channel)
{
    int i = get_global_id(0);
    out[i] = lut[channel * 256 + in[i]];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
