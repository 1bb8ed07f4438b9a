/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <math.h>
#include <stdio.h>

#include "model/value/inst_facts.h"
#include "model/findings/causes.h"

static double stall_of(const struct gp_finder *f, uint32_t m) { return f->in->work->memory[m].stall; }

static double traffic_of(const struct gp_finder *f, uint32_t m) { return f->in->work->memory[m].l2_bytes; }

/* A cause of the whole kernel is told of where most of it is. */
static void place_at_memory(const struct gp_finder *f, struct gp_bottleneck *b,
                            double (*weight)(const struct gp_finder *, uint32_t))
{
    double most = 0;
    for (uint32_t m = 0; m < f->in->kernel->memory_count; m++)
        if (weight(f, m) > most) {
            most = weight(f, m);
            b->inst = f->in->kernel->memory[m].inst;
        }
    b->location = gp_inst_place(f->in->kernel, b->inst);
}

/* Where the instructions of a class run most often. */
static void place_at_barrier(const struct gp_finder *f, struct gp_bottleneck *b)
{
    const struct gp_kernel *kernel = f->in->kernel;
    double most = 0;
    for (uint32_t k = 0; k < f->in->work->block_count; k++) {
        double visits = f->in->work->blocks[k].visits;
        for (uint32_t i = kernel->blocks[k].inst; visits > most && i < gp_block_end(kernel, k); i++)
            if (kernel->insts[i].cost == GP_CLASS_BARRIER && kernel->insts[i].location != GP_NONE) {
                most = visits;
                b->inst = i;
                b->location = kernel->insts[i].location;
            }
    }
}

/* What a lone warp waits for: cycles, and of one block's. */
struct waits {
    double memory, local, results;
};

static struct waits waits_of_block(const struct gp_finder *f, uint32_t b)
{
    const struct gp_kernel *kernel = f->in->kernel;
    const struct gp_block_work *block = &f->in->work->blocks[b];
    double cycles =
        block->chain - block->visits * block->pipes.issue / f->in->conditions->device->issue_per_scheduler.value;
    struct waits waits = {.results = cycles};
    for (uint32_t i = kernel->blocks[b].inst; i < gp_block_end(kernel, b); i++) {
        if (!gp_inst_accesses(&kernel->insts[i]))
            continue;
        uint32_t m = kernel->insts[i].record;
        double *of = kernel->memory[m].space == GP_SPACE_LOCAL ? &waits.local : &waits.memory;
        *of += f->in->work->memory[m].stall;
        waits.results -= f->in->work->memory[m].stall;
    }
    waits.results = fmax(0, waits.results);
    return waits;
}

/* times: how often as long as the average one takes the group that they are told of, where others do little and wait
 * for nothing. */
static struct waits sum_waits(const struct gp_finder *f, double times)
{
    struct waits sum = {.memory = times * fmax(0, f->in->work->chain_memory - f->in->timing->terms.sooner)};
    for (uint32_t b = 0; b < f->in->work->block_count; b++) {
        struct waits waits = waits_of_block(f, b);
        sum.local += times * waits.local;
        sum.results += times * waits.results;
    }
    return sum;
}

/* Where results are waited for most: the loop around, where there is one, else the first instruction that has a place.
 */
static void place_at_results(const struct gp_finder *f, struct gp_bottleneck *b)
{
    const struct gp_kernel *kernel = f->in->kernel;
    double most = 0;
    for (uint32_t k = 0; k < f->in->work->block_count; k++) {
        const struct gp_block *block = &kernel->blocks[k];
        double waits = waits_of_block(f, k).results;
        uint32_t inst = block->inst, location = block->loop != GP_NONE ? kernel->loops[block->loop].location : GP_NONE;
        while (inst + 1 < block->inst + block->inst_count &&
               (kernel->insts[inst].cost == GP_CLASS_FREE || kernel->insts[inst].location == GP_NONE))
            inst++;
        if (waits <= most)
            continue;
        most = waits;
        b->inst = inst;
        b->location = location != GP_NONE ? location : gp_inst_place(kernel, inst);
    }
}

static void place_chain(const struct gp_finder *f, struct gp_bottleneck *b)
{
    place_at_results(f, b);
    snprintf(b->advice, sizeof b->advice,
             "several independent chains per work-item, as several accumulators make them, or more %ss per SM",
             gp_warp_word(f));
}

/* Of all warps, as the simulation saw it. */
static void place_simulated_latency(const struct gp_finder *f, struct gp_bottleneck *b)
{
    const struct gp_terms *t = &f->in->timing->terms;
    double memory = t->idle_for_memory + t->idle_for_requests;
    bool results = t->idle_for_results > memory, full = t->idle_for_requests > t->idle_for_memory;
    if (results)
        place_chain(f, b);
    else
        place_at_memory(f, b, full ? traffic_of : stall_of);
    if (full && !results)
        snprintf(b->advice, sizeof b->advice,
                 "fewer requests under way: coalesced or wider accesses, or what is read again in local memory");
    snprintf(b->measure, sizeof b->measure,
             "exposed latency: %.0f%% of the time a scheduler has nothing to issue, since its %ss wait for %s",
             100 * fmin(1, results ? t->idle_for_results : memory), gp_warp_word(f),
             results ? "results of earlier instructions (a dependent chain)"
             : full  ? "room in the table of outstanding requests"
                     : "memory");
}

/* Whether no more warps fit. */
static bool is_full(const struct gp_finder *f)
{
    const double nearly = 0.9;
    const struct gp_conditions *c = f->in->conditions;
    return c->resident_groups * f->in->work->warps_per_group >= nearly * c->device->max_warps_per_sm.value;
}

static void place_latency(const struct gp_finder *f, struct gp_bottleneck *b)
{
    const struct gp_timing *t = f->in->timing;
    if (t->terms.idle_for_memory + t->terms.idle_for_requests + t->terms.idle_for_results > 0) {
        place_simulated_latency(f, b);
        return;
    }
    bool longest = gp_waits_for_longest(f);
    double times = longest ? f->in->work->longest : 1, chain = times * fmax(0, f->in->work->chain - t->terms.sooner);
    const char *of = longest ? " of the longest work-group" : "";
    struct waits waits = sum_waits(f, times);
    if (waits.results > waits.memory + waits.local && waits.results >= 1) {
        place_chain(f, b);
        snprintf(b->measure, sizeof b->measure,
                 "exposed latency: a lone %s%s waits %.0f of its %.0f cycles for results of earlier instructions (a "
                 "dependent chain)",
                 gp_warp_word(f), of, fmin(chain, waits.results), chain);
        return;
    }
    place_at_memory(f, b, stall_of);
    if (waits.memory >= 1 && b->speedup >= GP_WORTH_TELLING && is_full(f))
        snprintf(b->advice, sizeof b->advice,
                 "more loads under way: several elements per work-item, as a float4 has, asked for before the first is "
                 "used");
    if (waits.memory >= 1)
        snprintf(b->measure, sizeof b->measure, "exposed latency: a lone %s%s waits %.0f of its %.0f cycles for memory",
                 gp_warp_word(f), of, waits.memory, chain);
    else
        snprintf(b->measure, sizeof b->measure, "exposed latency: a lone %s%s takes %.0f cycles", gp_warp_word(f), of,
                 chain);
}

void gp_try_conditions(struct gp_finder *f)
{
    const struct gp_conditions *c = f->in->conditions;
    struct gp_bottleneck *b;
    gp_repair_reset(&f->repair), f->repair.conditions.hide_latency = true;
    if ((b = gp_finder_record(f, GP_CAUSE_LATENCY, GP_NONE)))
        place_latency(f, b);
    gp_repair_reset(&f->repair), f->repair.conditions.no_bandwidth = true;
    if ((b = gp_finder_record(f, GP_CAUSE_BANDWIDTH, GP_NONE)))
        snprintf(b->measure, sizeof b->measure, "L2 and DRAM bandwidth"), place_at_memory(f, b, traffic_of);
    gp_try_tail(f);
    gp_repair_reset(&f->repair), f->repair.conditions.even_channels = true;
    if (c->device->channel_hash.value <= 0 && (b = gp_finder_record(f, GP_CAUSE_CHANNEL_SKEW, GP_NONE))) {
        snprintf(b->measure, sizeof b->measure, "some of the %.0f DRAM channels take more than their part",
                 c->device->dram_channels.value);
        snprintf(b->advice, sizeof b->advice, "let groups that run at once start at different multiples of %.0f bytes",
                 c->device->channel_bytes.value);
    }
    gp_repair_reset(&f->repair), f->repair.conditions.no_barrier = true;
    if (f->in->work->barriers > 0 && (b = gp_finder_record(f, GP_CAUSE_BARRIER, GP_NONE)))
        snprintf(b->measure, sizeof b->measure, "waiting at %.0f barrier%s per work-item", f->in->work->barriers,
                 f->in->work->barriers < 1.5 ? "" : "s"),
            place_at_barrier(f, b);
    gp_repair_reset(&f->repair), f->repair.conditions.spill_store_bytes = f->repair.conditions.spill_load_bytes = 0;
    if (c->spill_store_bytes + c->spill_load_bytes > 0 && (b = gp_finder_record(f, GP_CAUSE_SPILL, GP_NONE))) {
        if (f->in->registers_wanted > 0)
            snprintf(b->measure, sizeof b->measure, "registers may spill: about %u are wanted, the %s %u per work-item",
                     f->in->registers_wanted,
                     f->in->registers < c->device->max_registers_per_thread.value ? "launch bound leaves"
                                                                                  : "device has",
                     f->in->registers);
        else
            snprintf(b->measure, sizeof b->measure, "registers spill: %.0f bytes stored and %.0f loaded per work-item",
                     c->spill_store_bytes, c->spill_load_bytes);
        snprintf(b->advice, sizeof b->advice,
                 "fewer live values per work-item (smaller tiles, less unrolling) or a looser launch bound");
    }
}
