// A loop that tries an exchange until it has succeeded goes round as often as lanes of a warp meet at one address, not the 16 times that are assumed where data decides.
// RUN: %plain_cl -S %s -o %t.ll
// RUN: %profile_ir %t.ll | FileCheck %s

void add(volatile global float *p, float v)
{
    union { uint u; float f; } old, sum;
    do {
        old.f = *p;
        sum.f = old.f + v;
    } while (atomic_cmpxchg((volatile global uint *)p, old.u, sum.u) != old.u);
}
// CHECK: kernel "float_add"
// CHECK: loop 0: {{.*}} bound retry data
kernel void float_add(global float *a, global const int *b) { add(a + b[get_global_id(0)], 1); }
// The old value is read once, and then what the exchange gave back.
// CHECK: kernel "compare"
// CHECK: loop 0: {{.*}} bound retry data
kernel void compare(global uint *a, global const int *b)
{
    global uint *p = a + b[get_global_id(0)];
    uint seen = *p, expected;
    do {
        expected = seen;
        seen = atomic_cmpxchg(p, expected, expected * 3 + 1);
    } while (seen != expected);
}
// CHECK: kernel "locked"
// CHECK: loop 0: {{.*}} bound retry data
kernel void locked(global int *lock, global int *sum)
{
    while (atomic_xchg(lock, 1) != 0)
        ;
    sum[0] += 1;
    atomic_xchg(lock, 0);
}
// Additions of floats by two exchanges.
// CHECK: kernel "carried"
// CHECK: loop 0: {{.*}} bound retry data
kernel void carried(global float *a, global const int *b, float v)
{
    global float *p = a + b[get_global_id(0)];
    while ((v = atomic_xchg(p, atomic_xchg(p, 0.0f) + v)) != 0.0f)
        ;
}
// Another place each time: a search. Another exit: somebody gives up.
// CHECK: kernel "probe"
// CHECK: loop 0: {{.*}} bound assumed data
kernel void probe(global uint *table, global const uint *key, uint mask)
{
    uint k = key[get_global_id(0)], i = k & mask;
    while (atomic_cmpxchg(table + i, 0, k) != 0)
        i = (i + 1) & mask;
}
// CHECK: kernel "patient"
// CHECK: loop 0: {{.*}} bound scalar-evolution data
kernel void patient(global int *lock, int n)
{
    for (int i = 0; i < n && atomic_cmpxchg(lock, 0, 1) != 0; i++)
        ;
}
// What keeps the larger changes little; what adds changes always.
// CHECK: kernel "largest"
// CHECK: loop 0: {{.*}} bound retry data
// CHECK: atomic {{.*}} keeps
kernel void largest(volatile global int *p, global const float *in)
{
    float v = in[get_global_id(0)];
    int old = *p, seen;
    do {
        seen = old;
        old = atomic_cmpxchg(p, seen, as_int(fmax(v, as_float(seen))));
    } while (old != seen);
}
// CHECK: kernel "least"
// CHECK: loop 0: {{.*}} bound retry data
// CHECK: atomic {{.*}} keeps
kernel void least(volatile global int *p, global const int *in)
{
    int v = in[get_global_id(0)], old;
    do
        old = *p;
    while (atomic_cmpxchg(p, old, v < old ? v : old) != old);
}
// CHECK: kernel "sum"
// CHECK: loop 0: {{.*}} bound retry data
// CHECK-NOT: keeps
kernel void sum(volatile global int *p, global const float *in)
{
    float v = in[get_global_id(0)];
    int old = *p, seen;
    do {
        seen = old;
        old = atomic_cmpxchg(p, seen, as_int(as_float(seen) + v));
    } while (old != seen);
}
// What goes on only while the old value is less than its own keeps the larger, whether its success is asked for or not.
// CHECK: kernel "while_less"
// CHECK: loop 0: {{.*}} bound retry data
// CHECK: atomic {{.*}} keeps
kernel void while_less(volatile global int *p, global const int *in)
{
    int v = in[get_global_id(0)], old = *p;
    while (old < v)
        old = atomic_cmpxchg(p, old, v);
}
// CHECK: kernel "until_success"
// CHECK: loop 0: {{.*}} bound retry data
// CHECK: atomic {{.*}} keeps
kernel void until_success(volatile global uint *p, global const uint *in)
{
    uint v = in[get_global_id(0)], old = *p, seen;
    while (old > v) {
        seen = atomic_cmpxchg(p, old, v);
        if (seen == old)
            break;
        old = seen;
    }
}
// Where the same number goes on, none ends it.
// CHECK: kernel "while_no_more"
// CHECK: loop 0: {{.*}} bound assumed data
kernel void while_no_more(volatile global int *p, global const int *in)
{
    int v = in[get_global_id(0)], old = *p;
    while (old <= v)
        old = atomic_cmpxchg(p, old, v);
}
// So does what reads its place anew, before the exchange, behind it, or both.
// CHECK: kernel "reads_anew"
// CHECK: loop 0: {{.*}} bound retry data
// CHECK: atomic {{.*}} keeps
kernel void reads_anew(volatile global int *p, global const int *in)
{
    int v = in[get_global_id(0)];
    while (*p < v) {
        int old = *p;
        atomic_cmpxchg(p, old, v);
    }
}
// CHECK: kernel "asks_before"
// CHECK: loop 0: {{.*}} bound retry data
// CHECK: atomic {{.*}} keeps
kernel void asks_before(volatile global int *p, global const int *in)
{
    int v = in[get_global_id(0)], old;
    do {
        old = *p;
        if (old <= v)
            break;
    } while (atomic_cmpxchg(p, old, v) != old);
}
// CHECK: kernel "asks_twice"
// CHECK: loop 0: {{.*}} bound retry data
// CHECK: atomic {{.*}} keeps
kernel void asks_twice(volatile global int *p, global const float *in)
{
    float v = in[get_global_id(0)];
    while (as_float(*p) < v) {
        int old = *p;
        if (as_float(old) < v)
            atomic_cmpxchg(p, old, as_int(v));
    }
}
// A place that is read anew elsewhere says nothing of this one.
// CHECK: kernel "other_place"
// CHECK: loop 0: {{.*}} bound assumed data
kernel void other_place(volatile global int *p, volatile global int *q, global const int *in)
{
    int v = in[get_global_id(0)];
    while (*q < v)
        atomic_cmpxchg(p, *p, v);
}
// Nor is a number that grows up to a bound a maximum.
// CHECK: kernel "bounded"
// CHECK: loop 0: {{.*}} bound assumed data
// CHECK-NOT: keeps
kernel void bounded(volatile global int *p, global const int *in)
{
    int most = in[get_global_id(0)];
    while (*p < most) {
        int old = *p;
        atomic_cmpxchg(p, old, old + 1);
    }
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
