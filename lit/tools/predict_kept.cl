// A maximum that a loop of compare-and-swaps makes: hardly one changes anything, so that the others succeed at once. The same additions follow each other.
// RUN: %gpuperf predict --device a100 --local 256 %s | FileCheck %s

// CHECK: largest on
// CHECK: time       {{[0-9]+}} us
// CHECK: atomics: contended global atomic: all 1048576 operations of the launch on one address
kernel void largest(volatile global int *p, global const float *in)
{
    float v = in[get_global_id(0)];
    int old = *p, seen;
    do {
        seen = old;
        old = atomic_cmpxchg(p, seen, as_int(fmax(v, as_float(seen))));
    } while (old != seen);
}

// CHECK: of_bins on
// CHECK: time       {{[0-9.]+}} us
kernel void of_bins(volatile global int *p, global const int *in)
{
    int i = get_global_id(0), v = in[i], old = p[i & 1023], seen;
    do {
        seen = old;
        old = atomic_cmpxchg(p + (i & 1023), seen, min(seen, v));
    } while (old != seen);
}

// CHECK: sum on
// CHECK: time       77.1 s
// CHECK: and each had read what the one before it wrote
kernel void sum(volatile global int *p, global const float *in)
{
    float v = in[get_global_id(0)];
    int old = *p, seen;
    do {
        seen = old;
        old = atomic_cmpxchg(p, seen, as_int(as_float(seen) + v));
    } while (old != seen);
}

// `while (old < mine)` tries no more often.
// CHECK: while_less on
// CHECK-NOT: trip=
// CHECK: time       {{[0-9]+}} us
kernel void while_less(volatile global int *p, global const int *in)
{
    int v = in[get_global_id(0)], old = *p;
    while (old < v)
        old = atomic_cmpxchg(p, old, v);
}

// CHECK: until_success on
// CHECK-NOT: trip=
// CHECK: time       {{[0-9]+}} us
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

// Nor does what reads its place anew in each turn.
// CHECK: reads_anew on
// CHECK-NOT: trip=
// CHECK: time       {{[0-9]+}} us
kernel void reads_anew(volatile global int *p, global const int *in)
{
    int v = in[get_global_id(0)];
    while (*p < v) {
        int old = *p;
        atomic_cmpxchg(p, old, v);
    }
}

// CHECK: asks_before on
// CHECK-NOT: trip=
// CHECK: time       {{[0-9]+}} us
kernel void asks_before(volatile global int *p, global const int *in)
{
    int v = in[get_global_id(0)], old;
    do {
        old = *p;
        if (old >= v)
            break;
    } while (atomic_cmpxchg(p, old, v) != old);
}

// CHECK: reads_by_atomic on
// CHECK-NOT: trip=
// CHECK: time       {{[0-9.]+}} {{us|ms}}
kernel void reads_by_atomic(volatile global int *p, global const int *in)
{
    int v = in[get_global_id(0)];
    while (atomic_add(p, 0) < v) {
        int old = *p;
        atomic_cmpxchg(p, old, v);
    }
}
