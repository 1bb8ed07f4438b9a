/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What groups touch together, and what caches lose of it. */
#include "model/timing/working_set.h"

#include <math.h>

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
double gp_beyond_cache(double round, double stretch, double cache, double ways)
{
    return cache > 0 ? misses_of_rounds(round / cache, stretch / cache, ways) : 1;
}

/*
 * Distinct bytes that a block of n[0] x n[1] x n[2] neighbouring groups touches of a buffer. Neighbours may share lines
 * without sharing a word in them, and only until the line ends: the words that all ask for are the least.
 */
double gp_unbounded_footprint(const struct gp_work *work, const struct gp_buffer_work *buffer, const double n[3])
{
    return fmax(gp_spread(buffer->group_bytes, &buffer->shared, work->further, n),
                gp_spread(buffer->useful_bytes, &buffer->shared_words, work->further, n));
}

double gp_footprint_of_buffer(const struct gp_work *work, const struct gp_buffer_work *buffer, const double n[3])
{
    return fmin(gp_unbounded_footprint(work, buffer, n), buffer->extent);
}

/* What lies in the same stretch is not touched at the same time. */
double gp_alone_of_buffer(const struct gp_work *work, const struct gp_conditions *c,
                          const struct gp_buffer_work *buffer, double count)
{
    double block[3], own = buffer->group_bytes * count;
    gp_block_of(work, c, count, block);
    return own > 0 ? fmin(1, gp_unbounded_footprint(work, buffer, block) / own) : 1;
}

/* Groups start in linear order, x fastest: the block that `count` of them make. */
void gp_block_of(const struct gp_work *work, const struct gp_conditions *c, double count, double n[3])
{
    double lattice[3];
    gp_work_lattice(work, c->grid, lattice);
    for (int d = 0; d < 3; d++) {
        n[d] = fmax(1, fmin(count, lattice[d]));
        count = fmax(1, count / lattice[d]);
    }
}

/* Distinct bytes of all buffers that so many groups, started one after the other, touch. */
double gp_working_set(const struct gp_work *work, const struct gp_conditions *c, double count)
{
    double n[3], bytes = 0;
    gp_block_of(work, c, count, n);
    for (uint32_t b = 0; b < work->buffer_count; b++)
        bytes += gp_footprint_of_buffer(work, &work->buffers[b], n);
    return bytes;
}

/*
 * Spilled registers: a 4-byte store or load instruction per spilled word and warp, a full line each; they are written
 * through to L2, and what an SM's warps spill at once seldom fits there: it goes to DRAM and comes back.
 */
double gp_spill_bytes(const struct gp_work *work, const struct gp_conditions *c)
{
    return (c->spill_store_bytes + c->spill_load_bytes) * gp_device_lanes(c->device) * work->warps_per_group;
}

/* What a group's spilled registers take up. */
static double spill_slots(const struct gp_work *work, const struct gp_conditions *c)
{
    return c->spill_slot_bytes * gp_device_lanes(c->device) * work->warps_per_group;
}

/* Share of the spilled registers that a cache does not hold when so many groups run at once. */
double gp_spills_beyond(const struct gp_work *work, const struct gp_conditions *c, double concurrent, double cache)
{
    return gp_beyond_cache(spill_slots(work, c) * concurrent, INFINITY, cache, c->device->l2_ways.value);
}

double gp_last_cache(const struct gp_device *device) { return fmax(device->l2_size.value, device->llc_size.value); }

/* Of what a buffer's groups bring, the share that they write first. */
double gp_share_stored(const struct gp_buffer_work *b)
{
    return b->group_bytes > 0
               ? fmin(1, fmax(0, fmin(b->stored_bytes, b->group_bytes - b->rewritten_bytes)) / b->group_bytes)
               : 0;
}

/* Of what a buffer's groups bring, the share that they read and write back. */
double gp_share_rewritten(const struct gp_buffer_work *b)
{
    return b->group_bytes > 0 ? fmin(1, b->rewritten_bytes / b->group_bytes) : 0;
}

/* Bytes that the launch touches, each counted once; of what it stores first, so much of each. */
double gp_touched_bytes(const struct gp_work *work, const struct gp_conditions *c, double of_stored)
{
    double all[3], bytes = 0;
    gp_block_of(work, c, work->groups, all);
    for (uint32_t b = 0; b < work->buffer_count; b++)
        if (gp_ref_kind(work->buffers[b].base) != GP_REF_LOCAL)
            bytes += gp_footprint_of_buffer(work, &work->buffers[b], all) *
                     (1 - (1 - of_stored) * gp_share_stored(&work->buffers[b]));
    return bytes;
}

/*
 * Share of what the launch touches that a cache does not hold from the launch before, of the same kernel on the same
 * data: each goes through all of it, a round of the cache. Pages lie anywhere in memory, so that what is contiguous,
 * too, lies in the cache's sets as by lot: no cache loses all at once.
 */
double gp_lost_since_before(const struct gp_work *work, const struct gp_conditions *c, double cache)
{
    double round = c->cold ? 0 : gp_touched_bytes(work, c, 1);
    return round > 0 ? gp_beyond_cache(round, INFINITY, cache, c->device->l2_ways.value) : 1;
}

/* Of what the resident groups read (again), the share that L2 does not hold. What they write, or read once beside what
 * they read again, passes through. */
double gp_beyond_l2(const struct gp_work *work, const struct gp_conditions *c, double concurrent, bool again)
{
    double n[3], read = 0, stretch = 0, l2 = c->device->l2_size.value;
    gp_block_of(work, c, concurrent, n);
    for (uint32_t b = 0; b < work->buffer_count; b++) {
        if (work->buffers[b].stored_bytes > 0 || (again && !work->buffers[b].read_again))
            continue;
        read += gp_footprint_of_buffer(work, &work->buffers[b], n);
        stretch += work->buffers[b].extent;
    }
    return read > 0 ? gp_beyond_cache(read, stretch, l2, c->device->l2_ways.value) : 0;
}
