/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Warps of a group: those that are executed, and those that they stand for. */
#include "model/sampling/sampled_warps.h"

#include <math.h>
#include <stdlib.h>

#include "model/sampling/fewer_samples.h"
#include "model/value/inst_facts.h"

/* ---- Warps that do what no sampled one does ---------------------------------------------------------------------- */

/* What a warp executes in blocks that none was in before it. */
struct search {
    struct gp_pilots *pilots;
    const struct gp_kernel *kernel;
    bool *seen;
    bool marks;
    double unseen;
};

static void on_enter(void *context, uint32_t block, gp_mask active, double weight)
{
    struct search *search = context;
    (void)active;
    if (search->marks)
        search->seen[block] = true;
    else if (!search->seen[block])
        search->unseen += weight * search->kernel->blocks[block].inst_count;
}

static bool execute(struct gp_executor *executor, const struct gp_launch *launch, const struct gp_sample *sample,
                    uint32_t warp, uint32_t warp_width, struct search *search)
{
    const struct gp_observer observer = {.context = search, .enter = on_enter};
    struct gp_exec_result result;
    search->unseen = 0;
    return gp_pilot_warp(search->pilots, executor, launch, sample->group, warp, warp_width, &observer, &result);
}

/* The warp of the samples' group that executes most of what none of them does, of those looked at; `warps`: none does
 * anything else, or that is not known. */
static uint32_t find_unseen(struct gp_executor *executor, const struct gp_launch *launch,
                            const struct gp_sample *samples, size_t in_group, uint32_t warps, uint32_t warp_width,
                            struct search *search)
{
    uint32_t found = warps;
    double most = 0;
    bool ok = true;
    search->marks = true;
    for (size_t i = 0; ok && i < in_group; i++)
        ok = execute(executor, launch, &samples[i], samples[i].warp, warp_width, search);
    search->marks = false;
    for (uint32_t w = 0; ok && w < warps && execute(executor, launch, &samples[0], w, warp_width, search); w++)
        if (search->unseen > most)
            most = search->unseen, found = w;
    return ok ? found : warps;
}

/* In place of a sample between the first and the last, of which the one before it takes what it stood for beyond
 * itself. */
static void take_in(struct gp_sample *samples, size_t in_group, uint32_t warp)
{
    size_t i = 1;
    while (i + 2 < in_group && samples[i].warp < warp)
        i++;
    samples[i - 1].weight += samples[i].weight - 1;
    samples[i].warp = warp;
    samples[i].weight = 1;
    for (; i > 1 && samples[i - 1].warp > samples[i].warp; i--) {
        struct gp_sample other = samples[i];
        samples[i] = samples[i - 1];
        samples[i - 1] = other;
    }
}

void gp_take_in_unseen_warps(struct gp_pilots *pilots, struct gp_executor *executor, const struct gp_kernel *kernel,
                             const struct gp_launch *launch, uint32_t warp_width, struct gp_sample *samples,
                             size_t count)
{
    bool full;
    size_t heaviest = gp_heaviest_group(samples, count), in_group = gp_samples_of_group(samples, count, heaviest);
    uint32_t warps = (uint32_t)gp_group_warps(launch, samples[heaviest].group, warp_width, &full);
    struct search search = {.pilots = pilots, .kernel = kernel};
    if (in_group < 4 || in_group >= warps || !gp_branches_part_warps(kernel) ||
        (search.seen = calloc(kernel->block_count, sizeof *search.seen)) == NULL)
        return;
    uint32_t unseen = find_unseen(executor, launch, &samples[heaviest], in_group, warps, warp_width, &search);
    free(search.seen);
    for (size_t first = 0, some; unseen < warps && first < count; first += some) {
        some = gp_samples_of_group(samples, count, first);
        if (some == in_group && gp_group_warps(launch, samples[first].group, warp_width, &full) == warps)
            take_in(&samples[first], some, unseen);
    }
}

/* ---- Which warps a sampled one stands for ------------------------------------------------------------------------ */

enum { MOST_SAMPLED = 16 };

/* A group: its warps, those sampled of them, and what these execute. */
struct group {
    struct gp_sample *samples;
    size_t sampled;
    uint64_t warps;
    double executes[MOST_SAMPLED];
};

struct look {
    struct gp_pilots *pilots;
    struct gp_executor *executor;
    const struct gp_launch *launch;
    uint32_t warp_width;
};

static bool work_of(const struct look *look, const struct group *group, uint32_t warp, double *instructions)
{
    return gp_pilot_work(look->pilots, look->executor, look->launch, group->samples[0].group, warp, look->warp_width,
                         instructions);
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

void gp_weigh_warps_alike(struct gp_pilots *pilots, struct gp_executor *executor, const struct gp_kernel *kernel,
                          const struct gp_launch *launch, const struct gp_cuts cuts[3], uint32_t warp_width,
                          struct gp_sample *samples, size_t count)
{
    const double little = 0.03;
    if (!gp_branches_part_warps(kernel))
        return;
    const struct look look = {pilots, executor, launch, warp_width};
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
