/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Warps of a group that do different work: those that hold a row while the others wait, the end of a reduction, a halo.
 * Which of them are executed decides what the others are taken to do, and the one that executes most decides how many
 * iterations are shown and how far groups lie apart: of what it alone accesses no other warp tells.
 */
#include <math.h>
#include <string.h>

#include "model/trace/recorder.h"

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
        if (gp_recorder_has_warp(launch, group, w, options.warp_width) &&
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
