/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What groups beside the heaviest one, and those a row or a plane further on, touch of the lines that it touches
 * itself. */
#include "model/observe/collect_internal.h"

#include <math.h>
#include <string.h>

#include "model/sampling/fewer_samples.h"
#include "model/observe/row_neighbours.h"

/* Of all that the group touches: a probe sees what lies at known addresses. */
static double share_found(double touched, double shared, double all, double scattered, double found)
{
    double known = touched > 0 ? shared / touched : 0;
    return all > 0 ? ((all - scattered) * known + found) / all : known;
}

static void note_shared(struct gp_buffer_work *buffer, uint32_t dim, const struct probe *probe, const struct kept *kept)
{
    buffer->shared.next[dim] =
        share_found(probe->lines, probe->shared_lines, kept->lines, kept->scattered_lines, kept->found_lines);
    buffer->shared_written.next[dim] = probe->written > 0 ? probe->shared_written / probe->written : 0;
    buffer->shared_words.next[dim] =
        share_found(probe->words, probe->shared_words, kept->words, kept->scattered_words, kept->found_words);
}

/* By how many bytes a group and the next one are apart in all operations of a buffer; 0: not by the same, or not known.
 */
static uint64_t bytes_apart(const struct gp_collector *c, uint32_t buffer)
{
    uint64_t apart = 0;
    for (uint32_t m = 0; m < c->kernel->memory_count; m++) {
        const struct began *group = &c->near.began[m], *next = &c->near.next_began[m];
        if (c->code.buffer_of[m] != buffer || (!group->known && !next->known))
            continue;
        uint64_t by = gp_began_apart(group, next);
        if (by == 0 || (apart != 0 && by != apart) || c->kernel->memory[m].space == GP_SPACE_IMAGE)
            return 0;
        apart = by;
    }
    return apart;
}

/* Where units beside each other begin in a set, and how many there are; of one symbol. */
static void count_runs(const struct gp_unit_set *set, uint32_t symbol, double *runs, double *units)
{
    const struct gp_units *entry = set->units.entries;
    for (uint32_t i = 0; i < set->units.used; i++) {
        if (entry[i].key.symbol != symbol)
            continue;
        uint64_t first = entry[i].key.number * GP_UNITS, present = entry[i].present;
        uint64_t before = present & 1 && gp_unit_set_has(set, symbol, first - 1);
        *runs += gp_lanes_in(present & ~(present << 1 | before));
        *units += gp_lanes_in(present);
    }
}

/* The one symbol that a buffer's operations began relative to; GP_NONE: not one, or what lies behind it was not looked
 * at whole. */
static uint32_t symbol_seen(const struct gp_collector *c, uint32_t buffer)
{
    uint32_t symbol = GP_NONE;
    for (uint32_t m = 0; m < c->kernel->memory_count; m++) {
        if (c->code.buffer_of[m] != buffer || !c->near.began[m].known)
            continue;
        if (symbol != GP_NONE && c->near.began[m].symbol != symbol)
            return GP_NONE;
        symbol = c->near.began[m].symbol;
    }
    for (size_t i = 0; i < c->near.stretch_count; i++)
        if (c->near.stretches[i].symbol == symbol && gp_stretch_fill(&c->near.stretches[i]) > 0)
            return GP_NONE;
    return symbol;
}

/* How much more or less than the heaviest group the mean one asks for. Its lines are no measure: groups that begin
 * elsewhere in a line touch more of them for the same words. */
static double of_mean_group(const struct gp_collector *c, uint32_t buffer)
{
    double asked = 0;
    for (uint32_t m = 0; m < c->kernel->memory_count; m++)
        asked += c->code.buffer_of[m] == buffer ? c->memory[m].useful_bytes : 0;
    return c->near.kept[buffer].asked > 0 ? asked / c->near.kept[buffer].asked : 0;
}

/*
 * Groups less than a line apart: all of them together touch each line along their way, and each adds as much as it is
 * apart to each row of lines that it touches, wherever in a line the one at hand begins.
 */
static bool share_parts_of_lines(struct gp_collector *c, uint32_t b, uint32_t dim)
{
    struct gp_buffer_work *buffer = &c->buffers[b];
    const struct kept *kept = &c->near.kept[b];
    uint64_t apart = buffer->shared.next[dim] > 0 && kept->scattered_lines <= 0 ? bytes_apart(c, b) : 0;
    uint32_t symbol = apart > 0 && apart < c->line.bytes ? symbol_seen(c, b) : GP_NONE;
    double rows = 0, lines = 0;
    if (symbol != GP_NONE)
        count_runs(&c->near.kept_lines, symbol, &rows, &lines);
    if (lines <= 0)
        return false;
    double added = rows / lines * kept->lines / c->line.bytes * of_mean_group(c, b) * (double)apart;
    buffer->shared.next[dim] = fmax(0, 1 - added / buffer->group_bytes);
    if (buffer->shared_written.next[dim] > 0)
        buffer->shared_written.next[dim] = buffer->shared.next[dim];
    return true;
}

/* What L2 fetches beside the lines of a group the next ones touch themselves, where each begins within a line of the
 * one before: rows of 8 floats next to each other. */
static void touch_what_is_beside(struct gp_collector *c, uint32_t b)
{
    uint64_t apart = c->buffers[b].fetched_beside > 0 ? bytes_apart(c, b) : 0;
    if (apart > 0 && apart <= c->line.bytes)
        c->buffers[b].fetched_beside = 0;
}

/* The group whose neighbours are looked at, and the samples that its warps are. */
struct looked_at {
    const struct gp_launch *launch;
    const struct gp_sample *samples;
    size_t in_group;
    uint64_t groups[3];
};

static void forget_probed(struct gp_collector *c)
{
    gp_unit_set_clear(&c->near.probed_lines);
    gp_unit_set_clear(&c->near.probed_words);
    gp_unit_set_clear(&c->near.probed_written);
}

static bool has_neighbour(const struct looked_at *l, uint32_t dim, int64_t step)
{
    return l->samples[0].group[dim] + (uint64_t)step < l->groups[dim]; /* before the first: beyond all */
}

/* The sampled warps, or all where those of the group are known, of the group so many steps behind or before it along a
 * dimension, where there is one. */
static bool probe_neighbour(struct gp_collector *c, const struct looked_at *l, uint32_t dim, int64_t step,
                            struct gp_error *error)
{
    uint64_t neighbour[3];
    memcpy(neighbour, l->samples[0].group, sizeof neighbour);
    neighbour[dim] += (uint64_t)step;
    bool ok = true;
    size_t count = c->survey.was_surveyed ? (size_t)c->work->warps_per_group : l->in_group;
    for (size_t i = 0; ok && has_neighbour(l, dim, step) && i < count; i++)
        ok = gp_collector_run_warp(c, l->launch, neighbour, c->survey.was_surveyed ? (uint32_t)i : l->samples[i].warp,
                                   (uint32_t)i, NULL, error);
    return ok;
}

/* ---- Along a dimension ------------------------------------------------------------------------------------------- */

/* On how many sides of the group there are the next one and those at each of the further distances, and whether these
 * were looked for. */
struct sides {
    unsigned next, further[GP_MOST_FURTHER];
    bool looked;
};

static void look_further(struct gp_collector *c, const struct looked_at *l, uint32_t dim, struct sides *sides)
{
    uint64_t before = l->samples[0].group[dim], behind = l->groups[dim] - 1 - before;
    sides->looked = true;
    gp_collector_find_further(c, before > behind ? before : behind, c->work->further[dim]);
}

/* The groups on one side, the next one first: each shares what those before it did not touch. */
static bool probe_side(struct gp_collector *c, const struct looked_at *l, uint32_t dim, int side, bool rows,
                       struct sides *sides, struct gp_error *error)
{
    if (!has_neighbour(l, dim, side))
        return true;
    sides->next++;
    forget_probed(c);
    bool ok = probe_neighbour(c, l, dim, side, error);
    if (ok && !rows && !sides->looked)
        look_further(c, l, dim, sides);
    for (uint32_t i = 0; ok && i < GP_MOST_FURTHER && c->work->further[dim][i] > 0; i++) {
        int64_t step = side * (int64_t)c->work->further[dim][i];
        sides->further[i] += has_neighbour(l, dim, step);
        c->near.probing = 1 + i;
        ok = probe_neighbour(c, l, dim, step, error);
    }
    c->near.probing = 0;
    return ok;
}

/* What further groups share of all that a group touches, as the next ones do; no more than what those leave, and of
 * lines in parts (share_parts_of_lines()) that much of what they leave. */
static void note_further(struct gp_collector *c, uint32_t b, uint32_t dim, const struct sides *sides, bool in_parts)
{
    struct gp_buffer_work *buffer = &c->buffers[b];
    double left = 1 - buffer->shared.next[dim], left_words = 1 - buffer->shared_words.next[dim];
    double part = in_parts ? left : 1;
    const struct kept *kept = &c->near.kept[b];
    for (uint32_t i = 0; i < GP_MOST_FURTHER && c->work->further[dim][i] > 0; i++) {
        const struct probe *further = &c->near.probes[(1 + i) * c->buffer_count + b];
        double times = (double)sides->further[i] / sides->next;
        double *share = &buffer->shared.further[dim][i], *share_words = &buffer->shared_words.further[dim][i];
        *share = fmin(left, part * share_found(times * c->near.probes[b].lines, further->shared_lines, kept->lines,
                                               kept->scattered_lines, 0));
        *share_words = fmin(left_words, share_found(times * c->near.probes[b].words, further->shared_words, kept->words,
                                                    kept->scattered_words, 0));
        left -= *share;
        left_words -= *share_words;
    }
}

/* rows: those of a launch along one dimension are directions of their own (probe_rows()). */
static bool probe_dimension(struct gp_collector *c, const struct looked_at *l, uint32_t dim, bool rows,
                            struct gp_error *error)
{
    struct sides sides = {0};
    memset(c->near.probes, 0, (1 + GP_MOST_FURTHER) * c->buffer_count * sizeof *c->near.probes);
    memset(c->near.next_began, 0, c->kernel->memory_count * sizeof *c->near.next_began);
    for (int side = -1; side <= 1; side += 2) /* both: a line may end at one of them */
        if (!probe_side(c, l, dim, side, rows, &sides, error))
            return false;
    for (uint32_t b = 0; b < c->buffer_count; b++) {
        note_shared(&c->buffers[b], dim, &c->near.probes[b], &c->near.kept[b]);
        bool in_parts = share_parts_of_lines(c, b, dim);
        touch_what_is_beside(c, b);
        note_further(c, b, dim, &sides, in_parts);
    }
    return true;
}

/* ---- Rows and planes --------------------------------------------------------------------------------------------- */

/* Buffers' lines and words that groups so far on share with the first, of both sides. */
static bool probe_far(struct gp_collector *c, const struct looked_at *l, double distance, uint32_t dim,
                      struct gp_error *error)
{
    double below = floor(distance);
    int steps[2] = {
        (int)below,
        distance - below < 0.01
            ? 0
            : (int)below +
                  1}; /* a row that is no whole number of groups ends within one: two have parts of what is below it */
    for (uint32_t b = 0; b < c->buffer_count; b++)
        c->buffers[b].shared.next[dim] = c->buffers[b].shared_words.next[dim] = c->buffers[b].shared_written.next[dim] =
            0;
    for (int i = 0; i < 2 && steps[i] > 0; i++) {
        memset(c->near.probes, 0, c->buffer_count * sizeof *c->near.probes);
        for (int side = -1; side <= 1; side += 2) {
            forget_probed(c);
            if (!probe_neighbour(c, l, 0, side * steps[i], error))
                return false;
        }
        for (uint32_t b = 0; b < c->buffer_count; b++) {
            struct gp_buffer_work *buffer = &c->buffers[b], before = *buffer;
            note_shared(buffer, dim, &c->near.probes[b], &c->near.kept[b]);
            buffer->shared.next[dim] = fmin(1, buffer->shared.next[dim] + before.shared.next[dim]);
            buffer->shared_words.next[dim] = fmin(1, buffer->shared_words.next[dim] + before.shared_words.next[dim]);
            buffer->shared_written.next[dim] =
                fmin(1, buffer->shared_written.next[dim] + before.shared_written.next[dim]);
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
        shared += c->buffers[b].group_bytes * c->buffers[b].shared.next[dim];
    }
    return all > 0 ? shared / all : 0;
}

/*
 * Whether planes are worth a direction beside rows: with them a further group adds less of what no other has. Two rows
 * further on is no plane: what is shared there is shared with the row between, too.
 */
static bool adds_less(const struct gp_collector *c, double row, double plane)
{
    double rows = plane / row, of_row = 1 - share_of_all(c, 1);
    return (1 + (rows - 1) * of_row) * (1 - share_of_all(c, 2)) < rows * of_row;
}

/* Rows in a launch along one dimension become a second one and a third: those of `count` distances at which groups
 * share something, the nearest first. */
static bool probe_rows(struct gp_collector *c, const struct looked_at *l, const double distances[GP_MOST_ROWS],
                       uint32_t count, struct gp_error *error)
{
    const double worth_it = 0.02;
    uint32_t found = 0;
    for (uint32_t i = 0; i < count && found < 2; i++) {
        if (!probe_far(c, l, distances[i], found + 1, error))
            return false;
        if (share_of_all(c, found + 1) >= worth_it && (found == 0 || adds_less(c, c->work->rows[0], distances[i])))
            c->work->rows[found++] = distances[i];
    }
    for (uint32_t b = 0; found < 2 && count > 0 && b < c->buffer_count; b++)
        c->buffers[b].shared.next[found + 1] = c->buffers[b].shared_words.next[found + 1] =
            c->buffers[b].shared_written.next[found + 1] = 0;
    return true;
}

/* ---- All of it --------------------------------------------------------------------------------------------------- */

/* What the neighbours of the heaviest group along each dimension touch of the lines that it touches itself. */
bool gp_collector_probe_neighbours(struct gp_collector *c, const struct gp_launch *launch,
                                   const struct gp_sample *samples, size_t count, struct gp_error *error)
{
    size_t first = c->leading;
    struct looked_at l = {
        .launch = launch, .samples = &samples[first], .in_group = gp_samples_of_group(samples, count, first)};
    gp_launch_groups(launch, l.groups);
    double distances[GP_MOST_ROWS];
    uint32_t rows = launch->dims == 1 || (l.groups[1] == 1 && l.groups[2] == 1)
                        ? gp_row_distances(c->kernel, launch, distances)
                        : 0;
    for (uint32_t b = 0; b < c->buffer_count; b++)
        if (c->near.kept[b].lines > 0)
            c->buffers[b].useful_bytes =
                fmin(c->buffers[b].group_bytes,
                     of_mean_group(c, b) * (c->near.kept[b].known_words + c->near.kept[b].scattered_words));
    bool ok = true;
    c->purpose = PROBE;
    gp_unit_set_clear(&c->near.read_elsewhere);
    for (uint32_t d = 0; ok && d < launch->dims; d++)
        ok = probe_dimension(c, &l, d, rows > 0, error);
    ok = ok && probe_rows(c, &l, distances, rows, error);
    for (uint32_t b = 0; b < c->buffer_count; b++)
        c->buffers[b].read_elsewhere =
            c->near.crossed[b].stored > 0 ? c->near.crossed[b].read / c->near.crossed[b].stored : 0;
    c->purpose = COUNT;
    return ok;
}
