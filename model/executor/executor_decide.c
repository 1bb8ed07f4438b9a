/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which way each lane goes at a branch or switch, as far as its condition is known; and whether what is not known is
 * the same for all lanes. */
#include <string.h>

#include "model/executor/executor_internal.h"

static uint32_t pick(const struct gp_executor *ex, const struct block *block, uint64_t value)
{
    if (block->end == END_BRANCH)
        return value & 1 ? 0 : 1;
    uint64_t bits = gp_bits_mask(block->width ? block->width : 64);
    for (uint32_t i = 1; i < block->target_count; i++)
        if (((ex->cases[block->targets + i].value ^ value) & bits) == 0)
            return ex->cases[block->targets + i].out;
    return ex->cases[block->targets].out;
}

/* How far apart the lanes' values are, of one symbol; UINT64_MAX: nobody knows. */
static uint64_t spread_of(const struct slot *slot, gp_mask mask)
{
    struct gp_value value;
    uint64_t least = UINT64_MAX, most = 0;
    if (gp_slot_uniform(slot, mask, &value))
        return value.symbol == GP_SYMBOL_UNKNOWN ? UINT64_MAX : 0;
    if (slot->shape == SHAPE_MIXED || slot->symbol == GP_SYMBOL_UNKNOWN)
        return UINT64_MAX;
    for (gp_mask rest = mask; rest; rest &= rest - 1) {
        uint64_t offset = gp_slot_lane(slot, (uint32_t)__builtin_ctzll(rest)).offset + (UINT64_C(1) << 63);
        least = offset < least ? offset : least;
        most = offset > most ? offset : most;
    }
    return most - least;
}

/* Lanes that count from places less than a step apart to the same end go round equally often, or once more: `for (j =
 * first + lane; j < end; j += 32)`. */
static bool count_alike(const struct gp_executor *ex, const struct block *block, gp_mask mask)
{
    if (block->from == GP_NONE || spread_of(&ex->slots[block->until], mask) != 0)
        return false;
    return spread_of(&ex->slots[block->from], mask) < (uint64_t)block->stride;
}

static struct decision decide_by_lane(struct gp_executor *ex, const struct block *block, gp_mask mask)
{
    const struct slot *slot = &ex->slots[block->condition];
    struct decision decision = {0, false};
    struct gp_value value;
    memset(ex->scratch.case_masks, 0, block->out_count * sizeof *ex->scratch.case_masks);
    if (gp_slot_uniform(slot, mask, &value)) {
        if (value.symbol == GP_SYMBOL_KNOWN)
            ex->scratch.case_masks[pick(ex, block, value.offset)] = mask;
        else
            decision = (struct decision){mask, true};
        return decision;
    }
    if (slot->shape == SHAPE_UNIFORM)
        return (struct decision){mask, false};
    for (gp_mask rest = mask; rest; rest &= rest - 1) {
        value = gp_slot_lane(slot, (uint32_t)__builtin_ctzll(rest));
        if (value.symbol == GP_SYMBOL_KNOWN)
            ex->scratch.case_masks[pick(ex, block, value.offset)] |= rest & -rest;
        else
            decision.unknown |= rest & -rest;
    }
    return decision;
}

struct decision gp_decide_branch(struct gp_executor *ex, const struct block *block, gp_mask mask)
{
    struct decision decision = decide_by_lane(ex, block, mask);
    decision.uniform = decision.uniform || (decision.unknown == mask && count_alike(ex, block, mask));
    return decision;
}
