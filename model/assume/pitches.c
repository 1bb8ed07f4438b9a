/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/assume/rules.h"

#include <string.h>

#include "model/value/id_sources.h"
#include "model/value/inst_facts.h"
#include "model/value/refs.h"
#include "model/launch/launch_index.h"
#include "model/assume/products.h"
#include "support/saturate.h"

struct search {
    const struct gp_kernel *kernel;
    const struct gp_launch *launch;
    const struct gp_products *address;
    uint64_t *least;
};

/* Dimensions of the ids, of work-items or of groups, that a value is made of, or a counter starts with. */
static unsigned dimensions_of(const struct gp_kernel *kernel, gp_ref leaf)
{
    const struct gp_inst *inst = gp_inst_of(kernel, leaf);
    struct gp_made_of made = gp_made_of(kernel, leaf);
    unsigned dimensions = made.items | made.groups;
    for (uint32_t i = 1; inst != NULL && inst->op == GP_OP_PHI && i < inst->operand_count; i += 2) {
        made = gp_made_of(kernel, gp_operand_of(kernel, inst, i));
        dimensions |= made.items | made.groups;
    }
    return dimensions;
}

/* A window's rows lie about one that is in its midst, which is part of an image already. */
static bool starts_below_zero(const struct gp_kernel *kernel, gp_ref leaf, const struct gp_inst *phi)
{
    struct gp_products start = gp_start_products_of(kernel, leaf, phi->bits);
    return start.count > 0 && start.product[0].scale < 0;
}

/* Whether a product's rows are several: a number that is the same for all does not tell them. */
static bool differs(const struct gp_kernel *kernel, gp_ref leaf)
{
    const struct gp_inst *inst = gp_inst_of(kernel, leaf);
    if (inst == NULL || (inst->op == GP_OP_PHI && starts_below_zero(kernel, leaf, inst)))
        return false;
    return inst->op == GP_OP_PHI || gp_op_is_memory((enum gp_op)inst->op) || dimensions_of(kernel, leaf) != 0;
}

/* Whether a product has the other's parameters, but for one of them. */
static bool lacks_only(const struct gp_product *product, const struct gp_product *other, uint32_t param)
{
    uint32_t at = 0;
    bool skipped = false;
    for (uint32_t i = 0; i < other->param_count; i++)
        if (!skipped && other->params[i] == param)
            skipped = true;
        else if (at == product->param_count || product->params[at++] != other->params[i])
            return false;
    return skipped && at == product->param_count;
}

/* The rows' distance for a parameter of 1: the least, as `2 * y * pitch` and `(2 * y + 1) * pitch` are rows side by
 * side. */
static int64_t scale_of_rows(const struct search *s, const struct gp_product *rows)
{
    int64_t least = gp_size_of(rows->scale);
    for (uint32_t i = 0; i < s->address->count; i++)
        if (gp_have_same_parameters(&s->address->product[i], rows) && gp_size_of(s->address->product[i].scale) < least)
            least = gp_size_of(s->address->product[i].scale);
    return least;
}

/* All ids that the parameter multiplies. */
static unsigned dimensions_of_rows(const struct search *s, uint32_t param)
{
    unsigned dimensions = 0;
    for (uint32_t i = 0; i < s->address->count; i++)
        if (gp_product_has(&s->address->product[i], param))
            dimensions |= dimensions_of(s->kernel, s->address->product[i].leaf);
    return dimensions;
}

/* From a value's first work-item to its last; 0: it is not known. */
static int64_t reach_of(const struct search *s, gp_ref leaf)
{
    struct gp_index first = gp_index_at(s->kernel, s->launch, leaf, 64, (struct gp_item){0}, GP_INDEX_ASSUMED);
    struct gp_index last = gp_index_at(s->kernel, s->launch, leaf, 64, gp_last_item(s->launch), GP_INDEX_ASSUMED);
    return first.known && last.known && last.value > first.value && last.value < GP_INDEX_BEYOND
               ? last.value - first.value
               : 0;
}

static void see_rows(const struct search *s, const struct gp_product *rows, uint32_t param)
{
    unsigned of_rows = dimensions_of_rows(s, param);
    int64_t reach = 0, step = INT64_MAX, scale = scale_of_rows(s, rows);
    for (uint32_t i = 0; i < s->address->count; i++) {
        const struct gp_product *product = &s->address->product[i];
        int64_t own = 0;
        bool beside = product->leaf != GP_REF_NONE && lacks_only(product, rows, param) &&
                      (dimensions_of(s->kernel, product->leaf) & of_rows) == 0;
        if (!beside || __builtin_mul_overflow(reach_of(s, product->leaf), gp_size_of(product->scale), &own) ||
            own == 0 || own >= GP_INDEX_BEYOND)
            continue;
        reach += own;
        step = gp_size_of(product->scale) < step ? gp_size_of(product->scale) : step;
    }
    uint64_t wanted = reach > 0 ? ((uint64_t)reach + (uint64_t)step + (uint64_t)scale - 1) / (uint64_t)scale : 0;
    if (wanted > s->least[param])
        s->least[param] = wanted;
}

static void see_address(const struct search *s)
{
    for (uint32_t i = 0; i < s->address->count; i++) {
        const struct gp_product *product = &s->address->product[i];
        for (uint32_t k = 0; differs(s->kernel, product->leaf) && k < product->param_count; k++)
            see_rows(s, product, product->params[k]);
    }
}

/* In `(i / width) * width + i % width` the rows are parts of one range. */
static void leave_divisors(const struct gp_kernel *kernel, uint64_t least[GP_MAX_ARGUMENTS])
{
    for (uint32_t i = 0; i < kernel->inst_count; i++) {
        uint32_t param = gp_divisor_of(kernel, &kernel->insts[i]);
        if (param != GP_NONE)
            least[param] = 0;
    }
}

static void see_addresses(const struct gp_kernel *kernel, const struct gp_launch *launch,
                          uint64_t least[GP_MAX_ARGUMENTS], void (*see)(const struct search *s))
{
    for (uint32_t m = 0; m < kernel->memory_count; m++) {
        const struct gp_memory *memory = &kernel->memory[m];
        struct gp_products address;
        bool global = memory->space == GP_SPACE_GLOBAL || memory->space == GP_SPACE_GENERIC;
        if (global && gp_address_products(kernel, m, &address))
            see(&(struct search){kernel, launch, &address, least});
    }
}

void gp_pitches(const struct gp_kernel *kernel, const struct gp_launch *launch, uint64_t least[GP_MAX_ARGUMENTS])
{
    memset(least, 0, GP_MAX_ARGUMENTS * sizeof *least);
    see_addresses(kernel, launch, least, see_address);
    leave_divisors(kernel, least);
}

/* ---- Planes of rows ---------------------------------------------------------------------------------------------- */

/* How a leaf goes through its part of an address: a counter, which is the innermost, or ids of these dimensions. */
struct walk {
    unsigned dimensions;
    int64_t extent;
};

static struct walk walk_of(const struct search *s, gp_ref leaf)
{
    const struct gp_kernel *kernel = s->kernel;
    const struct gp_induction *counter = gp_counter_at(kernel, gp_behind_casts(kernel, leaf));
    struct walk walk = {dimensions_of(kernel, leaf), reach_of(s, leaf) + 1};
    if (counter == NULL || walk.dimensions != 0)
        return walk;
    struct gp_index turns = gp_index_at(kernel, s->launch, kernel->loops[counter->loop].trip_count, 64,
                                        (struct gp_item){0}, GP_INDEX_ASSUMED);
    walk.extent = turns.known && turns.value > 0 && turns.value < GP_INDEX_BEYOND ? turns.value : 1;
    return walk;
}

/* Ids of lower dimensions lie within those of higher ones, and counters within ids. */
static bool is_within(const struct walk *inner, const struct walk *outer)
{
    return (inner->dimensions & outer->dimensions) == 0 && inner->dimensions < outer->dimensions;
}

/* From the first to behind the last of what is multiplied with the same: a group's start and the id within it. */
static int64_t span_of(const struct search *s, const struct gp_product *product, const struct walk *outer)
{
    int64_t span = 0, step = INT64_MAX;
    for (uint32_t i = 0; i < s->address->count; i++) {
        const struct gp_product *other = &s->address->product[i];
        struct walk inner = walk_of(s, other->leaf);
        int64_t scale = gp_size_of(other->scale);
        if (other->leaf == GP_REF_NONE || !gp_have_same_parameters(product, other) || !is_within(&inner, outer))
            continue;
        span = gp_add(span, gp_multiply(scale, inner.extent - 1));
        step = scale < step ? scale : step;
    }
    return step < INT64_MAX ? gp_add(span, step) : 0;
}

/* What a plane's distance leaves room for: all that lies within, each with a distance of its own. */
static void see_planes(const struct search *s, const struct gp_product *planes)
{
    struct walk outer = walk_of(s, planes->leaf);
    int64_t room = 0;
    bool rows = false;
    for (uint32_t i = 0; i < s->address->count; i++) {
        const struct gp_product *product = &s->address->product[i];
        struct walk inner = walk_of(s, product->leaf);
        if (product->leaf == GP_REF_NONE || gp_product_has(product, planes->params[0]) || !is_within(&inner, &outer))
            continue;
        int64_t own = span_of(s, product, &outer);
        for (uint32_t k = 0; k < product->param_count; k++)
            own = gp_multiply(own, (int64_t)(s->launch->arguments[product->params[k]].value & INT32_MAX));
        rows |= product->param_count > 0;
        room = own > room ? own : room;
    }
    int64_t scale = gp_size_of(planes->scale), wanted = rows && scale > 0 ? (room + scale - 1) / scale : 0;
    if (wanted < INT32_MAX && (uint64_t)wanted > s->least[planes->params[0]])
        s->least[planes->params[0]] = (uint64_t)wanted;
}

static void see_planes_of(const struct search *s)
{
    for (uint32_t i = 0; i < s->address->count; i++) {
        const struct gp_product *product = &s->address->product[i];
        if (product->param_count == 1 && product->scale != 0 && differs(s->kernel, product->leaf))
            see_planes(s, product);
    }
}

void gp_planes(const struct gp_kernel *kernel, const struct gp_launch *launch, uint64_t least[GP_MAX_ARGUMENTS])
{
    memset(least, 0, GP_MAX_ARGUMENTS * sizeof *least);
    see_addresses(kernel, launch, least, see_planes_of);
}
