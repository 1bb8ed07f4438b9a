/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/timing/throughput.h"

#include <math.h>

#include "model/launch/occupancy.h"
#include "model/compilers/inst_cost.h"

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

/*
 * From Volta on ptxas makes sums of two integers IMAD.IADD (on Hopper VIADD) where the multiply-add's lanes are less
 * busy than the integers': 66 of 193 additions in 64 rounds of a hash, the others having three terms or a shifted one
 * (bench/gpu/kernels/digest.cl). Moves as many of a third of the additions as make the busier of the two least busy.
 */
static void even_out_sums(const struct gp_device *d, double sums, double *integer, double *multiply, double *fp32)
{
    sums /= 3;
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

static void arithmetic_cycles(const struct gp_work *work, const struct gp_conditions *c,
                              double cycles[GP_LIMITER_COUNT])
{
    const struct gp_device *d = c->device;
    struct gp_pipe_work pipes = work->pipes;
    for (int path = 0; path < GP_NARROW_COUNT; path++)
        if (c->repaired_paths >> path & 1)
            repair_path(&pipes, &work->paths[path]);
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
 * Spilled registers: a 4-byte store or load instruction per spilled word and warp, a full line each; they are written
 * through to L2, and what an SM's warps spill at once seldom fits there: it goes to DRAM and comes back.
 */
static double spill_bytes(const struct gp_work *work, const struct gp_conditions *c)
{
    return (c->spill_store_bytes + c->spill_load_bytes) * gp_device_lanes(c->device) * work->warps_per_group;
}

/* What a group's spilled registers take up. */
static double spill_slots(const struct gp_work *work, const struct gp_conditions *c)
{
    return c->spill_slot_bytes * gp_device_lanes(c->device) * work->warps_per_group;
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
    return fmin(whole / busy_sms, fmax(64, d->l1_bytes_per_clk.value));
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

static void memory_cycles(const struct gp_work *work, const struct gp_conditions *c, double busy_sms,
                          double cycles[GP_LIMITER_COUNT], double *l2_bytes_of_group)
{
    const struct gp_device *d = c->device;
    double scratchpad = 0, caches = 0, read = 0, written = 0, looked_up = 0, atomics = 0;
    for (uint32_t m = 0; m < work->memory_count; m++) {
        const struct gp_memory_work *memory = &work->memory[m];
        bool local = memory->passes > 0;
        *(local ? &scratchpad : &caches) += memory->wavefronts;
        *(memory->writes ? &written : &read) += memory->l2_bytes * work->warps_per_group;
        looked_up += memory->operations > 0 ? 0 : memory->l2_bytes * memory->l2_busy * work->warps_per_group;
        if (local)
            scratchpad += memory->contention * d->atomic_local_clk.value;
        else
            atomics += memory->contention * d->atomic_global_clk.value;
    }
    double lanes = gp_device_lanes(d);
    read += c->spill_load_bytes * lanes * work->warps_per_group;
    written += c->spill_store_bytes * lanes * work->warps_per_group;
    caches += (c->spill_store_bytes + c->spill_load_bytes) / 4 * fmax(1, lanes / d->lsu_lanes.value);
    cycles[GP_LIMITER_LSU] = load_store_cycles(d, cycles[GP_LIMITER_LSU] + work->warps_per_group * scratchpad,
                                               work->warps_per_group * caches);
    *l2_bytes_of_group = read + written;
    double moving = read / l2_rate(d, d->l2_bytes_per_clk.value, busy_sms) +
                    written / l2_rate(d, d->l2_write_bytes_per_clk.value, busy_sms);
    cycles[GP_LIMITER_L2] = c->no_bandwidth ? 0 : fmax(moving, looked_up * busy_sms / d->l2_bytes_per_clk.value);
    cycles[GP_LIMITER_L2] += work->warps_per_group * atomics;
}

/*
 * Misses per access of a cache that is gone through in rounds: `times` its size out of a stretch of `stretch` times its
 * size. Addresses are hashed over the sets, so that each set has its part of the stretch; how many of these lines are
 * gone through follows the binomial distribution (Smith, "A Comparative Study of Set Associative Memory Mapping
 * Algorithms", IEEE Transactions on Software Engineering 1978). A set that has more of them than ways loses each before
 * its turn comes again, since the least recently used goes (GCN architecture whitepaper).
 */
static double misses_of_rounds(double times, double stretch, double ways)
{
    enum { ALL = 8 };
    if (times > ALL)
        return 1;
    double share = fmin(1, times / stretch), others = fmax(0, stretch * ways - 1), held = 0;
    if (others < ways || share >= 1) /* all in a set at once */
        return others < ways ? 0 : 1;
    double likely = isinf(others) ? exp(-times * ways) : pow(1 - share, others);
    for (int lines = 0; lines < ways; lines++) {
        held += likely;
        likely *= (isinf(others) ? times * ways : (others - lines) * share / (1 - share)) / (lines + 1);
    }
    return fmax(0, 1 - held);
}

/* The same in bytes; without a cache all miss. */
static double beyond_cache(double round, double stretch, double cache, double ways)
{
    return cache > 0 ? misses_of_rounds(round / cache, stretch / cache, ways) : 1;
}

/*
 * Distinct bytes that a block of n[0] x n[1] x n[2] neighbouring groups touches of a buffer. Neighbours may share lines
 * without sharing a word in them, and only until the line ends: the words that all ask for are the least.
 */
static double unbounded_footprint(const struct gp_work *work, const struct gp_buffer_work *buffer, const double n[3])
{
    return fmax(gp_spread(buffer->group_bytes, &buffer->shared, work->further, n),
                gp_spread(buffer->useful_bytes, &buffer->shared_words, work->further, n));
}

static double footprint(const struct gp_work *work, const struct gp_buffer_work *buffer, const double n[3])
{
    return fmin(unbounded_footprint(work, buffer, n), buffer->extent);
}

/* Groups start in linear order, x fastest: the block that `count` of them make. */
static void block_of(const struct gp_work *work, const struct gp_conditions *c, double count, double n[3])
{
    double lattice[3];
    gp_work_lattice(work, c->grid, lattice);
    for (int d = 0; d < 3; d++) {
        n[d] = fmax(1, fmin(count, lattice[d]));
        count = fmax(1, count / lattice[d]);
    }
}

/* Distinct bytes of all buffers that so many groups, started one after the other, touch. */
static double footprint_of(const struct gp_work *work, const struct gp_conditions *c, double count)
{
    double n[3], bytes = 0;
    block_of(work, c, count, n);
    for (uint32_t b = 0; b < work->buffer_count; b++)
        bytes += footprint(work, &work->buffers[b], n);
    return bytes;
}

/*
 * How many groups share what they have in common through the last cache: as many, started one after the other, as it
 * holds the footprint of; the resident ones in any case, since they work side by side and what they share is asked for
 * at about the same time.
 */
static double sharing_groups(const struct gp_work *work, const struct gp_conditions *c, double concurrent, double cache)
{
    double low = fmin(concurrent, work->groups), high = work->groups;
    if (footprint_of(work, c, high) <= cache)
        return high;
    while (high - low > 0.01 * low) {
        double middle = 0.5 * (low + high);
        if (footprint_of(work, c, middle) <= cache)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Share of the spilled registers that a cache does not hold when so many groups run at once. */
static double spills_beyond(const struct gp_work *work, const struct gp_conditions *c, double concurrent, double cache)
{
    return beyond_cache(spill_slots(work, c) * concurrent, INFINITY, cache, c->device->l2_ways.value);
}

static double last_cache(const struct gp_device *device) { return fmax(device->l2_size.value, device->llc_size.value); }

/*
 * Share of what neighbours along a dimension have in common that the last cache loses before the later one asks for it:
 * the groups that start between the two go through all they touch, a round of the cache (Xiang et al., "HOTL: A Higher
 * Order Theory of Locality", ASPLOS 2013: a cache loses what is asked for again after its size in other data).
 * Neighbours that run together ask at about the same time; of each wave the first have their neighbours in the wave
 * before. distance: of the two, along the dimension.
 */
static double lost_between(const struct gp_work *work, const struct gp_conditions *c, double concurrent, double cache,
                           int dimension, double distance)
{
    double between = distance, stretch = 0, lattice[3];
    gp_work_lattice(work, c->grid, lattice);
    for (int d = 0; d < dimension; d++)
        between *= lattice[d];
    for (uint32_t b = 0; b < work->buffer_count; b++)
        stretch += work->buffers[b].extent;
    double round = footprint_of(work, c, fmax(between, concurrent));
    return fmin(1, between / concurrent) * beyond_cache(round, stretch, cache, c->device->l2_ways.value);
}

/* The same of all that groups share along each dimension, as struct gp_shared has it. */
static struct gp_shared lost_of_shared(const struct gp_work *work, const struct gp_conditions *c, double concurrent,
                                       double cache)
{
    struct gp_shared lost = {0};
    double lattice[3];
    gp_work_lattice(work, c->grid, lattice);
    for (int d = 0; d < 3; d++) {
        lost.next[d] = lattice[d] > 1 ? lost_between(work, c, concurrent, cache, d, 1) : 0;
        for (int i = 0; i < GP_MOST_FURTHER && work->further[d][i] > 0; i++)
            lost.further[d][i] = lost_between(work, c, concurrent, cache, d, work->further[d][i]);
    }
    return lost;
}

static void lose(struct gp_shared *shared, const struct gp_shared *lost)
{
    for (int d = 0; d < 3; d++) {
        shared->next[d] *= 1 - lost->next[d];
        for (int i = 0; i < GP_MOST_FURTHER; i++)
            shared->further[d][i] *= 1 - lost->further[d][i];
    }
}

/* Distinct bytes of all groups, where those share as much as the cache keeps. */
static double footprint_of_kept(const struct gp_work *work, const struct gp_buffer_work *buffer, const double all[3],
                                const struct gp_shared *lost)
{
    struct gp_buffer_work kept = *buffer;
    lose(&kept.shared, lost);
    lose(&kept.shared_words, lost);
    return unbounded_footprint(work, &kept, all);
}

/* Of what a buffer's groups bring, the share that they write first, or read and write back. */
static double share_stored(const struct gp_buffer_work *b)
{
    return b->group_bytes > 0
               ? fmin(1, fmax(0, fmin(b->stored_bytes, b->group_bytes - b->rewritten_bytes)) / b->group_bytes)
               : 0;
}
static double share_rewritten(const struct gp_buffer_work *b)
{
    return b->group_bytes > 0 ? fmin(1, b->rewritten_bytes / b->group_bytes) : 0;
}

/*
 * Of `moved` bytes of a buffer those that are written, where they are such a share of what a group touches. Where
 * groups read what others write, as an update in place of rows from the rows beside them does, they share more of what
 * they read than of what they write.
 */
static double written_bytes(const struct gp_work *work, const struct gp_buffer_work *b, const double all[3],
                            const struct gp_shared *lost, double missing, double moved, double share)
{
    struct gp_shared kept = b->shared_written;
    lose(&kept, lost);
    return b->read_and_written ? fmin(moved, missing * gp_spread(share * b->group_bytes, &kept, work->further, all))
                               : moved * share;
}

/* Bytes that the launch touches, each counted once; of what it stores first, so much of each. */
static double touched_bytes(const struct gp_work *work, const struct gp_conditions *c, double of_stored)
{
    double all[3], bytes = 0;
    block_of(work, c, work->groups, all);
    for (uint32_t b = 0; b < work->buffer_count; b++)
        if (gp_ref_kind(work->buffers[b].base) != GP_REF_LOCAL)
            bytes += footprint(work, &work->buffers[b], all) * (1 - (1 - of_stored) * share_stored(&work->buffers[b]));
    return bytes;
}

/*
 * Share of what the launch touches that a cache does not hold from the launch before, of the same kernel on the same
 * data: each goes through all of it, a round of the cache. Pages lie anywhere in memory, so that what is contiguous,
 * too, lies in the cache's sets as by lot: no cache loses all at once.
 */
static double lost_since_before(const struct gp_work *work, const struct gp_conditions *c, double cache)
{
    double round = c->cold ? 0 : touched_bytes(work, c, 1);
    return round > 0 ? beyond_cache(round, INFINITY, cache, c->device->l2_ways.value) : 1;
}

/*
 * Bytes that come when `bytes` of a buffer do: those beside them that L2 fetches along, unless others touch these
 * anyway, as far as all that the launch touches fills the stretch in which it lies.
 */
static double fetched_along(const struct gp_work *work, const struct gp_buffer_work *b, const double all[3],
                            double bytes)
{
    double touched = unbounded_footprint(work, b, all),
           along = b->group_bytes > 0 ? touched * (1 + b->fetched_beside / b->group_bytes) : touched;
    return touched > 0 && touched < b->extent ? bytes * fmin(along, b->extent) / touched : bytes;
}

/* Of what DRAM reads of a buffer, as gp_buffer_work.apart_bytes. What neighbours share they ask for at about the same
 * time, and so all of a line. */
static double share_apart(const struct gp_buffer_work *b)
{
    double shared = fmax(b->shared.next[0], fmax(b->shared.next[1], b->shared.next[2]));
    return b->group_bytes > 0 ? fmin(2, b->apart_bytes / b->group_bytes) * (1 - shared) : 0;
}

/* Whether warps mostly go to L2 or beyond for it. */
static bool goes_beyond_l1(const struct gp_memory_work *m)
{
    return m->passes <= 0 && m->requests > 0 && m->misses > 0.5 * m->requests;
}

/* Places, some pages apart, that warps go to. Of an operation where it went first stands for all. */
static double count_streams(const struct gp_work *work)
{
    enum { MOST = 64, APART = 13 }; /* places that make no more difference; bits of 8 KB */
    struct {
        uint32_t symbol;
        uint64_t page;
    } seen[MOST];
    uint32_t count = 0;
    for (uint32_t m = 0; m < work->memory_count && count < MOST; m++) {
        const struct gp_memory_work *memory = &work->memory[m];
        uint32_t i = 0;
        while (i < count && (seen[i].symbol != memory->first_symbol || seen[i].page != memory->first_offset >> APART))
            i++;
        if (i == count && goes_beyond_l1(memory)) {
            seen[count].symbol = memory->first_symbol;
            seen[count++].page = memory->first_offset >> APART;
        }
    }
    return count;
}

/* Cycles that SMs are kept by those requests of their warps that DRAM serves, of as many as bytes of what L2 is asked
 * for. Atomics are L2's. */
static double request_cycles(const struct gp_work *work, const struct gp_device *device, double bytes)
{
    double missed = 0, asked = 0;
    for (uint32_t m = 0; m < work->memory_count; m++) {
        bool other = work->memory[m].passes > 0 || work->memory[m].operations > 0;
        missed += other ? 0 : fmin(work->memory[m].misses, work->memory[m].requests);
        asked += other ? 0 : work->memory[m].l2_bytes;
    }
    double warps = work->warps_per_group * work->groups;
    return asked > 0 ? device->dram_request_clk.value * missed * warps / device->sm_count.value *
                           fmin(1, bytes / (asked * warps))
                     : 0;
}

/*
 * What groups share through the cache is moved once for all of them, anything else for every group; what they read and
 * write goes back as well, and what a group writes first comes where another one reads it, for who is first nobody
 * knows. What the launch before has left in the cache need not come.
 */
void gp_dram_traffic(const struct gp_work *work, const struct gp_conditions *c, double concurrent, double *of_buffer,
                     struct gp_dram_traffic *traffic)
{
    double cache = last_cache(c->device), missing = lost_since_before(work, c, cache);
    double all[3], together[3], wave[3], distinct = 0, own_in_wave = 0;
    *traffic = (struct gp_dram_traffic){.alone = 1};
    double sharing = sharing_groups(work, c, concurrent, cache);
    block_of(work, c, work->groups, all);
    block_of(work, c, sharing, together);
    block_of(work, c, concurrent, wave);
    struct gp_shared lost = lost_of_shared(work, c, concurrent, cache);
    for (uint32_t b = 0; b < work->buffer_count; b++) {
        const struct gp_buffer_work *buffer = &work->buffers[b];
        double own = buffer->group_bytes * work->groups, times = fmax(1, work->groups / sharing);
        double kept = fmin(footprint_of_kept(work, buffer, all, &lost), footprint(work, buffer, together) * times);
        double part = gp_ref_kind(buffer->base) == GP_REF_LOCAL
                          ? 0
                          : missing * fmin(own, fmax(footprint(work, buffer, all), kept));
        double stored = share_stored(buffer), written = written_bytes(work, buffer, all, &lost, missing, part,
                                                                      fmin(1, stored + share_rewritten(buffer)));
        double read =
                   part - written_bytes(work, buffer, all, &lost, missing, part, stored * (1 - buffer->read_elsewhere)),
               fetched = fetched_along(work, buffer, all, read);
        own_in_wave += buffer->group_bytes * concurrent;
        distinct +=
            unbounded_footprint(work, buffer, wave); /* what lies in the same stretch is not touched at the same time */
        traffic->bytes += fetched + written;
        traffic->written += written;
        traffic->apart += fetched * share_apart(buffer);
        if (of_buffer != NULL)
            of_buffer[b] = part + fetched - read;
    }
    if (own_in_wave > 0)
        traffic->alone = fmin(1, distinct / own_in_wave);
    traffic->streams = count_streams(work);
    traffic->request_cycles = request_cycles(work, c->device, traffic->bytes);
    double spilled = work->groups * spills_beyond(work, c, concurrent, cache),
           per_byte = gp_device_lanes(c->device) * work->warps_per_group;
    traffic->bytes += spilled * spill_bytes(work, c);
    traffic->written += spilled * c->spill_store_bytes * per_byte;
}

/* 0: nothing is written; 1: as in copies and in sums of two vectors, where a third and more is. */
static double mixed(const struct gp_dram_traffic *t) { return t->bytes > 0 ? fmin(1, 3 * t->written / t->bytes) : 0; }

static double blend(double reading, double copying, const struct gp_dram_traffic *t)
{
    return reading + mixed(t) * (copying - reading);
}

/* From what copies of two arrays reach to what copies of many do, evenly over doublings of their number: triads have
 * three streams, a step of lattice Boltzmann's D3Q19 38. */
static double of_streams(double share, const struct gp_device *device, double streams)
{
    const double few = 3, many = 38;
    double most = device->dram_streams_efficiency.value,
           part = fmin(1, log(fmax(few, streams) / few) / log(many / few));
    return most < share ? share * pow(most / share, part) : share;
}

double gp_dram_bytes_per_clk(const struct gp_conditions *c, const struct gp_dram_traffic *traffic)
{
    double share = blend(c->device->dram_read_efficiency.value, c->device->dram_efficiency.value, traffic),
           apart = c->device->dram_apart_efficiency.value;
    share = of_streams(share, c->device, traffic->streams);
    if (traffic->apart > 0 && apart < share)
        share = traffic->bytes / (fmax(0, traffic->bytes - traffic->apart) / share + traffic->apart / apart);
    double rate = c->device->dram_gbps.value * 1e9 * share / (c->clock_mhz * 1e6);
    return traffic->request_cycles > 0 ? traffic->bytes / (traffic->bytes / rate + traffic->request_cycles) : rate;
}

/*
 * What requests take whose latencies alone add up to `latency` and their transfers to `transfer`: the busier DRAM is
 * the longer they queue. A norm of the two whose exponent is that of bandwidth over resident warps as measured
 * (docs/models.md).
 */
static double with_queues(double latency, double transfer, double knee)
{
    double most = fmax(latency, transfer);
    return most > 0 ? most * pow(pow(latency / most, knee) + pow(transfer / most, knee), 1 / knee) : 0;
}

/* Spilled words that a warp loads at a time: code that spills has no register to load ahead; for RDNA LLVM spills
 * pairs, and loads each pair in one clause. */
static double words_at_a_time(const struct gp_device *device) { return device->arch == GP_ARCH_RDNA ? 2 : 1; }

/* Cycles that a lone warp waits for its spilled registers. */
static double spill_wait(const struct gp_work *work, const struct gp_conditions *c, double concurrent)
{
    const struct gp_device *d = c->device;
    double l2 = d->l2_latency.value, dram = l2 + (d->dram_latency.value - l2) * c->clock_mhz / d->clock_mhz.value;
    bool third = d->llc_size.value > 0;
    double behind = third ? d->llc_latency.value +
                                (dram - d->llc_latency.value) * spills_beyond(work, c, concurrent, d->llc_size.value)
                          : dram;
    return c->spill_load_bytes / 4 / words_at_a_time(d) *
           (l2 + (behind - l2) * spills_beyond(work, c, concurrent, d->l2_size.value));
}

/* Of what the resident groups read (again), the share that L2 does not hold. What they write, or read once beside what
 * they read again, passes through. */
static double beyond_l2(const struct gp_work *work, const struct gp_conditions *c, double concurrent, bool again)
{
    double n[3], read = 0, stretch = 0, l2 = c->device->l2_size.value;
    block_of(work, c, concurrent, n);
    for (uint32_t b = 0; b < work->buffer_count; b++) {
        if (work->buffers[b].stored_bytes > 0 || (again && !work->buffers[b].read_again))
            continue;
        read += footprint(work, &work->buffers[b], n);
        stretch += work->buffers[b].extent;
    }
    return read > 0 ? beyond_cache(read, stretch, l2, c->device->l2_ways.value) : 0;
}

/* Of a warp's bytes beyond L1 by an operation those that L2 lacks as well: lines that it had touched in the iteration
 * before are lost by what so many warps bring in one, others by all that the resident groups go through. */
static double beyond_l2_of(const struct gp_memory_work *memory, const struct gp_conditions *c, double beyond,
                           double warps)
{
    double stayed = fmin(memory->stayed_bytes, memory->l2_bytes);
    double lost = stayed > 0 ? beyond_cache(warps * memory->iteration_bytes, INFINITY, c->device->l2_size.value,
                                            c->device->l2_ways.value)
                             : 0;
    return (memory->l2_bytes - stayed) * beyond + stayed * fmin(lost, beyond);
}

/*
 * Spilled registers, stored and loaded, and of what the resident groups read again and again the share that L2 does not
 * hold. They work side by side: what several of them read is brought for all at once.
 */
static double llc_bytes(const struct gp_work *work, const struct gp_conditions *c, double concurrent)
{
    double beyond = beyond_l2(work, c, concurrent, false), read = 0;
    struct gp_dram_traffic traffic;
    gp_dram_traffic(work, c, concurrent, NULL, &traffic);
    for (uint32_t m = 0; beyond > 0 && m < work->memory_count; m++)
        if (work->buffers[work->memory[m].buffer].stored_bytes <= 0)
            read += beyond_l2_of(&work->memory[m], c, beyond, work->warps_per_group * concurrent * traffic.alone) *
                    work->warps_per_group * work->groups;
    double kept =
        (1 - lost_since_before(work, c, last_cache(c->device))) *
        lost_since_before(work, c, c->device->l2_size.value); /* from the launch before, there and not in L2 */
    return read * traffic.alone + kept * touched_bytes(work, c, 0) +
           work->groups * spill_bytes(work, c) * spills_beyond(work, c, concurrent, c->device->l2_size.value);
}

/* What a group reads of a buffer beyond what it touches, and what it reads again and L1 and the last cache have lost.
 */
struct reread {
    double beyond, again;
};

/* Buffers that are looked at together: a kernel of thousands of operations may have hundreds. */
enum { BUFFERS_AT_ONCE = 64 };

/*
 * What goes through the last cache meanwhile: `each` for what a warp brought, which may be the same lines time and
 * again, but not more than `most` bytes; out of a stretch of so many.
 */
struct round {
    double each, most, stretch;
    double through, lost; /* the last answer, and what of: operations of an unrolled loop ask the same */
};

static double lost_in_round(struct round *round, double brought, const struct gp_device *device)
{
    double through = fmin(round->each * brought, round->most);
    if (round->through != through)
        round->lost = beyond_cache(through, round->stretch, last_cache(device), device->l2_ways.value);
    round->through = through;
    return round->lost;
}

/* Whether it reads any more of one than it touches; `of` begins as zeros. */
static bool sum_read(const struct gp_work *work, uint32_t first, struct reread of[BUFFERS_AT_ONCE])
{
    bool any = false;
    for (uint32_t m = 0; m < work->memory_count; m++) {
        const struct gp_memory_work *memory = &work->memory[m];
        if (memory->buffer - first < BUFFERS_AT_ONCE && memory->passes <= 0)
            of[memory->buffer - first].beyond += memory->l2_bytes * work->warps_per_group;
    }
    for (uint32_t b = first; b < work->buffer_count && b - first < BUFFERS_AT_ONCE; b++) {
        of[b - first].beyond -= work->buffers[b].group_bytes;
        any |= of[b - first].beyond > 0;
    }
    return any;
}

/* Bytes of a group that come from DRAM once more: what it reads again when L1 has lost it, and the last cache, too. Of
 * the buffers from the first one on. */
static void sum_reread(const struct gp_work *work, const struct gp_device *device, uint32_t first, struct round *round,
                       struct reread of[BUFFERS_AT_ONCE])
{
    for (uint32_t m = 0; m < work->memory_count; m++) {
        const struct gp_memory_work *memory = &work->memory[m];
        uint32_t buffer = memory->buffer - first;
        if (buffer >= BUFFERS_AT_ONCE || memory->passes > 0 || of[buffer].beyond <= 0)
            continue;
        if (memory->stayed_bytes > 0)
            of[buffer].again +=
                lost_in_round(round, memory->iteration_bytes, device) * memory->stayed_bytes * work->warps_per_group;
        double others = memory->misses > 0
                            ? fmax(0, memory->l2_bytes * fmin(1, memory->again / memory->misses) - memory->stayed_bytes)
                            : 0;
        if (memory->lost > 0 && others > 0)
            of[buffer].again +=
                lost_in_round(round, memory->since / memory->lost, device) * others * work->warps_per_group;
    }
}

/* The same of all groups. Those that share lines bring them side by side; alone: the share that is a group's own. */
double gp_reread_bytes(const struct gp_work *work, const struct gp_conditions *c, double concurrent, double alone)
{
    /* While a group runs each of the others ends and another one starts in its place. */
    struct round round = {.each = work->warps_per_group * concurrent * alone,
                          .most = footprint_of(work, c, fmin(work->groups, 2 * concurrent)),
                          .through = NAN};
    double bytes = 0;
    for (uint32_t b = 0; b < work->buffer_count; b++)
        round.stretch += work->buffers[b].extent;
    for (uint32_t first = 0; first < work->buffer_count; first += BUFFERS_AT_ONCE) {
        struct reread of[BUFFERS_AT_ONCE] = {0};
        if (sum_read(work, first, of))
            sum_reread(work, c->device, first, &round, of);
        for (uint32_t b = first; b < work->buffer_count && b - first < BUFFERS_AT_ONCE; b++)
            bytes += fmax(0, fmin(of[b - first].again, of[b - first].beyond));
    }
    return bytes * work->groups * alone;
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
static double need_not_wait(const struct gp_work *work, const struct gp_conditions *c,
                            const struct gp_dram_traffic *traffic)
{
    double first_touches = 0, stall = 0, saved = 0;
    for (uint32_t b = 0; b < work->buffer_count; b++)
        first_touches += work->buffers[b].group_bytes * work->groups * traffic->alone;
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
static double waits_beyond_l2(const struct gp_work *work, const struct gp_conditions *c, double concurrent,
                              double resident)
{
    const struct gp_device *d = c->device;
    double beyond = beyond_l2(work, c, concurrent, true), missed = 0;
    struct gp_dram_traffic traffic;
    double next =
        d->llc_size.value > 0 ? d->llc_latency.value : d->dram_latency.value * c->clock_mhz / d->clock_mhz.value;
    for (uint32_t m = 0; beyond > 0 && m < work->memory_count; m++) {
        const struct gp_memory_work *memory = &work->memory[m];
        if (memory->passes <= 0 && memory->requests > 0)
            missed += memory->waits * fmin(1, memory->again * work->warps_per_group / memory->requests);
    }
    if (missed <= 0)
        return 0;
    gp_dram_traffic(work, c, concurrent, NULL, &traffic);
    return missed * beyond * fmax(0, next - d->l2_latency.value) / sqrt(fmax(1, resident * traffic.alone));
}

static const double part_of_l2 = 1024; /* bytes of a stretch that one part of NVIDIA's L2 has */

/*
 * Cycles that one part of L2 is busy with a warp's atomics by an operation. On NVIDIA's devices a part takes 2 cycles
 * for each line that a request asks for there, or as long as the lanes take turns that ask for one word of it, and half
 * a cycle for 32 words (docs/benchmarks.md, "Histograms"); elsewhere a line lies in one part, which is taken to work on
 * one segment a cycle.
 */
static double atomics_in_one_part(const struct gp_memory_work *memory, const struct gp_device *device)
{
    const double line_clk = 2, word_clk = 0.5 / 32;
    if (!gp_arch_is_nvidia_since(device->arch, GP_ARCH_VOLTA))
        return memory->transactions / memory->lines;
    double parts = fmax(1, memory->lines * device->l2_line.value / part_of_l2);
    double turns = device->atomic_global_clk.value * fmin(memory->operations, memory->requests + memory->contention);
    return (fmax(line_clk * memory->asked_lines, turns) + word_clk * memory->operations) / parts;
}

/* Whether two operations may fall into one stretch of so many bytes: loops that are unrolled make several of one, each
 * with addresses of its own. */
static bool may_meet(const struct gp_memory_work *a, const struct gp_memory_work *b, double stretch)
{
    return a->buffer == b->buffer && a->operations > 0 && b->operations > 0 &&
           floor(a->lowest / stretch) <= floor(b->highest / stretch) &&
           floor(b->lowest / stretch) <= floor(a->highest / stretch);
}

/* Cycles that a warp's atomics take for the one address, or in the one part of L2, that most of those by an operation
 * fall on, and all others that may fall there. */
static double atomics_in_one_place(const struct gp_work *work, const struct gp_device *device, uint32_t operation)
{
    double on_address = 0, in_part = 0;
    for (uint32_t m = 0; m < work->memory_count; m++) {
        const struct gp_memory_work *memory = &work->memory[m];
        on_address += may_meet(memory, &work->memory[operation], 1) ? memory->operations / memory->addresses : 0;
        in_part += may_meet(memory, &work->memory[operation], part_of_l2) ? atomics_in_one_part(memory, device) : 0;
    }
    return fmax(on_address * device->atomic_global_clk.value, in_part);
}

/* Whether no atomic before this one is on its buffer. */
static bool is_first_on_buffer(const struct gp_work *work, uint32_t atomic)
{
    uint32_t m = 0;
    while (m < atomic && (work->memory[m].operations <= 0 || work->memory[m].buffer != work->memory[atomic].buffer))
        m++;
    return m == atomic;
}

/* Round trips, one after the other, of so many warps' exchanges on an address of the buffer. The first need not follow
 * another. */
static double round_trips(const struct gp_work *work, uint32_t first, double warps)
{
    double on_address = 0;
    for (uint32_t m = first; m < work->memory_count; m++)
        if (work->memory[m].successes > 0 && work->memory[m].buffer == work->memory[first].buffer)
            on_address += warps * work->memory[m].successes / work->memory[m].addresses;
    return fmax(0, on_address - 1);
}

/*
 * Of the lanes of a request that wait for exchanges on addresses of their own, the share that is still waiting in the
 * average round: each succeeds as likely as another, and the last of n needs 1 + 1/2 + ... + 1/n times as many rounds
 * as the average. Lanes side by side go on together; what lanes of a warp do on one address is counted round by round.
 */
static double share_still_waiting(const struct gp_memory_work *memory)
{
    double lanes = memory->operations / memory->requests;
    return memory->scattered > 0.5 * memory->requests && lanes > 1 ? 1 / (log(lanes) + 0.5772) : 1;
}

/* Cycles that the place of an exchange is busy with one warp's, in the average round, of those on the buffer. */
static double busy_with_a_warp(const struct gp_work *work, const struct gp_device *device, uint32_t first)
{
    double cycles = 0, requests = 0;
    for (uint32_t m = first; m < work->memory_count; m++) {
        const struct gp_memory_work *memory = &work->memory[m];
        if (memory->successes <= 0 || memory->buffer != work->memory[first].buffer || memory->requests <= 0)
            continue;
        double on_address = memory->operations / memory->addresses * device->atomic_global_clk.value;
        cycles += share_still_waiting(memory) * fmax(on_address, atomics_in_one_part(memory, device));
        requests += memory->requests;
    }
    return requests > 0 ? cycles / requests : 0;
}

/* Warps that are resident in the mean: in the last wave they get fewer. */
static double warps_resident(const struct gp_work *work, const struct gp_conditions *c)
{
    double all = work->groups * work->warps_per_group,
           at_once = fmin(all, c->device->sm_count.value * c->resident_groups * work->warps_per_group);
    return all > 0 ? at_once * (1 - at_once / (2 * all)) : 0;
}

double gp_retry_cycles(const struct gp_work *work, const struct gp_conditions *c, double rest)
{
    double most = 0, latency = c->device->l2_latency.value, resident = warps_resident(work, c);
    for (uint32_t m = 0; m < work->memory_count && c->device->arch != GP_ARCH_CPU; m++) {
        if (work->memory[m].operations <= 0 || !is_first_on_buffer(work, m))
            continue;
        double trips = round_trips(work, m, work->warps_per_group * work->groups);
        double waiting = resident * (rest > 0 ? fmin(1, trips * latency / rest) : 1);
        most = fmax(most, trips * fmax(latency, waiting * busy_with_a_warp(work, c->device, m)));
    }
    return most;
}

/* Cycles that all of L2 needs for a warp's atomics, wherever they fall: 45 sectors or 215 words a cycle on an H100,
 * whose L2 looks up 64 lines (bench/gpu/results/h100). */
static double atomics_everywhere(const struct gp_work *work, const struct gp_device *device)
{
    const double sectors_a_line = 45.0 / 64, words_a_line = 215.0 / 64;
    double sectors = 0, words = 0;
    for (uint32_t m = 0; m < work->memory_count; m++) {
        bool atomic = work->memory[m].operations > 0;
        sectors += atomic ? work->memory[m].transactions : 0;
        words += atomic ? work->memory[m].operations : 0;
    }
    bool known = gp_arch_is_nvidia_since(device->arch, GP_ARCH_VOLTA);
    return known ? fmax(sectors / sectors_a_line, words / words_a_line) / device->l2_lines_per_clk.value : 0;
}

double gp_atomic_cycles(const struct gp_work *work, const struct gp_device *device)
{
    double most = atomics_everywhere(work, device);
    for (uint32_t m = 0; m < work->memory_count; m++)
        most = fmax(most, work->memory[m].operations > 0 ? atomics_in_one_place(work, device, m) : 0);
    return most * work->warps_per_group * work->groups;
}

double gp_llc_cycles(const struct gp_work *work, const struct gp_conditions *c, double concurrent)
{
    return c->device->llc_gbps.value > 0
               ? llc_bytes(work, c, concurrent) / (c->device->llc_gbps.value * 1e9 / (c->clock_mhz * 1e6))
               : 0;
}

double gp_start_cycles(const struct gp_work *work, const struct gp_conditions *c)
{
    return c->device->group_rate.value > 0 && !c->no_start ? work->groups / c->device->group_rate.value : 0;
}

/*
 * What a lone group takes, the average one and the longest, and of that what it waits: by itself, and beside all others
 * for what L2 lacks. dram: that DRAM is busy for a group on each SM, and how requests queue there.
 */
struct alone {
    double chain, longest, waiting, beyond_l2, dram, knee;
};

/*
 * The places of a group's warps that have ended stay empty until its last one ends, as if the others' requests took
 * longer. Copies of a float for each work-item take an H100 8% longer in groups of 512 and 18% in groups of 1024 than
 * in groups of 256 (bench/gpu/results/h100).
 */
static double emptying(const struct gp_work *work, const struct gp_device *d)
{
    const double each_doubling = 0.1, warps = 8;
    return gp_arch_is_nvidia(d->arch) ? 1 + each_doubling * fmax(0, log2(work->warps_per_group / warps)) : 1;
}

/* As the busiest unit and imperfect overlap have it, and as latencies and DRAM's queues do. */
static double at_units(const struct gp_work *work, const struct gp_conditions *c, double resident, double busiest,
                       const struct alone *group)
{
    double independent = work->barriers > 0 && !c->no_barrier ? resident : resident * work->warps_per_group;
    return resident * busiest + group->waiting / sqrt(fmax(1, independent)) + group->beyond_l2;
}

static double in_queues(const struct gp_work *work, const struct gp_conditions *c, double resident,
                        const struct alone *group)
{
    return with_queues(emptying(work, c->device) * (group->chain + group->beyond_l2), resident * group->dram,
                       group->knee);
}

static double batch_cycles(const struct gp_work *work, const struct gp_conditions *c, double resident, double busiest,
                           const struct alone *group)
{
    if (resident <= 0)
        return 0;
    return c->hide_latency ? resident * busiest
                           : fmax(at_units(work, c, resident, busiest, group), in_queues(work, c, resident, group));
}

/*
 * Of what takes `cycles` in all, the parts that barriers keep from overlapping: of each phase, what is still on its way
 * when the last warp comes, a trip to local memory at most. Longer phases hide the rest among their warps.
 */
static double held_at_barriers(const struct gp_work *work, const struct gp_conditions *c, double cycles)
{
    if (c->no_barrier || work->barriers <= 0)
        return 0;
    return work->barriers * fmin(fmax(0, cycles) / (work->barriers + 1),
                                 c->device->smem_latency.value + c->device->barrier_latency.value);
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

/* What a time is made of. */
struct shares {
    double resident, per_sm, in_batch,
        concurrent;          /* groups: that fit an SM, that it gets, that it runs at a time, that the device does */
    double busiest, fullest; /* cycles: of a group on the busiest unit, of the SM's fullest scheduler */
    double part;             /* of a group that lies on one SM */
    double dram, spilled;    /* of all groups' traffic; that spilled registers are waited for */
    double sooner;           /* not waited for by who finds that another group has brought it */
};

static struct shares shares_of(const struct gp_work *work, const struct gp_conditions *c)
{
    double sms = c->device->sm_count.value, part = 1.0 / gp_device_group_sms(c->device);
    struct shares s = {.resident = fmax(part, c->resident_groups),
                       .per_sm = c->no_tail ? work->groups / sms : gp_groups_per_sm(c->device, work->groups),
                       .part = part};
    s.concurrent = fmin(work->groups, s.resident * sms);
    s.in_batch = fmin(s.resident, fmax(part, s.per_sm)); /* without a tail less than a group per SM: the SMs that have
                                                            none take their part of the others' */
    return s;
}

/* Fills in what one SM's units do. */
static void fill_pipes(const struct gp_work *work, const struct gp_conditions *c, struct shares *s,
                       struct gp_timing *timing)
{
    double l2_of_group;
    arithmetic_cycles(work, c, timing->pipe_cycles);
    timing->pipe_cycles[GP_LIMITER_FP32] += fp32_held(work, c->device);
    double crowding = c->no_tail ? 1 : crowding_of_partitions(work, c->device, s->per_sm);
    static const enum gp_limiter of_partitions[] = {GP_LIMITER_ISSUE, GP_LIMITER_FP32, GP_LIMITER_INT, GP_LIMITER_SFU};
    for (size_t i = 0; i < sizeof of_partitions / sizeof *of_partitions; i++)
        timing->pipe_cycles[of_partitions[i]] *= crowding;
    s->fullest = c->no_tail ? 0 : of_fullest_scheduler(work, c->device, s->per_sm, timing->pipe_cycles);
    memory_cycles(work, c, work->groups / fmax(s->part, s->per_sm), timing->pipe_cycles, &l2_of_group);
    timing->l2_bytes = l2_of_group * work->groups;
    timing->limiter = gp_busiest(timing->pipe_cycles);
    s->busiest = timing->pipe_cycles[timing->limiter];
}

/* Fills in what all do together, and returns what that makes of a group on its own. */
static struct alone fill_memory(const struct gp_work *work, const struct gp_conditions *c, struct shares *s,
                                struct gp_timing *timing)
{
    const struct gp_device *d = c->device;
    double barrier_wait = c->no_barrier ? work->barriers * d->barrier_latency.value : 0;
    struct gp_dram_traffic traffic;
    gp_dram_traffic(work, c, s->concurrent, NULL, &traffic);
    s->sooner = need_not_wait(work, c, &traffic);
    traffic.bytes += gp_reread_bytes(work, c, s->concurrent, traffic.alone);
    timing->dram_bytes = traffic.bytes;
    s->dram = c->no_bandwidth
                  ? 0
                  : fmax(traffic.bytes / gp_dram_bytes_per_clk(c, &traffic), gp_llc_cycles(work, c, s->concurrent));
    s->spilled = c->hide_latency ? 0 : spill_wait(work, c, s->concurrent);
    double itself =
        fmax(0, work->chain - barrier_wait - s->sooner) +
        held_at_barriers(work, c, s->busiest); /* the last warp comes when the others have had their turns */
    return (struct alone){.chain = itself + d->group_dispatch_clk.value + s->spilled,
                          .longest = itself * fmax(1, work->longest) + d->group_dispatch_clk.value + s->spilled,
                          .waiting = fmax(0, work->chain_memory - s->sooner) +
                                     held_at_barriers(work, c, work->chain - work->chain_memory) +
                                     d->group_dispatch_clk.value,
                          .beyond_l2 = waits_beyond_l2(work, c, s->concurrent, s->in_batch),
                          .dram = s->dram / fmax(s->part, s->per_sm),
                          .knee = blend(d->dram_read_knee.value, d->dram_knee.value, &traffic)};
}

/* An SM's groups, batch by batch. */
static double batches_cycles(const struct gp_work *work, const struct gp_conditions *c, const struct shares *s,
                             const struct alone *group)
{
    const double alike = 1.05; /* else some end sooner than the average one */
    double batch = batch_cycles(work, c, s->in_batch, s->busiest, group);
    double fluid = batch * s->per_sm / s->in_batch;
    double full = floor(s->per_sm / s->in_batch), rest = s->per_sm - full * s->in_batch;
    double lockstep = full * batch + batch_cycles(work, c, rest, s->busiest, group);
    /* A new group starts as soon as one ends, so batches do not march in step: half of the last one's loss remains. */
    double cycles = c->no_tail ? fluid : fluid + 0.5 * fmax(0, lockstep - fluid);
    /* But none is done sooner than it would be alone, and none starts in another's place before that one is done. */
    if (!c->no_tail && !c->hide_latency && work->longest < alike)
        cycles = fmax(cycles, ceil(s->per_sm / s->in_batch) * group->chain);
    if (!c->no_tail)
        cycles = fmax(cycles, c->hide_latency ? s->part * s->busiest * fmax(1, work->longest)
                                              : group->longest); /* whatever else the device does meanwhile */
    if (c->no_tail && !c->split_items && !c->hide_latency)
        cycles = fmax(cycles, group->chain);
    return fmax(cycles, s->fullest);
}

/* Raises the time to what DRAM and the start of all groups take. */
static double raise_to_floors(const struct gp_work *work, const struct gp_conditions *c, const struct shares *s,
                              const struct alone *group, double cycles, enum gp_limiter *limiter)
{
    const struct gp_device *d = c->device;
    /* The pipeline is filled once; waiting for spilled registers goes on. */
    double spill_exposed =
        s->spilled / sqrt(fmax(1, s->in_batch * work->warps_per_group)) * fmax(1, s->per_sm / s->in_batch);
    double filling = fmin(group->chain, d->group_dispatch_clk.value + d->dram_latency.value);
    double least = s->dram + (c->hide_latency ? 0 : fmax(filling, spill_exposed));
    if (least > cycles) {
        cycles = least;
        if (s->dram > group->chain)
            *limiter = GP_LIMITER_DRAM;
    }
    double start = gp_start_cycles(work, c);
    if (start > cycles) {
        cycles = start;
        *limiter = GP_LIMITER_LAUNCH;
    }
    return cycles;
}

/* What decides how long the batches take: the busiest unit; DRAM where that is busier still and its queues show; or,
 * where neither is busy half of the time, latency, unless DRAM is the larger part of the norm. */
static enum gp_limiter limiter_of_batches(const struct gp_work *work, const struct gp_conditions *c,
                                          const struct shares *s, const struct alone *group, double cycles,
                                          enum gp_limiter busiest)
{
    if (c->hide_latency)
        return busiest;
    if (s->per_sm * s->busiest < 0.5 * cycles)
        return with_queues(s->dram, s->dram, group->knee) > cycles ? GP_LIMITER_DRAM : GP_LIMITER_LATENCY;
    bool queued = in_queues(work, c, s->in_batch, group) > at_units(work, c, s->in_batch, s->busiest, group);
    return queued && s->dram > s->per_sm * s->busiest ? GP_LIMITER_DRAM : busiest;
}

void gp_throughput(const struct gp_work *work, const struct gp_conditions *c, struct gp_timing *timing)
{
    const struct gp_device *d = c->device;
    *timing = (struct gp_timing){0};
    struct shares s = shares_of(work, c);
    fill_pipes(work, c, &s, timing);
    struct alone group = fill_memory(work, c, &s, timing);
    double cycles = batches_cycles(work, c, &s, &group);
    timing->pipe_cycles[GP_LIMITER_DRAM] = group.dram;
    enum gp_limiter limiter = limiter_of_batches(work, c, &s, &group, cycles, timing->limiter);
    cycles = raise_to_floors(work, c, &s, &group, cycles, &limiter);
    double launch = d->launch_ns.value * 1e-9 * (c->clock_mhz * 1e6);
    if (launch > cycles)
        limiter = GP_LIMITER_LAUNCH;
    timing->cycles = cycles + launch;
    timing->limiter = limiter;
    timing->waves = work->groups / (s.resident * d->sm_count.value);
    timing->chain = group.chain + group.beyond_l2;
    timing->sooner = s.sooner;
}
