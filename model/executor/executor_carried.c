/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Iterations that are left out by doing what of them the next one needs (decode_carried.c). */
#include "model/executor/executor_internal.h"

/*
 * A loop is followed in full where that is little: what it carries decides by turns that look like chance, of which
 * samples show less. And what is carried is arithmetic for each turn that is left out, which has an end, too.
 */
enum { LITTLE = 1 << 16, MOST = 1 << 19 };

bool gp_carries(const struct gp_executor *ex, uint32_t index, const struct block *header, gp_mask mask)
{
    const struct loop *loop = &ex->loops[index];
    const struct plan *plan = ex->states[index].plan;
    uint64_t turns = plan->position[plan->count - 1];
    if (loop->carried_count == 0 || turns < LITTLE / (loop->operations + 1) || turns > MOST / loop->carried_count)
        return false;
    for (uint32_t i = 0; i < header->phi_count; i++) {
        const struct slot *slot = &ex->slots[ex->phis[header->first_phi + i].dest];
        for (gp_mask rest = slot->shape == SHAPE_MIXED ? mask : mask & -mask; rest; rest &= rest - 1)
            if (gp_slot_lane(slot, (uint32_t)__builtin_ctzll(rest)).symbol != GP_SYMBOL_KNOWN)
                return false;
    }
    return true;
}

static const struct slot *next_of(const struct gp_executor *ex, const struct block *header, const struct phi *phi)
{
    uint32_t k = 0;
    while (!ex->edges[header->first_in + k].back)
        k++;
    return &ex->slots[ex->more[phi->sources + k]];
}

/* As gp_execute_phis() does by the edge from inside. */
static void move_phis(struct gp_executor *ex, const struct block *header, gp_mask mask)
{
    for (uint32_t i = 0; i < header->phi_count; i++) {
        const struct phi *phi = &ex->phis[header->first_phi + i];
        struct slot *to = &ex->slots[phi->staged != GP_NONE ? phi->staged : phi->dest];
        if (phi->staged != GP_NONE)
            to->owner = 0;
        gp_slot_copy(ex, to, mask, next_of(ex, header, phi));
    }
    for (uint32_t i = 0; header->staged && i < header->phi_count; i++) {
        const struct phi *phi = &ex->phis[header->first_phi + i];
        if (phi->staged != GP_NONE)
            gp_slot_copy(ex, &ex->slots[phi->dest], mask, &ex->slots[phi->staged]);
    }
}

void gp_carry(struct gp_executor *ex, uint32_t index, const struct block *header, uint64_t iterations, gp_mask mask)
{
    const struct loop *loop = &ex->loops[index];
    for (uint64_t turn = 0; turn < iterations; turn++) {
        for (uint32_t i = 0; i < loop->carried_count; i++)
            gp_execute_pure(ex, &ex->carried.ops[loop->carried + i], mask);
        move_phis(ex, header, mask);
        if (gp_distances_crowded(&ex->distances))
            gp_sweep_distances(ex);
    }
    ex->result->effort += iterations * loop->carried_count;
}
