/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Addresses of which only a part is known: their columns, and places near a known one. */
#include <stdlib.h>

#include "model/executor/executor_internal.h"
#include "model/value/inst_facts.h"

/* ---- Columns ----------------------------------------------------------------------------------------------------- */

/*
 * Rows that data decides, columns that it does not: of table[row[i] * 32 + lane] in local memory nobody knows the
 * address, but its low bits, and by these that no two of 32 lanes meet in a bank. So are tables laid out that have a
 * copy in each bank, and counters of which each lane has its own.
 */

/* A row: 32 banks of 32 bits, which are all that local memory has. */
enum { ROW_BITS = 7, ROW_LANES = 32, WORD_BITS = 2, DEEPEST_COLUMN = 8 };

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
        struct bits b = bits_of(ex, address, lane, true, DEEPEST_COLUMN);
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

/* ---- Places near a known one ------------------------------------------------------------------------------------- */

/*
 * Places near a known one: of `a[(i & ~255) + p[i]]`, p a byte, or `table[row * 256 + key[i]]` nobody knows the
 * address, but that it is one of 256 places from where each lane knows. Each lane draws one of these, evenly, and anew
 * in each iteration of the loops that compute it: in a loop within them it stays, so that all that is done with
 * addresses sees how near they are to each other.
 */

enum { DEEPEST = 10 };
static const int64_t most_places = INT64_C(1)
                                   << 31; /* of more, numbers of 32 bits, it is as good as unknown which they are */

static uint64_t mixed(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

/* What an instruction can be for this launch's arguments. */
static const struct span *span_of(struct gp_executor *ex, uint32_t inst)
{
    struct span *span = &ex->facts.spans[inst];
    if (span->arguments == ex->facts.span_arguments)
        return span;
    span->arguments = ex->facts.span_arguments;
    span->known = gp_range_of(ex->kernel, ex->launch, gp_ref_make(GP_REF_INST, inst), &span->range) &&
                  span->range.high - span->range.low < most_places;
    return span;
}

/* Another number for each iteration of the loops around an instruction. */
static uint64_t iteration_of(const struct gp_executor *ex, uint32_t inst)
{
    uint64_t hash = 0;
    for (uint32_t loop = ex->kernel->blocks[gp_inst_block(ex->kernel, inst)].loop; loop != GP_NONE;
         loop = ex->kernel->loops[loop].parent)
        hash = mixed(hash, gp_executor_position(ex, loop));
    return hash;
}

/* Of a span that is known: of fewer than most_places. */
static uint64_t places_in(const struct gp_range *range)
{
    return range->step > 0 ? (uint64_t)((range->high - range->low) / range->step) + 1 : 1;
}

/* turn: another one for each iteration and instruction. */
static struct gp_value drawn(const struct gp_executor *ex, const struct op *op, const struct gp_range *range,
                             uint64_t turn, unsigned lane)
{
    uint64_t hash = mixed(turn, (uint64_t)ex->at.warp * GP_MAX_LANES + lane);
    for (int d = 0; d < GP_MAX_DIMS; d++)
        hash = mixed(hash, ex->at.group[d]);
    uint64_t number = (uint64_t)range->low + (hash >> 16) % places_in(range) * (uint64_t)range->step;
    return (struct gp_value){GP_SYMBOL_KNOWN, number & gp_bits_mask(op->operation.bits)};
}

/* ---- Values with what lanes draw --------------------------------------------------------------------------------- */

/* A slot as an operand: its values with what lanes draw are ex->near.values[at], if that is not GP_NONE. */
struct operand {
    const struct slot *slot;
    uint32_t at;
};

static struct gp_value operand_lane(const struct gp_executor *ex, const struct operand *operand, unsigned lane)
{
    return operand->at != GP_NONE ? ex->near.values[operand->at].lane[lane] : gp_slot_lane(operand->slot, lane);
}

/* What a block's visit has found stays as it is until the next one: other addresses are made of the same. */
static uint32_t found_before(struct gp_executor *ex, uint32_t slot, gp_mask mask, int depth)
{
    if (ex->near.visit != ex->spent.visits) {
        ex->near.visit = ex->spent.visits;
        ex->near.count = 0;
    }
    uint32_t at = ex->near.newest[slot];
    if (at >= ex->near.count) /* of an earlier visit */
        return GP_NONE;
    const struct near_values *values = &ex->near.values[at];
    return values->slot == slot && values->depth >= depth && (mask & ~values->mask) == 0 ? at : GP_NONE;
}

/* A place for another slot's. */
static uint32_t place_for(struct gp_executor *ex, uint32_t slot, gp_mask mask, int depth)
{
    struct near_found *near = &ex->near;
    if (near->count == near->room) {
        near->room = near->room > 0 ? 2 * near->room : 16;
        near->values = realloc(near->values, near->room * sizeof *near->values);
    }
    near->values[near->count].slot = slot;
    near->values[near->count].mask = mask;
    near->values[near->count].depth = depth;
    near->newest[slot] = near->count;
    return near->count++;
}

/*
 * Whether an operation keeps a number within much narrower bounds than it has: one drawn of all numbers mostly lies
 * beyond them, so that all lanes would be at the end. It is drawn within them. A byte, and the one behind it, kept
 * below 256 stay side by side.
 */
static bool is_clamped(struct gp_executor *ex, const struct op *op)
{
    enum gp_op kind = op->operation.op;
    const struct span *own = span_of(ex, op->inst);
    bool clamped = false, clamps = kind == GP_OP_SMIN || kind == GP_OP_SMAX || kind == GP_OP_UMIN || kind == GP_OP_UMAX;
    for (unsigned i = 0; clamps && own->known && i < op->arity; i++) {
        uint32_t maker = ex->makers[op->in[i]];
        const struct span *operand = maker != GP_NONE ? span_of(ex, ex->ops[maker].inst) : own;
        clamped |= !operand->known || places_in(&operand->range) > 2 * places_in(&own->range);
    }
    return clamped;
}

/* How the values of an operation's result come about: of its operands' (NULL: these do not tell), or drawn of what it
 * can be (NULL: that has no bound). */
struct origin {
    const struct op *op;
    const struct operand *operands;
    const struct gp_range *range;
    uint64_t turn;
};

static struct gp_value value_of(struct gp_executor *ex, const struct origin *origin, struct gp_value own, unsigned lane)
{
    struct gp_value in[3] = {{0, 0}, {0, 0}, {0, 0}}, value = {GP_SYMBOL_UNKNOWN, 0};
    if (own.symbol != GP_SYMBOL_UNKNOWN)
        return own;
    bool found = origin->operands != NULL;
    for (unsigned i = 0; found && i < origin->op->arity; i++) {
        in[i] = operand_lane(ex, &origin->operands[i], lane);
        found = in[i].symbol != GP_SYMBOL_UNKNOWN;
    }
    if (found)
        value = gp_value_apply(&ex->symbols, &origin->op->operation, in, false);
    return value.symbol == GP_SYMBOL_UNKNOWN && origin->range != NULL
               ? drawn(ex, origin->op, origin->range, origin->turn, lane)
               : value;
}

static uint32_t values_of(struct gp_executor *ex, uint32_t slot, gp_mask mask, int depth);

static struct operand operand_of(struct gp_executor *ex, uint32_t slot, gp_mask mask, int depth)
{
    bool open = depth > 0 && ex->makers[slot] != GP_NONE && gp_slot_is_unknown_somewhere(&ex->slots[slot], mask);
    return (struct operand){&ex->slots[slot], open ? values_of(ex, slot, mask, depth) : GP_NONE};
}

/* Whether the lanes' values of an operation's operands, looked up here, tell its result's in some lane. */
static bool look_up_operands(struct gp_executor *ex, const struct op *op, gp_mask mask, int depth,
                             struct operand operands[3])
{
    if (is_clamped(ex, op))
        return false;
    bool told = true;
    for (unsigned i = 0; told && i < op->arity; i++) {
        operands[i] = operand_of(ex, op->in[i], mask, depth);
        const struct slot *slot = operands[i].slot;
        told = operands[i].at != GP_NONE ? !ex->near.values[operands[i].at].unknown
                                         : slot->shape == SHAPE_MIXED || slot->symbol != GP_SYMBOL_UNKNOWN;
    }
    return told;
}

/* Where the lanes' values of an operation's result are; unknown where no bound is found. */
static uint32_t values_of(struct gp_executor *ex, uint32_t slot, gp_mask mask, int depth)
{
    const struct op *op = &ex->ops[ex->makers[slot]];
    struct operand operands[3];
    uint32_t at = found_before(ex, slot, mask, depth);
    if (at != GP_NONE)
        return at;
    bool told = look_up_operands(ex, op, mask, depth - 1, operands);
    const struct span *span = span_of(ex, op->inst);
    struct origin origin = {op, told ? operands : NULL, span->known ? &span->range : NULL, 0};
    if (span->known)
        origin.turn = mixed(iteration_of(ex, op->inst), op->inst + UINT64_C(1));
    at = place_for(ex, slot, mask, depth);
    bool unknown = true;
    for (gp_mask rest = mask; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(rest);
        struct gp_value value = value_of(ex, &origin, gp_slot_lane(&ex->slots[slot], lane), lane);
        ex->near.values[at].lane[lane] = value;
        unknown &= value.symbol == GP_SYMBOL_UNKNOWN;
    }
    ex->near.values[at].unknown = unknown;
    return at;
}

/* ---- An address -------------------------------------------------------------------------------------------------- */

bool gp_find_near(struct gp_executor *ex, const struct op *op, gp_mask mask, struct slot *near)
{
    const struct gp_memory *memory = &ex->kernel->memory[op->memory];
    uint32_t address = op->in[0];
    bool off_chip =
        memory->space == GP_SPACE_GLOBAL || memory->space == GP_SPACE_CONSTANT || memory->space == GP_SPACE_GENERIC;
    if (!off_chip || ex->makers[address] == GP_NONE || !gp_slot_is_unknown_somewhere(&ex->slots[address], mask))
        return false;
    if (span_of(ex, ex->ops[ex->makers[address]].inst)
            ->known) /* around one place for all: lanes fall anywhere within it (memory/scatter.h) */
        return false;
    uint32_t at = values_of(ex, address, mask, DEEPEST);
    *near = gp_slot_of_scratch(ex);
    for (gp_mask rest = mask; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(rest);
        struct gp_value value = ex->near.values[at].lane[lane];
        if (value.symbol == GP_SYMBOL_UNKNOWN || value.symbol == GP_SYMBOL_KNOWN)
            return false;
        near->symbols[lane] = value.symbol;
        near->offsets[lane] = value.offset;
    }
    return true;
}
