/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Cycles that a group keeps each unit of its SM busy. */
#include "model/timing/pipes.h"

#include <math.h>

#include "model/compilers/code_rules.h"
#include "model/compilers/inst_cost.h"
#include "model/launch/occupancy.h"
#include "model/timing/working_set.h"

static double per_cycle(const struct gp_device *device, enum gp_pipe pipe)
{
    double rate = gp_pipe_rate(device, pipe);
    return rate > 0 ? rate : 1e-3;
}

/* The work with one path repaired; no more of it than a repaired branch has left. */
static void repair_path(struct gp_pipe_work *pipes, const struct gp_path_work *path)
{
    double left = path->before.issue > 0 ? fmin(1, pipes->issue / path->before.issue) : 0;
    pipes->issue += left * (path->repaired.issue - path->before.issue);
    for (int p = 0; p < GP_PIPE_COUNT; p++)
        pipes->ops[p] = fmax(0, pipes->ops[p] - left * path->before.ops[p]) + left * path->repaired.ops[p];
}

/*
 * Instructions that share the schedulers' slots. AMD's issue one of each kind at a time, each of another wave: accesses
 * do not take the place of vector instructions (GCN architecture whitepaper; RDNA architecture whitepaper).
 */
static double issued(const struct gp_work *work, const struct gp_pipe_work *pipes, const struct gp_device *device)
{
    double accesses = 0;
    for (uint32_t m = 0; gp_arch_is_amd(device->arch) && m < work->memory_count; m++)
        accesses += work->memory[m].requests;
    return fmax(0, pipes->issue - accesses);
}

static enum gp_limiter limiter_of(enum gp_pipe pipe)
{
    switch (pipe) {
    case GP_PIPE_FP64: return GP_LIMITER_FP64;
    case GP_PIPE_INT:
    case GP_PIPE_INT_MUL:
    case GP_PIPE_SHIFT: return GP_LIMITER_INT;
    case GP_PIPE_SFU:
    case GP_PIPE_CVT:
    case GP_PIPE_CVT64: return GP_LIMITER_SFU;
    default: return GP_LIMITER_FP32;
    }
}

/*
 * AMD's SIMDs: what takes turns on their lanes adds up, and the kind that takes most of it limits. RDNA's products of
 * integers, alone slow there, are left out: a loop's addresses are counted with products that LLVM makes additions of
 * (docs/accuracy.md, "What is left").
 */
static void add_turns(const struct gp_device *d, const struct gp_pipe_work *pipes, double warps,
                      double cycles[GP_LIMITER_COUNT])
{
    double of_kind[GP_LIMITER_COUNT] = {0}, all = 0;
    for (int p = 0; p < GP_PIPE_COUNT; p++)
        if (d->arch != GP_ARCH_RDNA && gp_pipe_on_simd(d, (enum gp_pipe)p)) {
            double turns = pipes->ops[p] / per_cycle(d, (enum gp_pipe)p);
            of_kind[limiter_of((enum gp_pipe)p)] += turns;
            all += turns;
        }
    if (all > 0)
        cycles[gp_busiest(of_kind)] = warps * all;
}

/* Of the sums that may be products moves as many as make the busier of the two kinds' lanes least busy. */
static void even_out_sums(const struct gp_device *d, double sums, double *integer, double *multiply, double *fp32)
{
    sums = gp_sums_as_products(sums);
    double here = sums / per_cycle(d, GP_PIPE_INT), as_product = sums / per_cycle(d, GP_PIPE_INT_MUL),
           as_fp32 = sums / per_cycle(d, GP_PIPE_FP32);
    if (sums <= 0)
        return;
    double share = fmin((*integer - *multiply) / (here + as_product), (*integer - *fp32) / (here + as_fp32));
    share = fmax(0, fmin(1, share));
    *integer -= share * here;
    *multiply += share * as_product;
    *fp32 += share * as_fp32;
}

struct gp_pipe_work gp_repaired_pipes(const struct gp_work *work, uint32_t paths)
{
    struct gp_pipe_work pipes = work->pipes;
    for (int path = 0; path < GP_NARROW_COUNT; path++)
        if (paths >> path & 1)
            repair_path(&pipes, &work->paths[path]);
    return pipes;
}

void gp_arithmetic_cycles(const struct gp_work *work, const struct gp_conditions *c, double cycles[GP_LIMITER_COUNT])
{
    const struct gp_device *d = c->device;
    struct gp_pipe_work pipes = gp_repaired_pipes(work, c->repaired_paths);
    double warps = work->warps_per_group;
    double integer =
        pipes.ops[GP_PIPE_INT] / per_cycle(d, GP_PIPE_INT) + pipes.ops[GP_PIPE_SHIFT] / per_cycle(d, GP_PIPE_SHIFT);
    double fp32 = pipes.ops[GP_PIPE_FP32] / per_cycle(d, GP_PIPE_FP32);
    double multiply = pipes.ops[GP_PIPE_INT_MUL] / per_cycle(d, GP_PIPE_INT_MUL);
    if (d->int_shares_fp32.value > 0)
        fp32 += (pipes.ops[GP_PIPE_INT] + pipes.ops[GP_PIPE_SHIFT]) / per_cycle(d, GP_PIPE_FP32);
    if (gp_arch_is_nvidia_since(d->arch, GP_ARCH_VOLTA)) { /* IMAD runs where FFMA runs; where FFMA has two halves, in
                                                              one of them (docs/models.md) */
        fp32 += pipes.ops[GP_PIPE_INT_MUL] / per_cycle(d, GP_PIPE_FP32);
        even_out_sums(d, fmin(pipes.sums, pipes.ops[GP_PIPE_INT]), &integer, &multiply, &fp32);
    }
    double sfu = pipes.ops[GP_PIPE_SFU] / per_cycle(d, GP_PIPE_SFU);
    double wide = pipes.ops[GP_PIPE_CVT64] / per_cycle(d, GP_PIPE_CVT64),
           convert = pipes.ops[GP_PIPE_CVT] / per_cycle(d, GP_PIPE_CVT);
    if (!gp_converts_on_fp64(d))
        convert += wide;
    cycles[GP_LIMITER_ISSUE] = warps * issued(work, &pipes, d) /
                               (d->schedulers_per_sm.value * d->issue_per_scheduler.value * d->issue_efficiency.value);
    if (d->scalar_unit.value > 0)
        cycles[GP_LIMITER_ISSUE] =
            fmax(cycles[GP_LIMITER_ISSUE], warps * pipes.ops[GP_PIPE_SCALAR] / per_cycle(d, GP_PIPE_SCALAR));
    fp32 += pipes.ops[GP_PIPE_FP16] / per_cycle(d, GP_PIPE_FP16);
    double matrix = pipes.ops[GP_PIPE_MATRIX] / per_cycle(d, GP_PIPE_MATRIX);
    cycles[GP_LIMITER_FP32] = warps * (gp_pipe_on_simd(d, GP_PIPE_MATRIX) ? fp32 + matrix : fmax(fp32, matrix));
    cycles[GP_LIMITER_FP64] =
        warps * (pipes.ops[GP_PIPE_FP64] / per_cycle(d, GP_PIPE_FP64) + (gp_converts_on_fp64(d) ? wide : 0));
    cycles[GP_LIMITER_INT] = warps * fmax(integer, multiply);
    cycles[GP_LIMITER_SFU] =
        warps * (gp_arch_is_nvidia(d->arch) ? sfu + convert : fmax(sfu, convert)); /* one XU on NVIDIA */
    add_turns(d, &pipes, warps, cycles);
    cycles[GP_LIMITER_BARRIER] = c->no_barrier ? 0 : warps * pipes.ops[GP_PIPE_BARRIER] / per_cycle(d, GP_PIPE_BARRIER);
    cycles[GP_LIMITER_LSU] = warps * pipes.ops[GP_PIPE_SHUFFLE] / per_cycle(d, GP_PIPE_SHUFFLE);
}

/*
 * Cycles below which an SM is not done with the arithmetic of so many groups where each scheduler has lanes of its own:
 * its warps are spread over the schedulers whole, and a scheduler with fewer does not help out one with more. cycles:
 * of one group with all lanes.
 */
static double of_fullest_scheduler(const struct gp_work *work, const struct gp_device *d, double groups,
                                   const double cycles[GP_LIMITER_COUNT])
{
    double schedulers = d->schedulers_per_sm.value, warps = groups * work->warps_per_group;
    double longest = fmax(fmax(cycles[GP_LIMITER_ISSUE], cycles[GP_LIMITER_FP32]),
                          fmax(cycles[GP_LIMITER_INT], cycles[GP_LIMITER_SFU]));
    if (d->fp64_lanes.value >= 4 * schedulers) /* else one unit for all */
        longest = fmax(longest, cycles[GP_LIMITER_FP64]);
    return d->partitioned.value > 0 && warps > 0 ? ceil(warps / schedulers) * schedulers / warps * groups * longest : 0;
}

/* Bytes per cycle between L2 and one of so many SMs, where L2 moves so many in all. */
static double l2_rate(const struct gp_device *d, double whole, double busy_sms)
{
    return fmin(whole / busy_sms, fmax(d->sm_bytes_per_clk.value, d->l1_bytes_per_clk.value));
}

/* Cycles of a group for which its accesses keep the FP32 lanes busy. */
static double fp32_held(const struct gp_work *work, const struct gp_device *d)
{
    double held = 0;
    for (uint32_t m = 0; m < work->memory_count; m++) {
        const struct gp_memory_work *memory = &work->memory[m];
        held += gp_fp32_held(d, memory->passes > 0, memory->writes) * memory->wavefronts;
    }
    return held * work->warps_per_group;
}

/*
 * The load/store unit's cycles of a group, where local memory takes so many and the caches so many. On AMD's GPUs these
 * are two units, which serve waves side by side (GCN architecture whitepaper: up to five instructions a cycle, each of
 * another kind, vector memory and LDS among them); NVIDIA's share one.
 */
static double load_store_cycles(const struct gp_device *d, double local, double caches)
{
    return gp_arch_is_amd(d->arch) ? fmax(local, caches) : local + caches;
}

/* Adds what memory takes of the load/store unit and of L2, and returns a group's bytes beyond L1. */
static double memory_cycles(const struct gp_work *work, const struct gp_conditions *c, double busy_sms,
                            double cycles[GP_LIMITER_COUNT])
{
    const struct gp_device *d = c->device;
    double scratchpad = 0, caches = 0, read = 0, written = 0, looked_up = 0, atomics = 0;
    for (uint32_t m = 0; m < work->memory_count; m++) {
        const struct gp_memory_work *memory = &work->memory[m];
        bool local = memory->passes > 0;
        *(local ? &scratchpad : &caches) += memory->wavefronts;
        *(memory->writes ? &written : &read) += memory->l2_bytes * work->warps_per_group;
        looked_up += memory->atomics.operations > 0 ? 0 : memory->l2_bytes * memory->l2_busy * work->warps_per_group;
        if (local)
            scratchpad += memory->atomics.contention * d->atomic_local_clk.value;
        else
            atomics += memory->atomics.contention * d->atomic_global_clk.value;
    }
    double lanes = gp_device_lanes(d);
    read += c->spill_load_bytes * lanes * work->warps_per_group;
    written += c->spill_store_bytes * lanes * work->warps_per_group;
    caches += (c->spill_store_bytes + c->spill_load_bytes) / 4 * fmax(1, lanes / d->lsu_lanes.value);
    cycles[GP_LIMITER_LSU] = load_store_cycles(d, cycles[GP_LIMITER_LSU] + work->warps_per_group * scratchpad,
                                               work->warps_per_group * caches);
    double moving = read / l2_rate(d, d->l2_bytes_per_clk.value, busy_sms) +
                    written / l2_rate(d, d->l2_write_bytes_per_clk.value, busy_sms);
    cycles[GP_LIMITER_L2] = c->no_bandwidth ? 0 : fmax(moving, looked_up * busy_sms / d->l2_bytes_per_clk.value);
    cycles[GP_LIMITER_L2] += work->warps_per_group * atomics;
    return read + written;
}

enum gp_limiter gp_busiest(const double cycles[GP_LIMITER_COUNT])
{
    enum gp_limiter busiest = GP_LIMITER_ISSUE;
    for (int i = 0; i < GP_LIMITER_COUNT; i++)
        if (cycles[i] > cycles[busiest])
            busiest = (enum gp_limiter)i;
    return busiest;
}

/* Of so many groups, each with `of` for its every fourth warp, what the busiest of an SM's partitions gets. The next
 * group starts where the one before ended, and one on where that is where it began. */
static double of_busiest_partition(const double of[GP_PARTITIONS], uint32_t warps, uint32_t groups)
{
    uint32_t shift = warps % GP_PARTITIONS == 0 ? 1 : warps % GP_PARTITIONS;
    double most = 0;
    for (uint32_t p = 0; p < GP_PARTITIONS; p++) {
        double here = 0;
        for (uint32_t g = 0; g < groups; g++)
            here += of[(p + groups * GP_PARTITIONS - g * shift) % GP_PARTITIONS];
        most = fmax(most, here);
    }
    return most;
}

/*
 * How much more the busiest of an SM's partitions has to do than if all warps did the same. A group's warps go to the
 * four in turn (an H100's %warpid and what pairs of warps take beside each other, bench/gpu/results/h100), so that of
 * groups of two warps the same two partitions get the first one of each. Of groups that were executed in part nothing
 * is known: as if even.
 */
static double crowding_of_partitions(const struct gp_work *work, const struct gp_device *d, double groups)
{
    const double *of = work->of_every_fourth;
    double known = of[0] + of[1] + of[2] + of[3], unknown = fmax(0, work->instructions * work->warps_per_group - known);
    uint32_t warps = (uint32_t)work->warps_per_group, turns = (uint32_t)fmax(1, fmin(groups, GP_PARTITIONS));
    bool spread = gp_arch_is_nvidia_since(d->arch, GP_ARCH_VOLTA) && d->partitioned.value > 0 &&
                  d->schedulers_per_sm.value == GP_PARTITIONS;
    double each[GP_PARTITIONS], alike[GP_PARTITIONS];
    if (!spread || known <= 0 || warps < 2)
        return 1;
    for (uint32_t q = 0; q < GP_PARTITIONS; q++) {
        uint32_t count = (warps + GP_PARTITIONS - 1 - q) / GP_PARTITIONS;
        each[q] = of[q] + unknown * count / warps;
        alike[q] = (known + unknown) * count / warps;
    }
    return fmax(1, of_busiest_partition(each, warps, turns) / of_busiest_partition(alike, warps, turns));
}

/* The partitions of an SM that has no more groups than it gets are not alike: the fullest one's work counts. */
static void crowd_partitions(const struct gp_work *work, const struct gp_device *d, double groups,
                             double cycles[GP_LIMITER_COUNT])
{
    static const enum gp_limiter of_partitions[] = {GP_LIMITER_ISSUE, GP_LIMITER_FP32, GP_LIMITER_INT, GP_LIMITER_SFU};
    double crowding = crowding_of_partitions(work, d, groups);
    for (size_t i = 0; i < sizeof of_partitions / sizeof *of_partitions; i++)
        cycles[of_partitions[i]] *= crowding;
}

void gp_take_units(const struct gp_work *work, const struct gp_conditions *c, struct gp_timing *timing)
{
    struct gp_terms *t = &timing->terms;
    double *cycles = timing->pipe_cycles;
    gp_arithmetic_cycles(work, c, cycles);
    cycles[GP_LIMITER_FP32] += fp32_held(work, c->device);
    if (!c->no_tail)
        crowd_partitions(work, c->device, t->groups_per_sm, cycles);
    t->scheduler_cycles = c->no_tail ? 0 : of_fullest_scheduler(work, c->device, t->groups_per_sm, cycles);
    double busy_sms = work->groups / fmax(t->part, t->groups_per_sm);
    t->l2_bytes = timing->l2_bytes = memory_cycles(work, c, busy_sms, cycles) * work->groups;
    t->busiest = cycles[gp_busiest(cycles)];
}
