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

// What is kept is the larger, whether the loop or the condition before the exchange says so.
// CHECK: :[[@LINE+2]]:{{[0-9]+}}: warning: contended global atomic: {{.*}} if combined)
// CHECK: note: combine within the work-group first
kernel void guarded(volatile global int *most, global const float *in) { float v = in[get_global_id(0)]; int old = *most; while (v > as_float(old)) { int seen = old; old = atomic_cmpxchg(most, seen, as_int(v)); if (old == seen) break; } }

// CHECK: :[[@LINE+2]]:{{[0-9]+}}: warning: contended global atomic: {{.*}} if combined)
// CHECK: note: combine within the work-group first
kernel void of_floats(volatile global int *most, global const float *in) { float v = in[get_global_id(0)]; int old = *most, seen; do { seen = old; old = atomic_cmpxchg(most, seen, as_int(fmax(v, as_float(seen)))); } while (old != seen); }

// A function whose name only begins like another's.
// CHECK: :[[@LINE+3]]:{{[0-9]+}}: warning: contended global atomic: {{.*}} without contention
// CHECK: note: exchanges take turns and cannot be combined
float minus(float a, float b);
kernel void takes(volatile global int *p, global const float *in) { float v = in[get_global_id(0)]; int old = *p, seen; do { seen = old; old = atomic_cmpxchg(p, seen, as_int(minus(as_float(seen), v))); } while (old != seen); }

// The order matters: a power of the old value, a difference to it.
// CHECK: :[[@LINE+2]]:{{[0-9]+}}: warning: contended global atomic: {{.*}} without contention
// CHECK: note: exchanges take turns and cannot be combined
kernel void powers(volatile global int *p, global const float *in) { float v = in[get_global_id(0)]; int old = *p, seen; do { seen = old; old = atomic_cmpxchg(p, seen, as_int(pow(as_float(seen), v))); } while (old != seen); }

// CHECK: :[[@LINE+2]]:{{[0-9]+}}: warning: contended global atomic: {{.*}} without contention
// CHECK: note: exchanges take turns and cannot be combined
kernel void alternates(volatile global int *p, global const float *in) { float v = in[get_global_id(0)]; int old = *p, seen; do { seen = old; old = atomic_cmpxchg(p, seen, as_int(v - as_float(seen))); } while (old != seen); }
