/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/assume/rules.h"

#include <string.h>

#include "model/value/inst_facts.h"
#include "model/value/id_sources.h"
#include "model/value/operand_walk.h"
#include "model/value/refs.h"
#include "model/launch/launch_index.h"
#include "model/assume/joined_orders.h"
#include "model/assume/products.h"

enum { MOST_ADDED = 8 };

/* The phi that a counter is, and what it steps by. */
struct counter {
    uint32_t phi;
    uint64_t step;
};
struct ends {
    const struct gp_launch *launch;
    const struct gp_loop_steps *steps;
    struct counter counter;
    uint64_t share, *end;
};

/* Whether a step is made of the number of groups, or of work-items, of all the launch. */
static enum gp_visit see_size_of_launch(const struct gp_kernel *kernel, gp_ref ref, const struct gp_inst *inst,
                                        void *steps)
{
    uint32_t param = inst == NULL ? gp_integer_parameter(kernel, ref) : GP_NONE;
    if (inst == NULL)
        return param != GP_NONE && ((const struct gp_loop_steps *)steps)->lanes[param] > 0 ? GP_VISIT_ENOUGH
                                                                                           : GP_VISIT_NEXT;
    unsigned id = inst->op == GP_OP_ID ? inst->sub >> 2 : GP_ID_GLOBAL;
    if (id == GP_ID_GROUP_COUNT || id == GP_ID_GLOBAL_SIZE)
        return GP_VISIT_ENOUGH;
    bool product = inst->op == GP_OP_MUL || inst->op == GP_OP_SHL || gp_op_is_cast((enum gp_op)inst->op);
    return product ? GP_VISIT_OPERANDS : GP_VISIT_NEXT;
}

static bool counts_launch(const struct gp_kernel *kernel, const struct gp_loop_steps *steps, gp_ref ref)
{
    return gp_walk_operands(kernel, ref, see_size_of_launch, (void *)(uintptr_t)steps) == GP_WALK_ENOUGH;
}

gp_ref gp_behind_width(const struct gp_kernel *kernel, gp_ref ref)
{
    for (;;) {
        ref = gp_behind_casts(kernel, ref);
        const struct gp_inst *inst = gp_inst_of(kernel, ref);
        gp_ref mask = inst != NULL && inst->op == GP_OP_AND ? gp_operand_of(kernel, inst, 1) : GP_REF_NONE;
        if (gp_ref_kind(mask) != GP_REF_CONST || kernel->constants[gp_ref_index(mask)] != UINT32_MAX)
            return ref;
        ref = gp_operand_of(kernel, inst, 0);
    }
}

static enum gp_visit see_counter(const struct gp_kernel *kernel, gp_ref ref, const struct gp_inst *inst, void *phi)
{
    if (ref == gp_ref_make(GP_REF_INST, *(const uint32_t *)phi))
        return GP_VISIT_ENOUGH;
    bool widened = gp_behind_width(kernel, ref) != ref;
    return inst != NULL && (widened || inst->op == GP_OP_ADD) ? GP_VISIT_OPERANDS : GP_VISIT_NEXT;
}

bool gp_leads_to_counter(const struct gp_kernel *kernel, gp_ref ref, uint32_t phi)
{
    return gp_walk_operands(kernel, ref, see_counter, &phi) == GP_WALK_ENOUGH;
}

/* The largest number that counts the launch of those that are added to the counter for a value, one by one; 0: none
 * does. */
static uint64_t step_in(const struct gp_kernel *kernel, const struct ends *ends, gp_ref ref, uint32_t phi,
                        unsigned deepest)
{
    const struct gp_inst *inst = gp_inst_of(kernel, gp_behind_width(kernel, ref));
    uint64_t most = 0;
    for (uint32_t i = 0; inst != NULL && inst->op == GP_OP_ADD && deepest > 0 && i < 2; i++) {
        gp_ref on = gp_operand_of(kernel, inst, i), added = gp_operand_of(kernel, inst, 1 - i);
        if (!gp_leads_to_counter(kernel, on, phi))
            continue;
        struct gp_index by =
            gp_index_at(kernel, ends->launch, added, inst->bits, (struct gp_item){0}, GP_INDEX_ASSUMED);
        bool counts =
            counts_launch(kernel, ends->steps, added) && by.known && by.value > 0 && by.value < GP_INDEX_BEYOND;
        uint64_t before = step_in(kernel, ends, on, phi, deepest - 1);
        most = counts && (uint64_t)by.value > before ? (uint64_t)by.value : before;
    }
    return most;
}

static void raise(struct ends *ends, uint32_t param, uint64_t end)
{
    ends->end[param] = end > ends->end[param] ? end : ends->end[param];
}

/* A power of two that gives the number, or more, multiplied so often. */
static uint64_t root_of(uint64_t number, uint32_t degree)
{
    unsigned bits = number > 1 ? 64 - (unsigned)__builtin_clzll(number - 1) : 0;
    return UINT64_C(1) << (bits + degree - 1) / degree;
}

/* `channels * height * width`: each as large as the others. */
static void share_among_factors(const struct gp_kernel *kernel, gp_ref bound, unsigned bits, uint64_t end,
                                struct ends *ends)
{
    struct gp_products products = gp_products_of(kernel, bound, bits);
    const struct gp_product *only = &products.product[0];
    if (!products.whole || products.count != 1 || only->leaf != GP_REF_NONE || only->scale != 1 ||
        only->param_count < 2)
        return;
    for (uint32_t i = 0; i < only->param_count; i++)
        raise(ends, only->params[i], root_of(end, only->param_count));
}

/* A bound that is a part of an argument, as where elements are taken by fours, wants so many times as much of it. */
static void see_order(const struct gp_kernel *kernel, gp_ref smaller, gp_ref larger, unsigned bits, enum gp_order order,
                      void *data)
{
    struct ends *ends = data;
    uint64_t times, end = ends->counter.step * ends->share;
    if (order == GP_EQUAL || !gp_leads_to_counter(kernel, smaller, ends->counter.phi))
        return;
    uint32_t param = gp_parameter_shared(kernel, larger, &times);
    if (param != GP_NONE)
        raise(ends, param, end * times);
    else
        share_among_factors(kernel, larger, bits, end, ends);
}

/* What a loop's phi is in the next iteration tells whether it is a counter, and its step; an induction's record need
 * not: those of narrow counters in wide registers have none. */
static void see_loop(const struct gp_kernel *kernel, uint32_t loop, struct ends *ends)
{
    const struct gp_block *header = &kernel->blocks[kernel->loops[loop].header];
    for (uint32_t i = header->inst; i < header->inst + header->inst_count && kernel->insts[i].op == GP_OP_PHI; i++) {
        const struct gp_inst *phi = &kernel->insts[i];
        ends->counter = (struct counter){i, 0};
        for (uint32_t k = 0; k + 1 < phi->operand_count; k += 2)
            if (gp_block_is_within(kernel, gp_ref_index(gp_operand_of(kernel, phi, k)), loop))
                ends->counter.step = step_in(kernel, ends, gp_operand_of(kernel, phi, k + 1), i, MOST_ADDED);
        if (ends->counter.step > 0)
            gp_each_order_within(kernel, loop, see_order, ends);
    }
}

void gp_strided_ends(const struct gp_kernel *kernel, const struct gp_launch *launch, const struct gp_loop_steps *steps,
                     uint64_t share, uint64_t end[GP_MAX_ARGUMENTS])
{
    struct ends ends = {.launch = launch, .steps = steps, .share = share, .end = end};
    memset(end, 0, GP_MAX_ARGUMENTS * sizeof *end);
    for (uint32_t loop = 0; loop < kernel->loop_count; loop++)
        see_loop(kernel, loop, &ends);
}
