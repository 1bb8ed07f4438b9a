/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/assume/rules.h"

#include <string.h>

#include "model/value/id_sources.h"
#include "model/value/inst_facts.h"
#include "model/value/refs.h"
#include "model/assume/products.h"

struct steps {
    bool other[GP_MAX_ARGUMENTS]; /* from one element of a work-item to its next, or from one part to the next */
    bool *unit;
};

static bool is_of_ids(const struct gp_kernel *kernel, gp_ref leaf)
{
    struct gp_made_of made = gp_made_of_start(kernel, leaf);
    return (made.items | made.groups) != 0;
}

/* The parameter that a counter is advanced by. */
static uint32_t step_of(const struct gp_kernel *kernel, const struct gp_induction *counter)
{
    return counter != NULL ? gp_integer_parameter(kernel, gp_behind_casts(kernel, counter->step)) : GP_NONE;
}

static void see_counters(const struct gp_kernel *kernel, struct steps *steps)
{
    for (uint32_t i = 0; i < kernel->induction_count; i++) {
        const struct gp_induction *counter = &kernel->inductions[i];
        uint32_t step = step_of(kernel, counter);
        if (step != GP_NONE && is_of_ids(kernel, gp_ref_make(GP_REF_INST, counter->phi)))
            steps->other[step] = true;
        else if (step != GP_NONE)
            steps->unit[step] = true;
    }
}

/* `part[k + lane]`: what follows is as much further on as there are lanes. `in[x * length + k]`: it is a part's length.
 */
static void see_access(const struct gp_kernel *kernel, gp_ref address, struct steps *steps)
{
    struct gp_products sum = gp_products_of(kernel, address, 64);
    for (uint32_t i = 0; i < sum.count; i++) {
        const struct gp_product *own = &sum.product[i];
        const struct gp_inst *inst = gp_inst_of(kernel, own->leaf);
        for (uint32_t k = 0; k < own->param_count; k++)
            steps->other[own->params[k]] |= is_of_ids(kernel, own->leaf);
        uint32_t step = inst != NULL ? step_of(kernel, gp_counter_of(kernel, gp_ref_index(own->leaf))) : GP_NONE;
        for (uint32_t k = 0; step != GP_NONE && k < sum.count; k++) {
            const struct gp_product *beside = &sum.product[k];
            steps->other[step] |= gp_have_same_parameters(own, beside) && beside->scale == own->scale &&
                                  beside->leaf != GP_REF_NONE && is_of_ids(kernel, beside->leaf);
        }
    }
}

void gp_loop_steps(const struct gp_kernel *kernel, bool unit[GP_MAX_ARGUMENTS])
{
    struct steps steps = {.unit = unit};
    memset(unit, 0, GP_MAX_ARGUMENTS * sizeof *unit);
    see_counters(kernel, &steps);
    for (uint32_t m = 0; m < kernel->memory_count; m++) {
        const struct gp_inst *inst = &kernel->insts[kernel->memory[m].inst];
        if (inst->operand_count > 0)
            see_access(kernel, gp_operand_of(kernel, inst, 0), &steps);
    }
    for (uint32_t p = 0; p < GP_MAX_ARGUMENTS; p++)
        unit[p] &= !steps.other[p];
}
