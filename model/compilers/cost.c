/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What a cost class costs: warp instructions per pipe and the chain of dependent ones, per family of architectures.
 *
 * The counts are those on the path taken by ordinary values (no denormals, no huge arguments), counted in machine code:
 *
 *   NVIDIA  ptxas 13.0 for sm_75, sm_80 and sm_90, disassembled; library functions: CUDA's libdevice, sm_80
 *   AMD     LLVM 22 for gfx906, gfx90a and gfx1032; exp and log as it expands them, double: ROCm 5.2's ocml, gfx90a
 *   cc 1.x  CUDA C Programming Guide 2.3, "Arithmetic Instructions": clock cycles per warp
 *
 * Where each instruction goes follows the guide's throughput table ("Arithmetic Instructions", per compute capability)
 * and LLVM's AMDGPU scheduling models. NVIDIA's comparisons, minimum, maximum, selects and moves are the integer
 * pipe's, those of floats, too.
 */
#include "model/compilers/cost.h"

#include <math.h>
#include <string.h>

struct row {
    float other;                /* instructions of no pipe: branches, barriers */
    float ops[GP_PIPE_COUNT];   /* per pipe */
    float chain[GP_PIPE_COUNT]; /* of these, one after the other on the longest path */
    float issue;                /* warp instructions where they are not the sum of the above, else 0 */
    bool estimate;              /* not counted: taken from relatives */
};

#define FP32(n)    [GP_PIPE_FP32] = (n)
#define FP64(n)    [GP_PIPE_FP64] = (n)
#define FP16(n)    [GP_PIPE_FP16] = (n)
#define INT(n)     [GP_PIPE_INT] = (n)
#define MUL(n)     [GP_PIPE_INT_MUL] = (n)
#define SHIFT(n)   [GP_PIPE_SHIFT] = (n)
#define SFU(n)     [GP_PIPE_SFU] = (n)
#define CVT(n)     [GP_PIPE_CVT] = (n)
#define CVT64(n)   [GP_PIPE_CVT64] = (n)
#define SHUFFLE(n) [GP_PIPE_SHUFFLE] = (n)
#define BARRIER(n) [GP_PIPE_BARRIER] = (n)
#define SCALAR(n)  [GP_PIPE_SCALAR] = (n)
#define MATRIX(n)  [GP_PIPE_MATRIX] = (n)
#define ONE(pipe) \
    { \
        .ops = {pipe(1)}, .chain = { pipe(1) } \
    }

/* Code that is compiled for the host alone has it. */
#define HOST_ONLY \
    { \
        .ops = {FP32(4), INT(2)}, .chain = {FP32(2), INT(1)}, .estimate = true \
    }

/* A multiply-add of matrix units: m16n8k16, the usual instruction since Ampere, has 64 for each lane. scale_matrix()
 * gives the kinds their rates. */
#define MULTIPLY_ADD \
    { \
        .ops = {MATRIX(1)}, .chain = {MATRIX(1)}, .issue = 1.0f / 64 \
    }
#define MATRIX_ROWS \
    [GP_CLASS_MATRIX_FP16] = MULTIPLY_ADD, [GP_CLASS_MATRIX_FP16_FP32] = MULTIPLY_ADD, \
    [GP_CLASS_MATRIX_TF32] = MULTIPLY_ADD, [GP_CLASS_MATRIX_FP64] = MULTIPLY_ADD, \
    [GP_CLASS_MATRIX_INT8] = MULTIPLY_ADD, [GP_CLASS_MATRIX_GROUP] = MULTIPLY_ADD

/*
 * Approximations without denormal numbers: the special function unit's instruction alone, of a quotient a product with
 * the reciprocal (ptxas 13.0 for sm_75 and sm_86, .ftz; llc 22).
 */
#define FLUSHED_ROWS \
    [GP_CLASS_FLOAT_DIV_FLUSH] = {.ops = {FP32(1), SFU(1)}, .chain = {FP32(1), SFU(1)}}, \
    [GP_CLASS_FLOAT_SQRT_FLUSH] = ONE(SFU), [GP_CLASS_FLOAT_RCP_FLUSH] = ONE(SFU), \
    [GP_CLASS_FLOAT_RSQRT_FLUSH] = ONE(SFU), [GP_CLASS_SFU_EXP2_FLUSH] = ONE(SFU), \
    [GP_CLASS_SFU_LOG2_FLUSH] = ONE(SFU)

/* ---- NVIDIA -------------------------------------------------------------------------------------------------- */

static const struct row nvidia[GP_CLASS_COUNT] = {
    [GP_CLASS_MOV] = {.ops = {FP32(0.25f), INT(0.75f)}, .chain = {INT(1)}}, /* MOV or IMAD.MOV, as the lanes are free */
    [GP_CLASS_SELECT] = ONE(INT),
    [GP_CLASS_INT_ADD] = ONE(INT),
    [GP_CLASS_INT_MUL] = ONE(MUL),
    [GP_CLASS_INT_MAD] = ONE(MUL),
    [GP_CLASS_INT_MUL24] = {.ops = {INT(2), MUL(1)}, .chain = {INT(1), MUL(1)}}, /* 2 SGXT, IMAD */
    [GP_CLASS_INT_MULHI] = {.ops = {MUL(2)}, .chain = {MUL(1)}, .issue = 1}, /* IMAD.HI, a 64-bit product: half rate */
    [GP_CLASS_INT_LOGIC] = ONE(INT),
    [GP_CLASS_INT_SHIFT] = ONE(SHIFT),
    [GP_CLASS_INT_CMP] = ONE(INT),
    [GP_CLASS_INT_MINMAX] = ONE(INT),
/* 25: I2F, MUFU.RCP, F2I, 4 IMAD, 2 IMAD.HI, 3 IABS, ISETP, IADD3, LOP3; 18 without signs */
#define DIV \
    { \
        .ops = {INT(16), MUL(6), SFU(1), CVT(2)}, .chain = { INT(7), MUL(5), SFU(1), CVT(2) } \
    }
    [GP_CLASS_INT_DIV] = DIV,
    [GP_CLASS_INT_POWER_SREM] = DIV,
#undef DIV
#define UDIV \
    { \
        .ops = {INT(9), MUL(6), SFU(1), CVT(2)}, .chain = { INT(5), MUL(5), SFU(1), CVT(2) } \
    }
    [GP_CLASS_INT_UDIV] = UDIV,
    [GP_CLASS_INT_POWER_REM] = UDIV, /* as a division: NVIDIA's compilers do not see the power of two */
#undef UDIV
    /* What is left where the reciprocal stands in front of the loop, or is that of a division before: IMAD.HI, IMAD,
     * IMAD.MOV, 2 ISETP, 3 IADD3, SEL, with signs IABS, ISETP, LOP3 and IADD3 (ptxas 13.0; sm_75, sm_80 and sm_90
     * alike) */
    [GP_CLASS_INT_DIV_NEXT] = {.ops = {INT(9), MUL(3)}, .chain = {INT(6), MUL(2)}},
    [GP_CLASS_INT_UDIV_NEXT] = {.ops = {INT(6), MUL(3)}, .chain = {INT(5), MUL(2)}},
    [GP_CLASS_INT_BITS] = ONE(SFU),                             /* POPC, FLO, BREV: 16 lanes as MUFU */
    [GP_CLASS_LONG_ADD] = {.ops = {INT(2)}, .chain = {INT(2)}}, /* IADD3, IADD3.X */
    [GP_CLASS_LONG_MUL] = {.ops = {INT(1), MUL(4)},
                           .chain = {INT(1), MUL(3)},
                           .issue = 4}, /* IMAD, IMAD.WIDE, IMAD, IADD3 */
    [GP_CLASS_LONG_LOGIC] = {.ops = {INT(2)}, .chain = {INT(1)}},
    [GP_CLASS_LONG_SHIFT] = {.ops = {SHIFT(2)}, .chain = {SHIFT(1)}}, /* SHF, SHF.U64.HI */
    [GP_CLASS_LONG_CMP] = {.ops = {INT(2)}, .chain = {INT(2)}},       /* ISETP, ISETP.EX */
#define LONG_DIV_FITS \
    { \
        .other = 3, .ops = {INT(12), MUL(6), SFU(1), CVT(2)}, .chain = { INT(8), MUL(5), SFU(1), CVT(2) } \
    }
    /*
     * Both high words are tested for 0 first; then it is a 32-bit division. Else a function is called,
     * __cuda_sm20_div_u64 and its like, of 64 to 68 instructions without signs and 78 to 84 with (ptxas 13.0; sm_75 to
     * sm_90 alike): 24 IMAD, I2F.U64, F2I.U64, MUFU.RCP, the rest additions, comparisons and selects.
     */
    [GP_CLASS_LONG_DIV] = LONG_DIV_FITS,
    [GP_CLASS_LONG_DIV_DATA] = LONG_DIV_FITS,
    [GP_CLASS_LONG_POWER_REM] = LONG_DIV_FITS,
    [GP_CLASS_LONG_UDIV_WIDE] = {.other = 6,
                                 .ops = {INT(43), MUL(24), SFU(1), CVT64(2)},
                                 .chain = {INT(15), MUL(16), SFU(1), CVT64(2)}},
    [GP_CLASS_LONG_DIV_WIDE] = {.other = 6,
                                .ops = {INT(58), MUL(24), SFU(1), CVT64(2)},
                                .chain = {INT(20), MUL(16), SFU(1), CVT64(2)}},
#undef LONG_DIV_FITS
    [GP_CLASS_LONG_BITS] = {.ops = {INT(1), SFU(2)}, .chain = {INT(1), SFU(1)}}, /* 2 POPC, IADD */
    [GP_CLASS_HALF_ADD] = ONE(FP16),
    [GP_CLASS_HALF_MUL] = ONE(FP16),
    [GP_CLASS_HALF_FMA] = ONE(FP16),
    [GP_CLASS_HALF_CMP] = ONE(FP16),
    [GP_CLASS_HALF_DIV] = {.ops = {FP32(4), FP16(2), INT(2), SFU(1), CVT(1)},
                           .chain = {FP32(3), FP16(1), SFU(1), CVT(1)},
                           .estimate = true},
    [GP_CLASS_HALF_MATH] = {.ops = {FP32(3), FP16(1), INT(1), SFU(1), CVT(1)},
                            .chain = {FP32(2), FP16(1), SFU(1), CVT(1)},
                            .estimate = true},
    [GP_CLASS_FLOAT_ADD] = ONE(FP32),
    [GP_CLASS_FLOAT_MUL] = ONE(FP32),
    [GP_CLASS_FLOAT_FMA] = ONE(FP32),
    [GP_CLASS_FLOAT_CMP] = ONE(INT),    /* FSETP */
    [GP_CLASS_FLOAT_MINMAX] = ONE(INT), /* FMNMX */
    [GP_CLASS_FLOAT_ROUND] = ONE(CVT),  /* FRND */
    [GP_CLASS_FLOAT_DIV] = {.other = 3,
                            .ops = {FP32(5), SFU(2)},
                            .chain = {FP32(5), SFU(1)}}, /* MUFU.RCP, FCHK beside it on the same pipe (on an H200 91%
                                                            busy with divisions), 5 FFMA, BSSY, BRA, BSYNC */
    [GP_CLASS_FLOAT_DIV_LOOSE] = {.ops = {FP32(5), INT(2), SFU(1)},
                                  .chain = {FP32(3), SFU(1)}}, /* div.full: 2 FSETP, 4 predicated FMUL, MUFU, FMUL */
    [GP_CLASS_FLOAT_DIV_FAST] = {.ops = {FP32(3), INT(1), SFU(1)},
                                 .chain = {FP32(2), INT(1), SFU(1)}}, /* FSETP, 2 FMUL, MUFU.RCP, FMUL */
    [GP_CLASS_FLOAT_SQRT] = {.other = 3, .ops = {FP32(4), INT(2), SFU(1)}, .chain = {FP32(4), SFU(1)}},
    [GP_CLASS_FLOAT_SQRT_LOOSE] = {.ops = {FP32(2), INT(1), SFU(1)},
                                   .chain = {FP32(2), INT(1), SFU(1)}}, /* the approximation is good to 1 ulp */
    [GP_CLASS_FLOAT_SQRT_FAST] = {.ops = {FP32(2), INT(1), SFU(1)},
                                  .chain = {FP32(2), INT(1), SFU(1)}}, /* FSETP, FMUL, MUFU.SQRT, FMUL */
    [GP_CLASS_FLOAT_RCP] = {.other = 3, .ops = {FP32(3), INT(3), SFU(1)}, .chain = {FP32(3), SFU(1)}},
    [GP_CLASS_FLOAT_RSQRT] = {.ops = {FP32(2), INT(1), SFU(1)}, .chain = {FP32(2), INT(1), SFU(1)}},
    [GP_CLASS_SFU_SIN] = {.ops = {FP32(1), SFU(1)}, .chain = {FP32(1), SFU(1)}}, /* FMUL, MUFU.SIN */
    [GP_CLASS_SFU_COS] = {.ops = {FP32(1), SFU(1)}, .chain = {FP32(1), SFU(1)}},
    [GP_CLASS_SFU_EXP2] = {.ops = {FP32(2), INT(1), SFU(1)}, .chain = {FP32(2), INT(1), SFU(1)}},
    [GP_CLASS_SFU_LOG2] = {.ops = {FP32(2), INT(1), SFU(1)}, .chain = {FP32(2), INT(1), SFU(1)}},
    [GP_CLASS_SFU_OTHER] = ONE(SFU),
    [GP_CLASS_MATH32_TRIG] = {.other = 3,
                              .ops = {FP32(11), INT(10), CVT(2)},
                              .chain = {FP32(10), INT(2), CVT(2)}},                                    /* sinf: 26 */
    [GP_CLASS_MATH32_EXP] = {.ops = {FP32(6), INT(2), SHIFT(1), SFU(1)}, .chain = {FP32(5), SFU(1)}},  /* expf: 10 */
    [GP_CLASS_MATH32_LOG] = {.ops = {FP32(15), INT(10), CVT(1)}, .chain = {FP32(12), INT(3), CVT(1)}}, /* logf: 26 */
    [GP_CLASS_MATH32_POW] = {.other = 7,
                             .ops = {FP32(44), INT(30), SFU(1), CVT(5)},
                             .chain = {FP32(28), INT(8), SFU(1), CVT(3)}}, /* powf: 87 */
    /* mean of tanhf (17), atanf (20), acosf (26), erff (28), hypotf (18), cbrtf (16) and the longer atan2f and fmodf */
    [GP_CLASS_MATH32_OTHER] = {.ops = {FP32(13), INT(11), SFU(1)},
                               .chain = {FP32(10), INT(3), SFU(1)},
                               .estimate = true},
    [GP_CLASS_DOUBLE_ADD] = ONE(FP64),
    [GP_CLASS_DOUBLE_MUL] = ONE(FP64),
    [GP_CLASS_DOUBLE_FMA] = ONE(FP64),
    [GP_CLASS_DOUBLE_CMP] = ONE(FP64),                                                 /* DSETP */
    [GP_CLASS_DOUBLE_MINMAX] = {.ops = {FP64(1), INT(3)}, .chain = {FP64(1), INT(1)}}, /* DSETP.MIN, FSEL, SEL, LOP3 */
    [GP_CLASS_DOUBLE_ROUND] = ONE(CVT64),                                              /* FRND.F64 */
    [GP_CLASS_DOUBLE_DIV] = {.other = 3,
                             .ops = {FP32(1), FP64(8), INT(3), SFU(1)},
                             .chain = {FP64(8), INT(2), SFU(1)}}, /* MUFU.RCP64H, 7 DFMA, DMUL, FFMA, 2 FSETP */
    [GP_CLASS_DOUBLE_SQRT] = {.other = 3, .ops = {FP64(8), INT(6), SFU(1)}, .chain = {FP64(8), INT(1), SFU(1)}},
    /* mean of asin and acos (beyond a half 48 and 46), atan (42) and atan2 (67) */
    [GP_CLASS_MATH64] = {.other = 3,
                         .ops = {FP64(29), INT(18), SFU(1)},
                         .chain = {FP64(26), INT(4), SFU(1)},
                         .estimate = true},
    /* sin: 36, three of them loads of a table; cos 37 */
    [GP_CLASS_MATH64_TRIG] = {.other = 7, .ops = {FP64(16), INT(11), CVT64(2)}, .chain = {FP64(14), CVT64(2)}},
    [GP_CLASS_MATH64_EXP] = {.other = 3, .ops = {FP64(15), INT(8)}, .chain = {FP64(15), INT(2)}}, /* exp: 26; exp2 25 */
    [GP_CLASS_MATH64_LOG] = {.other = 3,
                             .ops = {FP64(30), INT(29), SFU(1)},
                             .chain = {FP64(20), INT(7), SFU(1)}}, /* log: 63; log2 65 */
    [GP_CLASS_MATH64_POW] = {.other = 12,
                             .ops = {FP64(85), INT(46), SHIFT(3), SFU(1)},
                             .chain = {FP64(59), INT(10), SHIFT(1), SFU(1)}}, /* pow: 147 */
    [GP_CLASS_CVT] = ONE(CVT),
    [GP_CLASS_CVT_FROM_INT] = ONE(CVT),
    [GP_CLASS_CVT_64] = ONE(CVT64),
    [GP_CLASS_CVT_NARROW] = {.ops = {INT(2), CVT(2)}, .chain = {INT(1), CVT(2)}}, /* FRND, FMNMX, F2I, SEL */
    [GP_CLASS_SHUFFLE] = ONE(SHUFFLE),
    [GP_CLASS_VOTE] = ONE(INT),
    [GP_CLASS_BARRIER] = {.ops = {BARRIER(1)}}, /* how long it holds the warp is the device's barrier_latency */
    [GP_CLASS_FENCE] = {.other = 1, .chain = {INT(1)}},
    [GP_CLASS_MEMORY] = {.other = 1},
    [GP_CLASS_BRANCH] = {.other = 1, .chain = {INT(1)}},
    [GP_CLASS_CALL] = {.other = 4, .ops = {FP32(10), INT(20)}, .chain = {FP32(5), INT(10)}, .estimate = true},
    [GP_CLASS_LIBRARY] = HOST_ONLY,
    FLUSHED_ROWS,
    MATRIX_ROWS,
};

struct change {
    enum gp_class cost_class;
    struct row row;
};

/* Half floats are only stored before 6.0: widen, compute, round. */
#define HALF_AS_FLOAT \
    { \
        .ops = {FP32(1), CVT(3)}, .chain = { FP32(1), CVT(2) } \
    }
static const struct change without_half[] = {
    {GP_CLASS_HALF_ADD, HALF_AS_FLOAT},
    {GP_CLASS_HALF_MUL, HALF_AS_FLOAT},
    {GP_CLASS_HALF_FMA, {.ops = {FP32(1), CVT(4)}, .chain = {FP32(1), CVT(2)}}},
    {GP_CLASS_HALF_CMP, {.ops = {INT(1), CVT(2)}, .chain = {INT(1), CVT(1)}}},
    {GP_CLASS_HALF_DIV, {.other = 3, .ops = {FP32(5), INT(1), SFU(1), CVT(3)}, .chain = {FP32(5), SFU(1), CVT(2)}}},
    {GP_CLASS_HALF_MATH,
     {.ops = {FP32(3), INT(1), SFU(1), CVT(2)}, .chain = {FP32(2), SFU(1), CVT(2)}, .estimate = true}},
};

/* Up to 6.x: one SSY opens a region that may diverge, where BSSY and BSYNC do since 7.0; wide products are not half as
 * fast. */
static const struct change before_volta[] = {
    {GP_CLASS_INT_MULHI, ONE(MUL)},
    {GP_CLASS_LONG_MUL, {.ops = {INT(2), MUL(4)}, .chain = {INT(2), MUL(3)}}},
    {GP_CLASS_FLOAT_DIV, {.other = 2, .ops = {FP32(5), SFU(2)}, .chain = {FP32(5), SFU(1)}}},
    {GP_CLASS_INT_BITS, ONE(SHIFT)}, /* POPC, FLO with the shifter's rate */
};

/*
 * 5.x and 6.x have no 32-bit multiplier: three XMAD of 16 bits each, on the FP32 lanes (the lanes of int_mul count
 * whole products).
 */
static const struct change with_xmad[] = {
    {GP_CLASS_INT_MUL, {.ops = {MUL(1)}, .chain = {FP32(3)}, .issue = 3}},
    {GP_CLASS_INT_MAD, {.ops = {MUL(1)}, .chain = {FP32(3)}, .issue = 3}},
    {GP_CLASS_INT_MUL24, {.ops = {MUL(1)}, .chain = {FP32(3)}, .issue = 3}},
    {GP_CLASS_INT_MULHI, {.ops = {MUL(2)}, .chain = {FP32(5)}, .issue = 6}},
};

/* What approximations without denormal numbers are elsewhere: 1.x knows no denormal numbers, CPUs lose no time with
 * them. */
static const struct {
    enum gp_class flushed, cost_class;
} ordinary[] = {
    {GP_CLASS_FLOAT_DIV_FLUSH, GP_CLASS_FLOAT_DIV_FAST}, {GP_CLASS_FLOAT_SQRT_FLUSH, GP_CLASS_FLOAT_SQRT_FAST},
    {GP_CLASS_FLOAT_RCP_FLUSH, GP_CLASS_FLOAT_RCP},      {GP_CLASS_FLOAT_RSQRT_FLUSH, GP_CLASS_FLOAT_RSQRT},
    {GP_CLASS_SFU_EXP2_FLUSH, GP_CLASS_SFU_EXP2},        {GP_CLASS_SFU_LOG2_FLUSH, GP_CLASS_SFU_LOG2},
};

/*
 * What native_ functions are: on AMD's devices v_rcp, v_rsq, v_exp and no more (libclc 22 and ROCm's libraries;
 * logarithms are scaled there, too), on NVIDIA's rcp.approx, rsqrt.approx, ex2.approx, which all scale denormal numbers
 * alike.
 */
static const struct {
    enum gp_class native, cost_class, on_amd, on_nvidia;
} natives[] = {
    {GP_CLASS_FLOAT_RCP_NATIVE, GP_CLASS_FLOAT_RCP, GP_CLASS_FLOAT_RCP_FLUSH, GP_CLASS_FLOAT_RSQRT},
    {GP_CLASS_FLOAT_RSQRT_NATIVE, GP_CLASS_FLOAT_RSQRT, GP_CLASS_FLOAT_RSQRT_FLUSH, GP_CLASS_FLOAT_RSQRT},
    {GP_CLASS_SFU_EXP2_NATIVE, GP_CLASS_SFU_EXP2, GP_CLASS_SFU_EXP2_FLUSH, GP_CLASS_SFU_EXP2},
};

/*
 * Clocks per warp of 8 lanes and 2 special function units: divide 36, __fdividef 20, sqrt 32, rcp, rsqrt, log 16, sin,
 * cos, exp 32.
 */
static const struct change on_tesla[] = {
    {GP_CLASS_INT_MUL24, ONE(INT)},
    {GP_CLASS_LONG_ADD, ONE(INT)}, /* an address, or OpenCL's size_t: both have 32 bits there */
    {GP_CLASS_FLOAT_CMP, ONE(FP32)},
    {GP_CLASS_FLOAT_MINMAX, ONE(FP32)},
    {GP_CLASS_FLOAT_DIV, {.ops = {FP32(5), SFU(1)}, .chain = {FP32(4), SFU(1)}}},
    {GP_CLASS_FLOAT_DIV_LOOSE, {.ops = {FP32(5), SFU(1)}, .chain = {FP32(4), SFU(1)}}}, /* good to 2 ulp as it is */
    {GP_CLASS_FLOAT_DIV_FAST, {.ops = {FP32(1), SFU(1)}, .chain = {FP32(1), SFU(1)}}},
    {GP_CLASS_FLOAT_SQRT, {.ops = {SFU(2)}, .chain = {SFU(2)}}},
    {GP_CLASS_FLOAT_SQRT_LOOSE, {.ops = {SFU(2)}, .chain = {SFU(2)}}},
    {GP_CLASS_FLOAT_SQRT_FAST, {.ops = {SFU(2)}, .chain = {SFU(2)}}},
    {GP_CLASS_FLOAT_RCP, ONE(SFU)},
    {GP_CLASS_FLOAT_RSQRT, ONE(SFU)},
    {GP_CLASS_SFU_SIN, {.ops = {SFU(2)}, .chain = {SFU(2)}}},
    {GP_CLASS_SFU_COS, {.ops = {SFU(2)}, .chain = {SFU(2)}}},
    {GP_CLASS_SFU_EXP2, {.ops = {SFU(2)}, .chain = {SFU(2)}}},
    {GP_CLASS_SFU_LOG2, ONE(SFU)},
};

/* ---- AMD ----------------------------------------------------------------------------------------------------- */

/* Vector instructions of every kind take the same lanes; what is slower than that has fewer lanes in the database. */
static const struct row amd[GP_CLASS_COUNT] = {
    [GP_CLASS_MOV] = ONE(INT),
    [GP_CLASS_SELECT] = ONE(INT),
    [GP_CLASS_INT_ADD] = ONE(INT),
    [GP_CLASS_INT_MUL] = ONE(MUL), /* v_mul_lo_u32 */
    [GP_CLASS_INT_MAD] = {.ops = {INT(1), MUL(1)}, .chain = {INT(1), MUL(1)}},
    [GP_CLASS_INT_MUL24] = ONE(INT),
    [GP_CLASS_INT_MULHI] = ONE(MUL),
    [GP_CLASS_INT_LOGIC] = ONE(INT),
    [GP_CLASS_INT_SHIFT] = ONE(SHIFT),
    [GP_CLASS_INT_CMP] = ONE(INT),
    [GP_CLASS_INT_MINMAX] = ONE(INT),
    /* 27: v_rcp_iflag, 2 v_mul_lo, 2 v_mul_hi, 2 v_cvt, v_mul_f32, the rest additions and selects; 19 without signs */
    [GP_CLASS_INT_DIV] = {.ops = {FP32(1), INT(19), MUL(4), SFU(1), CVT(2)},
                          .chain = {FP32(1), INT(9), MUL(4), SFU(1), CVT(2)}},
    [GP_CLASS_INT_UDIV] = {.ops = {FP32(1), INT(11), MUL(4), SFU(1), CVT(2)},
                           .chain = {FP32(1), INT(7), MUL(4), SFU(1), CVT(2)}},
    [GP_CLASS_INT_BITS] = ONE(INT),
    [GP_CLASS_LONG_ADD] = {.ops = {INT(2)}, .chain = {INT(2)}},                 /* v_add_co, v_addc_co */
    [GP_CLASS_LONG_MUL] = {.ops = {INT(1), MUL(3)}, .chain = {INT(1), MUL(1)}}, /* 2 v_mul_lo, v_mad_u64_u32, v_add3 */
    [GP_CLASS_LONG_LOGIC] = {.ops = {INT(2)}, .chain = {INT(1)}},
    [GP_CLASS_LONG_SHIFT] = {.ops = {SHIFT(2)}, .chain = {SHIFT(1)}, .issue = 1}, /* v_lshlrev_b64, half rate */
    [GP_CLASS_LONG_CMP] = {.ops = {INT(2)}, .chain = {INT(1)}, .issue = 1},       /* v_cmp_lt_i64, half rate */
#define LONG_DIV_FITS \
    { \
        .other = 2, .ops = {FP32(1), INT(14), MUL(4), SFU(1), CVT(2)}, .chain = { \
            FP32(1), \
            INT(9), \
            MUL(4), \
            SFU(1), \
            CVT(2) \
        } \
    }
    [GP_CLASS_LONG_DIV] = LONG_DIV_FITS, /* high words 0; else 89 more without signs and 104 with: 21 products, 5 of
                                            floats, 5 conversions, v_rcp, the rest additions and selects */
    [GP_CLASS_LONG_DIV_DATA] = LONG_DIV_FITS,
    [GP_CLASS_LONG_UDIV_WIDE] = {.other = 2,
                                 .ops = {FP32(5), INT(60), MUL(21), SFU(1), CVT(5)},
                                 .chain = {FP32(5), INT(24), MUL(15), SFU(1), CVT(3)}},
    [GP_CLASS_LONG_DIV_WIDE] = {.other = 2,
                                .ops = {FP32(5), INT(75), MUL(21), SFU(1), CVT(5)},
                                .chain = {FP32(5), INT(29), MUL(15), SFU(1), CVT(3)}},
#undef LONG_DIV_FITS
    [GP_CLASS_LONG_BITS] = {.ops = {INT(3)}, .chain = {INT(2)}},
    [GP_CLASS_HALF_ADD] = ONE(FP16),
    [GP_CLASS_HALF_MUL] = ONE(FP16),
    [GP_CLASS_HALF_FMA] = ONE(FP16),
    [GP_CLASS_HALF_CMP] = ONE(INT),
    [GP_CLASS_HALF_DIV] = {.ops = {FP32(6), FP16(1), INT(1), SFU(1), CVT(3)},
                           .chain = {FP32(6), FP16(1), SFU(1), CVT(2)}},
    [GP_CLASS_HALF_MATH] = {.ops = {FP16(1), SFU(1)}, .chain = {FP16(1), SFU(1)}},
    [GP_CLASS_FLOAT_ADD] = ONE(FP32),
    [GP_CLASS_FLOAT_MUL] = ONE(FP32),
    [GP_CLASS_FLOAT_FMA] = ONE(FP32),
    [GP_CLASS_FLOAT_CMP] = ONE(FP32),
    [GP_CLASS_FLOAT_MINMAX] = ONE(FP32),
    [GP_CLASS_FLOAT_ROUND] = ONE(FP32),
    /* 2 div_scale, rcp, 5 fma, mul, div_fmas, div_fixup */
    [GP_CLASS_FLOAT_DIV] = {.ops = {FP32(10), SFU(1)}, .chain = {FP32(9), SFU(1)}},
    /* 2 frexp_mant, 2 frexp_exp, rcp, sub, mul, ldexp */
    [GP_CLASS_FLOAT_DIV_LOOSE] = {.ops = {FP32(7), SFU(1)}, .chain = {FP32(4), SFU(1)}},
    [GP_CLASS_FLOAT_DIV_FAST] = {.ops = {FP32(1), SFU(1)}, .chain = {FP32(1), SFU(1)}},
    /* sqrt, 2 fma, 2 add, 5 cndmask, 4 cmp, 2 mul */
    [GP_CLASS_FLOAT_SQRT] = {.ops = {FP32(8), INT(7), SFU(1)}, .chain = {FP32(6), INT(3), SFU(1)}},
    /* cmp, 2 cndmask, 2 ldexp, sqrt */
    [GP_CLASS_FLOAT_SQRT_LOOSE] = {.ops = {FP32(3), INT(2), SFU(1)}, .chain = {FP32(3), INT(1), SFU(1)}},
    [GP_CLASS_FLOAT_SQRT_FAST] = ONE(SFU),
    [GP_CLASS_FLOAT_RCP] = {.ops = {FP32(4), SFU(1)}, .chain = {FP32(3), SFU(1)}},
    [GP_CLASS_FLOAT_RSQRT] = {.ops = {FP32(3), INT(2), SFU(1)}, .chain = {FP32(3), INT(1), SFU(1)}},
    [GP_CLASS_SFU_SIN] = {.ops = {FP32(1), SFU(1)}, .chain = {FP32(1), SFU(1)}}, /* v_mul, v_sin */
    [GP_CLASS_SFU_COS] = {.ops = {FP32(1), SFU(1)}, .chain = {FP32(1), SFU(1)}},
    [GP_CLASS_SFU_EXP2] = {.ops = {FP32(3), INT(2), SFU(1)},
                           .chain = {FP32(3), INT(1), SFU(1)}}, /* cmp, 2 cndmask, add, exp, ldexp */
    [GP_CLASS_SFU_LOG2] = {.ops = {FP32(3), INT(2), SFU(1)}, .chain = {FP32(3), INT(1), SFU(1)}},
    [GP_CLASS_SFU_OTHER] = ONE(SFU),
    /* libclc's sin has one path more; the count is that of the common algorithm (3-part reduction, two polynomials) */
    [GP_CLASS_MATH32_TRIG] = {.other = 1,
                              .ops = {FP32(17), INT(9), CVT(1)},
                              .chain = {FP32(11), INT(3), CVT(1)},
                              .estimate = true},
    [GP_CLASS_MATH32_EXP] = {.ops = {FP32(9), INT(2), SFU(1), CVT(1)}, .chain = {FP32(6), INT(2), SFU(1)}},
    [GP_CLASS_MATH32_LOG] = {.ops = {FP32(8), INT(3), SFU(1)}, .chain = {FP32(7), INT(2), SFU(1)}},
    [GP_CLASS_MATH32_POW] = {.ops = {FP32(60), INT(46), SFU(2), CVT(2)},
                             .chain = {FP32(30), INT(10), SFU(2), CVT(2)},
                             .estimate = true},
    [GP_CLASS_MATH32_OTHER] = {.ops = {FP32(22), INT(12), SFU(2)},
                               .chain = {FP32(14), INT(4), SFU(2)},
                               .estimate = true},
    [GP_CLASS_DOUBLE_ADD] = ONE(FP64),
    [GP_CLASS_DOUBLE_MUL] = ONE(FP64),
    [GP_CLASS_DOUBLE_FMA] = ONE(FP64),
    [GP_CLASS_DOUBLE_CMP] = ONE(FP64),
    [GP_CLASS_DOUBLE_MINMAX] = {.ops = {FP64(2)}, .chain = {FP64(2)}}, /* v_max_f64 quiets a NaN, v_min_f64 */
    [GP_CLASS_DOUBLE_ROUND] = ONE(FP64),
    [GP_CLASS_DOUBLE_DIV] = {.ops = {FP64(10), SFU(1)},
                             .chain = {FP64(9), SFU(1)}}, /* 2 div_scale, rcp, 5 fma, mul, div_fmas, div_fixup */
    [GP_CLASS_DOUBLE_SQRT] = {.ops = {FP64(12), INT(6), SFU(1)}, .chain = {FP64(10), INT(2), SFU(1)}},
    /* mean of asin (100), acos (93), atan (83) and atan2 (104) */
    [GP_CLASS_MATH64] = {.ops = {FP64(48), INT(45), SFU(2)}, .chain = {FP64(30), INT(5), SFU(1)}, .estimate = true},
    [GP_CLASS_MATH64_TRIG] = {.ops = {FP64(42), INT(31), CVT(1)}, .chain = {FP64(26), INT(2), CVT(1)}}, /* sin: 74 */
    [GP_CLASS_MATH64_EXP] = {.ops = {FP64(18), INT(22), CVT(1)}, .chain = {FP64(16), INT(2)}},          /* exp: 41 */
    [GP_CLASS_MATH64_LOG] = {.ops = {FP64(74), INT(21), SFU(1), CVT(1)},
                             .chain = {FP64(44), INT(4), SFU(1)}}, /* log: 97 */
    [GP_CLASS_MATH64_POW] = {.ops = {FP64(149), INT(64), SFU(1), CVT(2)},
                             .chain = {FP64(84), INT(8), SFU(1)}}, /* pow: 216 */
    [GP_CLASS_CVT] = ONE(CVT),
    [GP_CLASS_CVT_FROM_INT] = ONE(CVT),
    [GP_CLASS_CVT_64] = ONE(CVT64),
    [GP_CLASS_CVT_NARROW] = {.ops = {FP32(1), INT(3), CVT(1)},
                             .chain = {FP32(1), INT(2), CVT(1)}}, /* v_rndne, v_cvt, compares and selects */
    [GP_CLASS_SHUFFLE] = {.ops = {INT(1), SHUFFLE(1)},
                          .chain = {INT(1), SHUFFLE(1)}}, /* the address in bytes, ds_bpermute */
    [GP_CLASS_VOTE] = ONE(INT),
    [GP_CLASS_BARRIER] = {.other = 1},
    [GP_CLASS_FENCE] = {.other = 1, .chain = {INT(1)}},
    [GP_CLASS_MEMORY] = {.other = 1},
    [GP_CLASS_BRANCH] = {.ops = {SCALAR(2)},
                         .chain = {SCALAR(2)},
                         .issue = 1}, /* s_and_saveexec, s_cbranch beside other waves' vector work */
    [GP_CLASS_CALL] = {.other = 4, .ops = {FP32(10), INT(20)}, .chain = {FP32(5), INT(10)}, .estimate = true},
    [GP_CLASS_LIBRARY] = HOST_ONLY,
    FLUSHED_ROWS,
    MATRIX_ROWS,
};

/* VLIW: what half floats there are is only stored, and lanes exchange values through local memory. */
static const struct change on_terascale[] = {
    {GP_CLASS_HALF_ADD, HALF_AS_FLOAT},
    {GP_CLASS_HALF_MUL, HALF_AS_FLOAT},
    {GP_CLASS_HALF_FMA, {.ops = {FP32(1), CVT(4)}, .chain = {FP32(1), CVT(2)}}},
    {GP_CLASS_HALF_CMP, {.ops = {FP32(1), CVT(2)}, .chain = {FP32(1), CVT(1)}}},
    {GP_CLASS_HALF_DIV, {.ops = {FP32(7), SFU(1), CVT(3)}, .chain = {FP32(4), SFU(1), CVT(2)}, .estimate = true}},
    {GP_CLASS_HALF_MATH, {.ops = {FP32(1), SFU(1), CVT(2)}, .chain = {FP32(1), SFU(1), CVT(2)}, .estimate = true}},
    {GP_CLASS_SHUFFLE,
     {.ops = {INT(2), SHUFFLE(2)}, .chain = {INT(1), SHUFFLE(2)}, .estimate = true}}, /* store, load */
};

/*
 * Intel: as AMD's, but for what its extended math unit does in one instruction: reciprocals, roots, exponents,
 * logarithms, sines (Xe ISA, "math"). IEEE's quotients and roots are its seed and steps of multiply-adds; indices of
 * exchanges are registers' addresses. No machine code was counted: estimates.
 */
#define ESTIMATE(...) \
    { \
        __VA_ARGS__, .estimate = true \
    }
#define SEED_AND_STEPS ESTIMATE(.ops = {FP32(8), INT(2), SFU(1)}, .chain = {FP32(6), SFU(1)})
#define MATH_UNIT      ESTIMATE(.ops = {SFU(1)}, .chain = {SFU(1)})
#define SCALED         ESTIMATE(.ops = {FP32(3), INT(2), SFU(1)}, .chain = {FP32(2), INT(1), SFU(1)})
static const struct change on_xe[] = {
    {GP_CLASS_INT_MUL24, ONE(MUL)},
    {GP_CLASS_FLOAT_DIV, SEED_AND_STEPS},
    {GP_CLASS_FLOAT_DIV_LOOSE, SCALED},
    {GP_CLASS_FLOAT_SQRT, SEED_AND_STEPS},
    {GP_CLASS_FLOAT_SQRT_LOOSE, MATH_UNIT},
    {GP_CLASS_FLOAT_SQRT_FAST, MATH_UNIT},
    {GP_CLASS_FLOAT_RCP, SCALED},
    {GP_CLASS_FLOAT_RSQRT, MATH_UNIT},
    {GP_CLASS_SFU_SIN, MATH_UNIT},
    {GP_CLASS_SFU_COS, MATH_UNIT},
    {GP_CLASS_SFU_EXP2, MATH_UNIT},
    {GP_CLASS_SFU_LOG2, MATH_UNIT},
    {GP_CLASS_MATH32_EXP, ESTIMATE(.ops = {FP32(2), SFU(1)}, .chain = {FP32(2), SFU(1)})},
    {GP_CLASS_MATH32_LOG, ESTIMATE(.ops = {FP32(2), SFU(1)}, .chain = {FP32(2), SFU(1)})},
    {GP_CLASS_MATH32_POW, ESTIMATE(.ops = {FP32(12), INT(6), SFU(2)}, .chain = {FP32(8), INT(2), SFU(2)})},
    {GP_CLASS_BRANCH, {.other = 1, .chain = {INT(1)}}},
};

/* ---- CPU ----------------------------------------------------------------------------------------------------- */

/* A function that is called for one work-item after the other, of so many operations. */
#define CALL(pipe, floats, integers, slots) \
    { \
        .ops = {pipe(floats), INT(integers)}, .chain = {pipe((floats) / 2), INT((integers) / 3)}, .issue = (slots), \
        .estimate = true \
    }

/*
 * Operations of one work-item; the CPU model spreads them over the elements of SIMD registers. Library functions: about
 * what SLEEF's have, and those that PoCL 3.1 calls the issue slots that they were measured to take on a Zen 5. Code
 * that is compiled for the host tells each of them by its own cycles (LIBRARY, passes/cost/classify_library.cpp).
 */
static const struct row cpu[GP_CLASS_COUNT] = {
    [GP_CLASS_MOV] = ONE(INT),
    [GP_CLASS_SELECT] = ONE(INT),
    [GP_CLASS_INT_ADD] = ONE(INT),
    [GP_CLASS_INT_MUL] = ONE(MUL),
    [GP_CLASS_INT_MAD] = {.ops = {INT(1), MUL(1)}, .chain = {INT(1), MUL(1)}},
    [GP_CLASS_INT_MUL24] = ONE(MUL),
    [GP_CLASS_INT_MULHI] = {.ops = {MUL(2)}, .chain = {MUL(1)}},
    [GP_CLASS_INT_LOGIC] = ONE(INT),
    [GP_CLASS_INT_SHIFT] = ONE(SHIFT),
    [GP_CLASS_INT_CMP] = ONE(INT),
    [GP_CLASS_INT_MINMAX] = ONE(INT),
    [GP_CLASS_INT_DIV] = {.ops = {INT(6)},
                          .chain = {INT(24)},
                          .estimate = true}, /* not vectorised: one division after the other */
    [GP_CLASS_INT_UDIV] = {.ops = {INT(6)}, .chain = {INT(24)}, .estimate = true},
    [GP_CLASS_INT_BITS] = {.ops = {INT(2)}, .chain = {INT(2)}},
    /* 64-bit integers are addresses, most of which a vector has one of. */
    [GP_CLASS_LONG_ADD] = ONE(INT),
    [GP_CLASS_LONG_MUL] = ONE(MUL),
    [GP_CLASS_LONG_LOGIC] = ONE(INT),
    [GP_CLASS_LONG_SHIFT] = ONE(SHIFT),
    [GP_CLASS_LONG_CMP] = ONE(INT),
    [GP_CLASS_LONG_DIV] = {.ops = {INT(10)}, .chain = {INT(30)}, .estimate = true},
    [GP_CLASS_LONG_DIV_DATA] = {.ops = {INT(10)}, .chain = {INT(30)}, .estimate = true},
    [GP_CLASS_LONG_DIV_WIDE] = {.ops = {INT(10)}, .chain = {INT(30)}, .estimate = true},
    [GP_CLASS_LONG_UDIV_WIDE] = {.ops = {INT(10)}, .chain = {INT(30)}, .estimate = true},
    [GP_CLASS_LONG_BITS] = {.ops = {INT(4)}, .chain = {INT(2)}},
    [GP_CLASS_HALF_ADD] = HALF_AS_FLOAT,
    [GP_CLASS_HALF_MUL] = HALF_AS_FLOAT,
    [GP_CLASS_HALF_FMA] = {.ops = {FP32(1), CVT(4)}, .chain = {FP32(1), CVT(2)}},
    [GP_CLASS_HALF_CMP] = {.ops = {FP32(1), CVT(2)}, .chain = {FP32(1), CVT(1)}},
    [GP_CLASS_HALF_DIV] = {.ops = {SFU(1), CVT(3)}, .chain = {SFU(1), CVT(2)}},
    [GP_CLASS_HALF_MATH] = {.ops = {FP32(16), INT(6), CVT(2)}, .chain = {FP32(10), INT(2), CVT(2)}, .estimate = true},
    [GP_CLASS_FLOAT_ADD] = ONE(FP32),
    [GP_CLASS_FLOAT_MUL] = ONE(FP32),
    [GP_CLASS_FLOAT_FMA] = ONE(FP32),
    [GP_CLASS_FLOAT_CMP] = ONE(FP32),
    [GP_CLASS_FLOAT_MINMAX] = ONE(FP32),
    [GP_CLASS_FLOAT_ROUND] = ONE(FP32),
    [GP_CLASS_FLOAT_DIV] = ONE(SFU),
    [GP_CLASS_FLOAT_DIV_LOOSE] = ONE(SFU),
    [GP_CLASS_FLOAT_DIV_FAST] = ONE(SFU),
    [GP_CLASS_FLOAT_SQRT] = ONE(SFU),
    [GP_CLASS_FLOAT_SQRT_LOOSE] = ONE(SFU),
    [GP_CLASS_FLOAT_SQRT_FAST] = ONE(SFU),
    [GP_CLASS_FLOAT_RCP] = ONE(SFU),
    [GP_CLASS_FLOAT_RSQRT] = {.ops = {SFU(2)}, .chain = {SFU(2)}},
    [GP_CLASS_SFU_SIN] = {.ops = {FP32(22), INT(8), CVT(2)}, .chain = {FP32(14), INT(2), CVT(2)}, .estimate = true},
    [GP_CLASS_SFU_COS] = {.ops = {FP32(22), INT(8), CVT(2)}, .chain = {FP32(14), INT(2), CVT(2)}, .estimate = true},
    [GP_CLASS_SFU_EXP2] = {.ops = {FP32(12), INT(4), CVT(1)}, .chain = {FP32(9), INT(2), CVT(1)}, .estimate = true},
    [GP_CLASS_SFU_LOG2] = {.ops = {FP32(18), INT(6), CVT(1)}, .chain = {FP32(12), INT(3), CVT(1)}, .estimate = true},
    [GP_CLASS_SFU_OTHER] = ONE(SFU),
    [GP_CLASS_MATH32_TRIG] = CALL(FP32, 26, 10, 240),
    [GP_CLASS_MATH32_EXP] = {.ops = {FP32(14), INT(5), CVT(1)},
                             .chain = {FP32(10), INT(2), CVT(1)},
                             .issue = 80,
                             .estimate = true}, /* 20 cycles, in vectors 2.5 */
    [GP_CLASS_MATH32_LOG] = CALL(FP32, 20, 7, 190),
    [GP_CLASS_MATH32_POW] = CALL(FP32, 80, 25, 1440),
    [GP_CLASS_MATH32_OTHER] = CALL(FP32, 30, 8, 280),
    [GP_CLASS_DOUBLE_ADD] = ONE(FP64),
    [GP_CLASS_DOUBLE_MUL] = ONE(FP64),
    [GP_CLASS_DOUBLE_FMA] = ONE(FP64),
    [GP_CLASS_DOUBLE_CMP] = ONE(FP64),
    [GP_CLASS_DOUBLE_MINMAX] = ONE(FP64),
    [GP_CLASS_DOUBLE_ROUND] = ONE(FP64),
    [GP_CLASS_DOUBLE_DIV] = {.ops = {SFU(2)}, .chain = {SFU(1)}},
    [GP_CLASS_DOUBLE_SQRT] = {.ops = {SFU(2)}, .chain = {SFU(1)}},
    [GP_CLASS_MATH64] = CALL(FP64, 40, 12, 280),
    /* to one another as single precision's */
    [GP_CLASS_MATH64_TRIG] = CALL(FP64, 35, 14, 230),
    [GP_CLASS_MATH64_EXP] = {.ops = {FP64(19), INT(7)}, .chain = {FP64(13), INT(3)}, .issue = 120, .estimate = true},
    [GP_CLASS_MATH64_LOG] = CALL(FP64, 27, 10, 240),
    [GP_CLASS_MATH64_POW] = CALL(FP64, 107, 34, 1540),
    [GP_CLASS_CVT] = ONE(CVT),
    [GP_CLASS_CVT_FROM_INT] = ONE(CVT),
    [GP_CLASS_CVT_64] = ONE(CVT64),
    [GP_CLASS_CVT_NARROW] = {.ops = {INT(2), CVT(1)}, .chain = {INT(2), CVT(1)}},
    [GP_CLASS_SHUFFLE] = ONE(SHUFFLE),
    [GP_CLASS_VOTE] = ONE(INT),
    [GP_CLASS_BARRIER] = {.other = 1},
    [GP_CLASS_FENCE] = {.other = 1, .chain = {INT(1)}},
    [GP_CLASS_MEMORY] = {.other = 1},
    [GP_CLASS_BRANCH] = {.other = 1, .chain = {INT(1)}},
    [GP_CLASS_CALL] = {.other = 4, .ops = {FP32(10), INT(20)}, .chain = {FP32(5), INT(10)}, .estimate = true},
    [GP_CLASS_LIBRARY] = CALL(FP32, 4, 2, 40),
    MATRIX_ROWS,
};

/* ---- From rows to costs -------------------------------------------------------------------------------------- */

static void apply(struct row rows[GP_CLASS_COUNT], const struct change *changes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        rows[changes[i].cost_class] = changes[i].row;
}
#define APPLY(rows, changes) apply(rows, changes, sizeof(changes) / sizeof *(changes))

enum gp_class gp_flushed_class(enum gp_class cost_class)
{
    for (size_t i = 0; i < sizeof ordinary / sizeof *ordinary; i++)
        if (ordinary[i].cost_class == cost_class)
            return ordinary[i].flushed;
    return cost_class;
}

enum gp_class gp_native_class(enum gp_class cost_class)
{
    for (size_t i = 0; i < sizeof natives / sizeof *natives; i++)
        if (natives[i].cost_class == cost_class)
            return natives[i].native;
    return cost_class;
}

/* The same operation in three precisions. Of a double that is that of several, the first is it in single precision:
 * correctly rounded as far as the double is. */
static const struct {
    enum gp_class single, half, wide;
} precisions[] = {
    {GP_CLASS_FLOAT_ADD, GP_CLASS_HALF_ADD, GP_CLASS_DOUBLE_ADD},
    {GP_CLASS_FLOAT_MUL, GP_CLASS_HALF_MUL, GP_CLASS_DOUBLE_MUL},
    {GP_CLASS_FLOAT_FMA, GP_CLASS_HALF_FMA, GP_CLASS_DOUBLE_FMA},
    {GP_CLASS_FLOAT_CMP, GP_CLASS_HALF_CMP, GP_CLASS_DOUBLE_CMP},
    {GP_CLASS_FLOAT_MINMAX, GP_CLASS_HALF_CMP, GP_CLASS_DOUBLE_MINMAX},
    {GP_CLASS_FLOAT_ROUND, GP_CLASS_HALF_ADD, GP_CLASS_DOUBLE_ROUND},
    {GP_CLASS_FLOAT_DIV, GP_CLASS_HALF_DIV, GP_CLASS_DOUBLE_DIV},
    {GP_CLASS_FLOAT_DIV_FAST, GP_CLASS_HALF_DIV, GP_CLASS_DOUBLE_DIV},
    {GP_CLASS_FLOAT_RCP, GP_CLASS_HALF_MATH, GP_CLASS_DOUBLE_DIV},
    {GP_CLASS_FLOAT_SQRT, GP_CLASS_HALF_MATH, GP_CLASS_DOUBLE_SQRT},
    {GP_CLASS_FLOAT_SQRT_FAST, GP_CLASS_HALF_MATH, GP_CLASS_DOUBLE_SQRT},
    {GP_CLASS_FLOAT_RSQRT, GP_CLASS_HALF_MATH, GP_CLASS_DOUBLE_SQRT},
    {GP_CLASS_MATH32_TRIG, GP_CLASS_HALF_MATH, GP_CLASS_MATH64_TRIG},
    {GP_CLASS_SFU_SIN, GP_CLASS_HALF_MATH, GP_CLASS_MATH64_TRIG},
    {GP_CLASS_SFU_COS, GP_CLASS_HALF_MATH, GP_CLASS_MATH64_TRIG},
    {GP_CLASS_MATH32_EXP, GP_CLASS_HALF_MATH, GP_CLASS_MATH64_EXP},
    {GP_CLASS_SFU_EXP2, GP_CLASS_HALF_MATH, GP_CLASS_MATH64_EXP},
    {GP_CLASS_MATH32_LOG, GP_CLASS_HALF_MATH, GP_CLASS_MATH64_LOG},
    {GP_CLASS_SFU_LOG2, GP_CLASS_HALF_MATH, GP_CLASS_MATH64_LOG},
    {GP_CLASS_MATH32_POW, GP_CLASS_HALF_MATH, GP_CLASS_MATH64_POW},
    {GP_CLASS_MATH32_OTHER, GP_CLASS_HALF_MATH, GP_CLASS_MATH64},
    {GP_CLASS_SFU_OTHER, GP_CLASS_HALF_MATH, GP_CLASS_MATH64},
};
enum { PRECISIONS = sizeof precisions / sizeof *precisions };

enum gp_class gp_half_class(enum gp_class single)
{
    for (size_t i = 0; i < PRECISIONS; i++)
        if (precisions[i].single == single)
            return precisions[i].half;
    return single;
}

enum gp_class gp_double_class(enum gp_class single)
{
    for (size_t i = 0; i < PRECISIONS; i++)
        if (precisions[i].single == single)
            return precisions[i].wide;
    return single;
}

enum gp_class gp_single_class(enum gp_class wide)
{
    for (size_t i = 0; i < PRECISIONS; i++)
        if (precisions[i].wide == wide)
            return precisions[i].single;
    return wide == GP_CLASS_CVT_64 ? GP_CLASS_CVT : wide;
}

/* I2FP, which ptxas takes for sm_86 and later, runs with integer arithmetic (H200: 64 lanes), not beside the special
 * functions as I2F does. */
static const struct change with_i2fp[] = {{GP_CLASS_CVT_FROM_INT, ONE(INT)}};

static void change_nvidia(struct row rows[GP_CLASS_COUNT], const struct gp_device *device)
{
    enum gp_arch arch = device->arch;
    if (device->compute_capability >= 86)
        APPLY(rows, with_i2fp);
    if (arch <= GP_ARCH_PASCAL)
        APPLY(rows, before_volta);
    if (arch <= GP_ARCH_MAXWELL)
        APPLY(rows, without_half);
    if (arch == GP_ARCH_MAXWELL || arch == GP_ARCH_PASCAL)
        APPLY(rows, with_xmad);
    if (arch <= GP_ARCH_TESLA2)
        APPLY(rows, on_tesla);
}

static void rows_for(const struct gp_device *device, struct row rows[GP_CLASS_COUNT])
{
    enum gp_arch arch = device->arch;
    bool is_nvidia = gp_arch_is_nvidia(arch), is_amd = gp_arch_is_amd(arch) || arch == GP_ARCH_XE;
    memcpy(rows, is_nvidia ? nvidia : is_amd ? amd : cpu, GP_CLASS_COUNT * sizeof *rows);
    if (arch == GP_ARCH_TERASCALE)
        APPLY(rows, on_terascale);
    if (arch == GP_ARCH_XE)
        APPLY(rows, on_xe);
    if (is_nvidia) {
        change_nvidia(rows, device);
    } else if (arch == GP_ARCH_CPU) {
        float of_fma = (float)(device->lat_add.value / fmax(1e-3, device->lat_fp32.value));
        rows[GP_CLASS_FLOAT_ADD].chain[GP_PIPE_FP32] *= of_fma;
        rows[GP_CLASS_DOUBLE_ADD].chain[GP_PIPE_FP64] *= of_fma;
    }
    if (!is_nvidia) { /* a mask */
        rows[GP_CLASS_INT_POWER_REM] = rows[GP_CLASS_INT_POWER_SREM] = rows[GP_CLASS_INT_LOGIC];
        rows[GP_CLASS_LONG_POWER_REM] = rows[GP_CLASS_LONG_LOGIC];
        rows[GP_CLASS_INT_DIV_NEXT] = rows[GP_CLASS_INT_DIV];
        rows[GP_CLASS_INT_UDIV_NEXT] = rows[GP_CLASS_INT_UDIV];
    }
    if (!is_amd && (!is_nvidia || arch <= GP_ARCH_TESLA2))
        for (size_t i = 0; i < sizeof ordinary / sizeof *ordinary; i++)
            rows[ordinary[i].flushed] = rows[ordinary[i].cost_class];
    for (size_t i = 0; i < sizeof natives / sizeof *natives; i++)
        rows[natives[i].native] = rows[is_amd      ? natives[i].on_amd
                                       : is_nvidia ? natives[i].on_nvidia
                                                   : natives[i].cost_class];
}

static float issue_of(const struct row *row)
{
    double sum = row->other;
    for (int p = 0; p < GP_PIPE_COUNT; p++)
        sum += row->ops[p];
    return row->issue > 0 ? row->issue : (float)sum;
}

/* Of ptxas's unrolling, by the factors of loops of 1009 iterations (nvcc 13.0, sm_80): 6.7 to 8.5 for a fast quotient
 * and an exponential, 11.6 to 18.9 for one of 2 ulp, 4.3 to 6.7 for approximate roots, 1.9 to 3.3 for a quotient by a
 * constant, one for __sinf(). What PTX has one instruction for is one. */
static const struct {
    enum gp_class cost_class;
    uint32_t instructions;
} counted_by_ptxas[] = {
    {GP_CLASS_FLOAT_DIV_FAST, 8},  {GP_CLASS_MATH32_EXP, 8},         {GP_CLASS_FLOAT_DIV_LOOSE, 12},
    {GP_CLASS_FLOAT_SQRT_FAST, 5}, {GP_CLASS_FLOAT_SQRT_LOOSE, 5},   {GP_CLASS_FLOAT_RSQRT, 5},
    {GP_CLASS_INT_MULHI, 2},       {GP_CLASS_FLOAT_RSQRT_NATIVE, 5}, {GP_CLASS_SFU_SIN, 1},
    {GP_CLASS_SFU_COS, 1},         {GP_CLASS_INT_MUL24, 1},          {GP_CLASS_LONG_ADD, 1},
    {GP_CLASS_LONG_LOGIC, 1},      {GP_CLASS_LONG_SHIFT, 1},         {GP_CLASS_LONG_CMP, 1},
    {GP_CLASS_LONG_BITS, 1},       {GP_CLASS_HALF_MATH, 1},          {GP_CLASS_DOUBLE_MINMAX, 1},
    {GP_CLASS_CVT_NARROW, 1},
};

uint32_t gp_ptx_instructions(enum gp_class cost_class)
{
    enum { MOST = 24 }; /* more than any limit asks for */
    for (size_t i = 0; i < sizeof counted_by_ptxas / sizeof *counted_by_ptxas; i++)
        if (counted_by_ptxas[i].cost_class == cost_class)
            return counted_by_ptxas[i].instructions;
    for (size_t i = 0; i < sizeof natives / sizeof *natives; i++)
        if (natives[i].native == cost_class)
            cost_class = natives[i].on_nvidia;
    double issue = issue_of(&nvidia[cost_class]);
    return issue < MOST ? (uint32_t)ceil(issue) : MOST;
}

static const struct gp_number *latency_of(const struct gp_device *device, enum gp_pipe pipe)
{
    switch (pipe) {
    case GP_PIPE_FP32:
    case GP_PIPE_FP16: return &device->lat_fp32;
    case GP_PIPE_FP64: return &device->lat_fp64;
    case GP_PIPE_INT_MUL: return &device->lat_int_mul;
    case GP_PIPE_SFU: return &device->lat_sfu;
    case GP_PIPE_CVT:
    case GP_PIPE_CVT64: return &device->lat_cvt;
    case GP_PIPE_SHUFFLE: return &device->lat_shuffle;
    case GP_PIPE_MATRIX: return &device->lat_matrix;
    default: return &device->lat_int;
    }
}

static const struct gp_number *lanes_of(const struct gp_device *device, enum gp_pipe pipe)
{
    switch (pipe) {
    case GP_PIPE_FP32: return &device->fp32_lanes;
    case GP_PIPE_FP64: return &device->fp64_lanes;
    case GP_PIPE_FP16: return &device->fp16_lanes;
    case GP_PIPE_INT: return &device->int_lanes;
    case GP_PIPE_INT_MUL: return &device->int_mul_lanes;
    case GP_PIPE_SHIFT: return &device->shift_lanes;
    case GP_PIPE_SFU: return &device->sfu_lanes;
    case GP_PIPE_CVT: return &device->cvt_lanes;
    case GP_PIPE_CVT64: return &device->cvt64_lanes;
    case GP_PIPE_SHUFFLE: return &device->shuffle_lanes;
    case GP_PIPE_BARRIER: return &device->barrier_lanes;
    case GP_PIPE_MATRIX: return &device->matrix_lanes;
    default: return NULL;
    }
}

static const struct gp_number *matrix_lanes_of(const struct gp_device *device, enum gp_class cost_class)
{
    switch (cost_class) {
    case GP_CLASS_MATRIX_FP16: return &device->matrix_fp16_lanes;
    case GP_CLASS_MATRIX_FP16_FP32: return &device->matrix_lanes;
    case GP_CLASS_MATRIX_TF32: return &device->matrix_tf32_lanes;
    case GP_CLASS_MATRIX_FP64: return &device->matrix_fp64_lanes;
    case GP_CLASS_MATRIX_INT8: return &device->matrix_int8_lanes;
    case GP_CLASS_MATRIX_GROUP: return &device->matrix_group_lanes;
    default: return NULL;
    }
}

/* The pipe's rate is that of 16-bit floats with sums of 32 bits; other kinds take it for so much longer. */
static void scale_matrix(const struct gp_device *device, struct row rows[GP_CLASS_COUNT])
{
    for (int i = GP_CLASS_MATRIX_FP16; i <= GP_CLASS_MATRIX_GROUP; i++) {
        const struct gp_number *lanes = matrix_lanes_of(device, (enum gp_class)i);
        rows[i].ops[GP_PIPE_MATRIX] *= (float)(device->matrix_lanes.value / lanes->value);
        rows[i].estimate |= lanes->origin == GP_FROM_ASSUMED;
    }
}

static bool rests_on_a_guess(const struct gp_device *device, const struct row *row)
{
    if (row->estimate)
        return true;
    for (int p = 0; p < GP_PIPE_COUNT; p++) {
        const struct gp_number *lanes = lanes_of(device, (enum gp_pipe)p);
        if (row->ops[p] > 0 && lanes != NULL && lanes->origin == GP_FROM_ASSUMED)
            return true;
        if (row->chain[p] > 0 && latency_of(device, (enum gp_pipe)p)->origin == GP_FROM_ASSUMED)
            return true;
    }
    return false;
}

void gp_cost_table(const struct gp_device *device, struct gp_cost costs[GP_CLASS_COUNT],
                   uint8_t guessed[GP_CLASS_COUNT])
{
    struct row rows[GP_CLASS_COUNT];
    rows_for(device, rows);
    scale_matrix(device, rows);
    for (int i = 0; i < GP_CLASS_COUNT; i++) {
        const struct row *row = &rows[i];
        double latency = 0;
        for (int p = 0; p < GP_PIPE_COUNT; p++)
            latency += row->chain[p] * latency_of(device, (enum gp_pipe)p)->value;
        memcpy(costs[i].ops, row->ops, sizeof row->ops);
        costs[i].issue = issue_of(row);
        costs[i].latency = (float)latency;
        if (guessed != NULL)
            guessed[i] = rests_on_a_guess(device, row);
    }
}

/* Scalar units: one per CU before RDNA (its four SIMDs take turns), one per SIMD since. Elsewhere uniform work takes
 * the integer lanes. */
static double scalar_rate(const struct gp_device *device)
{
    if (device->scalar_unit.value <= 0)
        return gp_pipe_rate(device, GP_PIPE_INT);
    return device->arch == GP_ARCH_RDNA && device->schedulers_per_sm.value >= 1 ? device->schedulers_per_sm.value : 1;
}

/*
 * Halfs that one instruction of a lane makes at most, where fp16_lanes counts as many: an instruction with one takes as
 * long as one with two (CUDA C Programming Guide, half2; AMD's ISA guides since Vega, packed math).
 */
static double halfs_at_once(const struct gp_device *device)
{
    bool amd = gp_arch_is_amd(device->arch) && device->fp16_lanes.value > device->fp32_lanes.value;
    return amd || gp_arch_is_nvidia_since(device->arch, GP_ARCH_PASCAL) ? 2 : 1;
}

double gp_pipe_rate(const struct gp_device *device, enum gp_pipe pipe)
{
    if (pipe == GP_PIPE_SCALAR)
        return scalar_rate(device);
    double warp = device->warp_width.value >= 1 ? device->warp_width.value : 1;
    return lanes_of(device, pipe)->value / (pipe == GP_PIPE_FP16 ? halfs_at_once(device) : 1) / warp;
}

bool gp_converts_on_fp64(const struct gp_device *device)
{
    return gp_arch_is_nvidia(device->arch) && device->cvt64_lanes.value <= device->fp64_lanes.value &&
           device->cvt64_lanes.value < device->cvt_lanes.value;
}

double gp_fp32_held(const struct gp_device *device, bool local, bool store)
{
    return local ? device->smem_fp32_clk.value : store ? 0 : device->load_fp32_clk.value;
}

bool gp_pipe_on_simd(const struct gp_device *device, enum gp_pipe pipe)
{
    switch (pipe) {
    case GP_PIPE_FP32:
    case GP_PIPE_FP16:
    case GP_PIPE_INT:
    case GP_PIPE_INT_MUL:
    case GP_PIPE_SHIFT: return gp_arch_is_amd(device->arch);
    case GP_PIPE_FP64:
    case GP_PIPE_SFU:
    case GP_PIPE_CVT:
    case GP_PIPE_CVT64: return gp_arch_is_amd(device->arch) && device->arch != GP_ARCH_RDNA;
    case GP_PIPE_MATRIX:
        return gp_arch_is_amd(device->arch) &&
               device->arch != GP_ARCH_CDNA; /* CDNA's matrix cores stand beside the SIMDs (its whitepaper) */
    default: return false;
    }
}
