/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the time would be if what is assumed of a launch were otherwise. */
#include "model/predict/assumed_arguments.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/assume/assumed_iterations.h"
#include "model/assume/products.h"
#include "model/predict/run.h"
#include "model/value/refs.h"

/* ---- Arguments --------------------------------------------------------------------------------------------------- */

bool gp_argument_is_assumed(const struct gp_kernel *kernel, const struct gp_launch *launch, uint32_t param)
{
    const struct gp_param *p = &kernel->params[param];
    bool used = (p->flags & GP_PARAM_SKELETON) != 0 && p->kind == GP_PARAM_INT && p->bits <= 64;
    return launch->assumed && used && launch->arguments[param].known && !launch->arguments[param].stated;
}

bool gp_any_argument_is_assumed(const struct gp_kernel *kernel, const struct gp_launch *launch)
{
    for (uint32_t i = 0; i < kernel->param_count && i < GP_MAX_ARGUMENTS; i++)
        if (gp_argument_is_assumed(kernel, launch, i))
            return true;
    return false;
}

/* Of as many bits as the parameter has: twice a number that has no room is the number itself. */
static uint64_t twice(const struct gp_param *param, uint64_t value)
{
    unsigned bits = param->bits - ((param->flags & GP_PARAM_SIGNED) != 0);
    return bits > 1 && value >> (bits - 1) == 0 ? 2 * value : value;
}

static bool matters(double ratio)
{
    const double a_tenth = 0.1;
    return ratio > 0 && fabs(ratio - 1) > a_tenth;
}

/* The launch, the predictions of others, and what one of them costs. */
struct variation {
    struct gp_predictor *predictor;
    const struct gp_device *device;
    struct gp_predict_options options;
    struct gp_launch launch;
    struct gp_prediction scratch;
    bool
        too_long; /* a prediction was not followed to its end: its time is of a part, and says nothing beside another */
};

/* 0: there is no such time; with a number at which a loop never ends nobody launches the kernel. */
static double time_of(struct variation *v)
{
    bool predicted = gp_predict(v->predictor, v->device, &v->launch, &v->options, &v->scratch, NULL);
    v->too_long |= predicted && v->scratch.cut_off;
    return predicted && v->scratch.feasible && v->scratch.endless == 0 ? v->scratch.time_ns : 0;
}

/* With another value of an argument, over `as_it_is`. */
static double ratio_with(struct variation *v, uint32_t param, uint64_t value, double as_it_is)
{
    uint64_t own = v->launch.arguments[param].value;
    v->launch.arguments[param].value = value;
    double ns = time_of(v);
    v->launch.arguments[param].value = own;
    return ns / as_it_is;
}

/* With another number of iterations of loops that data ends. */
static double ratio_with_trips(struct variation *v, uint32_t trips, double as_it_is)
{
    uint32_t own = v->launch.assumed_trip_count;
    v->launch.assumed_trip_count = trips;
    double ns = time_of(v);
    v->launch.assumed_trip_count = own;
    return ns / as_it_is;
}

static void vary_trips(struct variation *v, const struct gp_kernel *kernel, double as_it_is,
                       struct gp_argument_effects *effects)
{
    uint32_t own = v->launch.assumed_trip_count;
    if (own != GP_DEFAULT_TRIP_COUNT || !gp_assumes_iterations(kernel, &v->launch))
        return;
    effects->trip = (struct gp_argument_effect){.param = GP_NONE,
                                                .halved = ratio_with_trips(v, own / 2, as_it_is),
                                                .doubled = ratio_with_trips(v, 2 * own, as_it_is)};
    effects->trip_matters = !v->too_long && (matters(effects->trip.halved) || matters(effects->trip.doubled));
}

static uint32_t affordable(uint64_t effort)
{
    const double third_of_a_second = 3e7;
    return (uint32_t)fmin(GP_MOST_EFFECTS, third_of_a_second / (2.0 * (double)effort + 1));
}

/* Nobody steps by 0, or multiplies by 1, which ends no loop. */
static bool is_least_step(const struct gp_argument *argument)
{
    bool step = argument->use == GP_ASSUMED_STEP || argument->use == GP_ASSUMED_LOOP_STEP;
    return (step && argument->value == 1) || argument->use == GP_ASSUMED_FACTOR;
}

static void vary_each(struct variation *v, const struct gp_kernel *kernel, struct gp_argument_effects *effects)
{
    double as_it_is = time_of(v);
    uint32_t most = as_it_is > 0 && !v->too_long ? affordable(v->scratch.effort) : 0;
    for (uint32_t i = 0; i < kernel->param_count && i < GP_MAX_ARGUMENTS; i++) {
        uint64_t value = v->launch.arguments[i].value;
        if (!gp_argument_is_assumed(kernel, &v->launch, i))
            continue;
        effects->assumed++;
        if (effects->asked == most)
            continue;
        bool least = is_least_step(&v->launch.arguments[i]);
        struct gp_argument_effect effect = {.param = i,
                                            .halved = least ? 0 : ratio_with(v, i, value / 2, as_it_is),
                                            .doubled = ratio_with(v, i, twice(&kernel->params[i], value), as_it_is)};
        if (v->too_long) {
            most = effects->asked;
            continue;
        }
        effects->asked++;
        if (matters(effect.halved) || matters(effect.doubled))
            effects->items[effects->count++] = effect;
    }
    if (effects->asked < most)
        vary_trips(v, kernel, as_it_is, effects);
}

void gp_find_effects(struct gp_predictor *predictor, const struct gp_kernel *kernel, const struct gp_device *device,
                     const struct gp_launch *launch, const struct gp_predict_options *options,
                     struct gp_argument_effects *effects)
{
    struct variation *v = malloc(sizeof *v);
    *effects = (struct gp_argument_effects){0};
    *v = (struct variation){.predictor = predictor, .device = device, .options = *options, .launch = *launch};
    v->options.bottlenecks = false;
    v->options.quick = true;
    vary_each(v, kernel, effects);
    free(v);
}

/* ---- Strides ----------------------------------------------------------------------------------------------------- */

/* Distances between neighbours that are taken to be 1 since nobody states them (assume/rules.h): what accesses cost
 * where one of them is not. */

/* As many elements as are assumed of a row's length. */
enum { FAR_APART = 1024 };

/* Finds the place of a finding by what it is worth. The list's least one gives way where it is full. */
static void insert(struct gp_prediction *p, const struct gp_bottleneck *b)
{
    uint32_t at = 0;
    while (at < p->bottleneck_count && gp_bottleneck_worth(&p->bottlenecks[at]) >= gp_bottleneck_worth(b))
        at++;
    if (at == GP_MAX_BOTTLENECKS)
        return;
    p->bottleneck_count += p->bottleneck_count < GP_MAX_BOTTLENECKS;
    memmove(&p->bottlenecks[at + 1], &p->bottlenecks[at], (p->bottleneck_count - 1 - at) * sizeof *b);
    p->bottlenecks[at] = *b;
}

static bool is_found(const struct gp_prediction *p, const struct gp_bottleneck *b)
{
    uint32_t i = 0;
    while (i < p->bottleneck_count && (p->bottlenecks[i].cause != b->cause || p->bottlenecks[i].inst != b->inst))
        i++;
    return i < p->bottleneck_count;
}

/* Whether the parameter is a factor of the address. */
static bool is_spread_by(const struct gp_kernel *kernel, uint32_t inst, uint32_t param)
{
    struct gp_products address = gp_products_of(kernel, gp_operand_of(kernel, &kernel->insts[inst], 0), 64);
    uint32_t i = 0;
    while (i < address.count && !gp_product_has(&address.product[i], param))
        i++;
    return i < address.count;
}

/* "uncoalesced global load if 'n' is 1024, not 1 as assumed: 32 transactions ...", "then work-items next to each other
 * ...": who reads what is so has read when it is. */
static void put_condition_first(struct gp_bottleneck *b)
{
    struct gp_bottleneck plain = *b;
    size_t kind = strcspn(plain.measure, ":");
    snprintf(b->measure, sizeof b->measure, "%.*s %s%s", (int)kind, plain.measure, plain.beside, plain.measure + kind);
    if (plain.advice[0] != '\0')
        snprintf(b->advice, sizeof b->advice, "then %.*s", (int)(sizeof b->advice - sizeof "then "), plain.advice);
}

/* Of the findings with the other distance, those that are not there without it. */
static void take_over(const struct run *run, uint32_t param, const struct gp_prediction *spread,
                      struct gp_prediction *p)
{
    const struct gp_kernel *kernel = run->predictor->kernel;
    for (uint32_t i = 0; i < spread->bottleneck_count; i++) {
        struct gp_bottleneck b = spread->bottlenecks[i];
        if (b.cause != GP_CAUSE_UNCOALESCED || b.inst == GP_NONE || is_found(p, &b) ||
            !is_spread_by(kernel, b.inst, param))
            continue;
        b.speedup_beside = fmax(b.speedup, b.speedup_beside);
        b.speedup = 1;
        b.share = 0;
        b.only_then = true;
        snprintf(b.beside, sizeof b.beside, "if '%.36s' is %d, not 1 as assumed", kernel->params[param].name,
                 FAR_APART);
        put_condition_first(&b);
        insert(p, &b);
    }
}

static bool is_open(const struct run *run, uint32_t param)
{
    return run->launch->arguments[param].distance && run->predictor->kernel->params[param].bits >= 16;
}

/* The launch with one of the distances stated, and nothing asked of the others. */
static bool predict_spread(const struct run *run, uint32_t param, struct gp_prediction *spread, struct gp_error *error)
{
    struct gp_launch launch = *run->launch;
    for (uint32_t i = 0; i < GP_MAX_ARGUMENTS; i++)
        launch.arguments[i].distance = false;
    launch.arguments[param].value = FAR_APART;
    return gp_predict(run->predictor, run->device, &launch, run->options, spread, error);
}

bool gp_find_assumed_strides(const struct run *run, struct gp_prediction *p, struct gp_error *error)
{
    struct gp_prediction *spread = NULL;
    bool ok = true;
    for (uint32_t i = 0; ok && i < run->predictor->kernel->param_count && i < GP_MAX_ARGUMENTS; i++) {
        if (!is_open(run, i))
            continue;
        if (spread == NULL)
            spread = malloc(sizeof *spread);
        ok = predict_spread(run, i, spread, error);
        if (ok)
            take_over(run, i, spread, p);
    }
    free(spread);
    return ok;
}
