/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/sampling/fewer_samples.h"

#include <string.h>

static bool same_group(const struct gp_sample *a, const struct gp_sample *b)
{
    return memcmp(a->group, b->group, sizeof a->group) == 0;
}

size_t gp_samples_of_group(const struct gp_sample *samples, size_t count, size_t first)
{
    size_t n = 1;
    while (first + n < count && same_group(&samples[first], &samples[first + n]))
        n++;
    return n;
}

double gp_samples_weight(const struct gp_sample *samples, size_t first, size_t in_group)
{
    double weight = 0;
    for (size_t i = first; i < first + in_group; i++)
        weight += samples[i].weight;
    return weight;
}

size_t gp_heaviest_group(const struct gp_sample *samples, size_t count)
{
    size_t heaviest = 0;
    double most = 0;
    for (size_t first = 0, in_group; first < count; first += in_group) {
        in_group = gp_samples_of_group(samples, count, first);
        double weight = gp_samples_weight(samples, first, in_group);
        if (weight > most) {
            most = weight;
            heaviest = first;
        }
    }
    return heaviest;
}

/* An edge group becomes the corner it leads to, so that two of them show how far the launch's addresses reach. Returns
 * whether that is the last one. */
static bool move_to_corner(uint64_t group[3], const struct gp_launch *launch, const struct gp_cuts cuts[3])
{
    uint64_t groups[3], low[3], high[3];
    bool first = false, last = false;
    gp_launch_groups(launch, groups);
    gp_cuts_around(cuts, group, groups, low, high);
    for (int d = 0; d < 3; d++) {
        first |= group[d] == low[d] && low[d] < high[d];
        last |= group[d] == high[d] && low[d] < high[d];
    }
    if (first != last)
        memcpy(group, first ? low : high, sizeof low);
    return last && !first;
}

/* The last of a group's warps that has work in all lanes. */
static uint32_t last_whole_warp(const struct gp_launch *launch, const uint64_t group[3], uint32_t warp_width)
{
    bool full;
    uint64_t warps = gp_group_warps(launch, group, warp_width, &full);
    return (uint32_t)(full || warps == 1 ? warps - 1 : warps - 2);
}

/* Adds a sample to those that are kept, or its weight to the one before, if that is the same warp. */
static size_t keep(struct gp_sample *samples, size_t kept, const struct gp_sample *sample)
{
    if (kept > 0 && same_group(&samples[kept - 1], sample) && samples[kept - 1].warp == sample->warp)
        samples[kept - 1].weight += sample->weight;
    else
        samples[kept++] = *sample;
    return kept;
}

/* `warps` of the corner that a group leads to stand for it: one, its first or, at the launch's end, its last, or both.
 */
static size_t keep_corner(struct gp_sample *samples, size_t kept, struct gp_sample corner, double weight,
                          uint32_t warps, const struct gp_launch *launch, uint32_t warp_width,
                          const struct gp_cuts cuts[3])
{
    bool at_end = move_to_corner(corner.group, launch, cuts);
    uint32_t last = last_whole_warp(launch, corner.group, warp_width);
    warps = last > 0 ? warps : 1;
    corner.weight = weight / warps;
    corner.warp = warps == 1 && at_end ? last : 0;
    kept = keep(samples, kept, &corner);
    corner.warp = last;
    return warps > 1 ? keep(samples, kept, &corner) : kept;
}

size_t gp_thin_out_samples(struct gp_sample *samples, size_t count, uint32_t warps, const struct gp_launch *launch,
                           uint32_t warp_width, const struct gp_cuts cuts[3])
{
    size_t heaviest = gp_heaviest_group(samples, count), kept = 0;
    double heavy = gp_samples_weight(samples, heaviest, gp_samples_of_group(samples, count, heaviest));
    for (size_t first = 0, in_group; first < count; first += in_group) {
        in_group = gp_samples_of_group(samples, count, first);
        double weight = gp_samples_weight(samples, first, in_group);
        if (weight < 0.99 * heavy && !samples[first].alone) {
            kept =
                keep_corner(samples, kept, samples[first], weight, in_group > 1 ? warps : 1, launch, warp_width, cuts);
        } else {
            memmove(&samples[kept], &samples[first], in_group * sizeof *samples);
            kept += in_group;
        }
    }
    return kept;
}

/* Of the samples between the first and the last the one that stands for most. */
static size_t heaviest_between(const struct gp_sample *samples, size_t count)
{
    size_t heaviest = 1;
    for (size_t i = 2; i + 1 < count; i++)
        if (samples[i].weight > samples[heaviest].weight)
            heaviest = i;
    return heaviest;
}

size_t gp_thin_out_edges(struct gp_sample *samples, size_t count)
{
    size_t heaviest = gp_heaviest_group(samples, count), kept = 0;
    double heavy = gp_samples_weight(samples, heaviest, gp_samples_of_group(samples, count, heaviest));
    for (size_t first = 0, in_group; first < count; first += in_group) {
        in_group = gp_samples_of_group(samples, count, first);
        double weight = gp_samples_weight(samples, first, in_group);
        bool light = in_group > 2 && weight < 0.03 * heavy && !samples[first].alone;
        double ends = samples[first].weight + samples[first + in_group - 1].weight;
        size_t middle = heaviest_between(&samples[first], in_group);
        for (size_t i = 0; i < in_group; i++) {
            bool is_end = i == 0 || i + 1 == in_group;
            if (light && !is_end && i != middle)
                continue;
            samples[kept] = samples[first + i];
            if (light &&
                !is_end) /* the first and the last stand for themselves, as where one of them alone does something */
                samples[kept].weight = weight - ends;
            kept++;
        }
    }
    return kept;
}

size_t gp_keep_middle_sample(struct gp_sample *samples, size_t count)
{
    double all = gp_samples_weight(samples, 0, count);
    size_t heaviest = gp_heaviest_group(samples, count),
           last = heaviest + gp_samples_of_group(samples, count, heaviest) - 1;
    uint32_t middle = (samples[heaviest].warp + samples[last].warp + 1) / 2;
    samples[0] = samples[heaviest];
    samples[0].warp = middle;
    samples[0].weight = all;
    return 1;
}
