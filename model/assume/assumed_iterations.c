/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/assume/assumed_iterations.h"

#include "model/value/inst_facts.h"
#include "model/value/refs.h"

static bool is_unstated(const struct gp_kernel *kernel, const struct gp_launch *launch, gp_ref ref)
{
    uint32_t index = gp_ref_index(ref);
    bool scalar =
        gp_ref_kind(ref) == GP_REF_PARAM && index < GP_MAX_ARGUMENTS && kernel->params[index].kind == GP_PARAM_FLOAT;
    return scalar && !launch->arguments[index].known;
}

/* So many steps tell; what is made of more is not said to be assumed. */
static bool is_made_of_unstated(const struct gp_kernel *kernel, const struct gp_launch *launch, gp_ref ref, int *steps)
{
    const struct gp_inst *inst = gp_inst_of(kernel, ref);
    if (inst == NULL || --*steps < 0)
        return is_unstated(kernel, launch, ref);
    for (uint32_t k = 0; k < inst->operand_count; k++)
        if (is_made_of_unstated(kernel, launch, gp_operand_of(kernel, inst, k), steps))
            return true;
    return false;
}

static bool ends_by_unstated(const struct gp_kernel *kernel, const struct gp_launch *launch, uint32_t loop)
{
    enum { MOST_STEPS = 64 };
    for (uint32_t b = 0; b < kernel->block_count; b++) {
        const struct gp_inst *end = gp_block_terminator(kernel, b);
        int steps = MOST_STEPS;
        if (kernel->blocks[b].loop == loop && end->op == GP_OP_CONDBR && gp_block_can_leave(kernel, b, loop) &&
            is_made_of_unstated(kernel, launch, gp_operand_of(kernel, end, 0), &steps))
            return true;
    }
    return false;
}

bool gp_assumes_iterations(const struct gp_kernel *kernel, const struct gp_launch *launch)
{
    for (uint32_t i = 0; i < kernel->loop_count; i++)
        if (kernel->loops[i].bound == GP_BOUND_ASSUMED ||
            (kernel->loops[i].bound == GP_BOUND_EXECUTED && ends_by_unstated(kernel, launch, i)))
            return true;
    return false;
}
