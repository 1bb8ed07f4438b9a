/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Costs per class and family, on the device of hand_device.h and variations of it. Latencies: fp32 4, fp64 8, int 4,
 * int_mul 4, sfu 20, cvt 20.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "hand_device.h"
#include "model/compilers/cost.h"

#define assert_near(actual, expected) assert_true(fabs((actual)-1.0 * (expected)) <= 1e-6)

static struct gp_cost costs[GP_CLASS_COUNT];
static uint8_t guessed[GP_CLASS_COUNT];

static void table_for(enum gp_arch arch)
{
    struct gp_device d = hand_device();
    hand_arch(&d, arch);
    gp_cost_table(&d, costs, guessed);
}

static float ops(enum gp_class cost_class, enum gp_pipe pipe) { return costs[cost_class].ops[pipe]; }

static void every_class_has_a_cost(void **state)
{
    (void)state;
    for (int arch = 0; arch < GP_ARCH_COUNT; arch++) {
        table_for((enum gp_arch)arch);
        assert_near(costs[GP_CLASS_FREE].issue, 0);
        assert_near(costs[GP_CLASS_FREE].latency, 0);
        for (int i = 0; i < GP_CLASS_COUNT; i++) {
            if (i == GP_CLASS_FREE)
                continue;
            bool matrix =
                i >= GP_CLASS_MATRIX_FP16 && i <= GP_CLASS_MATRIX_GROUP; /* an instruction is many multiply-adds */
            assert_true(costs[i].issue >= (matrix ? 1.0 / 64 : 1));
            bool waits = i != GP_CLASS_BARRIER && i != GP_CLASS_MEMORY;
            assert_true(waits == (costs[i].latency > 0));
        }
    }
}

/* What ptxas makes of a division on sm_80: MUFU.RCP, FCHK, 5 FFMA, BSSY, BRA, BSYNC. */
static void nvidia_divisions(void **state)
{
    (void)state;
    table_for(GP_ARCH_AMPERE);
    assert_near(costs[GP_CLASS_FLOAT_DIV].issue, 10);
    assert_near(ops(GP_CLASS_FLOAT_DIV, GP_PIPE_SFU), 2);
    assert_near(ops(GP_CLASS_FLOAT_DIV, GP_PIPE_FP32), 5);
    assert_near(costs[GP_CLASS_FLOAT_DIV].latency, 20 + 5 * 4);
    assert_near(costs[GP_CLASS_FLOAT_DIV_FAST].issue, 5);
    assert_near(costs[GP_CLASS_FLOAT_SQRT].issue, 10);
    assert_near(costs[GP_CLASS_DOUBLE_DIV].issue, 16);
    assert_near(ops(GP_CLASS_DOUBLE_DIV, GP_PIPE_FP64), 8);
    assert_near(costs[GP_CLASS_DOUBLE_DIV].latency, 8 * 8 + 2 * 4 + 20); /* 92; 112 measured on V100 */
    assert_near(costs[GP_CLASS_DOUBLE_SQRT].issue, 18);
    assert_near(costs[GP_CLASS_INT_DIV].issue, 25);
    assert_near(costs[GP_CLASS_INT_UDIV].issue, 18);
    assert_near(ops(GP_CLASS_INT_UDIV, GP_PIPE_CVT), 2);
    assert_near(ops(GP_CLASS_INT_UDIV, GP_PIPE_SFU), 1);
}

static void nvidia_pipes(void **state)
{
    (void)state;
    table_for(GP_ARCH_VOLTA);
    assert_near(ops(GP_CLASS_FLOAT_FMA, GP_PIPE_FP32), 1);
    assert_near(ops(GP_CLASS_FLOAT_CMP, GP_PIPE_INT), 1); /* comparisons and selects are the integer pipe's */
    assert_near(ops(GP_CLASS_FLOAT_CMP, GP_PIPE_FP32), 0);
    assert_near(ops(GP_CLASS_FLOAT_MINMAX, GP_PIPE_INT), 1);
    assert_near(ops(GP_CLASS_SELECT, GP_PIPE_INT), 1);
    assert_near(ops(GP_CLASS_INT_MAD, GP_PIPE_INT_MUL), 1);
    assert_near(costs[GP_CLASS_LONG_ADD].issue, 2);
    assert_near(costs[GP_CLASS_LONG_MUL].issue, 4);
    assert_near(costs[GP_CLASS_INT_MULHI].issue, 1);
    assert_near(ops(GP_CLASS_HALF_FMA, GP_PIPE_FP16), 1);
    assert_near(costs[GP_CLASS_MATH32_TRIG].issue, 26);
    assert_near(costs[GP_CLASS_MATH32_EXP].issue, 10);
    assert_near(ops(GP_CLASS_MATH32_EXP, GP_PIPE_SFU), 1);
    assert_near(costs[GP_CLASS_MATH32_LOG].issue, 26);
    assert_near(costs[GP_CLASS_MATH32_POW].issue, 87);
    assert_near(costs[GP_CLASS_MEMORY].issue, 1);
    assert_near(costs[GP_CLASS_MEMORY].latency, 0);
    assert_near(costs[GP_CLASS_BRANCH].issue, 1);
}

static void older_nvidia(void **state)
{
    (void)state;
    table_for(GP_ARCH_KEPLER);
    assert_near(ops(GP_CLASS_HALF_ADD, GP_PIPE_FP16), 0); /* widened, computed, rounded */
    assert_near(ops(GP_CLASS_HALF_ADD, GP_PIPE_CVT), 3);
    assert_near(costs[GP_CLASS_INT_MUL].issue, 1);
    assert_near(costs[GP_CLASS_FLOAT_DIV].issue, 9);
    table_for(GP_ARCH_MAXWELL);
    assert_near(costs[GP_CLASS_INT_MUL].issue, 3); /* XMAD */
    assert_near(costs[GP_CLASS_INT_MUL].latency, 12);
    table_for(GP_ARCH_PASCAL);
    assert_near(ops(GP_CLASS_HALF_ADD, GP_PIPE_FP16), 1);
    assert_near(costs[GP_CLASS_INT_MUL].issue, 3);
    /* 8 lanes: 4 clocks a warp, 2 SFUs: 16 clocks. Divide 36 = 16 + 5 x 4, fast 20 = 16 + 4, square root 32 = 2 x 16 */
    table_for(GP_ARCH_TESLA1);
    assert_near(ops(GP_CLASS_FLOAT_DIV, GP_PIPE_SFU) * 16 + ops(GP_CLASS_FLOAT_DIV, GP_PIPE_FP32) * 4, 36);
    assert_near(ops(GP_CLASS_FLOAT_DIV_FAST, GP_PIPE_SFU) * 16 + ops(GP_CLASS_FLOAT_DIV_FAST, GP_PIPE_FP32) * 4, 20);
    assert_near(ops(GP_CLASS_FLOAT_SQRT, GP_PIPE_SFU) * 16, 32);
    assert_near(ops(GP_CLASS_SFU_SIN, GP_PIPE_SFU) * 16, 32);
    assert_near(ops(GP_CLASS_SFU_LOG2, GP_PIPE_SFU) * 16, 16);
}

static void amd_family(void **state)
{
    (void)state;
    table_for(GP_ARCH_CDNA);
    assert_near(costs[GP_CLASS_DOUBLE_DIV].issue, 11);
    assert_near(costs[GP_CLASS_INT_DIV].issue, 27);
    assert_near(costs[GP_CLASS_INT_UDIV].issue, 19);
    assert_near(ops(GP_CLASS_INT_DIV, GP_PIPE_INT_MUL), 4);
    assert_near(costs[GP_CLASS_LONG_MUL].issue, 4);
    assert_near(costs[GP_CLASS_LONG_ADD].issue, 2);
    assert_near(costs[GP_CLASS_MATH32_EXP].issue, 13);
    assert_near(costs[GP_CLASS_MATH32_LOG].issue, 12);
    assert_near(ops(GP_CLASS_BRANCH, GP_PIPE_SCALAR), 2);
    assert_near(ops(GP_CLASS_INT_MUL24, GP_PIPE_INT), 1);
    float division = costs[GP_CLASS_FLOAT_DIV].issue;
    table_for(GP_ARCH_RDNA);
    assert_near(costs[GP_CLASS_FLOAT_DIV].issue, division);
}

/* Static instruction counts of ptxas 13.0 and llc 22; those on one architecture hold for its whole family unless said
 * otherwise. */
static void instructions_of_builtins(void **state)
{
    (void)state;
    static const struct {
        enum gp_class cost_class;
        float volta_on, amd; /* warp instructions */
    } rows[] = {
        {GP_CLASS_FLOAT_DIV, 10, 11},     /* IEEE */
        {GP_CLASS_FLOAT_DIV_LOOSE, 8, 8}, /* 2.5 ulp: div.full */
        {GP_CLASS_FLOAT_DIV_FAST, 5, 2},  /* native_divide: div.approx; rcp, mul */
        {GP_CLASS_FLOAT_SQRT, 10, 16},
        {GP_CLASS_FLOAT_SQRT_LOOSE, 4, 6}, /* 3 ulp */
        {GP_CLASS_FLOAT_SQRT_FAST, 4, 1},  /* native_sqrt */
        {GP_CLASS_FLOAT_RCP, 10, 5},       /* AMD: 2.5 ulp */
        {GP_CLASS_FLOAT_RSQRT, 4, 6},
        {GP_CLASS_SFU_EXP2, 4, 6},
        {GP_CLASS_FLOAT_DIV_FLUSH, 2, 2}, /* MUFU.RCP, FMUL */
        {GP_CLASS_FLOAT_SQRT_FLUSH, 1, 1},
        {GP_CLASS_FLOAT_RCP_FLUSH, 1, 1},
        {GP_CLASS_FLOAT_RSQRT_FLUSH, 1, 1},
        {GP_CLASS_SFU_EXP2_FLUSH, 1, 1},
        {GP_CLASS_SFU_LOG2_FLUSH, 1, 1},
        {GP_CLASS_FLOAT_RCP_NATIVE, 4, 1}, /* rcp.approx; v_rcp */
        {GP_CLASS_FLOAT_RSQRT_NATIVE, 4, 1},
        {GP_CLASS_SFU_EXP2_NATIVE, 4, 1},
        {GP_CLASS_DOUBLE_DIV, 16, 11},
        {GP_CLASS_DOUBLE_SQRT, 18, 19}, /* AMD: 17 to 21 */
        {GP_CLASS_INT_UDIV, 18, 19},
        {GP_CLASS_INT_DIV, 25, 27},
        {GP_CLASS_INT_MUL24, 3, 1}, /* 2 SGXT, IMAD; v_mul_i32_i24 */
        {GP_CLASS_LONG_MUL, 4, 4},
        {GP_CLASS_LONG_ADD, 2, 2},
        {GP_CLASS_CVT, 1, 1},
        {GP_CLASS_MATH64_TRIG, 36, 74}, /* sin of libdevice, of ocml */
        {GP_CLASS_MATH64_EXP, 26, 41},
        {GP_CLASS_MATH64_LOG, 63, 97},
        {GP_CLASS_MATH64_POW, 147, 216},
    };
    for (int arch = 0; arch < GP_ARCH_COUNT; arch++) {
        bool amd = arch == GP_ARCH_GCN || arch == GP_ARCH_CDNA || arch == GP_ARCH_RDNA;
        if (!amd && arch != GP_ARCH_VOLTA && arch != GP_ARCH_TURING && arch != GP_ARCH_AMPERE && arch != GP_ARCH_ADA &&
            arch != GP_ARCH_HOPPER)
            continue;
        table_for((enum gp_arch)arch);
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
            assert_near(costs[rows[i].cost_class].issue, amd ? rows[i].amd : rows[i].volta_on);
    }
}

/* Before 7.0 ptxas 13 makes no code: the guides' throughputs and what the older instruction sets have. After Tesla, up
 * to Pascal. */
static void instructions_before_volta(void **state)
{
    (void)state;
    static const enum gp_arch archs[] = {GP_ARCH_FERMI, GP_ARCH_KEPLER, GP_ARCH_MAXWELL, GP_ARCH_PASCAL};
    for (size_t i = 0; i < sizeof archs / sizeof *archs; i++) {
        enum gp_arch arch = archs[i];
        bool xmad = arch == GP_ARCH_MAXWELL || arch == GP_ARCH_PASCAL;
        table_for(arch);
        assert_near(costs[GP_CLASS_FLOAT_DIV].issue, 9); /* MUFU, FCHK, 5 FFMA, SSY, branch */
        assert_near(costs[GP_CLASS_FLOAT_DIV_LOOSE].issue, 8);
        assert_near(costs[GP_CLASS_FLOAT_SQRT_FAST].issue, 4);
        assert_near(costs[GP_CLASS_INT_MUL].issue, xmad ? 3 : 1);
        assert_near(costs[GP_CLASS_INT_MAD].issue, xmad ? 3 : 1);
        assert_near(costs[GP_CLASS_INT_MULHI].issue, xmad ? 6 : 1);
        assert_near(ops(GP_CLASS_INT_MULHI, GP_PIPE_INT_MUL), xmad ? 2 : 1);
        assert_near(costs[GP_CLASS_LONG_ADD].issue, 2);
        assert_near(costs[GP_CLASS_LONG_MUL].issue, 6);
        assert_near(ops(GP_CLASS_INT_BITS, GP_PIPE_SHIFT), 1); /* POPC with the shifter's rate, MUFU's since Volta */
        assert_near(ops(GP_CLASS_INT_BITS, GP_PIPE_SFU), 0);
        assert_near(ops(GP_CLASS_HALF_FMA, GP_PIPE_FP16), arch == GP_ARCH_PASCAL ? 1 : 0);
        assert_near(ops(GP_CLASS_HALF_FMA, GP_PIPE_CVT), arch == GP_ARCH_PASCAL ? 0 : 4);
    }
    table_for(GP_ARCH_TESLA2); /* 24-bit products are the fast ones, a comparison of floats is the float unit's */
    assert_near(ops(GP_CLASS_INT_MUL24, GP_PIPE_INT), 1);
    assert_near(ops(GP_CLASS_INT_MUL24, GP_PIPE_INT_MUL), 0);
    assert_near(ops(GP_CLASS_FLOAT_CMP, GP_PIPE_FP32), 1);
    assert_near(ops(GP_CLASS_FLOAT_RSQRT, GP_PIPE_SFU) * 16, 16);
    assert_near(costs[GP_CLASS_SFU_EXP2_FLUSH].issue,
                costs[GP_CLASS_SFU_EXP2].issue); /* denormal numbers are flushed there anyway */
    table_for(GP_ARCH_CPU);
    assert_near(costs[GP_CLASS_SFU_LOG2_FLUSH].issue, costs[GP_CLASS_SFU_LOG2].issue);
}

/* Cayman: transcendentals as on GCN, no arithmetic on half floats, no exchange between lanes but through local memory.
 */
static void terascale(void **state)
{
    (void)state;
    table_for(GP_ARCH_TERASCALE);
    assert_near(ops(GP_CLASS_FLOAT_FMA, GP_PIPE_FP32), 1);
    assert_near(ops(GP_CLASS_INT_MUL24, GP_PIPE_INT), 1);
    assert_near(ops(GP_CLASS_FLOAT_SQRT_FAST, GP_PIPE_SFU), 1);
    assert_near(costs[GP_CLASS_FLOAT_DIV_LOOSE].issue, 8);
    assert_near(costs[GP_CLASS_DOUBLE_DIV].issue, 11);
    assert_near(ops(GP_CLASS_HALF_ADD, GP_PIPE_FP16), 0);
    assert_near(ops(GP_CLASS_HALF_ADD, GP_PIPE_CVT), 3);
    assert_near(ops(GP_CLASS_SHUFFLE, GP_PIPE_SHUFFLE), 2);
    assert_true(guessed[GP_CLASS_SHUFFLE]);
}

/* By hand: m16n8k16 has 2048 multiply-adds, 64 per lane. An A100's SM does 1024 of them per cycle (312 TFLOPS / 108 SMs
 * / 1410 MHz / 2): two cycles; TF32's half as many: m16n8k8 takes as long. */
static void matrix_units(void **state)
{
    (void)state;
    struct gp_device d = hand_device();
    d.matrix_lanes.value = 1024;
    d.matrix_tf32_lanes.value = 512;
    gp_cost_table(&d, costs, guessed);
    double rate = gp_pipe_rate(&d, GP_PIPE_MATRIX);
    assert_near(64 * ops(GP_CLASS_MATRIX_FP16_FP32, GP_PIPE_MATRIX) / rate, 2);
    assert_near(64 * costs[GP_CLASS_MATRIX_FP16_FP32].issue, 1);
    assert_near(32 * ops(GP_CLASS_MATRIX_TF32, GP_PIPE_MATRIX) / rate, 2);
    assert_false(guessed[GP_CLASS_MATRIX_FP16_FP32]);
    d.matrix_int8_lanes.origin = GP_FROM_ASSUMED;
    gp_cost_table(&d, costs, guessed);
    assert_true(guessed[GP_CLASS_MATRIX_INT8]);
}

static void cpu_family(void **state)
{
    (void)state;
    table_for(GP_ARCH_CPU);
    assert_near(costs[GP_CLASS_FLOAT_FMA].issue, 1);
    assert_near(ops(GP_CLASS_FLOAT_DIV, GP_PIPE_SFU), 1);
    assert_near(ops(GP_CLASS_INT_DIV, GP_PIPE_INT), 6);
    assert_true(costs[GP_CLASS_MATH32_POW].issue > costs[GP_CLASS_MATH32_EXP].issue);
    assert_int_equal(guessed[GP_CLASS_MATH32_EXP], 1);
    assert_int_equal(guessed[GP_CLASS_FLOAT_FMA], 0);
}

static void guesses_are_marked(void **state)
{
    (void)state;
    struct gp_device d = hand_device();
    gp_cost_table(&d, costs, guessed);
    assert_int_equal(guessed[GP_CLASS_FLOAT_ADD], 0);
    assert_int_equal(guessed[GP_CLASS_FLOAT_DIV], 0);
    assert_int_equal(guessed[GP_CLASS_CALL], 1); /* nobody knows what it calls */
    d.lat_sfu.origin = GP_FROM_ASSUMED;
    d.shift_lanes.origin = GP_FROM_ASSUMED;
    gp_cost_table(&d, costs, guessed);
    assert_int_equal(guessed[GP_CLASS_FLOAT_ADD], 0);
    assert_int_equal(guessed[GP_CLASS_FLOAT_DIV], 1);
    assert_int_equal(guessed[GP_CLASS_INT_SHIFT], 1);
    assert_int_equal(guessed[GP_CLASS_LONG_SHIFT], 1);
    assert_int_equal(guessed[GP_CLASS_MEMORY], 0);
    gp_cost_table(&d, costs, NULL);
}

static void rates(void **state)
{
    (void)state;
    struct gp_device d = hand_device();
    assert_near(gp_pipe_rate(&d, GP_PIPE_FP32), 2); /* 64 lanes / 32 */
    assert_near(gp_pipe_rate(&d, GP_PIPE_FP64), 1);
    assert_near(gp_pipe_rate(&d, GP_PIPE_FP16), 2); /* of two halfs each */
    assert_near(gp_pipe_rate(&d, GP_PIPE_SFU), 0.5);
    assert_near(gp_pipe_rate(&d, GP_PIPE_SCALAR), 2); /* no scalar unit: the integer lanes */
    hand_arch(&d, GP_ARCH_GCN);
    d.warp_width.value = 64;
    d.scalar_unit.value = 1;
    assert_near(gp_pipe_rate(&d, GP_PIPE_FP32), 1);
    assert_near(gp_pipe_rate(&d, GP_PIPE_SCALAR), 1); /* one for the CU */
    hand_arch(&d, GP_ARCH_RDNA);
    d.schedulers_per_sm.value = 2;
    assert_near(gp_pipe_rate(&d, GP_PIPE_SCALAR), 2); /* one per SIMD */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_class_has_a_cost),
        cmocka_unit_test(nvidia_divisions),
        cmocka_unit_test(nvidia_pipes),
        cmocka_unit_test(older_nvidia),
        cmocka_unit_test(amd_family),
        cmocka_unit_test(instructions_of_builtins),
        cmocka_unit_test(instructions_before_volta),
        cmocka_unit_test(terascale),
        cmocka_unit_test(matrix_units),
        cmocka_unit_test(cpu_family),
        cmocka_unit_test(guesses_are_marked),
        cmocka_unit_test(rates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
