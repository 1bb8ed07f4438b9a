/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Iterations of a loop that nobody knows the end of: so many as are assumed, of which the parts of an unrolled loop do
 * a share each. */
#include <math.h>

#include "model/executor/executor_internal.h"

/*
 * Of the iterations that are assumed, what this loop does, in iterations of its own: of an unrolled loop's parts each
 * takes as many as it can of what those before it left over; a lone one a fraction, too.
 */
static double assumed_share(const struct gp_executor *ex, const struct loop *loop)
{
    double rest = ex->launch->assumed_trip_count ? ex->launch->assumed_trip_count : GP_DEFAULT_TRIP_COUNT;
    for (uint32_t i = 0; i < loop->larger_count; i++)
        rest = fmod(rest, loop->larger[i]);
    rest /= loop->body;
    return loop->smaller ? floor(rest) : rest;
}

/* Whole iterations, at least one, and how much of them each stands for: a part that has nothing to do is as rare as
 * what is marked unlikely. */
uint64_t gp_assumed_trips(const struct gp_executor *ex, const struct loop *loop)
{
    return (uint64_t)fmax(1, ceil(assumed_share(ex, loop)));
}

double gp_assumed_weight(const struct gp_executor *ex, const struct loop *loop)
{
    return fmax(RARELY, assumed_share(ex, loop) / (double)gp_assumed_trips(ex, loop));
}

/* Some of these parts of an unrolled loop do some of the iterations that are assumed of it. */
bool gp_have_iterations(const struct gp_executor *ex, const struct few_loops *parts)
{
    for (uint32_t i = 0; i < parts->count; i++)
        if (assumed_share(ex, &ex->loops[parts->loops[i]]) > 0)
            return true;
    return false;
}
