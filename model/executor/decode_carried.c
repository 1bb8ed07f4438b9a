/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What of a loop's phis the next iteration needs, and what of them decides whether there is one. */
#include <stdlib.h>
#include <string.h>

#include "model/compilers/loop_exit.h"
#include "model/executor/decoder.h"
#include "model/value/inst_facts.h"
#include "model/value/operand_walk.h"
#include "model/value/refs.h"

/* ---- What is carried --------------------------------------------------------------------------------------------- */

/*
 * What an iteration of a loop carries to the next one beside its counters: a header's phi whose next value follows by
 * arithmetic alone from the header's phis, as a state that is hashed, a random number, or a byte of a word that counts.
 * Then iterations are left out by doing that arithmetic as often, without the rest of the loop.
 */

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
        if (gp_ref_kind(in[0]) != GP_REF_BLOCK || !gp_block_is_within(ex->kernel, gp_ref_index(in[0]), c->loop))
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
            if (gp_block_is_within(d->kernel, block, i))
                d->inside[d->inside_count++] = block;
        memset(d->stamp, 0, d->kernel->inst_count * sizeof *d->stamp);
        d->ex->loops[i].operations = operations_of(d);
        if (find_chain(&chain))
            decode(d, &chain);
    }
}

/* ---- What decides the end ---------------------------------------------------------------------------------------- */

/*
 * What decides whether a loop ends: where all of its exits, in every iteration, follow by arithmetic from phis of its
 * header, and from what does not change in it, it cannot end once these come back to what they were. Of a counter of
 * few bits that an optimiser keeps in many, the few decide.
 */

struct deciders {
    const struct decoder *d;
    uint32_t loop, phis[MOST_DECIDERS], count;
    unsigned bits[MOST_DECIDERS]; /* so many of the lowest decide */
    unsigned visits;
};

static bool add_phi(struct deciders *found, uint32_t phi, unsigned bits)
{
    uint32_t i = 0;
    while (i < found->count && found->phis[i] != phi)
        i++;
    if (i == MOST_DECIDERS || !found->d->needed[phi])
        return false;
    found->count += i == found->count;
    found->phis[i] = phi;
    found->bits[i] = bits > found->bits[i] ? bits : found->bits[i];
    return true;
}

static unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }

/* Of how many of the lowest bits of its operands so many of an operation's result are made: of sums and products of as
 * many, of what is cut off fewer, of others of all. */
static unsigned bits_of_operands(const struct gp_kernel *kernel, const struct gp_inst *inst, unsigned bits)
{
    gp_ref second = inst->operand_count > 1 ? gp_operand_of(kernel, inst, 1) : GP_REF_NONE;
    uint64_t constant = gp_ref_kind(second) == GP_REF_CONST ? kernel->constants[gp_ref_index(second)] : 0;
    switch (inst->op) {
    case GP_OP_ADD:
    case GP_OP_SUB:
    case GP_OP_MUL:
    case GP_OP_OR:
    case GP_OP_XOR:
    case GP_OP_TRUNC:
    case GP_OP_ZEXT:
    case GP_OP_SEXT:
    case GP_OP_COPY: return bits;
    case GP_OP_AND: return constant > 0 ? least(bits, 64 - (unsigned)__builtin_clzll(constant)) : bits;
    case GP_OP_SHL: return constant > 0 && constant < bits ? bits - (unsigned)constant : bits;
    default: return 64;
    }
}

/* Adds the phis that so many bits of a value are made of. False: it is made of other things, too. */
static bool add_made_of(struct deciders *found, gp_ref ref, unsigned bits)
{
    const struct gp_kernel *kernel = found->d->kernel;
    const struct gp_inst *inst = gp_inst_of(kernel, ref);
    uint32_t index = gp_ref_index(ref), block = inst != NULL ? gp_inst_block(kernel, index) : GP_NONE;
    if (block == GP_NONE || !gp_block_is_within(kernel, block, found->loop))
        return true;
    if (++found->visits > GP_MOST_FOLDED)
        return false;
    bits = inst->bits > 0 ? least(bits, inst->bits) : bits;
    if (gp_is_header_phi(kernel, found->loop, index))
        return add_phi(found, index, bits);
    bool pure = gp_kind_of(inst) == KIND_PURE;
    for (unsigned k = 0; pure && k < gp_operation_arity(inst->op); k++)
        pure = add_made_of(found, gp_operand_of(kernel, inst, k), bits_of_operands(kernel, inst, bits));
    return pure || gp_kind_of(inst) == KIND_ID;
}

static bool add_exits(struct deciders *found)
{
    const struct gp_kernel *kernel = found->d->kernel;
    bool known = true;
    for (uint32_t b = 0; known && b < kernel->block_count; b++) {
        const struct gp_inst *end = gp_block_terminator(kernel, b);
        if (gp_block_is_within(kernel, b, found->loop) && gp_block_can_leave(kernel, b, found->loop))
            known = end->op == GP_OP_CONDBR && gp_passes_by(kernel, found->loop, b) &&
                    add_made_of(found, gp_operand_of(kernel, end, 0), 64);
    }
    return known;
}

/* What a phi is in the next iteration: by all ways the same. */
static bool add_next_value(struct deciders *found, const struct gp_inst *phi, unsigned bits)
{
    const struct gp_kernel *kernel = found->d->kernel;
    gp_ref next = GP_REF_NONE;
    for (uint32_t k = 0; k + 1 < phi->operand_count; k += 2) {
        gp_ref value = gp_operand_of(kernel, phi, k + 1);
        if (!gp_block_is_within(kernel, gp_ref_index(gp_operand_of(kernel, phi, k)), found->loop))
            continue;
        if (next != GP_REF_NONE && next != value)
            return false;
        next = value;
    }
    return add_made_of(found, next, bits);
}

/* Until no phi is found of which more bits decide. */
static bool add_next_values(struct deciders *found)
{
    unsigned done[MOST_DECIDERS] = {0};
    for (uint32_t i = 0; i < found->count; i++) {
        if (done[i] == found->bits[i])
            continue;
        done[i] = found->bits[i];
        if (!add_next_value(found, &found->d->kernel->insts[found->phis[i]], done[i]))
            return false;
        i = UINT32_MAX; /* from the first on again */
    }
    return true;
}

void gp_find_deciders(struct decoder *d)
{
    for (uint32_t i = 0; i < d->kernel->loop_count; i++) {
        struct deciders found = {.d = d, .loop = i};
        struct loop *loop = &d->ex->loops[i];
        loop->decides_itself = add_exits(&found) && add_next_values(&found);
        for (uint32_t k = 0; loop->decides_itself && k < found.count; k++)
            loop->deciders[loop->decider_count++] =
                (struct decider){d->slot[found.phis[k]], gp_bits_mask(found.bits[k])};
    }
}
