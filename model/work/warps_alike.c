#include "model/work/warps_alike.h"

#include <math.h>
#include <stdlib.h>

#include "model/code/inst_facts.h"
#include "model/work/fewer_samples.h"

enum { MOST_SAMPLED = 16 };

/* What is looked at, and what the sampled warps of the group at hand execute, and those of the group before it. */
struct look {
    struct gp_glances *glances;
    struct gp_executor *executor;
    const struct gp_launch *launch;
    uint32_t warp_width;
    double sampled[MOST_SAMPLED];
};

static bool instructions_of(const struct look *look, const struct gp_sample *sample, uint32_t warp, double *instructions)
{
    static const struct gp_observer nobody = {0};
    struct gp_exec_result result = {0};
    bool ok = gp_glance_at_warp(look->glances, look->executor, look->launch, sample->group, warp, look->warp_width, &nobody, &result);
    *instructions = result.instructions;
    return ok;
}

/* Between two of the numbers lie 2% or more. */
static bool differ(double a, double b) { return fabs(a - b) > 0.02 * fmax(a, b); }

/* Whether the group's first and last sampled warps do different work; then look->sampled says what all do. */
static bool is_parted(struct look *look, const struct gp_sample *samples, size_t in_group)
{
    size_t last = in_group - 1;
    bool parted = instructions_of(look, &samples[0], samples[0].warp, &look->sampled[0]) && instructions_of(look, &samples[last], samples[last].warp, &look->sampled[last]) &&
                  differ(look->sampled[0], look->sampled[last]);
    for (size_t i = 1; parted && i < last; i++)
        parted = instructions_of(look, &samples[i], samples[i].warp, &look->sampled[i]);
    return parted;
}

/* The sampled warp that executes most nearly as much; of several the nearest. */
static size_t most_alike(const struct look *look, const struct gp_sample *samples, size_t in_group, uint32_t warp, double instructions)
{
    size_t best = 0;
    double least = INFINITY;
    for (size_t i = 0; i < in_group; i++) {
        double apart = fabs(look->sampled[i] - instructions), distance = fabs((double)samples[i].warp - warp);
        apart = differ(look->sampled[i], instructions) ? apart : 0;
        bool nearer = apart == least && distance < fabs((double)samples[best].warp - warp);
        if (apart < least || nearer)
            best = i;
        least = fmin(least, apart);
    }
    return best;
}

/* Whether warps follow each other along one dimension only: a guard then parts them once, where it ends. A row of several warps has those in front of an end and those behind it, and so has the next. */
static bool is_one_row(const struct look *look)
{
    const uint32_t *local = look->launch->local;
    return (local[0] <= look->warp_width || local[1] == 1) && local[2] == 1;
}

/* How many of its group's warps each sample stands for. Between two in a row that do the same all do. */
static bool count_alike(const struct look *look, const struct gp_sample *samples, size_t in_group, double *stands_for)
{
    for (size_t i = 0; i < in_group; i++)
        stands_for[i] = 1;
    for (size_t i = 1; i < in_group; i++) {
        bool alike = is_one_row(look) && !differ(look->sampled[i - 1], look->sampled[i]);
        for (uint32_t w = samples[i - 1].warp + 1; w < samples[i].warp; w++) {
            double instructions = look->sampled[i];
            if (!alike && !instructions_of(look, &samples[0], w, &instructions))
                return false;
            stands_for[most_alike(look, samples, in_group, w, instructions)]++;
        }
    }
    return true;
}

static bool same_work(const struct look *a, const struct gp_sample *of_a, const struct look *b, const struct gp_sample *of_b, size_t in_group)
{
    bool same = true;
    for (size_t i = 0; same && i < in_group; i++)
        same = of_a[i].warp == of_b[i].warp && a->sampled[i] == b->sampled[i];
    return same;
}

/* Whether a branch may turn within the group: at a cut, or at the end of the launch, where guards are no cuts. Where there are no cuts nobody knows. */
static bool may_be_parted(const struct gp_launch *launch, const struct gp_cuts cuts[3], const uint64_t group[3])
{
    uint64_t groups[3];
    gp_launch_groups(launch, groups);
    bool any = false, here = false;
    for (int d = 0; d < 3; d++) {
        here |= group[d] + 1 == groups[d] && launch->global[d] > 1;
        any |= cuts[d].count > 0;
        for (uint32_t i = 0; i < cuts[d].count; i++)
            here |= cuts[d].at[i] == group[d] || cuts[d].at[i] == group[d] + 1;
    }
    return here || !any;
}

void gp_weigh_warps_alike(struct gp_glances *glances, struct gp_executor *executor, const struct gp_kernel *kernel, const struct gp_launch *launch, const struct gp_cuts cuts[3], uint32_t warp_width, struct gp_sample *samples, size_t count)
{
    const double little = 0.03;
    bool parting = gp_branches_part_warps(kernel);
    struct look look = {.glances = glances, .executor = executor, .launch = launch, .warp_width = warp_width}, before = look;
    const struct gp_sample *group_before = NULL;
    uint64_t warps_before = 0;
    size_t sampled_before = 0, heaviest = gp_heaviest_group(samples, count);
    double stands_for[MOST_SAMPLED], heavy = gp_samples_weight(samples, heaviest, gp_samples_of_group(samples, count, heaviest));
    for (size_t first = 0, in_group; parting && first < count; first += in_group) {
        struct gp_sample *group = &samples[first];
        in_group = gp_samples_of_group(samples, count, first);
        bool full;
        uint64_t warps = gp_group_warps(launch, group->group, warp_width, &full);
        double weight = gp_samples_weight(samples, first, in_group);
        if (in_group < 3 || in_group > MOST_SAMPLED || in_group >= warps || weight < little * heavy || !may_be_parted(launch, cuts, group->group) || !is_parted(&look, group, in_group))
            continue;
        bool again = group_before != NULL && sampled_before == in_group && warps_before == warps && same_work(&look, group, &before, group_before, in_group);
        if (!again && !count_alike(&look, group, in_group, stands_for))
            return;
        for (size_t i = 0; i < in_group; i++)
            group[i].weight = weight / (double)warps * stands_for[i];
        before = look;
        group_before = group;
        warps_before = warps;
        sampled_before = in_group;
    }
}
