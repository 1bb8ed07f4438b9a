/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Gathers the work of a launch: runs sampled warps through the executor and watches.
 *
 *   - A scoreboard (schedule.h) follows the warp as if it were alone on an SM. The time that passes in a visit of a
 * block, times the visit's weight, adds up to the chain (collect_blocks.c).
 *   - Requests are costed one by one; a set of lines (reuse.h) tells what the warp's group touched before
 * (collect_touch.c).
 *   - Where lanes part at a branch, what each side costs beyond its share of the lanes is that branch's excess.
 *
 * Sampled execution shows a loop's first two iterations and then single ones that stand for many; what lies between is
 * looked at all the same (skipped_iterations.h).
 */
#include "model/observe/collect_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/compilers/counted_turns.h"
#include "model/compilers/driver_turns.h"
#include "model/assume/guards.h"
#include "model/sampling/fewer_samples.h"
#include "model/observe/coalesced_misses.h"
#include "model/sampling/two_phase.h"
#include "model/sampling/sampled_warps.h"
#include "model/sampling/varied_groups.h"

/* Visits of blocks after which a warp is cut off. Quick: the warps of a prediction share them. */
enum { MOST_VISITS = 20000 };

void gp_collector_for_drivers(struct gp_collector *c, enum gp_unrolled_by unrolled_by)
{
    gp_find_driver_turns(c->kernel, unrolled_by, c->code.turns);
    gp_find_counted_turns(c->kernel, unrolled_by, c->code.counted);
    c->code.for_drivers = true;
}

void gp_collector_afford(struct gp_collector *c, double effort, bool lone)
{
    c->effort.affordable = effort;
    c->effort.lone = lone;
}

void gp_collector_stop_at_overrun(struct gp_collector *c, bool stop) { c->effort.stops_at_overrun = stop; }

struct gp_executor *gp_collector_executor(struct gp_collector *collector) { return collector->executor; }

/* ---- Running the sample ------------------------------------------------------------------------------------------ */

static void start_run(struct gp_collector *c)
{
    const struct gp_kernel *kernel = c->kernel;
    memset(c->memory, 0, kernel->memory_count * sizeof *c->memory);
    memset(c->branches, 0, kernel->branch_count * sizeof *c->branches);
    for (uint32_t b = 0; b < kernel->block_count; b++)
        c->block_work[b].visits = c->block_work[b].chain = 0, c->block_work[b].parted_by = GP_NONE;
    for (uint32_t b = 0; b < c->buffer_count; b++) {
        c->buffers[b] =
            (struct gp_buffer_work){.base = c->buffers[b].base, .read_and_written = c->near.read_and_written[b]};
        c->touch.reaches[b] =
            (struct reach){GP_SYMBOL_UNKNOWN, false, INFINITY, -INFINITY, {UINT64_MAX, UINT64_MAX, UINT64_MAX}, {0}};
    }
    for (uint32_t m = 0; m < kernel->memory_count; m++)
        c->survey.surveyed[m] = (struct surveyed){.fewer = 1, .low = INFINITY, .high = -INFINITY};
    memset(c->near.probes, 0, c->buffer_count * sizeof *c->near.probes);
    memset(c->near.crossed, 0, c->buffer_count * sizeof *c->near.crossed);
    gp_unit_set_clear(&c->near.read);
    gp_unit_set_clear(&c->near.written);
    gp_unit_set_clear(&c->near.stored);
    memset(c->touch.boxes, 0, kernel->memory_count * sizeof *c->touch.boxes);
    memset(c->near.began, 0, kernel->memory_count * sizeof *c->near.began);
    c->near.probing = 0;
    c->purpose = COUNT;
    c->touch.private_bytes_known = false;
    c->near.keeping_words = c->survey.was_surveyed = c->effort.thinned = false;
    c->waits.longest = c->waits.longest_light = (struct longest){0};
}

static size_t groups_of(const struct gp_sample *samples, size_t count)
{
    size_t groups = 0;
    for (size_t first = 0; first < count; first += gp_samples_of_group(samples, count, first))
        groups++;
    return groups;
}

/* Groups that are looked at closely. In haste no more than it affords: a warp costs some times what a pilot run of it
 * does. */
static uint32_t few_groups(const struct gp_collector *c, const struct gp_pilots *pilots)
{
    enum { FEW = 48, QUICK_FEW = 24, LEAST = 3, CLOSELY = 4 };
    double pilot = (double)pilots->spent / fmax(1, (double)pilots->made);
    return !c->effort.quick ? FEW
           : c->effort.affordable <= 0
               ? QUICK_FEW
               : (uint32_t)fmax(LEAST, fmin(QUICK_FEW, c->effort.affordable / (CLOSELY * pilot)));
}

/* In place of the samples, those of groups all over the range; all of them and their warps where every iteration is
 * asked for. False: that could not be done. */
static bool sample_all_over(struct gp_collector *c, struct gp_pilots *pilots, const struct gp_launch *launch,
                            uint32_t most_warps, struct gp_sample **samples, size_t *count)
{
    enum { MANY = 1024, QUICK_MANY = 256 };
    bool all = c->effort.every_iteration;
    pilots->affordable = all ? UINT64_MAX : pilots->affordable;
    struct gp_two_phase all_over = gp_sample_two_phase(pilots, c->executor, launch, gp_device_lanes(c->device),
                                                       all ? UINT32_MAX : few_groups(c, pilots),
                                                       all               ? UINT32_MAX
                                                       : c->effort.quick ? QUICK_MANY
                                                                         : MANY,
                                                       all ? 0 : most_warps);
    free(all_over.count > 0 ? *samples : all_over.samples);
    if (all_over.count == 0)
        return false;
    *samples = all_over.samples;
    *count = all_over.count;
    c->leading = all_over.leading;
    c->work->uncertain = all_over.uncertain;
    c->work->varied = true;
    return true;
}

/* Whether a second warp, which takes as long as a few times the kernel's length, is too much. */
static bool affords_one(const struct gp_collector *c)
{
    const double warp = 3;
    return c->effort.lone && c->effort.affordable > 0 && c->effort.affordable < warp * c->kernel->inst_count;
}

/* Where groups do different work, those at many places; else few stand for all, and fewer for a quick look. */
static size_t choose_samples(struct gp_collector *c, const struct gp_launch *launch, enum gp_sampling sampling,
                             bool all_warps, struct gp_cuts cuts[3], struct gp_sample **samples)
{
    uint32_t most_warps = all_warps ? GP_MOST_EXECUTED : 2;
    uint32_t lanes = gp_device_lanes(c->device), few = 3,
             most_groups =
                 c->effort.quick && sampling != GP_SAMPLE_QUICK_GROUPS ? few : gp_sample_groups(launch, lanes);
    gp_guard_cuts(c->kernel, launch, cuts);
    size_t count = gp_sample_between(launch, cuts, lanes, most_groups, most_warps, samples);
    c->code.at_points = false;
    if (count > 0 && c->effort.quick && !all_warps && affords_one(c)) {
        c->leading = 0;
        return gp_keep_middle_sample(*samples, count);
    }
    size_t heaviest = count > 0 ? gp_heaviest_group(*samples, count) : 0,
           in_group = count > 0 ? gp_samples_of_group(*samples, count, heaviest) : 0;
    struct gp_pilots pilots = gp_pilots_of(c->effort.quick ? c->effort.affordable : 0, MOST_VISITS);
    c->code.at_points =
        c->code.groups_may_differ && (double)groups_of(*samples, count) < c->work->groups &&
        gp_groups_differ(&pilots, c->executor, launch, lanes, *samples + heaviest, in_group, c->effort.quick) &&
        sample_all_over(c, &pilots, launch, most_warps, samples, &count);
    if (!c->code.at_points && !c->effort.quick && count > 0) {
        gp_take_in_unseen_warps(&pilots, c->executor, c->kernel, launch, lanes, *samples, count);
        struct gp_pilots more = gp_pilots_of(0, MOST_VISITS);
        more.sparse = true;
        gp_weigh_warps_alike(&more, c->executor, c->kernel, launch, cuts, lanes, *samples, count);
        pilots.spent += more.spent;
    }
    c->work->piloted = pilots.spent;
    if (c->code.at_points || count == 0)
        return count;
    count = c->effort.quick ? gp_thin_out_samples(*samples, count, all_warps ? 2 : 1, launch, lanes, cuts)
                            : gp_thin_out_edges(*samples, count);
    c->leading = cuts[0].count + cuts[1].count + cuts[2].count == 0
                     ? gp_heaviest_group(*samples, count)
                     : gp_leading_sample(&pilots, c->executor, launch, lanes, *samples, count, &c->work->varied);
    c->work->piloted = pilots.spent;
    return count;
}

double gp_collector_effort(const struct gp_collector *c, size_t count, size_t done)
{
    return (double)c->work->effort * (double)count / (double)done;
}

/*
 * After the first group. Where no warp is followed to its end, as in a large window whose loops must be gone through
 * from end to end, the time is that of a part in any case: it is not worth a minute for all local sizes.
 */
static bool takes_too_long(const struct gp_collector *c, size_t done, size_t count)
{
    const double most = 2e8; /* seconds: with a warp for the groups little is known of what they touch */
    if (c->code.at_points)
        return false;
    if (!c->effort.quick)
        return (c->work->cut_off || gp_collector_effort(c, count, done) > most) && !c->effort.every_iteration;
    return c->effort.affordable > 0 && gp_collector_effort(c, count, done) > c->effort.affordable;
}

static bool was_stopped(const struct gp_collector *c)
{
    return c->effort.stops_at_overrun && c->work->overrun.bytes > 0;
}

static bool run_samples(struct gp_collector *c, const struct gp_launch *launch, struct gp_sample *samples, size_t count,
                        double warps, bool keep, struct gp_error *error)
{
    double squares = 0, shares = 0, products = 0;
    c->effort.dear = false;
    c->effort.undecided = c->effort.quick || c->effort.every_iteration ? 0 : count;
    size_t in_group = gp_samples_of_group(samples, count, c->leading);
    if (keep && in_group > 2 && in_group < c->work->warps_per_group && c->work->warps_per_group <= MOST_SURVEYED &&
        !gp_collector_survey(c, launch, &samples[c->leading], in_group, error))
        return false;
    for (size_t first = 0; first < count && !was_stopped(c); first += in_group) {
        c->leading_samples = &samples[c->leading];
        in_group = gp_samples_of_group(samples, count, first);
        double before = c->work->instructions, share = gp_samples_weight(samples, first, in_group) / warps;
        bool kept = keep && first == c->leading;
        c->touch.boxing = c->effort.quick && !keep && first == c->leading;
        if (c->touch.boxing)
            memcpy(c->touch.boxed_group, samples[first].group, sizeof c->touch.boxed_group);
        if (!(kept ? gp_collector_run_and_keep : gp_collector_run_group)(c, launch, &samples[first], in_group, warps,
                                                                         error))
            return false;
        c->touch.boxing = false;
        double executed = c->work->instructions - before;
        squares += executed * executed;
        shares += share * share;
        products += share * executed;
        if (first == 0 && count > in_group + 1 && takes_too_long(c, in_group, count)) {
            count = in_group + gp_keep_middle_sample(&samples[in_group], count - in_group);
            c->leading = c->leading > 0 ? in_group : 0; /* the one that is kept stands for it */
            c->effort.thinned = true;
        }
    }
    double all = c->work->instructions;
    if (isnan(c->work->uncertain)) /* of a mean of groups with these shares (Cochran, "Sampling Techniques", ratio
                                      estimates) */
        c->work->uncertain = all > 0 ? sqrt(fmax(0, squares - 2 * all * products + all * all * shares)) / all : 0;
    return true;
}

/* ---- What follows from all of it --------------------------------------------------------------------------------- */

static double *bytes_of_loop(struct gp_collector *c, uint32_t memory)
{
    uint32_t loop = c->kernel->blocks[c->code.block_of[memory]].loop;
    return &c->touch.loop_bytes[loop == GP_NONE ? c->kernel->loop_count : loop];
}

static void sum_iterations(struct gp_collector *c)
{
    memset(c->touch.loop_bytes, 0, (c->kernel->loop_count + 1) * sizeof *c->touch.loop_bytes);
    for (uint32_t m = 0; m < c->kernel->memory_count; m++) {
        *bytes_of_loop(c, m) += c->memory[m].l2_bytes - c->memory[m].reuse.awaited_bytes;
        c->memory[m].reuse.stayed_bytes = fmax(0, c->memory[m].reuse.stayed_bytes);
    }
    for (uint32_t m = 0; m < c->kernel->memory_count; m++)
        c->memory[m].reuse.iteration_bytes =
            c->memory[m].requests > 0 ? *bytes_of_loop(c, m) / c->memory[m].requests : 0;
}

/* Latency of the cache that serves loads of buffers; 0: what is stored is not found there in any case, images lie in
 * blocks, and constants that are asked for one after another belong elsewhere. */
static double hit_latency(const struct gp_collector *c, const struct gp_memory *memory)
{
    bool other =
        memory->space == GP_SPACE_IMAGE || gp_memory_reads_constants(c->device, memory) || gp_is_on_chip(memory);
    if (other || gp_memory_writes(memory) || !gp_memory_reads_cached(c->device, memory))
        return 0;
    return gp_memory_reads_texture_cache(c->device, memory) ? c->device->tex_latency.value
                                                            : c->device->l1_latency.value;
}

static void repair_misses(struct gp_collector *c)
{
    const struct gp_device *d = c->device;
    const struct gp_l1_fill fill = {d->l2_latency.value, fmax(d->l2_latency.value, d->dram_latency.value),
                                    c->line.bytes, c->lsu_port, c->l1_bytes / fmax(1, c->resident_warps)};
    struct gp_l1_access *access = malloc((c->kernel->memory_count + 1) * sizeof *access);
    for (uint32_t m = 0; m < c->kernel->memory_count; m++) {
        access[m] =
            (struct gp_l1_access){hit_latency(c, &c->kernel->memory[m]), c->kernel->blocks[c->code.block_of[m]].loop};
        c->memory[m].buffer = c->code.buffer_of[m];
        c->memory[m].ideal.misses = c->memory[m].misses;
        c->memory[m].ideal.dram_latency = c->memory[m].dram_latency;
        c->memory[m].ideal.again = c->memory[m].reuse.again;
        c->memory[m].ideal.lost = c->memory[m].reuse.lost;
        c->memory[m].ideal.since = c->memory[m].reuse.since;
    }
    gp_repair_misses(&fill, access, c->memory, c->kernel->memory_count, c->buffer_count);
    free(access);
}

/* Of groups that stand for few only some warps are executed, which seem to wait for all that they share with the
 * others: little more than others' says nothing. */
static struct longest longest_group(const struct gp_collector *c)
{
    return c->waits.longest_light.chain > 2 * c->waits.longest.chain ? c->waits.longest_light : c->waits.longest;
}

/* What the run at hand is of. */
static void take_launch(struct gp_collector *c, const struct gp_device *device, const struct gp_launch *launch,
                        double resident_warps, double l1_bytes, double registers, struct gp_work *work)
{
    uint32_t lanes = gp_device_lanes(device);
    if (c->waits.times != NULL && (device != c->device || registers != c->registers))
        gp_block_times_forget(c->waits.times);
    if (device != c->device)
        memset(c->waits.has_slots, 0, c->kernel->block_count * sizeof *c->waits.has_slots);
    c->device = device;
    c->work = work;
    c->row = launch->local[0] < lanes ? launch->local[0] : lanes;
    c->resident_warps = resident_warps;
    c->l1_bytes = l1_bytes;
    c->registers = registers;
    uint32_t unit = (uint32_t)(device->l1_sector.value > 0 ? device->l1_sector.value
                               : device->l1_line.value > 0 ? device->l1_line.value
                                                           : 64);
    c->line = (struct gp_unit){unit, (unit & (unit - 1)) == 0 ? __builtin_ctz(unit) : -1};
    c->sectors = device->l1_line.value > unit ? (uint32_t)device->l1_line.value / unit : 1;
    c->lsu_port = fmax(16, device->l2_bytes_per_clk.value / device->sm_count.value);
}

static struct gp_work empty_work(const struct gp_collector *c, const struct gp_launch *launch, uint32_t lanes,
                                 double registers, uint64_t groups[3])
{
    double items = (double)gp_launch_group_items(launch);
    double warps = ceil(items / lanes);
    return (struct gp_work){.registers = registers,
                            .least = {.instructions = INFINITY},
                            .most = {.instructions = -1},
                            .groups = (double)gp_launch_groups(launch, groups),
                            .warps_per_group = warps,
                            .lanes_used = items / (warps * lanes),
                            .blocks = c->block_work,
                            .block_count = c->kernel->block_count,
                            .memory = c->memory,
                            .memory_count = c->kernel->memory_count,
                            .branches = c->branches,
                            .branch_count = c->kernel->branch_count,
                            .buffers = c->buffers,
                            .buffer_count = c->buffer_count};
}

/* What each memory operation is of, and on how many places atomics fall. */
static void finish_memory(struct gp_collector *c, struct gp_work *work)
{
    for (uint32_t m = 0; m < work->memory_count; m++) {
        work->memory[m].buffer = c->code.buffer_of[m];
        work->memory[m].writes = gp_memory_writes(&c->kernel->memory[m]);
        work->memory[m].l2_busy =
            work->memory[m].l2_bytes > 0 ? fmax(1, work->memory[m].l2_busy / work->memory[m].l2_bytes) : 1;
        gp_collector_addresses(c, m, &work->memory[m]);
        work->buffers[c->code.buffer_of[m]].read_again |= work->memory[m].reuse.again > 0;
    }
}

bool gp_collect(struct gp_collector *c, const struct gp_device *device, const struct gp_launch *launch,
                double resident_warps, double l1_bytes, double registers, enum gp_sampling sampling,
                struct gp_work *work, struct gp_error *error)
{
    bool quick = sampling != GP_SAMPLE_FULL && sampling != GP_SAMPLE_EVERY_ITERATION,
         all_warps = !quick || sampling == GP_SAMPLE_QUICK_WARPS || sampling == GP_SAMPLE_QUICK_SHARING;
    bool probed = !quick || sampling == GP_SAMPLE_QUICK_SHARING || sampling == GP_SAMPLE_QUICK_NEIGHBOURS ||
                  sampling == GP_SAMPLE_QUICK_GROUPS;
    uint64_t groups[3];
    *work = empty_work(c, launch, gp_device_lanes(device), registers, groups);
    take_launch(c, device, launch, resident_warps, l1_bytes, registers, work);
    c->effort.quick = quick;
    c->effort.every_iteration = sampling == GP_SAMPLE_EVERY_ITERATION;
    gp_collector_take_costs(c);
    start_run(c);
    gp_scatter_take_sizes(c->touch.bounds, c->kernel, launch);
    memset(c->touch.spots, 0, c->kernel->memory_count * sizeof *c->touch.spots);

    struct gp_sample *samples = NULL;
    struct gp_cuts cuts[3];
    size_t count = choose_samples(c, launch, sampling, all_warps, cuts, &samples);
    if (count == 0)
        return gp_fail(error, "nothing to execute: the launch has no work-items");
    c->effort.most_visits = quick && !probed ? MOST_VISITS / (uint32_t)count : MOST_VISITS;
    bool ok = run_samples(c, launch, samples, count, work->groups * work->warps_per_group, probed, error);
    if (ok && was_stopped(c)) {
        free(samples);
        return true;
    }
    ok = ok && (c->code.at_points || gp_collector_reach_corners(c, launch, cuts, &samples[c->leading], error));
    if (ok && probed)
        ok = gp_collector_probe_neighbours(c, launch, samples, count, error);
    free(samples);
    if (ok && c->survey.was_surveyed)
        gp_collector_count_all_warps(c);
    gp_collector_access_for_nothing(c);
    work->longest = work->chain > 0 ? longest_group(c).chain / work->chain : 1;
    work->longest_block = longest_group(c).block;
    gp_collector_bound_by_extent(c, groups, probed, work);
    sum_iterations(c);
    if (ok)
        repair_misses(c);
    finish_memory(c, work);
    return ok;
}
