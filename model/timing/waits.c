/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Cycles that a lone warp, or all of a batch, wait. */
#include "model/timing/waits.h"

#include <math.h>

#include "model/compilers/code_rules.h"
#include "model/timing/working_set.h"

/* Cycles that a lone warp waits for its spilled registers. */
double gp_spill_wait(const struct gp_work *work, const struct gp_conditions *c, double concurrent)
{
    const struct gp_device *d = c->device;
    double l2 = d->l2_latency.value, dram = l2 + (d->dram_latency.value - l2) * c->clock_mhz / d->clock_mhz.value;
    bool third = d->llc_size.value > 0;
    double behind = third ? d->llc_latency.value +
                                (dram - d->llc_latency.value) * gp_spills_beyond(work, c, concurrent, d->llc_size.value)
                          : dram;
    return c->spill_load_bytes / 4 / gp_spilled_words_at_a_time(d) *
           (l2 + (behind - l2) * gp_spills_beyond(work, c, concurrent, d->l2_size.value));
}

/* Requests that a warp waits for together, of those that L1 does not serve. */
static double requests_at_a_time(const struct gp_work *work)
{
    double misses = 0, waits = 0;
    for (uint32_t m = 0; m < work->memory_count; m++) {
        misses += work->memory[m].passes > 0 ? 0 : work->memory[m].misses;
        waits += work->memory[m].passes > 0 ? 0 : work->memory[m].waits;
    }
    return waits > 0 ? misses / waits : 1;
}

/*
 * What a group touches first was taken to come from DRAM, at the device's own clock, when the chain was made. The share
 * that groups before had brought to L2 comes sooner; those that run at the same time ask at the same time, and wait as
 * long. DRAM's part of a latency takes the same time at any clock. Returns the cycles that a lone warp need not wait.
 */
double gp_need_not_wait(const struct gp_work *work, const struct gp_conditions *c, double concurrent,
                        const struct gp_dram_traffic *traffic)
{
    double first_touches = 0, stall = 0, saved = 0;
    for (uint32_t b = 0; b < work->buffer_count; b++)
        first_touches +=
            work->buffers[b].group_bytes * work->groups * gp_alone_of_buffer(work, c, &work->buffers[b], concurrent);
    double from_dram = first_touches > 0 ? fmin(1, traffic->bytes / first_touches) : 1;
    if (from_dram < 1)
        from_dram = 1 - pow(1 - from_dram, fmax(1, requests_at_a_time(work)));
    double gone = 1 - from_dram * c->clock_mhz / c->device->clock_mhz.value;
    for (uint32_t m = 0; m < work->memory_count; m++) {
        const struct gp_memory_work *memory = &work->memory[m];
        if (memory->passes > 0 || memory->latency <= 0)
            continue;
        stall += memory->stall;
        saved += memory->stall * fmin(1, memory->dram_latency / memory->latency) * gone;
    }
    return stall > 0 ? saved / stall * work->chain_memory : 0;
}

/*
 * Cycles that a batch waits because L2 does not hold all that the resident groups read again: a group's warps go
 * through the same lines side by side, and so do groups that share lines, so that one that misses holds up all. What is
 * touched first was taken to come from DRAM in any case.
 */
double gp_waits_beyond_l2(const struct gp_work *work, const struct gp_conditions *c, double concurrent, double resident)
{
    const struct gp_device *d = c->device;
    double beyond = gp_beyond_l2(work, c, concurrent, true), missed = 0;
    struct gp_dram_traffic traffic;
    double next =
        d->llc_size.value > 0 ? d->llc_latency.value : d->dram_latency.value * c->clock_mhz / d->clock_mhz.value;
    for (uint32_t m = 0; beyond > 0 && m < work->memory_count; m++) {
        const struct gp_memory_work *memory = &work->memory[m];
        if (memory->passes <= 0 && memory->requests > 0)
            missed += memory->waits * fmin(memory->reuse.at_lines, memory->reuse.again * work->warps_per_group) /
                      memory->requests;
    }
    if (missed <= 0)
        return 0;
    gp_dram_traffic(work, c, concurrent, NULL, &traffic);
    return missed * beyond * fmax(0, next - d->l2_latency.value) / sqrt(fmax(1, resident * traffic.alone));
}

/*
 * Of what takes `cycles` in all, the parts that barriers keep from overlapping: of each phase, what is still on its way
 * when the last warp comes, a trip to local memory at most. Longer phases hide the rest among their warps.
 */
double gp_held_at_barriers(const struct gp_work *work, const struct gp_conditions *c, double cycles)
{
    if (c->no_barrier || work->barriers <= 0)
        return 0;
    return work->barriers * fmin(fmax(0, cycles) / (work->barriers + 1),
                                 c->device->smem_latency.value + c->device->barrier_latency.value);
}
