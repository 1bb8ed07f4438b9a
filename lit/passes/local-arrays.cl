// Arrays in work-group memory, read as ptxas reads them: short loops unrolled, neighbours at once where the array's start, aligned by who lays it out, makes their address a multiple of their size.
// RUN: %plain_cl -w -fno-slp-vectorize -S %s -o %t.ll
// RUN: %profile_ir %t.ll | FileCheck %s

// CHECK-LABEL: kernel "rows"
// CHECK-NOT: loop 0
// CHECK-COUNT-8: load i32 %{{[0-9]+}} in local 4x4
// CHECK-NOT: load {{.*}} in local
// CHECK: load i{{32|64}} {{.*}} in global
kernel void rows(global float *o, global const float *in)
{
    local float tile[32 * 8];
    uint y = get_local_id(1);
    for (uint i = 0; i < 8; i++)
        tile[y * 8 + i] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum[4] = {0};
    for (uint d = 0; d < 8; d++)
        for (uint i = 0; i < 4; i++)
            sum[i] += tile[((y & 7) * 4 + i) * 8 + d];
    o[get_local_id(0)] = sum[0] * sum[1] + sum[2] * sum[3] + in[get_global_id(0)];
}

// What is too much to unroll for clang is not for ptxas; a product and a sum in one expression, to LLVM a call, do not keep it from it.
// CHECK-LABEL: kernel "products"
// CHECK: loop 0:
// CHECK-NOT: loop 1:
// CHECK-COUNT-128: load i32 %{{[0-9]+}} in local 4x4
// CHECK-NOT: load {{.*}} in local
#define PRODUCTS(N) \
    _Pragma("unroll") for (uint i = 0; i < N; i++) \
        _Pragma("unroll") for (uint j = 0; j < N; j++) \
            sum[i][j] += a[k * 64 + y * N + i] * b[k * 64 + x * N + j];
#define STORE(N) _Pragma("unroll") for (uint i = 0; i < N * N; i++) o[get_global_id(0) * N * N + i] = sum[i / N][i % N];
kernel void products(global float *o, global const float *in, int n)
{
    local float a[32 * 64], b[32 * 64];
    uint x = get_local_id(0) & 7, y = get_local_id(0) >> 3;
    float sum[8][8] = {{0}};
    for (int t = 0; t < n; t++) {
        a[get_local_id(0)] = in[get_global_id(0) + t];
        b[get_local_id(0)] = in[get_global_id(0) - t];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint k = 0; k < 32; k++) { PRODUCTS(8) }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    STORE(8)
}

// Not with a branch beside it in the loop around it ...
// CHECK-LABEL: kernel "guarded"
// CHECK: loop 1: {{.*}} trips 32
kernel void guarded(global float *o, global const float *in, int n, int most)
{
    local float a[32 * 64], b[32 * 64];
    uint x = get_local_id(0) & 7, y = get_local_id(0) >> 3;
    float sum[8][8] = {{0}};
    for (int t = 0; t < n; t++) {
        if (get_global_id(0) + t < most)
            a[get_local_id(0)] = in[get_global_id(0) + t];
        b[get_local_id(0)] = in[get_global_id(0) - t];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint k = 0; k < 32; k++) { PRODUCTS(8) }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    STORE(8)
}

// ... nor on its own; there eight times the 16 products and 8 loads of this one are 256 instructions at most, sixteen times are more.
// CHECK-LABEL: kernel "alone"
// CHECK: loop 0: {{.*}} trips 4
kernel void alone(global float *o, global const float *in)
{
    local float a[32 * 64], b[32 * 64];
    uint x = get_local_id(0) & 7, y = get_local_id(0) >> 3;
    float sum[4][4] = {{0}};
    a[get_local_id(0)] = in[get_global_id(0)];
    b[get_local_id(0)] = in[get_global_id(0) + 64];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < 32; k++) { PRODUCTS(4) }
    STORE(4)
}

// One beside: two of the eight can be read together in the middle, four, and one at each end.
// CHECK-LABEL: kernel "shifted"
// CHECK-DAG: load i32 %{{[0-9]+}} in local 4x4
// CHECK-DAG: load i32 %{{[0-9]+}} in local 4x2
// CHECK: load i{{32|64}} {{.*}} in global
kernel void shifted(global float *o, global const float *in)
{
    local float tile[32 * 8 + 8];
    uint y = get_local_id(1);
    tile[y] = in[y];
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0;
    for (uint d = 0; d < 8; d++)
        sum += tile[y * 8 + d + 1];
    o[get_local_id(0)] = sum + in[get_global_id(0)];
}

// What a store may change between is not read before it.
// CHECK-LABEL: kernel "written"
// CHECK: load i32 %{{[0-9]+}} in local 4x1
// CHECK: store
// CHECK: load i32 %{{[0-9]+}} in local 4x1
kernel void written(global float *o, int at)
{
    local float tile[64];
    float first = tile[get_local_id(0) * 2];
    tile[at] = 1;
    o[get_global_id(0)] = first + tile[get_local_id(0) * 2 + 1];
}

// How a local argument is aligned is not known.
// CHECK-LABEL: kernel "argument"
// CHECK: load i32 %{{[0-9]+}} in local 4x1
// CHECK: load i32 %{{[0-9]+}} in local 4x1
kernel void argument(global float *o, local float *tile) { o[get_global_id(0)] = tile[get_local_id(0) * 2] * tile[get_local_id(0) * 2 + 1]; }

// A vector that LLVM has made of neighbours is aligned as they are, as far as LLVM knows; where it lies in the array says more, or no more.
// CHECK-LABEL: kernel "vectors"
// CHECK-COUNT-2: load i32 %{{[0-9]+}} in local 4x4 align 16
// CHECK-NOT: load {{.*}} in local
// CHECK-LABEL: kernel "vectors_anywhere"
// CHECK-NOT: align 16
// CHECK: load i32 %{{[0-9]+}} in local 4x{{[0-9]}} align 4
#define VECTORS(name, place) \
    kernel void name(global float *o, global const float *in, int n) \
    { \
        local float tile[1032]; \
        uint l = get_local_id(0); \
        tile[l] = in[l]; \
        barrier(CLK_LOCAL_MEM_FENCE); \
        float8 v = vload8(0, tile + (place)); \
        o[l] = v.s0 * v.s4 + v.s1 * v.s5 + v.s2 * v.s6 + v.s3 * v.s7; \
    }
VECTORS(vectors, 8 * (l & 127))
VECTORS(vectors_anywhere, 3 * (l & 127))
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
