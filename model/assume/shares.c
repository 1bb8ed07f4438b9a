/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/assume/rules.h"

#include <string.h>

#include "model/value/id_sources.h"
#include "model/value/operand_walk.h"
#include "model/value/refs.h"

enum { MOST_PART_BITS = 6, LARGEST_PART = 1 << MOST_PART_BITS };

/* Of a quotient by a constant, as where elements are taken by fours, the constant; 1: it is none. */
static uint64_t constant_divisor(const struct gp_kernel *kernel, const struct gp_inst *inst)
{
    bool divides = inst->op == GP_OP_UDIV || inst->op == GP_OP_SDIV,
         shifts = inst->op == GP_OP_LSHR || inst->op == GP_OP_ASHR;
    int64_t by = divides || shifts ? gp_signed_constant(kernel, gp_operand_of(kernel, inst, 1), inst->bits) : 0;
    return divides && by > 0 && by <= LARGEST_PART    ? (uint64_t)by
           : shifts && by > 0 && by <= MOST_PART_BITS ? UINT64_C(1) << by
                                                      : 1;
}

static uint32_t parameter_shared(const struct gp_kernel *kernel, gp_ref ref, unsigned *left, uint64_t *times)
{
    ref = gp_behind_casts(kernel, ref);
    const struct gp_inst *inst = gp_inst_of(kernel, ref);
    uint32_t found = gp_integer_parameter(kernel, ref);
    if (inst == NULL || *left == 0)
        return found;
    uint64_t part = constant_divisor(kernel, inst);
    --*left;
    if (part > 1 && part <= LARGEST_PART / *times) {
        *times *= part;
        return parameter_shared(kernel, gp_operand_of(kernel, inst, 0), left, times);
    }
    for (uint32_t i = 0; i < 2 && found == GP_NONE && (inst->op == GP_OP_ADD || inst->op == GP_OP_SUB); i++)
        found = parameter_shared(kernel, gp_operand_of(kernel, inst, i), left, times);
    return found;
}

uint32_t gp_parameter_shared(const struct gp_kernel *kernel, gp_ref ref, uint64_t *times)
{
    unsigned left = GP_MOST_FOLDED;
    *times = 1;
    return parameter_shared(kernel, ref, &left, times);
}

/* The dimension of which a divisor counts groups or work-items. */
static enum gp_visit see_count(const struct gp_kernel *kernel, gp_ref ref, const struct gp_inst *inst, void *dimension)
{
    (void)kernel, (void)ref;
    if (inst == NULL)
        return GP_VISIT_NEXT;
    unsigned id = inst->op == GP_OP_ID ? inst->sub >> 2 : GP_ID_GLOBAL;
    if (id == GP_ID_GROUP_COUNT || id == GP_ID_GLOBAL_SIZE) {
        *(uint32_t *)dimension = inst->sub & 3u;
        return GP_VISIT_ENOUGH;
    }
    return inst->op == GP_OP_MUL || gp_op_is_cast((enum gp_op)inst->op) ? GP_VISIT_OPERANDS : GP_VISIT_NEXT;
}

void gp_shared_out(const struct gp_kernel *kernel, const struct gp_launch *launch, uint64_t shared[GP_MAX_ARGUMENTS])
{
    memset(shared, 0, GP_MAX_ARGUMENTS * sizeof *shared);
    for (uint32_t i = 0; i < kernel->inst_count; i++) {
        const struct gp_inst *inst = &kernel->insts[i];
        uint32_t dimension = GP_MAX_DIMS;
        if (inst->op != GP_OP_UDIV && inst->op != GP_OP_SDIV)
            continue;
        gp_walk_operands(kernel, gp_operand_of(kernel, inst, 1), see_count, &dimension);
        uint64_t times;
        uint32_t param =
            dimension < GP_MAX_DIMS ? gp_parameter_shared(kernel, gp_operand_of(kernel, inst, 0), &times) : GP_NONE;
        if (param != GP_NONE)
            shared[param] = launch->global[dimension] * times;
    }
}
