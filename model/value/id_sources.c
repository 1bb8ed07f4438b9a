/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/value/id_sources.h"

#include "model/value/inst_facts.h"
#include "model/value/refs.h"

enum { MOST_LOOKED_AT = 64 };

struct look {
    const struct gp_kernel *kernel;
    bool starts;
    unsigned left;
    struct gp_made_of found;
};

static void look_at(struct look *look, gp_ref ref);

/* A loop's own blocks stand behind those that lead to it. */
static void look_at_start(struct look *look, uint32_t index)
{
    const struct gp_inst *phi = &look->kernel->insts[index];
    uint32_t block = gp_inst_block(look->kernel, index);
    for (uint32_t k = 0; k + 1 < phi->operand_count; k += 2)
        if (block == GP_NONE || gp_ref_index(gp_operand_of(look->kernel, phi, k)) < block)
            look_at(look, gp_operand_of(look->kernel, phi, k + 1));
}

static void look_at(struct look *look, gp_ref ref)
{
    const struct gp_inst *inst = gp_inst_of(look->kernel, ref);
    if (inst == NULL || look->left == 0 || gp_op_is_memory((enum gp_op)inst->op) || inst->op == GP_OP_CALL)
        return;
    look->left--;
    if (inst->op == GP_OP_ID) {
        unsigned id = inst->sub >> 2, dimension = 1u << (inst->sub & 3);
        look->found.items |= id == GP_ID_GLOBAL || id == GP_ID_LOCAL ? dimension : 0;
        look->found.groups |= id == GP_ID_GROUP ? dimension : 0;
    } else if (inst->op == GP_OP_PHI) {
        if (look->starts)
            look_at_start(look, gp_ref_index(ref));
    } else {
        for (uint32_t i = 0; i < inst->operand_count; i++)
            look_at(look, gp_operand_of(look->kernel, inst, i));
    }
}

static struct gp_made_of made_of(const struct gp_kernel *kernel, gp_ref ref, bool starts)
{
    struct look look = {kernel, starts, MOST_LOOKED_AT, {0}};
    look_at(&look, ref);
    return look.found;
}

struct gp_made_of gp_made_of(const struct gp_kernel *kernel, gp_ref ref) { return made_of(kernel, ref, false); }

struct gp_made_of gp_made_of_start(const struct gp_kernel *kernel, gp_ref ref) { return made_of(kernel, ref, true); }

gp_ref gp_behind_casts(const struct gp_kernel *kernel, gp_ref ref)
{
    enum { MOST_CASTS = 64 };
    const struct gp_inst *inst = gp_inst_of(kernel, ref);
    for (int casts = 0; casts < MOST_CASTS && inst != NULL && gp_op_is_cast((enum gp_op)inst->op);
         casts++, inst = gp_inst_of(kernel, ref))
        ref = gp_operand_of(kernel, inst, 0);
    return ref;
}

uint32_t gp_divisor_of(const struct gp_kernel *kernel, const struct gp_inst *inst)
{
    bool divides = inst->op == GP_OP_UDIV || inst->op == GP_OP_SDIV || inst->op == GP_OP_UREM || inst->op == GP_OP_SREM;
    return divides ? gp_integer_parameter(kernel, gp_behind_casts(kernel, gp_operand_of(kernel, inst, 1))) : GP_NONE;
}
