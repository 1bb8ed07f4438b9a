/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Phis: a source per edge, which of them are a loop's inductions or follow these an iteration behind, and which must be
 * written first. */
#include "model/executor/decoder.h"

static uint32_t induction_of(const struct decoder *d, uint32_t block, uint32_t inst)
{
    for (uint32_t i = 0; i < d->kernel->induction_count; i++)
        if (d->kernel->inductions[i].phi == inst && d->kernel->loops[d->kernel->inductions[i].loop].header == block)
            return i;
    return GP_NONE;
}

/* A value that comes from inside the loop of which `block` is the header, as what the next iteration keeps of this
 * one's induction. */
static struct behind behind_of_value(const struct decoder *d, uint32_t block, gp_ref value)
{
    struct behind none = {GP_NONE, 0, GP_NONE}, behind = none;
    if (gp_ref_kind(value) != GP_REF_INST)
        return none;
    const struct gp_inst *inst = &d->kernel->insts[gp_ref_index(value)];
    behind.induction = induction_of(d, block, gp_ref_index(value));
    if (behind.induction != GP_NONE || (inst->op != GP_OP_ADD && inst->op != GP_OP_OR) || inst->operand_count != 2)
        return behind;
    const gp_ref *in = gp_operands(d, inst);
    if (gp_ref_kind(in[0]) != GP_REF_INST || gp_ref_kind(in[1]) != GP_REF_CONST)
        return none;
    return (struct behind){induction_of(d, block, gp_ref_index(in[0])), inst->op, gp_slot_of(d, in[1])};
}

/* By every edge from inside the loop. */
static struct behind behind_of_phi(const struct decoder *d, uint32_t block, const struct gp_inst *phi)
{
    const struct block *b = &d->ex->blocks[block];
    const gp_ref *in = gp_operands(d, phi);
    struct behind none = {GP_NONE, 0, GP_NONE}, found = none;
    for (uint32_t k = 0; k + 1 < phi->operand_count; k += 2) {
        uint32_t edge = gp_ref_kind(in[k]) == GP_REF_BLOCK ? d->edge_from[gp_ref_index(in[k])] : 0;
        if (edge == 0 || !d->ex->edges[b->first_in + edge - 1].back)
            continue;
        struct behind one = behind_of_value(d, block, in[k + 1]);
        bool same = one.induction == found.induction && one.and_then == found.and_then && one.number == found.number;
        if (one.induction == GP_NONE || (found.induction != GP_NONE && !same))
            return none;
        found = one;
    }
    return found;
}

void gp_decode_phi(struct decoder *d, uint32_t block, uint32_t index)
{
    struct gp_executor *ex = d->ex;
    struct block *b = &ex->blocks[block];
    const struct gp_inst *inst = &d->kernel->insts[index];
    struct phi *phi = &ex->phis[d->phi_count++];
    *phi = (struct phi){inst->bits, d->slot[index], d->more_count, induction_of(d, block, index), {GP_NONE, 0, GP_NONE},
                        GP_NONE};
    if (phi->induction == GP_NONE)
        phi->behind = behind_of_phi(d, block, inst);
    for (uint32_t k = 0; k < b->in_count; k++)
        ex->more[d->more_count + k] = SLOT_UNKNOWN;
    for (uint32_t k = 0; k + 1 < inst->operand_count; k += 2) {
        uint32_t from = gp_ref_index(gp_operands(d, inst)[k]);
        if (gp_ref_kind(gp_operands(d, inst)[k]) == GP_REF_BLOCK && d->edge_from[from])
            ex->more[d->more_count + d->edge_from[from] - 1] = gp_slot_of(d, gp_operands(d, inst)[k + 1]);
    }
    d->more_count += b->in_count;
    b->phi_count++;
}

/* Phis of a block are read before any is written. Those that a later one reads go through a slot of their own. */
void gp_stage_phis(struct decoder *d, struct block *b)
{
    struct gp_executor *ex = d->ex;
    for (uint32_t i = 0; i < b->phi_count; i++) {
        struct phi *phi = &ex->phis[b->first_phi + i];
        for (uint32_t later = i + 1; later < b->phi_count && phi->staged == GP_NONE; later++)
            for (uint32_t k = 0; k < b->in_count; k++)
                if (ex->more[ex->phis[b->first_phi + later].sources + k] == phi->dest)
                    phi->staged = ex->slot_count;
        if (phi->staged != GP_NONE) {
            ex->slot_count++;
            b->staged = true;
        }
    }
}
