/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Branches: the path at the top goes on by one way, or parts. Lanes that do not know where to go take both ways, so
 * that a lane may come by two edges where they meet; the weight says how often each is taken.
 */
#include <math.h>

#include "model/executor/executor_internal.h"

/* ---- Weights of ways --------------------------------------------------------------------------------------------- */

static double way_weight(const struct block *block, uint32_t out)
{
    double least = 1.0 / 65535.0, probability;
    if (block->end == END_SWITCH)
        return 1.0 / block->out_count;
    probability = fmin(fmax(block->probability, least), 1.0 - least);
    return out == 0 ? probability : 1.0 - probability;
}

/*
 * Where each lane goes by itself: how often a warp takes a way at all, 1 - (1 - p)^lanes, if that is known of the
 * branch; else each warp takes both.
 */
static double warp_weight(const struct block *block, uint32_t out, gp_mask known, gp_mask unknown)
{
    if (known || block->end == END_SWITCH || block->probability == 0.5)
        return 1;
    return 1 - pow(1 - way_weight(block, out), __builtin_popcountll(unknown));
}

/* How much of the path's weight goes a way on which there are lanes that do not know. */
static double guessed_weight(const struct gp_executor *ex, const struct block *block, uint32_t out,
                             const struct decision *decision)
{
    if (block->parts.count > 0)
        return 1;
    return decision->uniform
               ? way_weight(block, out)
               : warp_weight(block, out, ex->scratch.case_masks[out] & ~decision->unknown, decision->unknown);
}

/* ---- Ways -------------------------------------------------------------------------------------------------------- */

/* A branch of which one way is never taken. */
static bool is_certain(const struct block *block)
{
    return block->end == END_BRANCH && (block->probability == 0 || block->probability == 1);
}

/* Cycles that are no loops (irreducible ones) could take both ways for ever: after the assumed number of turns, ways
 * alternate. */
static bool forks_too_often(struct gp_executor *ex, uint32_t number, const struct block *block)
{
    uint64_t iteration = block->loop == GP_NONE ? 1 : ex->states[block->loop].headers + 2;
    uint32_t limit = ex->launch->assumed_trip_count ? ex->launch->assumed_trip_count : GP_DEFAULT_TRIP_COUNT;
    if (ex->flow.fork_iteration[number] != iteration) {
        ex->flow.fork_iteration[number] = iteration;
        ex->flow.fork_count[number] = 0;
    }
    if (ex->flow.fork_count[number] < UINT32_MAX)
        ex->flow.fork_count[number]++;
    return ex->flow.fork_count[number] > limit;
}

/* Lanes that do not know whether an unrolled loop has iterations for some of its parts go where the assumed number of
 * iterations leads. */
static void choose_parts(struct gp_executor *ex, const struct block *block, const struct decision *decision)
{
    uint32_t way = gp_have_iterations(ex, &block->parts) ? block->to_parts : 1 - block->to_parts;
    ex->scratch.case_masks[way] |= decision->unknown;
}

static void report_divergence(struct gp_executor *ex, const struct block *block, const gp_mask *masks, double weight)
{
    if (!ex->observer->diverge)
        return;
    for (uint32_t i = 0; i < block->out_count; i++) {
        gp_mask others = 0;
        for (uint32_t k = i + 1; k < block->out_count; k++)
            others |= masks[k];
        if (masks[i] && others)
            ex->observer->diverge(ex->observer->context, block->branch, masks[i], others, weight);
    }
}

/* The path at the top splits into one per mask. `forked`: lanes that do not know may be in several. */
static void split(struct gp_executor *ex, const struct block *block, bool forked, const struct decision *decision)
{
    const gp_mask *masks = ex->scratch.case_masks;
    struct path parent = ex->flow.paths[--ex->flow.depth];
    uint32_t fork = forked ? gp_path_fork(ex, &parent, block->ipdom, decision->uniform) : parent.fork;
    for (uint32_t i = 0; i < block->out_count; i++) {
        if (!masks[i])
            continue;
        struct path side = parent;
        side.fork = fork;
        side.mask = masks[i];
        if (forked) {
            side.guessed = gp_guess_worse(parent.guessed, block->probability == 0.5 ? GP_GUESS_WAY : GP_GUESS_STATED);
            side.weight *= guessed_weight(ex, block, i, decision);
        }
        gp_path_add(ex, side, ex->out[block->first_out + i]);
    }
}

/* Where the path at the top goes from here. */
void gp_branch(struct gp_executor *ex, uint32_t number, double weight)
{
    const struct block *block = &ex->blocks[number];
    struct path *path = &ex->flow.paths[ex->flow.depth - 1];
    struct decision decision = gp_decide_branch(ex, block, path->mask);
    bool forked = !gp_decide_exit(ex, number, block, &decision) && decision.unknown;
    if (forked && is_certain(block)) {
        ex->scratch.case_masks[block->probability == 0] |= decision.unknown;
        forked = false;
    } else if (forked) {
        ex->result->guessed_branches++;
        if (block->parts.count > 0) {
            choose_parts(ex, block, &decision);
        } else if (forks_too_often(ex, number, block)) {
            ex->scratch.case_masks[ex->flow.fork_count[number] % block->out_count] |= decision.unknown;
            path->guessed = GP_GUESS_WAY;
            forked = false;
        } else {
            for (uint32_t i = 0; i < block->out_count; i++)
                ex->scratch.case_masks[i] |= decision.unknown;
        }
    }
    if (gp_leave_by_all(ex, block))
        return;
    uint32_t ways = 0, last = 0;
    for (uint32_t i = 0; i < block->out_count; i++)
        if (ex->scratch.case_masks[i]) {
            ways++;
            last = i;
        }
    if (ways == 1 && !forked) {
        gp_path_go(ex, ex->out[block->first_out + last]);
        return;
    }
    if (ways > 1 && !(forked && decision.uniform))
        report_divergence(ex, block, ex->scratch.case_masks, weight);
    split(ex, block, forked, &decision);
}
