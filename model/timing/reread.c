/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What resident groups read again: from a third level, or once more from DRAM. */
#include <math.h>

#include "model/timing/working_set.h"
#include "model/timing/traffic.h"

/* Of a warp's bytes beyond L1 by an operation those that L2 lacks as well: lines that it had touched in the iteration
 * before are lost by what so many warps bring in one, others by all that the resident groups go through; none that are
 * under way. */
static double beyond_l2_of(const struct gp_memory_work *memory, const struct gp_conditions *c, double beyond,
                           double warps)
{
    double stayed = fmin(memory->reuse.stayed_bytes, memory->l2_bytes);
    double lost = stayed > 0 ? gp_beyond_cache(warps * memory->reuse.iteration_bytes, INFINITY,
                                               c->device->l2_size.value, c->device->l2_ways.value)
                             : 0;
    return fmax(0, memory->l2_bytes - stayed - memory->reuse.awaited_bytes) * beyond + stayed * fmin(lost, beyond);
}

/*
 * Spilled registers, stored and loaded, and of what the resident groups read again and again the share that L2 does not
 * hold. They work side by side: what several of them read is brought for all at once.
 */
static double llc_bytes(const struct gp_work *work, const struct gp_conditions *c, double concurrent)
{
    double beyond = gp_beyond_l2(work, c, concurrent, false), read = 0;
    struct gp_dram_traffic traffic;
    gp_dram_traffic(work, c, concurrent, NULL, &traffic);
    for (uint32_t m = 0; beyond > 0 && m < work->memory_count; m++)
        if (work->buffers[work->memory[m].buffer].stored_bytes <= 0)
            read += beyond_l2_of(&work->memory[m], c, beyond, work->warps_per_group * concurrent * traffic.alone) *
                    gp_alone_of_buffer(work, c, &work->buffers[work->memory[m].buffer], concurrent) *
                    work->warps_per_group * work->groups;
    double kept =
        (1 - gp_lost_since_before(work, c, gp_last_cache(c->device))) *
        gp_lost_since_before(work, c, c->device->l2_size.value); /* from the launch before, there and not in L2 */
    return read + kept * gp_touched_bytes(work, c, 0) +
           work->groups * gp_spill_bytes(work, c) * gp_spills_beyond(work, c, concurrent, c->device->l2_size.value);
}

/* What a group reads of a buffer beyond what it touches, and what it reads again and L1 and the last cache have lost.
 */
struct reread {
    double beyond, again;
};

/* Buffers that are looked at together: a kernel of thousands of operations may have hundreds. */
enum { BUFFERS_AT_ONCE = 64 };

/*
 * What goes through the last cache meanwhile: `each` for what a warp brought of all that it brings, which may be the
 * same lines time and again, out of a stretch of so many bytes; and so many groups at once.
 */
struct round {
    double each, all, stretch, concurrent;
    double brought, lost; /* the last answer, and what of: operations of an unrolled loop ask the same */
};

/* While a warp brings all that it ever does each of the other groups ends and another one starts in its place: in a
 * part of that a part of them does. More than these groups touch is not gone through. */
static double lost_in_round(struct round *round, double brought, const struct gp_work *work,
                            const struct gp_conditions *c)
{
    if (round->brought == brought)
        return round->lost;
    double groups = round->concurrent * (1 + fmin(1, brought / round->all)),
           most = gp_working_set(work, c, fmin(work->groups, groups));
    round->brought = brought;
    round->lost = gp_beyond_cache(fmin(round->each * brought, most), round->stretch, gp_last_cache(c->device),
                                  c->device->l2_ways.value);
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
static void sum_reread(const struct gp_work *work, const struct gp_conditions *c, uint32_t first, struct round *round,
                       struct reread of[BUFFERS_AT_ONCE])
{
    for (uint32_t m = 0; m < work->memory_count; m++) {
        const struct gp_memory_work *memory = &work->memory[m];
        uint32_t buffer = memory->buffer - first;
        if (buffer >= BUFFERS_AT_ONCE || memory->passes > 0 || of[buffer].beyond <= 0)
            continue;
        if (memory->reuse.stayed_bytes > 0)
            of[buffer].again += lost_in_round(round, memory->reuse.iteration_bytes, work, c) *
                                memory->reuse.stayed_bytes * work->warps_per_group;
        double others = memory->misses > 0 ? fmax(0, memory->l2_bytes * fmin(1, memory->reuse.again / memory->misses) -
                                                         memory->reuse.stayed_bytes - memory->reuse.awaited_bytes)
                                           : 0;
        if (memory->reuse.lost > 0 && others > 0)
            of[buffer].again += lost_in_round(round, memory->reuse.since / memory->reuse.lost, work, c) * others *
                                work->warps_per_group;
    }
}

/* The same of all groups. Those that share lines bring them side by side. */
double gp_reread_bytes(const struct gp_work *work, const struct gp_conditions *c, double concurrent, double alone)
{
    struct round round = {.each = work->warps_per_group * concurrent * alone, .concurrent = concurrent, .brought = NAN};
    double bytes = 0;
    for (uint32_t m = 0; m < work->memory_count; m++)
        round.all += work->memory[m].passes > 0 ? 0 : work->memory[m].l2_bytes;
    for (uint32_t b = 0; b < work->buffer_count; b++)
        round.stretch += work->buffers[b].extent;
    for (uint32_t first = 0; first < work->buffer_count; first += BUFFERS_AT_ONCE) {
        struct reread of[BUFFERS_AT_ONCE] = {0};
        if (sum_read(work, first, of))
            sum_reread(work, c, first, &round, of);
        for (uint32_t b = first; b < work->buffer_count && b - first < BUFFERS_AT_ONCE; b++)
            bytes += fmax(0, fmin(of[b - first].again, of[b - first].beyond)) *
                     gp_alone_of_buffer(work, c, &work->buffers[b], concurrent);
    }
    return bytes * work->groups;
}

double gp_llc_cycles(const struct gp_work *work, const struct gp_conditions *c, double concurrent)
{
    return c->device->llc_gbps.value > 0
               ? llc_bytes(work, c, concurrent) / (c->device->llc_gbps.value * 1e9 / (c->clock_mhz * 1e6))
               : 0;
}
