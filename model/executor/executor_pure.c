/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Pure operations on all lanes of a warp.
 *
 * Most take the same way in each warp and in each iteration: what depends on the distances between lanes alone, and not
 * on where the first one is, is worked out once (distances.h). Sums and multiples leave distances as they are, or scale
 * them, as long as no lane wraps; other results are remembered by their operands.
 */
#include <stdlib.h>
#include <string.h>

#include "model/executor/executor_internal.h"
#include "support/memo.h"

/* ---- Lane by lane ---------------------------------------------------------------------------------------------- */

/* One loop per common operation; four lanes at a time so that compilers vectorise without a remainder. */
#define EACH_LANE(expression) \
    for (uint32_t i = 0; i < lanes; i += 4) \
        for (uint32_t j = i; j < i + 4; j++) \
            r[j] = (expression); \
    return true

static bool compare_lanes(const struct gp_operation *o, uint32_t lanes, const uint64_t *a, const uint64_t *b,
                          uint64_t *r)
{
    unsigned shift = 64 - (o->width ? o->width : 64); /* compares ignore what stands above the width */
    switch (o->sub) {
    case GP_PRED_EQ: EACH_LANE(a[j] << shift == b[j] << shift);
    case GP_PRED_NE: EACH_LANE(a[j] << shift != b[j] << shift);
    case GP_PRED_ULT: EACH_LANE(a[j] << shift < b[j] << shift);
    case GP_PRED_ULE: EACH_LANE(a[j] << shift <= b[j] << shift);
    case GP_PRED_UGT: EACH_LANE(a[j] << shift > b[j] << shift);
    case GP_PRED_UGE: EACH_LANE(a[j] << shift >= b[j] << shift);
    case GP_PRED_SLT: EACH_LANE((int64_t)(a[j] << shift) < (int64_t)(b[j] << shift));
    case GP_PRED_SLE: EACH_LANE((int64_t)(a[j] << shift) <= (int64_t)(b[j] << shift));
    case GP_PRED_SGT: EACH_LANE((int64_t)(a[j] << shift) > (int64_t)(b[j] << shift));
    case GP_PRED_SGE: EACH_LANE((int64_t)(a[j] << shift) >= (int64_t)(b[j] << shift));
    default: return false;
    }
}

static float float_of(uint64_t pattern)
{
    uint32_t word = (uint32_t)pattern;
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

/* As gp_compute(): one NaN for all. */
static uint64_t pattern_of(float value)
{
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    return value == value ? word : 0x7fc00000;
}

static bool float_lanes(const struct gp_operation *o, uint32_t lanes, const uint64_t *a, const uint64_t *b, uint64_t *r)
{
    if (o->bits != 32)
        return false;
    switch (o->op) {
    case GP_OP_FADD: EACH_LANE(pattern_of(float_of(a[j]) + float_of(b[j])));
    case GP_OP_FSUB: EACH_LANE(pattern_of(float_of(a[j]) - float_of(b[j])));
    case GP_OP_FMUL: EACH_LANE(pattern_of(float_of(a[j]) * float_of(b[j])));
    default: return false;
    }
}

/* Single precision to integers of up to 32 bits; false where an active lane has no number that fits. */
static bool convert_lanes(const struct gp_operation *o, uint32_t lanes, gp_mask mask, const uint64_t *a, uint64_t *r)
{
    if (o->width != 32 || o->bits == 0 || o->bits > 32 || (o->op != GP_OP_FPTOUI && o->op != GP_OP_FPTOSI))
        return false;
    bool is_signed = o->op == GP_OP_FPTOSI;
    double end = (double)(UINT64_C(1) << (o->bits - is_signed)), below = is_signed ? -end - 1 : -1; /* both exclusive */
    gp_mask fits = 0;
    for (uint32_t i = 0; i < lanes; i++) {
        double value = (double)float_of(a[i]);
        bool in_range = value > below && value < end;
        fits |= (gp_mask)in_range << i;
        r[i] = (uint64_t)(int64_t)(in_range ? value : 0.0) & gp_bits_mask(o->bits);
    }
    return (mask & ~fits) == 0;
}

/* False: an operation without a loop of its own. */
static bool common_lanes(const struct gp_operation *o, uint32_t lanes, const uint64_t *a, const uint64_t *b,
                         const uint64_t *c, uint64_t *r)
{
    uint64_t mask = gp_bits_mask(o->bits);
    if (o->bits == 0)
        return false;
    switch (o->op) {
    case GP_OP_ADD: EACH_LANE((a[j] + b[j]) & mask);
    case GP_OP_SUB: EACH_LANE((a[j] - b[j]) & mask);
    case GP_OP_MUL: EACH_LANE((a[j] * b[j]) & mask);
    case GP_OP_AND: EACH_LANE(a[j] & b[j] & mask);
    case GP_OP_OR: EACH_LANE((a[j] | b[j]) & mask);
    case GP_OP_XOR: EACH_LANE((a[j] ^ b[j]) & mask);
    case GP_OP_TRUNC:
    case GP_OP_COPY: EACH_LANE(a[j] & mask);
    case GP_OP_ZEXT: mask &= gp_bits_mask(o->width); EACH_LANE(a[j] & mask);
    case GP_OP_SEXT: {
        unsigned width = o->width;
        EACH_LANE(gp_sign_extend(a[j], width) & mask);
    }
    case GP_OP_SELECT: EACH_LANE((a[j] & 1 ? b[j] : c[j]) & mask);
    case GP_OP_ICMP: return o->width <= 64 && compare_lanes(o, lanes, a, b, r);
    default: return false;
    }
}

static bool shift_lanes(const struct gp_operation *o, uint32_t lanes, const uint64_t *a, uint64_t distance, uint64_t *r)
{
    uint64_t mask = gp_bits_mask(o->bits), by = distance & mask;
    unsigned bits = o->bits;
    if (by >= bits)
        return false;
    switch (o->op) {
    case GP_OP_SHL: EACH_LANE(a[j] << by & mask);
    case GP_OP_LSHR: EACH_LANE((a[j] & mask) >> by);
    case GP_OP_ASHR: EACH_LANE((uint64_t)((int64_t)gp_sign_extend(a[j], bits) >> by) & mask);
    default: return false;
    }
}

/* ---- Operations on numbers ------------------------------------------------------------------------------------- */

static struct numbers numbers_of(const struct gp_executor *ex, const struct slot *slot)
{
    return (struct numbers){slot->offset, slot->shape == SHAPE_VECTOR ? slot->distances : ex->distances.none};
}

static bool is_one(const struct gp_executor *ex, struct numbers n) { return n.distances == ex->distances.none; }

static struct numbers intern(struct gp_executor *ex, const uint64_t *offsets)
{
    return (struct numbers){offsets[0], gp_distances_of(&ex->distances, offsets)};
}

static const uint64_t *spread(struct numbers n, uint64_t *offsets)
{
    gp_distances_spread(n.distances, n.first, offsets);
    return offsets;
}

/* Every lane's number, unsigned, is at most so large. */
static bool are_within(struct numbers n, uint64_t most)
{
    return n.first <= most && 0 - (uint64_t)n.distances->low <= n.first &&
           (uint64_t)n.distances->high <= most - n.first;
}

/* Every lane's number, signed, has so many bits (1 to 63). */
static bool are_signed_within(struct numbers n, unsigned bits)
{
    int64_t end = (int64_t)1 << (bits - 1), first = (int64_t)n.first;
    return first >= -end && first < end && n.distances->low >= -end - first && n.distances->high < end - first;
}

static struct remembered *place_of(const struct gp_executor *ex, const struct remembered *wanted)
{
    const uint64_t factor = UINT64_C(0x9e3779b97f4a7c15);
    uint64_t hash = gp_operation_word(&wanted->operation);
    for (int i = 0; i < 3; i++)
        hash = ((hash ^ wanted->in[i].first) * factor) + wanted->in[i].distances->id;
    hash = (hash ^ wanted->mask) * factor;
    return &ex->memo.entries[(hash >> 32) % ex->memo.count];
}

static bool is_what_was_wanted(const struct remembered *at, const struct remembered *wanted)
{
    bool same = memcmp(&at->operation, &wanted->operation, sizeof at->operation) == 0 && at->mask == wanted->mask;
    for (int i = 0; i < 3; i++)
        same = same && at->in[i].first == wanted->in[i].first && at->in[i].distances == wanted->in[i].distances;
    return same;
}

static void remember(struct gp_executor *ex, const struct remembered *result)
{
    struct remembered *at = place_of(ex, result);
    ex->memo.clashes += at->in[0].distances != NULL;
    *at = *result;
    ex->memo.entries =
        gp_memo_grown(ex->memo.entries, &ex->memo.count, MOST_REMEMBERED, &ex->memo.clashes, sizeof *ex->memo.entries);
}

/* The distances of a + factor * b, where neither is one number for all. */
static const struct gp_distances *combined(struct gp_executor *ex, const struct gp_distances *a,
                                           const struct gp_distances *b, uint64_t factor)
{
    struct remembered wanted = {.operation = {.op = GP_OP_MUL}, /* of no bits: no instruction is that */
                                .in = {{0, a}, {factor, b}, {0, ex->distances.none}}};
    struct remembered *at = place_of(ex, &wanted);
    if (is_what_was_wanted(at, &wanted))
        return at->result.distances;
    uint64_t *sum = ex->scratch.offsets[3];
    for (uint32_t i = 0; i < ex->lanes; i++)
        sum[i] = a->lane[i] + factor * b->lane[i];
    wanted.result = intern(ex, sum);
    if (wanted.result.distances != NULL)
        remember(ex, &wanted);
    return wanted.result.distances;
}

static struct numbers add_scaled(struct gp_executor *ex, struct numbers a, struct numbers b, uint64_t factor)
{
    struct numbers sum = {a.first + factor * b.first, a.distances};
    if (!is_one(ex, b))
        sum.distances = factor == 1 && is_one(ex, a) ? b.distances : combined(ex, a.distances, b.distances, factor);
    return sum;
}

static struct numbers scale(struct gp_executor *ex, struct numbers n, uint64_t factor)
{
    return add_scaled(ex, (struct numbers){0, ex->distances.none}, n, factor);
}

/* What all lanes answer alike, from the ranges that their numbers lie in; compares ignore what stands above the width.
 */
static bool compare_ranges(const struct gp_executor *ex, const struct gp_operation *o, struct numbers a,
                           struct numbers b, struct numbers *r)
{
    bool is_signed = o->sub == GP_PRED_SLT || o->sub == GP_PRED_SLE || o->sub == GP_PRED_SGT || o->sub == GP_PRED_SGE;
    uint64_t most = gp_bits_mask(o->width ? o->width : 64) >> is_signed;
    if (o->width > 64 || !are_within(a, most) || !are_within(b, most))
        return false;
    bool together = a.distances == b.distances;
    uint64_t a_low = a.first + (uint64_t)a.distances->low, a_high = a.first + (uint64_t)a.distances->high;
    uint64_t b_low = b.first + (uint64_t)b.distances->low, b_high = b.first + (uint64_t)b.distances->high;
    bool less = together ? a.first < b.first : a_high < b_low, greater = together ? a.first > b.first : a_low > b_high;
    bool equal = together && a.first == b.first, no_less = together ? !less : a_low >= b_high,
         no_greater = together ? !greater : a_high <= b_low;
    bool truth, falsehood;
    switch (o->sub) {
    case GP_PRED_EQ:
        truth = equal;
        falsehood = less || greater;
        break;
    case GP_PRED_NE:
        truth = less || greater;
        falsehood = equal;
        break;
    case GP_PRED_ULT:
    case GP_PRED_SLT:
        truth = less;
        falsehood = no_less;
        break;
    case GP_PRED_ULE:
    case GP_PRED_SLE:
        truth = no_greater;
        falsehood = greater;
        break;
    case GP_PRED_UGT:
    case GP_PRED_SGT:
        truth = greater;
        falsehood = no_greater;
        break;
    case GP_PRED_UGE:
    case GP_PRED_SGE:
        truth = no_less;
        falsehood = less;
        break;
    default: return false;
    }
    *r = (struct numbers){truth, ex->distances.none};
    return truth || falsehood;
}

/* Results whose distances follow from those of the operands. False: some lane wraps, or it is another operation. */
static bool move_together(struct gp_executor *ex, const struct gp_operation *o, const struct numbers in[3],
                          struct numbers *r)
{
    uint64_t all = gp_bits_mask(o->bits), by = in[1].first & all;
    if (o->bits == 0)
        return false;
    switch (o->op) {
    case GP_OP_ADD: *r = add_scaled(ex, in[0], in[1], 1); break;
    case GP_OP_SUB: *r = add_scaled(ex, in[0], in[1], UINT64_MAX); break;
    case GP_OP_MUL:
        if (!is_one(ex, in[0]) && !is_one(ex, in[1]))
            return false;
        *r = is_one(ex, in[1]) ? scale(ex, in[0], in[1].first) : scale(ex, in[1], in[0].first);
        break;
    case GP_OP_SHL:
        if (!is_one(ex, in[1]) || by >= o->bits)
            return false;
        *r = scale(ex, in[0], UINT64_C(1) << by);
        break;
    case GP_OP_TRUNC:
    case GP_OP_COPY: *r = in[0]; break;
    case GP_OP_ZEXT:
    case GP_OP_SEXT:
        if (!are_within(in[0], gp_bits_mask(o->width) >> (o->op == GP_OP_SEXT)))
            return false;
        *r = in[0];
        break;
    case GP_OP_SELECT:
        if (!is_one(ex, in[0]))
            return false;
        *r = in[0].first & 1 ? in[1] : in[2];
        break;
    case GP_OP_ICMP: return compare_ranges(ex, o, in[0], in[1], r);
    default: return false;
    }
    r->first &= all;
    return r->distances != NULL && are_within(*r, all);
}

/* False: some active lane has no result; `symbols` says which. Lanes that are off hold 0. */
static bool each_number(struct gp_executor *ex, const struct op *op, gp_mask mask, const uint64_t *const in[3],
                        uint32_t *symbols, uint64_t *offsets)
{
    bool all_defined = true;
    memset(offsets, 0, ex->lanes * sizeof *offsets);
    for (gp_mask rest = mask; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(rest);
        bool defined = gp_compute(&op->operation, in[0][lane], in[1][lane], in[2][lane], &offsets[lane]);
        symbols[lane] = defined ? GP_SYMBOL_KNOWN : GP_SYMBOL_UNKNOWN;
        if (!defined)
            offsets[lane] = 0;
        all_defined = all_defined && defined;
    }
    return all_defined;
}

/* Shifts by one distance. */
static bool shift_by_one(const struct gp_executor *ex, const struct op *op, const struct numbers in[3],
                         const uint64_t *a, uint64_t *r)
{
    return op->arity == 2 && is_one(ex, in[1]) && shift_lanes(&op->operation, ex->lanes, a, in[1].first, r);
}

static void execute_numbers(struct gp_executor *ex, const struct op *op, gp_mask mask)
{
    const struct gp_operation *o = &op->operation;
    struct slot *dest = &ex->slots[op->dest];
    struct numbers operands[3], moved;
    for (unsigned i = 0; i < 3; i++)
        operands[i] = i < op->arity ? numbers_of(ex, &ex->slots[op->in[i]]) : (struct numbers){0, ex->distances.none};
    if (move_together(ex, o, operands, &moved)) {
        gp_slot_set_numbers(ex, dest, mask, GP_SYMBOL_KNOWN, moved);
        return;
    }
    struct remembered wanted = {.operation = *o, .mask = mask, .in = {operands[0], operands[1], operands[2]}},
                      *at = place_of(ex, &wanted);
    if (!is_what_was_wanted(at, &wanted)) {
        const uint64_t *in[3];
        uint64_t *r = ex->scratch.offsets[3];
        for (unsigned i = 0; i < 3; i++)
            in[i] = i < op->arity ? spread(wanted.in[i], ex->scratch.offsets[i]) : ex->scratch.offsets[i];
        if (!common_lanes(o, ex->lanes, in[0], in[1], in[2], r) && !float_lanes(o, ex->lanes, in[0], in[1], r) &&
            !convert_lanes(o, ex->lanes, mask, in[0], r) && !shift_by_one(ex, op, wanted.in, in[0], r) &&
            !each_number(ex, op, mask, in, ex->scratch.symbols[3], r)) {
            gp_slot_set_mixed(ex, dest, mask, ex->scratch.symbols[3], r);
            return;
        }
        wanted.result = intern(ex, r);
        if (wanted.result.distances == NULL) {
            gp_slot_set_uniform(ex, dest, mask, (struct gp_value){GP_SYMBOL_UNKNOWN, 0});
            return;
        }
        remember(ex, &wanted);
    } else {
        wanted.result = at->result;
    }
    gp_slot_set_numbers(ex, dest, mask, GP_SYMBOL_KNOWN, wanted.result);
}

/* ---- Operations on symbols ------------------------------------------------------------------------------------- */

/* Linear in its operands: the symbols and the offsets may be computed apart. */
static bool is_linear(const struct gp_operation *o, const struct slot *b)
{
    bool number = b->shape == SHAPE_UNIFORM && b->symbol == GP_SYMBOL_KNOWN;
    switch (o->op) {
    case GP_OP_ADD:
    case GP_OP_SUB: return b->shape != SHAPE_MIXED && b->symbol != GP_SYMBOL_UNKNOWN;
    case GP_OP_MUL: return number;
    case GP_OP_SHL: return number && (b->offset & gp_bits_mask(o->bits)) < o->bits;
    case GP_OP_SEXT:
    case GP_OP_ZEXT:
    case GP_OP_COPY: return true;
    default: return false;
    }
}

static bool linear_lanes(const struct gp_operation *o, uint32_t lanes, const uint64_t *a, const uint64_t *b,
                         uint64_t *r)
{
    unsigned shift = o->bits > 0 && o->bits < 64 ? 64 - o->bits : 0, by = (unsigned)(b[0] & gp_bits_mask(o->bits));
    switch (o->op) { /* of operands modulo 2^bits the result is right modulo 2^bits */
    case GP_OP_ADD: EACH_LANE((uint64_t)((int64_t)((a[j] + b[j]) << shift) >> shift));
    case GP_OP_SUB: EACH_LANE((uint64_t)((int64_t)((a[j] - b[j]) << shift) >> shift));
    case GP_OP_MUL: EACH_LANE((uint64_t)((int64_t)((a[j] * b[j]) << shift) >> shift));
    case GP_OP_SHL: EACH_LANE((uint64_t)((int64_t)((a[j] << by) << shift) >> shift));
    default: EACH_LANE((uint64_t)((int64_t)(a[j] << shift) >> shift));
    }
}

/* As linear_lanes() where no lane wraps. */
static bool linear_together(struct gp_executor *ex, const struct gp_operation *o, struct numbers a, struct numbers b,
                            struct numbers *r)
{
    switch (o->op) {
    case GP_OP_ADD: *r = add_scaled(ex, a, b, 1); break;
    case GP_OP_SUB: *r = add_scaled(ex, a, b, UINT64_MAX); break;
    case GP_OP_MUL: *r = scale(ex, a, b.first); break;
    case GP_OP_SHL: *r = scale(ex, a, UINT64_C(1) << (b.first & gp_bits_mask(o->bits))); break;
    default: *r = a; break;
    }
    r->first = gp_sign_extend(r->first, o->bits);
    return r->distances != NULL && (o->bits == 0 || o->bits >= 64 || are_signed_within(*r, o->bits));
}

/* A symbol to which numbers are added, or that is widened, stays what it is. */
static bool keeps_symbol(const struct gp_operation *o, const struct slot *a, const struct slot *b)
{
    bool adds = o->op == GP_OP_ADD || o->op == GP_OP_SUB;
    return a->symbol != GP_SYMBOL_KNOWN &&
           (adds ? b->symbol == GP_SYMBOL_KNOWN : o->op == GP_OP_SEXT || o->op == GP_OP_ZEXT || o->op == GP_OP_COPY);
}

/* (symbol + offsets) with numbers or another symbol: the bulk of all address arithmetic. The symbol is computed once.
 */
static bool execute_linear(struct gp_executor *ex, const struct op *op, gp_mask mask)
{
    const struct gp_operation *o = &op->operation;
    const struct slot *a = &ex->slots[op->in[0]], *b = &ex->slots[op->in[1]];
    if (!is_linear(o, b) || a->shape == SHAPE_MIXED || a->symbol == GP_SYMBOL_UNKNOWN || op->arity > 2)
        return false;
    struct gp_value in[3] = {{a->symbol, 0}, {b->symbol, 0}, {0, 0}};
    if (o->op == GP_OP_MUL || o->op == GP_OP_SHL)
        in[1].offset = b->offset;
    struct gp_value value =
        keeps_symbol(o, a, b) ? (struct gp_value){a->symbol, 0} : gp_value_apply(&ex->symbols, o, in, true);
    if (value.symbol == GP_SYMBOL_UNKNOWN || value.symbol == GP_SYMBOL_KNOWN || value.offset)
        return false;
    struct numbers x = numbers_of(ex, a), y = op->arity == 2 ? numbers_of(ex, b) : x, result;
    if (!linear_together(ex, o, x, y, &result)) {
        linear_lanes(o, ex->lanes, spread(x, ex->scratch.offsets[0]), spread(y, ex->scratch.offsets[1]),
                     ex->scratch.offsets[3]);
        result = intern(ex, ex->scratch.offsets[3]);
    }
    gp_slot_set_numbers(ex, &ex->slots[op->dest], mask, value.symbol, result);
    return true;
}

/* What lanes of one symbol have as a result: that symbol, and the offset that each computes for itself. */
struct symbol_result {
    uint32_t of, symbol;
    bool linear; /* else no such symbol */
};

static struct symbol_result result_of_symbol(struct gp_executor *ex, const struct gp_operation *o, uint32_t symbol,
                                             const struct slot *b)
{
    struct gp_value in[3] = {{symbol, 0}, {b->symbol, 0}, {0, 0}};
    if (o->op == GP_OP_MUL || o->op == GP_OP_SHL)
        in[1].offset = b->offset;
    struct gp_value value = gp_value_apply(&ex->symbols, o, in, false);
    return (struct symbol_result){symbol, value.symbol,
                                  value.symbol != GP_SYMBOL_KNOWN && value.symbol != GP_SYMBOL_UNKNOWN &&
                                      value.offset == 0};
}

/* `shared`: few lanes have operands of their own, see gp_most_shared(). */
static struct gp_value value_of_lane(struct gp_executor *ex, const struct op *op, unsigned lane, bool shared)
{
    struct gp_value in[3] = {{0, 0}, {0, 0}, {0, 0}};
    for (unsigned i = 0; i < op->arity; i++)
        in[i] = gp_slot_lane(&ex->slots[op->in[i]], lane);
    if (op->operation.op == GP_OP_SELECT && in[0].symbol == GP_SYMBOL_KNOWN)
        return in[0].offset & 1 ? in[1] : in[2];
    if (op->operation.op == GP_OP_ICMP && in[0].symbol != in[1].symbol)
        return (struct gp_value){GP_SYMBOL_UNKNOWN, 0};
    return gp_value_apply(&ex->symbols, &op->operation, in, shared);
}

/* Lanes have different symbols, to which numbers are added (or the like): a symbol's result is computed once for all
 * that have it, or nearly. */
static bool linear_values(struct gp_executor *ex, const struct op *op, gp_mask mask, uint32_t *symbols,
                          uint64_t *offsets)
{
    const struct gp_operation *o = &op->operation;
    const struct slot *a = &ex->slots[op->in[0]], *b = &ex->slots[op->arity == 2 ? op->in[1] : SLOT_NUMBER];
    if (o->op == GP_OP_ADD && a->shape != SHAPE_MIXED && b->shape == SHAPE_MIXED) {
        const struct slot *mixed = b;
        b = a;
        a = mixed;
    }
    if (op->arity > 2 || a->shape != SHAPE_MIXED || !is_linear(o, b))
        return false;
    linear_lanes(o, ex->lanes, a->offsets, gp_slot_offsets(ex, b, ex->scratch.offsets[1]), offsets);
    enum { REMEMBERED = 8 };
    struct symbol_result results[REMEMBERED] = {{.of = GP_SYMBOL_KNOWN}};
    for (gp_mask rest = mask; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(rest);
        uint32_t symbol = a->symbols[lane];
        struct symbol_result *r = &results[symbol % REMEMBERED];
        bool symbolic = symbol != GP_SYMBOL_KNOWN && symbol != GP_SYMBOL_UNKNOWN;
        if (symbolic && symbol != r->of)
            *r = result_of_symbol(ex, o, symbol, b);
        struct gp_value value =
            symbolic && r->linear ? (struct gp_value){r->symbol, offsets[lane]} : value_of_lane(ex, op, lane, false);
        symbols[lane] = value.symbol;
        offsets[lane] = value.offset;
    }
    return true;
}

static bool joins_bits(const struct gp_operation *o)
{
    return o->op == GP_OP_AND || o->op == GP_OP_OR || o->op == GP_OP_XOR;
}

/* An operand without the low bits on which no symbol of a result depends, in arrays of our own. */
static struct slot without_low_bits(struct gp_executor *ex, const struct slot *slot, unsigned zeros, unsigned number)
{
    struct slot high = {
        .shape = SHAPE_MIXED, .symbols = ex->scratch.symbols[number], .offsets = ex->scratch.offsets[number]};
    gp_slot_expand(ex, slot, high.symbols, high.offsets);
    for (uint32_t lane = 0; lane < ex->lanes; lane++)
        high.offsets[lane] &= ~gp_bits_mask(zeros);
    return high;
}

/* So many low bits are zero in all symbols of the lanes. */
static unsigned common_zero_bits(const struct gp_executor *ex, const struct slot *slot, gp_mask mask)
{
    unsigned zeros = GP_MOST_JOINED;
    uint32_t last = GP_SYMBOL_KNOWN;
    for (gp_mask rest = mask; rest; rest &= rest - 1) {
        uint32_t symbol = gp_slot_lane(slot, (unsigned)__builtin_ctzll(rest)).symbol;
        unsigned own = symbol == last ? zeros : gp_symbols_zero_bits(&ex->symbols, symbol);
        last = symbol;
        zeros = own < zeros ? own : zeros;
    }
    return zeros;
}

/*
 * Whether lanes have symbols of their own, but few different ones, as far as what is derived from them depends on
 * these. Lanes that differ in a number only, as in `argument >> lane % 2`, are left alone: all that follows would be
 * worked out lane by lane, mostly for a condition that stays as unknown.
 */
static bool share_operands(struct gp_executor *ex, const struct op *op, gp_mask mask)
{
    const struct slot *in[3] = {NULL};
    struct slot high[2];
    uint8_t first[GP_MAX_LANES];
    bool own = false;
    for (unsigned i = 0; i < op->arity; i++) {
        in[i] = &ex->slots[op->in[i]];
        own |= in[i]->shape == SHAPE_MIXED;
    }
    if (!own)
        return false;
    if (joins_bits(&op->operation)) {
        unsigned a = common_zero_bits(ex, in[0], mask), b = common_zero_bits(ex, in[1], mask), zeros = a < b ? a : b;
        for (unsigned i = 0; zeros > 0 && i < 2; i++) {
            high[i] = without_low_bits(ex, in[i], zeros, i);
            in[i] = &high[i];
        }
    }
    return gp_slots_find_alike(in, op->arity, mask, gp_most_shared(mask), first);
}

static void each_value(struct gp_executor *ex, const struct op *op, gp_mask mask)
{
    uint32_t *symbols = ex->scratch.symbols[3];
    uint64_t *offsets = ex->scratch.offsets[3];
    if (!linear_values(ex, op, mask, symbols, offsets)) {
        bool shared = share_operands(ex, op, mask);
        for (gp_mask rest = mask; rest; rest &= rest - 1) {
            unsigned lane = (unsigned)__builtin_ctzll(rest);
            struct gp_value value = value_of_lane(ex, op, lane, shared);
            symbols[lane] = value.symbol;
            offsets[lane] = value.offset;
        }
    }
    gp_slot_set_mixed(ex, &ex->slots[op->dest], mask, symbols, offsets);
}

/* ---- One operation --------------------------------------------------------------------------------------------- */

static bool are_uniform(const struct gp_executor *ex, const struct op *op)
{
    for (unsigned i = 0; i < op->arity; i++)
        if (ex->slots[op->in[i]].shape != SHAPE_UNIFORM)
            return false;
    return true;
}

static bool are_numbers(const struct gp_executor *ex, const struct op *op)
{
    for (unsigned i = 0; i < op->arity; i++) {
        const struct slot *slot = &ex->slots[op->in[i]];
        if (slot->shape == SHAPE_MIXED || slot->symbol != GP_SYMBOL_KNOWN)
            return false;
    }
    return true;
}

static void execute_uniform(struct gp_executor *ex, const struct op *op, gp_mask mask)
{
    struct gp_value in[3] = {{0, 0}, {0, 0}, {0, 0}};
    for (unsigned i = 0; i < op->arity; i++)
        in[i] = (struct gp_value){ex->slots[op->in[i]].symbol, ex->slots[op->in[i]].offset};
    gp_slot_set_uniform(ex, &ex->slots[op->dest], mask, gp_value_apply(&ex->symbols, &op->operation, in, true));
}

static bool is_unknown(const struct slot *slot)
{
    return slot->shape == SHAPE_UNIFORM && slot->symbol == GP_SYMBOL_UNKNOWN;
}

/* No number makes up for an operand that nobody knows, as 0 does in a product. */
static bool never_known(const struct gp_executor *ex, const struct op *op)
{
    enum gp_op what = (enum gp_op)op->operation.op;
    return op->arity == 2 && what != GP_OP_AND && what != GP_OP_OR && what != GP_OP_MUL &&
           (is_unknown(&ex->slots[op->in[0]]) || is_unknown(&ex->slots[op->in[1]]));
}

/* Shapes differ, but the lanes at hand may have the same. */
static void execute_lanes(struct gp_executor *ex, const struct op *op, gp_mask mask)
{
    struct gp_value in[3] = {{0, 0}, {0, 0}, {0, 0}};
    bool uniform = true;
    for (unsigned i = 0; i < op->arity; i++)
        uniform = uniform && gp_slot_uniform(&ex->slots[op->in[i]], mask, &in[i]);
    if (uniform)
        gp_slot_set_uniform(ex, &ex->slots[op->dest], mask, gp_value_apply(&ex->symbols, &op->operation, in, true));
    else
        each_value(ex, op, mask);
}

/* False: some lane's addresses are not in two buffers, or lanes differ. */
static bool compare_places(struct gp_executor *ex, const struct op *op, gp_mask mask)
{
    const struct slot *a = &ex->slots[op->in[0]], *b = &ex->slots[op->in[1]];
    struct gp_value truth = {GP_SYMBOL_UNKNOWN, 0}, own;
    for (gp_mask rest = mask; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(rest);
        if (!gp_value_compare_places(&ex->symbols, &op->operation, gp_slot_lane(a, lane), gp_slot_lane(b, lane),
                                     &own) ||
            (rest != mask && own.offset != truth.offset))
            return false;
        truth = own;
    }
    gp_slot_set_uniform(ex, &ex->slots[op->dest], mask, truth);
    return true;
}

void gp_execute_pure(struct gp_executor *ex, const struct op *op, gp_mask mask)
{
    if (op->asks_for_overlap && compare_places(ex, op, mask))
        return;
    if (are_uniform(ex, op))
        execute_uniform(ex, op, mask);
    else if (are_numbers(ex, op))
        execute_numbers(ex, op, mask);
    else if (never_known(ex, op))
        gp_slot_set_uniform(ex, &ex->slots[op->dest], mask, (struct gp_value){GP_SYMBOL_UNKNOWN, 0});
    else if (!execute_linear(ex, op, mask))
        execute_lanes(ex, op, mask);
}
