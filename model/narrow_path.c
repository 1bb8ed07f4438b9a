#include "model/narrow_path.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/cost.h"
#include "model/inst_facts.h"

enum kind { DOUBLES, DIVISIONS, SPECIAL, KIND_COUNT };

/* What a kind costs, its costliest instruction, and the place of the costliest that has one: optimised instructions may have lost theirs. */
struct weight {
    double sum, most, most_located;
    uint32_t inst, location;
};

static enum kind kind_of(uint8_t class)
{
    if (gp_class_divides_integers(class))
        return DIVISIONS;
    return (class >= GP_CLASS_DOUBLE_ADD && class <= GP_CLASS_MATH64) || class == GP_CLASS_CVT_64 ? DOUBLES : SPECIAL;
}

/* One instruction of the special function unit: nothing faster to be had. */
static bool is_approximate(uint8_t class)
{
    return (class >= GP_CLASS_SFU_SIN && class <= GP_CLASS_SFU_OTHER) || class == GP_CLASS_FLOAT_DIV_FAST || class == GP_CLASS_FLOAT_SQRT_FAST ||
           class == GP_CLASS_FLOAT_RCP || class == GP_CLASS_FLOAT_RSQRT;
}

/* Cycles that a warp's instruction keeps the pipes of an SM, one after another. */
static double cycles_of(const struct gp_device *device, const struct gp_cost *cost)
{
    double cycles = 0;
    for (int p = 0; p < GP_PIPE_COUNT; p++)
        if (cost->ops[p] > 0)
            cycles += cost->ops[p] / fmax(1e-3, gp_pipe_rate(device, (enum gp_pipe)p));
    return cycles;
}

static void weigh(const struct gp_bottleneck_inputs *in, struct weight weights[KIND_COUNT])
{
    const struct gp_kernel *kernel = in->kernel;
    struct gp_cost costs[GP_CLASS_COUNT];
    gp_cost_table(in->conditions->device, costs, NULL);
    for (uint32_t b = 0; b < in->work->block_count; b++) {
        for (uint32_t i = kernel->blocks[b].inst; i < kernel->blocks[b].inst + kernel->blocks[b].inst_count; i++) {
            const struct gp_inst *inst = &kernel->insts[i];
            if (!gp_class_is_narrow((uint8_t)inst->cost))
                continue;
            struct weight *w = &weights[kind_of((uint8_t)inst->cost)];
            double cycles = in->work->blocks[b].visits * inst->repeat * cycles_of(in->conditions->device, &costs[inst->cost]);
            w->sum += cycles;
            if (cycles > w->most) {
                w->most = cycles;
                w->inst = i;
            }
            if (cycles > w->most_located && inst->location != GP_NONE) {
                w->most_located = cycles;
                w->location = inst->location;
            }
        }
    }
}

void gp_describe_narrow_path(const struct gp_bottleneck_inputs *in, struct gp_bottleneck *b)
{
    const struct gp_device *device = in->conditions->device;
    struct weight weights[KIND_COUNT] = {{0}};
    bool cuda = strcmp(in->profile->language, "cuda") == 0;
    int kind = DOUBLES;
    weigh(in, weights);
    if (weights[DOUBLES].sum + weights[DIVISIONS].sum + weights[SPECIAL].sum <= 0)
        return;
    for (int k = 1; k < KIND_COUNT; k++)
        if (weights[k].sum > weights[kind].sum)
            kind = k;
    if (kind == DOUBLES) {
        snprintf(b->measure, sizeof b->measure, "double precision at 1/%.0f of the rate of single precision",
                 gp_pipe_rate(device, GP_PIPE_FP32) / fmax(1e-3, gp_pipe_rate(device, GP_PIPE_FP64)));
        snprintf(b->advice, sizeof b->advice, "single precision where it is exact enough; a constant without an f (0.5) makes the whole expression double");
    } else if (kind == DIVISIONS) {
        snprintf(b->measure, sizeof b->measure, "integer divisions and remainders: no GPU divides integers, each is a sequence of instructions");
        snprintf(b->advice, sizeof b->advice, "divide by constants, by powers of two with a shift or a mask, or carry the quotient along");
    } else {
        snprintf(b->measure, sizeof b->measure, "special functions, exact divisions and roots");
        if (!is_approximate((uint8_t)in->kernel->insts[weights[kind].inst].cost))
            snprintf(b->advice, sizeof b->advice, cuda ? "__fdividef, __sinf and their like, or -use_fast_math, where their precision is enough"
                                                       : "native_ and half_ functions, or -cl-fast-relaxed-math, where their precision is enough");
    }
    b->inst = weights[kind].inst;
    b->location = weights[kind].most_located > 0 ? weights[kind].location : gp_inst_place(in->kernel, b->inst);
}
