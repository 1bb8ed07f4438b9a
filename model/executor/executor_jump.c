/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Jumps to a later iteration of a loop: what its phis are there. Inductions are start + iteration * step; of others
 * nothing is known, so that nothing may have been known before. */
#include "model/executor/executor_internal.h"

/* A phi that follows no induction may be skipped over only if nothing was known of it anyway, as of what was just
 * loaded. */
bool gp_may_jump(struct gp_executor *ex, const struct block *header, gp_mask mask)
{
    struct gp_value value;
    for (uint32_t i = 0; i < header->phi_count; i++) {
        const struct phi *phi = &ex->phis[header->first_phi + i];
        const struct slot *slot = &ex->slots[phi->dest];
        if (phi->induction != GP_NONE || phi->behind.induction != GP_NONE)
            continue;
        if (gp_slot_uniform(slot, mask, &value)) {
            bool loaded = value.offset == 0 && gp_symbol_is_fresh(&ex->symbols, value.symbol);
            if (!loaded && value.symbol != GP_SYMBOL_UNKNOWN)
                return false;
            continue;
        }
        for (gp_mask rest = mask; rest; rest &= rest - 1)
            if (gp_slot_lane(slot, (uint32_t)__builtin_ctzll(rest)).symbol != GP_SYMBOL_UNKNOWN)
                return false;
    }
    return true;
}

/* start + iteration * step */
static void set_induction(struct gp_executor *ex, const struct induction *induction, uint32_t dest, uint64_t iteration,
                          gp_mask mask)
{
    struct op multiply = {.operation = {GP_OP_MUL, induction->bits, 0, 0},
                          .arity = 2,
                          .dest = SLOT_PRODUCT,
                          .in = {induction->step, SLOT_NUMBER}};
    struct op add = {.operation = {GP_OP_ADD, induction->bits, 0, 0},
                     .arity = 2,
                     .dest = dest,
                     .in = {induction->start, SLOT_PRODUCT}};
    ex->slots[SLOT_NUMBER].offset = iteration;
    ex->slots[SLOT_PRODUCT].owner = 0;
    gp_execute_pure(ex, &multiply, mask);
    gp_execute_pure(ex, &add, mask);
}

static void set_behind(struct gp_executor *ex, const struct phi *phi, uint64_t iteration, gp_mask mask)
{
    const struct induction *induction = &ex->inductions[phi->behind.induction];
    if (phi->behind.number == GP_NONE) {
        set_induction(ex, induction, phi->dest, iteration, mask);
        return;
    }
    struct op and_then = {.operation = {phi->behind.and_then, phi->bits, 0, 0},
                          .arity = 2,
                          .dest = phi->dest,
                          .in = {SLOT_BEHIND, phi->behind.number}};
    ex->slots[SLOT_BEHIND].owner = 0;
    set_induction(ex, induction, SLOT_BEHIND, iteration, mask);
    gp_execute_pure(ex, &and_then, mask);
}

void gp_jump_phis(struct gp_executor *ex, const struct block *header, uint64_t iteration, gp_mask mask)
{
    for (uint32_t i = 0; i < header->phi_count; i++) {
        const struct phi *phi = &ex->phis[header->first_phi + i];
        struct slot *slot = &ex->slots[phi->dest];
        struct gp_value value;
        if (phi->induction != GP_NONE)
            set_induction(ex, &ex->inductions[phi->induction], phi->dest, iteration, mask);
        else if (phi->behind.induction != GP_NONE) /* jumps lead forward */
            set_behind(ex, phi, iteration - 1, mask);
        else if (gp_slot_uniform(slot, mask, &value))
            gp_slot_set_uniform(ex, slot, mask, (struct gp_value){gp_fresh_symbol(ex), 0});
        else
            gp_slot_set_uniform(ex, slot, mask, (struct gp_value){GP_SYMBOL_UNKNOWN, 0});
    }
}
