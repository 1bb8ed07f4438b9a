/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How much of a buffer all groups touch together, at most. */
#include "model/observe/collect_internal.h"

#include <math.h>

/* Bytes that the buffer's accesses can reach whatever the data is; infinite where one of them has no bound. */
static double reach_of(const struct gp_collector *c, uint32_t buffer)
{
    int64_t lowest = INT64_MAX, highest = INT64_MIN;
    for (uint32_t m = 0; m < c->kernel->memory_count; m++) {
        if (c->code.buffer_of[m] != buffer)
            continue;
        const struct gp_scatter *bound = gp_scatter_of(c->touch.bounds, c->kernel, m);
        if (!bound->known)
            return INFINITY;
        int64_t high = bound->low + (int64_t)bound->bytes;
        lowest = bound->low < lowest ? bound->low : lowest;
        highest = high > highest ? high : highest;
    }
    return lowest < highest ? (double)(highest - lowest) : INFINITY;
}

bool gp_collector_reach_corners(struct gp_collector *c, const struct gp_launch *launch, const struct gp_cuts cuts[3],
                                const struct gp_sample *sample, struct gp_error *error)
{
    uint64_t groups[3], first[3], last[3];
    bool full;
    if (cuts[0].count + cuts[1].count + cuts[2].count == 0)
        return true;
    gp_launch_groups(launch, groups);
    gp_cuts_around(cuts, sample->group, groups, first, last);
    uint32_t last_warp = (uint32_t)gp_group_warps(launch, last, gp_device_lanes(c->device), &full) - 1;
    c->purpose = REACH;
    bool ok = gp_collector_run_warp(c, launch, first, 0, 0, NULL, error) &&
              gp_collector_run_warp(c, launch, last, last_warp, 0, NULL, error);
    c->purpose = COUNT;
    return ok;
}

/*
 * What a buffer's groups touch together is within what was seen of its addresses, or where unseen ones can be. Groups
 * at the edges may touch nothing (guards): then those seen stand for part of the range, and the whole reaches as many
 * times as far; where few are seen they may lie askew, and it reaches as far as what all ask for, where that is known.
 */
void gp_collector_bound_by_extent(struct gp_collector *c, const uint64_t groups[3], bool probed, struct gp_work *work)
{
    const double few_seen = 1.5;
    double lattice[3];
    gp_work_lattice(work, groups, lattice);
    for (uint32_t b = 0; b < c->buffer_count; b++) {
        const struct reach *reach = &c->touch.reaches[b];
        double extent = reach->high - reach->low, times = 1;
        for (int d = 0; extent > 0 && d < 3; d++)
            times *= (double)groups[d] / (double)(reach->last[d] - reach->first[d] + 1);
        double least = times > few_seen && probed ? gp_spread(work->buffers[b].useful_bytes,
                                                              &work->buffers[b].shared_words, work->further, lattice)
                                                  : 0; /* words that all groups ask for together */
        work->buffers[b].extent = extent > 0 && !reach->open ? fmax(times * extent, least) : reach_of(c, b);
    }
}
