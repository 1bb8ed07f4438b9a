/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Loops: their nest, and how many of their iterations may be left out. */
#include <stdlib.h>

#include "model/value/inst_facts.h"
#include "model/compilers/loop_exit.h"
#include "model/value/operand_walk.h"
#include "model/value/refs.h"
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

/* Whether a value is a counter of the loop's, its next value, or what does not change, or sums of these: start + i. */
static enum gp_visit see_counted(const struct gp_kernel *kernel, gp_ref ref, const struct gp_inst *inst, void *context)
{
    uint32_t loop = *(const uint32_t *)context,
             block = inst != NULL ? gp_inst_block(kernel, gp_ref_index(ref)) : GP_NONE;
    if (block == GP_NONE || !gp_block_is_within(kernel, block, loop))
        return GP_VISIT_NEXT;
    const struct gp_induction *counter = gp_counter_of(kernel, gp_ref_index(ref));
    if (counter != NULL && counter->loop == loop)
        return GP_VISIT_NEXT;
    bool sum = inst->op == GP_OP_ADD || inst->op == GP_OP_SUB || gp_op_is_cast((enum gp_op)inst->op);
    return sum ? GP_VISIT_OPERANDS : GP_VISIT_ENOUGH;
}

static bool is_counted(const struct gp_kernel *kernel, uint32_t loop, gp_ref ref)
{
    return gp_walk_operands(kernel, ref, see_counted, &loop) == GP_WALK_WHOLE;
}

/* An exit that compares such, in every iteration: of one that some iterations pass over scalar evolution knows no more
 * than that it may be taken. */
static bool is_counted_exit(const struct decoder *d, uint32_t block, uint32_t loop)
{
    const struct gp_inst *end = gp_block_terminator(d->kernel, block);
    const struct gp_inst *test =
        end->op == GP_OP_CONDBR ? gp_inst_of(d->kernel, gp_operand_of(d->kernel, end, 0)) : NULL;
    return test != NULL && test->op == GP_OP_ICMP && gp_passes_by(d->kernel, loop, block) &&
           is_counted(d->kernel, loop, gp_operand_of(d->kernel, test, 0)) &&
           is_counted(d->kernel, loop, gp_operand_of(d->kernel, test, 1));
}

/* Of exits that all are counted scalar evolution's trip count is the least. */
static bool are_all_counted(const struct decoder *d, uint32_t loop)
{
    uint8_t bound = d->kernel->loops[loop].bound;
    if (bound != GP_BOUND_SCEV && bound != GP_BOUND_CONSTANT)
        return false;
    for (uint32_t b = 0; b < d->kernel->block_count; b++) {
        bool branches = gp_executor_inside(d->ex, b, loop) &&
                        (d->ex->blocks[b].end == END_BRANCH || d->ex->blocks[b].end == END_SWITCH);
        if (branches && gp_is_known_exit(d, b, loop) && !is_counted_exit(d, b, loop))
            return false;
    }
    return true;
}

void gp_look_at_loops(struct decoder *d)
{
    struct gp_executor *ex = d->ex;
    const struct gp_kernel *kernel = d->kernel;
    uint32_t *exits = calloc((size_t)kernel->loop_count + 1, sizeof *exits); /* that do not depend on data */
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
        bool bounded =
            loop->trip_count != GP_NONE ? exits[i] <= 1 || are_all_counted(d, i) : loop->assumed && exits[i] == 0;
        loop->can_jump = bounded && ex->blocks[loop->header].heads == i;
        loop->varied = loop->can_jump && gp_depends_on_iteration(d, i);
        if (loop->retries)
            gp_find_retried(d, i);
        if (loop->assumed)
            gp_find_factors(d, i);
    }
    free(exits);
    gp_find_ends(d);
}
