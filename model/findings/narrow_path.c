/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/findings/causes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/compilers/cost.h"
#include "model/value/inst_facts.h"
#include "model/compilers/inst_cost.h"
#include "model/predict.h"

/* What a path costs: its costliest instruction, and the place of the costliest that has one: optimised instructions may
 * have lost theirs. */
struct weight {
    double sum, most, most_located;
    uint32_t inst, location;
};

/* Cycles that a warp's instruction keeps the pipes of an SM, one after another. */
static double cycles_of(const struct gp_device *device, const struct gp_cost *cost)
{
    double cycles = 0;
    for (int p = 0; p < GP_PIPE_COUNT; p++)
        if (cost->ops[p] > 0)
            cycles += cost->ops[p] / fmax(1e-3, gp_pipe_rate(device, (enum gp_pipe)p));
    return cycles;
}

typedef void visit(void *context, uint32_t inst, double cycles);

static void each_instruction(const struct gp_bottleneck_inputs *in, enum gp_narrow_path path, visit *visit,
                             void *context)
{
    const struct gp_kernel *kernel = in->kernel;
    struct gp_cost costs[GP_CLASS_COUNT];
    gp_cost_table(in->conditions->device, costs, NULL);
    for (uint32_t b = 0; b < in->work->block_count; b++) {
        for (uint32_t i = kernel->blocks[b].inst; i < gp_block_end(kernel, b); i++) {
            if (gp_inst_path(&kernel->insts[i]) != path)
                continue;
            struct gp_cost cost = gp_inst_cost(&kernel->insts[i], costs, 0);
            visit(context, i, in->work->blocks[b].visits * cycles_of(in->conditions->device, &cost));
        }
    }
}

struct weighing {
    const struct gp_kernel *kernel;
    struct weight weight;
};

static void weigh(void *context, uint32_t i, double cycles)
{
    struct weighing *weighing = context;
    struct weight *w = &weighing->weight;
    uint32_t location = weighing->kernel->insts[i].location;
    w->sum += cycles;
    if (cycles > w->most) {
        w->most = cycles;
        w->inst = i;
    }
    if (cycles > w->most_located && location != GP_NONE) {
        w->most_located = cycles;
        w->location = location;
    }
}

struct listing {
    const struct gp_bottleneck_inputs *in;
    struct gp_bottleneck *bottleneck;
    double least;
};

/* The same gain is that of repairing these, too. */
static void list_line(void *context, uint32_t i, double cycles)
{
    struct listing *list = context;
    uint32_t location = list->in->kernel->insts[i].location;
    if (cycles >= list->least && location != GP_NONE)
        gp_bottleneck_add_line(list->in->profile, list->bottleneck, location);
}

struct parts {
    const struct gp_kernel *kernel;
    double conversions, longer, all;
};

static void part(void *context, uint32_t i, double cycles)
{
    struct parts *parts = context;
    uint8_t class = parts->kernel->insts[i].cost;
    parts->all += cycles;
    if (class == GP_CLASS_CVT_64)
        parts->conversions += cycles;
    else if (class > GP_CLASS_DOUBLE_ROUND)
        parts->longer += cycles; /* divisions, roots and functions: more instructions than in single precision */
}

static struct parts parts_of(const struct gp_bottleneck_inputs *in, enum gp_narrow_path path)
{
    struct parts parts = {.kernel = in->kernel};
    each_instruction(in, path, part, &parts);
    return parts;
}

/* Where arithmetic is as fast as in single precision: what else it takes. */
static const char *cost_of_doubles(const struct parts *parts)
{
    double few = 0.1 * parts->all;
    return parts->conversions > few && parts->longer > few ? ": conversions, and longer divisions, roots and functions"
           : parts->conversions > few                      ? ": conversions to it and back"
           : parts->longer > few                           ? ": longer divisions, roots and functions"
                                                           : "";
}

/* On chips that compute with doubles at half the rate, or faster, what floats cost that become doubles and back is
 * often more. */
static bool is_mostly_conversion(const struct parts *parts) { return parts->conversions > 0.5 * parts->all; }

static double times_slower(const struct gp_device *device, enum gp_pipe pipe)
{
    return gp_pipe_rate(device, GP_PIPE_FP32) / fmax(1e-3, gp_pipe_rate(device, pipe));
}

static void describe_doubles(const struct gp_bottleneck_inputs *in, enum gp_narrow_path path, struct gp_bottleneck *b)
{
    const struct gp_device *device = in->conditions->device;
    double slower = times_slower(device, GP_PIPE_FP64);
    struct parts parts = parts_of(in, path);
    bool needless = path == GP_NARROW_CONSTANT;
    const char *where = needless ? ", between floats and constants only" : "";
    if (slower < 1.5)
        snprintf(b->measure, sizeof b->measure, "double precision%s%s", where, cost_of_doubles(&parts));
    else if (!gp_converts_on_fp64(device) && is_mostly_conversion(&parts))
        snprintf(b->measure, sizeof b->measure,
                 "double precision%s: conversions to it and back, at 1/%.0f of the rate of arithmetic", where,
                 times_slower(device, GP_PIPE_CVT64));
    else
        snprintf(b->measure, sizeof b->measure, "double precision at 1/%.0f of the rate of single precision%s", slower,
                 where);
    snprintf(b->advice, sizeof b->advice,
             "single precision where it is exact enough; a constant without an f (0.5) makes the whole expression "
             "double, and so does a function that is given one, or a cast");
    if (needless)
        b->repaired = "in single precision";
}

static void describe_special(const struct gp_bottleneck_inputs *in, struct gp_bottleneck *b)
{
    const struct gp_device *device = in->conditions->device;
    snprintf(b->measure, sizeof b->measure, "special functions, at 1/%.0f of the rate of arithmetic",
             times_slower(device, GP_PIPE_SFU));
}

/* Of the array that the costliest access is of, where it has a name; a vector has none. */
static void describe_element(const struct gp_bottleneck_inputs *in, struct gp_bottleneck *b)
{
    const struct gp_kernel *kernel = in->kernel;
    const char *name = "";
    for (uint32_t m = 0; m < kernel->memory_count; m++)
        if (kernel->memory[m].inst == b->inst && gp_ref_kind(kernel->memory[m].base) == GP_REF_PRIVATE)
            name = kernel->privates[gp_ref_index(kernel->memory[m].base)].name;
    snprintf(b->measure, sizeof b->measure,
             "%s%.40s%s is indexed by a value unknown at compile time: it is in registers, and an access takes %u "
             "comparisons and moves",
             *name ? "'" : "", *name ? name : "a private array", *name ? "'" : "", kernel->insts[b->inst].repeat);
    snprintf(b->advice, sizeof b->advice, "let its indices be known, as in loops that are unrolled whole");
    b->repaired = "with known indices";
}

static void describe(const struct gp_bottleneck_inputs *in, enum gp_narrow_path path, struct gp_bottleneck *b)
{
    bool cuda = strcmp(in->profile->language, "cuda") == 0;
    switch (path) {
    case GP_NARROW_DIVISION:
        snprintf(b->measure, sizeof b->measure,
                 "integer divisions and remainders: no GPU divides integers, each is a sequence of instructions");
        snprintf(b->advice, sizeof b->advice,
                 "divide by constants, by powers of two with a shift or a mask, or carry the quotient along");
        b->repaired = "with one instruction each";
        break;
    case GP_NARROW_POWER:
        snprintf(b->measure, sizeof b->measure,
                 "pow() with a small whole number as exponent: a logarithm and an exponential for what is a product");
        snprintf(b->advice, sizeof b->advice, "multiply: x * x instead of pow(x, 2)");
        b->repaired = "as products";
        break;
    case GP_NARROW_CONVERSION: {
        double slower = gp_pipe_rate(in->conditions->device, GP_PIPE_FP32) /
                        fmax(1e-3, gp_pipe_rate(in->conditions->device, GP_PIPE_CVT));
        snprintf(b->measure, sizeof b->measure,
                 "conversions between integers and floats, at 1/%.0f of the rate of arithmetic", slower);
        snprintf(b->advice, sizeof b->advice, "convert what is used again once, or stay with integers until the end");
        b->repaired = "without them";
        break;
    }
    case GP_NARROW_ELEMENT: describe_element(in, b); break;
    case GP_NARROW_SPECIAL: describe_special(in, b); break;
    case GP_NARROW_EXACT:
        snprintf(b->measure, sizeof b->measure,
                 "functions, divisions and roots that are exact to the last places, each a sequence of instructions");
        snprintf(b->advice, sizeof b->advice,
                 cuda ? "__fdividef, __sinf and their like, or -use_fast_math, where their precision is enough"
                      : "native_ functions, or -cl-fast-relaxed-math, where their precision is enough");
        b->repaired = "approximated by the hardware";
        break;
    default: describe_doubles(in, path, b); break;
    }
}

void gp_describe_narrow_path(const struct gp_bottleneck_inputs *in, enum gp_narrow_path path, struct gp_bottleneck *b)
{
    struct weighing weighing = {.kernel = in->kernel};
    each_instruction(in, path, weigh, &weighing);
    const struct weight *w = &weighing.weight;
    b->inst = w->inst;
    b->location = w->most_located > 0 ? w->location : gp_inst_place(in->kernel, b->inst);
    b->repairable = gp_path_is_repairable(path);
    describe(in, path, b);
    struct listing listing = {in, b, 0.05 * w->sum};
    if (b->repairable)
        each_instruction(in, path, list_line, &listing);
}
