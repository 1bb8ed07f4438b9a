/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/assume/assumed_iterations.h"

#include "model/value/inst_facts.h"
#include "model/value/operand_walk.h"
#include "model/value/refs.h"

static enum gp_visit see_unstated(const struct gp_kernel *kernel, gp_ref ref, const struct gp_inst *inst, void *context)
{
    const struct gp_launch *launch = *(const struct gp_launch **)context;
    uint32_t index = gp_ref_index(ref);
    bool scalar = inst == NULL && gp_ref_kind(ref) == GP_REF_PARAM && index < GP_MAX_ARGUMENTS &&
                  kernel->params[index].kind == GP_PARAM_FLOAT;
    bool unstated = scalar && !launch->arguments[index].known;
    return unstated ? GP_VISIT_ENOUGH : GP_VISIT_OPERANDS;
}

static bool ends_by_unstated(const struct gp_kernel *kernel, const struct gp_launch *launch, uint32_t loop)
{
    for (uint32_t b = 0; b < kernel->block_count; b++) {
        const struct gp_inst *end = gp_block_terminator(kernel, b);
        if (kernel->blocks[b].loop == loop && end->op == GP_OP_CONDBR && gp_block_can_leave(kernel, b, loop) &&
            gp_walk_operands(kernel, gp_operand_of(kernel, end, 0), see_unstated, &launch) == GP_WALK_ENOUGH)
            return true;
    }
    return false;
}

bool gp_assumes_iterations(const struct gp_kernel *kernel, const struct gp_launch *launch)
{
    for (uint32_t i = 0; i < kernel->loop_count; i++)
        if (kernel->loops[i].bound == GP_BOUND_ASSUMED || ends_by_unstated(kernel, launch, i))
            return true;
    return false;
}
