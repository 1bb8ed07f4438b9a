// What an atomic counter gives to the lanes of a warp lies side by side, from a place on that nobody knows: the store is as good as coalesced, and the counter is what takes the time.
// RUN: %gpuperf predict --device a100 --kernel compact --global 1048576 --local 256 %s | FileCheck %s
// RUN: %gpuperf predict --device a100 --kernel scatter --global 1048576 --local 256 %s | FileCheck --check-prefix=SCATTER %s
// CHECK: best
// CHECK: atomics: contended global atomic: all {{[0-9]+}} operations of the launch on one address
// CHECK-NOT: rest on guesses
kernel void compact(global const float *in, global float *out, global int *count)
{
    int i = get_global_id(0);
    out[atomic_inc(count)] = in[i];
}

// SCATTER-NOT: contended
// SCATTER: rest on guesses
kernel void scatter(global const float *in, global float *out, global const int *to)
{
    int i = get_global_id(0);
    out[to[i]] = in[i];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
