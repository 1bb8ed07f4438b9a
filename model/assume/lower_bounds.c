/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/assume/rules.h"

#include <string.h>

#include "model/value/inst_facts.h"
#include "model/value/id_sources.h"
#include "model/value/refs.h"
#include "model/assume/joined_orders.h"

enum { DEEPEST = 8 };

/* The parameter, with a constant added or not; GP_NONE: something else. */
static uint32_t parameter_of(const struct gp_kernel *kernel, gp_ref ref)
{
    for (unsigned steps = 0; steps < DEEPEST; steps++) {
        ref = gp_behind_casts(kernel, ref);
        const struct gp_inst *inst = gp_inst_of(kernel, ref);
        if (inst == NULL)
            break;
        if ((inst->op != GP_OP_ADD && inst->op != GP_OP_SUB) ||
            gp_ref_kind(gp_operand_of(kernel, inst, 1)) != GP_REF_CONST)
            return GP_NONE;
        ref = gp_operand_of(kernel, inst, 0);
    }
    return gp_ref_kind(ref) == GP_REF_PARAM && gp_ref_index(ref) < GP_MAX_ARGUMENTS ? gp_ref_index(ref) : GP_NONE;
}

/* The id is on the larger side, a parameter on the other. */
static void see_order(const struct gp_kernel *kernel, gp_ref smaller, gp_ref larger, unsigned bits, enum gp_order order,
                      void *data)
{
    bool *lower = data;
    uint32_t param = parameter_of(kernel, smaller);
    struct gp_made_of made = gp_made_of(kernel, larger);
    (void)bits;
    if (order != GP_EQUAL && param != GP_NONE && (made.items | made.groups))
        lower[param] = true;
}

void gp_lower_bounds(const struct gp_kernel *kernel, bool lower[GP_MAX_ARGUMENTS])
{
    memset(lower, 0, GP_MAX_ARGUMENTS * sizeof *lower);
    for (uint32_t b = 0; b < kernel->block_count; b++) {
        const struct gp_inst *last = gp_block_terminator(kernel, b);
        if (last->op != GP_OP_CONDBR)
            continue;
        bool if_true = gp_block_is_idle(kernel, gp_ref_index(gp_operand_of(kernel, last, 1))),
             if_false = gp_block_is_idle(kernel, gp_ref_index(gp_operand_of(kernel, last, 2)));
        if (if_true != if_false)
            gp_each_order(kernel, gp_operand_of(kernel, last, 0), if_false, see_order, lower);
    }
}
