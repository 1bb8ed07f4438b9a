/* What groups beside the heaviest one, and those a row or a plane further on, touch of the lines that it touches itself. */
#include "model/work/collect_internal.h"

#include <math.h>
#include <string.h>

#include "model/work/fewer_samples.h"
#include "model/work/rows.h"

/* Of all that the group touches: a probe sees what lies at known addresses. */
static double share_found(double touched, double shared, double all, double scattered, double found)
{
    double known = touched > 0 ? shared / touched : 0;
    return all > 0 ? ((all - scattered) * known + found) / all : known;
}

static void note_shared(struct gp_buffer_work *buffer, uint32_t dim, const struct probe *probe, const struct kept *kept)
{
    buffer->shared[dim] = share_found(probe->lines, probe->shared_lines, kept->lines, kept->scattered_lines, kept->found_lines);
    buffer->shared_words[dim] = share_found(probe->words, probe->shared_words, kept->words, kept->scattered_words, kept->found_words);
}

/* The sampled warps, or all where those of the group are known, of its neighbour behind or before it along a dimension, where there is one. */
static bool probe_neighbour(struct gp_collector *c, const struct gp_launch *launch, const struct gp_sample *samples, size_t in_group, uint32_t dim, int side,
                            const uint64_t groups[3], struct gp_error *error)
{
    uint64_t neighbour[3];
    memcpy(neighbour, samples[0].group, sizeof neighbour);
    neighbour[dim] += (uint64_t)side;
    gp_unit_set_clear(&c->probed_lines);
    gp_unit_set_clear(&c->probed_words);
    bool ok = true;
    size_t count = c->was_surveyed ? (size_t)c->work->warps_per_group : in_group;
    for (size_t i = 0; ok && neighbour[dim] < groups[dim] && i < count; i++)
        ok = gp_collector_run_warp(c, launch, neighbour, c->was_surveyed ? (uint32_t)i : samples[i].warp, (uint32_t)i, NULL, error);
    return ok;
}

/* ---- Rows and planes --------------------------------------------------------------------------------------------- */

/* Buffers' lines and words that groups so far on share with the first, of both sides. */
static bool probe_far(struct gp_collector *c, const struct gp_launch *launch, const struct gp_sample *samples, size_t in_group, double distance, uint32_t dim,
                      const uint64_t groups[3], struct gp_error *error)
{
    double below = floor(distance);
    int steps[2] = {(int)below, distance - below < 0.01 ? 0 : (int)below + 1}; /* a row that is no whole number of groups ends within one: two have parts of what is below it */
    for (uint32_t b = 0; b < c->buffer_count; b++)
        c->buffers[b].shared[dim] = c->buffers[b].shared_words[dim] = 0;
    for (int i = 0; i < 2 && steps[i] > 0; i++) {
        memset(c->probes, 0, c->buffer_count * sizeof *c->probes);
        for (int side = -1; side <= 1; side += 2)
            if (!probe_neighbour(c, launch, samples, in_group, 0, side * steps[i], groups, error))
                return false;
        for (uint32_t b = 0; b < c->buffer_count; b++) {
            struct gp_buffer_work *buffer = &c->buffers[b], before = *buffer;
            note_shared(buffer, dim, &c->probes[b], &c->kept[b]);
            buffer->shared[dim] = fmin(1, buffer->shared[dim] + before.shared[dim]);
            buffer->shared_words[dim] = fmin(1, buffer->shared_words[dim] + before.shared_words[dim]);
        }
    }
    return true;
}

/* Of all that a group touches, the share that a neighbour in a direction does as well. */
static double share_of_all(const struct gp_collector *c, uint32_t dim)
{
    double all = 0, shared = 0;
    for (uint32_t b = 0; b < c->buffer_count; b++) {
        all += c->buffers[b].group_bytes;
        shared += c->buffers[b].group_bytes * c->buffers[b].shared[dim];
    }
    return all > 0 ? shared / all : 0;
}

/*
 * Whether planes are worth a direction beside rows: with them a further group adds less of what no other has. Two rows further on is no plane: what is shared there is
 * shared with the row between, too.
 */
static bool adds_less(const struct gp_collector *c, double row, double plane)
{
    double rows = plane / row, of_row = 1 - share_of_all(c, 1);
    return (1 + (rows - 1) * of_row) * (1 - share_of_all(c, 2)) < rows * of_row;
}

/* Rows in a launch along one dimension become a second one and a third: those distances at which groups share something, the nearest first. */
static bool probe_rows(struct gp_collector *c, const struct gp_launch *launch, const struct gp_sample *samples, size_t in_group, const uint64_t groups[3], struct gp_error *error)
{
    const double worth_it = 0.02;
    double distances[GP_MOST_ROWS];
    uint32_t found = 0, count = launch->dims == 1 || (groups[1] == 1 && groups[2] == 1) ? gp_row_distances(c->kernel, launch, distances) : 0;
    for (uint32_t i = 0; i < count && found < 2; i++) {
        if (!probe_far(c, launch, samples, in_group, distances[i], found + 1, groups, error))
            return false;
        if (share_of_all(c, found + 1) >= worth_it && (found == 0 || adds_less(c, c->work->rows[0], distances[i])))
            c->work->rows[found++] = distances[i];
    }
    for (uint32_t b = 0; found < 2 && count > 0 && b < c->buffer_count; b++)
        c->buffers[b].shared[found + 1] = c->buffers[b].shared_words[found + 1] = 0;
    return true;
}

/* ---- All of it --------------------------------------------------------------------------------------------------- */

/* What the neighbours of the heaviest group along each dimension touch of the lines that it touches itself. */
bool gp_collector_probe_neighbours(struct gp_collector *c, const struct gp_launch *launch, const struct gp_sample *samples, size_t count,
                             struct gp_error *error)
{
    uint64_t groups[3];
    gp_launch_groups(launch, groups);
    size_t first = gp_heaviest_group(samples, count), in_group = gp_samples_of_group(samples, count, first);
    for (uint32_t b = 0; b < c->buffer_count; b++)
        if (c->kept[b].lines > 0)
            c->buffers[b].useful_bytes = c->buffers[b].group_bytes * fmin(1, (c->kept[b].known_words + c->kept[b].scattered_words) / c->kept[b].lines);
    bool ok = true;
    c->purpose = PROBE;
    for (uint32_t d = 0; ok && d < launch->dims; d++) {
        memset(c->probes, 0, c->buffer_count * sizeof *c->probes);
        for (int side = -1; ok && side <= 1; side += 2) /* both: a line may end at one of them */
            ok = probe_neighbour(c, launch, &samples[first], in_group, d, side, groups, error);
        for (uint32_t b = 0; b < c->buffer_count; b++)
            note_shared(&c->buffers[b], d, &c->probes[b], &c->kept[b]);
    }
    ok = ok && probe_rows(c, launch, &samples[first], in_group, groups, error);
    c->purpose = COUNT;
    return ok;
}
