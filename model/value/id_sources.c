/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/value/id_sources.h"

#include "model/value/operand_walk.h"
#include "model/value/refs.h"

struct look {
    enum gp_visit behind_phi;
    struct gp_made_of found;
};

static enum gp_visit see_id(const struct gp_kernel *kernel, gp_ref ref, const struct gp_inst *inst, void *context)
{
    struct look *look = context;
    (void)kernel, (void)ref;
    if (inst == NULL || gp_op_is_memory((enum gp_op)inst->op) || inst->op == GP_OP_CALL)
        return GP_VISIT_NEXT;
    if (inst->op == GP_OP_PHI)
        return look->behind_phi;
    if (inst->op != GP_OP_ID)
        return GP_VISIT_OPERANDS;
    unsigned id = inst->sub >> 2, dimension = 1u << (inst->sub & 3);
    look->found.items |= id == GP_ID_GLOBAL || id == GP_ID_LOCAL ? dimension : 0;
    look->found.groups |= id == GP_ID_GROUP ? dimension : 0;
    return GP_VISIT_NEXT;
}

static struct gp_made_of made_of(const struct gp_kernel *kernel, gp_ref ref, enum gp_visit behind_phi)
{
    struct look look = {behind_phi, {0}};
    gp_walk_operands(kernel, ref, see_id, &look);
    return look.found;
}

struct gp_made_of gp_made_of(const struct gp_kernel *kernel, gp_ref ref) { return made_of(kernel, ref, GP_VISIT_NEXT); }

struct gp_made_of gp_made_of_start(const struct gp_kernel *kernel, gp_ref ref)
{
    return made_of(kernel, ref, GP_VISIT_START);
}

bool gp_starts_with_ids(const struct gp_kernel *kernel, gp_ref ref)
{
    struct gp_made_of made = gp_made_of_start(kernel, ref);
    return (made.items | made.groups) != 0;
}

gp_ref gp_behind_casts(const struct gp_kernel *kernel, gp_ref ref)
{
    const struct gp_inst *inst = gp_inst_of(kernel, ref);
    for (int casts = 0; casts < GP_MOST_VISITED && inst != NULL && gp_op_is_cast((enum gp_op)inst->op);
         casts++, inst = gp_inst_of(kernel, ref))
        ref = gp_operand_of(kernel, inst, 0);
    return ref;
}

uint32_t gp_divisor_of(const struct gp_kernel *kernel, const struct gp_inst *inst)
{
    bool divides = inst->op == GP_OP_UDIV || inst->op == GP_OP_SDIV || inst->op == GP_OP_UREM || inst->op == GP_OP_SREM;
    return divides ? gp_integer_parameter(kernel, gp_behind_casts(kernel, gp_operand_of(kernel, inst, 1))) : GP_NONE;
}
