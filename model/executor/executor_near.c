/*
 * Places near a known one: of `a[(i & ~255) + p[i]]`, p a byte, or `table[row * 256 + key[i]]` nobody knows the address, but that it is one of 256 places from where each lane knows. Each lane draws
 * one of these, evenly, and anew in each iteration of the loops that compute it: in a loop within them it stays, so that all that is done with addresses sees how near they are to each other.
 */
#include "model/code/inst_facts.h"
#include "model/executor/executor_internal.h"

enum { DEEPEST = 10 };
static const int64_t most_places = INT64_C(1) << 31; /* of more, numbers of 32 bits, it is as good as unknown which they are */

static uint64_t mixed(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

/* What an instruction can be for this launch's arguments. */
static const struct span *span_of(struct gp_executor *ex, uint32_t inst)
{
    struct span *span = &ex->spans[inst];
    if (span->arguments == ex->span_arguments)
        return span;
    span->arguments = ex->span_arguments;
    span->known = gp_range_of(ex->kernel, ex->launch, gp_ref_make(GP_REF_INST, inst), &span->range) && span->range.high - span->range.low < most_places;
    return span;
}

/* Another number for each iteration of the loops around an instruction. */
static uint64_t iteration_of(const struct gp_executor *ex, uint32_t inst)
{
    uint64_t hash = 0;
    for (uint32_t loop = ex->kernel->blocks[gp_inst_block(ex->kernel, inst)].loop; loop != GP_NONE; loop = ex->kernel->loops[loop].parent)
        hash = mixed(hash, gp_executor_position(ex, loop));
    return hash;
}

static struct gp_value drawn(const struct gp_executor *ex, const struct op *op, const struct gp_range *range, unsigned lane)
{
    uint64_t hash = mixed(mixed(iteration_of(ex, op->inst), op->inst + UINT64_C(1)), (uint64_t)ex->warp * GP_MAX_LANES + lane);
    for (int d = 0; d < GP_MAX_DIMS; d++)
        hash = mixed(hash, ex->group[d]);
    uint64_t places = range->step > 0 ? (uint64_t)((range->high - range->low) / range->step) + 1 : 1;
    uint64_t number = (uint64_t)range->low + (hash >> 16) % places * (uint64_t)range->step;
    return (struct gp_value){GP_SYMBOL_KNOWN, number & gp_bits_mask(op->operation.bits)};
}

/* A lane's value with what it draws; unknown where no bound is found. */
static struct gp_value value_of(struct gp_executor *ex, uint32_t slot, unsigned lane, int depth)
{
    const struct gp_value unknown = {GP_SYMBOL_UNKNOWN, 0};
    struct gp_value value = gp_slot_lane(&ex->slots[slot], lane), in[3] = {{0, 0}, {0, 0}, {0, 0}};
    uint32_t maker = ex->makers[slot];
    if (value.symbol != GP_SYMBOL_UNKNOWN || maker == GP_NONE || depth == 0)
        return value;
    const struct op *op = &ex->ops[maker];
    bool found = true;
    for (unsigned i = 0; found && i < op->arity; i++) {
        in[i] = value_of(ex, op->in[i], lane, depth - 1);
        found = in[i].symbol != GP_SYMBOL_UNKNOWN;
    }
    value = found ? gp_value_apply(&ex->symbols, &op->operation, in, false) : unknown;
    if (value.symbol != GP_SYMBOL_UNKNOWN)
        return value;
    const struct span *span = span_of(ex, op->inst);
    return span->known ? drawn(ex, op, &span->range, lane) : unknown;
}

static bool is_unknown_somewhere(const struct slot *slot, gp_mask mask)
{
    for (gp_mask rest = mask; rest; rest = slot->shape == SHAPE_MIXED ? rest & (rest - 1) : 0)
        if (gp_slot_lane(slot, (unsigned)__builtin_ctzll(rest)).symbol == GP_SYMBOL_UNKNOWN)
            return true;
    return false;
}

bool gp_find_near(struct gp_executor *ex, const struct op *op, gp_mask mask, struct slot *near)
{
    const struct gp_memory *memory = &ex->kernel->memory[op->memory];
    uint32_t address = op->in[0];
    bool off_chip = memory->space == GP_SPACE_GLOBAL || memory->space == GP_SPACE_CONSTANT || memory->space == GP_SPACE_GENERIC;
    if (!off_chip || ex->makers[address] == GP_NONE || !is_unknown_somewhere(&ex->slots[address], mask))
        return false;
    if (span_of(ex, ex->ops[ex->makers[address]].inst)->known) /* around one place for all: lanes fall anywhere within it (memory/scatter.h) */
        return false;
    *near = (struct slot){.shape = SHAPE_MIXED, .symbols = ex->scratch_symbols[3], .offsets = ex->scratch_offsets[3]};
    for (uint32_t lane = 0; lane < ex->lanes; lane++) {
        near->symbols[lane] = GP_SYMBOL_KNOWN;
        near->offsets[lane] = 0;
    }
    for (gp_mask rest = mask; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(rest);
        struct gp_value value = value_of(ex, address, lane, DEEPEST);
        if (value.symbol == GP_SYMBOL_UNKNOWN || value.symbol == GP_SYMBOL_KNOWN)
            return false;
        near->symbols[lane] = value.symbol;
        near->offsets[lane] = value.offset;
    }
    return true;
}
