/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A loop from iteration to iteration: where it starts its trip count is found and a plan made (executor_plan.c); each
 * time lanes come back to its header, the next iteration of the plan is the one to execute.
 */
#include <math.h>

#include "model/executor/executor_internal.h"

/* ---- Trip counts ------------------------------------------------------------------------------------------------- */

static void execute_expressions(struct gp_executor *ex, const struct loop *loop, gp_mask mask)
{
    for (uint32_t i = 0; i < loop->expression_count; i++) {
        const struct op *op = &ex->expression_ops[loop->expressions + i];
        if (!op->has_result)
            continue;
        if (op->kind == KIND_PURE)
            gp_execute_pure(ex, op, mask);
        else if (op->kind == KIND_ID)
            gp_execute_id(ex, op, mask);
        else
            gp_slot_set_unknown(ex, &ex->slots[op->dest], mask, false);
    }
}

/* The lanes' trip counts: where not known, the assumed one, in which case *known is false. 0: no lane's can be told. */
static uint32_t trip_counts(const struct gp_executor *ex, const struct loop *loop, gp_mask mask, uint64_t *counts,
                            bool *known)
{
    uint32_t count = 0;
    *known = true;
    if (loop->trip_count == GP_NONE)
        return 0;
    const struct slot *slot = &ex->slots[loop->trip_count];
    if (slot->shape == SHAPE_UNIFORM)
        mask &= -mask;
    for (gp_mask rest = mask; rest; rest &= rest - 1) {
        struct gp_value value = gp_slot_lane(slot, (uint32_t)__builtin_ctzll(rest));
        uint64_t trips = value.offset & gp_bits_mask(loop->trip_bits);
        if (value.symbol != GP_SYMBOL_KNOWN) {
            *known = false;
            trips = gp_assumed_trips(ex, loop);
        }
        if (trips == 0)
            return 0;
        counts[count++] = trips;
    }
    return count;
}

static uint64_t largest_of(const uint64_t *counts, uint32_t count)
{
    uint64_t largest = 0;
    for (uint32_t i = 0; i < count; i++)
        largest = counts[i] > largest ? counts[i] : largest;
    return largest;
}

/* ---- Iterations -------------------------------------------------------------------------------------------------- */

/* Of how many parts of a loop's iterations one is executed. Sparse: of none. Fine: of as many as make it half of the
 * iterations, or many. */
static unsigned strata_of(const struct gp_executor *ex, const struct loop *loop, uint64_t trips)
{
    const struct gp_exec_options *options = ex->options;
    if (options->sparse)
        return 0;
    if (options->coarse || loop->varied || !options->fine)
        return options->coarse ? 1 : loop->varied ? MANY_SAMPLES : FEW_SAMPLES;
    uint64_t half = trips / 2 > 4 ? trips / 2 - 4 : 0; /* beside the first and last two */
    return half < FEW_SAMPLES ? FEW_SAMPLES : half < MANY_SAMPLES ? (unsigned)half : MANY_SAMPLES;
}

void gp_loop_start(struct gp_executor *ex, uint32_t index, gp_mask mask)
{
    const struct loop *loop = &ex->loops[index];
    struct loop_state *state = &ex->states[index];
    uint64_t counts[GP_MAX_LANES];
    state->position = 0;
    state->next = 0;
    state->planned = state->checked = state->guessed = state->guess_varies = state->known_exit = false;
    state->passed_count = 0;
    state->winners = 0;
    state->outer_factor = (loop->parent == GP_NONE ? 1.0 : ex->states[loop->parent].factor) *
                          (loop->assumed ? gp_assumed_weight(ex, loop) : 1);
    state->factor = state->outer_factor;
    execute_expressions(ex, loop, mask);
    bool known;
    uint32_t count = trip_counts(ex, loop, mask, counts, &known);
    state->trip_count = known ? largest_of(counts, count) : 0;
    if (ex->options->exhaustive || !loop->can_jump)
        return;
    if (count == 0 && loop->assumed) {
        counts[0] = gp_assumed_trips(ex, loop);
        count = 1;
    }
    state->planned = count && gp_plan_loop(state->plan, counts, count, strata_of(ex, loop, counts[0]));
    for (uint32_t i = 0; state->planned && i < ex->blocks[loop->header].phi_count; i++) {
        const struct phi *phi = &ex->phis[ex->blocks[loop->header].first_phi + i];
        if (phi->induction == GP_NONE)
            continue;
        struct slot *start = &ex->slots[ex->inductions[phi->induction].start];
        start->owner = 0;
        gp_slot_copy(ex, start, mask, &ex->slots[phi->dest]);
    }
}

void gp_loop_next(struct gp_executor *ex, uint32_t index, const struct block *header, gp_mask mask)
{
    struct loop_state *state = &ex->states[index];
    state->position++;
    state->factor = state->outer_factor;
    if (state->planned && !state->checked) {
        state->checked = true;
        bool may = gp_may_jump(ex, header, mask);
        state->carries = !may && gp_carries(ex, index, header, mask);
        state->planned = may || state->carries;
    }
    if (!state->planned || ++state->next >= state->plan->count)
        return;
    uint64_t position = state->plan->position[state->next];
    if (position > state->position) {
        if (ex->observer->skip)
            ex->observer->skip(ex->observer->context, index, position - state->position);
        if (state->carries)
            gp_carry(ex, index, header, position - state->position, mask);
        else
            gp_jump_phis(ex, header, position, mask);
        state->position = position;
    }
    state->factor = fmin(state->outer_factor * state->plan->weight[state->next], 1e300);
}
