/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What decides whether a loop ends: where all of its exits, in every iteration, follow by arithmetic from phis of its
 * header, and from what does not change in it, it cannot end once these come back to what they were. Of a counter of
 * few bits that an optimiser keeps in many, the few decide.
 */
#include "model/compilers/loop_exit.h"
#include "model/value/inst_facts.h"
#include "model/value/operand_walk.h"
#include "model/value/refs.h"
#include "model/executor/decoder.h"

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
