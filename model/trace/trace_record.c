/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Execution traces for the simulation: which blocks a warp visits and which memory segments its accesses touch, as the
 * executor tells them. Sampled loops stay sampled: a visit's weight says how many it stands for.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/value/inst_facts.h"
#include "model/compilers/machine_code.h"
#include "model/trace/recorder.h"
#include "support/memory.h"

/* ---- The recorder ------------------------------------------------------------------------------------------------ */

static void find_blocks(struct gp_recorder *r)
{
    const struct gp_kernel *kernel = r->kernel;
    for (uint32_t b = 0; b < kernel->block_count; b++)
        for (uint32_t i = kernel->blocks[b].inst; i < gp_block_end(kernel, b); i++) {
            const struct gp_inst *inst = &kernel->insts[i];
            r->code.block_insts[b] += inst->cost != GP_CLASS_FREE;
            if ((inst->op == GP_OP_CONDBR || inst->op == GP_OP_SWITCH) && inst->record != GP_NONE)
                r->code.branch_block[inst->record] = b;
            if (gp_inst_accesses(inst) && inst->record != GP_NONE)
                r->code.memory_block[inst->record] = b;
        }
}

struct gp_recorder *gp_recorder_new(const struct gp_kernel *kernel)
{
    struct gp_recorder *r = calloc(1, sizeof *r);
    uint32_t memory = kernel->memory_count;
    r->kernel = kernel;
    for (uint32_t m = 0; m < kernel->memory_count; m++)
        r->has_images |= kernel->memory[m].space == GP_SPACE_IMAGE;
    r->executor = gp_executor_new(kernel);
    r->code.branch_block = gp_some(kernel->branch_count, sizeof *r->code.branch_block);
    r->code.memory_block = gp_some(memory, sizeof *r->code.memory_block);
    r->code.block_insts = gp_some(kernel->block_count, sizeof *r->code.block_insts);
    r->code.factors = gp_some(kernel->block_count, sizeof *r->code.factors);
    r->code.block_issue = gp_some(kernel->block_count, sizeof *r->code.block_issue);
    r->moves.steps = gp_steps_new(kernel);
    r->moves.walks = gp_walks_new(kernel);
    r->requests = gp_request_memo_new(kernel);
    r->moves.group = gp_some(memory + 1, sizeof *r->moves.group); /* spills: each warp's own, no step */
    r->moves.warp = gp_some(memory + 1, sizeof *r->moves.warp);
    r->moves.neighbour = gp_some(memory + 1, sizeof *r->moves.neighbour);
    r->moves.neighbour_known = gp_some(memory + 1, sizeof *r->moves.neighbour_known);
    r->bounds = gp_some(memory, sizeof *r->bounds);
    r->ranges = gp_some(memory + 1, sizeof *r->ranges);
    r->last_array = kernel->param_count + kernel->local_count + kernel->global_count + kernel->private_count;
    r->first_segment = gp_some(memory, sizeof *r->first_segment);
    r->origin = gp_some(memory, sizeof *r->origin);
    r->visits.size = sizeof(struct gp_visit);
    r->accesses.size = sizeof(struct gp_trace_access);
    r->segments.size = sizeof(uint64_t);
    r->traces.size = sizeof(struct gp_trace);
    r->places.size = sizeof(struct place);
    r->warps.size = sizeof(struct gp_sim_warp);
    find_blocks(r);
    return r;
}

void gp_recorder_free(struct gp_recorder *r)
{
    if (r == NULL)
        return;
    gp_executor_free(r->executor);
    gp_steps_free(r->moves.steps);
    gp_walks_free(r->moves.walks);
    gp_request_memo_free(r->requests);
    gp_predication_free(&r->predication);
    void *all[] = {r->code.branch_block,
                   r->code.memory_block,
                   r->code.block_insts,
                   r->code.factors,
                   r->code.block_issue,
                   r->moves.group,
                   r->moves.warp,
                   r->moves.neighbour,
                   r->moves.neighbour_known,
                   r->bounds,
                   r->ranges,
                   r->first_segment,
                   r->origin,
                   r->visits.items,
                   r->accesses.items,
                   r->segments.items,
                   r->traces.items,
                   r->places.items,
                   r->warps.items};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    free(r);
}

/* ---- Warps that are executed ------------------------------------------------------------------------------------- */

enum { FEW_WARPS = 6, FEW_KINDS = 4, SHORT_TRACES = 3000 };

/* Which warps of which groups are executed. */
struct choice {
    uint64_t groups[3], total, first; /* of the launch; the first that is recorded */
    uint32_t warps, rows;             /* of a group; groups that are executed */
    uint32_t chosen[MOST_WARPS], count, period;
    uint32_t lead;    /* of these, the one that tells how many iterations are shown and how far groups lie apart: the
                         first, or that which executes most */
    bool very_long;   /* traces */
    double lead_warp; /* instructions of the lead */
    double executed[MOST_WARPS]; /* by each warp of the first group, where they are known to differ */
    bool scouted;
};

/*
 * Warps after which where they access repeats, moved on: those of a row of the group; where there are images, of the
 * rows of a block of texels, if so many can be executed. 1: each lies a step behind the one before.
 */
static uint32_t period_of(const struct gp_recorder *r, const struct gp_launch *launch, uint32_t lanes, uint32_t warps,
                          uint32_t most)
{
    enum { BLOCK_ROWS = 4 };
    uint32_t row = launch->local[0], in_row = row % lanes == 0 ? row / lanes : 1, period = in_row;
    if (row % lanes != 0 && lanes % row != 0)
        return 1;
    if (r->has_images)
        period = row < lanes ? (lanes / row < BLOCK_ROWS ? BLOCK_ROWS / (lanes / row) : 1) : BLOCK_ROWS * in_row;
    while (period > in_row && period + 1 > most)
        period /= 2;
    return period + 1 > most || period >= warps ? 1 : period;
}

/* Warps of a group that are executed: those of a period and the next; where there is none the first two, the last,
 * evenly between. */
static uint32_t choose_warps(uint32_t warps, uint32_t most, uint32_t period, uint32_t chosen[MOST_WARPS])
{
    uint32_t count = warps < most ? warps : most;
    if (period > 1 && count < warps)
        count = period + 1;
    for (uint32_t i = 0; i < count; i++)
        chosen[i] = i < 2 || period > 1 ? i : 1 + (uint32_t)((uint64_t)(warps - 2) * (i - 1) / (count - 2));
    return count;
}

/* All of them where that costs little: which segments rows of a group share, a step from one warp to the next does not
 * show. */
static uint32_t most_warps(double length)
{
    return (uint32_t)fmin(MOST_WARPS, fmax(FEW_WARPS, SHORT_TRACES / fmax(1, length)));
}

/* ---- Iterations that they show ----------------------------------------------------------------------------------- */

enum { FINE_TRACE = 3000, LONG_TRACE = 5000, VERY_LONG_TRACE = 10000, WHOLE_TRACE = 4000 };

static double length_of(const struct gp_recorder *r) { return r->done.visited + 0.5 * (double)r->segments.count; }

static void forget_traces(struct gp_recorder *r)
{
    r->visits.count = r->accesses.count = r->segments.count = r->places.count = 0;
    r->done.visited = r->done.instructions = r->done.touched = r->done.whole = 0;
}

static bool start_over(struct gp_recorder *r, const struct gp_launch *launch, const uint64_t group[3], uint32_t warp,
                       struct gp_error *error)
{
    forget_traces(r);
    return gp_recorder_warp(r, launch, group, warp, error);
}

/*
 * How many iterations traces show is decided by the first, which is recorded again: with all of them where simulating
 * them is affordable; with fewer of each loop where it is long, since long traces are dear to record and dear to
 * simulate.
 */
static bool choose_iterations(struct gp_recorder *r, const struct gp_launch *launch, const uint64_t group[3],
                              uint32_t warp, double affordable, struct gp_error *error)
{
    if (!r->exhaustive && r->done.visited < r->done.whole && r->done.whole <= fmin(affordable, WHOLE_TRACE)) {
        r->exhaustive = true;
        return start_over(r, launch, group, warp, error);
    }
    while (!r->exhaustive && !r->coarse && length_of(r) > (r->fine ? FINE_TRACE : LONG_TRACE)) {
        r->coarse = !r->fine || length_of(r) > VERY_LONG_TRACE;
        r->fine = false;
        if (!start_over(r, launch, group, warp, error))
            return false;
    }
    return true;
}

/* ---- Traces of all warps ----------------------------------------------------------------------------------------- */

/* Pointers into the arrays, now that these do not move any more. */
static void finish_traces(struct gp_recorder *r)
{
    struct place *place = r->places.items;
    size_t count = r->places.count;
    struct gp_trace *traces = gp_recorder_grow(&r->traces, count);
    for (size_t t = 0; t < count; t++) {
        size_t visits = t + 1 < count ? place[t + 1].visit : r->visits.count,
               accesses = t + 1 < count ? place[t + 1].access : r->accesses.count;
        traces[t] = (struct gp_trace){
            (const struct gp_visit *)r->visits.items + place[t].visit, (uint32_t)(visits - place[t].visit),
            (const struct gp_trace_access *)r->accesses.items, (uint32_t)accesses, r->segments.items};
    }
}

/* Every warp of every row: the executed trace nearest below it, or of its place in the period, so many steps on. */
static void fill_rows(struct gp_recorder *r, uint32_t rows, const struct choice *choice)
{
    const uint32_t warps = choice->warps, *chosen = choice->chosen, period = choice->period;
    struct gp_sim_warp *list = gp_recorder_grow(&r->warps, (size_t)rows * warps);
    const struct gp_trace *traces = r->traces.items;
    for (uint32_t row = 0; row < rows; row++)
        for (uint32_t w = 0, c = 0; w < warps; w++) {
            while (c + 1 < choice->count && chosen[c + 1] <= w)
                c++;
            if (period > 1 && w > chosen[c])
                c = w % period;
            if (choice->scouted)
                c = gp_recorder_like(choice->executed, chosen, choice->count, w);
            uint32_t base = row % choice->rows;
            list[(size_t)row * warps + w] =
                (struct gp_sim_warp){&traces[base * choice->count + c], (int32_t)(row - base),
                                     ((int32_t)w - (int32_t)chosen[c]) / (int32_t)period};
        }
}

/* ---- Recording --------------------------------------------------------------------------------------------------- */

enum { MOST_ROWS = 4, MOST_VISITS = 20000 };

static void count_issue(struct gp_recorder *r)
{
    const struct gp_kernel *kernel = r->kernel;
    struct gp_cost costs[GP_CLASS_COUNT];
    gp_cost_table(r->device, costs, NULL);
    gp_machine_code_factors(kernel, r->device, costs, r->code.factors);
    bool scalar_unit = r->device->scalar_unit.value > 0, nvidia = gp_arch_is_nvidia(r->device->arch);
    for (uint32_t b = 0; b < kernel->block_count; b++) {
        r->code.block_issue[b] = 0;
        for (uint32_t i = kernel->blocks[b].inst; i < gp_block_end(kernel, b); i++) {
            const struct gp_inst *inst = &kernel->insts[i];
            bool operand = nvidia && gp_inst_accesses(inst) && gp_inst_has_constant_address(kernel, inst);
            if (!operand && !(scalar_unit && gp_inst_runs_on_scalar_unit(inst)))
                r->code.block_issue[b] +=
                    gp_cost_in_code(inst, costs[inst->cost], &r->code.factors[b]).issue * inst->repeat;
        }
    }
}

static void start(struct gp_recorder *r, const struct gp_device *device, const struct gp_sm *sm,
                  const struct gp_record_options *options)
{
    uint32_t memory = r->kernel->memory_count;
    r->visits.count = r->accesses.count = r->segments.count = r->traces.count = r->places.count = r->warps.count = 0;
    memset(r->moves.group, 0, memory * sizeof *r->moves.group);
    memset(r->moves.warp, 0, memory * sizeof *r->moves.warp);
    memset(r->moves.neighbour, 0, memory * sizeof *r->moves.neighbour);
    memset(r->moves.neighbour_known, 0, memory * sizeof *r->moves.neighbour_known);
    memset(r->ranges, 0, memory * sizeof *r->ranges); /* another device has other segments */
    memset(r->origin, 0, memory * sizeof *r->origin);
    r->device = device;
    r->sm = sm;
    r->scattered = 0;
    r->done.visited = r->done.instructions = r->done.touched = r->done.whole = 0;
    r->effort = 0;
    r->exhaustive = options->exhaustive;
    r->most_visits = options->exhaustive ? 0 : MOST_VISITS;
    r->coarse = false;
    r->fine = true;
    count_issue(r);
    double spread = fmax(1, options->instructions);
    r->spills.stores = options->spill_store_bytes / 4 / spread;
    r->spills.loads = options->spill_load_bytes / 4 / spread;
    r->spills.store_debt = r->spills.load_debt = r->spills.in_line = 0;
    r->spills.words = options->spill_store_bytes + options->spill_load_bytes > 0
                          ? (uint32_t)ceil(fmax(4, options->spill_slot_bytes) / 4)
                          : 0;
    r->spills.next_word = 0;
}

/* The group in the middle of each dimension: half of all groups on begins a row or a plane, an edge, where a kernel may
 * do little. */
static uint64_t middle_group(const uint64_t groups[3])
{
    return groups[0] / 2 + groups[0] * (groups[1] / 2 + groups[1] * (groups[2] / 2));
}

static struct choice first_choice(const struct gp_launch *launch, uint32_t lanes,
                                  const struct gp_record_options *options)
{
    struct choice choice = {.period = 1};
    choice.total = gp_launch_groups(launch, choice.groups);
    choice.first =
        options->like != NULL ? gp_recorder_index_of(options->like, choice.groups) : middle_group(choice.groups);
    choice.warps = ((uint32_t)gp_launch_group_items(launch) + lanes - 1) / lanes;
    choice.rows = options->like != NULL ? 1 : options->rows < MOST_ROWS ? options->rows : MOST_ROWS;
    choice.count = choose_warps(choice.warps, 1, 1, choice.chosen);
    return choice;
}

static bool scout(struct gp_recorder *r, const struct gp_launch *launch, const uint64_t group[3],
                  const struct gp_record_options *options, struct choice *choice, struct gp_error *error)
{
    choice->scouted = options->uneven_warps && choice->warps > 2 && choice->warps <= MOST_WARPS;
    if (choice->scouted && !gp_recorder_scout(r, launch, group, choice->warps, choice->executed, error))
        return false;
    for (uint32_t w = 1; choice->scouted && w < choice->warps; w++)
        choice->chosen[0] = choice->executed[w] > choice->executed[choice->chosen[0]] ? w : choice->chosen[0];
    return true;
}

/* How many times as much as its group's average warp the lead executes. */
static double lead_over_average(const struct choice *choice, uint32_t lead)
{
    double sum = 0;
    for (uint32_t w = 0; choice->scouted && w < choice->warps; w++)
        sum += choice->executed[w];
    return sum > 0 ? choice->executed[lead] * choice->warps / sum : 1;
}

/* The lead's trace tells how many others are worth it. */
static void choose_others(const struct gp_recorder *r, const struct gp_launch *launch,
                          const struct gp_record_options *options, uint32_t lead, struct choice *choice)
{
    uint32_t lanes = gp_device_lanes(r->device);
    double length = length_of(r);
    choice->very_long = length > VERY_LONG_TRACE;
    choice->rows = choice->very_long ? 1 : r->coarse && choice->rows > 2 ? 2 : choice->rows;
    uint32_t fewest =
        (uint32_t)gp_launch_group_items(launch) % lanes == 0 ? 2 : 3; /* a partial last warp is like no other */
    uint32_t most = choice->very_long ? fewest : r->coarse ? 4 : most_warps(length);
    choice->period = options->uneven_warps ? 1 : period_of(r, launch, lanes, choice->warps, most);
    if (choice->scouted)
        choice->count = gp_recorder_choose_kinds(choice->executed, choice->warps, most > FEW_KINDS ? most : FEW_KINDS,
                                                 lead, choice->chosen);
    else
        choice->count = choose_warps(choice->warps, most, choice->period, choice->chosen);
    for (choice->lead = 0; choice->chosen[choice->lead] != lead;)
        choice->lead++;
}

/* Executes the lead of the first group. Where it is the first of those that are chosen, its trace is kept. */
static bool choose(struct gp_recorder *r, const struct gp_launch *launch, const struct gp_record_options *options,
                   struct choice *choice, struct gp_error *error)
{
    uint64_t group[3];
    gp_recorder_group_at(choice->first % choice->total, choice->groups, group);
    if (!scout(r, launch, group, options, choice, error))
        return false;
    uint32_t lead = choice->chosen[0];
    if (!gp_recorder_warp(r, launch, group, lead, error))
        return false;
    memcpy(r->origin, r->first_segment, r->kernel->memory_count * sizeof *r->origin);
    if (!choose_iterations(r, launch, group, lead, options->affordable * lead_over_average(choice, lead), error))
        return false;
    choice->lead_warp = r->done.instructions;
    choose_others(r, launch, options, lead, choice);
    if (choice->lead > 0)
        forget_traces(r);
    return true;
}

/* From the lead to the warp behind it; where warps do different work, to its partner, so many warps from it on either
 * side. */
static void note_warp_steps(struct gp_recorder *r, const struct choice *choice, uint32_t c)
{
    int64_t lead = choice->chosen[choice->lead], apart = choice->chosen[c] - lead;
    uint32_t partner = choice->scouted ? gp_recorder_partner(choice->executed, choice->warps, (uint32_t)lead)
                                       : (uint32_t)lead + choice->period;
    if (apart == 0 || choice->chosen[c] != partner)
        return;
    int64_t steps = apart / (int64_t)choice->period;
    gp_recorder_note_steps(r, r->moves.warp, ANOTHER_WARP * steps);
    for (uint32_t m = 0; m < r->kernel->memory_count; m++)
        r->moves.warp[m] /= steps;
}

static bool record_group(struct gp_recorder *r, const struct gp_launch *launch, uint32_t row,
                         const struct gp_record_options *options, struct choice *choice, struct gp_error *error)
{
    uint64_t group[3];
    gp_recorder_group_at((choice->first + row * (uint64_t)options->sms) % choice->total, choice->groups, group);
    for (uint32_t c = row == 0 && choice->lead == 0; c < choice->count; c++) {
        if (!gp_recorder_warp(r, launch, group, choice->chosen[c], error))
            return false;
        if (row == 0)
            note_warp_steps(r, choice, c);
        else if (row == 1 && c == choice->lead)
            gp_recorder_note_steps(r, r->moves.group, ANOTHER_GROUP);
    }
    return true;
}

/* Of groups that are not executed, as far as it is needed. */
static bool see_other_groups(struct gp_recorder *r, const struct gp_launch *launch,
                             const struct gp_record_options *options, const struct choice *choice,
                             struct gp_error *error)
{
    uint32_t lead = choice->chosen[choice->lead];
    double ignored;
    if (options->like != NULL && options->rows > 1 &&
        !gp_recorder_see_alike(r, launch, options->like, choice->groups, lead, choice->lead_warp, error))
        return false;
    if (options->like == NULL && choice->very_long && options->rows > 1 &&
        !gp_recorder_see_steps(r, launch, (choice->first + (uint64_t)options->sms) % choice->total, choice->groups,
                               lead, false, &ignored, error))
        return false;
    return r->sm->channels <= 1 || choice->total <= 1 ||
           gp_recorder_see_steps(r, launch, (choice->first + 1) % choice->total, choice->groups, lead, true, &ignored,
                                 error);
}

bool gp_record(struct gp_recorder *r, const struct gp_device *device, const struct gp_sm *sm,
               const struct gp_launch *launch, const struct gp_record_options *options, struct gp_recording *recording,
               struct gp_error *error)
{
    struct choice choice = first_choice(launch, gp_device_lanes(device), options);
    gp_predication_free(&r->predication);
    struct gp_cost costs[GP_CLASS_COUNT];
    gp_cost_table(device, costs, NULL);
    gp_predication_find(r->kernel, device, costs, &r->predication);
    gp_scatter_take_sizes(r->bounds, r->kernel, launch);
    start(r, device, sm, options);
    if (!choose(r, launch, options, &choice, error))
        return false;
    for (uint32_t row = 0; row < choice.rows; row++)
        if (!record_group(r, launch, row, options, &choice, error))
            return false;
    if (!see_other_groups(r, launch, options, &choice, error))
        return false;
    finish_traces(r);
    fill_rows(r, options->rows, &choice);
    *recording = (struct gp_recording){.warps = r->warps.items,
                                       .rows = options->rows,
                                       .warps_per_group = choice.warps,
                                       .group_step = r->moves.group,
                                       .warp_step = r->moves.warp,
                                       .neighbour_step = r->moves.neighbour,
                                       .neighbour_known = r->moves.neighbour_known,
                                       .ranges = r->ranges,
                                       .effort = r->effort};
    gp_recorder_sum(r, choice.rows, recording);
    return true;
}
