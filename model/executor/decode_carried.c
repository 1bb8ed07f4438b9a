/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What an iteration of a loop carries to the next one beside its counters: a header's phi whose next value follows by
 * arithmetic alone from the header's phis, as a state that is hashed, a random number, or a byte of a word that counts.
 * Then iterations are left out by doing that arithmetic as often, without the rest of the loop.
 */
#include <stdlib.h>
#include <string.h>

#include "model/executor/decoder.h"
#include "model/value/inst_facts.h"

enum { MOST_OPS = 64 }; /* of a loop whose every operation is needed for the next value nothing is gained */

/* Operations in the order in which they are found needed, each behind its operands. */
struct chain {
    struct decoder *d;
    uint32_t loop, insts[MOST_OPS], count;
};

static bool is_inside(const struct chain *c, uint32_t inst)
{
    const struct gp_kernel *kernel = c->d->kernel;
    for (uint32_t n = 0; n < c->d->inside_count; n++) {
        const struct gp_block *b = &kernel->blocks[c->d->inside[n]];
        if (inst >= b->inst && inst < b->inst + b->inst_count)
            return true;
    }
    return false;
}

/* Adds what a value is computed from in the loop. False: not by arithmetic alone, or by too much of it. */
static bool add(struct chain *c, gp_ref ref, unsigned depth)
{
    uint32_t index = gp_ref_index(ref);
    if (gp_ref_kind(ref) != GP_REF_INST || c->d->stamp[index] || !is_inside(c, index) ||
        gp_is_header_phi(c->d->kernel, c->loop, index))
        return true;
    const struct gp_inst *inst = &c->d->kernel->insts[index];
    if (gp_kind_of(inst) != KIND_PURE || !c->d->needed[index] || depth == 0)
        return false;
    for (unsigned k = 0; k < gp_operation_arity(inst->op); k++)
        if (!add(c, gp_operands(c->d, inst)[k], depth - 1))
            return false;
    if (c->count == MOST_OPS)
        return false;
    c->d->stamp[index] = 1;
    c->insts[c->count++] = index;
    return true;
}

/* By all edges from inside the same value. */
static bool add_next(struct chain *c, const struct gp_inst *phi)
{
    struct gp_executor *ex = c->d->ex;
    gp_ref next = 0;
    bool found = false;
    for (uint32_t k = 0; k + 1 < phi->operand_count; k += 2) {
        const gp_ref *in = gp_operands(c->d, phi) + k;
        if (gp_ref_kind(in[0]) != GP_REF_BLOCK || !gp_executor_inside(ex, gp_ref_index(in[0]), c->loop))
            continue;
        if (found && in[1] != next)
            return false;
        next = in[1];
        found = true;
    }
    return found && add(c, next, MOST_OPS);
}

/* All of the header's phis, counters as well: they are what the others are computed from. */
static bool find_chain(struct chain *c)
{
    const struct gp_kernel *kernel = c->d->kernel;
    const struct gp_block *header = &kernel->blocks[kernel->loops[c->loop].header];
    bool more = false;
    for (uint32_t i = header->inst; i < header->inst + header->inst_count; i++) {
        const struct gp_inst *inst = &kernel->insts[i];
        if (inst->op == GP_OP_PHI && c->d->needed[i] && !add_next(c, inst))
            return false;
    }
    const struct block *decoded = &c->d->ex->blocks[kernel->loops[c->loop].header];
    for (uint32_t i = 0; i < decoded->phi_count; i++) {
        const struct phi *phi = &c->d->ex->phis[decoded->first_phi + i];
        more |= phi->induction == GP_NONE && phi->behind.induction == GP_NONE;
    }
    return more;
}

static uint32_t operations_of(struct decoder *d)
{
    uint32_t count = 0;
    for (uint32_t n = 0; n < d->inside_count; n++)
        count += d->ex->blocks[d->inside[n]].op_count;
    return count;
}

static void decode(struct decoder *d, struct chain *c)
{
    struct gp_executor *ex = d->ex;
    struct loop *loop = &ex->loops[c->loop];
    ex->carried.ops = realloc(ex->carried.ops, ((size_t)ex->carried.count + c->count + 1) * sizeof *ex->carried.ops);
    loop->carried = ex->carried.count;
    loop->carried_count = c->count;
    for (uint32_t i = 0; i < c->count; i++)
        gp_decode_op(d, c->insts[i], &ex->carried.ops[ex->carried.count++]);
}

void gp_find_carried(struct decoder *d)
{
    for (uint32_t i = 0; i < d->kernel->loop_count; i++) {
        struct chain chain = {.d = d, .loop = i};
        if (!d->ex->loops[i].can_jump)
            continue;
        d->inside_count = 0;
        for (uint32_t block = 0; block < d->kernel->block_count; block++)
            if (gp_executor_inside(d->ex, block, i))
                d->inside[d->inside_count++] = block;
        memset(d->stamp, 0, d->kernel->inst_count * sizeof *d->stamp);
        d->ex->loops[i].operations = operations_of(d);
        if (find_chain(&chain))
            decode(d, &chain);
    }
}
