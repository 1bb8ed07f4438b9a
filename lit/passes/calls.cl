// Calls are followed; positions say where from. What cannot be followed is a call, and counted.
// RUN: %plain_cl -gline-tables-only -S %s -o - | %profile_ir - | FileCheck %s
// CHECK: location {{[0-9]+}}: "{{.*}}calls.cl":[[# @LINE + 21]]:{{[0-9]+}} in {{[0-9]+}}
// CHECK-LABEL: kernel "followed"
// CHECK: local-size-agnostic yes
// CHECK: load i32 {{.*}} base $1
// CHECK: store {{.*}} base $0
// CHECK-NOT: callee
// CHECK-LABEL: kernel "unknown"
// CHECK: local-size-agnostic no "it calls elsewhere, which is not known"
// CHECK: callee {{[0-9]+}}: "elsewhere"
// CHECK: = call i32
// CHECK-LABEL: kernel "recursive"
// CHECK: callee {{[0-9]+}}: "depth"
// The call that is left stands for its function's arithmetic, gone through once.
// CHECK: = call i32 {{.*}} callee 0
// CHECK-NEXT: weight {{ *}}: int32.add x3
// CHECK-NEXT: weight {{ *}}: int32.logic x2

int elsewhere(int);

__attribute__((noinline)) void deliver(global int *out, global const int *in, int *sum)
{
    int i = get_global_id(0);
    *sum += in[i];
    out[i] = *sum;
}
__attribute__((noinline)) int depth(global int *out, int n) { out[n & 7] = n; return n < 2 ? n : depth(out, n - 1) + depth(out, n - 3); }

kernel void followed(global int *out, global const int *in)
{
    int sum = 1;
    deliver(out, in, &sum);
}
kernel void unknown(global int *out) { out[get_global_id(0)] = elsewhere(3); }
kernel void recursive(global int *out) { out[get_global_id(0)] = depth(out, out[1]); }
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
