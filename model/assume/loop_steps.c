/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/assume/rules.h"

#include <string.h>

#include "model/value/id_sources.h"
#include "model/value/inst_facts.h"
#include "model/value/operand_walk.h"
#include "model/value/refs.h"
#include "model/assume/joined_orders.h"
#include "model/assume/products.h"

struct steps {
    bool other[GP_MAX_ARGUMENTS]; /* from one element of a work-item to its next, or from one part to the next */
    struct gp_loop_steps *found;
};

/* A phi of a loop's header, and what it is in the next iteration. */
struct counter {
    uint32_t loop, phi;
    gp_ref next;
    uint32_t factor; /* the parameter that it is multiplied with, or divided by; GP_NONE: it is not */
    uint64_t least;  /* of that, what changes it */
    struct steps *steps;
};

/* The parameter that a counter is advanced by. */
static uint32_t step_of(const struct gp_kernel *kernel, const struct gp_induction *counter)
{
    return counter != NULL ? gp_integer_parameter(kernel, gp_behind_casts(kernel, counter->step)) : GP_NONE;
}

/* ---- What is added ----------------------------------------------------------------------------------------------- */

/* The dimension of which a value is the global id, whole or put together of its group's number and a local id; else
 * GP_MAX_DIMS. */
static uint32_t global_dimension(const struct gp_kernel *kernel, const struct gp_products *sum)
{
    uint32_t dimension = GP_MAX_DIMS;
    unsigned global = 0, local = 0, groups = 0;
    for (uint32_t i = 0; i < sum->count; i++) {
        const struct gp_product *product = &sum->product[i];
        const struct gp_inst *inst = gp_inst_of(kernel, product->leaf);
        struct gp_made_of made = gp_made_of(kernel, product->leaf);
        uint8_t of = made.items | made.groups;
        uint32_t d = of != 0 ? (uint32_t)__builtin_ctz(of) : GP_MAX_DIMS;
        if (product->param_count > 0 || d == GP_MAX_DIMS || of != 1u << d || (i > 0 && d != dimension))
            return GP_MAX_DIMS;
        dimension = d;
        bool id = inst->op == GP_OP_ID && product->scale == 1;
        global += id && (inst->sub >> 2) == GP_ID_GLOBAL;
        local += id && (inst->sub >> 2) == GP_ID_LOCAL;
        groups += made.groups != 0 && made.items == 0;
    }
    bool whole = global == 1 && sum->count == 1, joined = local == 1 && groups == 1 && sum->count == 2;
    return sum->whole && (whole || joined) ? dimension : GP_MAX_DIMS;
}

/* The dimension of which a value is the local id alone; else GP_MAX_DIMS. */
static uint32_t local_dimension(const struct gp_kernel *kernel, gp_ref leaf)
{
    const struct gp_inst *inst = gp_inst_of(kernel, gp_behind_casts(kernel, leaf));
    return inst != NULL && inst->op == GP_OP_ID && (inst->sub >> 2) == GP_ID_LOCAL ? inst->sub & 3u : GP_MAX_DIMS;
}

static enum gp_visit see_multiplied(const struct gp_kernel *kernel, gp_ref ref, const struct gp_inst *inst, void *param)
{
    if (inst == NULL)
        return gp_integer_parameter(kernel, ref) == *(const uint32_t *)param ? GP_VISIT_ENOUGH : GP_VISIT_NEXT;
    return inst->op == GP_OP_MUL || gp_op_is_cast((enum gp_op)inst->op) ? GP_VISIT_OPERANDS : GP_VISIT_NEXT;
}

/* Whether a parameter is a factor of all of a sum, also within what is no product of one thing with parameters. */
static bool is_common_factor(const struct gp_kernel *kernel, const struct gp_products *sum, uint32_t param)
{
    uint32_t with = 0;
    for (uint32_t i = 0; i < sum->count; i++)
        with += gp_product_has(&sum->product[i], param) ||
                gp_walk_operands(kernel, sum->product[i].leaf, see_multiplied, &param) == GP_WALK_ENOUGH;
    return sum->whole && with > 0 && with == sum->count;
}

/* `i += step`, `i -= step`; `i = id; i += lanes`. */
static void see_plain_step(const struct gp_kernel *kernel, const struct gp_product *step, bool ids,
                           const struct gp_products *start, struct steps *steps)
{
    uint32_t param = step->params[0];
    uint32_t dimension = step->scale == 1 ? global_dimension(kernel, start) : GP_MAX_DIMS,
             local = step->scale == 1 && start->count == 1 && start->whole && start->product[0].scale == 1 &&
                             start->product[0].param_count == 0
                         ? local_dimension(kernel, start->product[0].leaf)
                         : GP_MAX_DIMS;
    if (dimension < GP_MAX_DIMS)
        steps->found->lanes[param] = (uint8_t)(dimension + 1);
    else if (local < GP_MAX_DIMS)
        steps->found->group[param] = (struct gp_group_size){(uint8_t)(local + 1), false};
    else if (ids)
        steps->other[param] = true;
    else
        steps->found->unit[param] |= step->scale == 1 || step->scale == -1;
}

/* Or `i = id * s; i += lanes * s`, where s is a lane's stride. */
static void see_sum(const struct gp_kernel *kernel, const struct counter *counter)
{
    struct steps *steps = counter->steps;
    unsigned bits = kernel->insts[counter->phi].bits;
    gp_ref phi = gp_ref_make(GP_REF_INST, counter->phi);
    struct gp_products next = gp_products_of(kernel, counter->next, bits), now = gp_products_of(kernel, phi, bits),
                       step = gp_products_less(&next, &now), start = gp_start_products_of(kernel, phi, bits);
    const struct gp_product *only = &step.product[0];
    bool ids = gp_starts_with_ids(kernel, phi);
    if (step.whole && step.count == 1 && only->param_count == 1 && only->leaf == GP_REF_NONE)
        see_plain_step(kernel, only, ids, &start, steps);
    else if (ids && start.count > 0 && start.product[0].param_count == 1 &&
             is_common_factor(kernel, &start, start.product[0].params[0]) &&
             is_common_factor(kernel, &step, start.product[0].params[0]))
        steps->found->unit[start.product[0].params[0]] = true;
}

/* ---- What is multiplied ------------------------------------------------------------------------------------------ */

/* `i *= s`, `i /= s` where i decides how long the loop goes on: it does not change with 1, as it does not where bits
 * are shifted by 0. */
static void see_end(const struct gp_kernel *kernel, gp_ref smaller, gp_ref larger, unsigned bits, enum gp_order order,
                    void *data)
{
    (void)bits, (void)order;
    const struct counter *counter = data;
    gp_ref phi = gp_ref_make(GP_REF_INST, counter->phi), next = gp_behind_casts(kernel, counter->next);
    const gp_ref sides[] = {gp_behind_casts(kernel, smaller), gp_behind_casts(kernel, larger)};
    for (int i = 0; i < 2; i++)
        if (sides[i] == phi || sides[i] == next)
            counter->steps->found->factor[counter->factor] = (uint8_t)counter->least;
}

static void see_factor(const struct gp_kernel *kernel, struct counter *counter)
{
    const struct gp_inst *inst = gp_inst_of(kernel, gp_behind_casts(kernel, counter->next));
    if (inst == NULL || inst->operand_count < 2)
        return;
    bool multiplies = inst->op == GP_OP_MUL, divides = inst->op == GP_OP_UDIV || inst->op == GP_OP_SDIV,
         shifts = inst->op == GP_OP_SHL || inst->op == GP_OP_LSHR || inst->op == GP_OP_ASHR;
    for (uint32_t i = 0; (multiplies && i < 2) || ((divides || shifts) && i < 1); i++) {
        gp_ref counted = gp_behind_casts(kernel, gp_operand_of(kernel, inst, i));
        counter->factor = gp_integer_parameter(kernel, gp_behind_casts(kernel, gp_operand_of(kernel, inst, 1 - i)));
        counter->least = shifts ? 1 : 2;
        if (counted == gp_ref_make(GP_REF_INST, counter->phi) && counter->factor != GP_NONE)
            gp_each_order_within(kernel, counter->loop, see_end, counter);
    }
}

/* Whether a counter is half of itself each turn. */
static bool is_halved(const struct gp_kernel *kernel, gp_ref counter)
{
    const struct gp_inst *phi = gp_inst_of(kernel, counter);
    bool halved = false;
    for (uint32_t k = 1; phi != NULL && phi->op == GP_OP_PHI && k < phi->operand_count; k += 2) {
        const struct gp_inst *next = gp_inst_of(kernel, gp_behind_casts(kernel, gp_operand_of(kernel, phi, k)));
        bool shifts = next != NULL && (next->op == GP_OP_LSHR || next->op == GP_OP_ASHR),
             divides = next != NULL && (next->op == GP_OP_UDIV || next->op == GP_OP_SDIV);
        if ((shifts || divides) && gp_behind_casts(kernel, gp_operand_of(kernel, next, 0)) == counter)
            halved |= gp_signed_constant(kernel, gp_operand_of(kernel, next, 1), next->bits) == (shifts ? 1 : 2);
    }
    return halved;
}

/* `for (s = size / 2; s > 0; s /= 2) if (lane < s) part[lane] += part[lane + s]`: what a sum in a tree begins with is
 * the group's size, or half of it. */
static void see_tree(const struct gp_kernel *kernel, const struct gp_products *sum, struct gp_loop_steps *found)
{
    for (uint32_t i = 0; i < sum->count; i++)
        for (uint32_t k = 0; k < sum->count; k++) {
            const struct gp_product *lane = &sum->product[i], *step = &sum->product[k];
            uint32_t dimension = lane->param_count == 0 ? local_dimension(kernel, lane->leaf) : GP_MAX_DIMS;
            if (dimension >= GP_MAX_DIMS || step->param_count > 0 || step->scale != lane->scale ||
                !is_halved(kernel, step->leaf))
                continue;
            struct gp_products start = gp_start_products_of(kernel, step->leaf, gp_inst_of(kernel, step->leaf)->bits);
            const struct gp_product *first = &start.product[0];
            uint32_t half =
                start.count == 1 && first->param_count == 0 ? gp_half_of(kernel, first->leaf, first->scale) : GP_NONE;
            bool itself =
                start.count == 1 && first->param_count == 1 && first->leaf == GP_REF_NONE && first->scale == 1;
            if (itself || half != GP_NONE)
                found->group[itself ? first->params[0] : half] =
                    (struct gp_group_size){(uint8_t)(dimension + 1), itself};
        }
}

/* ---- All of them ------------------------------------------------------------------------------------------------- */

static void see_loop(const struct gp_kernel *kernel, uint32_t loop, struct steps *steps)
{
    const struct gp_block *header = &kernel->blocks[kernel->loops[loop].header];
    for (uint32_t i = header->inst; i < header->inst + header->inst_count && kernel->insts[i].op == GP_OP_PHI; i++) {
        const struct gp_inst *phi = &kernel->insts[i];
        for (uint32_t k = 0; k + 1 < phi->operand_count; k += 2) {
            struct counter counter = {
                .loop = loop, .phi = i, .next = gp_operand_of(kernel, phi, k + 1), .steps = steps};
            if (!gp_block_is_within(kernel, gp_ref_index(gp_operand_of(kernel, phi, k)), loop))
                continue;
            see_sum(kernel, &counter);
            see_factor(kernel, &counter);
        }
    }
}

/* `part[k + lane]`: what follows is as much further on as there are lanes. `in[x * length + k]`: it is a part's length.
 */
static void see_access(const struct gp_kernel *kernel, uint32_t memory, struct steps *steps)
{
    struct gp_products sum;
    if (!gp_address_products(kernel, memory, &sum))
        return;
    see_tree(kernel, &sum, steps->found);
    for (uint32_t i = 0; i < sum.count; i++) {
        const struct gp_product *own = &sum.product[i];
        for (uint32_t k = 0; k < own->param_count; k++)
            steps->other[own->params[k]] |= gp_starts_with_ids(kernel, own->leaf);
        uint32_t step = step_of(kernel, gp_counter_at(kernel, own->leaf));
        for (uint32_t k = 0; step != GP_NONE && k < sum.count; k++) {
            const struct gp_product *beside = &sum.product[k];
            steps->other[step] |= gp_have_same_parameters(own, beside) && beside->scale == own->scale &&
                                  beside->leaf != GP_REF_NONE && gp_starts_with_ids(kernel, beside->leaf);
        }
    }
}

void gp_loop_steps(const struct gp_kernel *kernel, struct gp_loop_steps *found)
{
    struct steps steps = {.found = found};
    memset(found, 0, sizeof *found);
    for (uint32_t loop = 0; loop < kernel->loop_count; loop++)
        see_loop(kernel, loop, &steps);
    for (uint32_t m = 0; m < kernel->memory_count; m++)
        see_access(kernel, m, &steps);
    for (uint32_t p = 0; p < GP_MAX_ARGUMENTS; p++)
        found->unit[p] &= !steps.other[p] && found->lanes[p] == 0;
}
