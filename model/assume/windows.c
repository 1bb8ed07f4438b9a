/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/assume/rules.h"

#include <stdlib.h>
#include <string.h>

#include "model/value/inst_facts.h"
#include "model/value/id_sources.h"
#include "model/value/operand_walk.h"
#include "model/value/refs.h"
#include "model/assume/products.h"

enum { MOST_PITCHES = 8, SEVERAL = GP_MAX_ARGUMENTS, LARGEST_STEP = 4 };

/* What an address tells of a loop. */
struct slide {
    bool slides;                    /* its counter is added to an id */
    uint32_t step;                  /* the parameter that the id is multiplied with there; GP_NONE: there is none */
    uint32_t pitches[MOST_PITCHES]; /* what the counter is multiplied with: the length of a row */
    uint32_t pitch_count;
};

static enum gp_visit see_parameter(const struct gp_kernel *kernel, gp_ref ref, const struct gp_inst *inst, void *found)
{
    (void)inst;
    uint32_t param = gp_integer_parameter(kernel, ref), *one = found;
    if (param != GP_NONE)
        *one = *one == GP_NONE || *one == param ? param : SEVERAL;
    return GP_VISIT_OPERANDS;
}

uint32_t gp_value_parameter(const struct gp_kernel *kernel, gp_ref value)
{
    uint32_t found = GP_NONE; /* SEVERAL: there are more */
    gp_walk_operands(kernel, value, see_parameter, &found);
    return found;
}

uint32_t gp_loop_parameter(const struct gp_kernel *kernel, uint32_t loop)
{
    return gp_value_parameter(kernel, kernel->loops[loop].trip_count);
}

/* Whether a product has the counter's parameters, and at most one besides: the step. */
static bool has_step_only(const struct gp_product *product, const struct gp_product *counter, uint32_t *step)
{
    uint32_t at = 0;
    *step = GP_NONE;
    for (uint32_t i = 0; i < product->param_count; i++)
        if (at < counter->param_count && product->params[i] == counter->params[at])
            at++;
        else if (*step != GP_NONE)
            return false;
        else
            *step = product->params[i];
    return at == counter->param_count;
}

/* Whether a counter begins with an id and steps over other work-items' part: what they go through together, as a group
 * through its tile, is no window of each. */
static bool is_shared(const struct gp_kernel *kernel, gp_ref leaf)
{
    const struct gp_induction *counter = gp_counter_at(kernel, leaf);
    gp_ref step = counter != NULL ? gp_behind_casts(kernel, counter->step) : GP_REF_NONE;
    bool over = gp_ref_kind(step) == GP_REF_CONST
                    ? gp_signed_constant(kernel, step, kernel->insts[counter->phi].bits) > LARGEST_STEP
                    : gp_integer_parameter(kernel, step) == GP_NONE;
    return counter != NULL && over && gp_starts_with_ids(kernel, leaf);
}

/* Whether a counter is added to an id, each as often as the other, or the id in steps: `x + i`, `2 * x + i`, `x * step
 * + i`. Where it stands beside several, the one without a step is its own. */
static bool is_beside_id(const struct gp_kernel *kernel, const struct gp_products *sum,
                         const struct gp_product *counter, uint32_t *step)
{
    bool found = false;
    for (uint32_t i = 0; i < sum->count && !is_shared(kernel, counter->leaf); i++) {
        const struct gp_product *other = &sum->product[i];
        uint32_t own;
        bool stepped = counter->scale != 0 && other->scale % counter->scale == 0 &&
                       other->scale / counter->scale >= 1 && other->scale / counter->scale <= LARGEST_STEP;
        if (other->leaf == GP_REF_NONE || !stepped || !has_step_only(other, counter, &own) ||
            gp_made_of_start(kernel, other->leaf).items == 0)
            continue;
        *step = !found || own == GP_NONE ? own : *step;
        found = true;
    }
    return found;
}

/* Whether a counter begins where the id's own part does, and goes on for as long as that is: `for (i = x * step; i < (x
 * + 1) * step; i++)`. */
static bool begins_with_part(const struct gp_kernel *kernel, gp_ref leaf, uint32_t loop)
{
    struct gp_products start = gp_start_products_of(kernel, leaf, gp_inst_of(kernel, leaf)->bits);
    uint32_t width = gp_loop_parameter(kernel, loop);
    for (uint32_t i = 0; i < start.count; i++) {
        const struct gp_product *product = &start.product[i];
        if (product->param_count == 1 && product->params[0] == width &&
            gp_made_of_start(kernel, product->leaf).items != 0)
            return true;
    }
    return false;
}

/* What a place is multiplied with where a counter stands in it: its own product, and that which it is part of. */
struct around {
    const struct gp_product *product;
    const struct around *outer;
};

static void see_counter(const struct gp_kernel *kernel, const struct gp_products *sum, const struct around *around,
                        uint32_t loop, struct slide *slide)
{
    const struct gp_product *counter = around->product;
    uint32_t step = GP_NONE;
    if (is_beside_id(kernel, sum, counter, &step))
        slide->step = step;
    else if (!begins_with_part(kernel, counter->leaf, loop))
        return;
    slide->slides = true;
    for (; around != NULL; around = around->outer)
        for (uint32_t k = 0; k < around->product->param_count && slide->pitch_count < MOST_PITCHES; k++)
            slide->pitches[slide->pitch_count++] = around->product->params[k];
}

static void see_sum(const struct gp_kernel *kernel, gp_ref ref, unsigned bits, const struct around *outer,
                    unsigned *left, struct slide *slides);

/* What is clamped to an edge or mirrored at it (`clamp(x + i, 0, w - 1)`, `k < 0 ? -k - 1 : k`, of which compilers make
 * `k ^ k >> 31`): all that it may be. */
static void see_choices(const struct gp_kernel *kernel, const struct gp_inst *inst, const struct around *around,
                        unsigned *left, struct slide *slides)
{
    bool clamps = inst->op == GP_OP_SMIN || inst->op == GP_OP_SMAX || inst->op == GP_OP_UMIN ||
                  inst->op == GP_OP_UMAX || inst->op == GP_OP_XOR;
    bool chooses = inst->op == GP_OP_SELECT, joins = inst->op == GP_OP_PHI;
    for (uint32_t i = chooses || joins; (clamps || chooses || joins) && i < inst->operand_count; i += joins ? 2 : 1)
        see_sum(kernel, gp_operand_of(kernel, inst, i), inst->bits, around, left, slides);
}

static void see_sum(const struct gp_kernel *kernel, gp_ref ref, unsigned bits, const struct around *outer,
                    unsigned *left, struct slide *slides)
{
    if (*left == 0)
        return;
    --*left;
    struct gp_products sum = gp_products_of(kernel, ref, bits);
    for (uint32_t i = 0; i < sum.count; i++) {
        const struct around around = {&sum.product[i], outer};
        const struct gp_inst *inst = gp_inst_of(kernel, sum.product[i].leaf);
        const struct gp_induction *counter = gp_counter_at(kernel, sum.product[i].leaf);
        if (counter != NULL)
            see_counter(kernel, &sum, &around, counter->loop, &slides[counter->loop]);
        else if (inst != NULL)
            see_choices(kernel, inst, &around, left, slides);
    }
}

/* The coordinates of an image are parts of a place, each in its own dimension. */
static void see_access(const struct gp_kernel *kernel, const struct gp_memory *memory, struct slide *slides)
{
    const struct gp_inst *inst = &kernel->insts[memory->inst];
    bool image = memory->space == GP_SPACE_IMAGE;
    for (uint32_t i = image; i < (image ? inst->operand_count : inst->operand_count > 0); i++) {
        unsigned left = GP_MOST_FOLDED;
        see_sum(kernel, gp_operand_of(kernel, inst, i), image ? 32 : 64, NULL, &left, slides);
    }
}

static bool is_pitch(const struct slide *slide, uint32_t param)
{
    for (uint32_t i = 0; i < slide->pitch_count; i++)
        if (slide->pitches[i] == param)
            return true;
    return false;
}

/* The parameter that a window's loop goes round for. */
static uint32_t window_of(const struct gp_kernel *kernel, const struct slide *slides, uint32_t loop)
{
    uint32_t width = slides[loop].slides ? gp_loop_parameter(kernel, loop) : GP_NONE;
    return width < GP_MAX_ARGUMENTS && !is_pitch(&slides[loop], width) ? width : GP_NONE;
}

/* other: of the loop around it, or within it. */
static void take_window(const struct slide *slide, const struct slide *other, uint32_t width,
                        struct gp_windows *windows)
{
    windows->width[width] = true;
    if (slide->step != GP_NONE && !is_pitch(other, slide->step))
        windows->step[slide->step] = true;
}

/* A part as long as the step may be a row, as channels are in `(n * channels + c) * pitch + x + i`; in both dimensions
 * it is a tile. */
static void see_loops(const struct gp_kernel *kernel, const struct slide *slides, struct gp_windows *windows)
{
    for (uint32_t inner = 0; inner < kernel->loop_count; inner++) {
        uint32_t width = window_of(kernel, slides, inner);
        for (uint32_t outer = kernel->loops[inner].parent; width != GP_NONE && outer != GP_NONE;
             outer = kernel->loops[outer].parent) {
            uint32_t other = window_of(kernel, slides, outer);
            bool of_rows = is_pitch(&slides[outer], width) || is_pitch(&slides[inner], other);
            if (other == GP_NONE || of_rows || (slides[inner].step == width) != (slides[outer].step == other))
                continue;
            take_window(&slides[inner], &slides[outer], width, windows);
            take_window(&slides[outer], &slides[inner], other, windows);
        }
    }
}

/* Whether a loop within another goes round for one parameter, and that one for one, too. */
static bool may_have_windows(const struct gp_kernel *kernel)
{
    bool may = false;
    for (uint32_t inner = 0; inner < kernel->loop_count && !may; inner++) {
        uint32_t outer = gp_loop_parameter(kernel, inner) < GP_MAX_ARGUMENTS ? kernel->loops[inner].parent : GP_NONE;
        for (; outer != GP_NONE && !may; outer = kernel->loops[outer].parent)
            may = gp_loop_parameter(kernel, outer) < GP_MAX_ARGUMENTS;
    }
    return may;
}

void gp_find_windows(const struct gp_kernel *kernel, struct gp_windows *windows)
{
    memset(windows, 0, sizeof *windows);
    struct slide *slides = may_have_windows(kernel) ? malloc(kernel->loop_count * sizeof *slides) : NULL;
    for (uint32_t m = 0; slides != NULL && m < kernel->memory_count; m++) {
        for (uint32_t i = 0; i < kernel->loop_count; i++)
            slides[i] = (struct slide){.step = GP_NONE};
        see_access(kernel, &kernel->memory[m], slides);
        see_loops(kernel, slides, windows);
    }
    for (uint32_t p = 0; p < GP_MAX_ARGUMENTS; p++)
        windows->step[p] &= !windows->width[p];
    free(slides);
}
