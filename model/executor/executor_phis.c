/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Phis. Where paths meet, they take each lane's value from the edge by which it came; a lane may come by two. */
#include "model/executor/executor_internal.h"

static bool are_equal(struct gp_value a, struct gp_value b) { return a.symbol == b.symbol && a.offset == b.offset; }

/* The lanes came by two edges, since a branch on an unknown condition was taken both ways: one of two values. */
static void merge_lanes(struct gp_executor *ex, struct slot *to, gp_mask mask, const struct slot *from, unsigned bits)
{
    struct gp_value condition = {GP_SYMBOL_UNKNOWN, 0};
    if (!ex->flow.merge_varies_now) {
        ex->flow.merge_atom = ex->flow.merge_atom ? ex->flow.merge_atom : gp_fresh_symbol(ex);
        condition.symbol = ex->flow.merge_atom;
    }
    bool alike = to->shape == SHAPE_UNIFORM && from->shape == SHAPE_UNIFORM, same = true;
    unsigned lane = (unsigned)__builtin_ctzll(mask);
    struct gp_value one = gp_slot_lane(to, lane), other = gp_slot_lane(from, lane);
    struct gp_value first = gp_value_either(&ex->symbols, condition, one, other, bits), value = first;
    for (gp_mask rest = alike ? 0 : mask; rest; rest &= rest - 1) {
        lane = (unsigned)__builtin_ctzll(rest);
        struct gp_value a = gp_slot_lane(to, lane), b = gp_slot_lane(from, lane);
        if (!are_equal(a, one) || !are_equal(b, other)) /* else as for the lane before */
            value = gp_value_either(&ex->symbols, condition, one = a, other = b, bits);
        ex->scratch.symbols[3][lane] = value.symbol;
        ex->scratch.offsets[3][lane] = value.offset;
        same = same && are_equal(value, first);
    }
    if (same)
        gp_slot_set_uniform(ex, to, mask, first);
    else
        gp_slot_set_mixed(ex, to, mask, ex->scratch.symbols[3], ex->scratch.offsets[3]);
}

static void phi_joined(struct gp_executor *ex, const struct block *block, const struct phi *phi, struct slot *to,
                       gp_mask mask)
{
    gp_mask seen = 0;
    to->owner &= ~mask;
    for (uint32_t k = 0; k < block->in_count; k++) {
        gp_mask came = ex->flow.arrivals[block->first_in + k] & mask;
        const struct slot *from = &ex->slots[ex->more[phi->sources + k]];
        if (came & ~seen)
            gp_slot_copy(ex, to, came & ~seen, from);
        if (came & seen)
            merge_lanes(ex, to, came & seen, from, phi->bits);
        seen |= came;
    }
}

void gp_execute_phis(struct gp_executor *ex, const struct block *block, const struct path *path)
{
    for (uint32_t i = 0; i < block->phi_count; i++) {
        const struct phi *phi = &ex->phis[block->first_phi + i];
        struct slot *to = &ex->slots[phi->staged != GP_NONE ? phi->staged : phi->dest];
        if (phi->staged != GP_NONE)
            to->owner = 0;
        if (path->joined)
            phi_joined(ex, block, phi, to, path->mask);
        else if (path->edge != GP_NONE)
            gp_slot_copy(ex, to, path->mask, &ex->slots[ex->more[phi->sources + path->edge - block->first_in]]);
    }
    for (uint32_t i = 0; block->staged && i < block->phi_count; i++) {
        const struct phi *phi = &ex->phis[block->first_phi + i];
        if (phi->staged != GP_NONE)
            gp_slot_copy(ex, &ex->slots[phi->dest], path->mask, &ex->slots[phi->staged]);
    }
}
