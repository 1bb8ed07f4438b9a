/*
 * Slots and operations on all lanes of a warp.
 *
 * A slot keeps the simplest shape that says what its lanes hold: one value for all, one symbol with an offset per lane,
 * or both per lane. A write under a mask leaves alone the lanes that still wait elsewhere with an older value (in a
 * loop which they have left, for example); lanes that nobody waits for may be overwritten, which keeps shapes simple.
 */
#include <string.h>

#include "model/executor_internal.h"

static bool is_single(gp_mask mask) { return mask && !(mask & (mask - 1)); }

bool gp_slot_uniform(const struct slot *slot, gp_mask mask, struct gp_value *value)
{
    if (!mask)
        return false;
    *value = gp_slot_lane(slot, (uint32_t)__builtin_ctzll(mask));
    if (is_single(mask))
        return true;
    if (slot->shape == SHAPE_UNIFORM || value->symbol == GP_SYMBOL_UNKNOWN)
        return value->symbol != GP_SYMBOL_UNKNOWN;
    for (gp_mask rest = mask & (mask - 1); rest; rest &= rest - 1) {
        struct gp_value other = gp_slot_lane(slot, (uint32_t)__builtin_ctzll(rest));
        if (other.symbol != value->symbol || other.offset != value->offset)
            return false;
    }
    return true;
}

/* Four lanes at a time so that compilers vectorise without a remainder. */
const uint32_t *gp_slot_symbols(const struct gp_executor *ex, const struct slot *slot, uint32_t *scratch)
{
    if (slot->shape == SHAPE_MIXED)
        return slot->symbols;
    for (uint32_t i = 0; i < ex->lanes; i += 4)
        for (uint32_t j = i; j < i + 4; j++)
            scratch[j] = slot->symbol;
    return scratch;
}

const uint64_t *gp_slot_offsets(const struct gp_executor *ex, const struct slot *slot, uint64_t *scratch)
{
    if (slot->shape != SHAPE_UNIFORM)
        return slot->offsets;
    for (uint32_t i = 0; i < ex->lanes; i += 4)
        for (uint32_t j = i; j < i + 4; j++)
            scratch[j] = slot->offset;
    return scratch;
}

void gp_slot_expand(const struct gp_executor *ex, const struct slot *slot, uint32_t *symbols, uint64_t *offsets)
{
    const uint32_t *from_symbols = gp_slot_symbols(ex, slot, symbols);
    const uint64_t *from_offsets = gp_slot_offsets(ex, slot, offsets);
    if (from_symbols != symbols)
        memcpy(symbols, from_symbols, ex->lanes * sizeof *symbols);
    if (from_offsets != offsets)
        memcpy(offsets, from_offsets, ex->lanes * sizeof *offsets);
}

/* ---- Writes ---------------------------------------------------------------------------------------------------- */

/* Lanes outside the mask whose value must survive: not of those that have left the loop in which alone it is used. */
static gp_mask lanes_to_keep(const struct gp_executor *ex, const struct slot *slot, gp_mask mask)
{
    return slot->owner & (slot->local ? ex->waiting : ex->live) & ~mask;
}

static void make_vector(struct gp_executor *ex, struct slot *slot)
{
    if (slot->shape != SHAPE_UNIFORM)
        return;
    for (uint32_t i = 0; i < ex->lanes; i++)
        slot->offsets[i] = slot->offset;
    slot->shape = SHAPE_VECTOR;
}

static void make_mixed(struct gp_executor *ex, struct slot *slot)
{
    make_vector(ex, slot);
    if (slot->shape == SHAPE_MIXED)
        return;
    for (uint32_t i = 0; i < ex->lanes; i++)
        slot->symbols[i] = slot->symbol;
    slot->symbol = GP_SYMBOL_KNOWN;
    slot->shape = SHAPE_MIXED;
}

void gp_slot_set_uniform(struct gp_executor *ex, struct slot *slot, gp_mask mask, struct gp_value value)
{
    gp_mask keep = lanes_to_keep(ex, slot, mask);
    bool same = slot->shape == SHAPE_UNIFORM && slot->symbol == value.symbol && slot->offset == value.offset;
    if (!keep || same) {
        slot->shape = SHAPE_UNIFORM;
        slot->symbol = value.symbol;
        slot->offset = value.offset;
        slot->owner = keep | mask;
        return;
    }
    if (slot->shape != SHAPE_MIXED && slot->symbol == value.symbol) {
        make_vector(ex, slot);
    } else {
        make_mixed(ex, slot);
        for (gp_mask rest = mask; rest; rest &= rest - 1)
            slot->symbols[__builtin_ctzll(rest)] = value.symbol;
    }
    for (gp_mask rest = mask; rest; rest &= rest - 1)
        slot->offsets[__builtin_ctzll(rest)] = value.offset;
    slot->owner = keep | mask;
}

static void blend_offsets(struct slot *slot, gp_mask mask, const uint64_t *offsets)
{
    for (gp_mask rest = mask; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(rest);
        slot->offsets[lane] = offsets[lane];
    }
}

void gp_slot_set_vector(struct gp_executor *ex, struct slot *slot, gp_mask mask, uint32_t symbol,
                        const uint64_t *offsets)
{
    gp_mask keep = lanes_to_keep(ex, slot, mask);
    if (symbol == GP_SYMBOL_UNKNOWN && !keep) {
        gp_slot_set_uniform(ex, slot, mask, (struct gp_value){symbol, 0});
        return;
    }
    if (!keep) {
        if (offsets != slot->offsets)
            memcpy(slot->offsets, offsets, ex->lanes * sizeof *offsets);
        slot->shape = SHAPE_VECTOR;
        slot->symbol = symbol;
    } else {
        if (slot->shape != SHAPE_MIXED && slot->symbol == symbol) {
            make_vector(ex, slot);
        } else {
            make_mixed(ex, slot);
            for (gp_mask rest = mask; rest; rest &= rest - 1)
                slot->symbols[__builtin_ctzll(rest)] = symbol;
        }
        blend_offsets(slot, mask, offsets);
    }
    slot->owner = keep | mask;
}

void gp_slot_set_mixed(struct gp_executor *ex, struct slot *slot, gp_mask mask, const uint32_t *symbols,
                       const uint64_t *offsets)
{
    gp_mask keep = lanes_to_keep(ex, slot, mask);
    uint32_t first = mask ? symbols[__builtin_ctzll(mask)] : GP_SYMBOL_KNOWN;
    bool same = true;
    for (gp_mask rest = mask; rest && same; rest &= rest - 1)
        same = symbols[__builtin_ctzll(rest)] == first;
    if (same) {
        gp_slot_set_vector(ex, slot, mask, first, offsets);
        return;
    }
    if (!keep) {
        memcpy(slot->offsets, offsets, ex->lanes * sizeof *offsets);
        memcpy(slot->symbols, symbols, ex->lanes * sizeof *symbols);
        slot->symbol = GP_SYMBOL_KNOWN;
        slot->shape = SHAPE_MIXED;
    } else {
        make_mixed(ex, slot);
        blend_offsets(slot, mask, offsets);
        for (gp_mask rest = mask; rest; rest &= rest - 1) {
            unsigned lane = (unsigned)__builtin_ctzll(rest);
            slot->symbols[lane] = symbols[lane];
        }
    }
    slot->owner = keep | mask;
}

void gp_slot_copy(struct gp_executor *ex, struct slot *to, gp_mask mask, const struct slot *from)
{
    if (from == to)
        return;
    if (from->shape == SHAPE_UNIFORM)
        gp_slot_set_uniform(ex, to, mask, (struct gp_value){from->symbol, from->offset});
    else if (from->shape == SHAPE_VECTOR)
        gp_slot_set_vector(ex, to, mask, from->symbol, from->offsets);
    else
        gp_slot_set_mixed(ex, to, mask, from->symbols, from->offsets);
}

/* ---- Operations on numbers ------------------------------------------------------------------------------------- */

static const uint64_t *spread(struct gp_executor *ex, const struct slot *slot, unsigned which)
{
    return gp_slot_offsets(ex, slot, ex->scratch_offsets[which]);
}

static bool all_numbers(const struct gp_executor *ex, const struct op *op, unsigned arity)
{
    for (unsigned i = 0; i < arity; i++) {
        const struct slot *slot = &ex->slots[op->in[i]];
        if (slot->shape == SHAPE_MIXED || slot->symbol != GP_SYMBOL_KNOWN)
            return false;
    }
    return true;
}

/* One loop per common operation; four lanes at a time so that compilers vectorise without a remainder. */
#define EACH_LANE(expression)                                  \
    for (uint32_t i = 0; i < lanes; i += 4)                    \
        for (uint32_t j = i; j < i + 4; j++)                   \
            r[j] = (expression);                               \
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
    case GP_OP_TRUNC: case GP_OP_COPY: EACH_LANE(a[j] & mask);
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

/* Shifts by one distance. */
static bool shift_lanes(const struct gp_operation *o, uint32_t lanes, const uint64_t *a, const struct slot *distance,
                        uint64_t *r)
{
    uint64_t mask = gp_bits_mask(o->bits), by = distance->offset & mask;
    unsigned bits = o->bits;
    if (distance->shape != SHAPE_UNIFORM || by >= bits)
        return false;
    switch (o->op) {
    case GP_OP_SHL: EACH_LANE(a[j] << by & mask);
    case GP_OP_LSHR: EACH_LANE((a[j] & mask) >> by);
    case GP_OP_ASHR: EACH_LANE((uint64_t)((int64_t)gp_sign_extend(a[j], bits) >> by) & mask);
    default: return false;
    }
}

static void each_number(struct gp_executor *ex, const struct op *op, gp_mask mask, const uint64_t *const in[3])
{
    uint32_t *symbols = ex->scratch_symbols[3];
    uint64_t *offsets = ex->scratch_offsets[3];
    for (gp_mask rest = mask; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(rest);
        bool defined = gp_compute(&op->operation, in[0][lane], in[1][lane], in[2][lane], &offsets[lane]);
        symbols[lane] = defined ? GP_SYMBOL_KNOWN : GP_SYMBOL_UNKNOWN;
        if (!defined)
            offsets[lane] = 0;
    }
    gp_slot_set_mixed(ex, &ex->slots[op->dest], mask, symbols, offsets);
}

static void execute_numbers(struct gp_executor *ex, const struct op *op, gp_mask mask, unsigned arity)
{
    struct slot *dest = &ex->slots[op->dest];
    const uint64_t *in[3];
    for (unsigned i = 0; i < 3; i++)
        in[i] = i < arity ? spread(ex, &ex->slots[op->in[i]], i) : ex->scratch_offsets[i];
    uint64_t *r = lanes_to_keep(ex, dest, mask) ? ex->scratch_offsets[3] : dest->offsets;
    if (common_lanes(&op->operation, ex->lanes, in[0], in[1], in[2], r) || float_lanes(&op->operation, ex->lanes, in[0], in[1], r) ||
        convert_lanes(&op->operation, ex->lanes, mask, in[0], r) ||
        (arity == 2 && shift_lanes(&op->operation, ex->lanes, in[0], &ex->slots[op->in[1]], r)))
        gp_slot_set_vector(ex, dest, mask, GP_SYMBOL_KNOWN, r);
    else
        each_number(ex, op, mask, in);
}

/* ---- Operations on symbols ------------------------------------------------------------------------------------- */

/* Linear in its operands: the symbols and the offsets may be computed apart. */
static bool is_linear(const struct gp_operation *o, const struct slot *b)
{
    bool number = b->shape == SHAPE_UNIFORM && b->symbol == GP_SYMBOL_KNOWN;
    switch (o->op) {
    case GP_OP_ADD: case GP_OP_SUB: return b->shape != SHAPE_MIXED && b->symbol != GP_SYMBOL_UNKNOWN;
    case GP_OP_MUL: return number;
    case GP_OP_SHL: return number && (b->offset & gp_bits_mask(o->bits)) < o->bits;
    case GP_OP_SEXT: case GP_OP_ZEXT: case GP_OP_COPY: return true;
    default: return false;
    }
}

static bool linear_lanes(const struct gp_operation *o, uint32_t lanes, const uint64_t *a, const uint64_t *b, uint64_t *r)
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

/* (symbol + offsets) with numbers or another symbol: the bulk of all address arithmetic. The symbol is computed once.
 */
static bool execute_linear(struct gp_executor *ex, const struct op *op, gp_mask mask, unsigned arity)
{
    const struct gp_operation *o = &op->operation;
    const struct slot *a = &ex->slots[op->in[0]], *b = &ex->slots[op->in[1]];
    if (!is_linear(o, b) || a->shape == SHAPE_MIXED || a->symbol == GP_SYMBOL_UNKNOWN || arity > 2)
        return false;
    struct gp_value in[3] = {{a->symbol, 0}, {b->symbol, 0}, {0, 0}};
    if (o->op == GP_OP_MUL || o->op == GP_OP_SHL)
        in[1].offset = b->offset;
    struct gp_value value = gp_value_apply(&ex->symbols, o, in, true);
    if (value.symbol == GP_SYMBOL_UNKNOWN || value.symbol == GP_SYMBOL_KNOWN || value.offset)
        return false;
    const uint64_t *x = spread(ex, a, 0), *y = arity == 2 ? spread(ex, b, 1) : x;
    linear_lanes(o, ex->lanes, x, y, ex->scratch_offsets[3]);
    gp_slot_set_vector(ex, &ex->slots[op->dest], mask, value.symbol, ex->scratch_offsets[3]);
    return true;
}

static void each_value(struct gp_executor *ex, const struct op *op, gp_mask mask, unsigned arity)
{
    uint32_t *symbols = ex->scratch_symbols[3];
    uint64_t *offsets = ex->scratch_offsets[3];
    struct gp_value in[3] = {{0, 0}, {0, 0}, {0, 0}};
    for (gp_mask rest = mask; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(rest);
        for (unsigned i = 0; i < arity; i++)
            in[i] = gp_slot_lane(&ex->slots[op->in[i]], lane);
        struct gp_value value = gp_value_apply(&ex->symbols, &op->operation, in, false);
        symbols[lane] = value.symbol;
        offsets[lane] = value.offset;
    }
    gp_slot_set_mixed(ex, &ex->slots[op->dest], mask, symbols, offsets);
}

void gp_execute_pure(struct gp_executor *ex, const struct op *op, gp_mask mask)
{
    struct gp_value in[3] = {{0, 0}, {0, 0}, {0, 0}};
    unsigned arity = op->arity;
    bool one_shape = true, uniform = true;
    for (unsigned i = 0; i < arity; i++)
        one_shape = one_shape && ex->slots[op->in[i]].shape == SHAPE_UNIFORM;
    if (!one_shape && all_numbers(ex, op, arity)) {
        execute_numbers(ex, op, mask, arity);
        return;
    }
    if (!one_shape && execute_linear(ex, op, mask, arity))
        return;
    for (unsigned i = 0; i < arity; i++) {
        const struct slot *slot = &ex->slots[op->in[i]];
        if (one_shape)
            in[i] = (struct gp_value){slot->symbol, slot->offset};
        else
            uniform = uniform && gp_slot_uniform(slot, mask, &in[i]);
    }
    if (one_shape || uniform) {
        struct gp_value value = gp_value_apply(&ex->symbols, &op->operation, in, true);
        gp_slot_set_uniform(ex, &ex->slots[op->dest], mask, value);
    } else {
        each_value(ex, op, mask, arity);
    }
}
