/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Rows that data decides, columns that it does not: of table[row[i] * 32 + lane] in local memory nobody knows the
 * address, but its low bits, and by these that no two of 32 lanes meet in a bank. So are tables laid out that have a
 * copy in each bank, and counters of which each lane has its own.
 */
#include "model/executor/executor_internal.h"

/* A row: 32 banks of 32 bits, which are all that local memory has. */
enum { ROW_BITS = 7, ROW_LANES = 32, WORD_BITS = 2, DEEPEST = 8 };

/* The bits of a number that are known. */
struct bits {
    uint64_t known, value;
};

static struct bits low(unsigned count, uint64_t value)
{
    return (struct bits){gp_bits_mask(count), value & gp_bits_mask(count)};
}

static unsigned known_below(struct bits b) { return ~b.known == 0 ? 64 : (unsigned)__builtin_ctzll(~b.known); }

/* What is added to the same in all lanes moves them together: it is taken as a multiple of a row. That holds for sums,
 * not for what else is done with them. */
static struct bits of_symbol(const struct gp_executor *ex, const struct slot *slot, struct gp_value value, bool summed)
{
    if (summed && slot->shape != SHAPE_MIXED)
        return low(64, value.offset);
    unsigned zeros = gp_symbols_zero_bits(&ex->symbols, value.symbol);
    return low(zeros < 64 ? zeros : 63, value.offset);
}

static struct bits bits_of(const struct gp_executor *ex, uint32_t slot, unsigned lane, bool summed, int depth);

static struct bits of_sum(struct bits a, struct bits b, bool subtract)
{
    unsigned below = known_below(a) < known_below(b) ? known_below(a) : known_below(b);
    return low(below, subtract ? a.value - b.value : a.value + b.value);
}

static struct bits of_product(struct bits a, struct bits b)
{
    if (~a.known == 0) {
        struct bits other = a;
        a = b;
        b = other;
    }
    if (~b.known != 0 || b.value == 0)
        return ~b.known != 0 ? (struct bits){0, 0} : low(64, 0);
    unsigned below = known_below(a) + (unsigned)__builtin_ctzll(b.value);
    return low(below < 64 ? below : 64, a.value * b.value);
}

static struct bits of_shift(struct bits a, struct bits by, bool left)
{
    if (~by.known != 0 || by.value >= 64)
        return (struct bits){0, 0};
    return left ? (struct bits){a.known << by.value | gp_bits_mask((unsigned)by.value), a.value << by.value}
                : (struct bits){a.known >> by.value, a.value >> by.value};
}

static struct bits of_operation(const struct gp_executor *ex, const struct op *op, unsigned lane, bool summed,
                                int depth)
{
    enum gp_op what = (enum gp_op)op->operation.op;
    bool sum = what == GP_OP_ADD || what == GP_OP_SUB,
         cast = what == GP_OP_ZEXT || what == GP_OP_SEXT || what == GP_OP_TRUNC || what == GP_OP_COPY;
    struct bits a = bits_of(ex, op->in[0], lane, summed && (sum || cast), depth), b = {0, 0};
    if (op->arity == 2)
        b = bits_of(ex, op->in[1], lane, summed && sum, depth);
    switch (what) {
    case GP_OP_ADD:
    case GP_OP_SUB: return of_sum(a, b, what == GP_OP_SUB);
    case GP_OP_MUL: return of_product(a, b);
    case GP_OP_SHL:
    case GP_OP_LSHR: return of_shift(a, b, what == GP_OP_SHL);
    case GP_OP_AND:
        return (struct bits){(a.known & b.known) | (a.known & ~a.value) | (b.known & ~b.value), a.value & b.value};
    case GP_OP_OR:
        return (struct bits){(a.known & b.known) | (a.known & a.value) | (b.known & b.value), a.value | b.value};
    case GP_OP_XOR: return (struct bits){a.known & b.known, a.value ^ b.value};
    case GP_OP_ZEXT:
    case GP_OP_SEXT: return low(known_below(a) < op->operation.width ? known_below(a) : op->operation.width, a.value);
    case GP_OP_TRUNC:
    case GP_OP_COPY: return low(known_below(a), a.value);
    default: return (struct bits){0, 0};
    }
}

/* The values of unknown bits are 0. */
static struct bits bits_of(const struct gp_executor *ex, uint32_t slot, unsigned lane, bool summed, int depth)
{
    struct gp_value value = gp_slot_lane(&ex->slots[slot], lane);
    if (value.symbol == GP_SYMBOL_KNOWN)
        return low(64, value.offset);
    if (value.symbol != GP_SYMBOL_UNKNOWN)
        return of_symbol(ex, &ex->slots[slot], value, summed);
    uint32_t maker = ex->makers[slot];
    struct bits b = maker == GP_NONE || depth == 0 ? (struct bits){0, 0}
                                                   : of_operation(ex, &ex->ops[maker], lane, summed, depth - 1);
    b.value &= b.known;
    return b;
}

/* A symbol of the lane's own, for the row that it is in. */
static uint32_t row_of(struct gp_executor *ex, unsigned lane)
{
    if (ex->rows[lane] == 0)
        ex->rows[lane] = gp_fresh_symbol(ex);
    return ex->rows[lane];
}

bool gp_find_columns(struct gp_executor *ex, uint32_t address, gp_mask mask, struct slot *columns)
{
    uint32_t taken = 0, last = 0;
    *columns = gp_slot_of_scratch(ex);
    for (gp_mask rest = mask; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(rest);
        struct bits b = bits_of(ex, address, lane, true, DEEPEST);
        uint32_t bank = (uint32_t)(b.value & gp_bits_mask(ROW_BITS)) >> WORD_BITS;
        if (lane / ROW_LANES != last)
            taken = 0;
        last = lane / ROW_LANES;
        if (known_below(b) < ROW_BITS || taken >> bank & 1)
            return false;
        taken |= UINT32_C(1) << bank;
        columns->symbols[lane] = row_of(ex, lane);
        columns->offsets[lane] = b.value & gp_bits_mask(ROW_BITS);
    }
    return true;
}
