/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/assume/rules.h"

#include <string.h>

#include "model/value/inst_facts.h"
#include "model/value/id_sources.h"
#include "model/value/refs.h"
#include "model/assume/joined_orders.h"
#include "model/assume/products.h"

enum { MOST_OF_A_KIND = 8, MOST_ALTERNATIVES = 6, DEEPEST = 4 };

struct params {
    uint32_t param[MOST_OF_A_KIND], count;
};

/* What a sum is made of that a place in an image may be: a work-item's own place, times a step; a window's counter,
 * times a distance; less a pad. */
struct place {
    bool found, crooked;       /* crooked: more than a step is multiplied with it */
    uint32_t around, apart;    /* the counters that start as far before it as they end behind it; what one of them is
                                  multiplied with, GP_NONE: nothing */
    struct params steps, pads; /* pads: of scale -1 */
    struct params halves;      /* half of which is taken from it */
    struct params widths;      /* of the loops whose counters are added */
};

static void add(struct params *params, uint32_t param)
{
    if (params->count < MOST_OF_A_KIND && param < GP_MAX_ARGUMENTS)
        params->param[params->count++] = param;
}

static void mark(bool found[GP_MAX_ARGUMENTS], const struct params *params)
{
    for (uint32_t i = 0; i < params->count; i++)
        found[params->param[i]] = true;
}

/* A window's pad is known by its width. */
static void mark_pads(struct gp_sliding_windows *slides, const struct params *pads, uint32_t width)
{
    mark(slides->pad, pads);
    for (uint32_t i = 0; i < pads->count && width != GP_NONE; i++)
        slides->width_of[pads->param[i]] = width;
}

static bool has(const struct params *params, uint32_t param)
{
    for (uint32_t i = 0; i < params->count; i++)
        if (params->param[i] == param)
            return true;
    return false;
}

/* ---- A sum ------------------------------------------------------------------------------------------------------- */

static uint32_t width_of_counter(const struct gp_kernel *kernel, gp_ref leaf)
{
    const struct gp_induction *counter = gp_counter_at(kernel, leaf);
    return counter != NULL ? gp_loop_parameter(kernel, counter->loop) : GP_NONE;
}

/* Whether a counter starts at minus an argument: a radius. */
static bool starts_at_radius(const struct gp_kernel *kernel, gp_ref leaf)
{
    if (gp_counter_at(kernel, leaf) == NULL)
        return false;
    struct gp_products start = gp_start_products_of(kernel, leaf, gp_inst_of(kernel, leaf)->bits);
    return start.whole && start.count == 1 && start.product[0].scale < 0 && start.product[0].param_count == 1;
}

static void add_product(const struct gp_kernel *kernel, const struct gp_product *product, struct place *place)
{
    if (starts_at_radius(kernel, product->leaf)) {
        place->around++;
        place->apart = product->param_count == 1 ? product->params[0] : GP_NONE;
    }
    if (product->leaf == GP_REF_NONE) {
        if (product->param_count == 1 && product->scale == -1)
            add(&place->pads, product->params[0]);
        return;
    }
    uint32_t half = gp_half_of(kernel, product->leaf, -product->scale), width = width_of_counter(kernel, product->leaf);
    bool own = product->scale > 0 && gp_starts_with_ids(kernel, product->leaf);
    if (half != GP_NONE && product->param_count == 0)
        add(&place->halves, half);
    else if (own || (width < GP_MAX_ARGUMENTS && product->scale > 0)) {
        place->found |= own;
        place->crooked |= product->param_count > 1;
        add(&place->steps, product->param_count == 1 ? product->params[0] : GP_NONE);
        add(&place->widths, own ? GP_NONE : width);
    }
}

/* A pad that a place is multiplied with as well is a distance. */
static struct place place_of(const struct gp_kernel *kernel, const struct gp_products *sum)
{
    struct place place = {.apart = GP_NONE};
    for (uint32_t i = 0; i < sum->count; i++)
        add_product(kernel, &sum->product[i], &place);
    for (uint32_t i = 0; i < place.pads.count; i++)
        place.crooked |= has(&place.steps, place.pads.param[i]);
    place.found &= sum->whole && !place.crooked;
    return place;
}

/* ---- Comparisons with an image's edges
 * ------------------------------------------------------------------------------- */

/* Whether ids are multiplied with it as well: a row's length. */
static bool is_pitch(const struct gp_kernel *kernel, const struct gp_products *sum, uint32_t param)
{
    for (uint32_t i = 0; i < sum->count; i++)
        if (gp_product_has(&sum->product[i], param) && !starts_at_radius(kernel, sum->product[i].leaf))
            return true;
    return false;
}

/* A place that is moved by a pad or by half a window is one in an image. */
static void see_edge(const struct gp_kernel *kernel, gp_ref ref, unsigned bits, struct gp_sliding_windows *slides)
{
    struct gp_products sum = gp_products_of(kernel, ref, bits);
    struct place place = place_of(kernel, &sum);
    if (place.found && place.around == 1 && place.apart != GP_NONE && !is_pitch(kernel, &sum, place.apart))
        slides->step[place.apart] = true;
    if (!place.found || place.pads.count + place.halves.count == 0)
        return;
    mark_pads(slides, &place.pads, place.widths.count > 0 ? place.widths.param[0] : GP_NONE);
    mark(slides->step, &place.steps);
    mark(slides->width, &place.halves);
    mark(slides->width, &place.widths);
    for (uint32_t i = 0; i < place.widths.count; i++)
        slides->own[place.widths.param[i]] |= has(&place.pads, place.widths.param[i]);
}

static void see_edges(const struct gp_kernel *kernel, struct gp_sliding_windows *slides)
{
    for (uint32_t i = 0; i < kernel->inst_count; i++) {
        const struct gp_inst *inst = &kernel->insts[i];
        bool clamps =
            inst->op == GP_OP_SMIN || inst->op == GP_OP_SMAX || inst->op == GP_OP_UMIN || inst->op == GP_OP_UMAX;
        for (uint32_t k = 0; (clamps || inst->op == GP_OP_ICMP) && k < 2; k++)
            see_edge(kernel, gp_operand_of(kernel, inst, k), clamps ? inst->bits : inst->width, slides);
    }
}

/* ---- Loops from a place on
 * -------------------------------------------------------------------------------------------- */

struct alternatives {
    gp_ref ref[MOST_ALTERNATIVES];
    uint32_t count;
};

/* All that `max(a, max(b, c))`, or `a < 0 ? 0 : b`, may be. */
static void add_alternatives(const struct gp_kernel *kernel, gp_ref ref, unsigned deepest, struct alternatives *all)
{
    const struct gp_inst *inst = gp_inst_of(kernel, gp_behind_casts(kernel, ref));
    bool clamps = inst != NULL && (inst->op == GP_OP_SMIN || inst->op == GP_OP_SMAX || inst->op == GP_OP_UMIN ||
                                   inst->op == GP_OP_UMAX);
    bool selects = inst != NULL && inst->op == GP_OP_SELECT,
         joins = inst != NULL && inst->op == GP_OP_PHI && gp_counter_at(kernel, gp_behind_casts(kernel, ref)) == NULL;
    if (all->count == MOST_ALTERNATIVES)
        return;
    if (deepest == 0 || !(clamps || selects || joins)) {
        all->ref[all->count++] = ref;
        return;
    }
    for (uint32_t i = selects || joins; i < inst->operand_count; i += joins ? 2 : 1)
        add_alternatives(kernel, gp_operand_of(kernel, inst, i), deepest - 1, all);
}

/* `- dilation * n`: a loop that begins n elements on, behind the image's edge. */
static bool moves_begin(const struct gp_product *product, const struct gp_product *before)
{
    return product->param_count == 1 && product->scale == -1 &&
           (before == NULL || before->params[0] == product->params[0]);
}

/* The width that a loop's length is, with a distance of its elements or without: `window`, `(window - 1) * dilation +
 * 1`. */
static bool is_width(const struct gp_products *length, uint32_t *width, uint32_t *dilation)
{
    const struct gp_product *of = NULL, *less = NULL, *moved = NULL;
    for (uint32_t i = 0; i < length->count; i++) {
        const struct gp_product *product = &length->product[i];
        bool behind = product->leaf != GP_REF_NONE;
        if (product->param_count > 2 || (behind && !moves_begin(product, moved)))
            return false;
        if (behind)
            moved = product;
        else if (product->param_count > 0 && product->scale == 1 && of == NULL)
            of = product;
        else if (product->param_count == 1 && product->scale == -1 && less == NULL)
            less = product;
        else if (product->param_count > 0)
            return false;
    }
    bool alone = of != NULL && of->param_count == 1 && less == NULL && moved == NULL;
    bool spread = of != NULL && of->param_count == 2 && less != NULL && gp_product_has(of, less->params[0]) &&
                  (moved == NULL || moved->params[0] == less->params[0]);
    *dilation = spread ? less->params[0] : GP_NONE;
    *width = alone ? of->params[0] : spread ? of->params[of->params[0] == less->params[0]] : GP_NONE;
    return length->whole && (alone || spread);
}

/* A loop from a place on, and its length. */
struct window {
    struct place place;
    uint32_t width, dilation, loop;
};

static void mark_window(struct gp_sliding_windows *slides, const struct window *window)
{
    slides->width[window->width] = true;
    if (window->dilation != GP_NONE)
        slides->step[window->dilation] = true;
    mark_pads(slides, &window->place.pads, window->width);
    mark(slides->step, &window->place.steps);
}

/* Loops from places on, cut off at no edge. */
struct uncut {
    struct window window[MOST_OF_A_KIND];
    uint32_t count;
};

struct search {
    struct gp_sliding_windows *slides;
    struct uncut uncut;
    uint32_t loop; /* that the branch looked at is in */
};

/* clamped: one of the two ends is the least or the largest of several, as at an image's edge. A row of a matrix begins
 * at a place, too, but at no edge. */
static void see_ends(const struct gp_kernel *kernel, gp_ref begin, gp_ref end, unsigned bits, bool clamped,
                     struct search *search)
{
    struct gp_products low = gp_start_products_of(kernel, begin, bits), high = gp_start_products_of(kernel, end, bits),
                       length = gp_products_less(&high, &low);
    struct window window = {.place = place_of(kernel, &low), .loop = search->loop};
    const struct place *place = &window.place;
    if (!place->found || !is_width(&length, &window.width, &window.dilation) || has(&place->steps, window.width) ||
        has(&place->pads, window.width))
        return;
    if (clamped || place->pads.count > 0)
        mark_window(search->slides, &window);
    else if (window.loop != GP_NONE && place->steps.count > 0 && search->uncut.count < MOST_OF_A_KIND)
        search->uncut.window[search->uncut.count++] = window;
}

static bool is_around(const struct gp_kernel *kernel, uint32_t outer, uint32_t inner)
{
    uint32_t at = kernel->loops[inner].parent;
    while (at != GP_NONE && at != outer)
        at = kernel->loops[at].parent;
    return at == outer;
}

/* One within the other, each in steps of its own: a pool whose windows all lie within the image. */
static void pair_windows(const struct gp_kernel *kernel, const struct search *search)
{
    const struct uncut *uncut = &search->uncut;
    for (uint32_t i = 0; i < uncut->count; i++)
        for (uint32_t k = 0; k < uncut->count; k++) {
            const struct window *outer = &uncut->window[i], *inner = &uncut->window[k];
            if (!is_around(kernel, outer->loop, inner->loop) || has(&outer->place.steps, inner->width) ||
                has(&inner->place.steps, outer->width))
                continue;
            mark_window(search->slides, outer);
            mark_window(search->slides, inner);
        }
}

/* Where windows that an element of the image lies in are gone through: from `(x + pad - window) / step + 1` to `(x +
 * pad) / step`. */
static void see_quotient(const struct gp_kernel *kernel, gp_ref ref, struct gp_sliding_windows *slides)
{
    const struct gp_inst *inst = gp_inst_of(kernel, gp_behind_casts(kernel, ref));
    if (inst != NULL && (inst->op == GP_OP_ADD || inst->op == GP_OP_SUB) &&
        gp_ref_kind(gp_operand_of(kernel, inst, 1)) == GP_REF_CONST)
        inst = gp_inst_of(kernel, gp_behind_casts(kernel, gp_operand_of(kernel, inst, 0)));
    uint32_t step = inst != NULL ? gp_divisor_of(kernel, inst) : GP_NONE;
    if (step == GP_NONE || (inst->op != GP_OP_SDIV && inst->op != GP_OP_UDIV))
        return;
    struct gp_products sum = gp_products_of(kernel, gp_operand_of(kernel, inst, 0), inst->bits);
    struct place place = place_of(kernel, &sum);
    if (!place.found || place.pads.count != 1 || place.steps.count > 0)
        return;
    slides->step[step] = true;
    mark(slides->width, &place.pads);
    for (uint32_t i = 0; i < sum.count; i++)
        if (sum.product[i].leaf == GP_REF_NONE && sum.product[i].param_count == 1 && sum.product[i].scale == 1)
            slides->pad[sum.product[i].params[0]] = true;
}

static void see_order(const struct gp_kernel *kernel, gp_ref smaller, gp_ref larger, unsigned bits, enum gp_order order,
                      void *data)
{
    struct search *search = data;
    struct alternatives begins = {.count = 0}, ends = {.count = 0};
    if (order == GP_EQUAL)
        return;
    add_alternatives(kernel, smaller, DEEPEST, &begins);
    add_alternatives(kernel, larger, DEEPEST, &ends);
    for (uint32_t i = 0; i < begins.count; i++) {
        see_quotient(kernel, begins.ref[i], search->slides);
        for (uint32_t k = 0; k < ends.count; k++)
            see_ends(kernel, begins.ref[i], ends.ref[k], bits, begins.count + ends.count > 2, search);
    }
}

/* Also in front of a loop: whether it turns at all is asked there. */
static void see_loops(const struct gp_kernel *kernel, struct gp_sliding_windows *slides)
{
    struct search search = {.slides = slides};
    for (uint32_t b = 0; b < kernel->block_count && kernel->loop_count > 0; b++) {
        const struct gp_inst *last = gp_block_terminator(kernel, b);
        uint32_t loop = kernel->blocks[b].loop;
        search.loop = loop != GP_NONE && gp_block_can_leave(kernel, b, loop) ? loop : GP_NONE;
        for (int wanted = 0; last->op == GP_OP_CONDBR && wanted < 2; wanted++)
            gp_each_order(kernel, gp_operand_of(kernel, last, 0), wanted, see_order, &search);
    }
    pair_windows(kernel, &search);
}

void gp_find_sliding_windows(const struct gp_kernel *kernel, struct gp_sliding_windows *slides)
{
    memset(slides, 0, sizeof *slides);
    for (uint32_t p = 0; p < GP_MAX_ARGUMENTS; p++)
        slides->width_of[p] = GP_NONE;
    see_edges(kernel, slides);
    see_loops(kernel, slides);
    for (uint32_t p = 0; p < GP_MAX_ARGUMENTS; p++) {
        slides->step[p] &= !slides->width[p];
        slides->pad[p] &= !slides->width[p] && !slides->step[p];
    }
}

static bool is_open(const struct gp_argument *argument) { return argument->known && !argument->stated; }

void gp_fit_sliding_windows(const struct gp_kernel *kernel, struct gp_launch *launch)
{
    for (uint32_t p = 0; p < kernel->param_count && p < GP_MAX_ARGUMENTS; p++) {
        struct gp_argument *pad = &launch->arguments[p];
        if (pad->window == 0)
            continue;
        struct gp_argument *width = &launch->arguments[pad->window - 1];
        if (is_open(width) && pad->stated && pad->value >= width->value && pad->value < INT16_MAX)
            width->value = 2 * pad->value + 1;
        uint64_t most = width->value > 0 ? (width->value - 1) / 2 : 0;
        if (is_open(pad) && width->known && pad->value > most)
            pad->value = most;
    }
}
