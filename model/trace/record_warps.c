/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Traces of warps: which are executed where they do different work, the trace of each, how far other warps' and groups'
 * accesses lie from it, and what the average one holds.
 */
#include <math.h>
#include <string.h>

#include "model/trace/recorder.h"

/* ---- The trace of a warp ----------------------------------------------------------------------------------------- */

/* The trace of one warp: its visits of blocks, with the spilled words that are due by then. */

/* ---- Spilled words ----------------------------------------------------------------------------------------------- */

/* An access to a spilled word: four bytes of each lane, side by side, nobody else's. */
static void add_spill(struct gp_recorder *r, bool store, double weight)
{
    const struct gp_kernel *kernel = r->kernel;
    struct gp_visit *visit = gp_recorder_grow(&r->visits, 1);
    struct gp_trace_access *a = gp_recorder_grow(&r->accesses, 1);
    uint32_t lanes = gp_device_lanes(r->device), bytes = 4 * lanes,
             count = (bytes + r->sm->segment - 1) / r->sm->segment;
    float wavefronts = (float)fmax(1, lanes / r->device->lsu_lanes.value);
    *visit = (struct gp_visit){.block = kernel->block_count + !store,
                               .access = (uint32_t)r->accesses.count - 1,
                               .weight = (float)weight,
                               .branch = GP_NONE};
    *a = (struct gp_trace_access){.memory = kernel->memory_count,
                                  .path = r->sm->l1.bytes > 0 ? GP_PATH_L1 : GP_PATH_L2,
                                  .flags = (uint8_t)(GP_ACCESS_OWN | (store ? GP_ACCESS_STORE : 0)),
                                  .lanes = (uint16_t)lanes,
                                  .wavefronts = wavefronts,
                                  .ideal_wavefronts = wavefronts,
                                  .bytes = (float)bytes,
                                  .ideal_bytes = (float)bytes,
                                  .share = 1,
                                  .segment = (uint32_t)r->segments.count,
                                  .ideal_segments = count};
    uint64_t first =
        gp_recorder_segment(r, SPILLED_STRETCH, (uint64_t)(r->spills.next_word++ % r->spills.words) * bytes);
    for (uint32_t i = 0; i < count; i++)
        gp_recorder_add_segment(r, a, first + i);
    r->done.touched += weight * count;
}

/* Spilled words are stored and loaded throughout: as many as are due by the instructions so far. */
static void add_spills(struct gp_recorder *r, uint32_t block, double weight)
{
    enum { MOST_AT_ONCE = 8 };
    double *debts[] = {&r->spills.store_debt, &r->spills.load_debt}, rates[] = {r->spills.stores, r->spills.loads};
    for (int load = 0; load <= 1; load++) {
        *debts[load] += (r->code.block_issue[block] + r->spills.in_line) * rates[load];
        double due = floor(*debts[load]), made = fmin(due, MOST_AT_ONCE);
        for (double i = 0; i < made; i++)
            add_spill(r, !load, weight * due / made);
        *debts[load] -= due;
    }
    r->spills.in_line = 0;
}

/* ---- Visits ------------------------------------------------------------------------------------------------------ */

static void on_enter(void *context, uint32_t block, gp_mask active, double weight)
{
    struct gp_recorder *r = context;
    gp_divergences_enter(&r->divergences, block, active);
    r->done.visited += r->code.block_insts[block];
    r->done.whole += weight * r->code.block_insts[block];
    r->done.instructions += weight * r->code.block_issue[block];
    r->effort += r->code.block_insts[block];
    if (r->predication.head[block] != block) { /* a part of the visit of its line */
        r->spills.in_line += r->code.block_issue[block];
        if (r->visits.count > 0)
            ((struct gp_visit *)r->visits.items)[r->visits.count - 1].instructions += (float)r->code.block_issue[block];
        return;
    }
    if (r->spills.words > 0)
        add_spills(r, block, weight);
    struct gp_visit *visit = gp_recorder_grow(&r->visits, 1);
    *visit = (struct gp_visit){.block = block,
                               .access = (uint32_t)r->accesses.count,
                               .weight = (float)weight,
                               .instructions = (float)r->code.block_issue[block],
                               .branch = GP_NONE};
    double idle;
    const struct gp_divergence *top = gp_divergences_top(&r->divergences, active, &idle);
    if (top != NULL) {
        visit->branch = top->branch;
        visit->idle = (float)idle;
    }
}

static void on_leave(void *context, uint32_t block, gp_mask active, double weight)
{
    struct gp_recorder *r = context;
    (void)block, (void)active, (void)weight;
    struct gp_trace_access *accesses = r->accesses.items;
    size_t first = ((const struct gp_visit *)r->visits.items)[r->visits.count - 1].access;
    float together = 0;
    for (size_t i = first; i < r->accesses.count; i++)
        together += (float)accesses[i].segment_count;
    for (size_t i = first; i < r->accesses.count; i++)
        accesses[i].together = together;
}

static void on_diverge(void *context, uint32_t branch, gp_mask taken, gp_mask not_taken, double weight)
{
    struct gp_recorder *r = context;
    (void)weight;
    if (branch < r->kernel->branch_count)
        gp_divergences_add(&r->divergences, branch, r->kernel->blocks[r->code.branch_block[branch]].ipdom,
                           taken | not_taken);
}

static void on_skip(void *context, uint32_t loop, uint64_t skipped)
{
    (void)skipped;
    gp_steps_skip(((struct gp_recorder *)context)->moves.steps, loop);
}

/* A partial group has fewer warps than others. */
static bool recorder_has_warp(const struct gp_launch *launch, const uint64_t group[3], uint32_t warp, uint32_t lanes)
{
    bool full;
    return warp < gp_group_warps(launch, group, lanes, &full);
}

bool gp_recorder_warp(struct gp_recorder *r, const struct gp_launch *launch, const uint64_t group[3], uint32_t warp,
                      struct gp_error *error)
{
    struct gp_observer observer = {.context = r,
                                   .enter = on_enter,
                                   .access = gp_recorder_access,
                                   .leave = on_leave,
                                   .diverge = on_diverge,
                                   .skip = on_skip};
    struct gp_exec_options options = {.warp_width = gp_device_lanes(r->device),
                                      .coarse = r->coarse,
                                      .fine = r->fine,
                                      .exhaustive = r->exhaustive,
                                      .max_block_visits = r->most_visits};
    struct gp_exec_result result;
    struct place *place = gp_recorder_grow(&r->places, 1);
    *place = (struct place){r->visits.count, r->accesses.count,    r->segments.count,
                            r->done.visited, r->done.instructions, r->done.touched};
    gp_steps_start(r->moves.steps);
    gp_walks_start(r->moves.walks);
    memset(r->first_segment, 0, r->kernel->memory_count * sizeof *r->first_segment);
    r->divergences.count = 0;
    if (!recorder_has_warp(launch, group, warp, options.warp_width))
        return true;
    return gp_execute_warp(r->executor, launch, group, warp, &options, &observer, &result, error);
}

/* ---- How far others lie ------------------------------------------------------------------------------------------ */

/* How far the accesses of other warps and groups lie from those of the first one recorded: these are not executed,
 * their accesses lie so many steps on. */

void gp_recorder_group_at(uint64_t index, const uint64_t groups[3], uint64_t group[3])
{
    group[0] = index % groups[0];
    group[1] = index / groups[0] % groups[1];
    group[2] = index / groups[0] / groups[1];
}

uint64_t gp_recorder_index_of(const uint64_t group[3], const uint64_t groups[3])
{
    return group[0] + groups[0] * (group[1] + groups[1] * group[2]);
}

static bool are_related(uint64_t from, uint64_t to)
{
    return from != 0 && to != 0 && from >> (SYMBOL_BITS - 8) == to >> (SYMBOL_BITS - 8);
}

/* elsewhere: segments to where the next one may be whose place was loaded; further than any row is long. */
void gp_recorder_note_steps(const struct gp_recorder *r, int64_t *steps, int64_t elsewhere)
{
    for (uint32_t m = 0; m < r->kernel->memory_count; m++) {
        uint64_t from = r->origin[m], to = r->first_segment[m];
        steps[m] = are_related(from, to) ? (int64_t)(to - from) : from != 0 && to != 0 ? elsewhere : 0;
    }
}

/* Neighbouring groups' distance, where their accesses are based on an array: made-up symbols are the same in all
 * groups, what they mean is not. */
static void note_neighbours(const struct gp_recorder *r)
{
    uint64_t end = gp_recorder_segment(r, r->last_array + 1, 0) - ((uint64_t)1 << (SYMBOL_BITS - 1)) / r->sm->segment;
    gp_recorder_note_steps(r, r->moves.neighbour, 0);
    for (uint32_t m = 0; m < r->kernel->memory_count; m++)
        r->moves.neighbour_known[m] = are_related(r->origin[m], r->first_segment[m]) && r->origin[m] < end;
}

/* How far a group's accesses lie from those of the first recorded one: of the SM's next group, or of the launch's.
 * *executed: instructions of its warp at hand. */
bool gp_recorder_see_steps(struct gp_recorder *r, const struct gp_launch *launch, uint64_t index,
                           const uint64_t groups[3], uint32_t warp, bool neighbour, double *executed,
                           struct gp_error *error)
{
    size_t visits = r->visits.count, accesses = r->accesses.count, segments = r->segments.count,
           places = r->places.count;
    double visited = r->done.visited, instructions = r->done.instructions, touched = r->done.touched;
    uint64_t group[3];
    gp_recorder_group_at(index, groups, group);
    if (!gp_recorder_warp(r, launch, group, warp, error))
        return false;
    if (neighbour)
        note_neighbours(r);
    else
        gp_recorder_note_steps(r, r->moves.group, ANOTHER_GROUP);
    r->visits.count = visits, r->accesses.count = accesses, r->segments.count = segments, r->places.count = places;
    *executed = r->done.instructions - instructions;
    r->done.visited = visited, r->done.instructions = instructions, r->done.touched = touched;
    return true;
}

/* The same from a group to one beside it that executes as much; where there is none, nothing is known. */
bool gp_recorder_see_alike(struct gp_recorder *r, const struct gp_launch *launch, const uint64_t group[3],
                           const uint64_t groups[3], uint32_t warp, double instructions, struct gp_error *error)
{
    uint64_t apart = 1;
    for (int d = 0; d < 3; apart *= groups[d], d++) {
        if (groups[d] < 2)
            continue;
        uint64_t index = gp_recorder_index_of(group, groups),
                 beside = group[d] + 1 < groups[d] ? index + apart : index - apart;
        double executed;
        if (!gp_recorder_see_steps(r, launch, beside, groups, warp, false, &executed, error))
            return false;
        if (fabs(executed - instructions) < 0.1 * instructions)
            return true;
    }
    memset(r->moves.group, 0, r->kernel->memory_count * sizeof *r->moves.group);
    return true;
}

/* ---- Which warps are executed ------------------------------------------------------------------------------------ */

/*
 * Warps of a group that do different work: those that hold a row while the others wait, the end of a reduction, a halo.
 * Which of them are executed decides what the others are taken to do, and the one that executes most decides how many
 * iterations are shown and how far groups lie apart: of what it alone accesses no other warp tells.
 */

static void count_effort(void *context, uint32_t block, gp_mask active, double weight)
{
    struct gp_recorder *r = context;
    (void)active, (void)weight;
    r->effort += r->code.block_insts[block];
}

bool gp_recorder_scout(struct gp_recorder *r, const struct gp_launch *launch, const uint64_t group[3], uint32_t warps,
                       double *executed, struct gp_error *error)
{
    struct gp_observer observer = {.context = r, .enter = count_effort};
    struct gp_exec_options options = {
        .warp_width = gp_device_lanes(r->device), .coarse = true, .max_block_visits = r->most_visits};
    for (uint32_t w = 0; w < warps; w++) {
        struct gp_exec_result result = {0};
        if (recorder_has_warp(launch, group, w, options.warp_width) &&
            !gp_execute_warp(r->executor, launch, group, w, &options, &observer, &result, error))
            return false;
        executed[w] = result.instructions;
    }
    return true;
}

static bool are_alike(double a, double b) { return fabs(a - b) <= 0.1 * fmax(a, b); }

uint32_t gp_recorder_partner(const double *executed, uint32_t warps, uint32_t lead)
{
    for (uint32_t w = lead + 1; w < warps; w++)
        if (are_alike(executed[lead], executed[w]))
            return w;
    for (uint32_t w = lead; w-- > 0;)
        if (are_alike(executed[lead], executed[w]))
            return w;
    return lead + 1 < warps ? lead + 1 : lead - 1;
}

/* The last up to `w` of the `count` in ascending order that executes as much as it, else the first that does; where
 * none does, the last up to it. */
uint32_t gp_recorder_like(const double *executed, const uint32_t *chosen, uint32_t count, uint32_t w)
{
    uint32_t like = count, below = 0;
    for (uint32_t c = 0; c < count; c++) {
        bool alike = are_alike(executed[chosen[c]], executed[w]), up_to = chosen[c] <= w;
        below = up_to ? c : below;
        like = alike && (up_to || like == count) ? c : like;
    }
    return like < count ? like : below;
}

/* Marks the first warp of each kind. Returns how many are marked. */
static uint32_t mark_kinds(const double *executed, uint32_t warps, bool *marked)
{
    uint32_t count = 0;
    for (uint32_t w = 0; w < warps; w++) {
        bool known = false;
        for (uint32_t before = 0; before < w; before++)
            known |= marked[before] && are_alike(executed[before], executed[w]);
        marked[w] |= !known;
        count += marked[w];
    }
    return count;
}

/* So many, evenly. */
static void mark_evenly(uint32_t warps, uint32_t more, bool *marked)
{
    for (uint32_t i = 0; i < more; i++)
        marked[more > 1 ? (uint64_t)(warps - 1) * i / (more - 1) : 0] = true;
}

uint32_t gp_recorder_choose_kinds(const double *executed, uint32_t warps, uint32_t most, uint32_t lead,
                                  uint32_t *chosen)
{
    bool marked[MOST_WARPS] = {false}, kinds[MOST_WARPS] = {false};
    marked[0] = marked[lead] = marked[gp_recorder_partner(executed, warps, lead)] = true;
    memcpy(kinds, marked, sizeof kinds);
    uint32_t needed = mark_kinds(executed, warps, kinds);
    if (needed <= most)
        memcpy(marked, kinds, sizeof marked);
    uint32_t before = 0, count = 0;
    for (uint32_t w = 0; w < warps; w++)
        before += marked[w] |= warps <= most;
    mark_evenly(warps, most > before ? most - before : 0, marked);
    for (uint32_t w = 0; w < warps; w++)
        if (marked[w])
            chosen[count++] = w;
    return count;
}

/* ---- Sums -------------------------------------------------------------------------------------------------------- */

/* What an average warp's trace holds. Executed ones stand for others: of a group of 32 warps of which the first works
 * alone, it is one of 32, not one of the four that are executed. */

static void add_trace(const struct gp_recorder *r, size_t trace, struct gp_recording *sum)
{
    const struct place end = {r->visits.count, r->accesses.count,    r->segments.count,
                              r->done.visited, r->done.instructions, r->done.touched};
    const struct place *from = (const struct place *)r->places.items + trace,
                       *to = trace + 1 < r->places.count ? from + 1 : &end;
    sum->visited += to->visited - from->visited;
    sum->accesses += (double)(to->access - from->access);
    sum->segments += (double)(to->segment - from->segment);
    sum->instructions += to->instructions - from->instructions;
    sum->touched += to->touched - from->touched;
}

void gp_recorder_sum(const struct gp_recorder *r, uint32_t groups, struct gp_recording *recording)
{
    const struct gp_sim_warp *warp = r->warps.items;
    uint32_t warps = recording->warps_per_group;
    recording->least = INFINITY, recording->most = 0;
    for (uint32_t g = 0; g < groups; g++) {
        double before = recording->instructions;
        for (uint32_t w = 0; w < warps; w++, warp++)
            add_trace(r, (size_t)(warp->trace - (const struct gp_trace *)r->traces.items), recording);
        double executed = (recording->instructions - before) / warps;
        recording->least = fmin(recording->least, executed);
        recording->most = fmax(recording->most, executed);
    }
    double *sums[] = {&recording->visited, &recording->accesses, &recording->segments, &recording->instructions,
                      &recording->touched};
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
        *sums[i] /= (double)groups * warps;
}
