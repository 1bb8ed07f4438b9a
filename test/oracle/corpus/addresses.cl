/* Addresses of every kind. */

// run two_d: global=70x5 local=16x2 pitch=80
kernel void two_d(global float *a, global const float *b, int pitch)
{
    int x = get_global_id(0), y = get_global_id(1);
    a[x * 8 + y] = b[y * pitch + x];
}

// run three_d: global=20x6x4 local=10x3x2
kernel void three_d(global float *a, global const float (*b)[8][32])
{
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    a[(z * 8 + y) * 32 + x] = b[z][y][x] + b[y & 3][z][x];
}

struct body { float x, y, z; int kind; double mass; };
union word { float f; uchar bytes[4]; struct { short low, high; } halves; };

// run array_of_structs: global=128 local=64
kernel void array_of_structs(global struct body *b)
{
    int i = get_global_id(0);
    b[i].x += b[i].y;
    b[i].kind = (int)b[i].mass;
}

// run struct_of_arrays: global=128 local=64 n=500
kernel void struct_of_arrays(global float *all, int n)
{
    int i = get_global_id(0);
    global float *x = all, *y = all + n, *z = y + n;
    x[i] = y[i] + z[i];
}

// run unions: global=128 local=64
kernel void unions(global union word *w, global int *a)
{
    int i = get_global_id(0);
    a[i] = w[i].bytes[i & 3] + w[i * 2].halves.high;
    w[i].halves.low = 3;
}

// run vectors: global=96 local=32
kernel void vectors(global float4 *a, global const float2 *b, global float3 *c, global const uchar16 *d, global double4 *e)
{
    int i = get_global_id(0);
    float2 v = b[i];
    c[i] = (float3)(v, 1);
    a[i] = (float4)(v, v) + c[i + 200].xyzx;
    e[i + 5] = convert_double4(d[i].s0123);
}

// run vloads: global=96 local=48
kernel void vloads(global float *a, global const float *b, global const half *h, global uchar *c)
{
    int i = get_global_id(0);
    float4 v = vload4(i, b) + vload4(i, b + 1);
    float3 w = vload3(i, b);
    vstore4(v, i, a);
    vstore3(w, i, a + 1000);
    a[i + 3000] = vload_half(i, h);
    vstore2((uchar2)(1, 2), i, c);
    vstore16((uchar16)(3), i, c + 4000);
}

// run swizzles: global=192 local=64
kernel void swizzles(global float *a, global const float *b)
{
    local float t[1024];
    uint i = get_global_id(0), l = get_local_id(0);
    t[l * 16 + (l ^ l >> 2) % 16] = b[i % 16];
    barrier(CLK_LOCAL_MEM_FENCE);
    a[i] = t[(l << 4 | l >> 2) & 1023] + b[i / 24 * 24 + i % 24 / 3];
    a[(i & ~7u) | (7 - (i & 7))] = t[rotate(l, 3u) & 1023];
}

// run floating: global=160x2 local=32x2 scale=1.7
kernel void floating(global float *a, global const float *b, float scale)
{
    float x = get_global_id(0) * scale + 0.5f, y = get_global_id(1);
    int column = (int)floor(x), row = convert_int_rte(sqrt(x) * y);
    a[column] = b[row * 100 + (int)fmin(x, 60.0f)];
}

// run chosen_pointers: global=128 local=64 n=70
kernel void chosen_pointers(global float *a, global const float *b, global const float *c, int n)
{
    int i = get_global_id(0);
    global const float *p = n > 50 ? b : c, *q = i & 1 ? b + 5 : b;
    for (int k = 0; k < 6; k++) {
        a[i * 8 + k] = p[i] + q[k];
        q = k & 1 ? q + 7 : q + 32;
    }
}

static float at(global const float *p, int row, int column) { return p[row * 48 + column]; }
__attribute__((noinline)) static void put(global float *p, int where, float value)
{
    if (where & 1)
        p[where] = value;
    else
        p[where * 2] = value;
}

// run called: global=128 local=64
kernel void called(global float *a, global const float *b)
{
    int i = get_global_id(0);
    put(a, i, at(b, i >> 4, i & 15));
    put(a + 1000, i * 3, at(b + i, 2, 3));
}

// run walking: global=64x2 local=64 pitch=72
kernel void walking(global float *a, global const float *b, int pitch)
{
    global const float *p = b + get_global_id(0), *row = p + get_global_id(1) * pitch;
    float s = 0;
    for (int k = 0; k < 9; k++, row += pitch, p++)
        s += *row * p[k];
    a[get_global_id(0) + 64 * get_global_id(1)] = s;
}

// run gather_rows: global=128 local=64 rows=mod:50
kernel void gather_rows(global float *a, global const float *b, global const int *rows, int n)
{
    int l = get_local_id(0), g = get_group_id(0);
    int start = rows[g];
    a[g * 64 + l] = b[start + l]; // expect: symbol
    a[g * 64 + l + 5000] = b[start * 32 + l]; // expect: symbol
}

// run gather: global=128 local=64 index=mod:500
kernel void gather(global float *a, global const float *b, global const int *index)
{
    int i = get_global_id(0);
    int k = index[i];
    a[i] = b[k]; // expect: address
    a[k] = 1; // expect: address
}

// run local_argument: global=192 local=64 t=1024
kernel void local_argument(global float *a, global const float *b, local float *t)
{
    int i = get_global_id(0), l = get_local_id(0);
    t[l * 2] = b[i];
    t[l * 2 + 1] = b[i + 300];
    barrier(CLK_LOCAL_MEM_FENCE);
    a[i] = t[l * 3 & 127];
}

// run transposes: global=64x64 local=32x8
kernel void transposes(global float *a, global const float *b)
{
    local float plain[32][32], padded[32][33];
    int x = get_local_id(0), y = get_local_id(1), gx = get_group_id(0) * 32, gy = get_group_id(1) * 8;
    plain[y][x] = b[(gy + y) * 64 + gx + x];
    padded[y][x] = b[(gy + y) * 64 + gx + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    a[gx * 64 + gy + y * 64 + x] = plain[x][y] + padded[x][y];
}

// run wide_local: global=128 local=64
kernel void wide_local(global float4 *a)
{
    local float4 four[128];
    local double two[128];
    local float3 three[64];
    local uchar bytes[256];
    int l = get_local_id(0);
    four[l] = (float4)(l);
    two[l] = l;
    three[l] = (float3)(l, 1, 2);
    bytes[l * 3] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    a[get_global_id(0)] = four[l ^ 5] + (float)two[l * 2 & 127] + (float4)(three[63 - l], bytes[l]) + four[l >> 3];
}

// run private_array: global=128 local=64 n=20
kernel void private_array(global float *a, global const float *b, int n)
{
    float t[24];
    int i = get_global_id(0);
    for (int k = 0; k < 24; k++)
        t[k] = b[k * 128 + i];
    float s = 0;
    for (int k = 0; k < n; k++)
        s += t[(k * 5 + i) % 24];
    t[i % 24] = s;
    a[i] = t[n - 1] + t[i % 7];
}

constant float table[64] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
constant int steps[4] = {1, 3, 5, 7};

// run constants: global=128 local=64 n=9
kernel void constants(global float *a, constant float *c, int n)
{
    int i = get_global_id(0);
    float s = c[n] + c[i & 15];
    for (int k = 0; k < n; k++)
        s += table[k] * table[i & 31];
    a[i] = s;
}

// run constant_tables: global=128 local=64
kernel void constant_tables(global float *a, global const float *b)
{
    int i = get_global_id(0);
    a[i] = b[steps[get_group_id(0)] * 100 + i];
}

constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

// run images: global=60x20 local=16x8
kernel void images(read_only image2d_t in, write_only image2d_t out, global float *a)
{
    int x = get_global_id(0), y = get_global_id(1);
    float4 v = read_imagef(in, nearest, (int2)(x, y)) + read_imagef(in, nearest, (float2)(x * 0.5f, y + 0.5f)) +
               read_imagef(in, (int2)(y, x));
    write_imagef(out, (int2)(x ^ 1, y), v);
    a[y * 60 + x] = v.x;
}

// run atomics: global=192 local=64
kernel void atomics(global int *a, global int *counters)
{
    local int bins[32];
    int i = get_global_id(0), l = get_local_id(0);
    if (l < 32)
        bins[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&bins[l % 5], 1);
    atomic_inc(&counters[i & 7]);
    atomic_max(&counters[100], i);
    int old = atomic_cmpxchg(&counters[i + 200], 1, 2);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 32)
        a[i] = bins[l] + old;
}

// run histogram: global=192 local=64 data=mod:256
kernel void histogram(global int *bins, global const int *data)
{
    atomic_inc(&bins[data[get_global_id(0)]]); // expect: address
}

// run async: global=192 local=64
kernel void async(global float *a, global const float *b)
{
    local float t[300];
    event_t e = async_work_group_copy(t, b + get_group_id(0) * 100, 300, 0);
    wait_group_events(1, &e);
    float s = t[get_local_id(0) * 4];
    barrier(CLK_LOCAL_MEM_FENCE);
    t[get_local_id(0)] = s;
    barrier(CLK_LOCAL_MEM_FENCE);
    e = async_work_group_copy(a + get_group_id(0) * 64, t, 40, 0);
    wait_group_events(1, &e);
}

// run async_strided: global=128 local=64
kernel void async_strided(global float4 *a, global const float *b)
{
    local float t[100];
    local float4 u[64];
    event_t e = async_work_group_strided_copy(t, b + get_group_id(0), 100, 3, 0);
    wait_group_events(1, &e);
    u[get_local_id(0)] = t[get_local_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    e = async_work_group_copy(a + get_group_id(0) * 64, u, 64, 0);
    wait_group_events(1, &e);
}

// run widths: global=128 local=64
kernel void widths(global uchar *a, global const ushort *b, global const double *c, global const long2 *d, global half *e)
{
    int i = get_global_id(0);
    a[i] = b[i];
    a[i * 2 + 1000] = c[i];
    a[i * 3 + 2000] = d[i].y;
    vstore_half((float)i, i, e);
}

// run bit_tricks: global=192 local=64
kernel void bit_tricks(global uint *a, global const uint *b)
{
    uint i = get_global_id(0);
    a[popcount(i) * 4 + clz(i)] = b[mad24(i, 3u, 5u)];
    a[mul24(i, 2u) + 300] = b[mul_hi(i << 24, 64u)];
    a[rotate(i, 4u) % 1000 + 1000] = b[abs_diff(i, 100u)];
    a[(i >> 1 ^ i) + 3000] = b[hadd(i, 5u) & 1023];
}

// run shifted_range: global=100x4 local=25x2
kernel void shifted_range(global float *a, global const float *b)
{
    size_t i = get_global_id(0) + get_global_id(1) * get_global_size(0);
    a[i] = b[(get_local_id(0) + get_local_id(1) * get_local_size(0)) * 3 + get_group_id(1)];
    a[get_num_groups(0) * 300 + get_local_size(0) * get_local_id(1) + i] = 1;
}

// run linear: global=100x4 local=25x2 targets=spir
#if __OPENCL_C_VERSION__ >= 200 && defined(__SPIR__)
kernel void linear(global float *a, global const float *b)
{
    a[get_global_linear_id()] = b[get_local_linear_id() * 3 + get_group_id(1)];
}
#endif

// run enqueued: global=100 local=32
kernel void enqueued(global float *a)
{
    a[get_group_id(0) * get_local_size(0) + get_local_id(0)] = 1;
    a[get_group_id(0) * 64 + get_local_size(0) - 1 - get_local_id(0) + 500] = 2;
}

// run stencil: global=66x18 local=16x4 width=66 height=18
kernel void stencil(global float *a, global const float *b, int width, int height)
{
    local float t[6][18];
    int x = get_global_id(0), y = get_global_id(1), l = get_local_id(0), m = get_local_id(1);
    for (int j = m; j < 6; j += 4)
        for (int k = l; k < 18; k += 16) {
            int u = clamp((int)get_group_id(0) * 16 + k - 1, 0, width - 1);
            int v = clamp((int)get_group_id(1) * 4 + j - 1, 0, height - 1);
            t[j][k] = b[v * width + u];
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (x < width && y < height)
        a[y * width + x] = t[m][l] + t[m + 2][l + 2] + t[m + 1][l + 1] * 4;
}

// run negative_offsets: global=128 local=64 n=40
kernel void negative_offsets(global float *a, global const float *b, int n)
{
    int i = get_global_id(0);
    a[i] = b[n - i + 100] + b[(i - n) * -3 + 600];
}

struct options { int width; float scale; int order[4]; };

// run by_value: global=128 local=64 options=mod:8
kernel void by_value(global float *a, global const float *b, struct options options)
{
    int i = get_global_id(0);
    int k = i * options.width;
    a[i] = b[i + 40 * options.order[2]];
    a[k + 1000] = 1;
}

// run matrix_multiply: global=32x32 local=16x16 n=48
kernel void matrix_multiply(global float *c, global const float *a, global const float *b, int n)
{
    local float s[16][16], t[16][17];
    int x = get_local_id(0), y = get_local_id(1), column = get_global_id(0), row = get_global_id(1);
    float sum = 0;
    for (int k = 0; k < n; k += 16) {
        s[y][x] = a[row * n + k + x];
        t[y][x] = b[(k + y) * n + column];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = 0; i < 16; i++)
            sum += s[y][i] * t[i][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[row * n + column] = sum;
}

// run summed_vectors: global=192 local=64
kernel void summed_vectors(global float *a, global const float *b)
{
    int i = get_global_id(0);
    int4 v = (int4)(i, i * 3, i + 7, i ^ 5) / (int4)(3, 5, 7, 9), w = v & (int4)(15, 7, 3, 1);
    a[v.x + v.y + v.z + v.w] = b[w.x ^ w.y ^ w.z ^ w.w] + b[max(max(v.x, v.y), max(v.z, v.w))];
    a[sub_sat((uint)i, 40u) + 1000] = b[add_sat((uchar)i, (uchar)100)];
}

// run kept_volatile: global=64x4 local=16x4 n=37
kernel void kept_volatile(global float *a, global const float *b, int n)
{
    volatile int id = get_local_id(1) * get_local_size(0) + get_local_id(0);
    volatile int at = get_global_id(0);
    for (int i = 0; i < n; i += 8) {
        a[(id % 8) * 64 + at % 64] += b[(id / 8) * 16 + i + at];
        at = at + id % 3;
    }
}

// run wrapped_in_floating_point: global=128 local=64
kernel void wrapped_in_floating_point(global float *a, global const float *b)
{
    int i = get_global_id(0);
    a[i] = b[(int)fmod(i * 1.5f, 37.0f)];
}

/* What libclc leaves to libdevice. */
// run infinities: global=64 local=32
kernel void infinities(global float *a, global const float *b)
{
    int i = get_global_id(0);
    a[i + 64] = rsqrt(b[i + 1]) + sqrt(b[i + 2]);
    if (isinf(b[i]))
        a[i + 128] = 2; // expect: count
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
