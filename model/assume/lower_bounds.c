/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/assume/rules.h"

#include <string.h>

#include "model/value/inst_facts.h"
#include "model/value/id_sources.h"
#include "model/value/refs.h"
#include "model/assume/joined_orders.h"
#include "model/assume/products.h"

enum { MOST_JOINED = 4 };

/* An edge that places are kept off by a parameter, or by half of one. */
struct edge {
    bool by[GP_MAX_ARGUMENTS], by_half[GP_MAX_ARGUMENTS];
};

/* lower, above: of ids only, which are no less than it, or less; added: to ids that are less than something; reached:
 * of any places that a kernel goes through; upper: is so far from what such a place has to be less than. */
struct seen {
    bool lower[GP_MAX_ARGUMENTS], above[GP_MAX_ARGUMENTS], added[GP_MAX_ARGUMENTS];
    struct edge reached, upper;
};

static bool is_of_ids(const struct gp_kernel *kernel, gp_ref ref)
{
    struct gp_made_of made = gp_made_of(kernel, ref);
    return (made.items | made.groups) != 0;
}

/* A place that is made of ids, or a counter, whether it starts with one or goes through a row alone. */
static bool is_place(const struct gp_kernel *kernel, gp_ref ref)
{
    struct gp_made_of made = gp_made_of_start(kernel, ref);
    ref = gp_behind_casts(kernel, ref);
    return (made.items | made.groups) != 0 || gp_counter_at(kernel, ref) != NULL;
}

/* What is added to a place, or taken from what it has to be less than: `x + r < w`, `x < w - r`. */
static void see_upper(const struct gp_kernel *kernel, gp_ref smaller, gp_ref larger, unsigned bits, struct seen *seen)
{
    struct gp_products left = gp_products_of(kernel, smaller, bits), right = gp_products_of(kernel, larger, bits),
                       apart = gp_products_less(&left, &right);
    bool of_place = false, of_less = false; /* what has to reach a place is none of its edges */
    for (uint32_t i = 0; i < apart.count; i++) {
        const struct gp_product *product = &apart.product[i];
        bool place = product->leaf != GP_REF_NONE && is_place(kernel, product->leaf);
        of_place |= place && product->scale > 0;
        of_less |= place && product->scale < 0;
    }
    for (uint32_t i = 0; of_place && !of_less && i < apart.count; i++) {
        const struct gp_product *product = &apart.product[i];
        uint32_t half = product->param_count == 0 ? gp_half_of(kernel, product->leaf, product->scale) : GP_NONE;
        if (half != GP_NONE)
            seen->upper.by_half[half] = true;
        else if (product->leaf == GP_REF_NONE && product->param_count == 1 && product->scale > 0)
            seen->upper.by[product->params[0]] = true;
    }
}

/* The parameter that is added to an id as often as the id is in the sum; GP_NONE: none, or several. ids: whether there
 * is one. */
static uint32_t added_to_id(const struct gp_kernel *kernel, const struct gp_products *sum, bool *ids)
{
    uint32_t param = GP_NONE;
    *ids = false;
    for (uint32_t i = 0; i < sum->count; i++) {
        const struct gp_product *id = &sum->product[i];
        if (id->leaf == GP_REF_NONE || id->param_count > 0 || !is_of_ids(kernel, id->leaf))
            continue;
        *ids = true;
        for (uint32_t k = 0; k < sum->count; k++) {
            const struct gp_product *added = &sum->product[k];
            if (added->leaf == GP_REF_NONE && added->param_count == 1 && added->scale == id->scale)
                param = param == GP_NONE || param == added->params[0] ? added->params[0] : GP_MAX_ARGUMENTS;
        }
    }
    return param < GP_MAX_ARGUMENTS ? param : GP_NONE;
}

/* The place is on the larger side, a parameter on the other. */
static void see_order(const struct gp_kernel *kernel, gp_ref smaller, gp_ref larger, unsigned bits, enum gp_order order,
                      void *data)
{
    struct seen *seen = data;
    uint32_t param = gp_parameter_about(kernel, smaller), half = gp_half_of(kernel, smaller, 1);
    if (order == GP_EQUAL)
        return;
    if (param != GP_NONE) {
        seen->lower[param] |= is_of_ids(kernel, larger);
        seen->reached.by[param] |= is_place(kernel, larger);
    }
    if (half != GP_NONE)
        seen->reached.by_half[half] |= is_place(kernel, larger);
    struct gp_products place = gp_products_of(kernel, smaller, bits);
    bool ids;
    param = added_to_id(kernel, &place, &ids);
    if (param != GP_NONE)
        seen->added[param] = true;
    param = gp_parameter_about(kernel, larger);
    if (param != GP_NONE)
        seen->above[param] |= is_of_ids(kernel, smaller);
    see_upper(kernel, smaller, larger, bits, seen);
}

/* The same of what a loop goes through alone, in branches of their own: `if (y + r < h) sum += ...; if (y - r >= 0) sum
 * -= ...`, as sums over a window do that they carry along. */
static void see_running(const struct gp_kernel *kernel, gp_ref smaller, gp_ref larger, unsigned bits,
                        enum gp_order order, void *data)
{
    struct seen *seen = data;
    struct gp_products left = gp_products_of(kernel, smaller, bits), right = gp_products_of(kernel, larger, bits),
                       apart = gp_products_less(&left, &right);
    int64_t place = 0;
    for (uint32_t i = 0; i < apart.count; i++) {
        const struct gp_product *product = &apart.product[i];
        bool counter = product->param_count == 0 && gp_counter_at(kernel, product->leaf) != NULL;
        if (product->leaf != GP_REF_NONE && !counter)
            return;
        place = counter ? product->scale : place;
    }
    struct edge *edge = place > 0 ? &seen->upper : &seen->reached;
    for (uint32_t i = 0; order != GP_EQUAL && place != 0 && i < apart.count; i++)
        if (apart.product[i].leaf == GP_REF_NONE && apart.product[i].param_count == 1 && apart.product[i].scale > 0)
            edge->by[apart.product[i].params[0]] = true;
}

static void note_borders(const struct seen *seen, struct gp_lower_bounds *bounds)
{
    for (uint32_t p = 0; p < GP_MAX_ARGUMENTS; p++) {
        bounds->border[p] |= seen->reached.by[p] && seen->upper.by[p];
        bounds->half_border[p] |= seen->reached.by_half[p] && seen->upper.by_half[p];
    }
}

/* Of a way of a branch, and of the branches that it leads to at once: `else if`. */
static void see_way(const struct gp_kernel *kernel, uint32_t block, uint32_t way, unsigned deepest,
                    const struct seen *before, struct gp_lower_bounds *bounds)
{
    const struct gp_inst *last = gp_block_terminator(kernel, block);
    struct seen seen = *before;
    gp_each_order(kernel, gp_operand_of(kernel, last, 0), way == 0, see_order, &seen);
    note_borders(&seen, bounds);
    uint32_t next = gp_ref_index(gp_operand_of(kernel, last, 1 + way));
    bool more = memcmp(&seen, before, sizeof seen) != 0 && gp_block_terminator(kernel, next)->op == GP_OP_CONDBR;
    for (uint32_t w = 0; more && deepest > 0 && w < 2; w++)
        see_way(kernel, next, w, deepest - 1, &seen, bounds);
}

/* `in[i - d]`, `for (k = 0; k < d; k++) sum += in[i - k]`: what is taken from an id in an address. */
static void see_address(const struct gp_kernel *kernel, uint32_t memory, bool behind[GP_MAX_ARGUMENTS])
{
    struct gp_products sum;
    if (!gp_address_products(kernel, memory, &sum))
        return;
    for (uint32_t i = 0; i < sum.count; i++)
        for (uint32_t k = 0; k < sum.count; k++) {
            const struct gp_product *id = &sum.product[i], *less = &sum.product[k];
            const struct gp_induction *counter = gp_counter_at(kernel, less->leaf);
            uint32_t param = counter != NULL ? gp_loop_parameter(kernel, counter->loop)
                             : less->leaf == GP_REF_NONE && less->param_count == 1 ? less->params[0]
                                                                                   : GP_NONE;
            bool taken = id->param_count == 0 && less->param_count == (counter == NULL) && less->scale == -id->scale &&
                         id->leaf != GP_REF_NONE && is_of_ids(kernel, id->leaf);
            if (taken && param < GP_MAX_ARGUMENTS)
                behind[param] = true;
        }
}

/* What an id is without makes an address, too: `a[i] += a[i + s]`. */
static void keep_offsets(const struct gp_kernel *kernel, uint32_t memory, bool offset[GP_MAX_ARGUMENTS])
{
    struct gp_products sum;
    bool ids = false;
    uint32_t param = gp_address_products(kernel, memory, &sum) ? added_to_id(kernel, &sum, &ids) : GP_NONE;
    for (uint32_t p = 0; ids && p < GP_MAX_ARGUMENTS; p++)
        offset[p] &= p == param;
}

/* Whoever keeps off both edges is inside a border; what others do, nothing, less or all of the work, is the same to
 * it. */
void gp_lower_bounds(const struct gp_kernel *kernel, struct gp_lower_bounds *bounds)
{
    const struct seen none = {0};
    struct seen working = {0}, running = {0};
    memset(bounds, 0, sizeof *bounds);
    for (uint32_t b = 0; b < kernel->block_count; b++) {
        const struct gp_inst *last = gp_block_terminator(kernel, b);
        if (last->op != GP_OP_CONDBR)
            continue;
        bool idle[2];
        for (uint32_t w = 0; w < 2; w++) {
            idle[w] = gp_block_is_idle(kernel, gp_ref_index(gp_operand_of(kernel, last, 1 + w)));
            see_way(kernel, b, w, MOST_JOINED, &none, bounds);
            gp_each_order(kernel, gp_operand_of(kernel, last, 0), w == 0, see_running, &running);
        }
        if (idle[0] != idle[1])
            gp_each_order(kernel, gp_operand_of(kernel, last, 0), idle[1], see_order, &working);
    }
    note_borders(&working, bounds);
    note_borders(&running, bounds);
    memcpy(bounds->lower, working.lower, sizeof bounds->lower);
    memcpy(bounds->offset, working.added, sizeof bounds->offset);
    for (uint32_t m = 0; m < kernel->memory_count; m++) {
        see_address(kernel, m, bounds->behind);
        keep_offsets(kernel, m, bounds->offset);
    }
    for (uint32_t p = 0; p < GP_MAX_ARGUMENTS; p++)
        bounds->behind[p] &= !working.above[p];
}
