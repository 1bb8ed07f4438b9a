/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A kernel, decoded for execution: only what decides control flow or an address is kept, in dense arrays.
 */
#include <stdlib.h>

#include "model/executor/decoder.h"
#include "model/executor/executor_internal.h"

/* ---- The order of blocks ----------------------------------------------------------------------------------------- */

/*
 * The order in which paths of a warp run: blocks come after all that lead to them but back edges, and a loop's blocks
 * stand side by side. A path that has come to a later block waits for those at earlier ones, which may still come
 * there.
 */

struct visit {
    uint32_t block, next; /* successors looked at */
};

/* Blocks in the order in which a depth-first search is done with them. Returns how many it came to. */
static uint32_t search(const struct gp_executor *ex, struct visit *open, bool *seen, uint32_t *done)
{
    uint32_t depth = 1, count = 0;
    open[0] = (struct visit){0, 0};
    seen[0] = true;
    while (depth > 0) {
        struct visit *top = &open[depth - 1];
        const struct block *block = &ex->blocks[top->block];
        if (top->next == block->out_count) {
            done[count++] = top->block;
            depth--;
            continue;
        }
        uint32_t to = ex->edges[ex->out[block->first_out + top->next++]].to;
        if (!seen[to]) {
            seen[to] = true;
            open[depth++] = (struct visit){to, 0};
        }
    }
    return count;
}

/* A list of blocks: the one behind each. Loops know the last one of theirs so far. */
struct list {
    uint32_t *behind;
    uint32_t first, last;
};

/* The last block of a loop, or before it where it has none yet: of the loop around. GP_NONE: the whole kernel has none.
 */
static uint32_t end_of(const struct gp_executor *ex, const struct list *list, uint32_t loop)
{
    while (loop != GP_NONE && ex->loops[loop].last == GP_NONE)
        loop = ex->loops[loop].parent;
    return loop != GP_NONE ? ex->loops[loop].last : list->last;
}

static void append(struct gp_executor *ex, struct list *list, uint32_t block)
{
    uint32_t loop = ex->blocks[block].loop, before = end_of(ex, list, loop);
    bool own = true; /* the loops from here outwards end with this block */
    list->behind[block] = before != GP_NONE ? list->behind[before] : list->first;
    if (before != GP_NONE)
        list->behind[before] = block;
    else
        list->first = block;
    for (; loop != GP_NONE && own; loop = ex->loops[loop].parent) {
        own = ex->loops[loop].last == GP_NONE || ex->loops[loop].last == before;
        if (own)
            ex->loops[loop].last = block;
    }
    if (list->last == before)
        list->last = block;
}

/* Of blocks, and of the ends of loops behind their last block, inner loops' first. */
static void number_places(struct gp_executor *ex, const struct list *list)
{
    uint32_t number = 0;
    for (uint32_t block = list->first; block != GP_NONE; block = list->behind[block]) {
        ex->blocks[block].order = number++;
        for (uint32_t loop = ex->blocks[block].loop; loop != GP_NONE && ex->loops[loop].last == block;
             loop = ex->loops[loop].parent)
            ex->loops[loop].end = number++;
    }
}

/* Fills in the order of blocks and loops' ends. */
static void executor_order(struct gp_executor *ex)
{
    uint32_t count = ex->kernel->block_count;
    struct visit *open = calloc((size_t)count + 1, sizeof *open);
    bool *seen = calloc((size_t)count + 1, sizeof *seen);
    uint32_t *done = calloc((size_t)count + 1, sizeof *done);
    struct list list = {calloc((size_t)count + 1, sizeof *list.behind), GP_NONE, GP_NONE};
    for (uint32_t i = 0; i < ex->kernel->loop_count; i++)
        ex->loops[i].last = GP_NONE;
    if (count > 0) {
        for (uint32_t i = search(ex, open, seen, done); i-- > 0;)
            append(ex, &list, done[i]);
        number_places(ex, &list);
    }
    free(open);
    free(seen);
    free(done);
    free(list.behind);
}

/* ---- All steps --------------------------------------------------------------------------------------------------- */

static void decode_all(struct decoder *d)
{
    const struct gp_kernel *kernel = d->kernel;
    gp_mark_needed(d);
    gp_find_scales(d);
    gp_make_loops(d);
    gp_make_slots(d);
    gp_make_edges(d);
    gp_make_block_arrays(d);
    for (uint32_t b = 0; b < kernel->block_count; b++)
        gp_decode_block(d, b);
    gp_find_overlap_checks(d);
    gp_decode_inductions(d);
    gp_find_deciders(d);
    executor_order(d->ex);
    gp_decode_expressions(d);
    gp_look_at_loops(d);
    gp_find_carried(d);
    gp_executor_find_parts(d->ex);
    gp_find_local_values(d);
    gp_find_varying(d);
    gp_find_floats(d);
}

void gp_executor_decode(struct gp_executor *ex)
{
    const struct gp_kernel *kernel = ex->kernel;
    struct decoder d = {.ex = ex, .kernel = kernel};
    size_t insts = (size_t)kernel->inst_count + 1, blocks = (size_t)kernel->block_count + 1;
    for (uint32_t b = 0; b < kernel->block_count; b++)
        d.first_expression += kernel->blocks[b].inst_count;
    d.needed = calloc(insts, sizeof *d.needed);
    d.scale = calloc(insts, sizeof *d.scale);
    d.scaled = calloc(insts, sizeof *d.scaled);
    d.work = calloc(insts, sizeof *d.work);
    d.slot = calloc(insts, sizeof *d.slot);
    d.stamp = calloc(insts, sizeof *d.stamp);
    d.inside = calloc((size_t)kernel->block_count + 1, sizeof *d.inside);
    d.edge_from = calloc(blocks, sizeof *d.edge_from);
    ex->blocks = calloc(blocks, sizeof *ex->blocks);
    ex->loops = calloc((size_t)kernel->loop_count + 1, sizeof *ex->loops);
    ex->inductions = calloc((size_t)kernel->induction_count + 1, sizeof *ex->inductions);
    decode_all(&d);
    free(d.needed);
    free(d.scale);
    free(d.scaled);
    free(d.work);
    free(d.slot);
    free(d.stamp);
    free(d.inside);
    free(d.edge_from);
}
