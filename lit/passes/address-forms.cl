// Addresses in every form, as the executor has them for the second group of a launch of 1024x64 work-items in groups of 32x8
// (integer arguments are 1024): the first lane's address, and how far from it the next seven are.
// RUN: %plain_cl -w -cl-kernel-arg-info -S %s -o %t.ll
// RUN: %profile_ir -addresses=global=1024x64:local=32x8 %t.ll | FileCheck %s --match-full-lines
struct inner { short a; float2 b; };
struct item { int id; union { float f; uint u; } v; struct inner in[3]; };
// CHECK: two_d: load global 4x1 a+4220 4 8 12 16 20 24 28
// CHECK: two_d: store global 4x1 a+128 4 8 12 16 20 24 28
kernel void two_d(global float *a, int pitch, int n)
{ int x = get_global_id(0), y = get_global_id(1); a[y * pitch + x] = a[(y + 1) * pitch + x - 1]; }
// CHECK: three_d: load global 4x1 a+128 4 8 12 16 20 24 28
// CHECK: three_d: store global 4x1 o+128 4 8 12 16 20 24 28
kernel void three_d(global float (*a)[64][32], global float *o)
{ o[get_global_id(0)] = a[get_global_id(2)][get_global_id(1)][get_global_id(0)]; }
// CHECK: members: load global 4x1 a+1844 56 112 168 224 280 336 392
// CHECK: members: load global 4x1 a+1792 56 112 168 224 280 336 392
// CHECK: members: store global 4x1 a+1796 56 112 168 224 280 336 392
kernel void members(global struct item *a)
{ int i = get_global_id(0); a[i].v.f = a[i].in[2].b.y + a[i].id; }
// CHECK: soa: load global 4x1 x+128 4 8 12 16 20 24 28
// CHECK: soa: load global 4x1 x+4224 4 8 12 16 20 24 28
// CHECK: soa: load global 4x1 x+8320 4 8 12 16 20 24 28
// CHECK: soa: store global 4x1 y+128 4 8 12 16 20 24 28
kernel void soa(global float *x, global float *y, int n)
{ int i = get_global_id(0); y[i] = x[i] + x[n + i] + x[2 * n + i]; }
// CHECK: vecs: load global 4x4 a+528 16 32 48 64 80 96 112
// CHECK: vecs: load global 4x3 b+512 16 32 48 64 80 96 112
// CHECK: vecs: load global 1x1 c+128 4 8 12 16 20 24 28
// CHECK: vecs: load global 1x1 c+129 4 8 12 16 20 24 28
// CHECK: vecs: load global 1x1 c+130 4 8 12 16 20 24 28
// CHECK: vecs: load global 1x1 c+131 4 8 12 16 20 24 28
// CHECK: vecs: store global 4x4 a+512 16 32 48 64 80 96 112
kernel void vecs(global float4 *a, global float3 *b, global const uchar *c)
{ int i = get_global_id(0); a[i] = a[i + 1].wzyx + b[i].xyzx + convert_float4(vload4(i, c)); }
// CHECK: modulo: load global 4x1 a+148 4 8 12 16 20 24 28
// CHECK: modulo: load global 4x1 a+128 4 8 12 16 20 24 28
// CHECK: modulo: store global 4x1 a+128 4 8 12 16 20 24 28
kernel void modulo(global float *a, int n)
{ int i = get_global_id(0); a[i] = a[(i + 5) % n] + a[i % 48]; }
// CHECK: swizzle: load global 4x1 a+0 4 8 12 16 20 24 28
// CHECK: swizzle: store local 4x1 l+0 4 8 12 16 20 24 28
// CHECK: swizzle: load local 4x1 l+0 132 264 396 528 660 792 924
// CHECK: swizzle: store global 4x1 a+0 4 8 12 16 20 24 28
kernel void swizzle(global float *a, local float *l)
{ int x = get_local_id(0), y = get_local_id(1); l[y * 32 + (x ^ y)] = a[x + 32 * y]; barrier(1); a[x + 32 * y] = l[x * 32 + (y ^ x)]; }
// CHECK: shifts: load global 4x1 a+8 64 128 192 256 320 384 448
// CHECK: shifts: store global 4x1 a+512 16 32 48 64 80 96 112
kernel void shifts(global float *a)
{ uint i = get_global_id(0); a[(i << 2 | i >> 30) & 1023] = a[((i & 15) << 4) | (i >> 4 & 15)]; }
// CHECK: floating: load global 4x1 a+60 4 4 8 8 12 12 16
// CHECK: floating: load global 4x1 a+64 4 4 8 8 12 12 16
// CHECK: floating: store global 4x1 a+128 4 8 12 16 20 24 28
kernel void floating(global float *a, float scale, int w)
{ float x = (get_global_id(0) + 0.5f) * 0.5f - 0.5f; int i = (int)floor(x); a[get_global_id(0)] = a[i] + a[min(i + 1, w - 1)]; }
// CHECK: rounded: load global 4x1 a+192 4 12 16 24 28 36 40
// CHECK: rounded: store global 4x1 a+24 0 0 0 0 0 0 0
kernel void rounded(global float *a)
{ a[(int)rint(sqrt((float)get_global_id(0)))] = a[convert_int_sat_rtn(get_global_id(0) * 1.5f)]; }
// CHECK: selected: load global 4x1 b+64 a:64 4 a:68 8 a:72 12 a:76
// CHECK: selected: store global 4x1 a+128 4 8 12 16 20 24 28
kernel void selected(global float *a, global float *b, int which)
{ global float *p = which ? a : b; global float *q = get_global_id(0) & 1 ? a : b; p[get_global_id(0)] = q[get_global_id(0) / 2]; }
// CHECK: phis: load global 4x1 b+128 4 8 12 16 20 24 28
// CHECK: phis: store global 4x1 a+128 4 8 12 16 20 24 28
kernel void phis(global float *a, global float *b, int n)
{ global float *p = a; global float *q = b; _Pragma("unroll 1") for (int i = 0; i < n; i++) { p[get_global_id(0)] = q[get_global_id(0) + i]; global float *t = p; p = q; q = t; } }
__attribute__((noinline)) float at(global const float *p, int i) { return p[i * 3]; }
// CHECK: called: load global 4x1 a+412 12 24 36 48 60 72 84
// CHECK: called: store global 4x1 a+128 4 8 12 16 20 24 28
kernel void called(global float *a)
{ a[get_global_id(0)] = at(a + 7, get_global_id(0)); }
// CHECK: walk: load global 4x1 a+128 4 8 12 16 20 24 28
// CHECK: walk: store global 4x1 a+128 4 8 12 16 20 24 28
kernel void walk(global float *a, int n)
{ global float *p = a + get_global_id(0); _Pragma("unroll 1") while (n--) { *p += 1; p += get_global_size(0); } }
// CHECK: csr: load global 4x1 rows+4 0 0 0 0 0 0 0
// CHECK: csr: load global 4x1 symbol+0 4 8 12 16 20 24 28
// CHECK: csr: store global 4x1 o+128 4 8 12 16 20 24 28
kernel void csr(global const int *rows, global const float *v, global float *o)
{ int b = rows[get_group_id(0)]; o[get_global_id(0)] = v[b + get_local_id(0)]; }
// CHECK: gather_rows: load global 4x1 index+0 0 0 0 0 0 0 0
// CHECK: gather_rows: load global 4x1 symbol+128 4 8 12 16 20 24 28
// CHECK: gather_rows: store global 4x1 o+128 4 8 12 16 20 24 28
kernel void gather_rows(global const int *index, global const float *v, global float *o, int w)
{ o[get_global_id(0)] = v[index[get_global_id(1)] * w + get_global_id(0)]; }
// CHECK: gather: load global 4x1 index+128 4 8 12 16 20 24 28
// CHECK: gather: load global 4x1 ?
// CHECK: gather: store global 4x1 o+128 4 8 12 16 20 24 28
kernel void gather(global const int *index, global const float *v, global float *o)
{ o[get_global_id(0)] = v[index[get_global_id(0)]]; }
// CHECK: scratch: load global 4x1 a+0 4 8 12 16 20 24 28
// CHECK: scratch: store local 4x1 l+0 8 16 24 32 40 48 56
// CHECK: scratch: store local 4x1 m+0 4 8 12 16 20 24 28
// CHECK: scratch: load local 4x1 m+4 -4 8 4 16 12 24 20
// CHECK: scratch: load local 4x1 ?
// CHECK: scratch: store global 4x1 a+0 4 8 12 16 20 24 28
kernel void scratch(global float *a, local float *l, local int *m)
{ int t = get_local_id(0); l[t * 2] = a[t]; m[t] = t; barrier(1); a[t] = l[m[t ^ 1]]; }
// CHECK: priv: load global 4x1 a+0 0 0 0 0 0 0 0
// CHECK: priv: store private 4x1 private.+0 0 0 0 0 0 0 0
// CHECK: priv: load private 4x1 private.+0 0 0 0 0 0 0 0
// CHECK: priv: load private 4x1 private.+0 4 8 12 16 20 24 28
// CHECK: priv: store global 4x1 a+128 4 8 12 16 20 24 28
kernel void priv(global float *a, int k)
{ float t[16]; for (int i = 0; i < 16; i++) t[i] = a[i]; a[get_global_id(0)] = t[k & 15] + t[get_global_id(0) & 15]; }
constant float table[64] = {1, 2, 3};
// CHECK: constants: load constant 4x1 global.table+4096 0 0 0 0 0 0 0
// CHECK: constants: load constant 4x1 global.table+0 4 8 12 16 20 24 28
// CHECK: constants: load constant 4x1 c+4096 0 0 0 0 0 0 0
// CHECK: constants: load constant 4x1 c+128 4 8 12 16 20 24 28
// CHECK: constants: store global 4x1 a+128 4 8 12 16 20 24 28
kernel void constants(global float *a, constant float *c, int k)
{ a[get_global_id(0)] = table[k] + table[get_local_id(0) & 63] + c[k] + c[get_global_id(0)]; }
// CHECK: atomics: atomic local 4x1 l+0 4 8 12 16 20 24 28
// CHECK: atomics: load local 4x1 l+0 4 8 12 16 20 24 28
// CHECK: atomics: atomic global 4x1 a+4 0 0 0 0 0 0 0
// CHECK: atomics: atomic global 4x1 a+0 0 0 0 0 0 0 0
kernel void atomics(global int *a, local int *l)
{ int t = get_local_id(0); atomic_inc(&l[t & 7]); barrier(1); atomic_add(&a[get_group_id(0)], l[t & 7]); atomic_max(&a[t / 32], t); }
// CHECK: copies: bulk_copy global 4x1 a+256 4 8 12 16 20 24 28
// CHECK: copies: bulk_copy global 4x1 a+0 4096 8192 12288 16384 20480 24576 28672
// CHECK: copies: load local 4x1 l+0 4 8 12 16 20 24 28
// CHECK: copies: store global 4x1 a+128 4 8 12 16 20 24 28
kernel void copies(global float *a, local float *l, int n)
{ event_t e = async_work_group_copy(l, a + get_group_id(0) * 64, 64, 0); wait_group_events(1, &e); e = async_work_group_strided_copy(l, a, 64, n, 0); wait_group_events(1, &e); a[get_global_id(0)] = l[get_local_id(0)]; }
constant sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
// CHECK: images: image_load image 4x4 +31 1 2 3 4 5 6 7, +0 0 0 0 0 0 0 0
// CHECK: images: image_load image 4x4 +32 1 2 3 4 5 6 7, +0 0 0 0 0 0 0 0
// CHECK: images: image_load image 4x4 +32 1 2 3 4 5 6 7, +0 0 0 0 0 0 0 0
// CHECK: images: image_load image 4x4 +32 1 2 3 4 5 6 7, +0 0 0 0 0 0 0 0, +3 0 0 0 0 0 0 0
// CHECK: images: image_load image 4x4 +32 1 2 3 4 5 6 7, +0 0 0 0 0 0 0 0, +2 0 0 0 0 0 0 0
// CHECK: images: image_store image 4x4 +32 1 2 3 4 5 6 7, +0 0 0 0 0 0 0 0
kernel void images(read_only image2d_t i, write_only image2d_t o, read_only image3d_t v, read_only image2d_array_t r, sampler_t n)
{ int x = get_global_id(0), y = get_global_id(1); float4 c = 0; for (int j = -1; j <= 1; j++) c += read_imagef(i, s, (float2)(x + j * 0.5f, y)); c += read_imagef(v, n, (float4)(x, y, 3, 0)) + read_imagef(r, s, (float4)(x, y, 2, 0)); write_imagef(o, (int2)(x, y), c); }
// CHECK: bytes: load global 2x1 b+64 2 4 6 8 10 12 14
// CHECK: bytes: store global 1x1 a+32 1 2 3 4 5 6 7
// CHECK: bytes: load global 1x4 c+128 4 8 12 16 20 24 28
// CHECK: bytes: store global 1x4 c+128 4 8 12 16 20 24 28
kernel void bytes(global uchar *a, global ushort *b, global char4 *c)
{ int i = get_global_id(0); a[i] = b[i]; c[i] += (char4)(1); }
// CHECK: linear: load global 4x1 a+128 4 8 12 16 20 24 28
// CHECK: linear: store global 4x1 a+0 4 8 12 16 20 24 28
kernel void linear(global float *a)
{ a[get_local_id(1) * get_local_size(0) + get_local_id(0)] = a[get_global_id(1) * get_global_size(0) + get_global_id(0)]; }
// CHECK: negative: load global 4x1 a+3968 -4 -8 -12 -16 -20 -24 -28
// CHECK: negative: store global 4x1 a+3964 -4 -8 -12 -16 -20 -24 -28
kernel void negative(global float *a, int n)
{ a[n - 1 - (int)get_global_id(0)] = a[-(int)get_global_id(0) + n]; }
// CHECK: wide: load global 8x2 a+4096 128 256 384 512 640 768 896
// CHECK: wide: load global 8x2 a+4208 128 256 384 512 640 768 896
// CHECK: wide: store global 8x2 a+4096 128 256 384 512 640 768 896
kernel void wide(global double16 *a)
{ a[get_global_id(0)] *= 2; }
// CHECK: divided: load global 4x1 a+128 4 8 12 16 20 24 28
// CHECK: divided: store global 4x1 a+8192 256 512 768 1024 1280 1536 1792
kernel void divided(global float *a, int w)
{ int i = get_global_id(0), y = i / w, x = i - y * w; a[x * 64 + y] = a[i]; }
// CHECK: block: load global 4x1 a+388 12 24 36 48 60 72 84
// CHECK: block: load global 4x1 a+32 0 0 0 4 4 4 4
// CHECK: block: store global 4x1 a+2048 64 128 192 256 320 384 448
kernel void block(global float *a)
{ int i = get_global_id(0); a[(i / 16) * 256 + (i % 16) * 16] = a[mad24(i, 3, 1)] + a[mul_hi(i, 1 << 30)]; }
// CHECK: kept: load global 4x1 a+128 4 8 12 16 20 24 28
// CHECK: kept: store global 4x1 a+256 8 16 24 32 40 48 56
kernel void kept(global float *a, int n)
{ volatile int i = get_global_id(0); float f = a[i]; if (n > 2) i = 2 * i; a[i] = f; }
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
