/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Loops that never end, as one whose counter of few bits wraps before it comes to its bound: what decides whether the
 * loop ends (decode_deciders.c) comes back to what it was before. It is compared with what it was at the last iteration
 * whose number is a power of two (R. P. Brent, "An improved Monte Carlo factorization algorithm", BIT 20, 1980), of one
 * lane: those that do leave are gone sooner or later.
 */
#include "model/executor/executor_internal.h"

enum { FIRST_COMPARED = 64 }; /* shorter loops are left alone */

static bool has_returned(const struct gp_executor *ex, const struct loop *loop, const struct loop_state *state,
                         uint32_t lane)
{
    for (uint32_t i = 0; i < loop->decider_count; i++) {
        struct gp_value now = gp_slot_lane(&ex->slots[loop->deciders[i].slot], lane), before = state->before[i];
        if (now.symbol != GP_SYMBOL_KNOWN || before.symbol != GP_SYMBOL_KNOWN ||
            ((now.offset ^ before.offset) & loop->deciders[i].mask) != 0)
            return false;
    }
    return true;
}

void gp_look_for_return(struct gp_executor *ex, uint32_t index, gp_mask mask)
{
    const struct loop *loop = &ex->loops[index];
    struct loop_state *state = &ex->states[index];
    uint32_t lane = (uint32_t)__builtin_ctzll(mask);
    uint64_t position = state->position;
    if (!loop->decides_itself || state->guessed || position < FIRST_COMPARED || ex->result->endless > 0)
        return;
    if (position > FIRST_COMPARED && lane == state->before_lane && has_returned(ex, loop, state, lane))
        ex->result->endless = index + 1;
    if ((position & (position - 1)) != 0)
        return;
    state->before_lane = lane;
    for (uint32_t i = 0; i < loop->decider_count; i++)
        state->before[i] = gp_slot_lane(&ex->slots[loop->deciders[i].slot], lane);
}
