/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/assume/rules.h"

#include <string.h>

#include "model/value/id_sources.h"
#include "model/value/inst_facts.h"
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

/* `for (d = n >> 1; d > 0; d >>= 1)`: what is shifted is the parameter itself. */
static bool begins_with(const struct gp_kernel *kernel, const struct gp_inst *phi, uint32_t param)
{
    for (uint32_t k = 1; k < phi->operand_count; k += 2)
        if (gp_value_parameter(kernel, gp_operand_of(kernel, phi, k)) == param)
            return true;
    return false;
}

static bool counts_turns(const struct gp_kernel *kernel, uint32_t loop)
{
    for (uint32_t i = 0; i < kernel->induction_count; i++)
        if (kernel->inductions[i].loop == loop)
            return true;
    return false;
}

/* `for (b = 0; b < bits; b++) ... v >>= 1`: a loop goes round for the bits of what it shifts to the right each time,
 * or, where it counts its turns, doubles: `for (step = 0; step < steps; step++) ... distance *= 2`. */
static void see_loop(const struct gp_kernel *kernel, uint32_t loop, bool counts[GP_MAX_ARGUMENTS])
{
    uint32_t header = kernel->loops[loop].header;
    uint32_t param = gp_loop_parameter(kernel, loop);
    for (uint32_t i = kernel->blocks[header].inst; param < GP_MAX_ARGUMENTS && i < gp_block_end(kernel, header); i++)
        for (uint32_t k = 1; kernel->insts[i].op == GP_OP_PHI && k < kernel->insts[i].operand_count; k += 2) {
            const struct gp_inst *next =
                gp_inst_of(kernel, gp_behind_casts(kernel, gp_operand_of(kernel, &kernel->insts[i], k)));
            bool right = next != NULL && (next->op == GP_OP_LSHR || next->op == GP_OP_ASHR),
                 left = next != NULL && next->op == GP_OP_SHL && counts_turns(kernel, loop);
            bool shifts = (right || left) && gp_ref_kind(gp_operand_of(kernel, next, 1)) == GP_REF_CONST &&
                          gp_operand_of(kernel, next, 0) == gp_ref_make(GP_REF_INST, i);
            counts[param] |= shifts && !begins_with(kernel, &kernel->insts[i], param);
        }
}

void gp_shift_counts(const struct gp_kernel *kernel, bool counts[GP_MAX_ARGUMENTS])
{
    memset(counts, 0, GP_MAX_ARGUMENTS * sizeof *counts);
    for (uint32_t i = 0; i < kernel->inst_count; i++) {
        const struct gp_inst *inst = &kernel->insts[i];
        if (inst->op == GP_OP_SHL || inst->op == GP_OP_LSHR || inst->op == GP_OP_ASHR)
            gp_walk_operands(kernel, gp_operand_of(kernel, inst, 1), mark_count, counts);
    }
    for (uint32_t loop = 0; loop < kernel->loop_count; loop++)
        see_loop(kernel, loop, counts);
}
