/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How much of a launch is looked at: a quick look, all warps of a group and its neighbours where what they share
 * decides, a simulation beside. */
#include <math.h>

#include "model/predict/run.h"
#include "model/timing/cpu_locality.h"
#include "model/timing/pipes.h"
#include "model/timing/throughput.h"
#include "model/trace/trace_model.h"
#include "model/observe/combined_atomics.h"

/* ---- One look ---------------------------------------------------------------------------------------------------- */

/* Groups that an SM has at a time: as many as fit, and as the launch has for it. */
static double groups_at_once(const struct run *run)
{
    uint64_t grid[3];
    return fmin(run->occupancy.resident_groups,
                gp_groups_per_sm(run->device, (double)gp_launch_groups(run->launch, grid)));
}

/* What the unified data cache leaves to L1 beside the resident groups' local memory; separate caches keep theirs. */
static double l1_for_data(const struct run *run)
{
    const struct gp_device *d = run->device;
    double size = d->l1_size.value;
    if (gp_arch_is_nvidia_since(d->arch, GP_ARCH_VOLTA))
        size = fmax(size - (double)run->occupancy.groups * run->local_bytes, 0.1 * size);
    return size;
}

static bool gather(struct run *run, double resident, enum gp_sampling sampling, struct gp_error *error)
{
    run->predictor->last.kept = false;
    if (!gp_collect(run->predictor->collector, run->device, run->launch, resident, l1_for_data(run), run->registers,
                    sampling, &run->work, error))
        return false;
    gp_combine_atomics(run->device, run->predictor->kernel, &run->work);
    return true;
}

static bool gather_again(struct run *run, double resident, enum gp_sampling sampling, struct gp_error *error)
{
    uint64_t effort = run->work.effort, piloted = run->work.piloted, executed = run->work.executed;
    bool ok = gather(run, resident, sampling, error);
    run->work.effort += effort;
    run->work.piloted += piloted;
    run->work.executed += executed;
    return ok;
}

/* ---- How closely ------------------------------------------------------------------------------------------------- */

/* A CPU's caches are seen work-item by work-item, beside which more warps than a quick look has cost little. */
static bool is_walked(const struct run *run)
{
    return run->device->arch == GP_ARCH_CPU && run->options->affordable <= 0;
}

static enum gp_sampling first_look(const struct run *run)
{
    const struct gp_predict_options *options = run->options;
    if (options->quick)
        return is_walked(run) ? GP_SAMPLE_QUICK_WARPS : GP_SAMPLE_QUICK;
    if (gp_is_simulated(run))
        return GP_SAMPLE_QUICK_NEIGHBOURS;
    return options->every_iteration ? GP_SAMPLE_EVERY_ITERATION : GP_SAMPLE_FULL;
}

static bool is_image(const struct run *run, uint32_t buffer)
{
    for (uint32_t m = 0; m < run->work.memory_count; m++)
        if (run->work.memory[m].buffer == buffer && run->predictor->kernel->memory[m].space == GP_SPACE_IMAGE)
            return true;
    return false;
}

static bool touches_images(const struct run *run)
{
    for (uint32_t b = 0; b < run->work.buffer_count; b++)
        if (is_image(run, b))
            return true;
    return false;
}

/* Beside images a few coefficients, which all groups read: what is shared of them does not matter. */
static bool touches_images_mostly(const struct run *run)
{
    const double little = 0.03;
    double bytes = 0, others = 0;
    for (uint32_t b = 0; b < run->work.buffer_count; b++) {
        bytes += run->work.buffers[b].group_bytes;
        others += is_image(run, b) ? 0 : run->work.buffers[b].group_bytes;
    }
    return others < little * bytes;
}

/* A quick look does not see what warps and neighbouring groups share, such as halos and what L2 fetches beside a
 * group's lines: it then counts more than there is, of what the groups that have work go through. */
static bool may_share_lines(const struct run *run)
{
    const struct gp_work *work = &run->work;
    double busy = gp_work_busy(work);
    for (uint32_t b = 0; b < work->buffer_count; b++) {
        double bytes = work->buffers[b].group_bytes + work->buffers[b].fetched_beside;
        if (bytes * work->groups > 1.1 * busy * work->buffers[b].extent)
            return true;
    }
    return false;
}

/*
 * All warps of a group and its neighbours cost about ten quick looks; of a large group, as many again. Where memory
 * seems to limit and more to be moved than there is, times and warnings are wrong by as much without them: it may cost
 * three times what else a prediction may; beside a simulation, whose few warps and neighbours were seen before, some
 * ten milliseconds.
 */
static bool affords_neighbours(const struct run *run)
{
    double cost = 10 + (run->work.warps_per_group > 8 ? run->work.warps_per_group / 2 : 0), worth = 3,
           beside_simulation = 400000;
    if (gp_is_simulated(run) && cost * (double)run->work.effort > beside_simulation)
        return false;
    return run->options->affordable <= 0 || cost * (double)run->work.effort <= worth * run->options->affordable;
}

/* Where memory seems to limit or not to be far from it, what warps and neighbouring groups share decides. */
static bool counts_sharing(const struct run *run, const struct gp_timing *timing)
{
    const double not_far = 0.5;
    double busiest = timing->pipe_cycles[gp_busiest(timing->pipe_cycles)],
           memory = fmax(timing->pipe_cycles[GP_LIMITER_DRAM], timing->pipe_cycles[GP_LIMITER_L2]);
    bool decides =
        timing->limiter == GP_LIMITER_DRAM || timing->limiter == GP_LIMITER_L2 || memory >= not_far * busiest;
    return decides && !run->work.cut_off && affords_neighbours(run) && (may_share_lines(run) || touches_images(run));
}

/* What all may share has to be looked at with the neighbours, what warps of a group share without. */
static bool gather_sharing(struct run *run, double resident, struct gp_error *error)
{
    enum gp_texels_of of = GP_TEXELS_OF_SEVERAL;
    if ((touches_images_mostly(run) || !may_share_lines(run)) &&
        !gp_collector_texels_of(run->predictor->collector, run->launch, &of, error))
        return false;
    if (of == GP_TEXELS_OF_WARP)
        return true;
    bool alone = of == GP_TEXELS_OF_GROUP && run->work.warps_per_group <= GP_MOST_EXECUTED;
    return gather_again(run, resident, alone ? GP_SAMPLE_QUICK_WARPS : GP_SAMPLE_QUICK_SHARING, error);
}

/*
 * Beside a simulation few iterations and warps tell the work well enough where more would cost as much as the
 * simulation itself; but not how often a line is read that all warps of a group read.
 */
static bool gather_for_simulation(struct run *run, double resident, struct gp_error *error)
{
    enum { DEAR = 8000, DEAR_IF_UNEVEN = 20000, VERY_DEAR = 4 * DEAR };
    struct gp_timing timing;
    bool uneven = run->work.most.instructions >
                  2 * run->work.least.instructions; /* how many groups and warps there are of each kind decides */
    if (run->work.effort <= (uneven ? DEAR_IF_UNEVEN : DEAR))
        return gather(run, resident, GP_SAMPLE_FULL, error);
    gp_throughput(&run->work, &run->conditions, &timing);
    if (counts_sharing(run, &timing))
        return gather(run, resident, GP_SAMPLE_QUICK_SHARING, error);
    return run->work.effort > VERY_DEAR || gather(run, resident, GP_SAMPLE_QUICK_GROUPS, error);
}

static bool overruns_array(struct run *run)
{
    struct gp_executor *executor = gp_collector_executor(run->predictor->collector);
    return run->work.overrun.bytes > 0 &&
           gp_overrun_is_certain(&run->pilots, executor, run->predictor->kernel, run->launch,
                                 gp_device_lanes(run->device), &run->work.overrun);
}

/* Of a launch that overruns an array nothing else is asked: it is looked at no further than that. Where the overrun is
 * not certain it is looked at as if there were none. */
static bool gather_first(struct run *run, double resident, enum gp_sampling sampling, struct gp_error *error)
{
    struct gp_collector *collector = run->predictor->collector;
    gp_collector_stop_at_overrun(collector, true);
    bool ok = gather(run, resident, sampling, error);
    gp_collector_stop_at_overrun(collector, false);
    if (!ok || run->work.overrun.bytes == 0)
        return ok;
    run->overruns = overruns_array(run);
    return run->overruns || gather_again(run, resident, sampling, error);
}

/* Where the first warp of a group does more than the others (the end of a reduction, a halo) or the last less, these
 * two stand for none. Of lone groups all warps are looked at where these two took little. */
static bool affords_warps(const struct run *run)
{
    const double little = 3;
    return !run->options->lone_groups || run->options->affordable <= 0 ||
           (double)run->work.effort <= little * run->options->affordable;
}

static bool look_closely(struct run *run, double resident, struct gp_error *error)
{
    enum gp_sampling sampling = first_look(run);
    gp_collector_afford(run->predictor->collector, run->options->affordable, run->options->lone_groups);
    if (!gather_first(run, resident, sampling, error))
        return false;
    if (run->overruns)
        return true;
    if (run->options->quick && sampling != GP_SAMPLE_QUICK_WARPS && run->work.uneven_warps &&
        run->work.warps_per_group > 2 && affords_warps(run))
        return gather_again(run, resident, GP_SAMPLE_QUICK_WARPS, error);
    return sampling != GP_SAMPLE_QUICK_NEIGHBOURS || gather_for_simulation(run, resident, error);
}

static bool gather_work(struct run *run, double resident, struct gp_error *error)
{
    if (gp_take_last_look(run))
        return true;
    if (!look_closely(run, resident, error))
        return false;
    gp_keep_look(run);
    return true;
}

/* ---- And its time ------------------------------------------------------------------------------------------------ */

static bool begin_trace(struct run *run, struct gp_error *error)
{
    struct gp_predictor *predictor = run->predictor;
    if (predictor->tracer == NULL)
        predictor->tracer = gp_tracer_new(predictor->kernel);
    return gp_trace_begin(predictor->tracer, run->launch, &run->work, &run->conditions, l1_for_data(run), false, error);
}

bool gp_gather_and_time(struct run *run, struct gp_error *error)
{
    double resident =
        fmax(1, fmin(groups_at_once(run) * run->occupancy.warps_per_group, run->device->max_warps_per_sm.value));
    struct gp_conditions *c = &run->conditions;
    *c = (struct gp_conditions){
        .device = run->device, .resident_groups = run->occupancy.resident_groups, .cold = run->launch->cold};
    c->clock_mhz = run->options->clock_mhz > 0 ? run->options->clock_mhz : run->device->clock_mhz.value;
    gp_launch_groups(run->launch, c->grid);
    if (!gather_work(run, resident, error))
        return false;
    run->overruns = run->overruns || overruns_array(run);
    if (run->overruns)
        return true;
    gp_take_spills(run);
    c->spill_store_bytes = run->spill_store_bytes;
    c->spill_load_bytes = run->spill_load_bytes;
    c->spill_slot_bytes = run->spill_slot_bytes;
    if (gp_is_simulated(run) && !begin_trace(run, error))
        return false;
    if (is_walked(run) && !gp_cpu_walk(gp_collector_executor(run->predictor->collector), run->predictor->kernel,
                                       run->device, run->launch, &run->work, error))
        return false;
    gp_time_work(run, &run->work, c, &run->timing);
    if (!run->options->quick || run->options->lone_groups || is_walked(run) || !counts_sharing(run, &run->timing))
        return true;
    if (!gather_sharing(run, resident, error))
        return false;
    gp_time_work(run, &run->work, c, &run->timing);
    return true;
}
