/*
 * What is assumed of a loop that depends on data is said with the launch, in the words that set it; a size that is asked for twice is predicted once.
 *
 * RUN: %gpuperf predict --device a100 --local 64,64,128 %s | FileCheck %s
 * CHECK: launch     global 1048576, trip=16
 * CHECK-DAG: 64
 * CHECK-DAG: 128
 * CHECK-NOT: {{^ +3 }}
 *
 * RUN: %gpuperf predict --device a100 --local 64 --trip 100 %s | FileCheck %s --check-prefix=TRIP
 * TRIP: launch     global 1048576, trip=100
 * RUN: not %gpuperf predict --device a100 --trip 0 %s 2>&1 | FileCheck %s --check-prefix=WRONG
 * WRONG: gpuperf: --trip takes a number of iterations from 1 to 4294967295, not '0'
 *
 * A regular file as standard input is no file that a compiler could open by that name.
 *
 * RUN: %gpuperf predict --device a100 --local 64 /dev/stdin < %s | FileCheck %s --check-prefix=INPUT
 * INPUT: walk on a100
 *
 * RUN: %clang -x cl %s -cl-std=CL1.2 -target spir64 -O2 -fplugin-arg-gpuperf-warn=all -fplugin-arg-gpuperf-assume=*:trip=9 -emit-llvm -c -o %t.bc 2>&1 | FileCheck %s --check-prefix=WARNING
 * WARNING: note: predicted for global 1048576, local 256, trip=9 (set with
 */
kernel void walk(global int *a, global const int *next)
{
    int i = get_global_id(0), k = 0;
    while (i >= 0 && a[i] > k) {
        i = next[i];
        k++;
    }
    a[get_global_id(0)] = k;
}

// Neither does anybody know how often a loop goes round whose end is a number that the launch does not state.
// RUN: %gpuperf predict --device a100 --kernel escapes --global 1048576 --local 256 --arg most=256 %s | FileCheck %s --check-prefix=ESCAPES
// RUN: %gpuperf predict --device a100 --kernel escapes --global 1048576 --local 256 --arg most=256 --arg c=0.25 %s | FileCheck %s --check-prefix=STATED
// ESCAPES: launch {{.*}} c=?, most=256, trip=16
// STATED: launch {{.*}} c=0.25, most=256{{$}}
kernel void escapes(global int *y, float c, int most)
{
    float x = get_global_id(0) * 1e-6f;
    int n = 0;
    while (x < 4 && n < most) {
        x = x * x + c;
        n++;
    }
    y[get_global_id(0)] = n;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
