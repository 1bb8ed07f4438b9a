/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/timing/cpu_model.h"

#include <math.h>
#include <string.h>

#include "model/compilers/cpu_rules.h"
#include "model/timing/pipes.h"
#include "model/timing/recurrences.h"

/* Functions of a library (SLEEF's), which are called for one work-item after the other (cost.c). */
static bool calls_library(const struct gp_kernel *kernel)
{
    static const enum gp_class functions[] = {GP_CLASS_MATH32_TRIG,  GP_CLASS_MATH32_LOG,  GP_CLASS_MATH32_POW,
                                              GP_CLASS_MATH32_OTHER, GP_CLASS_MATH64_TRIG, GP_CLASS_MATH64_LOG,
                                              GP_CLASS_MATH64_POW,   GP_CLASS_MATH64,      GP_CLASS_LIBRARY};
    for (uint32_t i = 0; i < kernel->inst_count; i++)
        for (size_t f = 0; f < sizeof functions / sizeof *functions; f++)
            if (kernel->insts[i].cost == functions[f])
                return true;
    return false;
}

/* Of the instructions the share in front of the first barrier; blocks stand in the order in which they are executed. */
static double before_barrier(const struct gp_kernel *kernel, const struct gp_work *work)
{
    double before = 0, all = 0;
    bool met = false;
    for (uint32_t b = 0; b < kernel->block_count; b++)
        for (uint32_t i = kernel->blocks[b].inst; i < gp_block_end(kernel, b); i++) {
            met |= kernel->insts[i].op == GP_OP_BARRIER;
            double times = kernel->insts[i].cost == GP_CLASS_FREE ? 0 : work->blocks[b].visits;
            all += times;
            before += met ? 0 : times;
        }
    return all > 0 ? before / all : 1;
}

/*
 * PoCL makes loops of the work-items, that along dimension 0 within the others, and leaves the innermost one that has
 * more than one iteration to LLVM's loop vectoriser. This takes innermost loops only and gives up on calls; a loop
 * inside the kernel is then the innermost one. Behind a barrier nothing is joined.
 */
static double cpu_vector_factor(const struct gp_device *device, const struct gp_kernel *kernel,
                                const struct gp_work *work, const uint32_t local[3])
{
    double lanes = gp_device_lanes(device), row = local[0] > 1 ? local[0] : local[1] > 1 ? local[1] : local[2];
    if (kernel->loop_count > 0 || kernel->callee_count > 0 || lanes < 2 || calls_library(kernel))
        return 1;
    for (uint32_t m = 0; m < kernel->memory_count; m++)
        if (kernel->memory[m].flags & (GP_MEMORY_ATOMIC | GP_MEMORY_VOLATILE) ||
            kernel->memory[m].space == GP_SPACE_IMAGE)
            return 1;
    double vectors = floor(row / lanes), rest = row - vectors * lanes, joined = before_barrier(kernel, work);
    return 1 / (joined * (vectors + rest) / row + 1 - joined);
}

/* What all groups touch of memory. */
static double touched_bytes(const struct gp_work *work)
{
    double touched = 0;
    for (uint32_t b = 0; b < work->buffer_count; b++)
        touched += fmin(work->buffers[b].group_bytes * work->groups, work->buffers[b].extent);
    return touched;
}

static double cache_of_all(const struct gp_device *d)
{
    return fmax(d->llc_size.value, d->l2_size.value * d->sm_count.value);
}

double gp_cpu_dram_bytes(const struct gp_work *work, const struct gp_conditions *c)
{
    double touched = touched_bytes(work);
    return c->cold || touched > cache_of_all(c->device) ? touched : 0;
}

/*
 * Cycles of a store to lines that other cores write. A line is asked for when its store enters the buffer; where
 * another core has asked for it before its turn comes, it is waited for. Each line that the other cores' waiting stores
 * ask for may be it. What goes on to one line is stored with what waited for it; only atomics, which are made one by
 * one, lose it between where others want just that one. (Zen 5, two cores, cycles of an atomic beyond the 20 of one
 * alone, on 1, 16, 64, 1024 and 8192 lines by chance: 39, 47, 35, 4 and 0.6; 33, 51, 31, 2.9 and 0.4 by this. Plain
 * stores to 1 and 16: 1.7 and 46; 0.5 and 50.)
 */
static double contended_cycles(const struct gp_core_misses *missed, bool atomic, const struct gp_work *work,
                               const struct gp_device *d)
{
    if (missed->contended <= 0)
        return 0;
    double others = fmin(d->sm_count.value, work->groups) - 1, lines = missed->contended_lines,
           turns = missed->turns / missed->contended;
    double asked = others * fmax(1, d->store_buffer.value * turns) / lines,
           waits = fmin(1, turns + (atomic ? 1 / lines : 0));
    return missed->contended * waits * d->llc_latency.value * (1 - exp(-asked));
}

/*
 * Cycles that an access of a work-item takes beyond L1. As many lines are waited for at once as the core has buffers
 * for them (Little's law), but of one set of L1 only so many; what prefetchers bring comes at the core's bandwidth, and
 * nothing faster. Stores become
 * visible in order; their lines are asked for while they wait, so that one that L1 lacks holds up the next only where
 * the lines are lost again before their turn, too many of them in one set.
 * (Intel 64 and IA-32 Architectures Optimization Reference Manual, Skylake)
 */
static double access_cycles(const struct gp_core_misses *missed, bool store, bool from_dram,
                            const struct gp_conditions *c)
{
    const struct gp_device *d = c->device;
    double line = d->l1_line.value, from_l2 = line / fmax(1, d->l2_bytes_per_clk.value / d->sm_count.value);
    double cached = d->llc_gbps.value * 1e9 / (c->clock_mhz * 1e6) / d->sm_count.value;
    double rate = from_dram ? d->sm_bytes_per_clk.value : fmax(d->sm_bytes_per_clk.value, cached);
    double behind = from_dram ? d->dram_latency.value : d->llc_latency.value;
    double streamed = line / fmax(1, rate), waited_for = fmax(streamed, behind / fmax(1, d->mshr_entries.value));
    double set = (missed->queued * d->l2_latency.value + missed->queued_l2 * behind) / fmax(1, d->l1_set_fills.value);
    double waits = missed->l1 * from_l2 + missed->l2 * waited_for;
    double cycles = (store ? waits : fmax(waits, set)) + missed->streamed * streamed;
    if (store)
        cycles += missed->crowded * fmax(0, d->l2_latency.value - from_l2);
    return cycles + missed->pages * d->page_walk_clk.value / d->page_walkers.value;
}

/* A locked instruction: what comes behind it waits. */
static double atomic_cycles(const struct gp_memory *memory, const struct gp_device *d)
{
    bool local = memory->space == GP_SPACE_LOCAL;
    return memory->flags & GP_MEMORY_ATOMIC ? (local ? d->atomic_local_clk.value : d->atomic_global_clk.value) : 0;
}

static double memory_cycles(const struct gp_kernel *kernel, const struct gp_work *work, const struct gp_conditions *c)
{
    const struct gp_device *d = c->device;
    bool streams = gp_cpu_dram_bytes(work, c) > 0;
    double cycles = 0;
    for (uint32_t m = 0; m < work->memory_count; m++) {
        const struct gp_memory_work *memory = &work->memory[m];
        struct gp_core_misses missed = memory->core;
        if (!missed.known && memory->requests > 0)
            missed.l1 = memory->l2_bytes / gp_device_lanes(d) / d->l1_line.value / memory->requests;
        /* What is gone through at random is found again, whatever streams through the cache beside it. */
        bool held = missed.anywhere > 0 && missed.anywhere <= cache_of_all(d) && !c->cold;
        bool store = kernel->memory[m].flags & GP_MEMORY_STORE;
        double moved = c->no_bandwidth ? 0 : access_cycles(&missed, store, streams && !held, c);
        cycles += memory->requests * (moved + atomic_cycles(&kernel->memory[m], d) +
                                      contended_cycles(&missed, kernel->memory[m].flags & GP_MEMORY_ATOMIC, work, d));
    }
    return cycles;
}

/* Of an operation's requests, those that are no vector of neighbours: x86 makes each lane's access on its own. */
static double apart(const struct gp_memory_work *memory, double lanes)
{
    double more = memory->wavefronts / fmax(memory->requests, 1e-9) - 1;
    return memory->requests * fmin(1, fmax(0, more / (lanes - 1)));
}

/* Images are functions of PoCL's, a call for each texel. Linear filters take three times as long; which a sampler has
 * is not known here. */
static double image_cycles(const struct gp_kernel *kernel, const struct gp_work *work, const struct gp_device *d)
{
    double cycles = 0;
    for (uint32_t m = 0; m < work->memory_count; m++) {
        bool stores = kernel->memory[m].flags & GP_MEMORY_STORE;
        if (kernel->memory[m].space == GP_SPACE_IMAGE)
            cycles += work->memory[m].requests * (stores ? d->texel_write_clk.value : d->texel_read_clk.value);
    }
    return cycles;
}

/*
 * Cycles of one work-item on a core, beside what its caches take, in vectors of so many. Where work-items are not
 * joined to vectors, integers are as fast as anything: four ports take them (Intel 64 and IA-32 Architectures
 * Optimization Reference Manual, Haswell on). In vectors, each access that is apart is one and takes an element out of
 * a register or puts it in.
 */
static void item_cycles(const struct gp_kernel *kernel, const struct gp_work *work, const struct gp_device *d,
                        double vector, double cycles[GP_LIMITER_COUNT])
{
    double lanes = gp_device_lanes(d), accesses = 0, alone = 0;
    for (uint32_t m = 0; m < work->memory_count; m++) {
        accesses += work->memory[m].requests;
        if (vector > 1)
            alone += gp_hides_neighbours(kernel, m) ? work->memory[m].requests : apart(&work->memory[m], lanes);
    }
    const double *ops = work->pipes.ops;
    double instructions = work->pipes.issue / vector + alone * (2 - 1 / vector);
    cycles[GP_LIMITER_ISSUE] =
        instructions / (d->schedulers_per_sm.value * d->issue_per_scheduler.value) + image_cycles(kernel, work, d);
    cycles[GP_LIMITER_FP32] = ops[GP_PIPE_FP32] / (gp_pipe_rate(d, GP_PIPE_FP32) / lanes) / vector;
    cycles[GP_LIMITER_FP64] = ops[GP_PIPE_FP64] / (gp_pipe_rate(d, GP_PIPE_FP64) / lanes * 2) / vector;
    cycles[GP_LIMITER_SFU] = ops[GP_PIPE_SFU] / fmax(1e-3, gp_pipe_rate(d, GP_PIPE_SFU) / lanes) / vector;
    if (vector > 1)
        cycles[GP_LIMITER_INT] =
            (ops[GP_PIPE_INT] + ops[GP_PIPE_SHIFT]) / (gp_pipe_rate(d, GP_PIPE_INT) / lanes) / vector;
    cycles[GP_LIMITER_LSU] = ((accesses - alone) / vector + alone) / fmax(1, d->lsu_lanes.value / lanes);
}

/* LLVM joins work-items to vectors where that is cheaper. */
static void cheaper_cycles(const struct gp_kernel *kernel, const struct gp_work *work, const struct gp_device *d,
                           double vector, double cycles[GP_LIMITER_COUNT])
{
    double one_by_one[GP_LIMITER_COUNT] = {0};
    item_cycles(kernel, work, d, vector, cycles);
    item_cycles(kernel, work, d, 1, one_by_one);
    cycles[GP_LIMITER_LATENCY] = one_by_one[GP_LIMITER_LATENCY] = gp_recurrence_cycles(kernel, work, d);
    if (one_by_one[gp_busiest(one_by_one)] < cycles[gp_busiest(cycles)])
        memcpy(cycles, one_by_one, sizeof one_by_one);
}

/* Of the narrow paths only powers cost a CPU much. */
static struct gp_work spelt_cheaper(const struct gp_work *work, uint32_t paths)
{
    struct gp_work spelt = *work;
    spelt.pipes = gp_repaired_pipes(work, paths & 1u << GP_NARROW_POWER);
    return spelt;
}

double gp_cpu_least_cycles(const struct gp_kernel *kernel, const uint32_t local[3], const struct gp_work *work,
                           const struct gp_conditions *c, enum gp_limiter *port)
{
    double cycles[GP_LIMITER_COUNT] = {0}, items = (double)local[0] * local[1] * local[2];
    const struct gp_work spelt = spelt_cheaper(work, UINT32_MAX);
    item_cycles(kernel, &spelt, c->device, gp_device_lanes(c->device), cycles);
    cycles[GP_LIMITER_ISSUE] = cycles[GP_LIMITER_LSU] = 0; /* moves and addresses, not what is to be done */
    *port = gp_busiest(cycles);
    return cycles[*port] * items * work->groups / c->device->sm_count.value;
}

void gp_cpu_time(const struct gp_kernel *kernel, const uint32_t local[3], const struct gp_work *work,
                 const struct gp_conditions *c, struct gp_timing *timing)
{
    const struct gp_device *d = c->device;
    *timing = (struct gp_timing){0};
    double cores = fmin(d->sm_count.value, work->groups);
    double items = (double)local[0] * local[1] * local[2];
    const struct gp_work spelt = spelt_cheaper(work, c->repaired_paths);
    cheaper_cycles(kernel, &spelt, d, cpu_vector_factor(d, kernel, work, local), timing->pipe_cycles);
    double computing = timing->pipe_cycles[gp_busiest(timing->pipe_cycles)], missing = memory_cycles(kernel, work, c);
    timing->pipe_cycles[GP_LIMITER_L2] = missing;
    enum gp_limiter limiter = gp_busiest(timing->pipe_cycles);
    double group = items * fmax(computing, missing); /* a core computes while lines are under way */
    double barriers =
        c->no_barrier ? 0
                      : work->barriers * d->barrier_latency.value * items; /* values live across it go through memory */
    double per_core = c->no_tail ? work->groups / d->sm_count.value : ceil(work->groups / cores);
    double cycles = per_core * (group + barriers + d->group_dispatch_clk.value);
    if (per_core * barriers > 0.5 * cycles)
        limiter = GP_LIMITER_BARRIER;
    if (d->group_dispatch_clk.value > group + barriers)
        limiter = GP_LIMITER_LAUNCH;

    double clock_hz = c->clock_mhz * 1e6;
    timing->dram_bytes = gp_cpu_dram_bytes(work, c);
    double dram =
        c->no_bandwidth ? 0 : timing->dram_bytes / (d->dram_gbps.value * 1e9 * d->dram_efficiency.value / clock_hz);
    if (dram > cycles) {
        cycles = dram;
        limiter = GP_LIMITER_DRAM;
    }
    double launch = d->launch_ns.value * 1e-9 * clock_hz;
    if (launch > cycles)
        limiter = GP_LIMITER_LAUNCH;
    timing->cycles = cycles + launch;
    timing->limiter = limiter;
    timing->waves = work->groups / cores;
    timing->chain = group;
    timing->terms = (struct gp_terms){.computing = computing,
                                      .missing = missing,
                                      .group_items = items,
                                      .barriers_cycles = barriers,
                                      .group_cycles = group,
                                      .groups_per_core = per_core,
                                      .cores_cycles = per_core * (group + barriers + d->group_dispatch_clk.value),
                                      .touched_bytes = timing->dram_bytes,
                                      .memory_cycles = dram,
                                      .launch_cycles = launch};
}
