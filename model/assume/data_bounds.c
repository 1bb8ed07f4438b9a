/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/assume/rules.h"

#include "model/value/inst_facts.h"
#include "model/value/id_sources.h"
#include "model/value/operand_walk.h"
#include "model/value/refs.h"

/* Whether it is computed from what memory holds, or from what else is not known before. joins: also where ways, or a
 * loop's turns, join. */
static enum gp_visit see_data(const struct gp_kernel *kernel, gp_ref ref, const struct gp_inst *inst, void *joins)
{
    (void)kernel, (void)ref;
    if (inst == NULL || inst->op == GP_OP_ID || (inst->op == GP_OP_PHI && !*(const bool *)joins))
        return GP_VISIT_NEXT;
    bool data = gp_op_is_memory((enum gp_op)inst->op) || inst->op == GP_OP_WEIGHT || inst->op == GP_OP_CALL ||
                inst->op == GP_OP_SHUFFLE;
    return data ? GP_VISIT_ENOUGH : GP_VISIT_OPERANDS;
}

static bool is_data(const struct gp_kernel *kernel, gp_ref ref, bool joins)
{
    return gp_walk_operands(kernel, ref, see_data, &joins) == GP_WALK_ENOUGH;
}

static bool is_sum_with_constant(const struct gp_kernel *kernel, const struct gp_inst *inst)
{
    return (inst->op == GP_OP_ADD || inst->op == GP_OP_SUB) &&
           gp_ref_kind(gp_operand_of(kernel, inst, 1)) == GP_REF_CONST;
}

static bool leads_on(const struct gp_kernel *kernel, const struct gp_inst *inst)
{
    return gp_op_is_cast((enum gp_op)inst->op) || is_sum_with_constant(kernel, inst);
}

/* The parameter that a value is, or is with a constant added; GP_NONE: something else. */
static uint32_t parameter_behind(const struct gp_kernel *kernel, gp_ref ref)
{
    unsigned left = GP_MOST_VISITED;
    for (const struct gp_inst *inst = gp_inst_of(kernel, ref); inst != NULL && left > 0 && leads_on(kernel, inst);
         inst = gp_inst_of(kernel, ref), left--)
        ref = gp_operand_of(kernel, inst, 0);
    return gp_integer_parameter(kernel, ref);
}

/* Whether operand k cuts off what the other one is, or is compared with it. A place in a table that collisions move on
 * is data's (`slot = (slot + 1) & (slots - 1)`); what a loop ends at is the loop's. */
static bool cuts_off_data(const struct gp_kernel *kernel, const struct gp_inst *inst, uint32_t k)
{
    bool of_either = inst->op == GP_OP_AND || inst->op == GP_OP_UMIN || inst->op == GP_OP_SMIN ||
                     inst->op == GP_OP_UMULHI || inst->op == GP_OP_ICMP;
    bool of_first = (inst->op == GP_OP_UREM || inst->op == GP_OP_SREM) && k == 1;
    return (of_either || of_first) && is_data(kernel, gp_operand_of(kernel, inst, 1 - k), inst->op != GP_OP_ICMP);
}

struct seen {
    bool *bounds;
    bool decides[GP_MAX_ARGUMENTS];
};

static void see_deciding(const struct gp_kernel *kernel, gp_ref ref, struct seen *seen)
{
    uint32_t param = parameter_behind(kernel, ref);
    if (param != GP_NONE)
        seen->decides[param] = true;
}

static void see_uses(const struct gp_kernel *kernel, const struct gp_inst *inst, struct seen *seen)
{
    for (uint32_t k = 0; !leads_on(kernel, inst) && k < inst->operand_count; k++) {
        uint32_t param = parameter_behind(kernel, gp_operand_of(kernel, inst, k));
        if (param == GP_NONE || gp_operand_decides_nothing(inst, k))
            continue;
        if (cuts_off_data(kernel, inst, k))
            seen->bounds[param] = true;
        else
            seen->decides[param] = true;
    }
}

void gp_data_bounds(const struct gp_kernel *kernel, bool bounds[GP_MAX_ARGUMENTS])
{
    struct seen seen = {.bounds = bounds};
    for (uint32_t p = 0; p < GP_MAX_ARGUMENTS; p++)
        bounds[p] = false;
    for (uint32_t i = 0; i < kernel->inst_count; i++)
        see_uses(kernel, &kernel->insts[i], &seen);
    for (uint32_t i = 0; i < kernel->loop_count; i++)
        see_deciding(kernel, kernel->loops[i].trip_count, &seen);
    for (uint32_t i = 0; i < kernel->induction_count; i++)
        see_deciding(kernel, kernel->inductions[i].step, &seen);
    for (uint32_t p = 0; p < GP_MAX_ARGUMENTS; p++)
        bounds[p] &= !seen.decides[p];
}
