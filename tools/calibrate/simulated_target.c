/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A known device, simulated: each launch goes through the trace simulator. One SM runs the groups that it would get,
 * while as many others as have groups do the same; a launch takes what that SM takes, plus the entry's launch cost on
 * the host. Every iteration is simulated, and chains are followed, whose contents the executor reads.
 */
#include "tools/calibrate/target.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compile/compile.h"
#include "model/assume/defaults.h"
#include "model/launch/occupancy.h"
#include "model/value/inst_facts.h"
#include "model/trace/trace.h"
#include "support/random.h"

enum { MOST_PROGRAMS = 16, MOST_ROWS = 4096 };

struct compiled {
    const char *name;
    struct gp_profile *profile;
};

struct simulated {
    struct gp_target target;
    struct gp_device *device;
    struct compiled programs[MOST_PROGRAMS];
    size_t program_count;
    struct gp_simulator *simulator;
    struct gp_sm sm;
    double noise;
    uint64_t random;
    double last_cycles; /* of what was simulated last, which repeats have */
};

/* ---- Kernels ----------------------------------------------------------------------------------------------------- */

static const struct gp_profile *profile_of(struct simulated *s, const char *name, struct gp_error *error)
{
    for (size_t i = 0; i < s->program_count; i++)
        if (strcmp(s->programs[i].name, name) == 0)
            return s->programs[i].profile;
    char path[64];
    const char *arguments[] = {"-cl-std=CL2.0", "-cl-denorms-are-zero", NULL};
    struct gp_compile_result result;
    snprintf(path, sizeof path, "%s.cl", name);
    struct gp_compile_request request = {.source_path = path,
                                         .source_text = gp_program_text(name),
                                         .language = "opencl",
                                         .arguments = arguments,
                                         .device = s->device};
    if (!gp_compile(&request, &result, error))
        return NULL;
    s->programs[s->program_count++] = (struct compiled){name, result.profile};
    result.profile = NULL;
    gp_compile_result_free(&result);
    return s->programs[s->program_count - 1].profile;
}

/* ---- A launch ---------------------------------------------------------------------------------------------------- */

/* Arguments are (in, out, count, other). */
static void state_launch(const struct gp_kernel *kernel, const struct gp_run *run, const struct gp_contents *contents,
                         struct gp_launch *launch)
{
    const uint64_t global[3] = {run->groups * run->local, 1, 1};
    gp_launch_default(kernel, launch);
    gp_launch_set_global(kernel, launch, 1, global);
    launch->local[0] = run->local;
    launch->local[1] = launch->local[2] = 1;
    launch->local_stated = true;
    launch->arguments[0].bytes = run->in_bytes;
    launch->arguments[1].bytes = run->out_bytes;
    launch->arguments[0].contents = run->chain != NULL ? contents : NULL;
    const int32_t numbers[] = {run->count, run->other};
    for (uint32_t i = 0; i < 2 && 2 + i < kernel->param_count; i++)
        launch->arguments[2 + i] = (struct gp_argument){.known = true, .stated = true, .value = (uint32_t)numbers[i]};
}

static uint32_t resident_groups(const struct simulated *s, const struct gp_kernel *kernel, const struct gp_run *run,
                                struct gp_error *error)
{
    const struct gp_resources *resources = gp_kernel_resources(kernel, run->local);
    struct gp_occupancy occupancy;
    if (!gp_occupancy(s->device, run->local, resources != NULL ? resources->registers : 0,
                      resources != NULL ? resources->scalar_registers : 0, gp_kernel_local_bytes(kernel), &occupancy,
                      error))
        return 0;
    double groups =
        floor(occupancy.resident_groups * s->sm.lsu_units + 1e-9); /* a work-group processor holds two CUs' */
    return groups > 1 ? (uint32_t)groups : 1;
}

/* Of first touches, those that go to DRAM. */
static float share_from_dram(const struct simulated *s, const struct gp_run *run, bool writes)
{
    if (run->resident_data)
        return 0;
    if (run->copied != GP_COPIED_DATA || writes)
        return 1;
    return (float)fmax(0, 1 - s->device->l2_size.value / (double)run->in_bytes);
}

static bool simulate(struct simulated *s, const struct gp_kernel *kernel, const struct gp_launch *launch,
                     const struct gp_run *run, uint32_t resident, double *cycles, struct gp_error *error)
{
    double sms = fmin(s->sm.sm_count, (double)run->groups), each = ceil((double)run->groups / s->sm.sm_count);
    const struct gp_resources *resources = gp_kernel_resources(kernel, run->local);
    struct gp_recorder *recorder = gp_recorder_new(kernel);
    struct gp_program *program =
        gp_program_new(kernel, s->device, &s->sm, 0, 1, resources != NULL ? resources->registers : 0);
    float *from_dram = calloc(kernel->memory_count + 1, sizeof *from_dram);
    struct gp_record_options options = {.rows = (uint32_t)fmin(each, MOST_ROWS), .sms = sms, .exhaustive = true};
    struct gp_recording recording;
    struct gp_sim_result result;
    for (uint32_t m = 0; m <= kernel->memory_count; m++)
        from_dram[m] = share_from_dram(s, run, m == kernel->memory_count || gp_memory_writes(&kernel->memory[m]));
    bool done = gp_record(recorder, s->device, &s->sm, launch, &options, &recording, error);
    if (done) {
        struct gp_simulation simulation = {.sm = &s->sm,
                                           .program = program,
                                           .resident_groups = resident,
                                           .groups = (uint32_t)each,
                                           .common_groups = (uint32_t)each,
                                           .warps_per_group = recording.warps_per_group,
                                           .warps = recording.warps,
                                           .rows = recording.rows,
                                           .group_step = recording.group_step,
                                           .warp_step = recording.warp_step,
                                           .ranges = recording.ranges,
                                           .dram_share = from_dram,
                                           .active_sms = sms,
                                           .late_sms = sms,
                                           .l2_share = 1,
                                           .whole_caches = true,
                                           .repairs = {.even_channels = true}}; /* where the others' groups lie is not
                                                                                   known */
        gp_simulate(s->simulator, &simulation, run->start, run->finish, &result);
        *cycles = result.cycles;
    }
    free(from_dram);
    gp_program_free(program);
    gp_recorder_free(recorder);
    return done;
}

/* ---- Times ------------------------------------------------------------------------------------------------------- */

/* About the normal distribution: the sum of twelve uniform numbers. */
static double draw(struct simulated *s)
{
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += (double)(gp_next_random(&s->random) >> 11) / (double)(UINT64_C(1) << 53);
    return sum;
}

/* Noise upon the times of groups. */
static void blur(struct simulated *s, const struct gp_run *run)
{
    size_t groups = (size_t)ceil((double)run->groups / s->sm.sm_count);
    for (size_t g = 0; run->start != NULL && s->noise > 0 && g < groups; g++) {
        run->start[g] *= fmax(0.1, 1 + s->noise * draw(s));
        run->finish[g] *= fmax(0.1, 1 + s->noise * draw(s));
    }
}

static bool time_run(struct gp_target *target, const struct gp_run *run, struct gp_times *times, struct gp_error *error)
{
    struct simulated *s = (struct simulated *)target;
    static struct gp_launch launch;
    const struct gp_profile *profile = profile_of(s, run->program, error);
    const struct gp_kernel *kernel = profile != NULL ? gp_profile_find(profile, run->kernel) : NULL;
    const struct gp_contents contents = {run->chain, run->in_bytes, !run->offsets};
    double cycles = s->last_cycles;
    if (kernel == NULL)
        return profile == NULL ? false : gp_fail(error, "%s.cl has no kernel '%s'", run->program, run->kernel);
    if (!run->again) {
        state_launch(kernel, run, &contents, &launch);
        uint32_t resident = resident_groups(s, kernel, run, error);
        if (resident == 0 || !simulate(s, kernel, &launch, run, resident, &cycles, error))
            return false;
        s->last_cycles = cycles;
        blur(s, run);
    }
    double factor = s->noise > 0 ? fmax(0.1, 1 + s->noise * draw(s)) : 1;
    times->device = factor * cycles * 1e3 / s->target.clock_mhz;
    times->host = times->device + factor * s->device->launch_ns.value;
    return true;
}

static void close_target(struct gp_target *target)
{
    struct simulated *s = (struct simulated *)target;
    for (size_t i = 0; i < s->program_count; i++)
        gp_profile_free(s->programs[i].profile);
    gp_simulator_free(s->simulator);
    gp_device_free(s->device);
    free(s);
}

struct gp_target *gp_simulated_target(const char *name, double noise, struct gp_error *error)
{
    struct gp_device *device = gp_device_load(name, getenv("GPUPERF_HWDB"), error);
    if (device == NULL)
        return NULL;
    if (device->arch == GP_ARCH_CPU) {
        gp_fail(error,
                "'%s' is a CPU, which the trace simulator does not simulate; name a GPU, or measure with --opencl",
                name);
        gp_device_free(device);
        return NULL;
    }
    struct simulated *s = calloc(1, sizeof *s);
    s->simulator = gp_simulator_new();
    gp_sm_of(device, device->clock_mhz.value, device->l1_size.value, &s->sm);
    s->device = device;
    s->noise = noise;
    s->random = 1;
    s->target = (struct gp_target){.clock_mhz = device->clock_mhz.value,
                                   .units = (uint32_t)device->sm_count.value,
                                   .warp = (uint32_t)device->warp_width.value,
                                   .most_local = (uint32_t)device->max_threads_per_block.value,
                                   .most_bytes = UINT64_C(2) << 30,
                                   .halves = s->sm.lsu_units,
                                   .told_cache = (uint64_t)device->l2_size.value,
                                   .doubles = device->fp64_lanes.value > 0,
                                   .shuffles = device->arch >= GP_ARCH_KEPLER,
                                   .has_group_times = true,
                                   .known = device,
                                   .time = time_run,
                                   .close = close_target};
    snprintf(s->target.title, sizeof s->target.title, "%s, simulated", device->title);
    return &s->target;
}
