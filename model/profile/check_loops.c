/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Checks of loops, their nest and inductions. */
#include "model/profile/checker.h"

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
