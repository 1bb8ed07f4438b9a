#include "model/code/made_of.h"

#include "model/code/refs.h"

static void look_at(const struct gp_kernel *kernel, gp_ref ref, unsigned *left, struct gp_made_of *found)
{
    const struct gp_inst *inst = gp_inst_of(kernel, ref);
    if (inst == NULL || *left == 0 || gp_op_is_memory((enum gp_op)inst->op) || inst->op == GP_OP_PHI || inst->op == GP_OP_CALL)
        return;
    --*left;
    if (inst->op == GP_OP_ID) {
        unsigned id = inst->sub >> 2, dimension = 1u << (inst->sub & 3);
        found->items |= id == GP_ID_GLOBAL || id == GP_ID_LOCAL ? dimension : 0;
        found->groups |= id == GP_ID_GROUP ? dimension : 0;
        return;
    }
    for (uint32_t i = 0; i < inst->operand_count; i++)
        look_at(kernel, gp_operand_of(kernel, inst, i), left, found);
}

struct gp_made_of gp_made_of(const struct gp_kernel *kernel, gp_ref ref)
{
    unsigned left = 64;
    struct gp_made_of found = {0};
    look_at(kernel, ref, &left, &found);
    return found;
}

gp_ref gp_behind_casts(const struct gp_kernel *kernel, gp_ref ref)
{
    enum { MOST_CASTS = 64 };
    const struct gp_inst *inst = gp_inst_of(kernel, ref);
    for (int casts = 0; casts < MOST_CASTS && inst != NULL && gp_op_is_cast((enum gp_op)inst->op); casts++, inst = gp_inst_of(kernel, ref))
        ref = gp_operand_of(kernel, inst, 0);
    return ref;
}

uint32_t gp_divisor_of(const struct gp_kernel *kernel, const struct gp_inst *inst)
{
    bool divides = inst->op == GP_OP_UDIV || inst->op == GP_OP_SDIV || inst->op == GP_OP_UREM || inst->op == GP_OP_SREM;
    return divides ? gp_integer_parameter(kernel, gp_behind_casts(kernel, gp_operand_of(kernel, inst, 1))) : GP_NONE;
}
