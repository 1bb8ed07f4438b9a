/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/compilers/cpu_rules.h"

#include "model/value/operand_walk.h"
#include "model/value/refs.h"

/* A constant added to, or taken from, what was shifted up. */
static bool is_moved_up(const struct gp_kernel *kernel, const struct gp_inst *inst)
{
    if (inst == NULL || (inst->op != GP_OP_ADD && inst->op != GP_OP_SUB))
        return false;
    bool constant = false, shifted = false;
    for (uint32_t o = 0; o < inst->operand_count; o++) {
        gp_ref operand = kernel->operands[inst->operand + o];
        const struct gp_inst *made = gp_inst_of(kernel, operand);
        constant |= gp_ref_kind(operand) == GP_REF_CONST;
        shifted |= made != NULL && made->op == GP_OP_SHL;
    }
    return constant && shifted;
}

static enum gp_visit see(const struct gp_kernel *kernel, gp_ref ref, const struct gp_inst *inst, void *context)
{
    (void)ref, (void)context;
    if (inst == NULL)
        return GP_VISIT_NEXT;
    bool memory = inst->cost == GP_CLASS_MEMORY, shifts = inst->op == GP_OP_ASHR,
         divides = inst->op == GP_OP_SDIV || inst->op == GP_OP_SREM || inst->op == GP_OP_XOR;
    if (memory)
        return GP_VISIT_NEXT;
    return divides || (shifts && is_moved_up(kernel, gp_inst_of(kernel, kernel->operands[inst->operand])))
               ? GP_VISIT_ENOUGH
               : GP_VISIT_OPERANDS;
}

bool gp_hides_neighbours(const struct gp_kernel *kernel, uint32_t memory)
{
    const struct gp_inst *inst = &kernel->insts[kernel->memory[memory].inst];
    return inst->operand_count > 0 &&
           gp_walk_operands(kernel, kernel->operands[inst->operand], see, NULL) == GP_WALK_ENOUGH;
}
