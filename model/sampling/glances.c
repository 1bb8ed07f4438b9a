/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/sampling/glances.h"

#include <math.h>

struct gp_glances gp_glances_of(double affordable, uint64_t most_visits)
{
    return (struct gp_glances){
        .affordable = (uint64_t)(affordable > 0 && affordable < GP_MOST_GLANCED ? affordable : GP_MOST_GLANCED),
        .most_visits = most_visits};
}

bool gp_glance_at_warp(struct gp_glances *glances, struct gp_executor *executor, const struct gp_launch *launch,
                       const uint64_t group[3], uint32_t warp, uint32_t warp_width, const struct gp_observer *observer,
                       struct gp_exec_result *result)
{
    if (glances->spent >= glances->affordable)
        return false;
    const struct gp_exec_options options = {.warp_width = warp_width,
                                            .coarse = true,
                                            .sparse = glances->sparse,
                                            .max_block_visits = glances->most_visits,
                                            .max_effort = glances->affordable - glances->spent};
    bool executed = gp_execute_warp(executor, launch, group, warp, &options, observer, result, NULL);
    glances->spent += executed ? result->effort : 0;
    glances->made += executed;
    return executed && (!result->cut_off || glances->spent < glances->affordable);
}

bool gp_glance_at_work(struct gp_glances *glances, struct gp_executor *executor, const struct gp_launch *launch,
                       const uint64_t group[3], uint32_t warp, uint32_t warp_width, double *instructions)
{
    static const struct gp_observer nobody = {0};
    struct gp_exec_result result = {0};
    bool ok = gp_glance_at_warp(glances, executor, launch, group, warp, warp_width, &nobody, &result);
    *instructions = result.instructions;
    return ok;
}

bool gp_works_differ(double instructions, double others)
{
    const double little = 0.02;
    return fabs(instructions - others) > little * fmax(instructions, others);
}
