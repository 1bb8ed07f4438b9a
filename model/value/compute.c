/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Pure operations on numbers. Floating point is computed in double and rounded once more to the operand's width: for
 * + - * / and square root that gives the correctly rounded result (Figueroa, "When is double rounding innocuous?",
 * 1995), the rounding operations and fmod are exact, and only fma needs its own width.
 */
#include <math.h>
#include <string.h>

#include "model/value/value.h"

const uint8_t gp_operation_arities[GP_OP_COUNT] = {
    [GP_OP_ADD] = 2,    [GP_OP_SUB] = 2,      [GP_OP_MUL] = 2,    [GP_OP_UDIV] = 2,   [GP_OP_SDIV] = 2,
    [GP_OP_UREM] = 2,   [GP_OP_SREM] = 2,     [GP_OP_AND] = 2,    [GP_OP_OR] = 2,     [GP_OP_XOR] = 2,
    [GP_OP_SHL] = 2,    [GP_OP_LSHR] = 2,     [GP_OP_ASHR] = 2,   [GP_OP_UMIN] = 2,   [GP_OP_UMAX] = 2,
    [GP_OP_SMIN] = 2,   [GP_OP_SMAX] = 2,     [GP_OP_UMULHI] = 2, [GP_OP_SMULHI] = 2, [GP_OP_ICMP] = 2,
    [GP_OP_FCMP] = 2,   [GP_OP_FADD] = 2,     [GP_OP_FSUB] = 2,   [GP_OP_FMUL] = 2,   [GP_OP_FDIV] = 2,
    [GP_OP_FREM] = 2,   [GP_OP_FMIN] = 2,     [GP_OP_FMAX] = 2,   [GP_OP_FSHL] = 3,   [GP_OP_SELECT] = 3,
    [GP_OP_FMA] = 3,    [GP_OP_POPCOUNT] = 1, [GP_OP_CLZ] = 1,    [GP_OP_CTZ] = 1,    [GP_OP_BITREVERSE] = 1,
    [GP_OP_BSWAP] = 1,  [GP_OP_ABS] = 1,      [GP_OP_TRUNC] = 1,  [GP_OP_ZEXT] = 1,   [GP_OP_SEXT] = 1,
    [GP_OP_FPTOUI] = 1, [GP_OP_FPTOSI] = 1,   [GP_OP_UITOFP] = 1, [GP_OP_SITOFP] = 1, [GP_OP_FPTRUNC] = 1,
    [GP_OP_FPEXT] = 1,  [GP_OP_COPY] = 1,     [GP_OP_FNEG] = 1,   [GP_OP_FABS] = 1,   [GP_OP_FLOOR] = 1,
    [GP_OP_CEIL] = 1,   [GP_OP_FTRUNC] = 1,   [GP_OP_ROUND] = 1,  [GP_OP_RINT] = 1,   [GP_OP_SQRT] = 1,
};

/* ---- Floating-point formats ------------------------------------------------------------------------------------ */

static double half_to_double(uint16_t half)
{
    unsigned exponent = half >> 10 & 31, mantissa = half & 1023;
    double magnitude;
    if (exponent == 31)
        magnitude = mantissa ? NAN : INFINITY;
    else if (exponent == 0)
        magnitude = ldexp(mantissa, -24);
    else
        magnitude = ldexp(1024 + mantissa, (int)exponent - 25);
    return half >> 15 ? -magnitude : magnitude;
}

/* Round to nearest, ties to even. 65520 is half-way between the largest half, 65504, and the next power of two. */
static uint16_t half_from_double(double value)
{
    uint16_t sign = signbit(value) ? 0x8000 : 0;
    double magnitude = fabs(value);
    if (magnitude >= 65520.0)
        return sign | 0x7c00;
    if (magnitude < 0x1p-14)
        return (uint16_t)(sign |
                          (unsigned)rint(magnitude * 0x1p24)); /* 1024 is the smallest normal number, as it should be */
    int exponent;
    double mantissa = rint(ldexp(frexp(magnitude, &exponent), 11)); /* 1024 .. 2048 */
    return (uint16_t)(sign | (unsigned)(((exponent + 14) << 10) + ((int)mantissa - 1024)));
}

static bool is_float_width(unsigned bits) { return bits == 16 || bits == 32 || bits == 64; }

static double float_load(uint64_t pattern, unsigned bits)
{
    if (bits == 16)
        return half_to_double((uint16_t)pattern);
    if (bits == 32) {
        uint32_t word = (uint32_t)pattern;
        float value;
        memcpy(&value, &word, sizeof value);
        return (double)value;
    }
    double value;
    memcpy(&value, &pattern, sizeof value);
    return value;
}

/* One NaN for all, since machines differ in the NaN they make. */
static uint64_t float_store(double value, unsigned bits)
{
    if (bits == 16)
        return isnan(value) ? 0x7e00 : half_from_double(value);
    if (bits == 32) {
        if (isnan(value))
            return 0x7fc00000;
        float narrow = (float)value;
        uint32_t word;
        memcpy(&word, &narrow, sizeof word);
        return word;
    }
    if (isnan(value))
        return UINT64_C(0x7ff8000000000000);
    uint64_t pattern;
    memcpy(&pattern, &value, sizeof pattern);
    return pattern;
}

static double float_min(double a, double b)
{
    if (isnan(a) || isnan(b))
        return isnan(a) ? b : a;
    if (a == b)
        return signbit(a) ? a : b;
    return a < b ? a : b;
}

static double float_max(double a, double b)
{
    if (isnan(a) || isnan(b))
        return isnan(a) ? b : a;
    if (a == b)
        return signbit(a) ? b : a;
    return a > b ? a : b;
}

static bool float_compute(enum gp_op op, unsigned bits, uint64_t a, uint64_t b, uint64_t c, uint64_t *result)
{
    if (!is_float_width(bits))
        return false;
    uint64_t sign = UINT64_C(1) << (bits - 1), mask = gp_bits_mask(bits);
    double x = float_load(a, bits), y = float_load(b, bits), z, value;
    switch (op) {
    case GP_OP_FNEG: *result = (a ^ sign) & mask; return true;
    case GP_OP_FABS: *result = a & mask & ~sign; return true;
    case GP_OP_FADD: value = x + y; break;
    case GP_OP_FSUB: value = x - y; break;
    case GP_OP_FMUL: value = x * y; break;
    case GP_OP_FDIV: value = x / y; break;
    case GP_OP_FREM: value = fmod(x, y); break;
    case GP_OP_FMIN: value = float_min(x, y); break;
    case GP_OP_FMAX: value = float_max(x, y); break;
    case GP_OP_FLOOR: value = floor(x); break;
    case GP_OP_CEIL: value = ceil(x); break;
    case GP_OP_FTRUNC: value = trunc(x); break;
    case GP_OP_ROUND: value = round(x); break;
    case GP_OP_RINT: value = rint(x); break;
    case GP_OP_SQRT: value = sqrt(x); break;
    case GP_OP_FMA:
        z = float_load(c, bits);
        value = bits == 32 ? (double)fmaf((float)x, (float)y, (float)z) : fma(x, y, z);
        break;
    default: return false;
    }
    *result = float_store(value, bits);
    return true;
}

/* ---- Compares and conversions ---------------------------------------------------------------------------------- */

static bool compare_integers(unsigned predicate, unsigned width, uint64_t a, uint64_t b, uint64_t *result)
{
    uint64_t mask = gp_bits_mask(width);
    int64_t x = (int64_t)gp_sign_extend(a, width), y = (int64_t)gp_sign_extend(b, width);
    a &= mask;
    b &= mask;
    switch (predicate) {
    case GP_PRED_EQ: *result = a == b; return true;
    case GP_PRED_NE: *result = a != b; return true;
    case GP_PRED_ULT: *result = a < b; return true;
    case GP_PRED_ULE: *result = a <= b; return true;
    case GP_PRED_UGT: *result = a > b; return true;
    case GP_PRED_UGE: *result = a >= b; return true;
    case GP_PRED_SLT: *result = x < y; return true;
    case GP_PRED_SLE: *result = x <= y; return true;
    case GP_PRED_SGT: *result = x > y; return true;
    case GP_PRED_SGE: *result = x >= y; return true;
    default: return false;
    }
}

static bool compare_floats(unsigned predicate, unsigned width, uint64_t a, uint64_t b, uint64_t *result)
{
    if (!is_float_width(width))
        return false;
    double x = float_load(a, width), y = float_load(b, width);
    bool unordered = isnan(x) || isnan(y);
    switch (predicate) {
    case GP_PRED_OEQ: *result = x == y; return true;
    case GP_PRED_ONE: *result = !unordered && x != y; return true;
    case GP_PRED_OLT: *result = x < y; return true;
    case GP_PRED_OLE: *result = x <= y; return true;
    case GP_PRED_OGT: *result = x > y; return true;
    case GP_PRED_OGE: *result = x >= y; return true;
    case GP_PRED_ORD: *result = !unordered; return true;
    case GP_PRED_FUEQ: *result = unordered || x == y; return true;
    case GP_PRED_FUNE: *result = unordered || x != y; return true;
    case GP_PRED_FULT: *result = unordered || x < y; return true;
    case GP_PRED_FULE: *result = unordered || x <= y; return true;
    case GP_PRED_FUGT: *result = unordered || x > y; return true;
    case GP_PRED_FUGE: *result = unordered || x >= y; return true;
    case GP_PRED_UNO: *result = unordered; return true;
    default: return false;
    }
}

static bool float_to_integer(const struct gp_operation *o, uint64_t a, uint64_t *result)
{
    if (!is_float_width(o->width) || o->bits == 0)
        return false;
    unsigned bits = o->bits > 64 ? 64 : o->bits;
    double value = trunc(float_load(a, o->width));
    bool is_signed = o->op == GP_OP_FPTOSI;
    double limit = ldexp(1.0, (int)bits - is_signed); /* exclusive */
    double least = is_signed ? -limit : 0.0;
    if (!(value >= least && value < limit))
        return false;
    *result = (is_signed ? (uint64_t)(int64_t)value : (uint64_t)value) & gp_bits_mask(bits);
    return true;
}

static bool integer_to_float(const struct gp_operation *o, uint64_t a, uint64_t *result)
{
    if (!is_float_width(o->bits))
        return false;
    bool is_signed = o->op == GP_OP_SITOFP;
    uint64_t number = is_signed ? gp_sign_extend(a, o->width) : a & gp_bits_mask(o->width);
    double value;
    if (o->bits == 32) /* one rounding, not two */
        value = (double)(is_signed ? (float)(int64_t)number : (float)number);
    else
        value = is_signed ? (double)(int64_t)number : (double)number;
    *result = float_store(value, o->bits);
    return true;
}

/* ---- Integers -------------------------------------------------------------------------------------------------- */

static uint64_t reverse_bits(uint64_t value, unsigned bits)
{
    uint64_t reversed = 0;
    for (unsigned i = 0; i < bits; i++)
        reversed |= (value >> i & 1) << (bits - 1 - i);
    return reversed;
}

static uint64_t leading_zeros(uint64_t value, unsigned bits)
{
    return value ? (unsigned)__builtin_clzll(value) - (64 - bits) : bits;
}

static uint64_t multiply_high(uint64_t a, uint64_t b, unsigned bits, bool is_signed)
{
    if (is_signed)
        return (uint64_t)((__int128)(int64_t)gp_sign_extend(a, bits) * (int64_t)gp_sign_extend(b, bits) >> bits);
    return (uint64_t)((unsigned __int128)a * b >> bits);
}

static bool divide_signed(enum gp_op op, unsigned bits, uint64_t a, uint64_t b, uint64_t *result)
{
    int64_t x = (int64_t)gp_sign_extend(a, bits), y = (int64_t)gp_sign_extend(b, bits);
    if (y == 0 || (y == -1 && x == (int64_t)gp_sign_extend(UINT64_C(1) << (bits - 1), bits)))
        return false;
    *result = (uint64_t)(op == GP_OP_SDIV ? x / y : x % y);
    return true;
}

static bool integer_compute(enum gp_op op, unsigned bits, uint64_t a, uint64_t b, uint64_t c, uint64_t *result)
{
    uint64_t mask = gp_bits_mask(bits);
    a &= mask;
    b &= mask;
    int64_t x = (int64_t)gp_sign_extend(a, bits), y = (int64_t)gp_sign_extend(b, bits);
    switch (op) {
    case GP_OP_ADD: *result = a + b; break;
    case GP_OP_SUB: *result = a - b; break;
    case GP_OP_MUL: *result = a * b; break;
    case GP_OP_UDIV:
        if (b == 0)
            return false;
        *result = a / b;
        break;
    case GP_OP_UREM:
        if (b == 0)
            return false;
        *result = a % b;
        break;
    case GP_OP_SDIV:
    case GP_OP_SREM:
        if (!divide_signed(op, bits, a, b, result))
            return false;
        break;
    case GP_OP_AND: *result = a & b; break;
    case GP_OP_OR: *result = a | b; break;
    case GP_OP_XOR: *result = a ^ b; break;
    case GP_OP_SHL:
        if (b >= bits)
            return false;
        *result = a << b;
        break;
    case GP_OP_LSHR:
        if (b >= bits)
            return false;
        *result = a >> b;
        break;
    case GP_OP_ASHR:
        if (b >= bits)
            return false;
        *result = (uint64_t)(x >> b);
        break;
    case GP_OP_UMIN: *result = a < b ? a : b; break;
    case GP_OP_UMAX: *result = a > b ? a : b; break;
    case GP_OP_SMIN: *result = x < y ? a : b; break;
    case GP_OP_SMAX: *result = x > y ? a : b; break;
    case GP_OP_UMULHI:
    case GP_OP_SMULHI: *result = multiply_high(a, b, bits, op == GP_OP_SMULHI); break;
    case GP_OP_POPCOUNT: *result = (uint64_t)__builtin_popcountll(a); break;
    case GP_OP_CLZ: *result = leading_zeros(a, bits); break;
    case GP_OP_CTZ: *result = a ? (uint64_t)__builtin_ctzll(a) : bits; break;
    case GP_OP_BITREVERSE: *result = reverse_bits(a, bits); break;
    case GP_OP_BSWAP: *result = __builtin_bswap64(a) >> (64 - bits); break;
    case GP_OP_ABS: *result = x < 0 ? 0 - a : a; break;
    case GP_OP_FSHL:
        c = (c & mask) % bits;
        *result = c ? a << c | b >> (bits - c) : a;
        break;
    case GP_OP_COPY: *result = a; break;
    default: return false;
    }
    *result &= mask;
    return true;
}

bool gp_operation_is_float(enum gp_op op)
{
    switch (op) {
    case GP_OP_FADD:
    case GP_OP_FSUB:
    case GP_OP_FMUL:
    case GP_OP_FDIV:
    case GP_OP_FREM:
    case GP_OP_FNEG:
    case GP_OP_FMA:
    case GP_OP_FABS:
    case GP_OP_FMIN:
    case GP_OP_FMAX:
    case GP_OP_FLOOR:
    case GP_OP_CEIL:
    case GP_OP_FTRUNC:
    case GP_OP_ROUND:
    case GP_OP_RINT:
    case GP_OP_SQRT: return true;
    default: return false;
    }
}

bool gp_compute(const struct gp_operation *o, uint64_t a, uint64_t b, uint64_t c, uint64_t *result)
{
    if (o->bits == 0 || o->bits > 64)
        return false;
    switch (o->op) {
    case GP_OP_ICMP: return compare_integers(o->sub, o->width, a, b, result);
    case GP_OP_FCMP: return compare_floats(o->sub, o->width, a, b, result);
    case GP_OP_SELECT: *result = (a & 1 ? b : c) & gp_bits_mask(o->bits); return true;
    case GP_OP_TRUNC: *result = a & gp_bits_mask(o->bits); return true;
    case GP_OP_ZEXT: *result = a & gp_bits_mask(o->width) & gp_bits_mask(o->bits); return true;
    case GP_OP_SEXT: *result = gp_sign_extend(a, o->width) & gp_bits_mask(o->bits); return true;
    case GP_OP_FPTOUI:
    case GP_OP_FPTOSI: return float_to_integer(o, a, result);
    case GP_OP_UITOFP:
    case GP_OP_SITOFP: return integer_to_float(o, a, result);
    case GP_OP_FPTRUNC:
    case GP_OP_FPEXT:
        if (!is_float_width(o->bits) || !is_float_width(o->width))
            return false;
        *result = float_store(float_load(a, o->width), o->bits);
        return true;
    default:
        if (gp_operation_is_float(o->op))
            return float_compute(o->op, o->bits, a, b, c, result);
        return integer_compute(o->op, o->bits, a, b, c, result);
    }
}
