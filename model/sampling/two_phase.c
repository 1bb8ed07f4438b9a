/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/sampling/two_phase.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/sampling/fewer_samples.h"

/* A group that had a pilot run: its samples, how many warps of the launch they stand for, and what the mean one
 * executes; in the second phase, beyond the group that executes least, whose warps may only find that they have no
 * work. */
struct piloted {
    size_t first, in_group;
    double weight, instructions;
};

struct pilot {
    struct gp_pilots *pilots;
    struct gp_executor *executor;
    const struct gp_launch *launch;
    uint32_t warp_width;
};

static bool look_at(const struct pilot *pilot, const uint64_t group[3], uint32_t warp, double *instructions)
{
    return gp_pilot_work(pilot->pilots, pilot->executor, pilot->launch, group, warp, pilot->warp_width, instructions);
}

/* ---- First phase ------------------------------------------------------------------------------------------------- */

/* As many as what is left suffices for, where a warp takes as much as those before it. */
static uint32_t affordable_groups(const struct gp_pilots *pilots, const struct gp_launch *launch, uint32_t warp_width,
                                  uint32_t most_warps, uint32_t few, uint32_t many)
{
    const double sure = 0.8;
    double warps =
               fmin(most_warps > 0 ? most_warps : INFINITY, ceil((double)gp_launch_group_items(launch) / warp_width)),
           left = (double)pilots->affordable - (double)pilots->spent;
    double each = pilots->made > 0 ? (double)pilots->spent / (double)pilots->made : 1;
    return (uint32_t)fmax(few, fmin(many, sure * left / (warps * fmax(1, each))));
}

/* The samples' groups; 0: a pilot run could not be afforded. */
static size_t pilot_groups(const struct pilot *pilot, const struct gp_sample *samples, size_t count,
                           struct piloted *groups)
{
    size_t found = 0;
    for (size_t first = 0; first < count; first += groups[found++].in_group) {
        struct piloted group = {first, gp_samples_of_group(samples, count, first), 0, 0};
        for (size_t i = first; i < first + group.in_group; i++) {
            double executed;
            if (!look_at(pilot, samples[i].group, samples[i].warp, &executed))
                return 0;
            group.weight += samples[i].weight;
            group.instructions += samples[i].weight * executed;
        }
        group.instructions /= group.weight;
        groups[found] = group;
    }
    return found;
}

static double mean_of(const struct piloted *groups, size_t count)
{
    double sum = 0, weight = 0;
    for (size_t i = 0; i < count; i++) {
        sum += groups[i].weight * groups[i].instructions;
        weight += groups[i].weight;
    }
    return weight > 0 ? sum / weight : 0;
}

/* Of the mean of groups drawn from so many, as if by lot: places that fill the range evenly do better (Cochran,
 * equation 2.20). */
static double standard_error(const struct piloted *groups, size_t count, double all)
{
    double mean = mean_of(groups, count), squares = 0, weight = 0;
    for (size_t i = 0; i < count; i++) {
        squares += groups[i].weight * pow(groups[i].instructions - mean, 2);
        weight += groups[i].weight;
    }
    return mean > 0 && (double)count < all ? sqrt(squares / weight / (double)count * (1 - (double)count / all)) / mean
                                           : 0;
}

/* ---- Second phase ------------------------------------------------------------------------------------------------ */

static int by_work(const void *a, const void *b)
{
    const struct piloted *x = a, *y = b;
    if (x->instructions != y->instructions)
        return x->instructions < y->instructions ? -1 : 1;
    return x->first < y->first ? -1 : x->first > y->first;
}

static int by_place(const void *a, const void *b)
{
    const struct piloted *x = a, *y = b;
    return x->first < y->first ? -1 : x->first > y->first;
}

/* The group that executes what the mean one does, or the nearest to it; of several the one in their middle. It stands
 * for all. */
static struct piloted stand_for(const struct piloted *groups, size_t count)
{
    double mean = mean_of(groups, count), weight = 0;
    size_t best = 0;
    for (size_t i = 0; i < count; i++) {
        double apart = fabs(groups[i].instructions - mean), least = fabs(groups[best].instructions - mean);
        bool nearer = llabs((long long)(2 * i) - (long long)count) < llabs((long long)(2 * best) - (long long)count);
        best = apart < least || (apart == least && nearer) ? i : best;
        weight += groups[i].weight;
    }
    struct piloted one = groups[best];
    one.weight = weight;
    return one;
}

static void take_off_least(struct piloted *sorted, size_t count)
{
    double least = sorted[0].instructions;
    for (size_t i = 0; i < count; i++)
        sorted[i].instructions -= least;
}

/*
 * Sorted groups become strata that do about as much work each, every one counting as the mean one beside its own, so
 * that there are some of each kind; a stratum also ends where the next group does much more than the one before it.
 * Each leaves the group that stands for it. Returns how many.
 */
static size_t stratify(struct piloted *groups, size_t count, uint32_t few)
{
    const double much = 0.1;
    double mean = fmax(1, mean_of(groups, count)), most = groups[count - 1].instructions, all = 0;
    for (size_t i = 0; i < count; i++)
        all += groups[i].weight * (groups[i].instructions + mean);
    size_t kept = 0;
    for (size_t first = 0, end; first < count; first = end) {
        double done = 0;
        for (end = first; end < count && done * few < all; end++) {
            if (end > first && groups[end].instructions - groups[end - 1].instructions > much * most)
                break;
            done += groups[end].weight * (groups[end].instructions + mean);
        }
        groups[kept++] = stand_for(&groups[first], end - first);
    }
    return kept;
}

/* The samples of the groups that are left, with the weights of what these stand for. */
static size_t keep_samples(struct gp_sample *samples, struct piloted *groups, size_t count)
{
    size_t kept = 0;
    for (size_t g = 0; g < count; g++) {
        double own = gp_samples_weight(samples, groups[g].first, groups[g].in_group);
        size_t first = kept;
        for (size_t i = 0; i < groups[g].in_group; i++, kept++) {
            samples[kept] = samples[groups[g].first + i];
            samples[kept].weight *= groups[g].weight / own;
        }
        groups[g].first = first;
    }
    return kept;
}

/* ---- The group that leads ---------------------------------------------------------------------------------------- */

/* Whether the groups beside it do as much: then they also share with it what most neighbours share. */
static bool is_among_its_like(const struct pilot *pilot, const struct gp_sample *sample)
{
    uint64_t grid[3];
    double own, next;
    gp_launch_groups(pilot->launch, grid);
    if (!look_at(pilot, sample->group, sample->warp, &own))
        return true;
    for (int d = 0; d < 3; d++)
        for (int side = -1; side <= 1; side += 2) {
            uint64_t group[3] = {sample->group[0], sample->group[1], sample->group[2]};
            group[d] += (uint64_t)(int64_t)side;
            if (group[d] < grid[d] && look_at(pilot, group, sample->warp, &next) && gp_works_differ(own, next))
                return false;
        }
    return true;
}

/* Of the groups that stand for about the most work the first that is among its like, if there is one. */
static size_t find_leading(const struct pilot *pilot, const struct gp_sample *samples, const struct piloted *groups,
                           size_t count)
{
    const double about = 0.7;
    size_t best = 0;
    for (size_t g = 1; g < count; g++)
        best = groups[g].weight * groups[g].instructions > groups[best].weight * groups[best].instructions ? g : best;
    double most = groups[best].weight * groups[best].instructions;
    for (size_t g = 0; g < count; g++)
        if (groups[g].weight * groups[g].instructions >= about * most &&
            is_among_its_like(pilot, &samples[groups[g].first]))
            return groups[g].first;
    return groups[best].first;
}

struct gp_two_phase gp_sample_two_phase(struct gp_pilots *pilots, struct gp_executor *executor,
                                        const struct gp_launch *launch, uint32_t warp_width, uint32_t few,
                                        uint32_t many, uint32_t most_warps)
{
    const struct pilot pilot = {pilots, executor, launch, warp_width};
    struct gp_two_phase result = {0};
    uint64_t grid[3];
    double all = (double)gp_launch_groups(launch, grid);
    uint32_t points = affordable_groups(pilots, launch, warp_width, most_warps, few, many);
    size_t count = gp_sample_points(launch, warp_width, points, most_warps, &result.samples);
    struct piloted *groups = count > 0 ? malloc(count * sizeof *groups) : NULL;
    size_t found = groups != NULL ? pilot_groups(&pilot, result.samples, count, groups) : 0;
    if (found > 0) {
        result.uncertain = standard_error(groups, found, all);
        qsort(groups, found, sizeof *groups, by_work);
        take_off_least(groups, found);
        found = stratify(groups, found, few);
        qsort(groups, found, sizeof *groups, by_place);
        result.count = keep_samples(result.samples, groups, found);
        result.leading = find_leading(&pilot, result.samples, groups, found);
    } else { /* dear warps: one phase */
        free(result.samples);
        result.count = gp_sample_points(launch, warp_width, few, most_warps, &result.samples);
        result.leading = result.count > 0 ? gp_heaviest_group(result.samples, result.count) : 0;
        result.uncertain = NAN;
    }
    free(groups);
    return result;
}

size_t gp_leading_sample(struct gp_pilots *pilots, struct gp_executor *executor, const struct gp_launch *launch,
                         uint32_t warp_width, const struct gp_sample *samples, size_t count, bool *varied)
{
    const struct pilot pilot = {pilots, executor, launch, warp_width};
    struct piloted *groups = malloc(count * sizeof *groups);
    size_t found = groups != NULL ? pilot_groups(&pilot, samples, count, groups) : 0,
           leading = gp_heaviest_group(samples, count);
    *varied = false;
    if (found > 0) {
        qsort(groups, found, sizeof *groups, by_work);
        *varied = gp_works_differ(groups[0].instructions, groups[found - 1].instructions);
        take_off_least(groups, found);
        leading = *varied ? find_leading(&pilot, samples, groups, found) : leading;
    }
    free(groups);
    return leading;
}
