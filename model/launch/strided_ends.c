#include "model/launch/strided_ends.h"

#include <string.h>

#include "model/code/inst_facts.h"
#include "model/code/made_of.h"
#include "model/code/refs.h"
#include "model/launch/launch_index.h"
#include "model/launch/orders.h"

enum { DEEPEST = 6 };

struct ends { uint32_t phi; uint64_t step, *steps; };

/* Whether a step is made of the number of groups, or of work-items, of all the launch. */
static bool counts_launch(const struct gp_kernel *kernel, gp_ref ref, unsigned deepest)
{
    const struct gp_inst *inst = gp_inst_of(kernel, gp_behind_casts(kernel, ref));
    if (inst == NULL || deepest == 0)
        return false;
    unsigned id = inst->sub >> 2;
    if (inst->op == GP_OP_ID)
        return id == GP_ID_GROUP_COUNT || id == GP_ID_GLOBAL_SIZE;
    if (inst->op != GP_OP_MUL && inst->op != GP_OP_SHL)
        return false;
    return counts_launch(kernel, gp_operand_of(kernel, inst, 0), deepest - 1) || counts_launch(kernel, gp_operand_of(kernel, inst, 1), deepest - 1);
}

/* The counter, or what it is next. */
static bool is_counter(const struct gp_kernel *kernel, gp_ref ref, uint32_t phi)
{
    gp_ref counter = gp_ref_make(GP_REF_INST, phi);
    ref = gp_behind_casts(kernel, ref);
    const struct gp_inst *inst = gp_inst_of(kernel, ref);
    for (uint32_t i = 0; inst != NULL && inst->op == GP_OP_ADD && i < 2; i++)
        if (gp_behind_casts(kernel, gp_operand_of(kernel, inst, i)) == counter)
            return true;
    return ref == counter;
}

static void see_order(const struct gp_kernel *kernel, gp_ref smaller, gp_ref larger, unsigned bits, void *data)
{
    struct ends *ends = data;
    uint32_t param = gp_integer_parameter(kernel, gp_behind_casts(kernel, larger));
    (void)bits;
    if (param != GP_NONE && is_counter(kernel, smaller, ends->phi) && ends->step > ends->steps[param])
        ends->steps[param] = ends->step;
}

static void see_counter(const struct gp_kernel *kernel, const struct gp_induction *counter, struct ends *ends)
{
    for (uint32_t b = 0; b < kernel->block_count; b++) {
        const struct gp_inst *last = gp_block_terminator(kernel, b);
        if (last->op != GP_OP_CONDBR || !gp_block_can_leave(kernel, b, counter->loop))
            continue;
        bool stays_if_true = gp_block_is_within(kernel, gp_ref_index(gp_operand_of(kernel, last, 1)), counter->loop);
        gp_each_order(kernel, gp_operand_of(kernel, last, 0), stays_if_true, see_order, ends);
    }
}

void gp_strided_ends(const struct gp_kernel *kernel, const struct gp_launch *launch, uint64_t steps[GP_MAX_ARGUMENTS])
{
    memset(steps, 0, GP_MAX_ARGUMENTS * sizeof *steps);
    for (uint32_t i = 0; i < kernel->induction_count; i++) {
        const struct gp_induction *counter = &kernel->inductions[i];
        struct gp_index step = gp_index_at(kernel, launch, counter->step, kernel->insts[counter->phi].bits, (struct gp_item){0}, GP_INDEX_ASSUMED);
        if (!counts_launch(kernel, counter->step, DEEPEST) || !step.known || step.value <= 0 || step.value >= GP_INDEX_BEYOND)
            continue;
        struct ends ends = {counter->phi, (uint64_t)step.value, steps};
        see_counter(kernel, counter, &ends);
    }
}
