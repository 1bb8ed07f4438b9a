/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Parts of one loop of the source: an unrolled one and what is left over, in either order, maybe in several steps.
 *
 * Where nobody knows how often the loop goes round, so many iterations are assumed of it, and each part does its share
 * of them. Branches beside the parts ask whether there are that many iterations, or any left: one way leads to parts
 * that the other passes by. They are decided by the same assumption: each lane goes where a part has something to do.
 * Otherwise lanes would come by ways that no count of iterations leads along, and nobody would know from where the next
 * part counts on.
 */
#include <stdlib.h>
#include <string.h>

#include "model/compilers/loop_exit.h"
#include "model/executor/executor_internal.h"
#include "model/value/inst_facts.h"

/* The parts of one loop, and scratch to follow ways. */
struct parts {
    struct gp_executor *ex;
    uint32_t loops[MOST_PARTS + 1], count;
    struct gp_loop_exit exits[MOST_PARTS + 1]; /* no counter where it is not told how a part ends */
    uint32_t *stack;                           /* blocks still to be looked at */
    bool *seen;                                /* per block */
};

static bool are_parts(const struct gp_executor *ex, uint32_t a, uint32_t b)
{
    const struct gp_loop *x = &ex->kernel->loops[a], *y = &ex->kernel->loops[b];
    bool unrolled = ex->loops[a].smaller || ex->loops[a].larger_count > 0;
    return unrolled && ex->loops[b].assumed && x->parent == y->parent && x->location == y->location &&
           x->location != GP_NONE && ex->loops[a].body != ex->loops[b].body;
}

/* The loop's and those of other parts, if none of these comes before it in the profile. */
static bool collect_parts(struct parts *parts, uint32_t loop)
{
    const struct gp_kernel *kernel = parts->ex->kernel;
    parts->count = 0;
    for (uint32_t i = 0; i < kernel->loop_count && parts->count <= MOST_PARTS; i++) {
        if (i != loop && !are_parts(parts->ex, loop, i))
            continue;
        if (i < loop)
            return false;
        if (!gp_find_loop_exit(kernel, i, 0, &parts->exits[parts->count]))
            parts->exits[parts->count].counter = NULL;
        parts->loops[parts->count++] = i;
    }
    return parts->count > 1;
}

/* A bit per part that the edge leads to before the way comes to a block, without another iteration of a loop around. */
static uint32_t parts_along(struct parts *parts, uint32_t edge, uint32_t until)
{
    const struct gp_executor *ex = parts->ex;
    uint32_t found = 0, depth = 0, to = ex->edges[edge].to;
    memset(parts->seen, 0, ex->kernel->block_count * sizeof *parts->seen);
    if (!ex->edges[edge].back && to != until) {
        parts->seen[to] = true;
        parts->stack[depth++] = to;
    }
    while (depth > 0) {
        const struct block *block = &ex->blocks[parts->stack[--depth]];
        for (uint32_t i = 0; i < parts->count; i++)
            found |= (uint32_t)(block->heads == parts->loops[i]) << i;
        for (uint32_t i = 0; i < block->out_count; i++) {
            const struct edge *next = &ex->edges[ex->out[block->first_out + i]];
            if (next->back || next->to == until || parts->seen[next->to])
                continue;
            parts->seen[next->to] = true;
            parts->stack[depth++] = next->to;
        }
    }
    return found;
}

static void note_parts(const struct parts *parts, uint32_t which, struct few_loops *few)
{
    few->count = 0;
    for (uint32_t i = 0; i < parts->count; i++)
        if (which >> i & 1)
            few->loops[few->count++] = parts->loops[i];
}

/* Behind an exit of the loop's own; what leaves more loops is done with all parts. */
static void find_parts_behind(struct parts *parts, uint32_t which)
{
    struct gp_executor *ex = parts->ex;
    uint32_t behind = 0, loop = parts->loops[which];
    for (uint32_t i = 0; i < ex->edge_count; i++)
        if (gp_block_is_within(ex->kernel, ex->edges[i].from, loop) &&
            !gp_block_is_within(ex->kernel, ex->edges[i].to, loop))
            behind |= parts_along(parts, i, GP_NONE);
    note_parts(parts, behind & ~(UINT32_C(1) << which), &ex->loops[loop].parts_behind);
}

static bool asks_for_iterations(const struct parts *parts, uint32_t block)
{
    for (uint32_t i = 0; i < parts->count; i++)
        if (parts->exits[i].counter != NULL &&
            gp_asks_for_iterations(parts->ex->kernel, block, parts->loops[i], &parts->exits[i]))
            return true;
    return false;
}

/* One way leads to parts that the other does not, and to all that the other does. */
static void find_choice(struct parts *parts, uint32_t number)
{
    struct block *block = &parts->ex->blocks[number];
    if (block->end != END_BRANCH || block->out_count != 2 || !asks_for_iterations(parts, number))
        return;
    uint32_t first = parts_along(parts, parts->ex->out[block->first_out], block->ipdom),
             second = parts_along(parts, parts->ex->out[block->first_out + 1], block->ipdom);
    bool one_has_all = (first & second) == first || (first & second) == second;
    if (first == second || !one_has_all)
        return;
    block->to_parts = first > second ? 0 : 1; /* the one with all bits of the other */
    note_parts(parts, first ^ second, &block->parts);
}

void gp_executor_find_parts(struct gp_executor *ex)
{
    const struct gp_kernel *kernel = ex->kernel;
    struct parts parts = {.ex = ex,
                          .stack = malloc(((size_t)kernel->block_count + 1) * sizeof *parts.stack),
                          .seen = malloc((size_t)kernel->block_count + 1)};
    for (uint32_t loop = 0; loop < kernel->loop_count; loop++) {
        if (!collect_parts(&parts, loop))
            continue;
        for (uint32_t i = 0; i < parts.count; i++)
            find_parts_behind(&parts, i);
        for (uint32_t b = 0; b < kernel->block_count; b++)
            find_choice(&parts, b);
    }
    free(parts.stack);
    free(parts.seen);
}
