/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Bulk copies, which a whole group makes between global and local memory. */
#include "model/executor/executor_internal.h"

/* One operand of a bulk copy, the same for all lanes; `otherwise` and a guess where it is not known. */
static uint64_t bulk_number(const struct gp_executor *ex, const struct op *op, uint32_t which, gp_mask mask,
                            uint64_t otherwise, enum gp_guess *guessed)
{
    struct gp_value value;
    if (which < op->more_count && gp_slot_uniform(&ex->slots[ex->more[op->more + which]], mask, &value) &&
        value.symbol == GP_SYMBOL_KNOWN)
        return value.offset;
    *guessed = GP_GUESS_TURNS;
    return otherwise;
}

/* The lanes move element `element` and the following ones. */
static void report_bulk(struct gp_executor *ex, const struct op *op, gp_mask mask, uint64_t element, uint64_t step,
                        double weight, enum gp_guess guessed)
{
    const struct gp_memory *memory = &ex->kernel->memory[op->memory];
    const struct slot *side = &ex->slots[ex->more[op->more + (memory->flags & GP_MEMORY_STORE ? 0 : 1)]];
    struct slot *moved = &ex->slots[SLOT_PRODUCT];
    struct gp_value base;
    bool one_address = gp_slot_uniform(side, mask, &base) && base.symbol != GP_SYMBOL_UNKNOWN;
    for (uint32_t i = 0; i < ex->lanes; i++)
        ex->scratch.offsets[3][i] = base.offset + (element + i) * step;
    moved->owner = 0;
    gp_slot_set_vector(ex, moved, mask, one_address ? base.symbol : GP_SYMBOL_UNKNOWN, ex->scratch.offsets[3]);
    struct gp_access access = {
        .memory = op->memory, .active = mask, .weight = weight, .uniform = one_address && gp_is_single(mask)};
    gp_report_access(ex, &access, moved, guessed);
}

/*
 * async_work_group_copy: the group's work-items take elements in turn, neighbours neighbouring ones, round by round.
 * Reported is the side in global memory. Unless execution is exhaustive, the first round stands for all but the last.
 */
void gp_execute_bulk(struct gp_executor *ex, const struct op *op, gp_mask mask, double weight, enum gp_guess guessed)
{
    enum { MAX_ROUNDS = 4096 };
    const struct gp_memory *memory = &ex->kernel->memory[op->memory];
    uint64_t elements = bulk_number(ex, op, 2, mask, ex->at.items, &guessed), first = (uint64_t)ex->at.warp * ex->width;
    uint64_t stride = op->more_count > 3 ? bulk_number(ex, op, 3, mask, 1, &guessed) : 1;
    uint64_t step = (uint64_t)memory->element_bytes * memory->vector * stride;
    if (op->more_count < 3 || !ex->observer->access || elements <= first)
        return;
    uint64_t rounds = (elements - first - 1) / ex->at.items + 1, last = (rounds - 1) * ex->at.items + first;
    bool each = rounds <= 2 || (ex->options->exhaustive && rounds <= MAX_ROUNDS);
    for (uint64_t round = 0; round + 1 < rounds && (each || round == 0); round++)
        report_bulk(ex, op, mask, round * ex->at.items + first, step, each ? weight : weight * (double)(rounds - 1),
                    guessed);
    for (gp_mask rest = mask; rest; rest &= rest - 1)
        if (last + (uint64_t)__builtin_ctzll(rest) >= elements)
            mask &= ~(rest & -rest);
    if (mask)
        report_bulk(ex, op, mask, last, step, weight, guessed);
}
