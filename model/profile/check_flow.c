/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Checks of the control flow: blocks, the cycles between them, loops. */
#include <stdlib.h>
#include <string.h>

#include "model/profile/checker.h"

/* ---- Blocks ------------------------------------------------------------------------------------------------------ */

/* Checks of blocks, their post-dominators and edges. */

bool gp_check_blocks(struct check *c)
{
    const struct gp_kernel *k = c->kernel;
    uint32_t next = 0;
    REQUIRE(c, k->block_count > 0, "it has no blocks");
    for (uint32_t i = 0; i < k->block_count; i++) {
        const struct gp_block *block = &k->blocks[i];
        c->block = i;
        REQUIRE(c, block->inst_count > 0, "it is empty");
        REQUIRE(c, block->inst == next, "it starts at instruction %u where %u is the next", block->inst, next);
        REQUIRE(c, block->inst_count <= k->inst_count - next, "it has more instructions than the kernel");
        REQUIRE(c, block->ipdom == GP_NONE || block->ipdom < k->block_count, "its post-dominator %u does not exist",
                block->ipdom);
        REQUIRE(c, block->ipdom != i, "it is its own post-dominator");
        REQUIRE(c, block->loop == GP_NONE || block->loop < k->loop_count, "its loop %u does not exist", block->loop);
        for (uint32_t inst = next; inst < next + block->inst_count; inst++)
            c->block_of[inst] = i;
        next += block->inst_count;
    }
    for (uint32_t inst = next; inst < k->inst_count; inst++)
        c->block_of[inst] = GP_NONE;
    c->block = GP_NONE;
    return true;
}

/* Post-dominators form a tree: following them ends. */
bool gp_check_post_dominators(struct check *c)
{
    const struct gp_kernel *k = c->kernel;
    memset(c->mark, 0xff, k->block_count * sizeof *c->mark);
    for (uint32_t start = 0; start < k->block_count; start++) {
        uint32_t at = start;
        for (; at != GP_NONE && c->mark[at] == GP_NONE; at = k->blocks[at].ipdom)
            c->mark[at] = start;
        if (at != GP_NONE && c->mark[at] == start) {
            c->block = at;
            return gp_check_complain(c, "its chain of post-dominators comes back to it");
        }
    }
    return true;
}

/* Calls visit(c, from, to) for each successor of each block, each pair once. */
static void for_each_edge(struct check *c, void (*visit)(struct check *, uint32_t from, uint32_t to))
{
    const struct gp_kernel *k = c->kernel;
    memset(c->mark, 0xff, k->block_count * sizeof *c->mark);
    for (uint32_t from = 0; from < k->block_count; from++) {
        const struct gp_inst *last = gp_block_terminator(k, from);
        for (uint32_t i = 0; i < last->operand_count; i++) {
            gp_ref ref = k->operands[last->operand + i];
            uint32_t to = gp_ref_index(ref);
            if (gp_ref_kind(ref) != GP_REF_BLOCK || c->mark[to] == from)
                continue;
            c->mark[to] = from;
            visit(c, from, to);
        }
    }
}

static void count_edge(struct check *c, uint32_t from, uint32_t to)
{
    (void)from;
    c->first_edge[to + 1]++;
}

static void place_edge(struct check *c, uint32_t from, uint32_t to)
{
    c->edges[c->first_edge[to] + c->seen[to]++] = from;
}

/* Fills edges: needs terminators whose block operands exist. */
bool gp_check_collect_edges(struct check *c)
{
    uint32_t count = c->kernel->block_count;
    memset(c->first_edge, 0, (count + (size_t)1) * sizeof *c->first_edge);
    for_each_edge(c, count_edge);
    for (uint32_t i = 0; i < count; i++)
        c->first_edge[i + 1] += c->first_edge[i];
    free(c->edges);
    c->edges = calloc(c->first_edge[count] + (size_t)1, sizeof *c->edges);
    REQUIRE(c, c->edges != NULL, "out of memory");
    memset(c->seen, 0, count * sizeof *c->seen);
    for_each_edge(c, place_edge);
    return true;
}

/* ---- Cycles ------------------------------------------------------------------------------------------------------ */

/*
 * No value is made of itself but by way of a phi: who follows operands and stops at phis comes to an end. Depth first,
 * without recursion: an instruction is open while its operands are looked at, and a cycle leads to an open one.
 */

enum state { UNSEEN, OPEN, DONE };

struct visit {
    uint32_t inst, next; /* operand */
};

struct walk {
    const struct gp_kernel *kernel;
    uint8_t *state;     /* by instruction */
    struct visit *open; /* from the first to the one looked at */
    uint32_t depth;
};

static void enter(struct walk *w, uint32_t inst)
{
    w->state[inst] = OPEN;
    w->open[w->depth++] = (struct visit){inst, 0};
}

/* The instruction that the next operand is; GP_NONE: there is none. */
static uint32_t next_operand(const struct walk *w, struct visit *at)
{
    const struct gp_inst *inst = &w->kernel->insts[at->inst];
    while (inst->op != GP_OP_PHI && at->next < inst->operand_count) {
        gp_ref ref = w->kernel->operands[inst->operand + at->next++];
        if (gp_ref_kind(ref) == GP_REF_INST)
            return gp_ref_index(ref);
    }
    return GP_NONE;
}

/* All that the instruction is made of. Gives one that is made of itself, or GP_NONE. */
static uint32_t look_behind(struct walk *w, uint32_t inst)
{
    enter(w, inst);
    while (w->depth > 0) {
        struct visit *at = &w->open[w->depth - 1];
        uint32_t operand = next_operand(w, at);
        if (operand == GP_NONE) {
            w->state[at->inst] = DONE;
            w->depth--;
        } else if (w->state[operand] == OPEN) {
            return operand;
        } else if (w->state[operand] == UNSEEN) {
            enter(w, operand);
        }
    }
    return GP_NONE;
}

bool gp_check_cycles(struct check *c)
{
    uint32_t count = c->kernel->inst_count, found = GP_NONE;
    struct walk w = {.kernel = c->kernel,
                     .state = calloc(count + (size_t)1, sizeof *w.state),
                     .open = calloc(count + (size_t)1, sizeof *w.open)};
    bool enough = w.state != NULL && w.open != NULL;
    for (uint32_t i = 0; enough && i < count && found == GP_NONE; i++)
        if (w.state[i] == UNSEEN)
            found = look_behind(&w, i);
    free(w.state);
    free(w.open);
    REQUIRE(c, enough, "out of memory");
    c->inst = found;
    c->block = found != GP_NONE ? c->block_of[found] : GP_NONE;
    REQUIRE(c, found == GP_NONE, "its value is made of itself, and no phi is between");
    return true;
}

/* ---- Loops ------------------------------------------------------------------------------------------------------- */

/* Checks of loops, their nest and inductions. */

/* Numbers the loops in preorder: parents stand before children, so two passes do. */
static void number_loops(struct check *c)
{
    const struct gp_kernel *k = c->kernel;
    for (uint32_t i = 0; i < k->loop_count; i++)
        c->loop_end[i] = 1; /* loops in its subtree, at first */
    for (uint32_t i = k->loop_count; i-- > 0;)
        if (k->loops[i].parent != GP_NONE)
            c->loop_end[k->loops[i].parent] += c->loop_end[i];
    /* loop_end[i] now becomes the place for i's next child, and so its end once all children have theirs */
    uint32_t next = 0;
    for (uint32_t i = 0; i < k->loop_count; i++) {
        uint32_t *place = k->loops[i].parent == GP_NONE ? &next : &c->loop_end[k->loops[i].parent];
        uint32_t size = c->loop_end[i];
        c->loop_begin[i] = *place;
        *place += size;
        c->loop_end[i] = c->loop_begin[i] + 1;
    }
}

static bool loop_holds_block(const struct check *c, uint32_t loop, uint32_t block)
{
    uint32_t inner = c->kernel->blocks[block].loop;
    return inner != GP_NONE && c->loop_begin[loop] <= c->loop_begin[inner] && c->loop_begin[inner] < c->loop_end[loop];
}

static bool is_predecessor(const struct check *c, uint32_t from, uint32_t to)
{
    for (uint32_t i = c->first_edge[to]; i < c->first_edge[to + 1]; i++)
        if (c->edges[i] == from)
            return true;
    return false;
}

/* A trip count or step: a constant, a parameter, or an instruction before the loop, or an expression. */
static bool check_loop_value(struct check *c, uint32_t loop, gp_ref ref, const char *what)
{
    enum gp_ref_kind kind = gp_ref_kind(ref);
    if (!gp_check_ref(c, ref))
        return false;
    REQUIRE(c, kind == GP_REF_NONE || kind == GP_REF_CONST || kind == GP_REF_PARAM || kind == GP_REF_INST,
            "the %s of loop %u is no constant, parameter or instruction", what, loop);
    if (kind == GP_REF_INST && c->block_of[gp_ref_index(ref)] != GP_NONE)
        REQUIRE(c, !loop_holds_block(c, loop, c->block_of[gp_ref_index(ref)]),
                "the %s of loop %u, %%%u, is computed in the loop", what, loop, gp_ref_index(ref));
    return true;
}

static bool check_trip_count(struct check *c, uint32_t i)
{
    const struct gp_loop *loop = &c->kernel->loops[i];
    enum gp_ref_kind kind = gp_ref_kind(loop->trip_count);
    REQUIRE(c, loop->bound < GP_BOUND_COUNT, "loop %u has an unknown kind of bound %u", i, loop->bound);
    REQUIRE(c, loop->bound != GP_BOUND_CONSTANT || kind == GP_REF_CONST, "loop %u has a constant bound but no constant",
            i);
    REQUIRE(c, (loop->bound != GP_BOUND_SCEV && loop->bound != GP_BOUND_INDUCTION) || kind != GP_REF_NONE,
            "loop %u has a bound from %s but no trip count", i, gp_bound_name((enum gp_bound)loop->bound));
    REQUIRE(c,
            (loop->bound != GP_BOUND_EXECUTED && loop->bound != GP_BOUND_ASSUMED && loop->bound != GP_BOUND_RETRY) ||
                kind == GP_REF_NONE,
            "loop %u has a trip count although its bound is %s", i, gp_bound_name((enum gp_bound)loop->bound));
    return check_loop_value(c, i, loop->trip_count, "trip count");
}

bool gp_check_loop_nest(struct check *c)
{
    const struct gp_kernel *k = c->kernel;
    for (uint32_t i = 0; i < k->loop_count; i++) {
        const struct gp_loop *loop = &k->loops[i];
        REQUIRE(c, loop->parent == GP_NONE || loop->parent < i, "loop %u stands before its parent %u", i, loop->parent);
        uint32_t depth = loop->parent == GP_NONE ? 1 : k->loops[loop->parent].depth + 1;
        REQUIRE(c, loop->depth == depth, "loop %u is at depth %u, not %u", i, depth, loop->depth);
    }
    number_loops(c);
    return true;
}

bool gp_check_loops(struct check *c)
{
    const struct gp_kernel *k = c->kernel;
    for (uint32_t i = 0; i < k->loop_count; i++) {
        const struct gp_loop *loop = &k->loops[i];
        REQUIRE(c, loop->header < k->block_count && k->blocks[loop->header].loop == i,
                "the header of loop %u is not in it", i);
        REQUIRE(c, loop->latch < k->block_count && loop_holds_block(c, i, loop->latch),
                "the latch of loop %u is not in it", i);
        REQUIRE(c, is_predecessor(c, loop->latch, loop->header), "the latch of loop %u does not branch to the header",
                i);
        REQUIRE(c, loop->data_dependent <= 1, "loop %u depends on data %u times", i, loop->data_dependent);
        REQUIRE(c, loop->irreducible <= 1, "loop %u is irreducible %u times", i, loop->irreducible);
        REQUIRE(c, loop->unroll >= 1, "loop %u is unrolled 0 times", i);
        if (!check_trip_count(c, i) || !gp_check_location_index(c, loop->location))
            return false;
    }
    return true;
}

bool gp_check_inductions(struct check *c)
{
    const struct gp_kernel *k = c->kernel;
    for (uint32_t i = 0; i < k->induction_count; i++) {
        const struct gp_induction *entry = &k->inductions[i];
        REQUIRE(c, entry->loop < k->loop_count, "induction %u is of loop %u, which does not exist", i, entry->loop);
        REQUIRE(c,
                entry->phi < k->inst_count && k->insts[entry->phi].op == GP_OP_PHI &&
                    c->block_of[entry->phi] == k->loops[entry->loop].header,
                "induction %u is no phi in the header of loop %u", i, entry->loop);
        enum gp_ref_kind kind = gp_ref_kind(entry->step);
        REQUIRE(c, kind != GP_REF_NONE, "induction %u has no step", i);
        if (!check_loop_value(c, entry->loop, entry->step, "step"))
            return false;
        REQUIRE(c, kind != GP_REF_INST || k->insts[gp_ref_index(entry->step)].bits == k->insts[entry->phi].bits,
                "the step of induction %u has other bits than its phi", i);
    }
    return true;
}
