/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A block: the instructions that are executed, and how it ends. */
#include <stdlib.h>
#include <string.h>

#include "model/executor/decoder.h"

/* ---- Instructions ------------------------------------------------------------------------------------------------ */

static bool is_executed(const struct decoder *d, uint32_t index)
{
    switch (d->kernel->insts[index].op) {
    case GP_OP_LOAD:
    case GP_OP_STORE:
    case GP_OP_ATOMIC:
    case GP_OP_IMAGE_LOAD:
    case GP_OP_IMAGE_STORE:
    case GP_OP_BULK_COPY:
    case GP_OP_BARRIER: return true;
    case GP_OP_PHI:
    case GP_OP_BR:
    case GP_OP_CONDBR:
    case GP_OP_SWITCH:
    case GP_OP_RET: return false;
    default: return d->needed[index];
    }
}

enum op_kind gp_kind_of(const struct gp_inst *inst)
{
    switch (inst->op) {
    case GP_OP_ID: return KIND_ID;
    case GP_OP_LOAD:
    case GP_OP_STORE:
    case GP_OP_ATOMIC: return KIND_MEMORY;
    case GP_OP_IMAGE_LOAD:
    case GP_OP_IMAGE_STORE: return KIND_IMAGE;
    case GP_OP_BULK_COPY: return KIND_BULK;
    case GP_OP_BARRIER: return KIND_BARRIER;
    default: {
        unsigned arity = gp_operation_arity(inst->op);
        return arity && arity <= inst->operand_count ? KIND_PURE : KIND_OPAQUE;
    }
    }
}

void gp_decode_op(struct decoder *d, uint32_t index, struct op *op)
{
    struct gp_executor *ex = d->ex;
    const struct gp_inst *inst = &d->kernel->insts[index];
    const gp_ref *in = gp_operands(d, inst);
    memset(op, 0, sizeof *op);
    op->operation = (struct gp_operation){inst->op, inst->bits, inst->width, inst->sub};
    op->kind = (uint8_t)gp_kind_of(inst);
    op->flags = inst->flags;
    op->has_result = d->needed[index];
    op->dest = op->has_result ? d->slot[index] : SLOT_UNKNOWN;
    op->inst = index;
    op->retried = GP_NONE;
    op->memory = inst->record;
    op->taken_as_one = gp_is_loaded(d->kernel, inst) && d->scale[index] && op->has_result;
    op->other_element = gp_load_of_element(d->kernel, inst) != NULL;
    op->guessed_address = op->kind == KIND_MEMORY && inst->operand_count > 0 && gp_ref_kind(in[0]) == GP_REF_INST &&
                          d->scaled[gp_ref_index(in[0])];
    if (op->kind == KIND_PURE)
        for (op->arity = 0; op->arity < gp_operation_arity(inst->op); op->arity++)
            op->in[op->arity] = gp_slot_of(d, in[op->arity]);
    if (op->kind == KIND_MEMORY)
        op->in[0] = inst->operand_count ? gp_slot_of(d, in[0]) : SLOT_UNKNOWN;
    if (inst->op == GP_OP_ATOMIC && (d->kernel->memory[inst->record].flags & GP_MEMORY_COUNTS))
        op->step = gp_sign_extend(d->kernel->constants[gp_ref_index(in[1])], inst->bits);
    if (op->kind != KIND_IMAGE && op->kind != KIND_BULK && op->kind != KIND_OPAQUE)
        return;
    op->more = d->more_count;
    op->more_count = inst->operand_count;
    for (uint32_t i = 0; i < inst->operand_count; i++)
        ex->more[d->more_count++] = gp_slot_of(d, in[i]);
}

struct op *gp_op_of(struct decoder *d, uint32_t block, uint32_t inst)
{
    const struct block *b = &d->ex->blocks[block];
    for (uint32_t i = 0; i < b->op_count; i++)
        if (d->ex->ops[b->first_op + i].inst == inst)
            return &d->ex->ops[b->first_op + i];
    return NULL;
}

/* ---- Blocks ------------------------------------------------------------------------------------------------------ */

unsigned gp_bits_of(const struct gp_kernel *kernel, gp_ref ref)
{
    uint32_t index = gp_ref_index(ref);
    if (gp_ref_kind(ref) == GP_REF_INST)
        return kernel->insts[index].bits;
    return gp_ref_kind(ref) == GP_REF_PARAM ? kernel->params[index].bits : 64;
}

static void decode_end(struct decoder *d, uint32_t block)
{
    struct gp_executor *ex = d->ex;
    struct block *b = &ex->blocks[block];
    const struct gp_inst *inst = gp_block_terminator(d->kernel, block);
    b->branch = b->from = b->until = GP_NONE;
    b->probability = 0.5;
    b->end = b->out_count == 0          ? END_RETURN
             : b->out_count == 1        ? END_JUMP
             : inst->op == GP_OP_SWITCH ? END_SWITCH
                                        : END_BRANCH;
    if (b->end != END_BRANCH && b->end != END_SWITCH)
        return;
    b->condition = gp_slot_of(d, gp_operands(d, inst)[0]);
    b->branch = inst->record;
    if (b->branch != GP_NONE && d->kernel->branches[b->branch].has_probability)
        b->probability = d->kernel->branches[b->branch].probability / 65535.0;
    if (b->end == END_BRANCH)
        return;
    b->width = (uint8_t)gp_bits_of(d->kernel, gp_operands(d, inst)[0]);
    b->targets = d->case_count;
    for (uint32_t k = 0; k < gp_target_limit(inst); k++) {
        uint32_t to = gp_target_at(d, inst, k), out = 0;
        if (to == GP_NONE)
            continue;
        while (ex->edges[ex->out[b->first_out + out]].to != to)
            out++;
        gp_ref value = k ? gp_operands(d, inst)[2 * k] : 0;
        uint64_t number = gp_ref_kind(value) == GP_REF_CONST ? d->kernel->constants[gp_ref_index(value)] : 0;
        ex->cases[d->case_count++] = (struct switch_case){number, out};
        b->target_count++;
    }
}

void gp_decode_block(struct decoder *d, uint32_t block)
{
    struct gp_executor *ex = d->ex;
    const struct gp_block *source = &d->kernel->blocks[block];
    struct block *b = &ex->blocks[block];
    b->first_op = d->op_count;
    b->first_phi = d->phi_count;
    for (uint32_t k = 0; k < b->in_count; k++)
        d->edge_from[ex->edges[b->first_in + k].from] = k + 1;
    for (uint32_t i = source->inst; i < source->inst + source->inst_count; i++) {
        b->instructions += d->kernel->insts[i].cost != GP_CLASS_FREE;
        if (is_executed(d, i)) {
            struct op *op = &ex->ops[d->op_count];
            gp_decode_op(d, i, op);
            if (op->kind == KIND_PURE)
                ex->makers[op->dest] = d->op_count;
            d->op_count++;
            b->op_count++;
        } else if (d->needed[i] && d->kernel->insts[i].op == GP_OP_PHI) {
            gp_decode_phi(d, block, i);
        }
    }
    for (uint32_t k = 0; k < b->in_count; k++)
        d->edge_from[ex->edges[b->first_in + k].from] = 0;
    gp_stage_phis(d, b);
    decode_end(d, block);
}

/* Sizes of the arrays that gp_decode_block() fills. */
void gp_make_block_arrays(struct decoder *d)
{
    struct gp_executor *ex = d->ex;
    const struct gp_kernel *kernel = d->kernel;
    size_t ops = 0, more = 0, phis = 0, cases = 0;
    for (uint32_t b = 0; b < kernel->block_count; b++)
        for (uint32_t i = 0; i < kernel->blocks[b].inst_count; i++) {
            uint32_t index = kernel->blocks[b].inst + i;
            const struct gp_inst *inst = &kernel->insts[index];
            ops += is_executed(d, index);
            if (inst->op == GP_OP_SWITCH)
                cases += inst->operand_count;
            if (inst->op != GP_OP_PHI)
                more += inst->operand_count;
            else if (d->needed[index]) {
                phis++;
                more += ex->blocks[b].in_count;
            }
        }
    for (uint32_t i = d->first_expression; i < kernel->inst_count; i++)
        more += kernel->insts[i].operand_count;
    more += (size_t)kernel->loop_count *
            (kernel->inst_count - d->first_expression); /* an expression may serve several loops */
    ex->ops = calloc(ops + 1, sizeof *ex->ops);
    ex->more = calloc(more + 1, sizeof *ex->more);
    ex->phis = calloc(phis + 1, sizeof *ex->phis);
    ex->cases = calloc(cases + 1, sizeof *ex->cases);
}
