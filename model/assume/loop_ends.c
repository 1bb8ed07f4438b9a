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

struct ends {
    const struct gp_launch *launch;
    uint32_t loop;                  /* that the branch looked at closes; GP_NONE: it leads to one */
    uint32_t next;                  /* that one, or the loop that it closes */
    bool shorter[GP_MAX_ARGUMENTS]; /* the larger it is the shorter is a loop */
    struct gp_loop_ends *found;
};

/* ---- What a loop's length is made of ----------------------------------------------------------------------------- */

static bool stands_where_groups_do(const struct gp_kernel *kernel, const struct gp_launch *launch,
                                   const struct gp_products *length)
{
    for (uint32_t i = 0; i < length->count; i++)
        if (length->product[i].leaf != GP_REF_NONE &&
            gp_index_at(kernel, launch, length->product[i].leaf, 64, (struct gp_item){0}, GP_INDEX_ASSUMED).of_group)
            return true;
    return false;
}

/* How often what makes it longest is in it. 0: nothing is left where what shortens it is small. */
static int64_t most_of(const struct gp_products *length)
{
    int64_t most = 0;
    for (uint32_t i = 0; i < length->count; i++) {
        int64_t scale = length->product[i].param_count > 0 ? length->product[i].scale : length->product[i].scale > 0;
        if (length->product[i].leaf == GP_REF_NONE && scale > most)
            most = scale;
    }
    return most;
}

static enum gp_visit see_mention(const struct gp_kernel *kernel, gp_ref ref, const struct gp_inst *inst, void *param)
{
    bool mentioned = inst == NULL && gp_integer_parameter(kernel, ref) == *(const uint32_t *)param;
    return mentioned ? GP_VISIT_ENOUGH : GP_VISIT_OPERANDS;
}

/* What was not all looked at may mention it. */
static bool mentions(const struct gp_kernel *kernel, gp_ref ref, uint32_t param)
{
    return gp_walk_operands(kernel, ref, see_mention, &param) != GP_WALK_WHOLE;
}

/* An argument that takes part in several products, or in what is none, as in `max(n, i + 1) - n`, may make a loop
 * longer or shorter. */
static bool is_in_one(const struct gp_kernel *kernel, const struct gp_products *length, uint32_t param)
{
    uint32_t in = 0;
    for (uint32_t i = 0; i < length->count; i++)
        in += gp_product_has(&length->product[i], param) + mentions(kernel, length->product[i].leaf, param);
    return in == 1;
}

/* The parameter that a counter is advanced by. */
static uint32_t advanced_by(const struct gp_kernel *kernel, uint32_t induction)
{
    return gp_integer_parameter(kernel, gp_behind_casts(kernel, kernel->inductions[induction].step));
}

static bool advances(const struct gp_kernel *kernel, const struct ends *ends, uint32_t param)
{
    for (uint32_t i = 0; i < kernel->induction_count; i++)
        if (kernel->inductions[i].loop == ends->loop && advanced_by(kernel, i) == param)
            return true;
    return false;
}

/* The parameter that one of a loop's counters is advanced by; GP_NONE. */
static uint32_t step_of_loop(const struct gp_kernel *kernel, uint32_t loop)
{
    uint32_t step = GP_NONE;
    for (uint32_t i = 0; i < kernel->induction_count && step == GP_NONE; i++)
        step = kernel->inductions[i].loop == loop ? advanced_by(kernel, i) : GP_NONE;
    return step;
}

/* What bounds ids is as large as the range; what a counter is advanced by is taken from the rest of the loop, not from
 * the loop. */
static bool may_shorten(const struct gp_kernel *kernel, const struct ends *ends, uint32_t param)
{
    return kernel->params[param].bounds_dim == GP_NONE && !advances(kernel, ends, param);
}

/* What is taken from the length more often than what makes it is there is taken at both ends. */
static void see_length(const struct gp_kernel *kernel, struct ends *ends, const struct gp_products *length,
                       int64_t most)
{
    for (uint32_t i = 0; i < length->count; i++) {
        const struct gp_product *product = &length->product[i];
        for (uint32_t k = 0; k < product->param_count; k++)
            ends->found->longer[product->params[k]] |= product->scale > 0;
        if (product->param_count != 1 || !may_shorten(kernel, ends, product->params[0]) ||
            product->leaf != GP_REF_NONE || product->scale > 0 || !is_in_one(kernel, length, product->params[0]))
            continue;
        ends->shorter[product->params[0]] = true;
        ends->found->radius[product->params[0]] |= -product->scale > most;
    }
}

/* `x - min(x, r)` is `x - r`, or 0. */
static bool is_least_of(const struct gp_kernel *kernel, gp_ref leaf, uint32_t param)
{
    const struct gp_inst *inst = gp_inst_of(kernel, leaf);
    bool least = inst != NULL && (inst->op == GP_OP_UMIN || inst->op == GP_OP_SMIN);
    return least && (gp_integer_parameter(kernel, gp_operand_of(kernel, inst, 0)) == param ||
                     gp_integer_parameter(kernel, gp_operand_of(kernel, inst, 1)) == param);
}

/* `r`, or `r * step` where the loop's counter is advanced by step. */
static bool is_multiple_of(const struct gp_product *product, uint32_t param, uint32_t step)
{
    bool twice = product->param_count == 2 && step != GP_NONE && step != param;
    return product->leaf == GP_REF_NONE && gp_product_has(product, param) &&
           (product->param_count == 1 || (twice && gp_product_has(product, step)));
}

/* How often an argument, alone or with the step, is in a sum. */
static int64_t scale_of(const struct gp_kernel *kernel, const struct gp_products *sum, uint32_t param, uint32_t step)
{
    int64_t scale = 0;
    for (uint32_t i = 0; i < sum->count; i++) {
        const struct gp_product *product = &sum->product[i];
        bool alone = is_multiple_of(product, param, step),
             cut = product->param_count == 0 && is_least_of(kernel, product->leaf, param);
        scale += alone || cut ? product->scale : 0;
    }
    return scale;
}

/* What a counter that goes through a window is advanced by. */
static void see_steps(const struct gp_kernel *kernel, uint32_t loop, struct gp_loop_ends *found)
{
    for (uint32_t i = 0; i < kernel->induction_count; i++) {
        uint32_t step = kernel->inductions[i].loop == loop ? advanced_by(kernel, i) : GP_NONE;
        if (step != GP_NONE)
            found->step[step] = true;
    }
}

/* A window around a place begins by as much before it as it ends behind it: `for (xx = x - r; xx < x + r + 1; xx++)`.
 * No range is as long, whatever ids are compared with: `for (xx = x > r ? x - r : 0; ...)`. */
static void see_window(const struct gp_kernel *kernel, const struct ends *ends, const struct gp_products *low,
                       const struct gp_products *high)
{
    for (uint32_t p = 0; p < kernel->param_count && p < GP_MAX_ARGUMENTS; p++) {
        uint32_t step = step_of_loop(kernel, ends->next);
        int64_t before = -scale_of(kernel, low, p, step);
        if (before <= 0 || scale_of(kernel, high, p, step) != before || p == step)
            continue;
        ends->found->radius[p] = true;
        see_steps(kernel, ends->next, ends->found);
    }
}

/* Whether a value is one of a loop's counters. */
static bool counts(const struct gp_kernel *kernel, gp_ref leaf, uint32_t loop)
{
    uint32_t header = kernel->loops[loop].header;
    return gp_ref_kind(leaf) == GP_REF_INST && gp_ref_index(leaf) >= kernel->blocks[header].inst &&
           gp_ref_index(leaf) < gp_block_end(kernel, header);
}

/* Whether a value is where a loop's counter has come to behind the loop: what an optimiser's loop of several elements
 * each turn leaves over. */
static bool is_rest(const struct gp_kernel *kernel, gp_ref leaf, uint32_t loop)
{
    const struct gp_inst *phi = gp_inst_of(kernel, leaf);
    bool joins = phi != NULL && phi->op == GP_OP_PHI && !gp_is_made_within(kernel, leaf, loop);
    for (uint32_t k = 1; joins && k < phi->operand_count; k += 2)
        if (gp_is_made_within(kernel, gp_operand_of(kernel, phi, k), loop))
            return true;
    return false;
}

/* Whether a loop's counter, or its rest, stands in an address beside an id, or begins with one. */
static bool slides(const struct gp_kernel *kernel, uint32_t loop,
                   bool (*is_part)(const struct gp_kernel *kernel, gp_ref leaf, uint32_t loop))
{
    for (uint32_t m = 0; m < kernel->memory_count; m++) {
        struct gp_products sum;
        if (!gp_address_products(kernel, m, &sum))
            continue;
        bool part = false, ids = false;
        for (uint32_t i = 0; i < sum.count; i++) {
            part |= is_part(kernel, sum.product[i].leaf, loop);
            ids |= gp_made_of_start(kernel, sum.product[i].leaf).items != 0;
        }
        if (part && ids)
            return true;
    }
    return false;
}

/* `2 * r`, or `2 * r * step`. */
static bool is_doubled(const struct gp_product *product)
{
    return product->scale == 2 && product->param_count > 0 && product->param_count <= 2 && product->leaf == GP_REF_NONE;
}

/* The product that another is twice of, or twice of what it is at least. False: of none. */
static bool find_doubled(const struct gp_kernel *kernel, const struct gp_product *product, struct gp_product *doubled)
{
    const struct gp_inst *inst = gp_inst_of(kernel, product->leaf);
    *doubled = *product;
    if (is_doubled(product))
        return true;
    if (inst == NULL || product->param_count > 0 || (inst->op != GP_OP_SMAX && inst->op != GP_OP_UMAX))
        return false;
    for (uint32_t side = 0; side < 2; side++) {
        struct gp_products sum = gp_products_of(kernel, gp_operand_of(kernel, inst, side), inst->bits);
        for (uint32_t i = 0; i < sum.count; i++) {
            *doubled = sum.product[i];
            doubled->scale *= product->scale;
            if (is_doubled(doubled))
                return true;
        }
    }
    return false;
}

/* What is twice on both sides of a place is a radius, but for the step that it may be a multiple of. */
static void take_doubled(const struct gp_kernel *kernel, struct gp_loop_ends *found, uint32_t loop,
                         const struct gp_product *doubled)
{
    uint32_t step = step_of_loop(kernel, loop);
    for (uint32_t i = 0; i < doubled->param_count; i++)
        if (doubled->params[i] != step)
            found->radius[doubled->params[i]] = true;
        else if (doubled->param_count > 1)
            see_steps(kernel, loop, found);
}

/* `j <= 2 * r`, `j < tile + 2 * r`: what a window around a place has on both sides of it. `j < 2 * n` goes through
 * pairs, wherever it begins: `for (j = i * 2 * n; j < (i + 1) * 2 * n; j++)`. */
static void see_doubled(const struct gp_kernel *kernel, struct gp_loop_ends *found, uint32_t loop,
                        const struct gp_products *end, const struct gp_products *length, bool inclusive)
{
    struct gp_product twice = {0}, doubled;
    bool more = inclusive;
    for (uint32_t i = 0; i < end->count; i++)
        if (find_doubled(kernel, &end->product[i], &doubled))
            twice = doubled;
    for (uint32_t i = 0; i < length->count; i++)
        more |= length->product[i].scale > 0 && !find_doubled(kernel, &length->product[i], &doubled);
    if (end->whole && twice.scale > 0 && more && slides(kernel, loop, counts))
        take_doubled(kernel, found, loop, &twice);
}

/* `for (j = 2 * r; j >= 0; j--)`: the same, from its end on. */
static void see_falling(const struct gp_kernel *kernel, struct gp_loop_ends *found, uint32_t loop)
{
    for (uint32_t i = 0; i < kernel->induction_count; i++) {
        const struct gp_induction *counter = &kernel->inductions[i];
        unsigned bits = kernel->insts[counter->phi].bits;
        struct gp_products start = gp_start_products_of(kernel, gp_ref_make(GP_REF_INST, counter->phi), bits);
        bool falls = counter->loop == loop && gp_signed_constant(kernel, counter->step, bits) < 0;
        if (falls && start.whole && start.count == 1 && is_doubled(&start.product[0]) && slides(kernel, loop, counts))
            take_doubled(kernel, found, loop, &start.product[0]);
    }
}

static bool is_number(const struct gp_kernel *kernel, gp_ref ref, unsigned bits, int64_t number)
{
    ref = gp_behind_casts(kernel, ref);
    return gp_ref_kind(ref) == GP_REF_CONST && gp_signed_constant(kernel, ref, bits) == number;
}

/* The least of several ends, the largest of several beginnings: each is one. */
static gp_ref one_of(const struct gp_kernel *kernel, gp_ref ref, unsigned signed_op, unsigned unsigned_op, uint32_t n)
{
    const struct gp_inst *inst = gp_inst_of(kernel, gp_behind_casts(kernel, ref));
    bool several = inst != NULL && (inst->op == signed_op || inst->op == unsigned_op);
    return several ? gp_operand_of(kernel, inst, n) : n == 0 ? ref : GP_REF_NONE;
}

static void see_order(const struct gp_kernel *kernel, gp_ref smaller, gp_ref larger, unsigned bits, enum gp_order order,
                      void *data)
{
    struct ends *ends = data;
    if (order == GP_EQUAL)
        return;
    bool from_zero = ends->next != GP_NONE && is_number(kernel, smaller, bits, order == GP_LESS ? -1 : 0);
    if (from_zero)
        see_falling(kernel, ends->found, ends->next);
    for (uint32_t from = 0; from < 2; from++)
        for (uint32_t to = 0; to < 2; to++) {
            gp_ref begin = one_of(kernel, smaller, GP_OP_SMAX, GP_OP_UMAX, from),
                   end = one_of(kernel, larger, GP_OP_SMIN, GP_OP_UMIN, to);
            if (begin == GP_REF_NONE || end == GP_REF_NONE)
                continue;
            struct gp_products low = gp_start_products_of(kernel, begin, bits),
                               high = gp_start_products_of(kernel, end, bits), length = gp_products_less(&high, &low);
            int64_t most = most_of(&length);
            if (low.whole && high.whole)
                see_window(kernel, ends, &low, &high);
            if (ends->loop != GP_NONE || from_zero)
                see_doubled(kernel, ends->found, ends->next, &high, &length, order == GP_LESS_OR_EQUAL || from_zero);
            if (length.whole && most > 0 && !stands_where_groups_do(kernel, ends->launch, &length))
                see_length(kernel, ends, &length, most);
        }
}

/* ---- Branches that lead to loops --------------------------------------------------------------------------------- */

/* The first loop between a block and the one where all ways of a branch meet, behind it; GP_NONE. */
static uint32_t loop_between(const struct gp_kernel *kernel, uint32_t block, uint32_t end)
{
    uint32_t first = GP_NONE;
    for (uint32_t i = 0; i < kernel->loop_count; i++) {
        uint32_t header = kernel->loops[i].header;
        if (header >= block && header < end && (first == GP_NONE || header < kernel->loops[first].header))
            first = i;
    }
    return first;
}

/* Whether a branch's way to `to` stays in the loop that the other leaves, or leads to one that the other goes round. */
static bool leads_to_loop(const struct gp_kernel *kernel, uint32_t from, uint32_t to, uint32_t other)
{
    uint32_t own = kernel->blocks[from].loop;
    if (own != GP_NONE && gp_block_is_within(kernel, to, own) != gp_block_is_within(kernel, other, own))
        return gp_block_is_within(kernel, to, own);
    return kernel->blocks[from].ipdom == other && to > from && loop_between(kernel, to, other) != GP_NONE;
}

/* ---- All of them ------------------------------------------------------------------------------------------------- */

static void see_negative_starts(const struct gp_kernel *kernel, struct gp_loop_ends *found)
{
    for (uint32_t i = 0; i < kernel->induction_count; i++) {
        const struct gp_inst *phi = &kernel->insts[kernel->inductions[i].phi];
        struct gp_products start =
            gp_start_products_of(kernel, gp_ref_make(GP_REF_INST, kernel->inductions[i].phi), phi->bits);
        const struct gp_product *only = &start.product[0];
        if (!start.whole || start.count != 1)
            continue;
        uint32_t step = step_of_loop(kernel, kernel->inductions[i].loop);
        uint32_t radius = only->param_count == 2 && only->params[0] == step ? only->params[1] : only->params[0];
        bool alone = only->param_count > 0 && only->scale == -1 && radius != step && is_multiple_of(only, radius, step);
        uint32_t half = only->param_count == 0 ? gp_half_of(kernel, only->leaf, -only->scale) : GP_NONE;
        if (alone)
            found->radius[radius] = true;
        if (half != GP_NONE)
            found->width[half] = true;
        if (alone || half != GP_NONE)
            see_steps(kernel, kernel->inductions[i].loop, found);
    }
}

static void see_branches(const struct gp_kernel *kernel, struct ends *ends)
{
    for (uint32_t b = 0; b < kernel->block_count; b++) {
        const struct gp_inst *last = gp_block_terminator(kernel, b);
        if (last->op != GP_OP_CONDBR)
            continue;
        uint32_t if_true = gp_ref_index(gp_operand_of(kernel, last, 1)),
                 if_false = gp_ref_index(gp_operand_of(kernel, last, 2));
        bool wanted = leads_to_loop(kernel, b, if_true, if_false);
        uint32_t own = kernel->blocks[b].loop;
        ends->loop =
            own != GP_NONE && gp_block_is_within(kernel, if_true, own) != gp_block_is_within(kernel, if_false, own)
                ? own
                : GP_NONE;
        ends->next = ends->loop != GP_NONE ? ends->loop
                                           : loop_between(kernel, wanted ? if_true : if_false, kernel->blocks[b].ipdom);
        if (wanted || leads_to_loop(kernel, b, if_false, if_true))
            gp_each_order(kernel, gp_operand_of(kernel, last, 0), wanted, see_order, ends);
    }
}

/* How often a loop goes round for one more than twice a parameter's value, an optimiser's loop of several elements each
 * turn with what it leaves over. */
static void see_trip_counts(const struct gp_kernel *kernel, const struct gp_launch *launch, struct gp_loop_ends *found)
{
    enum { VALUE = 1024 }; /* twice of it is whole turns of any loop */
    struct gp_launch with = *launch;
    for (uint32_t loop = 0; loop < kernel->loop_count; loop++) {
        uint32_t param = gp_loop_parameter(kernel, loop), unroll = kernel->loops[loop].unroll;
        if (param >= GP_MAX_ARGUMENTS || kernel->loops[loop].trip_count == GP_REF_NONE)
            continue;
        with.arguments[param] = (struct gp_argument){.known = true, .value = VALUE};
        struct gp_index trips =
            gp_index_at(kernel, &with, kernel->loops[loop].trip_count, 64, (struct gp_item){0}, GP_INDEX_ASSUMED);
        int64_t turns = trips.known && trips.value < GP_INDEX_BEYOND ? trips.value : 0;
        bool left_over = unroll > 1 && turns * unroll == 2 * VALUE && slides(kernel, loop, is_rest),
             odd = turns == 2 * VALUE + 1 || left_over;
        found->radius[param] |= odd && slides(kernel, loop, counts);
        with.arguments[param] = launch->arguments[param];
    }
}

/* `y * (width + 2 * border)`: rows that have a border at both ends. */
static void see_padded_rows(const struct gp_kernel *kernel, uint32_t memory, struct gp_loop_ends *found)
{
    struct gp_products sum;
    if (!gp_address_products(kernel, memory, &sum))
        return;
    for (uint32_t i = 0; i < sum.count; i++)
        for (uint32_t k = 0; k < sum.count; k++) {
            const struct gp_product *row = &sum.product[i], *border = &sum.product[k];
            if (row->leaf != GP_REF_NONE && row->leaf == border->leaf && row->param_count == 1 &&
                border->param_count == 1 && border->scale == 2 * row->scale)
                found->radius[border->params[0]] = true;
        }
}

static bool is_length_of_tile(const struct gp_kernel *kernel, const struct gp_product *product)
{
    const struct gp_inst *inst = gp_inst_of(kernel, product->leaf);
    bool constant = product->leaf == GP_REF_NONE,
         size = inst != NULL && inst->op == GP_OP_ID && inst->sub >> 2 == GP_ID_LOCAL_SIZE;
    return product->param_count == 0 && product->scale > 0 && (constant || size);
}

/* `group * (16 - 2 * halo)`: tiles of neighbouring groups overlap by what is computed at their edges anew. */
static void see_overlap(const struct gp_kernel *kernel, const struct gp_products *distance, struct gp_loop_ends *found)
{
    bool tile = false;
    for (uint32_t i = 0; i < distance->count; i++)
        tile |= is_length_of_tile(kernel, &distance->product[i]);
    for (uint32_t i = 0; tile && distance->whole && i < distance->count; i++) {
        const struct gp_product *less = &distance->product[i];
        for (uint32_t k = 0; less->leaf == GP_REF_NONE && less->scale < 0 && k < less->param_count; k++)
            found->radius[less->params[k]] = true;
    }
}

static void see_halos(const struct gp_kernel *kernel, struct gp_loop_ends *found)
{
    for (uint32_t i = 0; i < kernel->inst_count; i++) {
        const struct gp_inst *inst = &kernel->insts[i];
        for (uint32_t side = 0; inst->op == GP_OP_MUL && side < 2; side++) {
            struct gp_made_of made = gp_made_of(kernel, gp_operand_of(kernel, inst, side));
            if (made.groups == 0 || made.items != 0)
                continue;
            struct gp_products distance = gp_products_of(kernel, gp_operand_of(kernel, inst, 1 - side), inst->bits);
            see_overlap(kernel, &distance, found);
        }
    }
}

/* What a counter is advanced by, or something is divided by, cannot be 0. */
static void keep_from_zero(struct gp_loop_ends *found, uint32_t param)
{
    if (param == GP_NONE || !found->first[param])
        return;
    found->first[param] = false;
    found->radius[param] = true;
}

void gp_loop_ends(const struct gp_kernel *kernel, const struct gp_launch *launch, const struct gp_lower_bounds *bounds,
                  struct gp_loop_ends *found)
{
    struct ends ends = {.launch = launch, .found = found};
    memset(found, 0, sizeof *found);
    see_negative_starts(kernel, found);
    see_branches(kernel, &ends);
    see_trip_counts(kernel, launch, found);
    for (uint32_t m = 0; m < kernel->memory_count; m++)
        see_padded_rows(kernel, m, found);
    see_halos(kernel, found);
    for (uint32_t p = 0; p < GP_MAX_ARGUMENTS; p++) {
        found->radius[p] |= (ends.shorter[p] && found->longer[p]) || bounds->border[p];
        found->width[p] |= bounds->half_border[p];
        found->first[p] = ends.shorter[p] && !found->radius[p];
        found->step[p] &= !found->radius[p] && !found->width[p];
    }
    for (uint32_t i = 0; i < kernel->induction_count; i++)
        keep_from_zero(found, advanced_by(kernel, i));
    for (uint32_t i = 0; i < kernel->inst_count; i++)
        keep_from_zero(found, gp_divisor_of(kernel, &kernel->insts[i]));
}
