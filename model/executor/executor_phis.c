/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Phis, where paths meet and where iterations of a loop are left out. */
#include "model/executor/executor_internal.h"

/* ---- Where paths meet -------------------------------------------------------------------------------------------- */

/* Phis. Where paths meet, they take each lane's value from the edge by which it came; a lane may come by two. */

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

/* ---- In a later iteration ---------------------------------------------------------------------------------------- */

/* Jumps to a later iteration of a loop: what its phis are there. Inductions are start + iteration * step; of others
 * nothing is known, so that nothing may have been known before. */

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

/* ---- Behind iterations that are left out ------------------------------------------------------------------------- */

/* Iterations that are left out by doing what of them the next one needs (decode_carried.c). */

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
