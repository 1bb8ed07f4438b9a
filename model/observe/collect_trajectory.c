/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Where an operation goes from one execution to the next, and where it was in the iterations between. */
#include "model/observe/collect_internal.h"
#include "support/saturate.h"

#include <math.h>

/* Iterations from one that was executed, in about the middle of those that it stands for, to the next. Addresses that
 * wrap around seem to move further. */
static double iterations_between(double before, double weight, double runs)
{
    enum { ASIDE = 16 }; /* from the middle: executor_loops.c */
    return runs > 0 ? (before + weight) / (2 * runs) + ASIDE : 0;
}

/*
 * An image's rows lie in blocks: its trajectory is that of its coordinates, as one number in which each has its bits.
 * Images are below 2^17 texels wide and high.
 */
enum { COORDINATE_BITS = 18 };

static uint64_t packed(const struct gp_access *access, unsigned lane)
{
    uint64_t sum = 0;
    for (uint32_t d = access->coordinates < 3 ? access->coordinates : 3; d-- > 0;)
        sum = (sum << COORDINATE_BITS) + gp_access_coordinate(access, d, lane);
    return sum;
}

/* The difference of two packed numbers, its first coordinate; what is left are the others. */
static int64_t unpack(int64_t *beside)
{
    int64_t half = INT64_C(1) << (COORDINATE_BITS - 1), low = ((gp_add(*beside, half)) & (2 * half - 1)) - half;
    *beside = gp_subtract(*beside, low) / (2 * half);
    return low;
}

static uint64_t offset_of(const struct gp_access *access, unsigned lane)
{
    return access->coordinates > 0 ? packed(access, lane) : gp_access_offset(access, lane);
}

/* `source`: with coordinates, where it has some; `at`: by addresses. */
static struct gp_place place_of(const struct gp_access *source, const struct gp_access *at)
{
    unsigned first = (unsigned)__builtin_ctzll(at->active);
    struct gp_place place = {at->symbol[first], offset_of(source, first), source->active + source->uniform};
    if (source->distances != NULL)
        place.shape ^= source->distances->id << 1;
    for (gp_mask rest = source->distances != NULL || source->uniform ? 0 : source->active; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(rest);
        place.shape =
            (place.shape ^ (offset_of(source, lane) - place.offset)) * UINT64_C(0x9e3779b97f4a7c15) ^ at->symbol[lane];
    }
    return place;
}

/* Of a trajectory, what bytes of a buffer are: of an image, texels side by side. */
static double unit_of(const struct gp_collector *c, const struct gp_access *source, double bytes)
{
    if (source->coordinates == 0)
        return bytes;
    return bytes < c->line.bytes ? 1
                                 : gp_image_block(c->device, c->kernel, source->memory, source->coordinates).columns;
}

void gp_collector_movement(struct gp_collector *c, const struct gp_access *source, const struct gp_access *at,
                           struct movement *m)
{
    unsigned first_lane = (unsigned)__builtin_ctzll(at->active);
    struct visit *visit = &c->touch.visits[at->memory], before = *visit;
    const double far = (double)(UINT64_C(1) << 40);
    uint32_t symbol = at->symbol[first_lane];
    uint64_t offset = at->offset[first_lane];
    *m = (struct movement){.source = source,
                           .move = {.weight = at->weight, .runs = at->weight, .step = -1, .moved = -1},
                           .from = offset,
                           .runs = at->weight};
    struct gp_window_move *move = &m->move;
    if (symbol == GP_SYMBOL_UNKNOWN)
        return;
    struct gp_place place = place_of(source, at);
    double stands_for = 1;
    m->trajectory = gp_trajectories_see(c->waits.trajectories, c->executor, at->memory, &place,
                                        unit_of(c, source, c->line.bytes), &stands_for);
    m->runs = at->weight / stands_for;
    m->runs_before = before.listed_runs;
    move->step = gp_steps_see(c->waits.steps, at->memory, symbol, offset);
    bool jumped = gp_steps_jumped(c->waits.steps, at->memory);
    move->runs = jumped ? fmin(before.runs, at->weight) : at->weight;
    move->between = iterations_between(before.weight, move->weight, move->runs);
    m->brought = c->touch.brought_once - before.brought_once;
    *visit = (struct visit){symbol, offset, move->weight, move->runs, m->runs, c->touch.brought_once};
    if (jumped && source->coordinates > 0 && move->step >= 0) {
        move->moved = fmin(move->step * fmax(1, move->weight / move->runs), far);
        m->from = offset - (uint64_t)move->moved;
    } else if (jumped && before.symbol == symbol) {
        move->moved = fabs((double)(int64_t)(offset - before.offset));
        m->from = before.offset;
    }
}

/* Lanes whose place is assumed stay there. */
const struct gp_access *gp_collector_texels(struct gp_collector *c, struct texels *room, const struct gp_access *source,
                                            int64_t by)
{
    unsigned first = (unsigned)__builtin_ctzll(source->active);
    room->access = *source;
    for (uint32_t d = 0; d < source->coordinates && d < 3; d++) {
        uint64_t here = (uint64_t)unpack(&by), *moved = room->coordinate[d];
        bool together = source->coordinate_distances[d] != NULL && source->assumed == 0;
        room->access.coordinate[d] = moved;
        room->access.coordinate_distances[d] = together ? source->coordinate_distances[d] : NULL;
        moved[0] = source->coordinate[d][0] + here;
        moved[first] = gp_access_coordinate(source, d, first) + here;
        for (gp_mask rest = together ? 0 : source->active; rest; rest &= rest - 1) {
            unsigned lane = (unsigned)__builtin_ctzll(rest);
            moved[lane] = gp_access_coordinate(source, d, lane) + (source->assumed >> lane & 1 ? 0 : here);
        }
    }
    gp_image_memo_addresses(c->touch.images, c->device, &room->access, &room->image);
    return &room->image.access;
}

const struct gp_skipped *gp_collector_list(struct gp_collector *c, const struct movement *m, double bytes, bool within)
{
    bool image = m->source->coordinates > 0;
    struct gp_skipped *list = within ? c->touch.skipped_within : c->touch.skipped;
    if (m->trajectory == GP_TRAJECTORY_PLAIN || (!within && m->trajectory != GP_TRAJECTORY_SKIPPED)) {
        gp_skipped_nothing(list);
        return list;
    }
    (within ? gp_trajectories_list_within : gp_trajectories_list)(c->waits.trajectories, m->source->memory,
                                                                  unit_of(c, m->source, bytes), list);
    c->work->effort += (image ? 64 : 1) * list->count;
    return list;
}
