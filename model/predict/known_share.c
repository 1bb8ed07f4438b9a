/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How much of a predicted time rests on guesses: a doubt for each kind, mostly by what the time would be had the guess
 * been another. */
#include <math.h>

#include "hwdb/boards.h"
#include "model/compilers/array_registers.h"
#include "model/findings/repair.h"
#include "model/assume/texels.h"
#include "model/predict/run.h"
#include "model/timing/atomics.h"
#include "model/timing/throughput.h"

/* ---- Registers --------------------------------------------------------------------------------------------------- */

/* How much the time would change if the estimated registers were a fifth more or fewer. */
static double doubt_of_registers(const struct run *run)
{
    if (run->device->arch == GP_ARCH_CPU || (run->resources != NULL && run->resources->source != GP_SOURCE_ESTIMATE))
        return 0;
    double low = INFINITY, high = 0, timed = 0; /* for so many groups, last */
    for (int i = -1; i <= 1; i++) {
        struct gp_occupancy occupancy;
        struct gp_conditions conditions = run->conditions;
        struct gp_timing timing;
        uint32_t registers =
            (uint32_t)fmin(run->registers * (1 + 0.2 * i), run->device->max_registers_per_thread.value);
        if (!gp_occupancy(run->device, (uint32_t)gp_launch_group_items(run->launch), registers, 0, run->local_bytes,
                          &occupancy, NULL) ||
            occupancy.groups == 0)
            continue;
        if (run->options->resident_warps > 0)
            gp_occupancy_hold(run->device, run->options->resident_warps, &occupancy);
        if (occupancy.resident_groups == timed)
            continue;
        timed = occupancy.resident_groups;
        conditions.resident_groups = occupancy.resident_groups;
        gp_time_quickly(run, &run->work, &conditions, &timing);
        low = fmin(low, timing.cycles);
        high = fmax(high, timing.cycles);
    }
    return high > 0 ? 1 - low / high : 0;
}

/* ---- What is executed -------------------------------------------------------------------------------------------- */

/* The work with as much arithmetic reached by guesses as `times` what was found. */
static struct gp_work with_guesses(const struct gp_work *found, double guessed, double times)
{
    struct gp_work work = *found;
    double factor = 1 - guessed + times * guessed;
    work.pipes.issue *= factor;
    for (int p = 0; p < GP_PIPE_COUNT; p++)
        work.pipes.ops[p] *= factor;
    work.instructions *= factor;
    work.chain = work.chain_memory + factor * (work.chain - work.chain_memory);
    return work;
}

/* Whether a loop whose end nobody knows was gone round: it may go on for longer than was assumed, where of a branch's
 * sides both are taken at most. */
static bool guesses_loops(const struct gp_kernel *kernel, const struct gp_work *work)
{
    for (uint32_t i = 0; i < kernel->loop_count; i++) {
        const struct gp_loop *loop = &kernel->loops[i];
        if ((loop->bound == GP_BOUND_ASSUMED || loop->bound == GP_BOUND_RETRY || loop->data_dependent) &&
            work->blocks[loop->header].visits > 0)
            return true;
    }
    return false;
}

/*
 * A branch whose condition nobody knows is a guess of which way it goes, not of all that is behind it. Guesses from the
 * code alone go wrong for a quarter of the branches that end no loop (Ball and Larus, "Branch prediction for free",
 * PLDI 1993: 26% of those executed).
 */
static const double WRONG_WAYS = 0.25;

/* How much the time would change if none of a share of the instructions were executed, or `times` as many. */
static double doubt_of_share(const struct run *run, double share, double times)
{
    const struct gp_work *work = &run->work;
    struct gp_timing fewest, most;
    if (share <= 0)
        return 0;
    struct gp_work without = with_guesses(work, share, 0), with = with_guesses(work, share, times);
    gp_time_quickly(run, &without, &run->conditions, &fewest);
    gp_time_quickly(run, &with, &run->conditions, &most);
    return most.cycles > 0 ? fmin(share, 1 - fmin(1, fewest.cycles / most.cycles)) : share;
}

/*
 * Of instructions that were reached by a guess: of loops none may be executed, or twice as many; behind branches none,
 * where the way is wrong. Nothing where memory limits, whose own doubt is doubt_of_reaching(). It is no more than their
 * share of all, which it is where arithmetic limits.
 */
static double doubt_of_instructions(const struct run *run)
{
    const struct gp_work *work = &run->work;
    double all = fmax(work->instructions, 1e-9), ways = fmin(1, work->guessed_ways / all),
           turns = fmin(1 - ways, (work->guessed_instructions - work->guessed_ways) / all);
    double of_turns = doubt_of_share(run, turns, guesses_loops(run->predictor->kernel, work) ? 2 : 1);
    return 1 - (1 - of_turns) * (1 - WRONG_WAYS * doubt_of_share(run, ways, 1));
}

/* Share of the memory time of requests that were reached by a guess. */
static double doubt_of_reaching(const struct gp_work *work)
{
    double all = 0, guessed = 0;
    for (uint32_t m = 0; m < work->memory_count; m++) {
        const struct gp_memory_work *memory = &work->memory[m];
        double cost = memory->wavefronts + memory->l2_bytes / 32;
        all += cost;
        if (memory->requests > 0)
            guessed += cost * (memory->guessed - memory->scattered - (1 - WRONG_WAYS) * memory->guessed_ways) /
                       memory->requests;
    }
    return all > 0 ? guessed / all : 0;
}

/* ---- Addresses --------------------------------------------------------------------------------------------------- */

/* Share of the time that is not there with the repaired work. Ends the repair. */
static double share_repaired(const struct run *run, struct gp_repair *repair)
{
    struct gp_timing timing, repaired;
    gp_time_quickly(run, &run->work, &run->conditions, &timing);
    gp_time_quickly(run, &repair->work, &repair->conditions, &repaired);
    gp_repair_end(repair);
    return timing.cycles > 0 ? 1 - fmin(1, repaired.cycles / timing.cycles) : 0;
}

/* Share of the load/store units' cycles that are requests' whose addresses nobody knows. */
static double scattered_share(const struct gp_work *work)
{
    double all = 0, scattered = 0;
    for (uint32_t m = 0; m < work->memory_count; m++) {
        const struct gp_memory_work *memory = &work->memory[m];
        all += memory->wavefronts;
        scattered += memory->requests > 0 ? memory->wavefronts * memory->scattered / memory->requests : 0;
    }
    return all > 0 ? scattered / all : 0;
}

/*
 * Share of the time that is not there when the addresses that nobody knows fall as well as they can: side by side, in
 * different banks, atomics evenly on the addresses that there are. Where a chain of dependences limits, in which they
 * may stand, a tenth of their share of all accesses at least.
 */
static double doubt_of_addresses(const struct run *run)
{
    const double least = 0.1;
    const struct gp_work *work = &run->work;
    struct gp_repair best;
    bool any = false;
    for (uint32_t m = 0; m < work->memory_count; m++)
        any |= work->memory[m].scattered > 0;
    if (!any)
        return 0;
    gp_repair_begin(&best, work, &run->conditions);
    for (uint32_t m = 0; m < work->memory_count; m++) {
        if (work->memory[m].scattered <= 0)
            continue;
        if (run->predictor->kernel->memory[m].space == GP_SPACE_LOCAL)
            gp_free_of_conflicts(&best, m);
        else
            gp_coalesce(&best, m);
        best.work.memory[m].atomics.contention =
            fmin(work->memory[m].atomics.contention, work->memory[m].atomics.least_contention);
    }
    double share = share_repaired(run, &best);
    return run->timing.limiter == GP_LIMITER_LATENCY ? fmax(share, least * scattered_share(work)) : share;
}

/* The work if texels whose size is assumed had so few bytes that most formats of four channels have: 8 bits each. */
static void shrink_texels(const struct run *run, struct gp_repair *small)
{
    const struct gp_kernel *kernel = run->predictor->kernel;
    const double usual = 4;
    for (uint32_t m = 0; m < run->work.memory_count; m++) {
        struct gp_memory_work *memory = &small->work.memory[m];
        struct gp_buffer_work *buffer = &small->work.buffers[memory->buffer];
        const struct gp_buffer_work *before = &run->work.buffers[memory->buffer];
        double part = fmin(1, usual / (kernel->memory[m].element_bytes * kernel->memory[m].vector));
        if (!gp_texel_is_assumed(kernel, run->launch, m))
            continue;
        gp_scale_l2_bytes(memory, part);
        memory->core.l1 *= part;
        memory->core.l2 *= part;
        memory->core.crowded *= part;
        memory->core.streamed *= part;
        buffer->group_bytes = before->group_bytes * part;
        buffer->useful_bytes = before->useful_bytes * part;
        buffer->fetched_beside = before->fetched_beside * part;
        buffer->stored_bytes = before->stored_bytes * part;
        buffer->rewritten_bytes = before->rewritten_bytes * part;
        buffer->extent = before->extent * part;
    }
}

/* Share of the time that is not there with smaller texels where nobody has stated their size. */
double gp_doubt_of_texels(const struct run *run)
{
    struct gp_repair small;
    bool any = false;
    for (uint32_t m = 0; m < run->work.memory_count; m++)
        any |= run->work.memory[m].requests > 0 && gp_texel_is_assumed(run->predictor->kernel, run->launch, m);
    if (!any)
        return 0;
    gp_repair_begin(&small, &run->work, &run->conditions);
    shrink_texels(run, &small);
    return share_repaired(run, &small);
}

/* Atomics that decide the time and whose addresses data decides: taken to be spread evenly over all that there are.
 * Half of it. */
static double doubt_of_spread(const struct run *run)
{
    const struct gp_work *work = &run->work;
    bool spread = false;
    for (uint32_t m = 0; m < work->memory_count; m++)
        spread |= work->memory[m].atomics.operations > 0 && work->memory[m].scattered > 0;
    double least = spread ? fmax(gp_atomic_cycles(work, run->device), gp_retry_cycles(work, &run->conditions, 0)) : 0;
    return least > 0.9 * run->timing.cycles ? 0.5 : 0;
}

/* Atomics behind a branch that nobody knows: how many lanes go there decides, and all are taken to. Half of what they
 * take at least. */
static double doubt_of_counts(const struct run *run)
{
    const struct gp_work *work = &run->work;
    double all = 0, guessed = 0;
    for (uint32_t m = 0; m < work->memory_count; m++) {
        const struct gp_memory_work *memory = &work->memory[m];
        if (memory->atomics.operations <= 0 || memory->requests <= 0)
            continue;
        all += memory->atomics.operations;
        guessed += memory->atomics.operations * (memory->guessed - memory->scattered - memory->guessed_ways) /
                   memory->requests;
    }
    return all > 0 ? 0.5 * guessed / all * fmin(1, gp_atomic_cycles(work, run->device) / run->timing.cycles) : 0;
}

/* How many warps try at a time, and fail, follows from how they happen to meet: half of the time that exchanges take if
 * all that are resident do. */
static double doubt_of_retries(const struct run *run)
{
    return 0.5 * fmin(1, gp_retry_cycles(&run->work, &run->conditions, 0) / run->timing.cycles);
}

/* ---- The device -------------------------------------------------------------------------------------------------- */

/* Hong & Kim's departure delays are fitted for few devices. Where they are not: how much twice the delay would change
 * the time. */
static double doubt_of_departures(const struct run *run)
{
    const struct gp_device *d = run->device;
    if (run->options->model != GP_MODEL_MWP_CWP || (d->departure_delay_coalesced.origin < GP_FROM_DERIVED &&
                                                    d->departure_delay_uncoalesced.origin < GP_FROM_DERIVED))
        return 0;
    struct gp_device slower = *d;
    struct gp_conditions conditions = run->conditions;
    struct gp_timing timing;
    slower.departure_delay_coalesced.value *= 2;
    slower.departure_delay_uncoalesced.value *= 2;
    conditions.device = &slower;
    gp_time_work(run, &run->work, &conditions, &timing);
    return 1 - fmin(1, run->timing.cycles / timing.cycles);
}

static bool limits_memory(enum gp_limiter limiter)
{
    return limiter == GP_LIMITER_LSU || limiter == GP_LIMITER_L1 || limiter == GP_LIMITER_L2 ||
           limiter == GP_LIMITER_DRAM || limiter == GP_LIMITER_LATENCY;
}

/* The hardware number that the limiter stands on. */
static const struct gp_number *number_behind(const struct gp_device *d, enum gp_limiter limiter)
{
    switch (limiter) {
    case GP_LIMITER_ISSUE: return &d->issue_per_scheduler;
    case GP_LIMITER_FP32: return &d->fp32_lanes;
    case GP_LIMITER_FP64: return &d->fp64_lanes;
    case GP_LIMITER_SFU: return &d->sfu_lanes;
    case GP_LIMITER_INT: return &d->int_lanes;
    case GP_LIMITER_LSU: return &d->lsu_lanes;
    case GP_LIMITER_L1: return &d->l1_bytes_per_clk;
    case GP_LIMITER_L2: return &d->l2_bytes_per_clk;
    case GP_LIMITER_DRAM: return &d->dram_gbps;
    case GP_LIMITER_LATENCY: return &d->dram_latency;
    case GP_LIMITER_BARRIER: return gp_arch_is_nvidia(d->arch) ? &d->barrier_lanes : &d->barrier_latency;
    default: return &d->launch_ns;
    }
}

/*
 * Where the groups' start is what limits, and the rate at which they start is a rule's: measured ones differ by a third
 * (RTX 4090 0.75 groups a cycle, H200 0.83, A100 0.96), and groups of one or two warps on a V100 take twice as long as
 * at an A100's rate.
 */
static double doubt_of_start(const struct run *run)
{
    const struct gp_conditions *c = &run->conditions;
    bool starts = run->timing.limiter == GP_LIMITER_LAUNCH &&
                  gp_start_cycles(&run->work, c) >= c->device->launch_ns.value * 1e-9 * c->clock_mhz * 1e6;
    return starts && c->device->group_rate.origin == GP_FROM_ASSUMED ? 0.5 : 0;
}

/* ---- All of it --------------------------------------------------------------------------------------------------- */

/* Whether the kernel has a memory operation, one that writes if that is asked for, that was executed if that is. */
static bool requests_any(const struct run *run, bool writes, bool executed)
{
    const struct gp_kernel *kernel = run->predictor->kernel;
    for (uint32_t m = 0; m < run->work.memory_count; m++)
        if ((!writes || gp_memory_writes(&kernel->memory[m])) && (!executed || run->work.memory[m].requests > 0))
            return true;
    return false;
}

/*
 * Nothing that was looked at stores anything, though the kernel has operations that do (or, of others, got to a memory
 * operation), and a lone warp, but for waiting for memory, is over sooner than the next group is started: with these
 * arguments it does nothing, which nobody meant. What computes for longer and stores seldom is a search.
 */
bool gp_does_nothing(const struct run *run)
{
    const struct gp_work *work = &run->work;
    bool writes = requests_any(run, true, false);
    return work->memory_count > 0 && !requests_any(run, writes, true) &&
           work->chain - work->chain_memory < run->device->group_dispatch_clk.value;
}

/*
 * The share of the time that rests on no guess. Doubts: requests reached by guesses; calls, inline assembly and
 * divisions of loaded 64-bit numbers, whose instructions are an estimate; instructions reached by guesses, guessed
 * addresses, assumed texels, estimated registers and derived departure delays, by what they change; of what only a
 * branch's way is a guess for, a quarter, but of atomics half; half where groups
 * start at a rate that is a rule's, and that limits; retried exchanges, half of what they take at least; an assumed
 * number behind the limiter and a foreign target: a tenth each; a device that is not in the database, or of which
 * nothing was measured: a tenth, three where the nearest is of another architecture; registers of code that is unrolled
 * further than the profile's: three. Groups that do different work, of which some are looked at: the standard error.
 * Arguments with which it does nothing: nine tenths.
 */
double gp_known_share(const struct run *run, double doubt_of_texels)
{
    const struct gp_work *work = &run->work;
    double sure = 1;
    sure *= 1 - doubt_of_instructions(run);
    if (work->pipes.issue > 0)
        sure *= 1 - fmin(1, work->unknown_calls / work->pipes.issue);
    sure *= 1 - doubt_of_reaching(work) * (limits_memory(run->timing.limiter) ? 1 : 0.3);
    sure *= 1 - doubt_of_addresses(run);
    sure *= 1 - doubt_of_texels;
    sure *= 1 - fmax(fmax(doubt_of_spread(run), doubt_of_counts(run)), doubt_of_retries(run));
    sure *= 1 - doubt_of_registers(run);
    sure *= 1 - doubt_of_departures(run);
    sure *= 1 - doubt_of_start(run);
    if (number_behind(run->device, run->timing.limiter)->origin == GP_FROM_ASSUMED)
        sure *= 0.9;
    if (run->options->foreign_target || run->device->proxy_target)
        sure *= 0.9;
    if (run->device->nearest != NULL)
        sure *= run->device->same_target ? 0.9 : 0.7;
    else if (!gp_device_is_measured(run->device))
        sure *= 0.9;
    if (run->missing_registers > 0 ||
        gp_arrays_tell_of_unrolling(run->predictor->profile, run->predictor->as_it_came, run->predictor->changed))
        sure *= 0.7;
    sure *= 1 - fmin(1, work->uncertain);
    if (work->cut_off || run->predictor->kernel->truncated)
        sure *= 0.5;
    if (gp_does_nothing(run))
        sure *= 0.1;
    return fmax(0, fmin(1, sure));
}
