// Kinds of branches (argument, thread id, induction variable, data), their probabilities, and the graphs they make.
// RUN: %plain_cl -w -cl-kernel-arg-info -S %s -o %t.ll
// RUN: %profile_ir %t.ll | FileCheck %s
#define LIKELY(x) __builtin_expect(!!(x), 1)

// CHECK-LABEL: kernel "argument"
// CHECK: condbr {{.*}} kind argument
kernel void argument(global int *a, int n) { if (n > 3) barrier(CLK_GLOBAL_MEM_FENCE); a[0] = 1; }

// CHECK-LABEL: kernel "thread"
// CHECK: condbr {{.*}} kind thread
kernel void thread(global int *a, int n) { if (get_global_id(0) < n) a[get_global_id(0)] = 1; }

// Short-circuit conditions on ids and arguments stay thread: && of both becomes one condition or two.
// CHECK-LABEL: kernel "both"
// CHECK: condbr {{.*}} kind thread
// CHECK-NOT: kind data
kernel void both(global int *a, int n, int m)
{
    int x = get_global_id(0), y = get_global_id(1);
    if ((x > 0 && x < n && y > 0) || m == 7)
        a[y * n + x] = 1;
}

// CHECK-LABEL: kernel "induction"
// CHECK: condbr {{.*}} kind induction
kernel void induction(global int *a, int n)
{
    #pragma unroll 1
    for (int i = 0; i < n; i++)
        if (i % 3 == 1)
            a[i] += i;
}

// CHECK-LABEL: kernel "data"
// CHECK: condbr {{.*}} kind data
// CHECK-NOT: probability
kernel void data(global int *a) { if (a[get_global_id(0)] > 3) a[get_global_id(0)] = 1; }

// Hints become probabilities: 2000 to 1.
// CHECK-LABEL: kernel "hinted"
// CHECK: condbr {{.*}} kind data probability {{65502|32}}
kernel void hinted(global int *a) { if (LIKELY(a[get_global_id(0)] > 3)) a[get_global_id(0)] = 1; }

// CHECK-LABEL: kernel "stated"
// CHECK: condbr {{.*}} kind data probability {{(6553|58981)}}
kernel void stated(global int *a) { if (__builtin_expect_with_probability(a[get_global_id(0)] > 3, 1, 0.9)) a[get_global_id(0)] = 1; }

// Where a mathematical function leaves its fast path, in either way of writing: never, if all it does there is to compute.
// CHECK-LABEL: kernel "large_argument"
// CHECK: condbr {{.*}} kind data probability {{65502|32}} :
kernel void large_argument(global float *a)
{
    float x = a[get_global_id(0)];
    if (__builtin_fabsf(x) > 105615.0f)
        for (int i = 0; i < 6; i++)
            a[get_global_id(0) * 8 + i] = x * i;
}

// CHECK-LABEL: kernel "large_computes"
// CHECK: condbr {{.*}} kind data probability {{65535|0}} :
kernel void large_computes(global float *a)
{
    float x = a[get_global_id(0)];
    if (__builtin_fabsf(x) > 105615.0f)
        for (int i = 0; i < 60; i++)
            x = x * i + x;
    a[get_global_id(0)] = x;
}

// CHECK-LABEL: kernel "large_bits"
// CHECK: condbr {{.*}} kind data probability {{65502|32}} :
kernel void large_bits(global float *a)
{
    float x = a[get_global_id(0)] * 3;
    if ((as_uint(x) & 0x7fffffff) < 0x47ce4780)
        a[get_global_id(0)] = 2 * x;
    else
        a[get_global_id(0) * 8] = x * 3;
}

// CHECK-LABEL: kernel "moderate_argument"
// CHECK: condbr {{.*}} kind data :
kernel void moderate_argument(global float *a)
{
    float x = a[get_global_id(0)];
    if (__builtin_fabsf(x) > 100.0f)
        for (int i = 0; i < 6; i++)
            a[get_global_id(0) * 8 + i] = x * i;
}

// What is not worth a branch is a select.
// CHECK-LABEL: kernel "selects"
// CHECK-NOT: condbr
kernel void selects(global int *a) { int v = a[get_global_id(0)]; a[get_global_id(0)] = v > 3 ? v * 2 : v + 5; }

// CHECK-LABEL: kernel "switches"
// CHECK: switch {{.*}} kind argument
// CHECK: switch {{.*}} kind data
kernel void switches(global int *a, int n, volatile global int *out)
{
    switch (n) {
    case 0: out[0] = 1; break;
    case 1: out[1] = 2;
    case 2: out[2] = 3; break;
    case 7: out[3] = 4; return;
    default: out[4] = 5;
    }
    switch (a[get_global_id(0)]) {
    case 3: out[5] = 1; break;
    case 4: out[6] = 1; break;
    case 9: out[7] = 1; break;
    }
}

// CHECK-LABEL: kernel "returns"
// CHECK: condbr {{.*}} kind thread
// CHECK: barrier
kernel void returns(global int *a, local int *l, int n)
{
    if (get_group_id(0) == 3)
        return;
    l[get_local_id(0)] = a[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    a[get_global_id(0)] = l[0];
}

// break on an argument's bound, continue on the induction: two kinds in one loop.
// CHECK-LABEL: kernel "leaves"
// CHECK-DAG: condbr {{.*}} kind induction
// CHECK-DAG: condbr {{.*}} kind data
kernel void leaves(volatile global int *a, int n)
{
    #pragma unroll 1
    for (int i = 0; i < n; i++) {
        if ((i & 7) == 5)
            continue;
        a[i] = i;
        if (a[i + 1] == 9)
            break;
    }
}

// Two entries into one cycle: they meet in a header that tells them apart.
// CHECK-LABEL: kernel "irreducible"
// CHECK: loop 0: {{.*}} bound executed irreducible
// CHECK: condbr {{.*}} kind
// CHECK: condbr {{.*}} kind
kernel void irreducible(volatile global int *a, int n, int m)
{
    int i = 0;
    if (n & 1)
        goto middle;
top:
    a[i] = 1;
    i++;
middle:
    a[i + 1] = 2;
    i += 2;
    if (i < m)
        goto top;
    a[0] = i;
}

// Likewise by a switch, which becomes branches first.
// CHECK-LABEL: kernel "switched"
// CHECK: loop 0: {{.*}} bound executed irreducible
kernel void switched(volatile global int *a, int n, int m)
{
    int i = 0;
    switch (n) {
    case 1: goto first;
    case 5: goto second;
    case 9: goto third;
    default: break;
    }
first:
    a[i] = 1;
    i++;
second:
    a[i + 1] = 2;
    i += 2;
third:
    a[i + 2] = 3;
    i += 3;
    if (i < m)
        goto first;
    a[0] = i;
}

// Lanes leave at different iterations.
// CHECK-LABEL: kernel "differs"
// CHECK: loop 0: {{.*}} bound scalar-evolution
kernel void differs(volatile global int *a)
{
    #pragma unroll 1
    for (int i = 0; i < get_local_id(0) + 1; i++)
        a[i] = i;
}

// CHECK-LABEL: kernel "nested"
// CHECK-COUNT-2: kind thread
kernel void nested(volatile global int *a, int n)
{
    int x = get_global_id(0);
    if (x < n) {
        a[x] = 1;
        if (x & 4) {
            a[x + 1] = 2;
            a[x + 4] = 2;
        }
    }
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
