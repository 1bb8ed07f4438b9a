/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/sampling/pilots.h"

#include <math.h>

struct gp_pilots gp_pilots_of(double affordable, uint64_t most_visits)
{
    return (struct gp_pilots){
        .affordable = (uint64_t)(affordable > 0 && affordable < GP_MOST_PILOTED ? affordable : GP_MOST_PILOTED),
        .most_visits = most_visits};
}

bool gp_pilot_warp(struct gp_pilots *pilots, struct gp_executor *executor, const struct gp_launch *launch,
                   const uint64_t group[3], uint32_t warp, uint32_t warp_width, const struct gp_observer *observer,
                   struct gp_exec_result *result)
{
    if (pilots->spent >= pilots->affordable)
        return false;
    const struct gp_exec_options options = {.warp_width = warp_width,
                                            .coarse = true,
                                            .sparse = pilots->sparse,
                                            .max_block_visits = pilots->most_visits,
                                            .max_effort = pilots->affordable - pilots->spent};
    bool executed = gp_execute_warp(executor, launch, group, warp, &options, observer, result, NULL);
    pilots->spent += executed ? result->effort : 0;
    pilots->made += executed;
    return executed && (!result->cut_off || pilots->spent < pilots->affordable);
}

bool gp_pilot_work(struct gp_pilots *pilots, struct gp_executor *executor, const struct gp_launch *launch,
                   const uint64_t group[3], uint32_t warp, uint32_t warp_width, double *instructions)
{
    static const struct gp_observer nobody = {0};
    struct gp_exec_result result = {0};
    bool ok = gp_pilot_warp(pilots, executor, launch, group, warp, warp_width, &nobody, &result);
    *instructions = result.instructions;
    return ok;
}

bool gp_works_differ(double instructions, double others)
{
    const double little = 0.02;
    return fabs(instructions - others) > little * fmax(instructions, others);
}
