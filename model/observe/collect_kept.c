/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the heaviest group touches is kept, so that what its neighbours touch can be compared with it. */
#include "model/observe/collect_internal.h"

#include <math.h>

#include "model/sampling/fewer_samples.h"

/* Of the lines that are kept, how much lies in each stretch. */
static void note_seen(struct gp_collector *c)
{
    const struct gp_units *units = c->near.kept_lines.units.entries;
    for (uint32_t i = 0; i < c->near.kept_lines.units.used; i++) {
        for (uint64_t rest = units[i].present; rest; rest &= rest - 1) {
            double offset =
                (double)(int64_t)((units[i].key.number * 64 + (uint64_t)__builtin_ctzll(rest)) * c->line.bytes);
            struct gp_stretch *stretch =
                gp_stretches_at(c->near.stretches, c->near.stretch_count, units[i].key.symbol, offset);
            if (stretch != NULL)
                stretch->seen += c->line.bytes;
        }
    }
}

/* `share`: what the group stands for. */
static void keep_stretches(struct gp_collector *c, double share)
{
    c->near.stretch_count = 0;
    for (uint32_t m = 0; m < c->kernel->memory_count; m++) {
        const struct hull *hull = &c->touch.hulls[m];
        if (!hull->open && hull->high > hull->low)
            c->near.stretches[c->near.stretch_count++] =
                (struct gp_stretch){hull->symbol, floor(hull->low / c->line.bytes) * c->line.bytes,
                                    ceil(hull->high / c->line.bytes) * c->line.bytes, hull->group_bytes / share, 0};
    }
    c->near.stretch_count = gp_stretches_join(c->near.stretches, c->near.stretch_count);
    note_seen(c);
    c->near.some_filled = false;
    for (size_t i = 0; i < c->near.stretch_count; i++)
        c->near.some_filled |= gp_stretch_fill(&c->near.stretches[i]) > 0;
}

static void keep_lines(struct gp_collector *c)
{
    gp_unit_set_clear(&c->near.kept_lines);
    const struct gp_line *lines = c->touch.lines.lines.entries;
    for (uint32_t i = 0; i < c->touch.lines.lines.used; i++) {
        uint32_t added;
        uint64_t fresh;
        gp_unit_set_add(&c->near.kept_lines, lines[i].key.symbol, lines[i].key.number, 1, &added, &fresh);
    }
}

/* Of a buffer's lines that nobody knows, those within a bound are any of it, for the group as for its neighbours. */
static void keep_scattered(struct gp_collector *c)
{
    for (uint32_t m = 0; m < c->kernel->memory_count; m++) {
        const struct hull *hull = &c->touch.hulls[m];
        struct kept *kept = &c->near.kept[c->code.buffer_of[m]];
        double found = hull->scattered_bytes > 0 ? gp_collector_share_drawn(c, m) : 0;
        kept->lines += hull->group_bytes;
        kept->words += hull->useful_bytes;
        kept->scattered_lines += hull->scattered_bytes;
        kept->scattered_words += hull->scattered_useful;
        kept->found_lines += hull->scattered_bytes * found;
        kept->found_words += hull->scattered_useful * found;
    }
}

/* What the group touches is kept for gp_collector_probe_neighbours(). */
bool gp_collector_run_and_keep(struct gp_collector *c, const struct gp_launch *launch, const struct gp_sample *samples,
                               size_t in_group, double warps, struct gp_error *error)
{
    double share = gp_samples_weight(samples, 0, in_group) / warps;
    if (!c->survey.was_surveyed) {
        gp_unit_set_clear(&c->near.words);
        c->near.keeping_words = true;
        c->near.kept_warps = (uint32_t)in_group;
    }
    bool ok = gp_collector_run_group(c, launch, samples, in_group, warps, error);
    c->near.keeping_words = false;
    if (!c->survey.was_surveyed)
        keep_lines(c);
    keep_stretches(c, share);
    for (uint32_t b = 0; b < c->buffer_count; b++)
        c->near.kept[b] = (struct kept){.known_words = c->near.probes[b].words * (c->survey.was_surveyed ? share : 1)};
    keep_scattered(c);
    return ok;
}
