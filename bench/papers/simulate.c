/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "bench/papers/simulate.h"

#include <stdlib.h>
#include <string.h>

#include "model/compilers/schedule.h"

/* What the steps share. */
struct parts {
    struct gp_sm sm;
    struct gp_program *program;
    struct gp_recorder *recorder;
    struct gp_simulator *simulator;
    float *dram_share; /* per memory operation */
};

struct gp_program *program_of(const struct subject *subject, const struct experiment *experiment,
                              const struct gp_sm *sm)
{
    double registers = experiment->as_written ? 0 : gp_kernel_resources(subject->kernel, 0)->registers;
    return gp_program_new(subject->kernel, subject->device, sm, 0, 1, registers);
}

static bool prepare(const struct subject *subject, const struct experiment *experiment, struct parts *parts)
{
    const struct gp_kernel *kernel = subject->kernel;
    gp_sm_of(subject->device, subject->device->clock_mhz.value, subject->device->l1_size.value, &parts->sm);
    parts->program = program_of(subject, experiment, &parts->sm);
    parts->recorder = gp_recorder_new(kernel);
    parts->simulator = gp_simulator_new();
    parts->dram_share = calloc(kernel->memory_count + 1, sizeof *parts->dram_share);
    if (parts->program == NULL || parts->recorder == NULL || parts->simulator == NULL || parts->dram_share == NULL)
        return false;
    for (uint32_t m = 0; m <= kernel->memory_count; m++)
        parts->dram_share[m] = experiment->in_l2 ? 0 : 1;
    return true;
}

static void release(struct parts *parts)
{
    gp_program_free(parts->program);
    gp_recorder_free(parts->recorder);
    gp_simulator_free(parts->simulator);
    free(parts->dram_share);
}

bool simulate(const struct subject *subject, const struct gp_launch *launch, const struct experiment *experiment,
              double *start, double *finish, struct gp_sim_result *result, struct gp_error *error)
{
    struct parts parts = {0};
    struct gp_recording recording;
    bool done = prepare(subject, experiment, &parts) ? true : gp_fail(error, "out of memory");
    struct gp_record_options options = {
        .rows = experiment->groups, .sms = experiment->active_sms, .exhaustive = experiment->every_iteration};
    done = done && gp_record(parts.recorder, subject->device, &parts.sm, launch, &options, &recording, error);
    if (done) {
        struct gp_simulation simulation = {
            .sm = &parts.sm,
            .program = parts.program,
            .resident_groups = experiment->resident,
            .groups = experiment->groups,
            .warps_per_group = recording.warps_per_group,
            .warps = recording.warps,
            .rows = recording.rows,
            .group_step = recording.group_step,
            .warp_step = recording.warp_step,
            .dram_share = parts.dram_share,
            .active_sms = experiment->active_sms,
            .late_sms = experiment->active_sms,
            .l2_share = 1,
            .repairs = {.even_channels = true} /* where the other SMs' groups lie is not known */};
        gp_simulate(parts.simulator, &simulation, start, finish, result);
    }
    release(&parts);
    return done;
}
