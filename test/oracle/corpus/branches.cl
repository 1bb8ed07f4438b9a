/* Branches: what decides them, and how control flow hangs together. */

// run on_argument: global=128 local=64 n=3
// run on_argument: global=128 local=64 n=8
kernel void on_argument(global float *a, global const float *b, int n)
{
    int i = get_global_id(0);
    if (n > 5)
        a[i] = b[i * 2];
    else
        a[i * 2] = b[i];
}

// run on_thread: global=200 local=100
kernel void on_thread(global float *a, global const float *b)
{
    int i = get_global_id(0);
    if (i % 3 == 0)
        a[i] = b[i * 2] + b[i * 5];
    else if (i % 3 == 1)
        a[i + 1000] = b[i * 4];
    else
        a[i + 2000] = b[i];
}

// run on_induction: global=96 local=32 n=30
kernel void on_induction(global float *a, global const float *b, int n)
{
    int i = get_global_id(0);
    float s = 0;
    for (int k = 0; k < n; k++) {
        if (k % 4 == 1)
            s += b[k * 32 + i];
        else if ((k + i) % 5 == 0)
            s *= b[k + i * 2];
    }
    a[i] = s;
}

// run on_data: global=192 local=64 b=mod:2
kernel void on_data(global int *a, global const int *b)
{
    int i = get_global_id(0);
    if (b[i] > 0)
        a[i * 2] = a[i * 3] + 1; // expect: count
    else
        a[i * 2 + 1] = 5; // expect: count
    a[i + 1000] = 7;
}

// run on_uniform_data: global=192 local=64 b=const:1
kernel void on_uniform_data(global int *a, global const int *b)
{
    int i = get_global_id(0);
    if (b[0] > 0)
        a[i] = a[i * 3] + 1; // expect: count
    a[i + 1000] = 7;
}

// run short_circuit: global=160 local=80 n=50 m=7
kernel void short_circuit(global float *a, global const float *b, int n, int m)
{
    int i = get_global_id(0);
    if (i > 3 && (i < n || i % m == 2) && !(i & 8 && i & 1))
        a[i] = b[i * 3];
    if ((i & 1) == 0 || (i > 20 && b[i] < 0.0f))
        a[i + 500] = 1; // expect: count
}

// run switches: global=192 local=64
kernel void switches(global float *a, global const float *b)
{
    int i = get_global_id(0);
    float s = 0;
    switch (i % 7) {
    case 0: s = b[i]; break;
    case 1: s = b[i * 2]; /* falls through */
    case 2: s += b[i * 3]; break;
    case 3: a[i * 4] = 2; return;
    case 5: s = b[i + 77]; break;
    default: s = 1;
    }
    a[i] = s;
}

// run switch_in_loop: global=64 local=32 n=20
kernel void switch_in_loop(global float *a, global const float *b, int n)
{
    int i = get_global_id(0);
    float s = 0;
    for (int k = 0; k < n; k++)
        switch ((k + i / 8) & 3) {
        case 0: s += b[k]; continue;
        case 1: s += b[k * i]; break;
        case 2: a[k + i] = s;
        }
    a[i] = s;
}

// run on_argument_switch: global=64 local=32 mode=2
// run on_argument_switch: global=64 local=32 mode=9
kernel void on_argument_switch(global float *a, global const float *b, int mode)
{
    int i = get_global_id(0);
    switch (mode) {
    case 0: a[i] = b[i]; break;
    case 1: a[i] = b[i * 2]; break;
    case 2: a[i] = b[i * 3] + b[i]; break;
    case 3: a[i * 2] = b[i]; break;
    default: a[i * 5] = 1;
    }
}

// run early_return: global=200x3 local=32x2 width=170 height=2
kernel void early_return(global float *a, global const float *b, int width, int height)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= width || y >= height)
        return;
    if (x == 0 || y == 0) {
        a[y * width + x] = 0;
        return;
    }
    a[y * width + x] = b[y * width + x - 1] + b[(y - 1) * width + x];
}

// run break_continue: global=128 local=64 n=40
kernel void break_continue(global float *a, global const float *b, int n)
{
    int i = get_global_id(0);
    float s = 0;
    for (int k = 0; k < n; k++) {
        if (k % 3 == i % 3)
            continue;
        if (k > 10 + i % 16)
            break;
        s += b[k * 8 + i];
        if (k == i)
            continue;
        s -= b[k + i];
    }
    a[i] = s;
}

// run irreducible: global=128 local=64 n=12
kernel void irreducible(global float *a, global const float *b, int n)
{
    int i = get_global_id(0), k = 0;
    float s = 0;
    if (i & 1)
        goto inside;
top:
    s += b[k + i];
    k++;
inside:
    s += b[k * 16 + i];
    k += 2;
    if (k < n + (i & 3))
        goto top;
    a[i] = s;
}

// run irreducible_uniform: global=64 local=32 n=11
kernel void irreducible_uniform(global float *a, int n)
{
    int i = get_global_id(0), k = 0;
    if (n & 1)
        goto inside;
top:
    a[k * 64 + i] = 1;
    k++;
inside:
    if (k < n)
        goto top;
    a[i] = k;
}

// run irreducible_switch: global=128 local=64 n=12
kernel void irreducible_switch(global float *a, global const float *b, int n)
{
    int i = get_global_id(0), k = 0;
    float s = 0;
    switch (i % 7) {
    case 1: goto first;
    case 3: goto second;
    case 4: goto third;
    default: break;
    }
first:
    s += b[k + i];
    k++;
second:
    s += b[k * 16 + i];
    k += 2;
third:
    s += b[k * 4 + i * 2];
    k++;
    if (k < n + (i & 3))
        goto first;
    a[i] = s;
}

// run selects: global=160 local=80 n=90
kernel void selects(global float *a, global const float *b, int n)
{
    int i = get_global_id(0);
    int from = i < n ? i * 2 : n - i % 7;
    int to = select(i, i ^ 5, i > 40);
    a[max(to, 3)] = b[clamp(from, 10, 150)];
}

// run barrier_in_branch: global=256 local=64 n=4
// run barrier_in_branch: global=256 local=64 n=5
kernel void barrier_in_branch(global float *a, int n)
{
    local float t[64];
    int l = get_local_id(0);
    t[l] = l;
    if (n & 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        t[l] = t[l ^ 1];
    }
    if (get_group_id(0) > 1)
        barrier(CLK_LOCAL_MEM_FENCE);
    a[get_global_id(0)] = t[l ^ 3];
}

// run return_in_loop: global=128 local=64 n=25
kernel void return_in_loop(global float *a, global const float *b, int n)
{
    int i = get_global_id(0);
    for (int k = 0; k < n; k++) {
        a[i * 2 + k] = b[k];
        if (k * 4 > i)
            return;
    }
    a[i + 700] = 3;
}

// run short_circuit_loop: global=128 local=64 n=30
kernel void short_circuit_loop(global float *a, global const float *b, int n)
{
    int i = get_global_id(0), k = 0;
    float s = 0;
    while (k < n && k * k < i && (k ^ i) != 13)
        s += b[k++ * 4 + i];
    a[i] = s;
}

// run nested_divergence: global=128 local=128
kernel void nested_divergence(global float *a, global const float *b)
{
    int i = get_global_id(0);
    float s = b[i];
    if (i & 1) {
        if (i & 2) {
            for (int k = 0; k < (i & 12); k++)
                s += b[k * 4 + i];
        } else {
            s -= b[i + 9];
            if (i & 4)
                s *= b[i * 2];
        }
        a[i] = s;
    }
    a[i + 200] = s;
}

// run guarded_data: global=128 local=64 b=mod:100
kernel void guarded_data(global int *a, global const int *b, int n)
{
    int i = get_global_id(0), s = 0;
    for (int k = 0; k < 10; k++) {
        int v = b[k * 128 + i];
        s = v > s ? v : s;
    }
    a[i] = s;
    if (__builtin_expect(s > 1000, 0))
        a[i + 300] = 0; // expect: count
}

/* Lanes that leave by a way of their own hold up nobody: the others meet behind the branch, not where all do. */
// run break_in_if: global=128 local=64 n=20
kernel void break_in_if(global float *a, global const float *b, int n)
{
    int i = get_global_id(0);
    float s = 0;
    for (int k = 0; k < n; k++) {
        if (i % 2) {
            s += b[k * 64 + i];
            if (k * 3 > i % 64)
                break;
        }
        s += b[k + i];
    }
    a[i] = s;
}

// run returns_early: global=128 local=64 n=12
// run returns_early: global=128 local=64 n=1000
kernel void returns_early(global float *a, global const float *b, int n)
{
    int i = get_global_id(0);
    float s = 0;
    for (int k = 0; k < i % 32; k++) {
        if (k * i > n * 16)
            return;
        s += b[k + i];
    }
    for (int k = 0; k < 10; k++)
        s += b[k * 128 + i];
    a[i] = s;
}

// run one_of_four: global=192 local=64
kernel void one_of_four(global float *a, global const float *b)
{
    int i = get_global_id(0);
    if (i % 2 == 0 || (i % 3 == 0 && b[i] < 1e30f) || i % 5 == 0 || i % 7 == 0)
        a[i] = b[i * 3];                                                      // expect: count
    a[i + 500] = 1;
}

// run falls_through: global=128 local=64
kernel void falls_through(global float *a, global const float *b)
{
    int i = get_global_id(0);
    float s = 0;
    switch (i % 5) {
    case 0: s += b[i]; /* and on */
    case 1: s += b[i * 2]; break;
    case 3: s += b[i * 3]; /* and on */
    default: s += b[i + 7];
    }
    a[i] = s;
}

// run next_one: global=128 local=64 n=30
kernel void next_one(global float *a, global const float *b, int n)
{
    int i = get_global_id(0);
    float s = 0;
    for (int k = 0; k < n; k++) {
        if ((k + i) % 3 == 0)
            continue;
        if ((k ^ i) & 1) {
            s += b[k];
            if (i % 4 == 2)
                continue;
            s *= b[k + i];
        }
        s += b[k * 32 + i];
    }
    a[i] = s;
}

// A buffer that may be absent, and is not where a launch has one.
// run null_checks: global=128 local=64 n=20
__kernel void null_checks(__global float *a, __global const float *mask, __global float *copy, int n)
{
    int i = get_global_id(0);
    float scale = 1;
    if (mask)
        scale = mask[i];
    for (int k = 0; k < n; k++)
        a[i + 128 * k] = scale;
    if (copy != 0)
        copy[i] = scale;
}

// run retries: global=256 local=64
kernel void retries(volatile global float *a, float v)
{
    volatile global float *p = a + get_global_id(0) * 3;
    union { uint u; float f; } old, sum;
    do {
        old.f = *p;
        sum.f = old.f + v;
    } while (atomic_cmpxchg((volatile global uint *)p, old.u, sum.u) != old.u);
}

// One work-item of the plane does nearly all that is done.
// run place_in_plane: global=256x256 local=16x16
kernel void place_in_plane(global float *a, global const float *b)
{
    int at = get_global_id(1) * get_global_size(0) + get_global_id(0);
    if (at == 20000)
        for (int k = 0; k < 3000; k++)
            a[k] = b[k * 2] + 1;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
