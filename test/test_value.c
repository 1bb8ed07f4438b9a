/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The executor's values: operations on numbers against results worked by hand, arithmetic on symbols. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/value/value.h"

/* ---- Numbers --------------------------------------------------------------------------------------------------- */

struct expectation {
    uint8_t op, bits, width, sub;
    uint64_t a, b, c, result;
};

#define UNDEFINED UINT64_C(0xdeadbeefdeadbeef)

static void check(const struct expectation *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct gp_operation operation = {rows[i].op, rows[i].bits, rows[i].width, rows[i].sub};
        uint64_t result = UNDEFINED;
        bool defined = gp_compute(&operation, rows[i].a, rows[i].b, rows[i].c, &result);
        if (defined != (rows[i].result != UNDEFINED) || (defined && result != rows[i].result))
            fail_msg("row %zu (%s, %u bits): %d 0x%llx, not 0x%llx", i, gp_op_name(rows[i].op), rows[i].bits, defined,
                     (unsigned long long)result, (unsigned long long)rows[i].result);
    }
}
#define CHECK(rows) check(rows, sizeof(rows) / sizeof *(rows))

static void integers_wrap_at_their_width(void **state)
{
    (void)state;
    static const struct expectation rows[] = {
        {GP_OP_ADD, 32, 0, 0, 0xffffffff, 2, 0, 1},
        {GP_OP_ADD, 8, 0, 0, 200, 100, 0, 44}, /* 300 - 256 */
        {GP_OP_SUB, 32, 0, 0, 1, 2, 0, 0xffffffff},
        {GP_OP_SUB, 64, 0, 0, 1, 2, 0, UINT64_MAX},
        {GP_OP_MUL, 32, 0, 0, 0x10000, 0x10001, 0, 0x10000},
        {GP_OP_MUL, 32, 0, 0, (uint64_t)-3, 5, 0, 0xfffffff1}, /* constants may come sign-extended */
        {GP_OP_UDIV, 32, 0, 0, 0xffffffff, 2, 0, 0x7fffffff},
        {GP_OP_SDIV, 32, 0, 0, 0xffffffff, 2, 0, 0},          /* -1 / 2 */
        {GP_OP_SDIV, 32, 0, 0, 0xfffffff9, 2, 0, 0xfffffffd}, /* -7 / 2 = -3 */
        {GP_OP_SREM, 32, 0, 0, 0xfffffff9, 2, 0, 0xffffffff},
        {GP_OP_UREM, 8, 0, 0, 250, 7, 0, 5},
        {GP_OP_UDIV, 32, 0, 0, 1, 0, 0, UNDEFINED},
        {GP_OP_SREM, 32, 0, 0, 1, 0, 0, UNDEFINED},
        {GP_OP_SDIV, 32, 0, 0, 0x80000000, 0xffffffff, 0, UNDEFINED},
        {GP_OP_SDIV, 64, 0, 0, UINT64_C(1) << 63, UINT64_MAX, 0, UNDEFINED},
        {GP_OP_AND, 16, 0, 0, 0xff0f0f, 0xffff, 0, 0x0f0f},
        {GP_OP_OR, 8, 0, 0, 0x101, 2, 0, 3},
        {GP_OP_XOR, 1, 0, 0, 1, 1, 0, 0},
        {GP_OP_SHL, 32, 0, 0, 0x80000001, 1, 0, 2},
        {GP_OP_SHL, 32, 0, 0, 1, 32, 0, UNDEFINED},
        {GP_OP_LSHR, 32, 0, 0, 0x80000000, 31, 0, 1},
        {GP_OP_ASHR, 32, 0, 0, 0x80000000, 31, 0, 0xffffffff},
        {GP_OP_ASHR, 64, 0, 0, UINT64_C(1) << 63, 64, 0, UNDEFINED},
        {GP_OP_UMIN, 32, 0, 0, 0xffffffff, 1, 0, 1},
        {GP_OP_SMIN, 32, 0, 0, 0xffffffff, 1, 0, 0xffffffff},
        {GP_OP_UMAX, 32, 0, 0, 0xffffffff, 1, 0, 0xffffffff},
        {GP_OP_SMAX, 32, 0, 0, 0xffffffff, 1, 0, 1},
        {GP_OP_UMULHI, 32, 0, 0, 0xffffffff, 0xffffffff, 0, 0xfffffffe},
        {GP_OP_SMULHI, 32, 0, 0, 0xffffffff, 0xffffffff, 0, 0},
        {GP_OP_UMULHI, 64, 0, 0, UINT64_MAX, UINT64_MAX, 0, UINT64_MAX - 1},
        {GP_OP_SMULHI, 64, 0, 0, UINT64_C(1) << 63, 2, 0, UINT64_MAX},
        {GP_OP_POPCOUNT, 8, 0, 0, 0x3ff, 0, 0, 8},
        {GP_OP_CLZ, 32, 0, 0, 1, 0, 0, 31},
        {GP_OP_CLZ, 16, 0, 0, 0, 0, 0, 16},
        {GP_OP_CTZ, 32, 0, 0, 8, 0, 0, 3},
        {GP_OP_CTZ, 32, 0, 0, 0, 0, 0, 32},
        {GP_OP_BITREVERSE, 8, 0, 0, 0x12, 0, 0, 0x48},
        {GP_OP_BSWAP, 32, 0, 0, 0x12345678, 0, 0, 0x78563412},
        {GP_OP_BSWAP, 16, 0, 0, 0x1234, 0, 0, 0x3412},
        {GP_OP_ABS, 32, 0, 0, 0xfffffffb, 0, 0, 5},
        {GP_OP_FSHL, 32, 0, 0, 0x80000001, 0xc0000000, 1, 3},
        {GP_OP_FSHL, 32, 0, 0, 7, 9, 32, 7},
        {GP_OP_FSHL, 64, 0, 0, 1, UINT64_C(1) << 63, 65, 3},
        {GP_OP_SELECT, 32, 0, 0, 1, 7, 9, 7},
        {GP_OP_SELECT, 32, 0, 0, 0, 7, 9, 9},
        {GP_OP_TRUNC, 8, 32, 0, 0x1ff, 0, 0, 0xff},
        {GP_OP_ZEXT, 64, 32, 0, 0xffffffff, 0, 0, 0xffffffff},
        {GP_OP_SEXT, 64, 32, 0, 0xffffffff, 0, 0, UINT64_MAX},
        {GP_OP_SEXT, 32, 1, 0, 1, 0, 0, 0xffffffff},
        {GP_OP_COPY, 32, 0, 0, 0x123456789a, 0, 0, 0x3456789a},
        {GP_OP_LOAD, 32, 0, 0, 1, 0, 0, UNDEFINED},
    };
    CHECK(rows);
}

static void comparisons(void **state)
{
    (void)state;
    static const struct expectation rows[] = {
        {GP_OP_ICMP, 1, 32, GP_PRED_EQ, 0x100000001, 1, 0, 1}, /* the upper word is not compared */
        {GP_OP_ICMP, 1, 32, GP_PRED_NE, 1, 1, 0, 0},
        {GP_OP_ICMP, 1, 32, GP_PRED_ULT, 0xffffffff, 1, 0, 0},
        {GP_OP_ICMP, 1, 32, GP_PRED_SLT, 0xffffffff, 1, 0, 1},
        {GP_OP_ICMP, 1, 32, GP_PRED_UGE, 0xffffffff, 1, 0, 1},
        {GP_OP_ICMP, 1, 32, GP_PRED_SGE, 0xffffffff, 1, 0, 0},
        {GP_OP_ICMP, 1, 64, GP_PRED_SLE, 5, 5, 0, 1},
        {GP_OP_ICMP, 1, 64, GP_PRED_SGT, 5, 5, 0, 0},
        {GP_OP_ICMP, 1, 64, GP_PRED_ULE, 6, 5, 0, 0},
        {GP_OP_ICMP, 1, 64, GP_PRED_UGT, 6, 5, 0, 1},
        {GP_OP_ICMP, 1, 32, GP_PRED_OEQ, 1, 1, 0, UNDEFINED},
        {GP_OP_FCMP, 1, 32, GP_PRED_OLT, 0x3f800000, 0x40000000, 0, 1}, /* 1 < 2 */
        {GP_OP_FCMP, 1, 32, GP_PRED_OEQ, 0x80000000, 0, 0, 1},          /* -0 = 0 */
        {GP_OP_FCMP, 1, 32, GP_PRED_OLT, 0x7fc00000, 0x40000000, 0, 0}, /* NaN */
        {GP_OP_FCMP, 1, 32, GP_PRED_FULT, 0x7fc00000, 0x40000000, 0, 1},
        {GP_OP_FCMP, 1, 32, GP_PRED_ONE, 0x7fc00000, 0, 0, 0},
        {GP_OP_FCMP, 1, 32, GP_PRED_FUNE, 0x7fc00000, 0, 0, 1},
        {GP_OP_FCMP, 1, 64, GP_PRED_UNO, UINT64_C(0x7ff8000000000000), 0, 0, 1},
        {GP_OP_FCMP, 1, 64, GP_PRED_ORD, 0, 0, 0, 1},
        {GP_OP_FCMP, 1, 16, GP_PRED_OGT, 0x4000, 0x3c00, 0, 1}, /* 2 > 1 */
        {GP_OP_FCMP, 1, 8, GP_PRED_OGT, 0, 0, 0, UNDEFINED},
    };
    CHECK(rows);
}

/* 1.0f 3f800000, 2.0f 40000000, 3.0f 40400000, 1/3 in float 3eaaaaab; halves: 1 3c00, 2 4000, 65504 7bff. */
static void floats_are_exact(void **state)
{
    (void)state;
    static const struct expectation rows[] = {
        {GP_OP_FADD, 32, 0, 0, 0x3f800000, 0x40000000, 0, 0x40400000},
        {GP_OP_FSUB, 32, 0, 0, 0x3f800000, 0x40400000, 0, 0xc0000000},
        {GP_OP_FDIV, 32, 0, 0, 0x3f800000, 0x40400000, 0, 0x3eaaaaab},
        {GP_OP_FADD, 32, 0, 0, 0x4b800000, 0x3f800000, 0, 0x4b800000}, /* 2^24 + 1 = 2^24, to even */
        {GP_OP_FMUL, 64, 0, 0, UINT64_C(0x4000000000000000), UINT64_C(0x4008000000000000), 0,
         UINT64_C(0x4018000000000000)},              /* 2 * 3 */
        {GP_OP_FDIV, 32, 0, 0, 0, 0, 0, 0x7fc00000}, /* one NaN for all machines */
        {GP_OP_FDIV, 32, 0, 0, 0x3f800000, 0, 0, 0x7f800000},
        {GP_OP_FREM, 32, 0, 0, 0x40a00000, 0x40400000, 0, 0x40000000}, /* 5 mod 3 */
        {GP_OP_FNEG, 32, 0, 0, 0x3f800000, 0, 0, 0xbf800000},
        {GP_OP_FABS, 32, 0, 0, 0xbf800000, 0, 0, 0x3f800000},
        {GP_OP_FMIN, 32, 0, 0, 0x7fc00000, 0x3f800000, 0, 0x3f800000},
        {GP_OP_FMIN, 32, 0, 0, 0, 0x80000000, 0, 0x80000000},
        {GP_OP_FMAX, 32, 0, 0, 0x80000000, 0, 0, 0},
        {GP_OP_FMAX, 32, 0, 0, 0x3f800000, 0x40000000, 0, 0x40000000},
        /* (1 + 2^-12)^2 - 1 = 2^-11 + 2^-24: the product needs 25 bits, which only a fused operation keeps. */
        {GP_OP_FMA, 32, 0, 0, 0x3f800800, 0x3f800800, 0xbf800000, 0x3a000400},
        {GP_OP_FLOOR, 32, 0, 0, 0xbfc00000, 0, 0, 0xc0000000}, /* -1.5 */
        {GP_OP_CEIL, 32, 0, 0, 0xbfc00000, 0, 0, 0xbf800000},
        {GP_OP_FTRUNC, 32, 0, 0, 0xbfc00000, 0, 0, 0xbf800000},
        {GP_OP_ROUND, 32, 0, 0, 0x40200000, 0, 0, 0x40400000}, /* 2.5 away from zero: 3 */
        {GP_OP_RINT, 32, 0, 0, 0x40200000, 0, 0, 0x40000000},  /* 2.5 to even: 2 */
        {GP_OP_SQRT, 32, 0, 0, 0x41100000, 0, 0, 0x40400000},  /* 9 */
        {GP_OP_FADD, 16, 0, 0, 0x3c00, 0x4000, 0, 0x4200},
        {GP_OP_FADD, 16, 0, 0, 0x7bff, 0x7bff, 0, 0x7c00}, /* beyond 65504: infinity */
        {GP_OP_FADD, 16, 0, 0, 0x6800, 0x3c00, 0, 0x6800}, /* 2048 + 1 = 2048, to even */
        {GP_OP_FMUL, 16, 0, 0, 0x0400, 0x3800, 0, 0x0200}, /* 2^-14 / 2 is subnormal */
        {GP_OP_FADD, 8, 0, 0, 0, 0, 0, UNDEFINED},
    };
    CHECK(rows);
}

static void conversions(void **state)
{
    (void)state;
    static const struct expectation rows[] = {
        {GP_OP_FPTOSI, 32, 32, 0, 0xc0200000, 0, 0, 0xfffffffe}, /* -2.5 */
        {GP_OP_FPTOUI, 32, 32, 0, 0x40200000, 0, 0, 2},
        {GP_OP_FPTOUI, 32, 32, 0, 0xbf800000, 0, 0, UNDEFINED},  /* -1 */
        {GP_OP_FPTOSI, 32, 32, 0, 0x4f000000, 0, 0, UNDEFINED},  /* 2^31 */
        {GP_OP_FPTOSI, 32, 32, 0, 0xcf000000, 0, 0, 0x80000000}, /* -2^31 */
        {GP_OP_FPTOSI, 8, 32, 0, 0x7fc00000, 0, 0, UNDEFINED},
        {GP_OP_UITOFP, 32, 32, 0, 0xffffffff, 0, 0, 0x4f800000}, /* rounds to 2^32 */
        {GP_OP_SITOFP, 32, 32, 0, 0xffffffff, 0, 0, 0xbf800000},
        {GP_OP_SITOFP, 64, 32, 0, 0xfffffffe, 0, 0, UINT64_C(0xc000000000000000)},
        {GP_OP_UITOFP, 16, 32, 0, 70000, 0, 0, 0x7c00},
        {GP_OP_FPTRUNC, 32, 64, 0, UINT64_C(0x3fd5555555555555), 0, 0, 0x3eaaaaab},
        {GP_OP_FPEXT, 64, 32, 0, 0x3f800000, 0, 0, UINT64_C(0x3ff0000000000000)},
        {GP_OP_FPTRUNC, 16, 32, 0, 0x3eaaaaab, 0, 0, 0x3555},
        {GP_OP_FPEXT, 32, 16, 0, 0x3555, 0, 0, 0x3eaaa000},
        {GP_OP_FPEXT, 32, 16, 0, 0x0001, 0, 0, 0x33800000}, /* 2^-24 */
        {GP_OP_FPEXT, 32, 16, 0, 0xfc00, 0, 0, 0xff800000},
    };
    CHECK(rows);
}

/* ---- Symbols --------------------------------------------------------------------------------------------------- */

/* Fixed atoms: 1 a buffer (multiple of 256), 2 and 3 integers. */
static const uint8_t alignment[] = {0, 8, 0, 0};
static struct gp_symbols symbols;

static int set_up(void **state)
{
    (void)state;
    gp_symbols_init(&symbols, 3, alignment);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    gp_symbols_free(&symbols);
    return 0;
}

static struct gp_value known(uint64_t number) { return (struct gp_value){GP_SYMBOL_KNOWN, number}; }
static struct gp_value symbol(uint32_t number) { return (struct gp_value){number, 0}; }
static struct gp_value unknown(void) { return (struct gp_value){GP_SYMBOL_UNKNOWN, 0}; }

static struct gp_value apply(enum gp_op op, unsigned bits, struct gp_value a, struct gp_value b)
{
    struct gp_operation operation = {(uint8_t)op, (uint8_t)bits, 0, 0};
    return gp_value_apply(&symbols, &operation, (struct gp_value[3]){a, b, {0, 0}}, true);
}

static struct gp_value apply_lane(enum gp_op op, unsigned bits, struct gp_value a, struct gp_value b)
{
    struct gp_operation operation = {(uint8_t)op, (uint8_t)bits, 0, 0};
    return gp_value_apply(&symbols, &operation, (struct gp_value[3]){a, b, {0, 0}}, false);
}

static struct gp_value cast(enum gp_op op, unsigned bits, unsigned width, struct gp_value a)
{
    struct gp_operation operation = {(uint8_t)op, (uint8_t)bits, (uint8_t)width, 0};
    return gp_value_apply(&symbols, &operation, (struct gp_value[3]){a, {0, 0}, {0, 0}}, true);
}

static struct gp_value compare(enum gp_predicate predicate, struct gp_value a, struct gp_value b, bool uniform)
{
    struct gp_operation operation = {GP_OP_ICMP, 1, 32, (uint8_t)predicate};
    return gp_value_apply(&symbols, &operation, (struct gp_value[3]){a, b, {0, 0}}, uniform);
}

static void assert_value(struct gp_value value, uint32_t symbol_number, int64_t offset)
{
    assert_int_equal(value.symbol, symbol_number);
    assert_true((int64_t)value.offset == offset);
}

static void sums_are_the_same_however_they_are_made(void **state)
{
    (void)state;
    struct gp_value a = symbol(2), b = symbol(3), buffer = symbol(1);
    struct gp_value one = apply(GP_OP_ADD, 64, apply(GP_OP_ADD, 64, buffer, a), apply(GP_OP_ADD, 64, b, known(12)));
    struct gp_value less = apply(GP_OP_SUB, 64, buffer, known((uint64_t)-12));
    struct gp_value other = apply(GP_OP_ADD, 64, apply(GP_OP_ADD, 64, b, a), less);
    assert_value(one, other.symbol, 12);
    assert_value(other, other.symbol, 12);
    assert_value(apply(GP_OP_SUB, 64, one, b), apply(GP_OP_ADD, 64, a, buffer).symbol, 12);
    assert_value(apply(GP_OP_SUB, 64, apply(GP_OP_ADD, 32, a, known(7)), a), GP_SYMBOL_KNOWN, 7);
    assert_value(apply(GP_OP_ADD, 32, a, known(0xffffffff)), 2, -1); /* idx - 1 */
    struct gp_value three = apply(GP_OP_ADD, 32, a, known(3)), five = apply(GP_OP_ADD, 32, a, known(5));
    assert_value(apply(GP_OP_SUB, 32, three, five), GP_SYMBOL_KNOWN, 0xfffffffe);
}

static void scaling_is_linear(void **state)
{
    (void)state;
    struct gp_value a = apply(GP_OP_ADD, 32, symbol(2), known(5));
    struct gp_value wide = cast(GP_OP_SEXT, 64, 32, a);
    assert_value(wide, 2, 5);
    struct gp_value times = apply(GP_OP_MUL, 64, wide, known(4)), shifted = apply(GP_OP_SHL, 64, wide, known(2));
    assert_value(times, shifted.symbol, 20);
    assert_value(shifted, shifted.symbol, 20);
    assert_int_not_equal(times.symbol, 2);
    assert_value(apply(GP_OP_ADD, 64, times, shifted), apply(GP_OP_MUL, 64, symbol(2), known(8)).symbol, 40);
    assert_value(apply(GP_OP_LSHR, 64, shifted, known(2)), 2, 5);
    assert_value(apply(GP_OP_UDIV, 64, apply(GP_OP_ADD, 64, times, known(3)), known(4)), 2, 5); /* (4a + 23) / 4 */
    assert_value(apply(GP_OP_UREM, 64, apply(GP_OP_ADD, 64, times, known(3)), known(4)), GP_SYMBOL_KNOWN, 3);
    assert_value(apply(GP_OP_MUL, 32, a, known(0)), GP_SYMBOL_KNOWN, 0);
    assert_value(apply(GP_OP_MUL, 32, unknown(), known(0)), GP_SYMBOL_KNOWN, 0);
}

/* (a + 2)(b + 3) = ab + 3a + 2b + 6 */
static void products_of_symbols_expand(void **state)
{
    (void)state;
    struct gp_value a = symbol(2), b = symbol(3);
    struct gp_value a2 = apply(GP_OP_ADD, 32, a, known(2)), b3 = apply(GP_OP_ADD, 32, b, known(3));
    struct gp_value product = apply(GP_OP_MUL, 32, a2, b3);
    struct gp_value expected = apply(GP_OP_MUL, 32, b, a);
    expected = apply(GP_OP_ADD, 32, expected, apply(GP_OP_MUL, 32, a, known(3)));
    expected = apply(GP_OP_ADD, 32, expected, apply(GP_OP_MUL, 32, known(2), b));
    assert_value(product, expected.symbol, 6);
}

static void alignment_decides_low_bits(void **state)
{
    (void)state;
    struct gp_value address = apply(GP_OP_ADD, 64, symbol(1), known(0x134));
    assert_value(apply(GP_OP_AND, 64, address, known(127)), GP_SYMBOL_KNOWN, 0x34);
    assert_value(apply(GP_OP_AND, 64, address, known((uint64_t)-16)), 1, 0x130);
    assert_value(apply(GP_OP_OR, 64, address, known(3)), 1, 0x137);
    assert_value(apply(GP_OP_XOR, 64, address, known(0x30)), 1, 0x104);
    assert_value(apply(GP_OP_UREM, 64, address, known(256)), GP_SYMBOL_KNOWN, 0x34);
    struct gp_value row = apply(GP_OP_MUL, 32, symbol(2), known(16));
    assert_value(apply_lane(GP_OP_XOR, 32, apply(GP_OP_ADD, 32, row, known(5)), known(3)), row.symbol, 6);
    struct gp_value negative = apply(GP_OP_SUB, 32, known(0), symbol(2));
    assert_value(apply(GP_OP_XOR, 32, symbol(2), known(0xffffffff)), negative.symbol, -1);
    assert_value(apply_lane(GP_OP_AND, 32, apply(GP_OP_ADD, 32, symbol(2), known(5)), known(3)), GP_SYMBOL_UNKNOWN, 0);
}

/* ((ulong)a | (ulong)b) & 15: the row of another buffer's beside, and what no alignment is known of. */
static void joined_bits_are_as_aligned_as_both(void **state)
{
    (void)state;
    struct gp_value address = apply(GP_OP_ADD, 64, symbol(1), known(0x104)),
                    row = apply(GP_OP_MUL, 64, symbol(2), known(64));
    struct gp_value both = apply(GP_OP_OR, 64, address, apply(GP_OP_ADD, 64, row, known(8)));
    assert_value(apply(GP_OP_AND, 64, both, known(15)), GP_SYMBOL_KNOWN, 12);
    assert_value(apply(GP_OP_AND, 64, both, known(63)), GP_SYMBOL_KNOWN, 12);
    assert_true(apply(GP_OP_AND, 64, both, known(64)).symbol != GP_SYMBOL_KNOWN);
    assert_value(apply(GP_OP_AND, 64, apply(GP_OP_OR, 64, address, known(0x4002)), known(15)), GP_SYMBOL_KNOWN, 6);
    assert_value(apply(GP_OP_AND, 64, apply(GP_OP_XOR, 64, address, row), known(7)), GP_SYMBOL_KNOWN, 4);
    assert_true(apply(GP_OP_AND, 64, apply(GP_OP_OR, 64, address, symbol(2)), known(1)).symbol != GP_SYMBOL_KNOWN);
    /* (row + lane) ^ 0x555: what is above the row's alignment is the same for all lanes of the row, not for the next
     * one's */
    struct gp_value first = apply(GP_OP_XOR, 64, row, known(0x555)),
                    ninth = apply(GP_OP_XOR, 64, apply(GP_OP_ADD, 64, row, known(9)), known(0x555));
    assert_int_equal(first.symbol, ninth.symbol);
    assert_int_equal(first.offset, 0x15);
    assert_int_equal(ninth.offset, 0x1c);
    assert_int_not_equal(apply(GP_OP_XOR, 64, apply(GP_OP_ADD, 64, row, known(64)), known(0x555)).symbol, first.symbol);
}

static void comparisons_of_one_symbol_are_known(void **state)
{
    (void)state;
    struct gp_value a = symbol(2), more = apply(GP_OP_ADD, 32, a, known(4));
    assert_value(compare(GP_PRED_SLT, a, more, true), GP_SYMBOL_KNOWN, 1);
    assert_value(compare(GP_PRED_UGE, a, more, true), GP_SYMBOL_KNOWN, 0);
    assert_value(compare(GP_PRED_EQ, a, a, true), GP_SYMBOL_KNOWN, 1);
    assert_value(compare(GP_PRED_SLT, more, symbol(3), false), GP_SYMBOL_UNKNOWN, 0);
    struct gp_value same_for_all = compare(GP_PRED_SLT, more, symbol(3), true);
    assert_true(same_for_all.symbol != GP_SYMBOL_UNKNOWN && same_for_all.symbol != GP_SYMBOL_KNOWN);
    assert_int_equal(compare(GP_PRED_SLT, more, symbol(3), true).symbol, same_for_all.symbol);
    assert_int_not_equal(compare(GP_PRED_SGT, more, symbol(3), true).symbol, same_for_all.symbol);
}

/* Of buffers 1 and 2, an integer 3: addresses in both are apart, in their order; anything else is left open. */
static void places_in_two_buffers_are_in_order(void **state)
{
    (void)state;
    static const uint8_t two_buffers[] = {0, 8, 8, 0};
    struct gp_symbols own;
    gp_symbols_init(&own, 3, two_buffers);
    struct gp_operation less = {GP_OP_ICMP, 1, 64, GP_PRED_ULT}, greater = {GP_OP_ICMP, 1, 64, GP_PRED_UGT},
                        equal = {GP_OP_ICMP, 1, 64, GP_PRED_EQ};
    struct gp_operation add = {GP_OP_ADD, 64, 0, 0}, scale = {GP_OP_MUL, 64, 0, 0};
    struct gp_value row = gp_value_apply(&own, &scale, (struct gp_value[3]){symbol(3), known(64), {0, 0}}, true), truth;
    struct gp_value a = gp_value_apply(&own, &add, (struct gp_value[3]){symbol(1), row, {0, 0}}, true), b = {2, 4096};
    struct gp_value sum = gp_value_apply(&own, &add, (struct gp_value[3]){symbol(1), symbol(2), {0, 0}}, true),
                    twice = gp_value_apply(&own, &scale, (struct gp_value[3]){symbol(2), known(2), {0, 0}}, true);
    assert_true(gp_value_compare_places(&own, &less, a, b, &truth));
    assert_value(truth, GP_SYMBOL_KNOWN, 1);
    assert_true(gp_value_compare_places(&own, &less, b, a, &truth));
    assert_value(truth, GP_SYMBOL_KNOWN, 0);
    assert_true(gp_value_compare_places(&own, &greater, b, a, &truth));
    assert_value(truth, GP_SYMBOL_KNOWN, 1);
    assert_true(gp_value_compare_places(&own, &equal, a, b, &truth));
    assert_value(truth, GP_SYMBOL_KNOWN, 0);
    assert_false(gp_value_compare_places(&own, &less, a, symbol(1), &truth));
    assert_false(gp_value_compare_places(&own, &less, a, row, &truth));
    assert_false(gp_value_compare_places(&own, &less, a, known(4096), &truth));
    assert_false(gp_value_compare_places(&own, &less, a, unknown(), &truth));
    assert_false(gp_value_compare_places(&own, &less, sum, b, &truth));
    assert_false(gp_value_compare_places(&own, &less, a, twice, &truth));
    assert_false(gp_value_compare_places(&own, &less, a, (struct gp_value){2, UINT64_C(1) << 50}, &truth));
    assert_false(gp_value_compare_places(&own, &add, a, b, &truth));
    gp_symbols_free(&own);
}

static void what_is_not_linear_derives_a_symbol_or_nothing(void **state)
{
    (void)state;
    struct gp_value a = symbol(2);
    struct gp_value shifted = apply(GP_OP_LSHR, 32, a, known(3));
    assert_true(gp_symbol_is_fresh(&symbols, shifted.symbol));
    assert_int_equal(apply(GP_OP_LSHR, 32, a, known(3)).symbol, shifted.symbol);
    assert_value(apply_lane(GP_OP_LSHR, 32, a, known(3)), GP_SYMBOL_UNKNOWN, 0);
    assert_value(apply(GP_OP_LSHR, 32, unknown(), known(3)), GP_SYMBOL_UNKNOWN, 0);
    assert_value(apply(GP_OP_UDIV, 32, known(1), known(0)), apply(GP_OP_UDIV, 32, known(1), known(0)).symbol, 0);
    assert_value(apply_lane(GP_OP_UDIV, 32, known(1), known(0)), GP_SYMBOL_UNKNOWN, 0);
    assert_value(cast(GP_OP_TRUNC, 32, 64, apply(GP_OP_ADD, 64, a, known(9))), 2, 9);
    assert_true(gp_symbol_is_fresh(&symbols, cast(GP_OP_TRUNC, 8, 32, a).symbol));
    assert_value(cast(GP_OP_TRUNC, 8, 64, apply(GP_OP_ADD, 64, symbol(1), known(0x1ff))), GP_SYMBOL_KNOWN, 0xff);
}

static void either_keeps_distances(void **state)
{
    (void)state;
    struct gp_value condition = symbol(2);
    struct gp_value first = gp_value_either(&symbols, condition, known(100), symbol(1), 64);
    struct gp_value next = gp_value_either(&symbols, condition, known(104), (struct gp_value){1, 4}, 64);
    assert_int_equal(first.symbol, next.symbol);
    assert_int_equal(next.offset - first.offset, 4);
    assert_value(gp_value_either(&symbols, condition, known(5), known(5), 32), GP_SYMBOL_KNOWN, 5);
    assert_value(gp_value_either(&symbols, unknown(), known(5), known(6), 32), GP_SYMBOL_UNKNOWN, 0);
}

static void long_sums_become_atoms(void **state)
{
    (void)state;
    struct gp_value sum = known(0);
    for (int i = 0; i < 3 * GP_MAX_TERMS; i++)
        sum = apply(GP_OP_ADD, 64, sum, symbol(gp_symbols_fresh(&symbols, gp_symbols_own_name(&symbols))));
    assert_true(sum.symbol != GP_SYMBOL_UNKNOWN && sum.symbol != GP_SYMBOL_KNOWN);
    assert_value(apply(GP_OP_SUB, 64, apply(GP_OP_ADD, 64, sum, known(3)), sum), GP_SYMBOL_KNOWN, 3);
}

/* Two million sums: the tables stay bounded, and what is held keeps its meaning. */
static void compaction_keeps_what_is_held(void **state)
{
    (void)state;
    struct gp_value held = apply(GP_OP_ADD, 64, symbol(1), apply(GP_OP_MUL, 64, symbol(2), known(4)));
    for (int i = 0; i < 2000000; i++) {
        apply(GP_OP_ADD, 64, symbol(1), symbol(gp_symbols_fresh(&symbols, gp_symbols_own_name(&symbols))));
        if (!gp_symbols_crowded(&symbols))
            continue;
        uint32_t *used = gp_symbols_begin_compact(&symbols);
        gp_symbols_mark(used, held.symbol);
        gp_symbols_mark(used, GP_SYMBOL_UNKNOWN);
        gp_symbols_finish_compact(&symbols, used);
        held.symbol = gp_symbols_moved(used, held.symbol);
        assert_int_equal(gp_symbols_moved(used, GP_SYMBOL_UNKNOWN), GP_SYMBOL_UNKNOWN);
        free(used);
    }
    assert_true(symbols.form_capacity <= 1 << 17);
    assert_value(apply(GP_OP_SUB, 64, held, symbol(1)), apply(GP_OP_SHL, 64, symbol(2), known(2)).symbol, 0);
    assert_value(held, apply(GP_OP_ADD, 64, apply(GP_OP_SHL, 64, symbol(2), known(2)), symbol(1)).symbol, 0);
}

/* What another execution finds at the same address, or computes of it, has the same name, whatever number it gets
 * there; what is its own has another. */
static void names_outlive_executions(void **state)
{
    (void)state;
    uint32_t row[2], sum[2], product[2], own[2];
    for (uint32_t execution = 0; execution < 2; execution++) {
        gp_symbols_reset(&symbols, execution);
        for (uint32_t i = 0; i < 3 * execution; i++) /* other numbers, in another order */
            gp_symbols_fresh(&symbols, gp_symbols_own_name(&symbols));
        uint32_t loaded[2];
        for (uint32_t i = 0; i < 2; i++) {
            uint32_t which = execution == 0 ? i : 1 - i;
            loaded[which] =
                gp_symbols_fresh(&symbols, gp_symbols_loaded_name(&symbols, (struct gp_value){1, 8 * which}, 32));
        }
        struct gp_value both = apply(GP_OP_ADD, 64, symbol(loaded[0]), symbol(loaded[1]));
        row[execution] = gp_symbols_name(&symbols, loaded[0]);
        sum[execution] = gp_symbols_name(&symbols, both.symbol);
        product[execution] =
            gp_symbols_name(&symbols, apply(GP_OP_MUL, 64, symbol(loaded[0]), symbol(loaded[1])).symbol);
        own[execution] = gp_symbols_name(&symbols, gp_symbols_fresh(&symbols, gp_symbols_own_name(&symbols)));
        assert_int_not_equal(row[execution], gp_symbols_name(&symbols, loaded[1]));
        assert_true(gp_symbol_name_is_loaded(row[execution]) && gp_symbol_name_is_loaded(sum[execution]) &&
                    gp_symbol_name_is_loaded(product[execution]));
    }
    assert_int_equal(row[0], row[1]);
    assert_int_equal(sum[0], sum[1]);
    assert_int_equal(product[0], product[1]);
    assert_int_not_equal(own[0], own[1]);
    struct gp_value twice = apply(GP_OP_MUL, 64, symbol(1), (struct gp_value){GP_SYMBOL_KNOWN, 2});
    assert_false(gp_symbol_name_is_loaded(gp_symbols_name(&symbols, twice.symbol)));
    assert_int_equal(gp_symbols_name(&symbols, 1), 1);
    assert_int_equal(gp_symbols_name(&symbols, GP_SYMBOL_UNKNOWN), GP_SYMBOL_UNKNOWN);
}

int main(void)
{
#define WITH_SYMBOLS(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers_wrap_at_their_width),
        cmocka_unit_test(comparisons),
        cmocka_unit_test(floats_are_exact),
        cmocka_unit_test(conversions),
        WITH_SYMBOLS(sums_are_the_same_however_they_are_made),
        WITH_SYMBOLS(scaling_is_linear),
        WITH_SYMBOLS(products_of_symbols_expand),
        WITH_SYMBOLS(alignment_decides_low_bits),
        WITH_SYMBOLS(joined_bits_are_as_aligned_as_both),
        WITH_SYMBOLS(comparisons_of_one_symbol_are_known),
        cmocka_unit_test(places_in_two_buffers_are_in_order),
        WITH_SYMBOLS(what_is_not_linear_derives_a_symbol_or_nothing),
        WITH_SYMBOLS(either_keeps_distances),
        WITH_SYMBOLS(long_sums_become_atoms),
        WITH_SYMBOLS(compaction_keeps_what_is_held),
        WITH_SYMBOLS(names_outlive_executions),
    };
    return cmocka_run_group_tests_name("values", tests, NULL, NULL);
}
