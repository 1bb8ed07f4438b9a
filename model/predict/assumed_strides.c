/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Distances between neighbours that are taken to be 1 since nobody states them (unit_strides.h): what accesses cost
 * where one of them is not. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/value/refs.h"
#include "model/assume/products.h"
#include "model/predict/run.h"

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
