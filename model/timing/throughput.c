/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/timing/throughput.h"

#include <math.h>

#include "model/launch/occupancy.h"
#include "model/timing/batches.h"
#include "model/timing/pipes.h"
#include "model/timing/traffic.h"
#include "model/timing/waits.h"

/* b, and how many groups an SM and the device have. */
static void take_groups(const struct gp_work *work, const struct gp_conditions *c, struct gp_terms *t)
{
    double sms = c->device->sm_count.value;
    t->part = 1.0 / gp_device_group_sms(c->device);
    t->resident_groups = fmax(t->part, c->resident_groups);
    t->groups_per_sm = c->no_tail ? work->groups / sms : gp_groups_per_sm(c->device, work->groups);
    t->concurrent_groups = fmin(work->groups, t->resident_groups * sms);
    t->batch_groups =
        fmin(t->resident_groups, fmax(t->part, t->groups_per_sm)); /* without a tail less than a group per SM: the SMs
                                                                      that have none take their part of the others' */
}

/* D, k, and DRAM's floor. */
static void take_dram(const struct gp_work *work, const struct gp_conditions *c, struct gp_dram_traffic *traffic,
                      struct gp_terms *t)
{
    gp_dram_traffic(work, c, t->concurrent_groups, NULL, traffic);
    t->sooner = gp_need_not_wait(work, c, t->concurrent_groups, traffic);
    traffic->bytes += gp_reread_bytes(work, c, t->concurrent_groups, traffic->alone);
    t->dram_bytes = traffic->bytes;
    t->dram_bytes_per_clk = gp_dram_bytes_per_clk(c, traffic);
    t->llc_cycles = gp_llc_cycles(work, c, t->concurrent_groups);
    t->dram_cycles = c->no_bandwidth ? 0 : fmax(traffic->bytes / t->dram_bytes_per_clk, t->llc_cycles);
    t->dram_busy = t->dram_cycles / fmax(t->part, t->groups_per_sm);
    t->knee = gp_between_reading_and_copying(c->device->dram_read_knee.value, c->device->dram_knee.value, traffic);
}

/* L and Z: what a group takes on its own; W: what it waits beside all others for what L2 lacks. */
static void take_waits(const struct gp_work *work, const struct gp_conditions *c, struct gp_terms *t)
{
    double barrier_wait = c->no_barrier ? work->barriers * c->device->barrier_latency.value : 0,
           dispatch = c->device->group_dispatch_clk.value;
    t->spill_wait = c->hide_latency ? 0 : gp_spill_wait(work, c, t->concurrent_groups);
    double itself = fmax(0, work->chain - barrier_wait - t->sooner) +
                    gp_held_at_barriers(work, c, t->busiest); /* the last warp comes when the others have had their
                                                                 turns */
    t->chain = itself + dispatch + t->spill_wait;
    t->longest = itself * fmax(1, work->longest) + dispatch + t->spill_wait;
    t->waiting = fmax(0, work->chain_memory - t->sooner) +
                 gp_held_at_barriers(work, c, work->chain - work->chain_memory) + dispatch;
    t->beyond_l2 = gp_waits_beyond_l2(work, c, t->concurrent_groups, t->batch_groups);
}

/* DRAM's floor: its pipeline is filled once; waiting for spilled registers goes on. */
static double dram_floor(const struct gp_work *work, const struct gp_conditions *c, struct gp_terms *t)
{
    const struct gp_device *d = c->device;
    double spill_exposed = t->spill_wait / sqrt(fmax(1, t->batch_groups * work->warps_per_group)) *
                           fmax(1, t->groups_per_sm / t->batch_groups);
    t->filling = fmax(fmin(t->chain, d->group_dispatch_clk.value + d->dram_latency.value), spill_exposed);
    return t->dram_cycles + (c->hide_latency ? 0 : t->filling);
}

/* What decides how long the batches take: the busiest unit; DRAM where that is busier still and its queues show; or,
 * where neither is busy half of the time, latency, unless DRAM is the larger part of the norm. */
static enum gp_limiter limiter_of_batches(const struct gp_conditions *c, const struct gp_terms *t, double cycles,
                                          enum gp_limiter busiest)
{
    double units = t->groups_per_sm * t->busiest;
    if (c->hide_latency)
        return busiest;
    if (units < 0.5 * cycles)
        return gp_with_queues(t->dram_cycles, t->dram_cycles, t->knee) > cycles ? GP_LIMITER_DRAM : GP_LIMITER_LATENCY;
    return t->in_queues > t->at_units && t->dram_cycles > units ? GP_LIMITER_DRAM : busiest;
}

/* A floor under the time. */
static void raise(double *cycles, double floor, enum gp_limiter of, enum gp_limiter *limiter)
{
    if (floor <= *cycles)
        return;
    *cycles = floor;
    *limiter = of;
}

void gp_throughput(const struct gp_work *work, const struct gp_conditions *c, struct gp_timing *timing)
{
    struct gp_terms *t = &timing->terms;
    struct gp_dram_traffic traffic;
    *timing = (struct gp_timing){0};
    take_groups(work, c, t);
    gp_take_units(work, c, timing); /* S */
    enum gp_limiter busiest = gp_busiest(timing->pipe_cycles);
    take_dram(work, c, &traffic, t); /* D, k */
    take_waits(work, c, t);          /* L, Z, W */

    double cycles = t->batches = gp_all_batches(work, c, t); /* T(b), as often as the SM's groups need */
    enum gp_limiter limiter = limiter_of_batches(c, t, cycles, busiest);
    bool moves_longer = t->dram_cycles > t->chain; /* else it is one latency that shows */
    raise(&cycles, dram_floor(work, c, t), moves_longer ? GP_LIMITER_DRAM : limiter, &limiter);
    raise(&cycles, t->start_cycles = gp_start_cycles(work, c), GP_LIMITER_LAUNCH, &limiter);
    t->launch_cycles = c->device->launch_ns.value * 1e-9 * (c->clock_mhz * 1e6);

    timing->cycles = cycles + t->launch_cycles;
    timing->limiter = t->launch_cycles > cycles ? GP_LIMITER_LAUNCH : limiter;
    timing->pipe_cycles[GP_LIMITER_DRAM] = t->dram_busy;
    timing->waves = work->groups / (t->resident_groups * c->device->sm_count.value);
    timing->dram_bytes = t->dram_bytes;
    timing->chain = t->chain + t->beyond_l2;
}

double gp_start_cycles(const struct gp_work *work, const struct gp_conditions *c)
{
    return c->device->group_rate.value > 0 && !c->no_start ? work->groups / c->device->group_rate.value : 0;
}
