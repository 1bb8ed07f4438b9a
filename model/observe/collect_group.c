/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A group: what its warps touch, and what of that is kept for its neighbours. */
#include <math.h>
#include <string.h>

#include "model/observe/collect_internal.h"
#include "model/sampling/fewer_samples.h"

/* ---- What L2 fetches beside -------------------------------------------------------------------------------------- */

/*
 * L2 fetches more from DRAM at once than it hands to L1: l2_fetch bytes, of which a group may ask for one sector alone.
 * (On an H200 a load of every 16th float brings two sectors for each that it asks for: Nsight Compute,
 * dram__sectors_read.)
 */

/* Lines of the fetch around a touched one that the group touches; 0: the touched one is not the first of these. */
static uint32_t touched_around(const struct gp_line_set *set, const struct gp_key *key, uint32_t together)
{
    uint64_t begin = key->number - key->number % together;
    uint32_t touched = 0;
    for (uint64_t line = begin; line < begin + together; line++) {
        bool is_touched = line == key->number || gp_line_set_has(set, key->symbol, line);
        if (is_touched && line < key->number)
            return 0;
        touched += is_touched;
    }
    return touched;
}

/* Of the lines that the group at hand touches of each buffer: its array of `fetches`. */
static const struct gp_fetches *collector_fetches(struct gp_collector *c)
{
    const struct gp_keyed_set *set = &c->touch.lines.lines;
    uint32_t together = (uint32_t)(c->device->l2_fetch.value / c->line.bytes);
    memset(c->touch.fetches, 0, c->buffer_count * sizeof *c->touch.fetches);
    if (together < 2)
        return c->touch.fetches;
    for (uint32_t i = 0; i < set->used; i++) {
        const struct gp_line *line = (const struct gp_line *)gp_keyed_set_at(set, sizeof *line, i);
        struct gp_fetches *fetches = &c->touch.fetches[c->code.buffer_of[line->memory]];
        uint32_t touched = touched_around(&c->touch.lines, &line->key, together);
        fetches->lines += touched;
        fetches->beside += touched > 0 ? together - touched : 0;
    }
    return c->touch.fetches;
}

/* ---- The warps of a group ---------------------------------------------------------------------------------------- */

/* A group: its sampled warps are run, one after the other; what they touch first, and what they wait for, is the
 * group's. */

/* ---- A warp ------------------------------------------------------------------------------------------------------ */

/* The iterations that were left out bring to L1 what the one before them brought. */
static void on_skip(void *context, uint32_t loop, uint64_t skipped)
{
    struct gp_collector *c = context;
    gp_steps_skip(c->waits.steps, loop);
    c->touch.brought += (double)skipped * (c->touch.brought - c->touch.brought_at[loop]);
}

bool gp_collector_run_warp(struct gp_collector *c, const struct gp_launch *launch, const uint64_t group[3],
                           uint32_t warp, uint32_t index, struct gp_exec_result *result, struct gp_error *error)
{
    static const struct gp_observer watch = {.enter = gp_collector_enter,
                                             .access = gp_collector_access,
                                             .barrier = gp_collector_barrier,
                                             .leave = gp_collector_leave,
                                             .diverge = gp_collector_diverge,
                                             .skip = on_skip,
                                             .few_offsets = true};
    struct gp_observer observer = watch;
    observer.context = c;
    memcpy(c->group, group, sizeof c->group);
    c->warp_of_group = warp;
    bool coarse = c->effort.quick || c->effort.dear || c->purpose == SURVEY ||
                  (c->purpose == PROBE && c->survey.was_surveyed); /* group and neighbour alike */
    struct gp_exec_options options = {.warp_width = gp_device_lanes(c->device),
                                      .coarse = coarse,
                                      .exhaustive = c->effort.every_iteration,
                                      .in_turn = c->device->arch == GP_ARCH_CPU,
                                      .max_block_visits = c->effort.every_iteration ? 0 : c->effort.most_visits};
    struct gp_exec_result ignored = {0};
    c->behind_first = index > 0;
    if (c->behind_first) /* of the warp before, now that one is compared with it */
        gp_trajectories_keep(c->waits.trajectories, GP_COMPANIONS_OWN, index - 1);
    gp_collector_start_warp(c);
    if (c->touch.looked_ahead)
        memset(c->touch.ahead, 0, c->kernel->memory_count * sizeof *c->touch.ahead);
    c->touch.looked_ahead = false;
    gp_trajectories_start(
        c->waits.trajectories,
        (uint32_t[]){[GP_COMPANIONS_OWN] = index, [GP_COMPANIONS_NEXT] = c->purpose == PROBE ? c->near.kept_warps : 0});
    result = result != NULL ? result : &ignored;
    bool ok = gp_execute_warp(c->executor, launch, group, warp, &options, &observer, result, error);
    c->work->executed += result->effort;
    gp_collector_end_line(c);
    if (ok && (c->near.keeping_words || c->purpose == SURVEY))
        gp_trajectories_keep(c->waits.trajectories, GP_COMPANIONS_NEXT, index);
    return ok;
}

double gp_collector_footprint_weight(const struct gp_collector *c, const struct gp_sample *samples, size_t index,
                                     size_t sampled)
{
    double warps = c->work->warps_per_group;
    if (index == 0 || sampled < 2)
        return sampled < 2 ? warps : 1;
    return (warps - 1) * samples[index].weight / gp_samples_weight(samples, 1, sampled - 1);
}

/* ---- What the group touches -------------------------------------------------------------------------------------- */

static void forget_group(struct gp_collector *c)
{
    gp_line_set_clear(&c->touch.lines);
    c->touch.constants = 0;
    memset(c->touch.drawn, 0, c->buffer_count * sizeof *c->touch.drawn);
    for (uint32_t m = 0; m < c->kernel->memory_count; m++)
        c->touch.hulls[m] = (struct hull){.low = INFINITY, .high = -INFINITY, .symbol = GP_SYMBOL_UNKNOWN};
}

/* Lines between the lowest and the highest address that an operation was seen to touch in the group at hand, or where
 * all warps were looked at; 0: none was. */
static double lines_between_ends(const struct gp_collector *c, uint32_t m)
{
    const struct hull *hull = &c->touch.hulls[m];
    const struct surveyed *s = &c->survey.surveyed[m];
    double lines = hull->high > hull->low ? ceil(hull->high / c->line.bytes) - floor(hull->low / c->line.bytes) : 0;
    return s->high > s->low ? fmax(lines, floor(s->high / c->line.bytes) + 1 - floor(s->low / c->line.bytes)) : lines;
}

/*
 * In a group an operation touches no more than lies between its ends, however often sampled iterations were counted to
 * enter lines that others had been in. Warps that were not executed may touch more than those that were, or what none
 * of these does. `share`: what the group stands for.
 */
static void settle_hull(const struct gp_collector *c, uint32_t m, double share)
{
    struct hull *hull = &c->touch.hulls[m];
    const struct surveyed *s = &c->survey.surveyed[m];
    double most = share * lines_between_ends(c, m) * c->line.bytes, more = fmax(1, s->fewer);
    double kept =
        !hull->open && !c->effort.thinned && more * hull->group_bytes > most ? most / hull->group_bytes : more;
    double unseen_lines = s->few_lines > 0 ? 0 : share * s->all_lines * c->line.bytes,
           unseen_words = s->few_lines > 0 ? 0 : share * s->all_words * gp_word.bytes;
    hull->group_bytes = kept * hull->group_bytes + unseen_lines;
    hull->useful_bytes = kept * hull->useful_bytes + fmin(unseen_lines, unseen_words);
    hull->stored_bytes = kept * hull->stored_bytes + (gp_memory_writes(&c->kernel->memory[m]) ? unseen_lines : 0);
    hull->rewritten_bytes *= kept;
    hull->apart_bytes *= kept;
}

static void add_footprint(struct gp_collector *c, double share)
{
    const struct gp_fetches *fetches = collector_fetches(c);
    for (uint32_t m = 0; m < c->kernel->memory_count; m++) {
        const struct hull *hull = &c->touch.hulls[m];
        struct gp_buffer_work *buffer = &c->buffers[c->code.buffer_of[m]];
        settle_hull(c, m, share);
        buffer->group_bytes += hull->group_bytes;
        buffer->fetched_beside +=
            gp_fetched_beside(&fetches[c->code.buffer_of[m]], hull->group_bytes, hull->scattered_bytes);
        buffer->useful_bytes += hull->useful_bytes;
        buffer->stored_bytes += hull->stored_bytes;
        buffer->rewritten_bytes += hull->rewritten_bytes;
        buffer->apart_bytes += hull->apart_bytes;
    }
}

/* ---- What it waits for ------------------------------------------------------------------------------------------- */

/* Of one group: the warps that were run, and how many each stands for. */
struct group_run {
    size_t count;
    double chain[GP_MOST_ALONE], chain_memory[GP_MOST_ALONE], weight[GP_MOST_ALONE];
    uint32_t block[GP_MOST_ALONE]; /* where each is most of the time */
};

/*
 * Which warp of a group asks first for a line that several need is chance, but here it is the first one executed, and
 * it waits for all of them. Spreads what the warps waited for an operation over the group's requests. Constants each
 * warp waits for by itself.
 */
static void share_waiting(struct gp_collector *c, struct group_run *run)
{
    uint32_t memory = c->kernel->memory_count;
    for (uint32_t m = 0; m < memory; m++) {
        double cycles = 0, requests = 0;
        for (size_t i = 0; i < run->count; i++) {
            cycles += run->weight[i] * c->waits.waited[i * memory + m].cycles;
            requests += run->weight[i] * c->waits.waited[i * memory + m].requests;
        }
        bool shared = !gp_memory_reads_constants(c->device, &c->kernel->memory[m]) &&
                      !gp_is_on_chip(&c->kernel->memory[m]) && cycles > 0 && requests > 0;
        for (size_t i = 0; shared && i < run->count; i++) {
            struct waited *own = &c->waits.waited[i * memory + m];
            double more = own->requests * cycles / requests - own->cycles;
            own->cycles += more;
            run->chain[i] += more;
            run->chain_memory[i] += more;
        }
    }
}

static uint32_t block_spent_in(const struct gp_collector *c)
{
    uint32_t most = 0;
    for (uint32_t b = 1; b < c->kernel->block_count; b++)
        if (c->waits.spent[b] > c->waits.spent[most])
            most = b;
    return most;
}

/* ---- All of it --------------------------------------------------------------------------------------------------- */

static void note_extremes(struct gp_work *work, const uint64_t group[3], double instructions)
{
    struct gp_group_work this = {{group[0], group[1], group[2]}, instructions};
    if (work->least.instructions > instructions)
        work->least = this;
    if (work->most.instructions < instructions)
        work->most = this;
}

/* Runs the sampled warps of one group. */
bool gp_collector_run_group(struct gp_collector *c, const struct gp_launch *launch, const struct gp_sample *samples,
                            size_t in_group, double warps, struct gp_error *error)
{
    double group_share = gp_samples_weight(samples, 0, in_group) / warps;
    forget_group(c);
    double fewest = INFINITY, most = 0, before = c->work->instructions;
    struct group_run run = {.count = in_group};
    memset(c->waits.waited, 0, in_group * c->kernel->memory_count * sizeof *c->waits.waited);
    memset(c->waits.parted, 0, in_group * c->kernel->branch_count * sizeof *c->waits.parted);
    for (size_t i = 0; i < in_group; i++) {
        const struct gp_sample *sample = &samples[i];
        struct gp_exec_result result = {0};
        c->sample_weight = sample->weight / warps;
        c->group_weight = group_share * gp_collector_footprint_weight(c, samples, i, in_group);
        c->waits.waited_by_warp = &c->waits.waited[i * c->kernel->memory_count];
        c->waits.parted_by_warp = &c->waits.parted[i * c->kernel->branch_count];
        if (!gp_collector_run_warp(c, launch, sample->group, sample->warp, (uint32_t)i, &result, error))
            return false;
        c->effort.dear |= c->effort.undecided > 0 && gp_collector_effort(c, c->effort.undecided, 1) > GP_DEAR;
        c->effort.undecided = 0;
        run.chain[i] = c->waits.chain;
        run.chain_memory[i] = c->waits.chain_memory;
        run.weight[i] = c->group_weight;
        run.block[i] = block_spent_in(c);
        c->work->instructions += c->sample_weight * result.instructions;
        c->work->guessed_instructions += c->sample_weight * result.guessed_instructions;
        c->work->guessed_ways += c->sample_weight * result.guessed_ways;
        c->work->cut_off |= result.cut_off;
        c->work->endless = c->work->endless > 0 ? c->work->endless : result.endless;
        if (in_group == (size_t)c->work->warps_per_group)
            c->work->of_every_fourth[sample->warp % GP_PARTITIONS] += group_share * result.instructions;
        fewest = fmin(fewest, result.instructions);
        most = fmax(most, result.instructions);
    }
    note_extremes(c->work, samples[0].group, (c->work->instructions - before) / group_share);
    if (samples == c->leading_samples)
        c->work->leading = (struct gp_group_work){{samples[0].group[0], samples[0].group[1], samples[0].group[2]},
                                                  (c->work->instructions - before) / group_share};
    add_footprint(c, group_share);
    share_waiting(c, &run);
    size_t slowest = 0;
    for (size_t i = 1; i < in_group; i++)
        if (run.chain[i] > run.chain[slowest])
            slowest = i;
    c->work->uneven_groups += most > 1.1 * fewest ? group_share : 0;
    c->work->uneven_warps = c->work->uneven_groups > 0.3; /* edges do not matter */
    c->work->chain += group_share * run.chain[slowest];
    for (uint32_t m = 0; m < c->kernel->memory_count; m++)
        c->memory[m].chain_stall += group_share * c->waits.waited[slowest * c->kernel->memory_count + m].cycles;
    for (uint32_t b = 0; b < c->kernel->branch_count; b++)
        c->branches[b].stall += group_share * c->waits.parted[slowest * c->kernel->branch_count + b];
    struct longest *longest = group_share < GP_LITTLE ? &c->waits.longest_light : &c->waits.longest;
    if (run.chain[slowest] > longest->chain)
        *longest = (struct longest){run.chain[slowest], run.block[slowest]};
    c->work->chain_memory += group_share * run.chain_memory[slowest];
    return true;
}

/* ---- What neighbours are compared with --------------------------------------------------------------------------- */

/* What the heaviest group touches is kept, so that what its neighbours touch can be compared with it. */

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

/* What accesses ask for, of a buffer; adds `sign` times as much to what is kept. */
static void keep_asked(struct gp_collector *c, double sign)
{
    for (uint32_t m = 0; m < c->kernel->memory_count; m++)
        c->near.kept[c->code.buffer_of[m]].asked += sign * c->memory[m].useful_bytes;
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
    memset(c->near.kept, 0, c->buffer_count * sizeof *c->near.kept);
    keep_asked(c, -1);
    bool ok = gp_collector_run_group(c, launch, samples, in_group, warps, error);
    keep_asked(c, 1);
    c->near.keeping_words = false;
    if (!c->survey.was_surveyed)
        keep_lines(c);
    keep_stretches(c, share);
    for (uint32_t b = 0; b < c->buffer_count; b++)
        c->near.kept[b].known_words = c->near.probes[b].words * (c->survey.was_surveyed ? share : 1);
    keep_scattered(c);
    return ok;
}
