/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/assume/shift_counts.h"

#include <string.h>

#include "model/value/id_sources.h"
#include "model/value/refs.h"

enum { DEEPEST = 4 };

/* OpenCL shifts by the lower bits of a number, which compilers cut off first. */
static bool leads_to_count(enum gp_op op) { return op == GP_OP_ADD || op == GP_OP_SUB || op == GP_OP_AND; }

static void mark(const struct gp_kernel *kernel, gp_ref ref, unsigned deepest, bool counts[GP_MAX_ARGUMENTS])
{
    ref = gp_behind_casts(kernel, ref);
    const struct gp_inst *inst = gp_inst_of(kernel, ref);
    uint32_t param = gp_integer_parameter(kernel, ref);
    if (param != GP_NONE)
        counts[param] = true;
    for (uint32_t i = 0; inst != NULL && deepest > 0 && leads_to_count((enum gp_op)inst->op) && i < 2; i++)
        mark(kernel, gp_operand_of(kernel, inst, i), deepest - 1, counts);
}

void gp_shift_counts(const struct gp_kernel *kernel, bool counts[GP_MAX_ARGUMENTS])
{
    memset(counts, 0, GP_MAX_ARGUMENTS * sizeof *counts);
    for (uint32_t i = 0; i < kernel->inst_count; i++) {
        const struct gp_inst *inst = &kernel->insts[i];
        if (inst->op == GP_OP_SHL || inst->op == GP_OP_LSHR || inst->op == GP_OP_ASHR)
            mark(kernel, gp_operand_of(kernel, inst, 1), DEEPEST, counts);
    }
}
