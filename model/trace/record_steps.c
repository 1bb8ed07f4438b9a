/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How far the accesses of other warps and groups lie from those of the first one recorded: these are not executed,
 * their accesses lie so many steps on. */
#include <math.h>
#include <string.h>

#include "model/trace/recorder.h"

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
