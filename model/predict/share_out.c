/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/predict/share_out.h"

#include <math.h>
#include <string.h>

/* Times that near to each other are one. */
static const double CLOSE = 1.002;

bool gp_share_finer(uint32_t dims, const uint64_t global[3], const uint32_t local[3], uint32_t finer[3])
{
    double range = 1, items = 1, least = 4 * GP_MOST_PARTS;
    for (uint32_t d = 0; d < 3; d++) {
        range *= d < dims ? (double)global[d] : 1;
        items *= finer[d] = local[d];
    }
    if (items * least <= range)
        return false;
    for (; items * least > range; items /= 2) {
        uint32_t *most = &finer[finer[1] > finer[0] ? 1 : 0];
        most = finer[2] > *most ? &finer[2] : most;
        if (*most % 2 != 0)
            return false;
        *most /= 2;
    }
    return true;
}

bool gp_share_takes(double finer_ns, double ns) { return finer_ns <= 1.01 * ns; }

struct gp_cut gp_cut_range(uint32_t dims, const uint64_t global[3], const uint64_t group[3])
{
    struct gp_cut cut = {0};
    uint64_t largest = 0;
    for (uint32_t d = 0; d < dims; d++) {
        uint64_t groups = (global[d] + group[d] - 1) / group[d];
        if (groups <= largest)
            continue;
        largest = groups;
        cut.dimension = d;
        cut.items = group[d] * ((groups + GP_MOST_PARTS - 1) / GP_MOST_PARTS);
    }
    cut.parts = (uint32_t)((global[cut.dimension] + cut.items - 1) / cut.items);
    return cut;
}

uint64_t gp_cut_items(const struct gp_cut *cut, const uint64_t global[3], uint32_t first, uint32_t parts)
{
    uint64_t all = global[cut->dimension], begin = first * cut->items, end = (first + parts) * cut->items;
    return (end < all ? end : all) - begin;
}

/* The most parts from `first` on that a device is done with by `end`. */
static uint32_t most_by(size_t device, uint32_t first, uint32_t left, double end, gp_part_time *time, void *context)
{
    uint32_t done = 0, beyond = left + 1;
    while (beyond - done > 1) {
        uint32_t middle = done + (beyond - done) / 2;
        if (time(context, device, first, middle) <= end)
            done = middle;
        else
            beyond = middle;
    }
    return done;
}

/* Whether all parts are done by `end`: each device takes as many as it can. */
static int fits(size_t devices, uint32_t parts, double end, gp_part_time *time, void *context, uint32_t share[])
{
    uint32_t first = 0;
    for (size_t d = 0; d < devices; d++) {
        share[d] = first < parts ? most_by(d, first, parts - first, end, time, context) : 0;
        first += share[d];
    }
    return first == parts;
}

double gp_shares_end(size_t devices, const uint32_t share[], gp_part_time *time, void *context)
{
    double end = 0;
    uint32_t first = 0;
    for (size_t d = 0; d < devices; d++) {
        double ends = share[d] > 0 ? time(context, d, first, share[d]) : 0;
        end = ends > end ? ends : end;
        first += share[d];
    }
    return end;
}

/* As many as are done by the earliest end that all can be done by, where more parts never take less. */
static void share_greedily(size_t devices, uint32_t parts, double alone, gp_part_time *time, void *context,
                           uint32_t share[])
{
    double low = 0, high = alone;
    for (int i = 0; i < 40 && high > CLOSE * low; i++) {
        double middle = low > 0 ? sqrt(low * high) : high / (double)(2 * devices);
        if (fits(devices, parts, middle, time, context, share))
            high = middle;
        else
            low = middle;
    }
    if (!fits(devices, parts, high, time, context, share)) /* not so after all */
        for (size_t d = 0; d < devices; d++)
            share[d] = d == 0 ? parts : 0;
}

static void share_evenly(size_t devices, uint32_t parts, uint32_t share[])
{
    for (size_t d = 0; d < devices; d++)
        share[d] = (uint32_t)(parts * (d + 1) / devices - parts * d / devices);
}

/* Moves parts from one device to another while that ends earlier; returns when all end. */
static double improve(size_t devices, uint32_t parts, gp_part_time *time, void *context, uint32_t share[])
{
    double end = gp_shares_end(devices, share, time, context);
    for (uint32_t step = parts / 4 > 0 ? parts / 4 : 1; step > 0; step /= 2)
        for (size_t from = 0; from < devices; from++)
            for (size_t to = 0; to < devices; to++) {
                while (from != to && share[from] >= step) {
                    share[from] -= step, share[to] += step;
                    double then = gp_shares_end(devices, share, time, context);
                    if (!(then < end)) {
                        share[from] += step, share[to] -= step;
                        break;
                    }
                    end = then;
                }
            }
    return end;
}

double gp_share_out(size_t devices, uint32_t parts, gp_part_time *time, void *context, uint32_t share[])
{
    uint32_t even[GP_MOST_SHARES];
    double alone = INFINITY;
    for (size_t d = 0; d < devices; d++)
        alone = fmin(alone, time(context, d, 0, parts));
    if (!isfinite(alone))
        return INFINITY;
    share_greedily(devices, parts, alone, time, context, share);
    share_evenly(devices, parts, even);
    double end = improve(devices, parts, time, context, share), other = improve(devices, parts, time, context, even);
    if (other < end)
        memcpy(share, even, devices * sizeof *share);
    return fmin(end, other);
}
