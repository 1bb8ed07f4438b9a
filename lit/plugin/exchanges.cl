// Exchanges of one address take turns, but no work-item's stands for another's: to combine them is advised of none, but of additions that are made of them, and of one value that nobody asks for the old one of.
// RUN: %cl -c %s -o %t.bc 2>&1 | FileCheck %s

// CHECK: :[[@LINE+2]]:{{[0-9]+}}: warning: contended global atomic: all 1048576 operations of the launch on one address; {{.*}} ({{[0-9.]+}}x faster without contention)
// CHECK: note: exchanges take turns and cannot be combined
kernel void claim(global int *slot) { atomic_cmpxchg(slot, -1, (int)get_global_id(0)); }

// CHECK: :[[@LINE+2]]:{{[0-9]+}}: warning: contended global atomic: {{.*}} ({{[0-9.]+}}x faster without contention)
// CHECK: note: exchanges take turns and cannot be combined
kernel void push(global int *head, global int *next) { int i = get_global_id(0); next[i] = atomic_xchg(head, i); }

// CHECK: :[[@LINE+2]]:{{[0-9]+}}: warning: contended global atomic: {{.*}} ({{[0-9.]+}}x faster without contention)
// CHECK: note: exchanges take turns and cannot be combined
kernel void last(global int *slot) { atomic_xchg(slot, (int)get_global_id(0)); }

// CHECK: :[[@LINE+2]]:{{[0-9]+}}: warning: contended global atomic: {{.*}} if combined)
// CHECK: note: combine within the work-group first
kernel void mark(global int *flag) { atomic_xchg(flag, 1); }

// CHECK: :[[@LINE+5]]:{{[0-9]+}}: warning: contended global atomic: {{.*}} if combined)
// CHECK: note: combine within the work-group first
kernel void largest(volatile global int *most, global const int *in)
{
    int v = in[get_global_id(0)], old = *most, seen;
    do { seen = old; old = atomic_cmpxchg(most, seen, max(seen, v)); } while (old != seen);
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
