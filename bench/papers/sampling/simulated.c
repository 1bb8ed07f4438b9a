/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "bench/papers/sampling/simulated.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/papers/simulate.h"
#include "model/assume/defaults.h"
#include "model/assume/stated.h"
#include "model/launch/occupancy.h"

/* The groups of the first SM, in order: SM s of S has group s + k S as its k-th. */
struct bed {
    struct subject subject;
    struct gp_sm sm;
    struct gp_program *program;
    struct gp_simulator *simulator;
    struct gp_recorder **recorders; /* one for each group, which own what `warps` points to */
    struct gp_sim_warp *warps;
    float *dram_share;
    bool *branches; /* per block: it ends in one */
    uint32_t groups, resident, warps_per_group, sms;
    int64_t *warp_step;
};

static void close_bed(struct bed *bed)
{
    for (uint32_t g = 0; bed->recorders != NULL && g < bed->groups; g++)
        gp_recorder_free(bed->recorders[g]);
    free(bed->recorders);
    free(bed->warps);
    free(bed->dram_share);
    free(bed->branches);
    free(bed->warp_step);
    gp_program_free(bed->program);
    gp_simulator_free(bed->simulator);
}

static void find_branches(struct bed *bed)
{
    const struct gp_kernel *kernel = bed->subject.kernel;
    for (uint32_t b = 0; b < kernel->block_count; b++)
        for (uint32_t i = kernel->blocks[b].inst; i < kernel->blocks[b].inst + kernel->blocks[b].inst_count; i++)
            bed->branches[b] |= kernel->insts[i].op == GP_OP_CONDBR || kernel->insts[i].op == GP_OP_SWITCH;
}

static bool open_bed(struct bed *bed, uint32_t registers, struct gp_error *error)
{
    const struct gp_kernel *kernel = bed->subject.kernel;
    const struct gp_device *device = bed->subject.device;
    gp_sm_of(device, device->clock_mhz.value, device->l1_size.value, &bed->sm);
    bed->program = gp_program_new(kernel, device, &bed->sm, 0, 1, registers);
    bed->simulator = gp_simulator_new();
    bed->recorders = calloc(bed->groups, sizeof *bed->recorders);
    bed->warps = calloc((size_t)bed->groups * bed->warps_per_group, sizeof *bed->warps);
    bed->dram_share = calloc(kernel->memory_count + 1, sizeof *bed->dram_share);
    bed->branches = calloc(kernel->block_count, sizeof *bed->branches);
    bed->warp_step = calloc(kernel->memory_count + 1, sizeof *bed->warp_step);
    if (bed->program == NULL || bed->simulator == NULL || bed->recorders == NULL || bed->warps == NULL ||
        bed->dram_share == NULL || bed->branches == NULL || bed->warp_step == NULL)
        return gp_fail(error, "out of memory");
    for (uint32_t m = 0; m <= kernel->memory_count; m++)
        bed->dram_share[m] = 1;
    find_branches(bed);
    return true;
}

/* Each group is recorded by itself, at its own place. */
static bool record_groups(struct bed *bed, const struct gp_launch *launch, struct gp_error *error)
{
    const struct gp_kernel *kernel = bed->subject.kernel;
    for (uint32_t g = 0; g < bed->groups; g++) {
        const uint64_t place[3] = {(uint64_t)g * bed->sms, 0, 0};
        struct gp_record_options options = {
            .rows = 1, .sms = bed->sms, .affordable = 4000, .uneven_warps = true, .like = place};
        struct gp_recording recording;
        bed->recorders[g] = gp_recorder_new(kernel);
        if (bed->recorders[g] == NULL)
            return gp_fail(error, "out of memory");
        if (!gp_record(bed->recorders[g], bed->subject.device, &bed->sm, launch, &options, &recording, error))
            return false;
        if (recording.warps_per_group != bed->warps_per_group)
            return gp_fail(error, "%s: a group of other warps", kernel->name);
        memcpy(bed->warps + (size_t)g * bed->warps_per_group, recording.warps,
               bed->warps_per_group * sizeof *bed->warps);
        memcpy(bed->warp_step, recording.warp_step, (kernel->memory_count + 1) * sizeof *bed->warp_step);
    }
    return true;
}

static void count_access(const struct gp_trace_access *access, double weight, struct instance *sums)
{
    double extra = fmax(0, access->wavefronts - 1) + access->replays;
    sums->issued += weight * (extra + access->contention);
    sums->serialised += weight * (access->contention + access->replays);
    if (access->path == GP_PATH_LOCAL) {
        sums->shared += weight;
        sums->conflicts += weight * extra;
        return;
    }
    sums->l1_requests += weight;
    sums->transactions += weight * access->segment_count;
}

/* What performance counters would say of the groups, per SM: from the traces. */
static void count_groups(const struct bed *bed, uint32_t groups, struct instance *sums)
{
    for (size_t w = 0; w < (size_t)groups * bed->warps_per_group; w++) {
        const struct gp_trace *trace = bed->warps[w].trace;
        for (uint32_t v = 0; trace != NULL && v < trace->visit_count; v++) {
            const struct gp_visit *visit = &trace->visits[v];
            uint32_t end = v + 1 < trace->visit_count ? trace->visits[v + 1].access : trace->access_count;
            sums->executed += visit->weight * visit->instructions;
            sums->branches +=
                visit->block < bed->subject.kernel->block_count && bed->branches[visit->block] ? visit->weight : 0;
            sums->divergent += visit->idle > 0 ? visit->weight : 0;
            for (uint32_t a = visit->access; a < end; a++)
                count_access(&trace->accesses[a], visit->weight, sums);
        }
    }
    sums->issued += sums->executed;
}

static bool time_groups(struct bed *bed, uint32_t groups, struct instance *instance)
{
    struct gp_sim_result result;
    struct gp_simulation simulation = {.sm = &bed->sm,
                                       .program = bed->program,
                                       .resident_groups = bed->resident,
                                       .groups = groups,
                                       .warps_per_group = bed->warps_per_group,
                                       .warps = bed->warps,
                                       .rows = bed->groups,
                                       .warp_step = bed->warp_step,
                                       .dram_share = bed->dram_share,
                                       .active_sms = bed->sms,
                                       .late_sms = bed->sms,
                                       .l2_share = 1,
                                       .repairs = {.even_channels = true}};
    gp_simulate(bed->simulator, &simulation, NULL, NULL, &result);
    instance->ns = instance->wall_ns = result.cycles / bed->subject.device->clock_mhz.value * 1e3;
    instance->l1_misses = fmax(0, result.segments - result.l1_hits);
    instance->l2_misses = result.dram_segments;
    return true;
}

static bool time_points(struct bed *bed, const struct named_kernel *kernel, struct instance whole,
                        struct gp_error *error)
{
    whole.kind = kernel->kind;
    snprintf(whole.kernel, sizeof whole.kernel, "%s", kernel->name);
    for (int p = 0; p < POINTS; p++) {
        struct instance instance = whole;
        instance.multiple = multiples[p];
        instance.groups = multiples[p] * bed->resident;
        instance.items = instance.groups * instance.local;
        count_groups(bed, (uint32_t)instance.groups, &instance);
        if (!time_groups(bed, (uint32_t)instance.groups, &instance))
            return gp_fail(error, "out of memory");
        print_instance(&instance);
    }
    return true;
}

static bool simulate_kernel(struct subject *subject, const char *device, const struct named_kernel *kernel,
                            uint32_t local, struct gp_error *error)
{
    static struct gp_launch launch;
    struct gp_occupancy occupancy;
    if (!subject_choose(subject, kernel->name, error))
        return false;
    const struct gp_resources *resources = gp_kernel_resources(subject->kernel, local);
    if (!gp_occupancy(subject->device, local, resources->registers, resources->scalar_registers,
                      gp_kernel_local_bytes(subject->kernel), &occupancy, error))
        return false;
    struct bed bed = {.subject = *subject,
                      .sms = (uint32_t)subject->device->sm_count.value,
                      .resident = occupancy.groups,
                      .warps_per_group = occupancy.warps_per_group,
                      .groups = multiples[POINTS - 1] * occupancy.groups};
    char text[96];
    snprintf(text, sizeof text, "global=%u:local=%u:n=%d:groups=%u", bed.groups * bed.sms * local, local, kernel->trips,
             bed.groups * bed.sms);
    gp_launch_default(subject->kernel, &launch);
    struct instance whole = {
        .local = local, .psat = occupancy.groups, .active = occupancy.groups, .registers = resources->registers};
    snprintf(whole.device, sizeof whole.device, "%s", device);
    bool done = gp_launch_assume(subject->kernel, &launch, text, error) &&
                open_bed(&bed, resources->registers, error) && record_groups(&bed, &launch, error) &&
                time_points(&bed, kernel, whole, error);
    close_bed(&bed);
    return done;
}

bool simulate_device(const char *device, const char *only, struct gp_error *error)
{
    struct subject subject;
    if (!subject_open(device, "sampling/kernels.cl", named_kernels[0].name, NULL, &subject, error))
        return false;
    bool done = true;
    for (int i = 0; done && i < named_kernel_count; i++) {
        const struct named_kernel *kernel = &named_kernels[i];
        if (only == NULL || strcmp(only, kernel->name) == 0)
            done = simulate_kernel(&subject, device, kernel, kernel->kind == FEW ? 32 : 256, error);
    }
    subject_close(&subject);
    return done;
}
