// Loops that start with the local id step by the group's size, sums in a tree begin with it or with half of it, whatever local size is looked at; what is taken from ids is less than the range; what is cut off bit by bit has few bits.
// RUN: %gpuperf predict --device a100 --local 256 --kernel stepped --kernel tree --kernel half_tree --kernel scan --kernel average --kernel reversed --kernel first_sums --kernel below --kernel stage %s | FileCheck %s
// RUN: %gpuperf predict --device a100 --local 32x8 --kernel padded %s | FileCheck %s --check-prefix=PADDED

// CHECK: stepped on
// CHECK-NEXT: n=1024, s=group;
kernel void stepped(global const float *a, global float *out, int n, int s)
{
    float sum = 0;
    for (int i = get_local_id(0); i < n; i += s)
        sum += a[get_group_id(0) * n + i];
    out[get_global_id(0)] = sum;
}

// CHECK: tree on
// CHECK-NEXT: size=group;
kernel void tree(global const float *a, global float *out, int size)
{
    local float part[1024];
    int l = get_local_id(0);
    part[l] = a[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = size / 2; s > 0; s >>= 1) {
        if (l < s)
            part[l] += part[l + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        out[get_group_id(0)] = part[0];
}

// CHECK: half_tree on
// CHECK-NEXT: half_size=group/2;
kernel void half_tree(global const float *a, global float *out, int half_size)
{
    local float part[256];
    int l = get_local_id(0);
    part[l] = a[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = half_size; s > 0; s /= 2) {
        if (l < s)
            part[l] += part[l + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        out[get_group_id(0)] = part[0];
}

// CHECK: scan on
// CHECK-NEXT: n=1048576, d=1024;
kernel void scan(global const int *a, global int *b, int n, int d)
{
    int i = get_global_id(0);
    if (i < n)
        b[i] = i >= d ? a[i] + a[i - d] : a[i];
}

// CHECK: average on
// CHECK-NEXT: n=1048576, period=1024;
kernel void average(global const float *in, global float *out, int n, int period)
{
    int i = get_global_id(0);
    float sum = 0;
    if (i >= n)
        return;
    if (i < period - 1) {
        out[i] = 0;
        return;
    }
    for (int k = 0; k < period; k++)
        sum += in[i - k];
    out[i] = sum / period;
}

// CHECK: reversed on
// CHECK-NEXT: bits=10;
kernel void reversed(global const float *x, global float *y, int bits)
{
    uint i = get_global_id(0), r = 0, v = i;
    for (int b = 0; b < bits; b++) {
        r = r << 1 | (v & 1);
        v >>= 1;
    }
    y[r] = x[i];
}

// CHECK: first_sums on
// CHECK-NEXT: n=20971{{[0-9]+}}, d=1;
kernel void first_sums(global int *a, int n, int d)
{
    int i = get_global_id(0), k = i * 2 * d;
    if (k + 2 * d - 1 < n)
        a[k + 2 * d - 1] += a[k + d - 1];
}

// What lets only ids below it do anything is the range, though a distance is taken from them.
// CHECK: below on
// CHECK-NEXT: global 1048576, n=1048576
kernel void below(global const float *a, global float *b, int n)
{
    int i = get_global_id(0);
    if (i < n)
        b[i] = a[i - n + 4194304];
}

// PADDED: padded on
// PADDED-NEXT: width=1024, height=1024, border=4;
kernel void padded(global const float *in, global float *out, int width, int height, int border)
{
    int x = get_global_id(0) + border, y = get_global_id(1) + border, pitch = width + 2 * border;
    if (x < width + border && y < height + border)
        out[y * pitch + x] = in[y * pitch + x - 1] + in[y * pitch + x + 1];
}

// An end that an index with a remainder has to stay below is no border.
// CHECK: stage on
// CHECK-NOT: n=4,
kernel void stage(global float2 *x, int n, int log_m)
{
    int i = get_global_id(0), m = 1 << log_m, h = m >> 1, a = i / h * m + i % h;
    if (a + h >= n)
        return;
    float2 u = x[a], v = x[a + h];
    x[a] = u + v;
    x[a + h] = u - v;
}
