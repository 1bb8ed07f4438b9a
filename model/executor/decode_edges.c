/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Edges from block to block, grouped by where they lead, with the loops that each leaves. */
#include <stdlib.h>
#include <string.h>

#include "model/executor/decoder.h"

/* The k-th target of a terminator, GP_NONE beyond the last. A switch: default first. */
uint32_t gp_target_at(const struct decoder *d, const struct gp_inst *inst, uint32_t k)
{
    uint32_t operand;
    if (inst->op == GP_OP_BR)
        operand = k;
    else if (inst->op == GP_OP_CONDBR)
        operand = 1 + k;
    else if (inst->op == GP_OP_SWITCH)
        operand = k == 0 ? 1 : 1 + 2 * k;
    else
        return GP_NONE;
    if (operand >= inst->operand_count || gp_ref_kind(gp_operands(d, inst)[operand]) != GP_REF_BLOCK)
        return GP_NONE;
    return gp_ref_index(gp_operands(d, inst)[operand]);
}

uint32_t gp_target_limit(const struct gp_inst *inst) { return inst->operand_count; }

/* Loops that an edge leaves, from its block's innermost loop outwards. */
static uint32_t loops_left(const struct gp_executor *ex, uint32_t block, uint32_t target)
{
    uint32_t count = 0;
    for (uint32_t loop = ex->blocks[block].loop; loop != GP_NONE && !gp_executor_inside(ex, target, loop);
         loop = ex->loops[loop].parent)
        count++;
    return count;
}

/* First the number of edges, then the edges themselves, grouped by where they lead. */
void gp_make_edges(struct decoder *d)
{
    struct gp_executor *ex = d->ex;
    uint32_t blocks = d->kernel->block_count, *seen = d->edge_from;
    memset(seen, 0, blocks * sizeof *seen);
    for (uint32_t b = 0; b < blocks; b++) {
        const struct gp_inst *inst = gp_block_terminator(d->kernel, b);
        ex->blocks[b].first_out = d->out_count;
        for (uint32_t k = 0; k < gp_target_limit(inst); k++) {
            uint32_t to = gp_target_at(d, inst, k);
            if (to == GP_NONE || seen[to] == b + 1)
                continue;
            seen[to] = b + 1;
            ex->blocks[b].out_count++;
            ex->blocks[to].in_count++;
            d->out_count++;
        }
    }
    ex->edge_count = d->out_count;
    ex->edges = calloc((size_t)d->out_count + 1, sizeof *ex->edges);
    ex->out = calloc((size_t)d->out_count + 1, sizeof *ex->out);
    uint32_t first = 0;
    for (uint32_t b = 0; b < blocks; b++) {
        ex->blocks[b].first_in = first;
        first += ex->blocks[b].in_count;
        ex->blocks[b].in_count = 0;
    }
    memset(seen, 0, blocks * sizeof *seen);
    for (uint32_t b = 0; b < blocks; b++) {
        const struct gp_inst *inst = gp_block_terminator(d->kernel, b);
        uint32_t out = ex->blocks[b].first_out;
        for (uint32_t k = 0; k < gp_target_limit(inst); k++) {
            uint32_t to = gp_target_at(d, inst, k);
            if (to == GP_NONE || seen[to] == b + 1)
                continue;
            seen[to] = b + 1;
            uint32_t edge = ex->blocks[to].first_in + ex->blocks[to].in_count++;
            uint32_t heads = ex->blocks[to].heads;
            ex->edges[edge] =
                (struct edge){b, to, heads != GP_NONE && gp_executor_inside(ex, b, heads), loops_left(ex, b, to)};
            ex->out[out++] = edge;
        }
    }
}
