/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Values that change from one iteration of a loop to the next in a known way: branches that depend on them, and what is
 * used of them behind the loop. */
#include <stdlib.h>
#include <string.h>

#include "model/executor/decoder.h"

static bool is_stamped(const struct decoder *d, gp_ref ref)
{
    return gp_ref_kind(ref) == GP_REF_INST && d->stamp[gp_ref_index(ref)];
}

/* Stamps what follows the stamped phis of the loop's header, iteration by iteration. What is loaded is not known,
 * whatever its address. */
static void stamp_followers(struct decoder *d, uint32_t loop)
{
    enum { PASSES = 2 }; /* an inner loop's phis follow what stands after them */
    const struct gp_kernel *kernel = d->kernel;
    uint32_t header = kernel->loops[loop].header;
    for (uint32_t n = 0; n < PASSES * d->inside_count; n++) {
        uint32_t block = d->inside[n % d->inside_count];
        const struct gp_block *b = &kernel->blocks[block];
        for (uint32_t i = b->inst; i < b->inst + b->inst_count; i++) {
            const struct gp_inst *inst = &kernel->insts[i];
            bool may = d->needed[i] && (inst->op == GP_OP_PHI ? block != header : gp_kind_of(inst) == KIND_PURE);
            for (uint32_t k = 0; may && !d->stamp[i] && k < inst->operand_count; k++)
                d->stamp[i] = is_stamped(d, gp_operands(d, inst)[k]);
        }
    }
}

/* Takes their stamps from the header's phis that no iteration changes in a known way. False: there were none. */
static bool drop_phis(struct decoder *d, uint32_t loop)
{
    const struct gp_kernel *kernel = d->kernel;
    const struct gp_block *header = &kernel->blocks[kernel->loops[loop].header];
    bool dropped = false;
    for (uint32_t i = header->inst; i < header->inst + header->inst_count; i++) {
        const struct gp_inst *inst = &kernel->insts[i];
        bool changes = false;
        if (inst->op != GP_OP_PHI || !d->stamp[i])
            continue;
        for (uint32_t k = 1; k < inst->operand_count; k += 2)
            changes = changes || is_stamped(d, gp_operands(d, inst)[k]);
        d->stamp[i] = changes;
        dropped = dropped || !changes;
    }
    return dropped;
}

/* The header's phis that change from one iteration to the next in a known way, and what follows from them. */
static void stamp_iteration(struct decoder *d, uint32_t loop)
{
    enum { ROUNDS = 4 };
    const struct gp_kernel *kernel = d->kernel;
    const struct gp_block *header = &kernel->blocks[kernel->loops[loop].header];
    d->inside_count = 0;
    for (uint32_t block = 0; block < kernel->block_count; block++)
        if (gp_executor_inside(d->ex, block, loop))
            d->inside[d->inside_count++] = block;
    memset(d->stamp, 0, kernel->inst_count * sizeof *d->stamp);
    for (uint32_t i = header->inst; i < header->inst + header->inst_count; i++)
        d->stamp[i] = kernel->insts[i].op == GP_OP_PHI && d->needed[i];
    stamp_followers(d, loop);
    for (int round = 0; round < ROUNDS && drop_phis(d, loop); round++) {
        for (uint32_t n = 0; n < d->inside_count; n++) {
            const struct gp_block *b = &kernel->blocks[d->inside[n]];
            for (uint32_t i = b->inst; i < b->inst + b->inst_count; i++)
                d->stamp[i] = d->stamp[i] && b == header && kernel->insts[i].op == GP_OP_PHI;
        }
        stamp_followers(d, loop);
    }
}

/* Whether a branch that stays in the loop (not an inner loop's exit) goes another way from iteration to iteration, as
 * far as is known. */
bool gp_depends_on_iteration(struct decoder *d, uint32_t loop)
{
    const struct gp_kernel *kernel = d->kernel;
    const struct gp_executor *ex = d->ex;
    stamp_iteration(d, loop);
    for (uint32_t n = 0; n < d->inside_count; n++) {
        const struct block *b = &ex->blocks[d->inside[n]];
        const struct gp_inst *end = gp_block_terminator(kernel, d->inside[n]);
        bool stays = b->out_count >= 2;
        for (uint32_t k = 0; stays && k < b->out_count; k++)
            stays = ex->edges[ex->out[b->first_out + k]].leaves == 0;
        if (stays && end->operand_count && is_stamped(d, gp_operands(d, end)[0]))
            return true;
    }
    return false;
}

/* ---- Values that nobody knows behind a loop that was left by guess ----------------------------------------------- */

static bool may_end_by_data(const struct decoder *d, uint32_t loop)
{
    const struct gp_executor *ex = d->ex;
    for (uint32_t b = 0; b < d->kernel->block_count; b++) {
        const struct block *block = &ex->blocks[b];
        bool data = block->loop == loop && block->branch != GP_NONE &&
                    d->kernel->branches[block->branch].kind == GP_BRANCH_DATA;
        for (uint32_t k = 0; data && k < block->out_count; k++)
            if (ex->edges[ex->out[block->first_out + k]].leaves > 0)
                return true;
    }
    return false;
}

void gp_find_varying(struct decoder *d)
{
    struct gp_executor *ex = d->ex;
    const struct gp_kernel *kernel = d->kernel;
    uint32_t count = 0, room = 0;
    for (uint32_t i = 0; i < kernel->loop_count; i++) {
        ex->loops[i].varying = count;
        if (!may_end_by_data(d, i))
            continue;
        stamp_iteration(d, i);
        for (uint32_t n = 0; n < d->inside_count; n++) {
            const struct gp_block *b = &kernel->blocks[d->inside[n]];
            for (uint32_t k = b->inst; k < b->inst + b->inst_count; k++) {
                if (!d->stamp[k] || !d->needed[k] || ex->slots[d->slot[k]].local)
                    continue;
                if (count == room)
                    ex->varying = realloc(ex->varying, (room = 2 * room + 16) * sizeof *ex->varying);
                ex->varying[count++] = d->slot[k];
            }
        }
        ex->loops[i].varying_count = count - ex->loops[i].varying;
    }
}
