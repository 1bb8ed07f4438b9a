/* Loops: every way in which a trip count comes about. */

// run constant_trips: global=192 local=64
kernel void constant_trips(global float *a, global const float *b)
{
    int i = get_global_id(0);
    float s = 0;
    for (int k = 0; k < 19; k++)
        s += b[k * 200 + i];
    a[i] = s;
}

// run argument_trips: global=200x2 local=32x2 n=37
// run argument_trips: global=96x2 local=32x1 n=0
// run argument_trips: global=96x2 local=96x2 n=1
kernel void argument_trips(global float *a, global const float *b, int n)
{
    int i = get_global_id(0) + get_global_size(0) * get_global_id(1);
    float s = 0;
    for (int k = 0; k < n; k++)
        s += b[k * 3 + i];
    a[i] = s;
}

// run stepped: global=128 local=64 n=50 step=3
// run stepped: global=128 local=64 n=50 step=7
kernel void stepped(global float *a, global const float *b, int n, int step)
{
    int i = get_global_id(0);
    float s = 0;
    for (int k = i & 3; k < n; k += step)
        s += b[k * 64 + i];
    a[i] = s;
}

// run doubling: global=160 local=32 n=1000
// run doubling: global=160 local=32 n=7
kernel void doubling(global float *a, global const float *b, uint n)
{
    int i = get_global_id(0);
    float s = 0;
    for (uint k = 1; k < n; k *= 2)
        s += b[k + i];
    a[i] = s;
}

// run tree: global=512 local=128
// run tree: global=300 local=100
kernel void tree(global float *a, global const float *b)
{
    local float t[256];
    uint l = get_local_id(0);
    t[l] = b[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint half_size = get_local_size(0) / 2; half_size > 0; half_size >>= 1) {
        if (l < half_size)
            t[l] += t[l + half_size];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        a[get_group_id(0)] = t[0];
}

// run interleaved_tree: global=256 local=128
kernel void interleaved_tree(global float *a, global const float *b)
{
    local float t[256];
    uint l = get_local_id(0);
    t[l] = b[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = 1; s < get_local_size(0); s *= 2) {
        if (l % (2 * s) == 0)
            t[l] += t[l + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        a[get_group_id(0)] = t[0];
}

// run pointer_induction: global=128 local=64 n=33
kernel void pointer_induction(global float *a, global const float *b, int n)
{
    int i = get_global_id(0);
    global const float *p = b + i, *end = p + n * 16;
    float s = 0;
    while (p != end) {
        s += *p;
        p += 16;
    }
    a[i] = s;
}

// run counting_down: global=128 local=64 n=29
kernel void counting_down(global float *a, global const float *b, int n)
{
    int i = get_global_id(0);
    float s = 0;
    for (int k = n - 1; k >= 0; k--)
        s += b[k * 32 + i];
    a[i] = s;
}

// run wrapping: global=128 local=64 n=9
kernel void wrapping(global float *a, global const float *b, uint n)
{
    int i = get_global_id(0);
    float s = 0;
    for (uchar k = 250; k != (uchar)n; k++)
        s += b[k + i];
    for (uint k = n; k-- != 0;)
        s += b[k * 2 + i];
    for (ushort k = 65530u + (i & 3); k > 100; k++)
        s += b[(k & 63) + i];
    a[i] = s;
}

// run several_exits: global=192 local=64 n=40 m=25
// run several_exits: global=192 local=64 n=10 m=100
kernel void several_exits(global float *a, global const float *b, int n, int m)
{
    int i = get_global_id(0);
    float s = 0;
    for (int k = 0; k < n; k++) {
        s += b[k + i];
        if (k * 3 > m)
            break;
        if (k > (i & 31))
            break;
        s += b[k * 2 + i];
    }
    a[i] = s;
}

// run triangular: global=128 local=64 n=20
kernel void triangular(global float *a, global const float *b, int n)
{
    int i = get_global_id(0);
    float s = 0;
    for (int j = 0; j < n; j++)
        for (int k = j; k < n; k++)
            s += b[j * 100 + k + i];
    a[i] = s;
}

// run outer_bounds: global=64 local=32 n=6
kernel void outer_bounds(global float *a, global const float *b, int n)
{
    int i = get_global_id(0);
    float s = 0;
    for (int x = 1; x < n; x++)
        for (int y = x; y < 2 * x + 1; y += x)
            for (int z = x * y; z > y; z -= 2)
                s += b[z + i];
    a[i] = s;
}

// run lane_varying: global=150 local=50
kernel void lane_varying(global float *a, global const float *b)
{
    int i = get_global_id(0), n = i % 13;
    float s = 0;
    for (int k = 0; k < n; k++)
        s += b[k * 128 + i];
    a[i] = s;
}

// run until_done: global=128 local=64
kernel void until_done(global float *a, global const float *b)
{
    uint i = get_global_id(0), k = i;
    float s = 0;
    do {
        s += b[k];
        k = k * 5 + 1 & 127;
    } while (k > 20);
    a[i] = s;
}

// run collatz: global=128 local=64
kernel void collatz(global uint *a, global const uint *b)
{
    uint i = get_global_id(0), n = i + 1, steps = 0;
    while (n != 1) {
        n = n & 1 ? 3 * n + 1 : n / 2;
        steps += b[n & 1023];
    }
    a[i] = steps;
}

// run euclid: global=128 local=64 m=36
kernel void euclid(global uint *a, uint m)
{
    uint x = get_global_id(0), y = m;
    while (y) {
        uint rest = x % y;
        x = y;
        y = rest;
        a[x + 500] = y;
    }
    a[get_global_id(0)] = x;
}

// run float_counter: global=64 local=64 h=0.1
kernel void float_counter(global float *a, global const float *b, float h)
{
    int i = get_global_id(0);
    float s = 0;
    for (float x = 0; x < 2.0f; x += h)
        s += b[(int)(x * 100.0f) + i];
    a[i] = s;
}

// run long_counter: global=128 local=64 n=21
kernel void long_counter(global float *a, global const float *b, long n)
{
    long i = get_global_id(0);
    float s = 0;
    for (long k = -n; k < n; k += 2)
        s += b[(k + n) * 16 + i];
    a[i] = s;
}

// run loop_with_barriers: global=256 local=64 n=5
kernel void loop_with_barriers(global float *a, global const float *b, int n)
{
    local float tile[64];
    int i = get_global_id(0), l = get_local_id(0);
    float s = 0;
    for (int k = 0; k < n; k++) {
        tile[l] = b[k * 256 + i];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = 0; j < 64; j++)
            s += tile[j ^ l];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    a[i] = s;
}

// run memory_bound: global=128 local=64 rows=ramp:5
kernel void memory_bound(global float *a, global const float *b, global const int *rows)
{
    int i = get_global_id(0);
    float s = 0;
    int k = rows[i];
    int end = rows[i + 1];
    for (; k < end; k++)
        s += b[k]; // expect: count
    a[i] = s;
}

// run uniform_memory_bound: global=128 local=64 counts=const:6
kernel void uniform_memory_bound(global float *a, global const float *b, global const int *counts)
{
    int i = get_global_id(0), n = counts[0];
    float s = 0;
    for (int k = 0; k < n; k++)
        s += b[k * 128 + i]; // expect: count
    a[i] = s;
}

// run until_found: global=128 local=64 b=mod:10
kernel void until_found(global int *a, global const int *b, int wanted, int n)
{
    int i = get_global_id(0), k = 0;
    while (k < 50 && b[i + k] != 3) // expect: count
        k++;
    a[i] = k;
}

// run nested_lane_bounds: global=96 local=48 n=7
kernel void nested_lane_bounds(global float *a, global const float *b, int n)
{
    int i = get_global_id(0);
    float s = 0;
    for (int j = i % 5; j < n; j++)
        for (int k = 0; k < j + i % 3; k++)
            s += b[j * k + i];
    a[i] = s;
}

// run grid_stride: global=128 local=64 n=1000
kernel void grid_stride(global float *a, global const float *b, int n)
{
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        a[i] = b[i] * 2;
}

// run strip_mined: global=64 local=32 n=70
kernel void strip_mined(global float *a, global const float *b, int n)
{
    int i = get_global_id(0);
    float s = 0;
    for (int from = 0; from < n; from += 16) {
        int to = min(from + 16, n);
        for (int k = from; k < to; k++)
            s += b[k * 64 + i];
    }
    a[i] = s;
}

// run two_pointers: global=96x2 local=32x2 m=7
kernel void two_pointers(global float *a, global const float *b, int m)
{
    int i = get_global_id(0);
    float s = 0;
    for (global const float *p = b + i / 16 * 3 + 260, *end = p + (m * 7 - (int)get_local_id(1) & 7) * 70; p < end; p += 6)
        s += p[i & 7];
    a[i] = s;
}

/* Sums of a counter, which the optimiser writes out in 33 bits, and remainders of which it keeps four. */
// run written_out: global=96 local=32
kernel void written_out(global float *a, global const float *b)
{
    int i = get_global_id(0), place = 0;
    for (int k = 0; k < i; k++)
        place += k;
    a[place] = b[i];
}

// run few_bits: global=64 local=32 n=21
kernel void few_bits(global float *a, global const float *b, int n)
{
    int i = get_global_id(0);
    for (int k = 0; k < n; k++)
        for (int j = 0; j < ((k + n) & 15); j++)
            a[k * 16 + j + i] = b[j];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
