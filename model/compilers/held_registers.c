/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/compilers/held_registers.h"

#include "model/compilers/liveness.h"

static uint32_t words_of(const struct gp_liveness *l, uint32_t value)
{
    return gp_live_in_scalar(l, value) || gp_live_is_operand(l, value) ? 0 : gp_live_words(l, value);
}

static uint32_t words_of_phis(const struct gp_liveness *l, uint32_t block)
{
    const struct gp_block *b = &l->kernel->blocks[block];
    uint32_t words = 0;
    for (uint32_t i = b->inst; i < b->inst + b->inst_count && l->kernel->insts[i].op == GP_OP_PHI; i++)
        words += words_of(l, i);
    return words;
}

void gp_held_words(const struct gp_kernel *kernel, bool scalar_unit, uint32_t *words)
{
    struct gp_liveness liveness;
    gp_liveness_begin(&liveness, kernel, scalar_unit);
    for (uint32_t b = 0; b < kernel->block_count; b++) {
        words[b] = words_of_phis(&liveness, b);
        for (uint32_t i = 0; i < liveness.in[b].count; i++)
            words[b] += words_of(&liveness, liveness.in[b].values[i]);
    }
    gp_liveness_end(&liveness);
}
