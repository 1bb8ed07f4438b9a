// Every builtin function of OpenCL 1.2 (sections 6.12.1 to 6.12.14), in every kind of precision and width, is known: it is
// arithmetic, memory, a barrier or an id, and never a call that could not be followed.
// RUN: %plain_cl -S -Xclang -fno-builtin %s -o - | %profile_ir - > %t.spir64
// RUN: FileCheck %s --input-file=%t.spir64
// RUN: not grep -E ' call |call\.unknown' %t.spir64
// RUN: %noplugin -x cl -cl-std=CL1.2 -O2 -target nvptx64-nvidia-cuda -march=sm_80 -Xclang -target-feature -Xclang +ptx83 -nogpulib -emit-llvm -S %s -o - | %profile_ir - > %t.nvptx64
// RUN: not grep -E ' call |call\.unknown' %t.nvptx64
// RUN: %noplugin -x cl -cl-std=CL1.2 -O2 -target amdgcn-amd-amdhsa -mcpu=gfx90a -nogpulib -emit-llvm -S %s -o - | %profile_ir - > %t.amdgcn
// RUN: not grep -E ' call |call\.unknown' %t.amdgcn

// 6.12.1 work-item functions
// CHECK-LABEL: kernel "work_items"
kernel void work_items(global ulong *a, int d)
{
    a[0] = get_work_dim() + get_global_size(0) + get_global_size(d) + get_global_id(1) + get_global_id(d) + get_local_size(2) +
           get_local_size(d) + get_local_id(0) + get_local_id(d) + get_num_groups(1) + get_num_groups(d) + get_group_id(2) +
           get_group_id(d) + get_global_offset(0) + get_global_offset(d);
}

// 6.12.2 mathematics. V: the type, I: integers of as many elements, S: a pointer's type
#define MATHS(NAME, V, I)                                                                                             \
    kernel void NAME(global V *a, global I *n, V x, V y, V z, I k)                                                    \
    {                                                                                                                 \
        V r, w;                                                                                                       \
        I q;                                                                                                          \
        a[0] = acos(x); a[1] = acosh(x); a[2] = acospi(x); a[3] = asin(x); a[4] = asinh(x); a[5] = asinpi(x);         \
        a[6] = atan(x); a[7] = atan2(y, x); a[8] = atanh(x); a[9] = atanpi(x); a[10] = atan2pi(y, x);                 \
        a[11] = cbrt(x); a[12] = ceil(x); a[13] = copysign(x, y); a[14] = cos(x); a[15] = cosh(x); a[16] = cospi(x);  \
        a[17] = erfc(x); a[18] = erf(x); a[19] = exp(x); a[20] = exp2(x); a[21] = exp10(x); a[22] = expm1(x);         \
        a[23] = fabs(x); a[24] = fdim(x, y); a[25] = floor(x); a[26] = fma(x, y, z); a[27] = fmax(x, y);              \
        a[28] = fmin(x, y); a[29] = fmod(x, y); a[30] = fract(x, &r); a[31] = r; a[32] = frexp(x, &q); n[0] = q;      \
        a[33] = hypot(x, y); n[1] = ilogb(x); a[34] = ldexp(x, k); a[35] = lgamma(x); a[36] = lgamma_r(x, &q);        \
        n[2] = q; a[37] = log(x); a[38] = log2(x); a[39] = log10(x); a[40] = log1p(x); a[41] = logb(x);               \
        a[42] = mad(x, y, z); a[43] = maxmag(x, y); a[44] = minmag(x, y); a[45] = modf(x, &r); a[46] = r;             \
        a[47] = nextafter(x, y); a[48] = pow(x, y); a[49] = pown(x, k); a[50] = powr(x, y); a[51] = remainder(x, y);  \
        a[52] = remquo(x, y, &q); n[3] = q; a[53] = rint(x); a[54] = rootn(x, k); a[55] = round(x); a[56] = rsqrt(x); \
        a[57] = sin(x); a[58] = sincos(x, &w); a[59] = w; a[60] = sinh(x); a[61] = sinpi(x); a[62] = sqrt(x);         \
        a[63] = tan(x); a[64] = tanh(x); a[65] = tanpi(x); a[66] = tgamma(x); a[67] = trunc(x);                       \
    }
// CHECK-LABEL: kernel "maths_float"
// CHECK-DAG: math32.trig
// CHECK-DAG: math32.exp
// CHECK-DAG: math32.log
// CHECK-DAG: math32.pow
// CHECK-DAG: fp32.round
// CHECK-DAG: fp32.sqrt
MATHS(maths_float, float, int)
// CHECK-LABEL: kernel "maths_float3"
MATHS(maths_float3, float3, int3)
// CHECK-LABEL: kernel "maths_float16"
MATHS(maths_float16, float16, int16)
// CHECK-LABEL: kernel "maths_double"
// CHECK-DAG: math64.any
// CHECK-DAG: math64.trig
// CHECK-DAG: math64.exp
// CHECK-DAG: math64.log
// CHECK-DAG: math64.pow
// CHECK-DAG: fp64.sqrt
// CHECK-DAG: fp64.round
MATHS(maths_double, double, int)
// CHECK-LABEL: kernel "maths_double4"
MATHS(maths_double4, double4, int4)

// native_ and half_ are the hardware's approximations.
#define APPROXIMATE(NAME, V, PREFIX)                                                                                  \
    kernel void NAME(global V *a, V x, V y)                                                                           \
    {                                                                                                                 \
        a[0] = PREFIX##cos(x); a[1] = PREFIX##divide(x, y); a[2] = PREFIX##exp(x); a[3] = PREFIX##exp2(x);            \
        a[4] = PREFIX##exp10(x); a[5] = PREFIX##log(x); a[6] = PREFIX##log2(x); a[7] = PREFIX##log10(x);              \
        a[8] = PREFIX##powr(x, y); a[9] = PREFIX##recip(x); a[10] = PREFIX##rsqrt(x); a[11] = PREFIX##sin(x);         \
        a[12] = PREFIX##sqrt(x); a[13] = PREFIX##tan(x);                                                              \
    }
// CHECK-LABEL: kernel "native_float"
// CHECK-NOT: {{math32|fp32.div$|fp32.sqrt$}}
// CHECK-DAG: sfu.cos
// CHECK-DAG: fp32.div_fast
// CHECK-DAG: sfu.exp2
// CHECK-DAG: sfu.log2
// CHECK-DAG: fp32.rcp
// CHECK-DAG: fp32.rsqrt
// CHECK-DAG: fp32.sqrt_fast
APPROXIMATE(native_float, float, native_)
// CHECK-LABEL: kernel "native_float4"
// CHECK-NOT: math32
// CHECK: sfu.cos x4
APPROXIMATE(native_float4, float4, native_)
// CHECK-LABEL: kernel "half_float"
// CHECK-NOT: math32
APPROXIMATE(half_float, float, half_)

// 6.12.3 integers
#define INTEGERS(NAME, V, U)                                                                                          \
    kernel void NAME(global V *a, global U *u, V x, V y, V z)                                                         \
    {                                                                                                                 \
        u[0] = abs(x); u[1] = abs_diff(x, y); a[0] = add_sat(x, y); a[1] = hadd(x, y); a[2] = rhadd(x, y);            \
        a[3] = clamp(x, y, z); a[4] = clz(x); a[5] = mad_hi(x, y, z); a[6] = mad_sat(x, y, z); a[7] = max(x, y);      \
        a[8] = min(x, y); a[9] = mul_hi(x, y); a[10] = rotate(x, y); a[11] = sub_sat(x, y); a[12] = popcount(x);      \
    }
// CHECK-LABEL: kernel "integers_char"
INTEGERS(integers_char, char, uchar)
INTEGERS(integers_uchar4, uchar4, uchar4)
INTEGERS(integers_short2, short2, ushort2)
INTEGERS(integers_ushort, ushort, ushort)
// CHECK-LABEL: kernel "integers_int"
// CHECK-DAG: int32.minmax
// CHECK-DAG: int32.mulhi
// CHECK-DAG: int32.bits
INTEGERS(integers_int, int, uint)
INTEGERS(integers_uint16, uint16, uint16)
// CHECK-LABEL: kernel "integers_long"
// CHECK-DAG: int64.add
// CHECK-DAG: int64.bits
INTEGERS(integers_long, long, ulong)
INTEGERS(integers_ulong3, ulong3, ulong3)
// CHECK-LABEL: kernel "integers_other"
kernel void integers_other(global short *s, global int *i, global long *l, global ulong2 *v, char a, uchar b, short c, ushort d,
                           int e, uint f, uint2 g)
{
    s[0] = upsample(a, b);
    i[0] = upsample(c, d);
    l[0] = upsample(e, f);
    v[0] = upsample(g, g);
    i[1] = mad24(e, e, i[2]) + mul24(e, i[3]);
}

// 6.12.4 common and 6.12.5 geometric functions
#define COMMON(NAME, V, S)                                                                                            \
    kernel void NAME(global V *a, V x, V y, V z)                                                                      \
    {                                                                                                                 \
        a[0] = clamp(x, y, z); a[1] = degrees(x); a[2] = max(x, y); a[3] = min(x, y); a[4] = mix(x, y, z);            \
        a[5] = radians(x); a[6] = step(x, y); a[7] = smoothstep(x, y, z); a[8] = sign(x);                             \
    }
// CHECK-LABEL: kernel "common_float"
COMMON(common_float, float, float)
COMMON(common_float8, float8, float)
COMMON(common_double2, double2, double)
#define GEOMETRIC(NAME, V, S)                                                                                         \
    kernel void NAME(global V *a, global S *s, V x, V y)                                                              \
    {                                                                                                                 \
        s[0] = dot(x, y); s[1] = distance(x, y); s[2] = length(x); a[0] = normalize(x);                               \
    }
// CHECK-LABEL: kernel "geometric_float"
// CHECK: fp32.sqrt
GEOMETRIC(geometric_float, float, float)
GEOMETRIC(geometric_float2, float2, float)
GEOMETRIC(geometric_float4, float4, float)
GEOMETRIC(geometric_double3, double3, double)
// CHECK-LABEL: kernel "geometric_other"
kernel void geometric_other(global float4 *a, global float *s, global float3 *t, global double4 *d, float4 x, float4 y, float3 z, double4 w)
{
    a[0] = cross(x, y);
    t[0] = cross(z, z.yzx);
    d[0] = cross(w, w.wzyx);
    s[0] = fast_distance(x, y);
    s[1] = fast_length(x);
    a[1] = fast_normalize(x);
    s[2] = fast_distance(x.x, y.x) + fast_length(x.y);
}

// 6.12.6 relational functions
#define RELATIONAL(NAME, V, I, U)                                                                                     \
    kernel void NAME(global V *a, global I *n, V x, V y, I k, U m)                                                    \
    {                                                                                                                 \
        n[0] = isequal(x, y); n[1] = isnotequal(x, y); n[2] = isgreater(x, y); n[3] = isgreaterequal(x, y);           \
        n[4] = isless(x, y); n[5] = islessequal(x, y); n[6] = islessgreater(x, y); n[7] = isfinite(x);                \
        n[8] = isinf(x); n[9] = isnan(x); n[10] = isnormal(x); n[11] = isordered(x, y); n[12] = isunordered(x, y);    \
        n[13] = signbit(x); n[14] = any(k); n[15] = all(k); a[0] = bitselect(x, y, x); a[1] = select(x, y, k);        \
        a[2] = select(x, y, m); a[3] = nan(m);                                                                        \
    }
// CHECK-LABEL: kernel "relational_float"
RELATIONAL(relational_float, float, int, uint)
RELATIONAL(relational_float4, float4, int4, uint4)
RELATIONAL(relational_double2, double2, long2, ulong2)
// CHECK-LABEL: kernel "relational_other"
kernel void relational_other(global int *n, global double *d, double x, char4 c, long l, ulong u, int4 k)
{
    n[0] = isequal(x, 2.0) + isnan(x) + isinf(x) + isnormal(x) + signbit(x) + any(c) + all(c) + any(k);
    d[0] = nan(u) + select(x, 1.0, l);
}

// 6.12.7 vector loads and stores: memory operations
#define VECTORS(NAME, T)                                                                                              \
    kernel void NAME(global T *g, constant T *c, local T *l, ulong i)                                                \
    {                                                                                                                 \
        T p[64];                                                                                                      \
        vstore2(vload2(i, g), i, l); vstore3(vload3(i, c), i, g); vstore4(vload4(i, l), i, g);                        \
        vstore8(vload8(i, g), i, p); vstore16(vload16(i, c), i, g); vstore4(vload4(i, p), i, g + 100);                \
    }
// CHECK-LABEL: kernel "vectors_char"
VECTORS(vectors_char, char)
VECTORS(vectors_ushort, ushort)
VECTORS(vectors_int, int)
VECTORS(vectors_long, long)
VECTORS(vectors_float, float)
VECTORS(vectors_double, double)
// CHECK-LABEL: kernel "vectors_half"
// CHECK-DAG: in global 2x1
// CHECK-DAG: in constant
// CHECK-DAG: in local
kernel void vectors_half(global half *g, constant half *c, local half *l, ulong i)
{
    vstore_half(vload_half(i, g), i, l);
    vstore_half2(vload_half2(i, c), i, g);
    vstore_half3(vload_half3(i, l), i, g);
    vstore_half4(vload_half4(i, g), i, l);
    vstore_half8(vload_half8(i, g), i, l);
    vstore_half16(vload_half16(i, g), i, l);
    vstorea_half2(vloada_half2(i, c), i, g);
    vstorea_half3(vloada_half3(i, l), i, g);
    vstorea_half4(vloada_half4(i, g), i, l);
    vstorea_half8(vloada_half8(i, g), i, l);
    vstorea_half16(vloada_half16(i, g), i, l);
    vstore_half_rte(1.5f, i, g); vstore_half_rtz(2.5f, i, g); vstore_half_rtp(2.5f, i, g); vstore_half_rtn(2.5f, i, g);
    vstore_half4_rte((float4)i, i, g); vstorea_half4_rtz((float4)i, i, g); vstore_half((double)i, i, g + 7);
}

// 6.12.8 and 6.12.9 barriers and fences, 6.12.10 copies and prefetches
// CHECK-LABEL: kernel "synchronise"
// CHECK-DAG: barrier
// CHECK-DAG: bulk_copy
kernel void synchronise(global float4 *g, local float4 *l, global double *d, local double *m, int n)
{
    barrier(CLK_LOCAL_MEM_FENCE);
    barrier(CLK_GLOBAL_MEM_FENCE);
    mem_fence(CLK_LOCAL_MEM_FENCE);
    read_mem_fence(CLK_GLOBAL_MEM_FENCE);
    write_mem_fence(CLK_GLOBAL_MEM_FENCE);
    event_t e = async_work_group_copy(l, (const global float4 *)g, n, 0);
    e = async_work_group_copy(g + 100, (const local float4 *)l, n, e);
    e = async_work_group_strided_copy(m, (const global double *)d, n, 3, e);
    e = async_work_group_strided_copy(d + 100, (const local double *)m, n, 3, e);
    wait_group_events(1, &e);
    prefetch((const global float4 *)g, n);
}

// 6.12.11 atomics
#define ATOMICS(NAME, SPACE, T, PREFIX)                                                                               \
    kernel void NAME(volatile SPACE T *p, global T *out, T v)                                                         \
    {                                                                                                                 \
        out[0] = PREFIX##add(p, v) + PREFIX##sub(p, v) + PREFIX##xchg(p, v) + PREFIX##inc(p) + PREFIX##dec(p) +       \
                 PREFIX##cmpxchg(p, v, (T)3) + PREFIX##min(p, v) + PREFIX##max(p, v) + PREFIX##and(p, v) +            \
                 PREFIX##or(p, v) + PREFIX##xor(p, v);                                                                \
    }
// CHECK-LABEL: kernel "atomics_global_int"
// CHECK-COUNT-11: atomic i32 {{.*}} in global 4x1
ATOMICS(atomics_global_int, global, int, atomic_)
// CHECK-LABEL: kernel "atomics_local_uint"
// CHECK-COUNT-11: atomic i32 {{.*}} in local 4x1
ATOMICS(atomics_local_uint, local, uint, atomic_)
// CHECK-LABEL: kernel "atomics_old"
// CHECK-COUNT-11: atomic i32 {{.*}} in global 4x1
ATOMICS(atomics_old, global, int, atom_)
// CHECK-LABEL: kernel "atomics_long"
// CHECK-COUNT-11: atomic i64 {{.*}} in global 8x1
#ifdef cl_khr_int64_extended_atomics // not on nvptx64
ATOMICS(atomics_long, global, long, atom_)
#endif
// CHECK-LABEL: kernel "atomics_float"
// CHECK: atomic i32 {{.*}} in global 4x1
kernel void atomics_float(volatile global float *p, global float *out) { out[0] = atomic_xchg(p, 1.0f); }

// 6.12.12 miscellaneous
// CHECK-LABEL: kernel "shuffles"
kernel void shuffles(global float4 *a, global int8 *b, float4 x, float2 y, int8 z, uint4 m, uint8 w)
{
    a[0] = shuffle(x, m);
    a[1] = shuffle2(x, x.wzyx, m);
    a[2] = shuffle(y, m);
    b[0] = shuffle(z, w);
    b[1] = shuffle2(z, z + 1, w);
    a[3].x = vec_step(x);
}

// 6.2.3 conversions: with rounding and saturation
#define CONVERSIONS(NAME, V, T)                                                                                       \
    kernel void NAME(global V *a, T x)                                                                                \
    {                                                                                                                 \
        a[0] = convert_##V(x); a[1] = convert_##V##_sat(x); a[2] = convert_##V##_rte(x); a[3] = convert_##V##_rtz(x); \
        a[4] = convert_##V##_rtp(x); a[5] = convert_##V##_rtn(x); a[6] = convert_##V##_sat_rte(x);                    \
        a[7] = convert_##V##_sat_rtz(x); a[8] = convert_##V##_sat_rtp(x); a[9] = convert_##V##_sat_rtn(x);            \
    }
// CHECK-LABEL: kernel "float_to_uchar"
// CHECK-DAG: cvt.narrow
CONVERSIONS(float_to_uchar, uchar, float)
CONVERSIONS(float_to_char4, char4, float4)
CONVERSIONS(double_to_short, short, double)
CONVERSIONS(int_to_uchar, uchar, int)
CONVERSIONS(long_to_int, int, long)
CONVERSIONS(float_to_int, int, float)
CONVERSIONS(float_to_ulong, ulong, float)
CONVERSIONS(uint_to_long2, long2, uint2)
#define TO_FLOAT(NAME, V, T)                                                                                          \
    kernel void NAME(global V *a, T x)                                                                                \
    {                                                                                                                 \
        a[0] = convert_##V(x); a[1] = convert_##V##_rte(x); a[2] = convert_##V##_rtz(x); a[3] = convert_##V##_rtp(x); \
        a[4] = convert_##V##_rtn(x);                                                                                  \
    }
TO_FLOAT(int_to_float, float, int)
TO_FLOAT(ulong_to_float, float, ulong)
TO_FLOAT(double_to_float4, float4, double4)
TO_FLOAT(long_to_double, double, long)
TO_FLOAT(float_to_double, double, float)

// 6.12.14 images
constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
// CHECK-LABEL: kernel "images_read"
// CHECK: image_load i32 $0, {{[^,]*}}, {{[^,]*}} in image 4x4
kernel void images_read(read_only image2d_t a, read_only image3d_t b, read_only image2d_array_t c, read_only image1d_t d,
                        read_only image1d_buffer_t e, read_only image1d_array_t f, sampler_t s, global float4 *out, global int4 *ints,
                        global uint4 *uints)
{
    int x = get_global_id(0), y = get_global_id(1);
    int4 p = (int4)(x, y, 0, 0);
    float4 q = convert_float4(p);
    out[0] = read_imagef(a, nearest, p.xy);
    out[1] = read_imagef(a, s, q.xy);
    out[2] = read_imagef(a, p.xy);
    out[3] = read_imagef(b, nearest, p);
    out[4] = read_imagef(b, s, q);
    out[5] = read_imagef(b, p);
    out[6] = read_imagef(c, nearest, p);
    out[7] = read_imagef(c, s, q);
    out[8] = read_imagef(d, nearest, x);
    out[9] = read_imagef(d, s, q.x);
    out[10] = read_imagef(e, x);
    out[11] = read_imagef(f, nearest, p.xy);
    out[12] = read_imagef(f, s, q.xy);
    ints[0] = read_imagei(a, nearest, p.xy) + read_imagei(b, s, q) + read_imagei(c, p) + read_imagei(d, x) + read_imagei(e, x) + read_imagei(f, p.xy);
    uints[0] = read_imageui(a, nearest, p.xy) + read_imageui(b, s, q) + read_imageui(c, p) + read_imageui(d, x) + read_imageui(e, x) + read_imageui(f, p.xy);
}
// CHECK-LABEL: kernel "images_write"
// CHECK: image_store
kernel void images_write(write_only image2d_t a, write_only image2d_array_t c, write_only image1d_t d, write_only image1d_buffer_t e,
                         write_only image1d_array_t f, float4 v, int4 i, uint4 u)
{
    int x = get_global_id(0), y = get_global_id(1);
    int4 p = (int4)(x, y, 0, 0);
    write_imagef(a, p.xy, v); write_imagei(a, p.xy, i); write_imageui(a, p.xy, u);
    write_imagef(c, p, v); write_imagei(c, p, i); write_imageui(c, p, u);
    write_imagef(d, x, v); write_imagei(d, x, i); write_imageui(d, x, u);
    write_imagef(e, x, v); write_imagei(e, x, i); write_imageui(e, x, u);
    write_imagef(f, p.xy, v); write_imagei(f, p.xy, i); write_imageui(f, p.xy, u);
}
// CHECK-LABEL: kernel "images_query"
kernel void images_query(read_only image2d_t a, read_only image3d_t b, read_only image2d_array_t c, read_only image1d_t d,
                         read_only image1d_buffer_t e, read_only image1d_array_t f, global int4 *out)
{
    out[0].x = get_image_width(a) + get_image_width(b) + get_image_width(c) + get_image_width(d) + get_image_width(e) + get_image_width(f);
    out[0].y = get_image_height(a) + get_image_height(b) + get_image_height(c) + get_image_depth(b);
    out[0].z = get_image_channel_data_type(a) + get_image_channel_order(b) + get_image_array_size(c) + get_image_array_size(f);
    out[1].xy = get_image_dim(a);
    out[2] = get_image_dim(b);
    out[3].xy = get_image_dim(c);
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
