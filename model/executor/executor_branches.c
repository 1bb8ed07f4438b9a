/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Branches: which way each lane goes, and which way those do that do not know. */
#include <math.h>
#include <string.h>

#include "model/executor/executor_internal.h"
#include "model/value/inst_facts.h"

/* ---- Conditions -------------------------------------------------------------------------------------------------- */

/* Which way each lane goes at a branch or switch, as far as its condition is known; and whether what is not known is
 * the same for all lanes. */

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

/* Fills in the lanes that go each way. */
static struct decision decide_branch(struct gp_executor *ex, const struct block *block, gp_mask mask)
{
    struct decision decision = decide_by_lane(ex, block, mask);
    decision.uniform = decision.uniform || (decision.unknown == mask && count_alike(ex, block, mask));
    return decision;
}

/* ---- Ways out of loops ------------------------------------------------------------------------------------------- */

/*
 * Ways out of loops whose condition is not known. Lanes stay, passing over such exits, until the loop's trip count, or
 * the assumed one, is reached; then they leave by the way at hand and by those that they have passed over, any of which
 * they may have taken before.
 */

/* ---- Staying or leaving ------------------------------------------------------------------------------------------ */

/*
 * Whether lanes that do not know leave the loop here and now: at the loop's trip count, or at the assumed one. Where an
 * exit with a known condition finds the end, the others do not come first; of several exits that are not known, one
 * does. The others leave only when that has failed to.
 */
static bool may_leave(const struct gp_executor *ex, uint32_t block, const struct loop *loop,
                      const struct loop_state *state)
{
    uint64_t limit = state->trip_count ? state->trip_count : gp_assumed_trips(ex, loop), done = state->position + 1;
    if (state->known_exit && !loop->assumed)
        return state->trip_count && done > limit;
    return block == loop->exit ? done >= limit : done > limit;
}

/* An exit that lanes may have taken. */
static void pass_over(struct loop_state *state, uint32_t edge)
{
    for (uint32_t i = 0; i < state->passed_count; i++)
        if (state->passed[i] == edge)
            return;
    if (state->passed_count < MOST_PASSED)
        state->passed[state->passed_count++] = edge;
}

/* Lanes whose exchange has succeeded leave. Where none was made all do behind it, and none before it, as at
 * `while (old < mine)`. */
static void retry(struct gp_executor *ex, struct loop_state *state, uint32_t stay, uint32_t leave, gp_mask lanes,
                  bool before)
{
    gp_mask winners = lanes & state->winners ? lanes & state->winners : before ? 0 : lanes;
    ex->scratch.case_masks[leave] |= winners;
    ex->scratch.case_masks[stay] |= lanes & ~winners;
    state->winners = 0;
}

/*
 * A branch with ways out of its loop and ways to stay. Lanes that know where to go, go; the others stay until the
 * loop's trip count or the assumed one is reached, then leave. False: there is no such choice here.
 */
static bool decide_exit(struct gp_executor *ex, uint32_t number, const struct block *block, struct decision *decision)
{
    uint32_t stay = GP_NONE, leave = GP_NONE, fewest = 0;
    if (block->loop == GP_NONE)
        return false;
    for (uint32_t i = 0; i < block->out_count; i++) {
        uint32_t leaves = ex->edges[ex->out[block->first_out + i]].leaves;
        if (leaves == 0) {
            stay = stay == GP_NONE ? i : stay;
        } else if (leave == GP_NONE || leaves < fewest) {
            leave = i;
            fewest = leaves;
        }
    }
    if (stay == GP_NONE || leave == GP_NONE)
        return false;
    struct loop_state *state = &ex->states[block->loop];
    if (decision->unknown && ex->loops[block->loop].retries) {
        bool before =
            number != ex->loops[block->loop].exit || (ex->blocks[number].heads == block->loop && state->position == 0);
        retry(ex, state, stay, leave, decision->unknown, before);
        decision->unknown = 0;
    }
    if (!decision->unknown) {
        state->known_exit = true;
        return true;
    }
    if (!state->guessed)
        ex->result->guessed_trips++;
    bool leaves = may_leave(ex, number, &ex->loops[block->loop], state);
    ex->scratch.case_masks[leaves ? leave : stay] |= decision->unknown;
    decision->unknown = 0;
    state->guessed = true;
    state->guess_varies |= !decision->uniform;
    for (uint32_t i = 0; i < block->out_count; i++)
        if (ex->edges[ex->out[block->first_out + i]].leaves > 0)
            pass_over(state, ex->out[block->first_out + i]);
    return true;
}

/* ---- Leaving a loop of which an exit was passed over by guess ---------------------------------------------------- */

/* Lanes that leave such loops, and the exits that they may have taken before. */
struct leaving {
    gp_mask lanes;
    bool varies;        /* in different iterations */
    bool counts_on;     /* all for another part of the loop, which does iterations that this one left over */
    uint32_t outermost; /* of the loops that are left */
    uint32_t exits[MOST_PASSED], exit_count;
};

static uint32_t loops_around(const struct gp_executor *ex, uint32_t block)
{
    uint32_t count = 0;
    for (uint32_t loop = ex->blocks[block].loop; loop != GP_NONE; loop = ex->loops[loop].parent)
        count++;
    return count;
}

/* An exit that leaves more loops than the one that is taken now is passed over in the loop around as well. */
static void note_exits(struct gp_executor *ex, const struct loop_state *state, uint32_t taken, struct leaving *leaving)
{
    uint32_t to = ex->edges[taken].to, around = loops_around(ex, to);
    for (uint32_t i = 0; i < state->passed_count; i++) {
        uint32_t edge = state->passed[i], loops = loops_around(ex, ex->edges[edge].to);
        bool known = edge == taken || loops > around;
        for (uint32_t k = 0; k < leaving->exit_count && !known; k++)
            known = leaving->exits[k] == edge;
        if (loops < around) {
            struct loop_state *outer = &ex->states[ex->blocks[to].loop];
            outer->guessed = true;
            outer->guess_varies |= state->guess_varies;
            pass_over(outer, edge);
        } else if (!known && leaving->exit_count < MOST_PASSED) {
            leaving->exits[leaving->exit_count++] = edge;
        }
    }
}

static struct leaving find_leaving(struct gp_executor *ex, const struct block *block)
{
    struct leaving leaving = {.counts_on = true, .outermost = GP_NONE};
    for (uint32_t i = 0; block->loop != GP_NONE && i < block->out_count; i++) {
        uint32_t edge = ex->out[block->first_out + i], loop = block->loop;
        for (uint32_t n = ex->scratch.case_masks[i] ? ex->edges[edge].leaves : 0; n > 0;
             n--, loop = ex->loops[loop].parent) {
            const struct loop_state *state = &ex->states[loop];
            if (!state->guessed)
                continue;
            leaving.lanes |= ex->scratch.case_masks[i];
            leaving.counts_on &= ex->edges[edge].leaves == 1 && gp_have_iterations(ex, &ex->loops[loop].parts_behind);
            leaving.varies |= state->guess_varies;
            leaving.outermost = leaving.outermost == GP_NONE || loop < leaving.outermost ? loop : leaving.outermost;
            note_exits(ex, state, edge, &leaving);
        }
    }
    return leaving;
}

/* After how many iterations lanes left nobody knows (but of a part of a loop: those that are assumed), so nor what
 * changes with them: the same for all lanes, or each its own. */
static void forget_iteration(struct gp_executor *ex, uint32_t innermost, const struct leaving *leaving)
{
    struct gp_value value;
    for (uint32_t loop = innermost; loop != GP_NONE && loop >= leaving->outermost; loop = ex->loops[loop].parent)
        for (uint32_t i = 0; i < ex->loops[loop].varying_count; i++) {
            struct slot *slot = &ex->slots[ex->varying[ex->loops[loop].varying + i]];
            bool one_symbol = slot->shape != SHAPE_MIXED && slot->symbol != GP_SYMBOL_UNKNOWN;
            if (leaving->varies || !one_symbol)
                gp_slot_set_uniform(ex, slot, leaving->lanes, (struct gp_value){GP_SYMBOL_UNKNOWN, 0});
            else if (gp_slot_uniform(slot, leaving->lanes, &value))
                gp_slot_set_uniform(ex, slot, leaving->lanes, (struct gp_value){gp_fresh_symbol(ex), 0});
            else
                gp_slot_set_vector(ex, slot, leaving->lanes, gp_fresh_symbol(ex),
                                   gp_slot_offsets(ex, slot, ex->scratch.offsets[3]));
        }
}

/* The way that lanes take now, and those that they may have taken before: all of them, as at a fork. */
static void leave_by_each(struct gp_executor *ex, const struct block *block, const struct leaving *leaving)
{
    struct path parent = ex->flow.paths[--ex->flow.depth];
    uint32_t rejoin = block->ipdom;
    while (rejoin != GP_NONE && gp_block_is_within(ex->kernel, rejoin, leaving->outermost))
        rejoin = ex->blocks[rejoin].ipdom;
    uint32_t fork = gp_path_fork(ex, &parent, rejoin, !leaving->varies);
    struct path leaves = parent;
    leaves.fork = fork;
    leaves.guessed = GP_GUESS_WAY;
    leaves.weight *= leaving->varies ? 1 : 1.0 / (1 + leaving->exit_count);
    ex->result->guessed_branches++;
    for (uint32_t i = 0; i < block->out_count; i++) {
        uint32_t edge = ex->out[block->first_out + i];
        struct path side = ex->edges[edge].leaves > 0 ? leaves : parent;
        side.mask = ex->scratch.case_masks[i];
        if (side.mask)
            gp_path_add(ex, side, edge);
    }
    leaves.mask = leaving->lanes;
    for (uint32_t i = 0; i < leaving->exit_count; i++)
        gp_path_add(ex, leaves, leaving->exits[i]);
}

/* The rule is that none do, and that is seen soon. */
static bool leave_any(const struct gp_executor *ex, const struct block *block)
{
    for (uint32_t i = 0; block->loop != GP_NONE && i < block->out_count; i++)
        if (ex->scratch.case_masks[i] && ex->edges[ex->out[block->first_out + i]].leaves > 0)
            return true;
    return false;
}

/* Lanes that leave loops of which they have passed over exits go by all of these. False: there are none, all go where
 * it is decided. */
static bool leave_by_all(struct gp_executor *ex, const struct block *block)
{
    if (!leave_any(ex, block))
        return false;
    struct leaving leaving = find_leaving(ex, block);
    if (leaving.lanes && (leaving.exit_count > 0 || !leaving.counts_on))
        forget_iteration(ex, block->loop, &leaving);
    if (leaving.exit_count > 0)
        leave_by_each(ex, block, &leaving);
    return leaving.exit_count > 0;
}

/* ---- Ways of a path ---------------------------------------------------------------------------------------------- */

/*
 * Branches: the path at the top goes on by one way, or parts. Lanes that do not know where to go take both ways, so
 * that a lane may come by two edges where they meet; the weight says how often each is taken.
 */

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
    struct decision decision = decide_branch(ex, block, path->mask);
    bool forked = !decide_exit(ex, number, block, &decision) && decision.unknown;
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
    if (leave_by_all(ex, block))
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
