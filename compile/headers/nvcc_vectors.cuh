/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Vectors: element by element. Addresses of whole ones are aligned to them; vloadN() and vstoreN() are not. */
#define GPUPERF_OP2(V, S, op) GPUPERF_F V operator op(V a, V b) { return {(S)(a.x op b.x), (S)(a.y op b.y)}; } \
    GPUPERF_F V operator op(V a, S b) { return {(S)(a.x op b), (S)(a.y op b)}; } \
    GPUPERF_F V operator op(S a, V b) { return {(S)(a op b.x), (S)(a op b.y)}; } GPUPERF_F V &operator op##=(V &a, \
    V b) { return a = a op b; } GPUPERF_F V &operator op##=(V &a, S b) { return a = a op b; }
#define GPUPERF_OP4(V, S, op) GPUPERF_F V operator op(V a, V b) { return {(S)(a.x op b.x), (S)(a.y op b.y), \
    (S)(a.z op b.z), (S)(a.w op b.w)}; } \
    GPUPERF_F V operator op(V a, S b) { return {(S)(a.x op b), (S)(a.y op b), (S)(a.z op b), (S)(a.w op b)}; } \
    GPUPERF_F V operator op(S a, V b) { return {(S)(a op b.x), (S)(a op b.y), (S)(a op b.z), (S)(a op b.w)}; } \
    GPUPERF_F V &operator op##=(V &a, V b) { return a = a op b; } GPUPERF_F V &operator op##=(V &a, S b) { return \
    a = a op b; }
#define GPUPERF_ALL(n, V, S) GPUPERF_OP##n(V, S, +) GPUPERF_OP##n(V, S, -) GPUPERF_OP##n(V, S, *) GPUPERF_OP##n(V, \
    S, /)
GPUPERF_ALL(2, float2, float) GPUPERF_ALL(4, float4, float) GPUPERF_ALL(2, int2, int) GPUPERF_ALL(4, int4, int)
    GPUPERF_ALL(2, uint2, unsigned) GPUPERF_ALL(4, uint4, unsigned)
GPUPERF_ALL(2, double2, double)
GPUPERF_F float2 vload2(size_t i, const float *p) { p += 2 * i; return {p[0], p[1]}; }
GPUPERF_F float4 vload4(size_t i, const float *p) { p += 4 * i; return {p[0], p[1], p[2], p[3]}; }
GPUPERF_F void vstore2(float2 v, size_t i, float *p) { p += 2 * i; p[0] = v.x; p[1] = v.y; }
GPUPERF_F void vstore4(float4 v, size_t i, float *p) { p += 4 * i; p[0] = v.x; p[1] = v.y; p[2] = v.z; p[3] = v.w; }
GPUPERF_F float dot(float2 a, float2 b) { return a.x * b.x + a.y * b.y; }
GPUPERF_F float dot(float4 a, float4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
GPUPERF_F float4 mad(float4 a, float4 b, float4 c) { return {fmaf(a.x, b.x, c.x), fmaf(a.y, b.y, c.y), fmaf(a.z,
    b.z, c.z), fmaf(a.w, b.w, c.w)}; }
GPUPERF_F float4 fma(float4 a, float4 b, float4 c) { return mad(a, b, c); }
/* Literals, `(float4)(a, b, c, d)` (compile/nvrtc/as_cuda.h). */
#define GPUPERF_LITERAL2(V, S) GPUPERF_F V gpuperf_##V(S a) { return {a, a}; } GPUPERF_F V gpuperf_##V(V a) { return \
    a; } GPUPERF_F V gpuperf_##V(S a, S b) { return {a, b}; }
#define GPUPERF_LITERAL4(V, P, S) GPUPERF_F V gpuperf_##V(S a) { return {a, a, a, a}; } GPUPERF_F V gpuperf_##V(V a) { \
    return a; } GPUPERF_F V gpuperf_##V(S a, S b, S c, S d) { return {a, b, c, d}; } \
    GPUPERF_F V gpuperf_##V(P a, P b) { return {a.x, a.y, b.x, b.y}; } \
    GPUPERF_F V gpuperf_##V(P a, S b, S c) { return {a.x, a.y, b, c}; }
GPUPERF_LITERAL2(float2, float) GPUPERF_LITERAL2(int2, int) GPUPERF_LITERAL2(uint2, unsigned)
    GPUPERF_LITERAL2(double2, double)
GPUPERF_LITERAL4(float4, float2, float) GPUPERF_LITERAL4(int4, int2, int) GPUPERF_LITERAL4(uint4, uint2, unsigned)
