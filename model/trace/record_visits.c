/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The trace of one warp: its visits of blocks, with the spilled words that are due by then. */
#include <math.h>
#include <string.h>

#include "model/trace/recorder.h"

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

static void on_skip(void *context, uint32_t loop, uint64_t left_out)
{
    (void)left_out;
    gp_steps_skip(((struct gp_recorder *)context)->moves.steps, loop);
}

bool gp_recorder_has_warp(const struct gp_launch *launch, const uint64_t group[3], uint32_t warp, uint32_t lanes)
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
    if (!gp_recorder_has_warp(launch, group, warp, options.warp_width))
        return true;
    return gp_execute_warp(r->executor, launch, group, warp, &options, &observer, &result, error);
}
