/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Hong & Kim's parameters from a launch's work, and the time of a launch from their equations. */
#include "model/timing/mwp_cwp.h"

#include <math.h>

/* Cycles to issue one instruction of a warp: the scheduler's or, as in the paper (8 lanes, 4 cycles), the lanes'. */
static double issue_cycles(const struct gp_device *d)
{
    return fmax(1 / (d->schedulers_per_sm.value * d->issue_per_scheduler.value),
                d->warp_width.value / d->fp32_lanes.value);
}

/* Constants come from a cache of their own: "almost 100% cache hit ratio". So do the paper's textures; of images what
 * misses leaves the SM. */
static bool is_memory_inst(const struct gp_memory *memory)
{
    return memory->space == GP_SPACE_GLOBAL || memory->space == GP_SPACE_GENERIC || memory->space == GP_SPACE_PRIVATE ||
           memory->space == GP_SPACE_IMAGE;
}

struct memory_sums {
    double insts, uncoalesced, transactions, latency, bytes, dram_bytes;
};

/*
 * Cycles of the load/store unit that lanes cost which it serves one after the other: on words of one bank, on several
 * constants, on several lines of L1. What leaves the SM has its departures instead. As devices of the paper's time
 * replay an instruction for each, so does the model.
 */
static double replayed_cycles(const struct gp_kernel *kernel, const struct gp_work *work)
{
    double cycles = 0;
    for (uint32_t m = 0; m < work->memory_count; m++) {
        const struct gp_memory_work *memory = &work->memory[m];
        double leave =
            is_memory_inst(&kernel->memory[m]) && memory->requests > 0 ? fmin(1, memory->misses / memory->requests) : 0;
        cycles += (1 - leave) * fmax(0, memory->wavefronts - memory->ideal.wavefronts);
    }
    return cycles;
}

/* One operation: its requests that leave the SM. */
static void add_operation(struct memory_sums *sums, const struct gp_memory *memory, const struct gp_memory_work *work,
                          const struct gp_device *d)
{
    if (!is_memory_inst(memory) || work->requests <= 0 || work->misses <= 0)
        return;
    double leave = work->misses / work->requests, gap = d->dram_latency.value - d->l2_latency.value;
    double deep = gap > 0 ? fmin(1, work->dram_latency / (gap * work->misses)) : 1;
    double bytes = work->misses * memory->element_bytes * memory->vector * d->warp_width.value;
    sums->insts += work->misses;
    sums->uncoalesced += leave * work->uncoalesced;
    sums->transactions += leave * work->uncoalesced_transactions;
    sums->latency += work->misses * d->l2_latency.value + work->dram_latency;
    sums->bytes += bytes;
    sums->dram_bytes += deep * bytes;
}

/* Spilled registers: a word of each lane side by side, coalesced; from L2 or DRAM. */
static void add_spills(struct memory_sums *sums, const struct gp_conditions *c)
{
    double insts = (c->spill_store_bytes + c->spill_load_bytes) / 4, bytes = insts * 4 * c->device->warp_width.value;
    sums->insts += insts;
    sums->latency += insts * c->device->dram_latency.value;
    sums->bytes += bytes;
    sums->dram_bytes += bytes;
}

static struct memory_sums sum_memory(const struct gp_kernel *kernel, const struct gp_work *work,
                                     const struct gp_conditions *c)
{
    struct memory_sums sums = {0};
    for (uint32_t m = 0; m < work->memory_count; m++)
        add_operation(&sums, &kernel->memory[m], &work->memory[m], c->device);
    add_spills(&sums, c);
    return sums;
}

void gp_mwp_cwp_inputs(const struct gp_kernel *kernel, const struct gp_work *work, const struct gp_conditions *c,
                       struct gp_mwp_inputs *in)
{
    const struct gp_device *d = c->device;
    struct memory_sums memory = sum_memory(kernel, work, c);
    double spills = (c->spill_store_bytes + c->spill_load_bytes) / 4;
    *in = (struct gp_mwp_inputs){
        .issue_cycles = issue_cycles(d),
        .frequency_ghz = c->clock_mhz / 1000,
        .bandwidth_gbps = c->no_bandwidth ? INFINITY : d->dram_gbps.value,
        .memory_latency = memory.insts > 0 ? memory.latency / memory.insts : d->dram_latency.value,
        .departure_coalesced = d->departure_delay_coalesced.value,
        .departure_uncoalesced = d->departure_delay_uncoalesced.value,
        .warps_per_block = work->warps_per_group,
        .blocks = work->groups,
        .active_sms = fmin(d->sm_count.value, work->groups),
        .computation_insts =
            fmax(0, work->pipes.issue + spills - memory.insts) + replayed_cycles(kernel, work) / issue_cycles(d),
        .uncoalesced_insts = fmin(memory.uncoalesced, memory.insts),
        .barriers = c->no_barrier ? 0 : work->barriers,
        .transactions_per_uncoalesced = memory.uncoalesced > 0 ? memory.transactions / memory.uncoalesced : 1,
        .load_bytes_per_warp = memory.insts > 0 ? memory.dram_bytes / memory.insts : 0};
    in->active_blocks_per_sm =
        fmin(c->resident_groups, in->blocks / in->active_sms); /* fewer groups than the device holds: one round */
    in->coalesced_insts = memory.insts - in->uncoalesced_insts;
    if (c->no_bandwidth)
        in->departure_uncoalesced = in->departure_coalesced;
}

/* What MWP is limited by, or computation. */
static enum gp_limiter limiter_of(const struct gp_mwp_inputs *in, const struct gp_mwp_result *r)
{
    if (r->barrier_cycles > r->application_cycles)
        return GP_LIMITER_BARRIER;
    if (r->which == GP_MWP_COMPUTATION || r->which == GP_MWP_COMPUTATION_ONLY)
        return GP_LIMITER_ISSUE;
    if (r->which == GP_MWP_TOO_FEW_WARPS || r->mwp >= in->warps_per_block * in->active_blocks_per_sm)
        return GP_LIMITER_LATENCY;
    bool scattered = in->uncoalesced_insts * in->transactions_per_uncoalesced * in->departure_uncoalesced >
                     in->coalesced_insts * in->departure_coalesced;
    return r->mwp >= r->mwp_peak_bw || scattered ? GP_LIMITER_DRAM : GP_LIMITER_LSU;
}

/* Without waiting for any latency: computation, or the requests as fast as they may leave. */
static double cycles_without_latency(const struct gp_mwp_inputs *in, const struct gp_mwp_result *r)
{
    double insts = in->uncoalesced_insts + in->coalesced_insts, warps = in->warps_per_block * in->active_blocks_per_sm;
    double bandwidth = insts * in->load_bytes_per_warp * in->frequency_ghz * in->active_sms / in->bandwidth_gbps;
    return fmax(r->computation_cycles, fmax(insts * r->departure_delay, bandwidth)) * warps * r->repetitions;
}

static double equation_of(enum gp_mwp_case which)
{
    return which == GP_MWP_TOO_FEW_WARPS ? 22 : which == GP_MWP_COMPUTATION ? 24 : which == GP_MWP_MEMORY ? 23 : 0;
}

static struct gp_terms terms_of(const struct gp_mwp_inputs *in, const struct gp_mwp_result *r)
{
    double memory_insts = in->uncoalesced_insts + in->coalesced_insts;
    return (struct gp_terms){.issue_cycles = in->issue_cycles,
                             .total_insts = in->computation_insts + memory_insts,
                             .comp_insts = in->computation_insts,
                             .coal_mem_insts = in->coalesced_insts,
                             .uncoal_mem_insts = in->uncoalesced_insts,
                             .synch_insts = in->barriers,
                             .uncoal_per_mw = in->transactions_per_uncoalesced,
                             .load_bytes_per_warp = in->load_bytes_per_warp,
                             .mem_ld = in->memory_latency,
                             .departure_del_coal = in->departure_coalesced,
                             .departure_del_uncoal = in->departure_uncoalesced,
                             .mem_bandwidth = in->bandwidth_gbps,
                             .active_sms = in->active_sms,
                             .active_blocks_per_sm = in->active_blocks_per_sm,
                             .n_warps = in->warps_per_block * in->active_blocks_per_sm,
                             .mem_l = r->memory_latency,
                             .departure_delay = r->departure_delay,
                             .mem_cycles = r->memory_cycles,
                             .comp_cycles = r->computation_cycles,
                             .comp_p = memory_insts > 0 ? r->computation_cycles / memory_insts : 0,
                             .mwp_without_bw = r->mwp_without_bw,
                             .mwp_peak_bw = r->mwp_peak_bw,
                             .mwp = r->mwp,
                             .cwp_full = r->cwp_full,
                             .cwp = r->cwp,
                             .equation = equation_of(r->which),
                             .rep = r->repetitions,
                             .exec_cycles_app = r->application_cycles,
                             .synch_cost = r->barrier_cycles,
                             .exec_cycles_with_synch = r->cycles,
                             .cpi = r->cpi};
}

void gp_mwp_cwp_time(const struct gp_kernel *kernel, const struct gp_work *work, const struct gp_conditions *c,
                     struct gp_timing *timing)
{
    struct gp_mwp_inputs in;
    struct gp_mwp_result r;
    gp_mwp_cwp_inputs(kernel, work, c, &in);
    gp_mwp_cwp(&in, &r);
    *timing =
        (struct gp_timing){.cycles = fmax(1, r.cycles), .limiter = limiter_of(&in, &r), .terms = terms_of(&in, &r)};
    if (c->hide_latency)
        timing->cycles = fmax(1, fmin(r.cycles, cycles_without_latency(&in, &r)));
    timing->waves = work->groups / (fmax(1, c->resident_groups) * c->device->sm_count.value);
}
