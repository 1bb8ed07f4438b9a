#include "model/work/fewer_samples.h"

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

/* An edge group becomes the corner it leads to, so that two of them show how far the launch's addresses reach. */
static void move_to_corner(uint64_t group[3], const uint64_t groups[3])
{
    bool first = false, last = false;
    for (int d = 0; d < 3; d++) {
        first |= group[d] == 0 && groups[d] > 1;
        last |= group[d] + 1 == groups[d] && groups[d] > 1;
    }
    for (int d = 0; d < 3 && first != last; d++)
        group[d] = first ? 0 : groups[d] - 1;
}

size_t gp_thin_out_samples(struct gp_sample *samples, size_t count, const uint64_t groups[3])
{
    size_t heaviest = gp_heaviest_group(samples, count), kept = 0;
    double heavy = gp_samples_weight(samples, heaviest, gp_samples_of_group(samples, count, heaviest));
    for (size_t first = 0, in_group; first < count; first += in_group) {
        in_group = gp_samples_of_group(samples, count, first);
        double weight = gp_samples_weight(samples, first, in_group);
        if (weight < 0.99 * heavy && !samples[first].alone) {
            struct gp_sample corner = samples[first];
            corner.weight = weight;
            move_to_corner(corner.group, groups);
            if (kept > 0 && same_group(&samples[kept - 1], &corner) && samples[kept - 1].warp == corner.warp)
                samples[kept - 1].weight += corner.weight;
            else
                samples[kept++] = corner;
        } else {
            memmove(&samples[kept], &samples[first], in_group * sizeof *samples);
            kept += in_group;
        }
    }
    return kept;
}

size_t gp_thin_out_edges(struct gp_sample *samples, size_t count)
{
    size_t heaviest = gp_heaviest_group(samples, count), kept = 0;
    double heavy = gp_samples_weight(samples, heaviest, gp_samples_of_group(samples, count, heaviest));
    for (size_t first = 0, in_group; first < count; first += in_group) {
        in_group = gp_samples_of_group(samples, count, first);
        double weight = gp_samples_weight(samples, first, in_group);
        bool light = in_group > 2 && weight < 0.03 * heavy && !samples[first].alone;
        for (size_t i = 0; i < in_group; i += light ? in_group - 1 : 1) {
            samples[kept] = samples[first + i];
            samples[kept].weight = light ? weight / 2 : samples[kept].weight;
            kept++;
        }
    }
    return kept;
}

size_t gp_keep_middle_sample(struct gp_sample *samples, size_t count)
{
    double all = gp_samples_weight(samples, 0, count);
    size_t heaviest = gp_heaviest_group(samples, count), last = heaviest + gp_samples_of_group(samples, count, heaviest) - 1;
    uint32_t middle = (samples[heaviest].warp + samples[last].warp + 1) / 2;
    samples[0] = samples[heaviest];
    samples[0].warp = middle;
    samples[0].weight = all;
    return 1;
}
