/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How loops end that nobody knows the trip count of: which block is their exit, which exchange they go round for, and
 * which branches ask whether they go round at all. */
#include <stdlib.h>

#include "model/compilers/loop_exit.h"
#include "model/value/operand_walk.h"
#include "model/value/refs.h"
#include "model/executor/decoder.h"

/* Whether a branch of a loop (or of a loop inside) leaves it for another reason than data. */
bool gp_is_known_exit(const struct decoder *d, uint32_t block, uint32_t loop)
{
    const struct gp_executor *ex = d->ex;
    const struct block *b = &ex->blocks[block];
    uint32_t inside = 0;
    for (uint32_t k = 0; k < b->out_count; k++)
        inside += gp_executor_inside(ex, ex->edges[ex->out[b->first_out + k]].to, loop);
    bool data = b->branch != GP_NONE && d->kernel->branches[b->branch].kind == GP_BRANCH_DATA;
    return inside < b->out_count && !data;
}

/*
 * How well a block suits as the exit of its loop where nothing is known, larger is better: leaves no more than the
 * loop, depends on data (another condition would be known), is at the loop's end or at its start. 0: no exit.
 */
unsigned gp_exit_rank(const struct decoder *d, uint32_t block)
{
    const struct gp_executor *ex = d->ex;
    const struct block *b = &ex->blocks[block];
    uint32_t left = 0;
    for (uint32_t k = 0; k < b->out_count; k++) {
        uint32_t leaves = ex->edges[ex->out[b->first_out + k]].leaves;
        left = leaves && (left == 0 || leaves < left) ? leaves : left;
    }
    if (left == 0 || b->loop == GP_NONE)
        return 0;
    const struct gp_loop *loop = &d->kernel->loops[b->loop];
    bool data = b->branch == GP_NONE || d->kernel->branches[b->branch].kind == GP_BRANCH_DATA;
    return 1 + (left == 1 ? 8 : 0) + (data ? 4 : 0) + (block == loop->latch ? 2 : block == loop->header ? 1 : 0);
}

/* ---- Loops that go round until an exchange succeeds -------------------------------------------------------------- */

/* The atomic operation that a condition asks about, through comparisons, casts and what joins conditions. */
static enum gp_visit see_exchange(const struct gp_kernel *kernel, gp_ref ref, const struct gp_inst *inst, void *found)
{
    (void)kernel, (void)ref;
    if (inst == NULL)
        return GP_VISIT_NEXT;
    if (inst->op == GP_OP_ATOMIC) {
        *(const struct gp_inst **)found = inst;
        return GP_VISIT_ENOUGH;
    }
    bool through = gp_op_is_cast((enum gp_op)inst->op) || inst->op == GP_OP_COPY || inst->op == GP_OP_ICMP ||
                   inst->op == GP_OP_FCMP || inst->op == GP_OP_XOR || inst->op == GP_OP_WEIGHT ||
                   (inst->bits == 1 && (inst->op == GP_OP_AND || inst->op == GP_OP_OR || inst->op == GP_OP_SELECT));
    return through ? GP_VISIT_OPERANDS : GP_VISIT_NEXT;
}

/* Marks the exchange that a loop goes round for: what its exit asks about. Where that is not to be seen, the loop is
 * one of which nothing is known. */
void gp_find_retried(struct decoder *d, uint32_t loop)
{
    struct gp_executor *ex = d->ex;
    const struct gp_inst *exchange = NULL;
    for (uint32_t b = 0; exchange == NULL && b < d->kernel->block_count; b++)
        if (ex->blocks[b].loop == loop && ex->blocks[b].end == END_BRANCH && gp_exit_rank(d, b) > 0)
            gp_walk_operands(d->kernel, gp_operands(d, gp_block_terminator(d->kernel, b))[0], see_exchange, &exchange);
    for (uint32_t b = 0; exchange != NULL && b < d->kernel->block_count; b++) {
        struct op *op = ex->blocks[b].loop == loop ? gp_op_of(d, b, (uint32_t)(exchange - d->kernel->insts)) : NULL;
        if (op == NULL)
            continue;
        op->retried = loop;
        return;
    }
    ex->loops[loop].retries = false;
    ex->loops[loop].assumed = true;
}

/* ---- Counters and guards ----------------------------------------------------------------------------------------- */

static void note_count(struct decoder *d, uint32_t block, gp_ref from, const struct gp_loop_exit *out)
{
    struct block *b = &d->ex->blocks[block];
    gp_ref step = out->counter->step;
    int64_t stride = gp_signed_constant(d->kernel, step, d->kernel->insts[out->counter->phi].bits);
    b->from = gp_slot_of(d, from);
    b->until = gp_slot_of(d, out->end);
    b->stride = stride < 0 ? -stride : stride > 0 ? stride : 1;
}

/*
 * Branches that ask whether a loop that ends where data says goes round at all: it is taken to do so, since so many
 * iterations are assumed of it; the way past it is as rare as one that the compiler takes to be (once in 2001).
 */
static void find_guards(struct decoder *d, uint32_t loop, const struct gp_loop_exit *exits)
{
    const struct gp_loop_exit *out = &exits[loop];
    struct gp_loop_exit other = *out;
    do
        note_count(d, other.block, gp_ref_make(GP_REF_INST, other.counter->phi), &other);
    while (gp_find_loop_exit(d->kernel, loop, other.block + 1, &other));
    for (uint32_t i = 0; i < d->kernel->loop_count; i++)
        if (i != loop && exits[i].counter != NULL && d->ex->loops[i].parent == d->ex->loops[loop].parent &&
            gp_is_rest_of_loop(d->kernel, &exits[i], out))
            note_count(d, exits[i].block, out->start, out);
    for (uint32_t b = 0; b < d->kernel->block_count; b++) {
        struct block *block = &d->ex->blocks[b];
        if (block->end != END_BRANCH || block->branch == GP_NONE || !gp_guards_loop(d->kernel, b, loop, out))
            continue;
        note_count(d, b, out->start, out);
        if (!d->kernel->branches[block->branch].has_probability)
            block->probability = d->ex->edges[d->ex->out[block->first_out]].to == block->ipdom ? RARELY : 1 - RARELY;
    }
}

/* How the loops of which so many iterations are assumed end, where that is told: no counter where it is not. */
void gp_find_ends(struct decoder *d)
{
    uint32_t count = d->kernel->loop_count;
    struct gp_loop_exit *exits = calloc((size_t)count + 1, sizeof *exits);
    for (uint32_t i = 0; i < count; i++)
        if (d->ex->loops[i].assumed && !gp_find_loop_exit(d->kernel, i, 0, &exits[i]))
            exits[i].counter = NULL;
    for (uint32_t i = 0; i < count; i++)
        if (exits[i].counter != NULL)
            find_guards(d, i, exits);
    free(exits);
}
