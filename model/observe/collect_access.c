/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What an access costs. */
#include <math.h>
#include <stdlib.h>

#include "model/observe/coalesced_misses.h"
#include "model/observe/collect_internal.h"
#include "support/divisor.h"
#include "support/saturate.h"

/* ---- On how many addresses atomics fall -------------------------------------------------------------------------- */

/* On how many addresses and lines of L2 atomics fall. */

static double line_of_l2(const struct gp_collector *c)
{
    return c->device->l2_line.value > 0 ? c->device->l2_line.value : c->line.bytes;
}

/* Lines of L2 that a request asks for: of lanes that fall anywhere within a bound, some into one. */
static double collector_asked_lines(struct gp_collector *c, const struct gp_access *access, const struct gp_request *r)
{
    const struct gp_scatter *bound = gp_scatter_of(c->touch.bounds, c->kernel, access->memory);
    return r->guessed && bound->known
               ? gp_min(r->lines, gp_expected_distinct(ceil(bound->bytes / line_of_l2(c)), gp_lanes_in(access->active)))
               : r->lines;
}

/* Lines of L2 that a request asks for: of lanes that fall anywhere within a bound, some into one. */
static void collector_note_spots(struct spots *s, const struct gp_access *access)
{
    for (gp_mask rest = s->scattered ? 0 : access->active; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(rest);
        if (!s->seen)
            *s = (struct spots){.seen = true, .symbol = access->symbol[lane], .first = gp_access_offset(access, lane)};
        if (access->symbol[lane] == GP_SYMBOL_UNKNOWN || access->symbol[lane] != s->symbol) {
            s->scattered = true;
            return;
        }
        int64_t from_first = (int64_t)(gp_access_offset(access, lane) - s->first);
        s->low = from_first < s->low ? from_first : s->low;
        s->high = from_first > s->high ? from_first : s->high;
        s->step = gp_greatest_common_divisor(s->step, (uint64_t)gp_size_of(from_first));
        if (access->uniform)
            return;
    }
}

void gp_collector_addresses(struct gp_collector *c, uint32_t memory, struct gp_memory_work *m)
{
    m->atomics.addresses = m->atomics.lines = m->atomics.highest = INFINITY;
    m->atomics.lowest = -INFINITY;
    m->atomics.keeps = (c->kernel->memory[memory].flags & GP_MEMORY_KEEPS) != 0;
    if (m->atomics.operations <= 0)
        return;
    const struct spots *s = &c->touch.spots[memory];
    const struct gp_scatter *bound = gp_scatter_of(c->touch.bounds, c->kernel, memory);
    double line = line_of_l2(c);
    bool seen = s->seen && !s->scattered;
    if (seen) {
        m->atomics.addresses = s->step == 0 ? 1 : (double)(s->high - s->low) / (double)s->step + 1;
        m->atomics.lines = floor((double)(s->high - s->low) / line) + 1;
        m->atomics.lowest = (double)((int64_t)s->first + s->low);
        m->atomics.highest = (double)((int64_t)s->first + s->high);
    }
    if (bound->known) {
        m->atomics.addresses = gp_min(m->atomics.addresses, (double)bound->addresses);
        m->atomics.lines = gp_min(m->atomics.lines, ceil(bound->bytes / line));
    }
    m->atomics.lines = gp_min(m->atomics.lines, m->atomics.addresses);
}

/* ---- Requests ---------------------------------------------------------------------------------------------------- */

/* What an access costs: requests by the device's rules, and what of their lines L1 lacks. */

/* Bytes that NVIDIA's L2 could read while it looks up a line; elsewhere a line is read as it is looked up. */
static double read_in_a_lookup(const struct gp_device *d)
{
    return gp_arch_is_nvidia_since(d->arch, GP_ARCH_VOLTA) ? d->l2_bytes_per_clk.value / d->l2_lines_per_clk.value : 0;
}

/* ---- Off the chip ------------------------------------------------------------------------------------------------ */

/*
 * How much longer than others DRAM is busy with what a load brings, in units of dram_apart_efficiency: 0 but where each
 * lane goes along a line of its own, of which L2 fetches a part at a time. Where these begin at the same place of a
 * line, all fetch the same part at a time, and half of DRAM has nothing to do: rows of an H100's threads that are
 * multiples of 128 bytes apart come at 930 GB/s, others at 1600 to 1800 (bench/gpu/results/h100/clocks.csv).
 */
static double fetched_apart(const struct gp_collector *c, const struct gp_memory *memory, const struct movement *m,
                            const struct gp_request *r)
{
    double line = c->device->l1_line.value;
    bool apart = !gp_memory_writes(memory) && r->lines > 1 && r->lines >= r->transactions &&
                 m->trajectory != GP_TRAJECTORY_PLAIN && fabs(m->move.step) < line;
    return !apart ? 0 : r->stride != 0 && r->stride % (int64_t)line == 0 ? 2 : 1;
}

/*
 * Of the lines that an access touches first, the share that is asked for: by itself; by the iterations that go along
 * them, as where each work-item has a row; and with those beside it, where unrolling made several of one.
 */
static double share_asked_for(const struct gp_collector *c, const struct gp_memory *memory, const struct movement *m,
                              const struct gp_request *r, double lines)
{
    double line = c->line.bytes, at_once = lines > 0 ? r->useful_bytes / (lines * line) : 0;
    if (at_once >= 1 || r->guessed)
        return at_once;
    double width = (double)memory->element_bytes * memory->vector, apart = (double)gp_size_of(r->stride);
    bool goes_along = m->trajectory != GP_TRAJECTORY_PLAIN && m->move.step > 0 && m->move.step < line;
    double period = goes_along ? m->move.step : apart > 0 && apart < line ? apart : line;
    double alone = goes_along ? gp_min(1, width / period) : 0;
    return gp_max(at_once, gp_max(alone, gp_walks_asked(c->touch.walks, m->source->memory, (uint32_t)period)));
}

/* `at`: the access with its addresses, an image's in the layout assumed for it. */
static void cost_off_chip(struct gp_collector *c, const struct gp_access *access, const struct gp_access *at,
                          const struct movement *movement, const struct gp_request *r, double times)
{
    const struct gp_device *d = c->device;
    const struct gp_memory *memory = &c->kernel->memory[access->memory];
    struct gp_memory_work *m = &c->memory[access->memory];
    struct touch t = gp_collector_touch(c, at, movement, r);
    double missed = t.all > 0 ? t.missed / t.all : 0, waited = t.all > 0 ? t.waited / t.all : 0;
    m->reuse.apart += t.all_apart;
    m->reuse.fresh += t.all_fresh;
    c->touch.brought += t.missed * t.room;
    c->touch.brought_once += t.missed * t.room;
    c->touch.constants += t.constant ? t.all_fresh * c->line.bytes : 0;
    struct hull *hull = &c->touch.hulls[access->memory];
    double fresh_bytes = c->group_weight * t.all_fresh * c->line.bytes,
           scattered_bytes = c->group_weight * t.all_scattered * c->line.bytes;
    double useful = fmax(t.asked, share_asked_for(c, memory, movement, r, t.all));
    hull->group_bytes += fresh_bytes;
    hull->useful_bytes += useful * fresh_bytes;
    hull->scattered_bytes += scattered_bytes;
    hull->scattered_useful += useful * scattered_bytes;
    hull->apart_bytes += fetched_apart(c, memory, movement, r) * fresh_bytes;
    if (gp_memory_writes(memory))
        hull->stored_bytes += fresh_bytes;
    hull->rewritten_bytes += c->group_weight * t.all_rewritten * c->line.bytes;

    double moved = gp_request_l2_bytes(d, memory, r);
    /* The first warp of a group brings what the others find: it stands for itself, the others for the rest. */
    double misses = t.all > 0 ? c->group_weight / c->work->warps_per_group * t.all_missed / t.all : 0;
    m->l2_bytes += misses * moved;
    m->l2_busy += misses * gp_max(moved, r->lines * read_in_a_lookup(d));
    m->reuse.stayed_bytes += t.all_missed > 0 ? misses * moved * fmin(1, t.all_stayed / t.all_missed) : 0;
    m->reuse.awaited_bytes += misses * moved * t.awaited;
    double ideal_bytes = r->ideal_transactions > 0 && r->transactions > 0
                             ? r->bytes * r->ideal_transactions / r->transactions
                             : r->bytes;
    m->ideal.l2_bytes += misses * ideal_bytes;
    double depth = t.deep * d->dram_latency.value + (1 - t.deep) * d->l2_latency.value;
    double latency = waited * depth + (1 - waited) * t.hit + gp_max(0, r->wavefronts - 1);
    m->latency += times * (latency + waited * (r->bytes - c->line.bytes) / c->lsu_port);
    m->ideal.latency += times * (waited * depth + (1 - waited) * t.hit + gp_max(0, r->ideal_wavefronts - 1) +
                                 waited * (ideal_bytes - c->line.bytes) / c->lsu_port);
    m->dram_latency += times * waited * (depth - d->l2_latency.value);
    m->misses += times * missed;
    struct gp_walked walked =
        gp_walked(movement->move.step, (double)memory->element_bytes * memory->vector, c->line.bytes);
    m->reuse.asked_anew += times * walked.anew;
    m->reuse.walked_over += times * walked.whole;
    m->reuse.waited += times * waited;
    m->reuse.at_lines += times * t.at_lines;
    struct gp_driver_turns turns = gp_collector_turns(c, access->memory);
    m->together = turns.waiting;
    m->kept_apart = (double)turns.unrolled / turns.waiting;
    m->reuse.again += times * fmax(0, missed - t.deep * waited);
    c->waits.pending_latency[access->memory] = gp_max(1, latency + waited * (r->bytes - c->line.bytes) / c->lsu_port);
}

/* ---- Requests ---------------------------------------------------------------------------------------------------- */

static void meet_within_bound(struct gp_collector *c, const struct gp_access *access, struct gp_request *r)
{
    const struct gp_memory *memory = &c->kernel->memory[access->memory];
    if (gp_meet_within_bound(c->touch.bounds, c->kernel, access, gp_device_lanes(c->device), r) &&
        (memory->flags & GP_MEMORY_ATOMIC))
        c->memory[access->memory].atomics.least_contention +=
            c->sample_weight * access->weight *
            gp_max(0, gp_lanes_in(access->active) / (double)c->touch.bounds[access->memory].addresses - 1);
}

/*
 * Bytes between work-items that are neighbours along dimension 0, where a warp holds several rows of the group; 0 where
 * they are not the same everywhere, or no more than what each asks for.
 */
static int64_t stride_along_row(const struct gp_collector *c, const struct gp_access *access)
{
    const struct gp_memory *memory = &c->kernel->memory[access->memory];
    gp_mask row = gp_lanes_below(c->row);
    if (c->row < 2 || (access->active & row) != row || access->coordinates > 0)
        return 0;
    int64_t stride = (int64_t)(gp_access_offset(access, 1) - gp_access_offset(access, 0));
    for (uint32_t lane = 0; lane < c->row; lane++)
        if (access->symbol[lane] == GP_SYMBOL_UNKNOWN || access->symbol[lane] != access->symbol[0] ||
            (lane > 0 && (int64_t)(gp_access_offset(access, lane) - gp_access_offset(access, lane - 1)) != stride))
            return 0;
    return gp_size_of(stride) > (int64_t)memory->element_bytes * memory->vector ? stride : 0;
}

/* Lanes from one that takes part to the next; 0: not always as many, or there is one alone. */
static uint32_t lanes_apart(gp_mask active)
{
    uint32_t apart = 0;
    if ((active & (active + (active & -active))) == 0) /* side by side */
        return (active & (active - 1)) != 0;
    for (gp_mask rest = active; (rest & (rest - 1)) != 0; rest &= rest - 1) {
        uint32_t here = (uint32_t)(__builtin_ctzll(rest & (rest - 1)) - __builtin_ctzll(rest));
        if (apart != 0 && here != apart)
            return 0;
        apart = here;
    }
    return apart;
}

/* A request's stride is from one lane that takes part to the next; where they are `apart`, bytes from lane to lane. */
static int64_t lane_stride(const struct gp_request *r, uint32_t apart)
{
    return apart > 1 && r->stride % apart == 0 ? r->stride / apart : r->stride;
}

static void note_first(const struct gp_collector *c, const struct gp_access *access, const struct gp_request *r,
                       struct gp_memory_work *m)
{
    unsigned lane = (unsigned)__builtin_ctzll(access->active);
    m->shape.lanes_apart = lanes_apart(access->active);
    m->shape.stride = r->stride != 0 ? lane_stride(r, m->shape.lanes_apart) : stride_along_row(c, access);
    m->shape.by_address = r->cell > 0;
    m->shape.first_symbol = access->symbol[lane];
    m->shape.first_offset = access->offset[lane];
    m->shape.walk = GP_NONE;
}

/* Where the first, at the launch's edge, has no stride, as cut-off indices have none, the others' is told. */
static void note_further(const struct gp_access *access, const struct gp_request *r, struct gp_memory_work *m)
{
    int64_t stride = r->stride != 0 ? lane_stride(r, lanes_apart(access->active)) : m->shape.stride;
    if (stride == m->shape.stride)
        return;
    m->shape.strides_differ = true;
    if (m->shape.stride == 0)
        m->shape.stride = stride;
}

/* Requests and their numbers, of all executions that the access stands for: `times` of the launch's average warp.
 * counts_lanes: how many lanes take part decides, as of atomics, and not only whether one does. */
static void count_request(const struct gp_access *access, const struct gp_request *r, double times, bool counts_lanes,
                          struct gp_memory_work *m)
{
    m->requests += times;
    m->transactions += times * r->transactions;
    m->ideal.transactions += times * r->ideal_transactions;
    if (r->transactions > r->ideal_transactions) {
        m->uncoalesced += times;
        m->uncoalesced_transactions += times * r->transactions;
    }
    m->wavefronts += times * r->wavefronts;
    m->ideal.wavefronts += times * r->ideal_wavefronts;
    m->passes += times * r->passes;
    m->ideal.passes += times * r->ideal_passes;
    m->bytes += times * r->bytes;
    m->useful_bytes += times * r->useful_bytes;
    if (r->guessed || access->guessed)
        m->guessed += times;
    if (!r->guessed && (access->guessed == GP_GUESS_STATED || (access->guessed == GP_GUESS_WAY && !counts_lanes)))
        m->guessed_ways += times;
    if (r->guessed)
        m->scattered += times;
    m->worst_transactions = gp_max(m->worst_transactions, r->transactions);
    m->worst_conflict = gp_max(m->worst_conflict, r->conflict_degree);
}

static void count_atomic(struct gp_collector *c, const struct gp_access *access, const struct gp_request *r,
                         double times, struct gp_memory_work *m)
{
    m->atomics.contention += times * gp_max(0, r->same_address - 1);
    if (gp_is_on_chip(&c->kernel->memory[access->memory]))
        return;
    m->atomics.operations += times * gp_lanes_in(access->active);
    m->atomics.successes += times * gp_lanes_in(access->succeeds);
    m->atomics.asked_lines += times * collector_asked_lines(c, access, r);
    collector_note_spots(&c->touch.spots[access->memory], access);
}

/* Passes and wavefronts, where the backend loads more or fewer words of local memory. */
static void count_words(const struct gp_collector *c, uint32_t memory, struct gp_request *r)
{
    double words = gp_local_words_factor(&c->kernel->memory[memory], &c->code.code_factors[c->code.block_of[memory]]);
    r->passes *= words;
    r->ideal_passes *= words;
    r->wavefronts *= words;
    r->ideal_wavefronts *= words;
}

static void cost_on_chip(struct gp_collector *c, uint32_t memory, const struct gp_request *r, double times)
{
    struct gp_memory_work *m = &c->memory[memory];
    double latency = c->device->smem_latency.value + gp_max(0, r->wavefronts - r->ideal_wavefronts);
    m->latency += times * latency;
    m->ideal.latency += times * c->device->smem_latency.value;
    c->waits.pending_latency[memory] = latency;
}

/* `at`, `moved`: as for cost_off_chip(). */
static void cost_access(struct gp_collector *c, const struct gp_access *access, const struct gp_access *at,
                        const struct movement *moved)
{
    const struct gp_memory *memory = &c->kernel->memory[access->memory];
    struct gp_memory_work *m = &c->memory[access->memory];
    struct gp_request r;
    double times = c->sample_weight * access->weight;
    c->work->effort += access->coordinates > 0 ? 64 : 16;
    if (access->coordinates > 0)
        gp_image_memo_cost(c->touch.images, c->device, access, &r);
    else
        gp_request_memo_cost(c->touch.requests, c->device, access, &r);
    r.guessed |= access->drawn;
    if (r.guessed)
        meet_within_bound(c, access, &r);
    if (m->requests == 0)
        note_first(c, access, &r, m);
    else
        note_further(access, &r, m);
    c->waits.waited_by_warp[access->memory].requests += access->weight;
    count_words(c, access->memory, &r);
    count_request(access, &r, times, (memory->flags & GP_MEMORY_ATOMIC) != 0, m);
    if (memory->flags & GP_MEMORY_ATOMIC)
        count_atomic(c, access, &r, times, m);
    if (gp_is_on_chip(memory))
        cost_on_chip(c, access->memory, &r, times);
    else
        cost_off_chip(c, access, at, moved, &r, times);
}

void gp_collector_access(void *context, const struct gp_access *access)
{
    struct gp_collector *c = context;
    if (access->active == 0 || (c->code.in_bank[access->memory] && gp_arch_is_nvidia(c->device->arch)))
        return;
    gp_note_overrun(c->kernel, access, c->group, c->warp_of_group, &c->work->overrun);
    if (c->effort.stops_at_overrun && c->work->overrun.bytes > 0)
        gp_executor_stop(c->executor);
    bool on_chip = gp_is_on_chip(&c->kernel->memory[access->memory]);
    const struct gp_access *at = access;
    struct gp_image_addresses image;
    if (access->coordinates > 0) {
        gp_image_memo_addresses(c->touch.images, c->device, access, &image);
        at = &image.access;
    }
    struct movement moved; /* of what is off the chip only */
    if (c->purpose == REACH) {
        if (!on_chip)
            gp_collector_reach(c, at);
        return;
    }
    if (c->purpose == FOLLOW) {
        if (access->coordinates > 0)
            gp_collector_note_moved(c, access);
        return;
    }
    if (c->touch.boxing && access->coordinates > 0)
        gp_collector_note_box(c, access);
    if (!on_chip)
        gp_collector_movement(c, access, at, &moved);
    if (c->purpose != COUNT) {
        if (!on_chip)
            (c->purpose == PROBE ? gp_collector_probe : gp_collector_survey_access)(c, at, &moved);
        return;
    }
    if (c->near.keeping_words && !on_chip)
        gp_collector_keep_words(c, at, &moved);
    cost_access(c, access, at, &moved);
}
