/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/assume/rules.h"

#include <math.h>
#include <string.h>

#include "model/value/inst_facts.h"
#include "model/value/id_sources.h"
#include "model/value/operand_walk.h"
#include "model/value/refs.h"
#include "model/launch/launch_index.h"
#include "model/assume/joined_orders.h"
#include "model/assume/products.h"

enum { DEEPEST = 6, KEPT = 256, MOST_TURNS = 1 << 20 };
static const double largest_buffer = 8.0 * (1 << 30);

/* What a phi reaches: many accesses ask for the same few, each of which looks at all comparisons of its loop. */
struct kept {
    uint32_t phi;
    unsigned deepest; /* plus 1; 0: nothing is kept here */
    double reach;
};

struct look {
    const struct gp_kernel *kernel;
    const struct gp_launch *launch;
    struct kept *kept; /* [KEPT] */
};

static double value_of(const struct look *look, gp_ref ref, unsigned bits)
{
    struct gp_index index =
        gp_index_at(look->kernel, look->launch, ref, bits, gp_last_item(look->launch), GP_INDEX_ASSUMED);
    return index.known && index.value > 0 && index.value < GP_INDEX_BEYOND ? (double)index.value : 0;
}

static double reach_of(const struct look *look, gp_ref ref, unsigned deepest);

/* ---- Counters ---------------------------------------------------------------------------------------------------- */

struct ends {
    const struct look *look;
    uint32_t loop;
    double most;
};

/* An optimiser may keep a counter twice. */
static bool is_counter_of(const struct gp_kernel *kernel, gp_ref ref, uint32_t loop)
{
    const struct gp_block *header = &kernel->blocks[kernel->loops[loop].header];
    for (uint32_t i = header->inst; i < header->inst + header->inst_count && kernel->insts[i].op == GP_OP_PHI; i++)
        if (gp_leads_to_counter(kernel, ref, i))
            return true;
    return false;
}

static void see_order(const struct gp_kernel *kernel, gp_ref smaller, gp_ref larger, unsigned bits, enum gp_order order,
                      void *data)
{
    struct ends *ends = data;
    if (order != GP_EQUAL && is_counter_of(kernel, smaller, ends->loop))
        ends->most = fmax(ends->most, value_of(ends->look, larger, bits));
}

/* -1 is what says that there is none. */
static double reach_of_way(const struct look *look, gp_ref ref, unsigned bits, unsigned deepest)
{
    bool none = gp_ref_kind(ref) == GP_REF_CONST && gp_signed_constant(look->kernel, ref, bits) < 0;
    return none ? 0 : reach_of(look, ref, deepest);
}

/* From where a counter starts, so many steps; or as far as it is compared. What ways join is the largest of it. */
static double find_reach_of_phi(const struct look *look, uint32_t index, unsigned deepest)
{
    const struct gp_kernel *kernel = look->kernel;
    const struct gp_inst *phi = &kernel->insts[index];
    uint32_t block = gp_inst_block(kernel, index), loop = block != GP_NONE ? kernel->blocks[block].loop : GP_NONE;
    bool counts = loop != GP_NONE && kernel->loops[loop].header == block;
    const struct gp_induction *counter = gp_counter_of(kernel, index);
    double start = 0;
    for (uint32_t k = 0; k + 1 < phi->operand_count; k += 2)
        if (!counts || !gp_block_is_within(kernel, gp_ref_index(gp_operand_of(kernel, phi, k)), loop))
            start = fmax(start, reach_of_way(look, gp_operand_of(kernel, phi, k + 1), phi->bits, deepest));
    double turns = counter != NULL ? value_of(look, kernel->loops[loop].trip_count, 64) : 0;
    double steps = turns > 0 ? (turns - 1) * value_of(look, counter->step, phi->bits) : 0;
    struct ends ends = {look, loop, 0};
    if (counts)
        gp_each_order_within(kernel, loop, see_order, &ends);
    return fmax(start + steps, ends.most - 1);
}

static double reach_of_phi(const struct look *look, uint32_t index, unsigned deepest)
{
    struct kept *kept = &look->kept[(index * (DEEPEST + 1) + deepest) % KEPT];
    if (kept->phi != index || kept->deepest != deepest + 1) {
        double reach = find_reach_of_phi(look, index, deepest);
        *kept = (struct kept){index, deepest + 1, reach};
    }
    return kept->reach;
}

/* ---- Other parts of an index ------------------------------------------------------------------------------------- */

static double reach_of_result(const struct look *look, const struct gp_inst *inst, unsigned deepest)
{
    gp_ref first = gp_operand_of(look->kernel, inst, 0),
           second = inst->operand_count > 1 ? gp_operand_of(look->kernel, inst, 1) : GP_REF_NONE;
    double by = value_of(look, second, inst->bits);
    switch (inst->op) {
    case GP_OP_TRUNC:
    case GP_OP_ZEXT:
    case GP_OP_SEXT: return reach_of(look, first, deepest);
    case GP_OP_UREM:
    case GP_OP_SREM: return by > 0 ? fmin(reach_of(look, first, deepest), by - 1) : 0;
    case GP_OP_UDIV:
    case GP_OP_SDIV: return by > 0 ? floor(reach_of(look, first, deepest) / by) : 0;
    case GP_OP_LSHR:
    case GP_OP_ASHR: return floor(ldexp(reach_of(look, first, deepest), -(int)fmin(by, 63)));
    case GP_OP_SMAX:
    case GP_OP_UMAX: return fmax(reach_of(look, first, deepest), reach_of(look, second, deepest));
    case GP_OP_SMIN:
    case GP_OP_UMIN: return fmin(reach_of(look, first, deepest), reach_of(look, second, deepest));
    default: return 0;
    }
}

/* The largest number that a value may be; 0: nothing tells. */
static double reach_of(const struct look *look, gp_ref ref, unsigned deepest)
{
    const struct gp_inst *inst = gp_inst_of(look->kernel, ref);
    if (inst == NULL || deepest == 0)
        return value_of(look, ref, 64);
    if (inst->op == GP_OP_PHI)
        return reach_of_phi(look, gp_ref_index(ref), deepest - 1);
    double own = reach_of_result(look, inst, deepest - 1);
    return own > 0 ? own : value_of(look, ref, inst->bits);
}

static double reach_of_product(const struct look *look, const struct gp_product *product)
{
    double reach = (double)product->scale;
    for (uint32_t i = 0; i < product->param_count && reach > 0; i++)
        reach *= value_of(look, gp_ref_make(GP_REF_PARAM, product->params[i]),
                          look->kernel->params[product->params[i]].bits);
    return reach > 0 && product->leaf != GP_REF_NONE ? reach * reach_of(look, product->leaf, DEEPEST) : fmax(reach, 0);
}

/* ---- Accesses ---------------------------------------------------------------------------------------------------- */

/* Marks the parameters in what a counter is compared with, and what it is made of otherwise. */
static enum gp_visit mark_parameter(const struct gp_kernel *kernel, gp_ref ref, const struct gp_inst *inst,
                                    void *factor)
{
    uint32_t param = gp_integer_parameter(kernel, ref);
    if (param != GP_NONE)
        ((bool *)factor)[param] = true;
    bool opaque = inst != NULL && (inst->op == GP_OP_PHI || gp_op_is_memory((enum gp_op)inst->op));
    return opaque ? GP_VISIT_NEXT : GP_VISIT_OPERANDS;
}

struct mark {
    uint32_t loop;
    bool *factor;
};

static void mark_end(const struct gp_kernel *kernel, gp_ref smaller, gp_ref larger, unsigned bits, enum gp_order order,
                     void *data)
{
    const struct mark *mark = data;
    (void)bits;
    if (order != GP_EQUAL && is_counter_of(kernel, smaller, mark->loop))
        gp_walk_operands(kernel, larger, mark_parameter, mark->factor);
}

static void mark_leaf(const struct gp_kernel *kernel, gp_ref leaf, struct gp_excess *excess)
{
    struct gp_made_of made = gp_made_of_start(kernel, leaf);
    const struct gp_inst *inst = gp_inst_of(kernel, leaf);
    uint32_t block = inst != NULL && inst->op == GP_OP_PHI ? gp_inst_block(kernel, gp_ref_index(leaf)) : GP_NONE,
             loop = block != GP_NONE ? kernel->blocks[block].loop : GP_NONE;
    struct mark mark = {loop, excess->factor};
    excess->dimensions = made.items | made.groups;
    if (loop != GP_NONE)
        gp_each_order_within(kernel, loop, mark_end, &mark);
}

static bool is_free(const struct gp_excess *excess, const bool free[GP_MAX_ARGUMENTS], uint8_t free_dimensions)
{
    bool found = excess->dimensions & free_dimensions;
    for (uint32_t p = 0; p < GP_MAX_ARGUMENTS; p++)
        found |= excess->factor[p] && free[p];
    return found;
}

static bool has_all_of(const struct gp_product *product, const struct gp_product *other)
{
    for (uint32_t i = 0; i < other->param_count; i++)
        if (!gp_product_has(product, other->params[i]))
            return false;
    return true;
}

/* What goes along with it, and is taken from it: `(y - top * step) * width` stays within a window. Where nothing tells
 * how far that goes, all of it. */
static double reach_of_less(const struct look *look, const struct gp_products *address, const struct gp_product *of)
{
    double less = 0;
    for (uint32_t i = 0; i < address->count; i++) {
        struct gp_product taken = address->product[i];
        if (taken.scale >= 0 || taken.leaf == GP_REF_NONE || !has_all_of(&taken, of))
            continue;
        taken.scale = -taken.scale;
        double reach = reach_of_product(look, &taken);
        less += reach > 0 ? reach : INFINITY;
    }
    return less;
}

/* The sum of what an address is made of, and the largest part of it. */
static double reach_of_address(const struct look *look, const struct gp_products *address,
                               const struct gp_product **largest)
{
    double sum = 0, most = 0;
    for (uint32_t i = 0; i < address->count; i++) {
        double reach = reach_of_product(look, &address->product[i]);
        reach = fmax(0, reach - (reach > 0 ? reach_of_less(look, address, &address->product[i]) : 0));
        if (reach > most)
            *largest = &address->product[i];
        most = fmax(most, reach);
        sum += reach;
    }
    return sum;
}

static bool exceeds(const struct look *look, const struct gp_memory *memory, struct gp_excess *excess)
{
    const struct gp_product *largest = NULL;
    struct gp_products address = gp_products_of(look->kernel, gp_memory_address(look->kernel, memory), 64);
    double most = fmin(largest_buffer, (double)INT32_MAX * memory->element_bytes * memory->vector);
    if (reach_of_address(look, &address, &largest) <= most || largest == NULL)
        return false;
    memset(excess, 0, sizeof *excess);
    for (uint32_t i = 0; i < largest->param_count; i++)
        excess->factor[largest->params[i]] = true;
    if (largest->leaf != GP_REF_NONE)
        mark_leaf(look->kernel, largest->leaf, excess);
    return true;
}

bool gp_extent_exceeds(const struct gp_kernel *kernel, const struct gp_launch *launch,
                       const bool free[GP_MAX_ARGUMENTS], uint8_t free_dimensions, struct gp_excess *excess)
{
    struct kept kept[KEPT] = {{0}};
    const struct look look = {kernel, launch, kept};
    for (uint32_t m = 0; m < kernel->memory_count; m++) {
        const struct gp_memory *memory = &kernel->memory[m];
        bool global = memory->space == GP_SPACE_GLOBAL || memory->space == GP_SPACE_GENERIC;
        if (global && exceeds(&look, memory, excess) && is_free(excess, free, free_dimensions))
            return true;
    }
    return false;
}

/* ---- Loops ------------------------------------------------------------------------------------------------------- */

bool gp_turns_exceed(const struct gp_kernel *kernel, const struct gp_launch *launch, const bool free[GP_MAX_ARGUMENTS],
                     struct gp_excess *excess)
{
    const struct look look = {kernel, launch, NULL};
    for (uint32_t inner = 0; inner < kernel->loop_count; inner++) {
        double turns = 1;
        memset(excess, 0, sizeof *excess);
        for (uint32_t loop = inner; loop != GP_NONE; loop = kernel->loops[loop].parent) {
            gp_ref trips = kernel->loops[loop].trip_count;
            double own = gp_ref_kind(trips) != GP_REF_NONE ? value_of(&look, trips, 64) : 0;
            turns *= fmax(1, own * fmax(1, kernel->loops[loop].unroll));
            gp_walk_operands(kernel, trips, mark_parameter, excess->factor);
        }
        if (turns > MOST_TURNS && is_free(excess, free, 0))
            return true;
    }
    return false;
}
