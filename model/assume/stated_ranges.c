/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/assume/stated_ranges.h"

#include <math.h>
#include <string.h>

#include "model/assume/defaults.h"
#include "model/assume/guards.h"
#include "model/assume/rules.h"
#include "model/launch/numbers.h"

/* A stated argument, and what it would be as large as if nobody had stated it. */
struct asked {
    const struct gp_kernel *kernel;
    const struct gp_launch *launch;
    uint32_t param;
    enum gp_assumed_use use;
    enum { OF_RANGE, OF_GUARD, OF_ROWS, OF_NOTHING } by;
};

/* open: the launch with all arguments assumed. */
static struct asked asked_of(const struct gp_kernel *kernel, const struct gp_launch *launch,
                             const struct gp_launch *open, uint32_t param, const uint64_t pitches[GP_MAX_ARGUMENTS])
{
    struct asked asked = {kernel, launch, param, (enum gp_assumed_use)open->arguments[param].use, OF_NOTHING};
    switch (asked.use) {
    case GP_ASSUMED_RANGE: asked.by = OF_RANGE; break;
    case GP_ASSUMED_SHIFT:
    case GP_ASSUMED_GUARD: asked.by = OF_GUARD; break;
    case GP_ASSUMED_ARRAY:
    case GP_ASSUMED_COUNTER:
    case GP_ASSUMED_STRIDED_END:
        asked.by = kernel->params[param].bounds_dim < GP_MAX_DIMS ? OF_RANGE : OF_NOTHING;
        break;
    case GP_ASSUMED_NOTHING:
    case GP_ASSUMED_PITCH:
    case GP_ASSUMED_TURNS:
    case GP_ASSUMED_EXTENT: asked.by = pitches[param] > 0 ? OF_ROWS : OF_NOTHING; break;
    default: break;
    }
    return asked;
}

/* The least that lets all of a range pass, or puts its rows side by side; whole: the dimensions with all of their
 * range, a bit each, while the others have one group. */
static uint64_t least_for(const struct asked *asked, unsigned whole)
{
    uint64_t least[GP_MAX_ARGUMENTS] = {0};
    struct gp_launch part = *asked->launch;
    for (uint32_t d = 0; d < part.dims; d++)
        if ((whole >> d & 1) == 0)
            part.global[d] = part.local[d];
    if (asked->by == OF_GUARD)
        gp_guard_limits(asked->kernel, &part, least);
    else
        gp_pitches(asked->kernel, &part, least);
    return least[asked->param];
}

/* The range that the stated arguments tell; bounded: the dimensions for which one of them bounds ids. */
struct fitted {
    struct gp_launch launch;
    bool bounded[GP_MAX_DIMS];
};

/* What bounds ids goes before a distance of rows, and of several bounds the largest: work-items behind the others do
 * less. */
static void take(struct fitted *fitted, uint32_t dimension, uint64_t range, const struct asked *asked)
{
    struct gp_launch *launch = &fitted->launch;
    if (fitted->bounded[dimension] && (asked->by == OF_ROWS || range < launch->global[dimension]))
        return;
    launch->global[dimension] = range > 0 ? range : 1;
    launch->range_from[dimension] = (uint16_t)(asked->param + 1);
    fitted->bounded[dimension] = asked->by != OF_ROWS;
}

/* The only size that a kernel has. */
static bool is_only_size(const struct gp_kernel *kernel, uint32_t param)
{
    for (uint32_t p = 0; p < kernel->param_count && p < GP_MAX_ARGUMENTS; p++)
        if (p != param && gp_is_scalar_integer(&kernel->params[p]) &&
            (kernel->params[p].flags & GP_PARAM_SKELETON) != 0)
            return false;
    return true;
}

/* How much larger a range is whose argument is not the least that lets all pass, but another number. Of bits to shift
 * by it is so many times doubled. */
static double times_of(const struct asked *asked, uint64_t value, uint64_t least)
{
    bool exponent = asked->use == GP_ASSUMED_SHIFT;
    return exponent ? ldexp(1, (int)fmin((double)value, 64) - (int)fmin((double)least, 64))
                    : (double)value / (double)least;
}

/* What is asked for grows with the range, dimension by dimension, as each bounds its own, or with all of them together,
 * as in `y * width + x < n`: then the last of them gives. Rows of the only size that there is are as many. */
static void scale_range(const struct asked *asked, uint64_t value, struct fitted *fitted)
{
    const uint32_t dims = fitted->launch.dims;
    const unsigned all = (1u << dims) - 1;
    uint64_t none = least_for(asked, 0), each[GP_MAX_DIMS] = {0}, most = 0, whole = least_for(asked, all);
    bool square = asked->by == OF_ROWS && is_only_size(asked->kernel, asked->param);
    for (uint32_t d = 0; d < dims; d++) {
        each[d] = least_for(asked, 1u << d);
        most = each[d] > most ? each[d] : most;
    }
    for (uint32_t d = dims; d-- > 0;) {
        uint64_t least = whole > most ? whole : square ? most : each[d];
        if (least <= none)
            continue;
        take(fitted, d, (uint64_t)((double)asked->launch->global[d] * times_of(asked, value, least)), asked);
        if (whole > most)
            return;
    }
}

/* Whoever goes over more than there are work-items, or over a loop's worth of them, launches no more than that. */
static void follow(struct asked asked, uint64_t value, struct fitted *fitted)
{
    uint32_t d = asked.kernel->params[asked.param].bounds_dim;
    bool whole = asked.by == OF_RANGE && d < fitted->launch.dims,
         shared = asked.use == GP_ASSUMED_STRIDED_END && whole && value >= fitted->launch.global[d];
    if (shared || asked.by == OF_NOTHING)
        return;
    if (whole)
        asked.by = OF_GUARD; /* of another dimension, too: `row < n && column < n` */
    scale_range(&asked, value, fitted);
    if (whole)
        take(fitted, d, value, &asked);
}

/* A number below zero lets no work-item pass, and tells no range. */
static bool is_size(const struct gp_kernel *kernel, const struct gp_launch *launch, uint32_t param)
{
    const struct gp_argument *argument = &launch->arguments[param];
    const struct gp_param *p = &kernel->params[param];
    bool below = (p->flags & GP_PARAM_SIGNED) != 0 && argument->value > gp_bits_mask(p->bits) >> 1;
    return gp_is_scalar_integer(p) && argument->stated && argument->value > 0 && !below &&
           argument->value < GP_MOST_WORK_ITEMS;
}

/* What is assumed is found anew for the answer: nobody who states nothing, or the range, waits for it. */
static bool states_sizes_only(const struct gp_kernel *kernel, const struct gp_launch *launch)
{
    bool any = false;
    for (uint32_t p = 0; p < kernel->param_count && p < GP_MAX_ARGUMENTS; p++)
        any |= is_size(kernel, launch, p);
    return any && launch->global_assumed;
}

void gp_range_from_stated(const struct gp_kernel *kernel, struct gp_launch *launch)
{
    if (!states_sizes_only(kernel, launch))
        return;
    struct gp_launch open = *launch;
    struct fitted fitted = {*launch, {false}};
    uint64_t pitches[GP_MAX_ARGUMENTS];
    for (uint32_t p = 0; p < kernel->param_count && p < GP_MAX_ARGUMENTS; p++)
        open.arguments[p].stated = false;
    gp_assume_arguments(kernel, &open);
    gp_pitches(kernel, &open, pitches);
    for (uint32_t p = 0; p < kernel->param_count && p < GP_MAX_ARGUMENTS; p++) {
        struct asked asked = asked_of(kernel, launch, &open, p, pitches);
        if (is_size(kernel, launch, p))
            follow(asked, launch->arguments[p].value, &fitted);
    }
    bool countable = gp_range_is_countable(fitted.launch.global);
    if (countable && memcmp(fitted.launch.global, launch->global, sizeof fitted.launch.global) != 0) {
        memcpy(launch->range_from, fitted.launch.range_from, sizeof launch->range_from);
        gp_launch_resize(kernel, launch, fitted.launch.global);
    }
}
