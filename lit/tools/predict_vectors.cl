// What bounds and guards is as well known as an element of a vector as when it is a number by itself, and can be set.
// RUN: %gpuperf predict --device a100 --local 128 %s | FileCheck %s
// RUN: %gpuperf predict --device a100 --local 128 --kernel vector --arg n=4096,5,6,1 %s | FileCheck %s --check-prefix=SET
// RUN: %gpuperf predict --device a100 --local 128 --kernel vector --arg n.x=4096 --arg n.w=1 %s | FileCheck %s --check-prefix=SINGLY
// RUN: not %gpuperf predict --device a100 --kernel vector --arg n=4096,5 %s 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: %cl -c -o %t.bc -Rpass-analysis=gpuperf %s 2>&1 | FileCheck %s --check-prefix=PLUGIN --implicit-check-not="in the annotation"
// WRONG: '4096,5' are no 4 integers of 32 bits for argument 'n'
// SET: launch global 4096, n=4096,5,6,1
// SINGLY: launch global 4096, n=4096,1024,1024,1
// PLUGIN-DAG: kernel numbers on a100, {{.*}}: [[CYCLES:[0-9]+]] cycles {{.*}}known 90%
// PLUGIN-DAG: kernel vector on a100, {{.*}}: [[CYCLES]] cycles {{.*}}known 90%
// PLUGIN-DAG: kernel annotated on a100, global 1024, local 256, n=1000,3:

// CHECK: numbers on a100
// CHECK-NEXT: launch global 1048576, n=16777216, stride=1
// CHECK: known 100%
// CHECK: 128 [[TIME:[0-9]+]] {{.*}} best
kernel void numbers(global float *x, int n, int stride)
{
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        x[(long)i * stride] += 1;
}

// CHECK: vector on a100
// CHECK-NEXT: launch global 1048576, n=16777216,1024,1024,1
// CHECK: known 100%
// CHECK: 128 [[TIME]] {{.*}} best
kernel void vector(global float *x, int4 n)
{
    for (int i = get_global_id(0); i < n.x; i += get_global_size(0))
        x[(long)i * n.w] += 1;
}

__attribute__((annotate("gpuperf: n.x=1000 n.y=3")))
kernel void annotated(global float *x, int2 n)
{
    for (int i = get_global_id(0); i < n.x; i += get_global_size(0))
        x[i * n.y] += 1;
}
// CHECK: annotated on a100
// CHECK-NEXT: launch global 1024, n=1000,3
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
