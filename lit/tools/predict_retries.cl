/*
 * Exchanges on one address follow each other: each that succeeds had read what the last one wrote. Were a round trip to L2 (152 ms on an A100, of 1048576) all that they wait for; but those of all resident warps, of
 * which one lane succeeds, take turns at that address meanwhile. Where each work-item has a place of its own none waits for another.
 *
 * RUN: %gpuperf predict --device a100,mi250x,w6600 --model throughput --kernel one_place --global 1048576 --local 256 %s | FileCheck %s --check-prefix=ONE
 * RUN: %gpuperf predict --device w6600 --model trace --kernel one_place --global 1048576 --local 256 %s | FileCheck %s --check-prefix=TRACE
 * RUN: %gpuperf predict --device a100,mi250x,w6600 --model throughput --kernel own_place --global 1048576 --local 256 %s | FileCheck %s --check-prefix=OWN
 *
 * ONE: on a100
 * ONE: known 50%
 * ONE: 256 {{[0-9]+}} 77.1 s {{.*}} l2 best
 * ONE: atomics: contended global atomic: the launch's 1048576 exchanges that succeed fall on 1 address, and each had read what the one before it wrote
 * ONE-NEXT: combine within the work-group first
 * ONE: on mi250x
 * ONE: known 50%
 * ONE: 256 {{[0-9]+}} 63.0 s {{.*}} l2 best
 * ONE: on w6600
 * ONE: known {{[0-9]+}}%
 * ONE: 256 {{[0-9]+}} 6.56 s {{.*}} l2 best
 * TRACE: 256 {{[0-9]+}} 6.56 s {{.*}} l2
 * OWN-COUNT-3: known {{.*}}%
 * OWN-NOT: atomics:
 */
void add(volatile global float *p, float v)
{
    union { uint u; float f; } old, sum;
    do {
        old.f = *p;
        sum.f = old.f + v;
    } while (atomic_cmpxchg((volatile global uint *)p, old.u, sum.u) != old.u);
}

kernel void one_place(volatile global float *sum, global const float *in) { add(sum, in[get_global_id(0)]); }

kernel void own_place(volatile global float *sum, global const float *in) { add(sum + get_global_id(0), in[get_global_id(0)]); }
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
