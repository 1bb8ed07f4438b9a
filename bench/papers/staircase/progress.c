/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "bench/papers/staircase/progress.h"

#include <stdlib.h>
#include <string.h>

/* The two launches' traces, and warps that are the one's but for one group. */
struct parts {
    struct gp_sm sm;
    struct gp_program *program;
    struct gp_simulator *simulator;
    struct gp_recorder *recorders[2];
    struct gp_recording whole, part;
    struct gp_sim_warp *warps;
    double *finish;
};

static bool record(const struct subject *subject, const struct gp_launch *launch, const struct experiment *experiment,
                   struct parts *parts, int which, struct gp_recording *recording, struct gp_error *error)
{
    struct gp_record_options options = {.rows = experiment->groups, .sms = experiment->active_sms, .exhaustive = true};
    parts->recorders[which] = gp_recorder_new(subject->kernel);
    if (parts->recorders[which] == NULL)
        return gp_fail(error, "out of memory");
    return gp_record(parts->recorders[which], subject->device, &parts->sm, launch, &options, recording, error);
}

static bool prepare(const struct subject *subject, const struct gp_launch *whole, const struct gp_launch *part,
                    const struct experiment *experiment, struct parts *parts, struct gp_error *error)
{
    gp_sm_of(subject->device, subject->device->clock_mhz.value, subject->device->l1_size.value, &parts->sm);
    parts->program = program_of(subject, experiment, &parts->sm);
    parts->simulator = gp_simulator_new();
    parts->finish = calloc(2 * experiment->groups, sizeof *parts->finish);
    if (parts->program == NULL || parts->simulator == NULL || parts->finish == NULL)
        return gp_fail(error, "out of memory");
    if (!record(subject, whole, experiment, parts, 0, &parts->whole, error) ||
        !record(subject, part, experiment, parts, 1, &parts->part, error))
        return false;
    parts->warps = malloc(sizeof *parts->warps * experiment->groups * parts->whole.warps_per_group);
    return parts->warps != NULL || gp_fail(error, "out of memory");
}

static void release(struct parts *parts)
{
    gp_program_free(parts->program);
    gp_simulator_free(parts->simulator);
    gp_recorder_free(parts->recorders[0]);
    gp_recorder_free(parts->recorders[1]);
    free(parts->warps);
    free(parts->finish);
}

/* All groups to their end, but one that does only the part. */
static bool run_with(struct parts *parts, const struct experiment *experiment, uint32_t group, double *reached)
{
    uint32_t warps = parts->whole.warps_per_group;
    struct gp_sim_result result;
    memcpy(parts->warps, parts->whole.warps, sizeof *parts->warps * experiment->groups * warps);
    memcpy(parts->warps + group * warps, parts->part.warps + group * warps, sizeof *parts->warps * warps);
    struct gp_simulation simulation = {.sm = &parts->sm,
                                       .program = parts->program,
                                       .resident_groups = experiment->resident,
                                       .groups = experiment->groups,
                                       .warps_per_group = warps,
                                       .warps = parts->warps,
                                       .rows = experiment->groups,
                                       .group_step = parts->whole.group_step,
                                       .warp_step = parts->whole.warp_step,
                                       .active_sms = experiment->active_sms,
                                       .late_sms = experiment->active_sms,
                                       .l2_share = 1,
                                       .repairs = {.even_channels = true}};
    gp_simulate(parts->simulator, &simulation, parts->finish, parts->finish + experiment->groups, &result);
    *reached = parts->finish[experiment->groups + group];
    return true;
}

bool progress(const struct subject *subject, const struct gp_launch *whole, const struct gp_launch *part,
              const struct experiment *experiment, double *reached, struct gp_error *error)
{
    struct parts parts = {0};
    bool done = prepare(subject, whole, part, experiment, &parts, error);
    for (uint32_t g = 0; done && g < experiment->groups; g++)
        done = run_with(&parts, experiment, g, &reached[g]) ? true : gp_fail(error, "out of memory");
    release(&parts);
    return done;
}
