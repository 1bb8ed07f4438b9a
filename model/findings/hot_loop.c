/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/findings/hot_loop.h"

#include <stdlib.h>

#include "model/findings/limiter_work.h"
#include "model/value/inst_facts.h"

static double of_block(const struct gp_kernel *kernel, const struct gp_work *work, enum gp_limiter limiter, uint32_t b)
{
    const struct gp_block_work *block = &work->blocks[b];
    if (gp_limiter_is_time(limiter))
        return block->chain;
    double sum = block->visits * gp_limiter_of_pipes(limiter, block->pipes.issue, block->pipes.ops);
    for (uint32_t i = kernel->blocks[b].inst; i < kernel->blocks[b].inst + kernel->blocks[b].inst_count; i++) {
        uint32_t record = gp_inst_accesses(&kernel->insts[i]) ? kernel->insts[i].record : GP_NONE;
        if (record != GP_NONE)
            sum += gp_limiter_of_memory(limiter, &work->memory[record]);
    }
    return sum;
}

uint32_t gp_hot_loop(const struct gp_kernel *kernel, const struct gp_work *work, enum gp_limiter limiter, double *share)
{
    uint32_t hot = GP_NONE;
    double all = 0, *within = calloc(kernel->loop_count + 1, sizeof *within);
    *share = 0;
    for (uint32_t b = 0; b < work->block_count; b++) {
        double part = of_block(kernel, work, limiter, b);
        all += part;
        for (uint32_t loop = kernel->blocks[b].loop; loop != GP_NONE; loop = kernel->loops[loop].parent)
            within[loop] += part;
    }
    for (uint32_t loop = 0; loop < kernel->loop_count; loop++) /* parents first: what is found last is innermost */
        if (within[loop] > 0.5 * all) {
            hot = loop;
            *share = within[loop] / all;
        }
    free(within);
    return hot;
}
