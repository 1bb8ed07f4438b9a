/* Loops: their nest, and how many of their iterations may be left out. */
#include <stdlib.h>

#include "model/code/loop_exit.h"
#include "model/executor/decoder.h"

bool gp_executor_inside(const struct gp_executor *ex, uint32_t block, uint32_t loop)
{
    uint32_t at = ex->blocks[block].loop;
    while (at != GP_NONE && at > loop)
        at = ex->loops[at].parent;
    return at == loop;
}

void gp_make_loops(struct decoder *d)
{
    struct gp_executor *ex = d->ex;
    const struct gp_kernel *kernel = d->kernel;
    for (uint32_t i = 0; i < kernel->loop_count; i++) {
        const struct gp_loop *source = &kernel->loops[i];
        struct loop *loop = &ex->loops[i];
        loop->header = source->header;
        loop->parent = source->parent < i ? source->parent : GP_NONE; /* parents stand before their children */
        loop->body = source->unroll ? source->unroll : 1;
        loop->assumed = source->bound == GP_BOUND_ASSUMED;
        loop->retries = source->bound == GP_BOUND_RETRY;
        loop->trip_count = GP_NONE;
        loop->exit = GP_NONE;
    }
    for (uint32_t b = 0; b < kernel->block_count; b++) {
        ex->blocks[b].ipdom = kernel->blocks[b].ipdom;
        ex->blocks[b].loop = kernel->blocks[b].loop;
        ex->blocks[b].heads = GP_NONE;
    }
    for (uint32_t i = kernel->loop_count; i-- > 0;)
        ex->blocks[kernel->loops[i].header].heads = i;
}

/* Exits that compare a counter with what does not change: of all of them scalar evolution's trip count is the least. */
static bool are_all_counted(const struct gp_kernel *kernel, uint32_t loop, uint32_t exits)
{
    uint8_t bound = kernel->loops[loop].bound;
    struct gp_loop_exit out;
    uint32_t counted = 0;
    for (uint32_t block = 0; counted < exits && gp_find_loop_exit(kernel, loop, block, &out); block = out.block + 1)
        counted++;
    return counted == exits && (bound == GP_BOUND_SCEV || bound == GP_BOUND_CONSTANT);
}

bool gp_look_at_loops(struct decoder *d)
{
    struct gp_executor *ex = d->ex;
    const struct gp_kernel *kernel = d->kernel;
    uint32_t *exits = calloc((size_t)kernel->loop_count + 1, sizeof *exits); /* that do not depend on data */
    if (!exits)
        return false;
    for (uint32_t b = 0; b < kernel->block_count; b++) {
        const struct block *block = &ex->blocks[b];
        if (block->loop == GP_NONE)
            continue;
        struct loop *innermost = &ex->loops[block->loop];
        unsigned rank = gp_exit_rank(d, b);
        if (rank && (innermost->exit == GP_NONE || rank >= gp_exit_rank(d, innermost->exit)))
            innermost->exit = b;
        if (block->end == END_BRANCH || block->end == END_SWITCH)
            for (uint32_t loop = block->loop; loop != GP_NONE; loop = ex->loops[loop].parent)
                exits[loop] += gp_is_known_exit(d, b, loop);
    }
    for (uint32_t i = 0; i < kernel->loop_count; i++) {
        struct loop *loop = &ex->loops[i];
        bool bounded = loop->trip_count != GP_NONE ? exits[i] <= 1 || are_all_counted(kernel, i, exits[i]) : loop->assumed && exits[i] == 0;
        loop->can_jump = bounded && ex->blocks[loop->header].heads == i;
        loop->varied = loop->can_jump && gp_depends_on_iteration(d, i);
        if (loop->retries)
            gp_find_retried(d, i);
        if (loop->assumed)
            gp_find_factors(d, i);
    }
    free(exits);
    return gp_find_ends(d);
}
