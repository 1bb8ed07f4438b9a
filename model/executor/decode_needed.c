/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which results are needed: what decides control flow or an address, and what that is computed from. */
#include "model/executor/decoder.h"

static void mark(struct decoder *d, gp_ref ref)
{
    uint32_t index = gp_ref_index(ref);
    if (gp_ref_kind(ref) != GP_REF_INST || d->needed[index])
        return;
    d->needed[index] = true;
    d->work[d->work_count++] = index;
}

/* Operands [first, end) of an instruction decide control flow or an address, whoever uses its result. */
void gp_rooted_operands(const struct gp_inst *inst, uint32_t *first, uint32_t *end)
{
    *first = *end = 0;
    switch (inst->op) {
    case GP_OP_CONDBR:
    case GP_OP_SWITCH:
    case GP_OP_LOAD:
    case GP_OP_STORE:
    case GP_OP_ATOMIC: *end = 1; break;
    case GP_OP_BULK_COPY: *end = 4; break;
    case GP_OP_IMAGE_LOAD:
    case GP_OP_IMAGE_STORE: *end = 4; break;
    default: break;
    }
    if (*end > inst->operand_count)
        *end = inst->operand_count;
}

/* The load of which the instruction is another element than the first; NULL: it is none. */
const struct gp_inst *gp_load_of_element(const struct gp_kernel *kernel, const struct gp_inst *inst)
{
    gp_ref of = inst->operand_count == 1 ? kernel->operands[inst->operand] : 0;
    bool element = inst->op == GP_OP_WEIGHT && inst->cost == GP_CLASS_FREE && gp_ref_kind(of) == GP_REF_INST &&
                   kernel->insts[gp_ref_index(of)].op == GP_OP_LOAD;
    return element ? &kernel->insts[gp_ref_index(of)] : NULL;
}

bool gp_is_loaded(const struct gp_kernel *kernel, const struct gp_inst *inst)
{
    return inst->op == GP_OP_LOAD || gp_load_of_element(kernel, inst) != NULL;
}

static void mark_operands(struct decoder *d, uint32_t index)
{
    const struct gp_inst *inst = &d->kernel->insts[index];
    uint32_t first = 0, end = 0;
    if (inst->op == GP_OP_PHI || inst->op == GP_OP_CALL || inst->op == GP_OP_SHUFFLE)
        end = inst->operand_count;
    else if (gp_operation_arity(inst->op))
        end = gp_operation_arity(inst->op);
    else if (gp_load_of_element(d->kernel, inst) != NULL)
        end = 1;
    for (uint32_t i = first; i < end && i < inst->operand_count; i++)
        mark(d, gp_operands(d, inst)[i]);
}

void gp_mark_needed(struct decoder *d)
{
    const struct gp_kernel *kernel = d->kernel;
    for (uint32_t i = 0; i < d->first_expression; i++) {
        uint32_t first, end;
        gp_rooted_operands(&kernel->insts[i], &first, &end);
        for (uint32_t k = first; k < end; k++)
            mark(d, gp_operands(d, &kernel->insts[i])[k]);
    }
    for (uint32_t i = 0; i < kernel->loop_count; i++)
        mark(d, kernel->loops[i].trip_count);
    for (uint32_t i = 0; i < kernel->induction_count; i++)
        mark(d, kernel->inductions[i].step);
    while (d->work_count)
        mark_operands(d, d->work[--d->work_count]);
}
