/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/assume/rules.h"

#include <string.h>

#include "model/value/operand_walk.h"
#include "model/value/refs.h"

/* OpenCL shifts by the lower bits of a number, which compilers cut off first. */
static bool leads_to_count(enum gp_op op)
{
    return op == GP_OP_ADD || op == GP_OP_SUB || op == GP_OP_AND || gp_op_is_cast(op);
}

static enum gp_visit mark_count(const struct gp_kernel *kernel, gp_ref ref, const struct gp_inst *inst, void *counts)
{
    uint32_t param = gp_integer_parameter(kernel, ref);
    if (param != GP_NONE)
        ((bool *)counts)[param] = true;
    return inst != NULL && leads_to_count((enum gp_op)inst->op) ? GP_VISIT_OPERANDS : GP_VISIT_NEXT;
}

void gp_shift_counts(const struct gp_kernel *kernel, bool counts[GP_MAX_ARGUMENTS])
{
    memset(counts, 0, GP_MAX_ARGUMENTS * sizeof *counts);
    for (uint32_t i = 0; i < kernel->inst_count; i++) {
        const struct gp_inst *inst = &kernel->insts[i];
        if (inst->op == GP_OP_SHL || inst->op == GP_OP_LSHR || inst->op == GP_OP_ASHR)
            gp_walk_operands(kernel, gp_operand_of(kernel, inst, 1), mark_count, counts);
    }
}
