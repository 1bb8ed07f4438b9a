/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A kernel, decoded for execution: only what decides control flow or an address is kept, in dense arrays.
 */
#include <stdlib.h>

#include "model/executor/decoder.h"

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
    gp_executor_order(d->ex);
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
