/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/assume/rules.h"

#include <string.h>

#include "model/value/inst_facts.h"
#include "model/value/id_sources.h"
#include "model/value/refs.h"
#include "model/assume/joined_orders.h"
#include "model/assume/products.h"

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

struct seen {
    bool lower[GP_MAX_ARGUMENTS], upper[GP_MAX_ARGUMENTS];
};

static bool is_of_ids(const struct gp_kernel *kernel, gp_ref ref)
{
    struct gp_made_of made = gp_made_of(kernel, ref);
    return (made.items | made.groups) != 0;
}

/* What is added to an id, or taken from what it has to be less than: `x + r < w`, `x < w - r`. */
static void see_upper(const struct gp_kernel *kernel, gp_ref smaller, gp_ref larger, unsigned bits, struct seen *seen)
{
    struct gp_products left = gp_products_of(kernel, smaller, bits), right = gp_products_of(kernel, larger, bits),
                       apart = gp_products_less(&left, &right);
    bool of_ids = false;
    for (uint32_t i = 0; i < apart.count; i++)
        of_ids |= apart.product[i].scale > 0 && is_of_ids(kernel, apart.product[i].leaf);
    for (uint32_t i = 0; of_ids && i < apart.count; i++) {
        const struct gp_product *product = &apart.product[i];
        if (product->leaf == GP_REF_NONE && product->param_count == 1 && product->scale > 0)
            seen->upper[product->params[0]] = true;
    }
}

/* The id is on the larger side, a parameter on the other. */
static void see_order(const struct gp_kernel *kernel, gp_ref smaller, gp_ref larger, unsigned bits, enum gp_order order,
                      void *data)
{
    struct seen *seen = data;
    uint32_t param = parameter_of(kernel, smaller);
    if (order == GP_EQUAL)
        return;
    if (param != GP_NONE && is_of_ids(kernel, larger))
        seen->lower[param] = true;
    see_upper(kernel, smaller, larger, bits, seen);
}

static bool keeps_off(const struct seen *seen, uint32_t param) { return seen->lower[param] && seen->upper[param]; }

/* What works only along both edges, as what fills a border, asks the same of those that do nothing. */
void gp_lower_bounds(const struct gp_kernel *kernel, struct gp_lower_bounds *bounds)
{
    struct seen working = {0};
    memset(bounds, 0, sizeof *bounds);
    for (uint32_t b = 0; b < kernel->block_count; b++) {
        const struct gp_inst *last = gp_block_terminator(kernel, b);
        struct seen idle = {0};
        if (last->op != GP_OP_CONDBR)
            continue;
        bool if_true = gp_block_is_idle(kernel, gp_ref_index(gp_operand_of(kernel, last, 1))),
             if_false = gp_block_is_idle(kernel, gp_ref_index(gp_operand_of(kernel, last, 2)));
        if (if_true == if_false)
            continue;
        gp_each_order(kernel, gp_operand_of(kernel, last, 0), if_false, see_order, &working);
        gp_each_order(kernel, gp_operand_of(kernel, last, 0), if_true, see_order, &idle);
        for (uint32_t p = 0; p < GP_MAX_ARGUMENTS; p++)
            bounds->border[p] |= keeps_off(&idle, p);
    }
    for (uint32_t p = 0; p < GP_MAX_ARGUMENTS; p++) {
        bounds->lower[p] = working.lower[p];
        bounds->border[p] |= keeps_off(&working, p);
    }
}
