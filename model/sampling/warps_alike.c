/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/sampling/warps_alike.h"

#include <math.h>

#include "model/value/inst_facts.h"
#include "model/sampling/fewer_samples.h"

enum { MOST_SAMPLED = 16 };

/* A group: its warps, those sampled of them, and what these execute. */
struct group {
    struct gp_sample *samples;
    size_t sampled;
    uint64_t warps;
    double executes[MOST_SAMPLED];
};

struct look {
    struct gp_glances *glances;
    struct gp_executor *executor;
    const struct gp_launch *launch;
    uint32_t warp_width;
};

static bool work_of(const struct look *look, const struct group *group, uint32_t warp, double *instructions)
{
    return gp_glance_at_work(look->glances, look->executor, look->launch, group->samples[0].group, warp,
                             look->warp_width, instructions);
}

/* Whether the first and the last sampled warp do different work; then group->executes says what all do. */
static bool is_parted(const struct look *look, struct group *group)
{
    size_t last = group->sampled - 1;
    bool parted = work_of(look, group, group->samples[0].warp, &group->executes[0]) &&
                  work_of(look, group, group->samples[last].warp, &group->executes[last]) &&
                  gp_works_differ(group->executes[0], group->executes[last]);
    for (size_t i = 1; parted && i < last; i++)
        parted = work_of(look, group, group->samples[i].warp, &group->executes[i]);
    return parted;
}

/* The sampled warp that executes most nearly as much; of several the nearest. */
static size_t most_alike(const struct group *group, uint32_t warp, double instructions)
{
    size_t best = 0;
    double least = INFINITY;
    for (size_t i = 0; i < group->sampled; i++) {
        double apart = gp_works_differ(group->executes[i], instructions) ? fabs(group->executes[i] - instructions) : 0,
               distance = fabs((double)group->samples[i].warp - warp);
        bool nearer = apart == least && distance < fabs((double)group->samples[best].warp - warp);
        if (apart < least || nearer)
            best = i;
        least = fmin(least, apart);
    }
    return best;
}

/* Whether warps follow each other along one dimension only: a guard then parts them once, where it ends. A row of
 * several warps has those in front of an end and those behind it, and so has the next. */
static bool is_one_row(const struct look *look)
{
    const uint32_t *local = look->launch->local;
    return (local[0] <= look->warp_width || local[1] == 1) && local[2] == 1;
}

/* How many of its group's warps each sample stands for. Between two in a row that do the same all do. */
static bool count_alike(const struct look *look, const struct group *group, double *stands_for)
{
    for (size_t i = 0; i < group->sampled; i++)
        stands_for[i] = 1;
    for (size_t i = 1; i < group->sampled; i++) {
        bool alike = is_one_row(look) && !gp_works_differ(group->executes[i - 1], group->executes[i]);
        for (uint32_t w = group->samples[i - 1].warp + 1; w < group->samples[i].warp; w++) {
            double instructions = group->executes[i];
            if (!alike && !work_of(look, group, w, &instructions))
                return false;
            stands_for[most_alike(group, w, instructions)]++;
        }
    }
    return true;
}

static bool same_work(const struct group *a, const struct group *b)
{
    bool same = a->sampled == b->sampled && a->warps == b->warps;
    for (size_t i = 0; same && i < a->sampled; i++)
        same = a->samples[i].warp == b->samples[i].warp && a->executes[i] == b->executes[i];
    return same;
}

/* Whether a branch may turn within the group: at a cut, or at the end of the launch, where guards are no cuts. Where
 * there are no cuts nobody knows. */
static bool may_be_parted(const struct gp_launch *launch, const struct gp_cuts cuts[3], const uint64_t group[3])
{
    uint64_t groups[3];
    gp_launch_groups(launch, groups);
    bool any = false, here = false;
    for (int d = 0; d < 3; d++) {
        any |= cuts[d].count > 0;
        here |= gp_is_cut_at(&cuts[d], group[d]) || (group[d] + 1 == groups[d] && launch->global[d] > 1);
    }
    return here || !any;
}

void gp_weigh_warps_alike(struct gp_glances *glances, struct gp_executor *executor, const struct gp_kernel *kernel,
                          const struct gp_launch *launch, const struct gp_cuts cuts[3], uint32_t warp_width,
                          struct gp_sample *samples, size_t count)
{
    const double little = 0.03;
    if (!gp_branches_part_warps(kernel))
        return;
    const struct look look = {glances, executor, launch, warp_width};
    struct group group, before = {.sampled = 0};
    size_t heaviest = gp_heaviest_group(samples, count);
    double stands_for[MOST_SAMPLED],
        heavy = gp_samples_weight(samples, heaviest, gp_samples_of_group(samples, count, heaviest));
    for (size_t first = 0; first < count; first += group.sampled) {
        bool full;
        group.samples = &samples[first];
        group.sampled = gp_samples_of_group(samples, count, first);
        group.warps = gp_group_warps(launch, samples[first].group, warp_width, &full);
        double weight = gp_samples_weight(samples, first, group.sampled);
        bool few = group.sampled >= 3 && group.sampled <= MOST_SAMPLED && group.sampled < group.warps;
        if (!few || weight < little * heavy || !may_be_parted(launch, cuts, samples[first].group) ||
            !is_parted(&look, &group))
            continue;
        if (!same_work(&group, &before) &&
            !count_alike(&look, &group, stands_for)) /* else as many as in the group before */
            return;
        for (size_t i = 0; i < group.sampled; i++)
            group.samples[i].weight = weight / (double)group.warps * stands_for[i];
        before = group;
    }
}
