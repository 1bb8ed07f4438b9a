/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The groups and warps that stand for a launch.
 *
 * Per dimension: the first group, the last (where guards and halos bite and the group may be partial), and one in each
 * of a few strata between them; in all dimensions the product. Of a group's warps the first, the last and one of each
 * stratum between. Weights are whole numbers and add up to the warps of the launch. Groups that do different work are
 * taken from places all over the range instead; where a guard by the group's number parts those of a dimension
 * (gp_guard_cuts()), a stratum ends.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/executor/executor.h"

/* Positions out of 0..n-1, ascending, and how many each stands for: of groups, itself and those behind it. */
struct axis {
    uint64_t n;
    uint32_t count;
    uint64_t *position;
    uint64_t *weight;
};

/* n * i / k without overflow, for i <= k. */
static uint64_t part(uint64_t n, uint64_t i, uint64_t k) { return n / k * i + n % k * i / k; }

static void add(struct axis *axis, uint64_t position, uint64_t weight)
{
    axis->position[axis->count] = position;
    axis->weight[axis->count++] = weight;
}

/*
 * Near the middle of the groups that a position stands for. The remainders modulo 8 take turns, from stratum to stratum
 * and from one row of groups to the next, so that what repeats every two, four or eight groups (alignment above all) is
 * seen in many of its turns; odd first, since round numbers are better aligned than most.
 */
static uint64_t place(const struct axis *axis, uint32_t i, uint64_t row)
{
    static const uint8_t turns[8] = {1, 6, 3, 0, 5, 2, 7, 4};
    uint64_t length = axis->weight[i], middle = axis->position[i] + (length - 1) / 2, turn = turns[(i + 3 * row) % 8];
    if (length < 8) {
        uint64_t offset = turn * length / 8;
        bool other = ((axis->position[i] + offset) ^ turn) & 1; /* odd where the turn is odd */
        return axis->position[i] + (!other ? offset : offset + 1 < length ? offset + 1 : offset > 0 ? offset - 1 : 0);
    }
    uint64_t up = (turn - middle) % 8; /* a power of two: wrapping is harmless */
    return up <= 4 ? middle + up : middle + up - 8;
}

bool gp_is_cut_at(const struct gp_cuts *cuts, uint64_t group)
{
    for (uint32_t k = 0; k < cuts->count; k++)
        if (cuts->at[k] == group || cuts->at[k] == group + 1)
            return true;
    return false;
}

void gp_cuts_around(const struct gp_cuts cuts[3], const uint64_t group[3], const uint64_t groups[3], uint64_t first[3],
                    uint64_t last[3])
{
    for (int d = 0; d < 3; d++) {
        first[d] = 0;
        last[d] = groups[d] - 1;
        for (uint32_t i = 0; i < cuts[d].count; i++) {
            if (cuts[d].at[i] <= group[d])
                first[d] = cuts[d].at[i];
            else if (cuts[d].at[i] <= last[d])
                last[d] = cuts[d].at[i] - 1;
        }
    }
}

/* Groups low to high - 1: one position for all between two cuts. */
static void add_stratum(struct axis *axis, const struct gp_cuts *cuts, uint64_t low, uint64_t high)
{
    for (uint32_t i = 0; i < cuts->count; i++)
        if (low < cuts->at[i] && cuts->at[i] < high) {
            add(axis, low, cuts->at[i] - low);
            low = cuts->at[i];
        }
    add(axis, low, high - low);
}

/* All n positions, where no fewer are asked for. */
static bool takes_all(struct axis *axis, uint64_t n, uint64_t count)
{
    axis->n = n;
    axis->count = 0;
    for (uint64_t i = 0; i < n && count >= n; i++)
        add(axis, i, 1);
    return count >= n;
}

/* `count` positions, at most n, and one more for each cut. One: the middle. Two: middle and last, the edge being at the
 * end more often than at the start. */
static void choose_groups(struct axis *axis, const struct gp_cuts *cuts, uint64_t n, uint64_t count)
{
    if (takes_all(axis, n, count))
        return;
    uint64_t first = count >= 3, last = count >= 2, strata = count - first - last, inside = n - first - last;
    if (first)
        add(axis, 0, 1);
    for (uint64_t i = 0; i < strata; i++) {
        uint64_t low = first + part(inside, i, strata), high = first + part(inside, i + 1, strata);
        add_stratum(axis, cuts, low, high);
    }
    if (last)
        add(axis, n - 1, 1);
}

/* `whole` times the fractional part of `number` golden ratios: spreads evenly for whatever number of turns. */
static uint64_t spread(uint64_t whole, uint64_t number)
{
    enum { BITS = 32 };
    uint32_t turn = (uint32_t)number * UINT32_C(0x9e3779b9);
    return (uint64_t)((__uint128_t)whole * turn >> BITS);
}

/* Work-items of the group along a dimension: the last group has what is left. */
static uint64_t group_size(const struct gp_launch *launch, int d, uint64_t group)
{
    uint64_t rest = launch->global[d] - group * launch->local[d];
    return rest < launch->local[d] ? rest : launch->local[d];
}

/*
 * Warps of a row of the group, where it has several long ones, as on CPUs, whose warps are a vector's work-items: a
 * guard by x leaves a part of each row, and of strata along the group all samples may lie on one side of it. 0: short
 * rows, one, or none that are whole warps.
 */
static uint64_t row_of(const struct gp_launch *launch, const uint64_t group[3], uint32_t width, uint64_t warps)
{
    const uint64_t shortest = 8;
    uint64_t size = group_size(launch, 0, group[0]), row = size / width;
    return size % width == 0 && row >= shortest && warps % row == 0 && warps > row ? row : 0;
}

/* The i-th of those between first and last: rows one after the other, places in the row spread evenly however many
 * there are. */
static void insert_in_row(struct axis *axis, uint64_t n, uint64_t row, uint64_t i, uint64_t strata, uint64_t turn)
{
    uint64_t place = part(n / row, 2 * i + 1, 2 * strata) * row + spread(row, turn * strata + i + 1),
             weight = part(n - 2, i + 1, strata) - part(n - 2, i, strata);
    place = place < 1 ? 1 : place > n - 2 ? n - 2 : place;
    uint32_t at = axis->count;
    while (at > 1 && axis->position[at - 1] > place)
        at--;
    memmove(&axis->position[at + 1], &axis->position[at], (axis->count - at) * sizeof *axis->position);
    memmove(&axis->weight[at + 1], &axis->weight[at], (axis->count - at) * sizeof *axis->weight);
    axis->position[at] = place;
    axis->weight[at] = weight;
    axis->count++;
}

/*
 * First, last, and one of each stratum between them, at a place that differs from stratum to stratum: where a row of
 * the group is not a whole number of warps, what warps do repeats every few warps, and evenly spaced ones would see but
 * one of the kinds. Two: each stands for half; a partial last warp is a third, since it is like no other. One: the
 * middle. turn: of groups of which each does other work each has another turn, from 1 on, and takes other places within
 * the strata or halves: what lies where the same few warps of all groups are would stand for all of the launch.
 */
static void choose_warps(struct axis *axis, uint64_t n, uint64_t count, bool full, uint64_t row, uint64_t turn)
{
    if (takes_all(axis, n, count))
        return;
    if (count == 1) {
        add(axis, n / 2, n);
        return;
    }
    if (count == 2) {
        uint64_t alike = full ? n : n - 1, half = alike / 2;
        add(axis, turn > 0 ? spread(alike - half, turn) : 0, alike - half);
        add(axis, turn > 0 ? alike - half + spread(half, turn) : alike - 1, half);
        if (!full)
            add(axis, n - 1, 1);
        return;
    }
    add(axis, 0, 1);
    for (uint64_t i = 0, strata = count - 2; i < strata && row > 0; i++)
        insert_in_row(axis, n, row, i, strata, turn);
    for (uint64_t i = 0, strata = count - 2; i < strata && row == 0; i++) {
        uint64_t low = 1 + part(n - 2, i, strata), size = 1 + part(n - 2, i + 1, strata) - low;
        add(axis, low + spread(size, turn * strata + i + 1), size);
    }
    add(axis, n - 1, 1);
}

/*
 * How many groups to take per dimension: grown evenly, the larger dimension first, as long as the product stays in
 * bounds. Where there are hardly more groups than that: all.
 */
static void share_groups(const uint64_t groups[3], uint64_t max, uint64_t counts[3])
{
    bool few = !max || (groups[0] <= 2 * max && groups[1] <= 2 * max && groups[2] <= 2 * max &&
                        groups[0] * groups[1] * groups[2] <= max + max / 2);
    bool grown = !few;
    for (int d = 0; d < 3; d++)
        counts[d] = few ? groups[d] : 1;
    while (grown) {
        int best = -1;
        for (int d = 0; d < 3; d++) {
            uint64_t product = counts[0] * counts[1] * counts[2] / counts[d];
            if (counts[d] >= groups[d] || product * (counts[d] + 1) > max)
                continue;
            if (best < 0 || counts[d] < counts[best] || (counts[d] == counts[best] && groups[d] > groups[best]))
                best = d;
        }
        grown = best >= 0;
        if (grown)
            counts[best]++;
    }
}

static uint64_t items_of(const struct gp_launch *launch, const uint64_t group[3])
{
    return group_size(launch, 0, group[0]) * group_size(launch, 1, group[1]) * group_size(launch, 2, group[2]);
}

static bool make_axis(struct axis *axis, uint64_t capacity)
{
    axis->position = axis->weight = NULL;
    if (capacity > SIZE_MAX / sizeof(uint64_t))
        return false;
    axis->position = malloc(capacity * sizeof *axis->position);
    axis->weight = malloc(capacity * sizeof *axis->weight);
    return axis->position && axis->weight;
}

/* Samples of a group of so many warps at most; a partial last one is beside those asked for. */
static uint64_t most_chosen(uint64_t warps, uint32_t max_warps)
{
    return max_warps && (uint64_t)max_warps + 1 < warps ? (uint64_t)max_warps + 1 : warps;
}

uint64_t gp_group_warps(const struct gp_launch *launch, const uint64_t group[3], uint32_t warp_width, bool *full)
{
    uint64_t items = items_of(launch, group);
    *full = items % warp_width == 0;
    return items / warp_width + !*full;
}

/* A stratum of one group that a cut begins or ends: the branch turns within it, or it alone goes that way. */
static bool is_turning(const struct axis *axis, const struct gp_cuts *cuts, uint32_t i)
{
    return axis->weight[i] == 1 && gp_is_cut_at(cuts, axis->position[i]);
}

/* The first of the positions that stand for most. */
static bool is_heaviest(const struct axis *axis, uint32_t at)
{
    for (uint32_t i = 0; i < axis->count; i++)
        if (axis->weight[i] > axis->weight[at] || (axis->weight[i] == axis->weight[at] && i < at))
            return false;
    return true;
}

/* Of a group where branches turn along each dimension that has cuts, every warp may do otherwise. Along the others one
 * is like the next: the one that stands for most tells. */
static bool is_alone(const struct axis axes[3], const struct gp_cuts cuts[3], const uint32_t at[3])
{
    bool alone = false;
    for (int d = 0; d < 3; d++) {
        if (cuts[d].count > 0 ? !is_turning(&axes[d], &cuts[d], at[d]) : !is_heaviest(&axes[d], at[d]))
            return false;
        alone = alone || cuts[d].count > 0;
    }
    return alone;
}

static size_t take_samples(const struct gp_launch *launch, uint32_t width, uint32_t max_warps,
                           const struct axis axes[3], const struct gp_cuts cuts[3], struct axis *warps,
                           struct gp_sample *samples)
{
    size_t count = 0;
    for (uint32_t z = 0; z < axes[2].count; z++)
        for (uint32_t y = 0; y < axes[1].count; y++)
            for (uint32_t x = 0; x < axes[0].count; x++) {
                uint64_t group[3] = {place(&axes[0], x, y + 4 * z), place(&axes[1], y, x + 2 * z),
                                     place(&axes[2], z, x + y)};
                double weight = (double)axes[0].weight[x] * (double)axes[1].weight[y] * (double)axes[2].weight[z];
                bool full;
                uint64_t n = gp_group_warps(launch, group, width, &full);
                bool alone = n <= GP_MOST_ALONE && is_alone(axes, cuts, (const uint32_t[3]){x, y, z}),
                     all = max_warps == 0 || alone;
                choose_warps(warps, n, all ? n : max_warps, full, row_of(launch, group, width, n), 0);
                for (uint32_t w = 0; w < warps->count; w++)
                    samples[count++] = (struct gp_sample){{group[0], group[1], group[2]},
                                                          (uint32_t)warps->position[w],
                                                          weight * (double)warps->weight[w],
                                                          alone};
            }
    return count;
}

size_t gp_sample_launch(const struct gp_launch *launch, uint32_t warp_width, uint32_t max_groups, uint32_t max_warps,
                        struct gp_sample **samples)
{
    static const struct gp_cuts none[3] = {{0}};
    return gp_sample_between(launch, none, warp_width, max_groups, max_warps, samples);
}

size_t gp_sample_between(const struct gp_launch *launch, const struct gp_cuts cuts[3], uint32_t warp_width,
                         uint32_t max_groups, uint32_t max_warps, struct gp_sample **samples)
{
    uint64_t groups[3], counts[3], most[3];
    struct axis axes[4];
    *samples = NULL;
    if (warp_width == 0)
        return 0;
    for (int d = 0; d < 3; d++) {
        if (launch->global[d] == 0 || launch->local[d] == 0)
            return 0;
        groups[d] = launch->global[d] / launch->local[d] + (launch->global[d] % launch->local[d] != 0);
    }
    share_groups(groups, max_groups, counts);
    for (int d = 0; d < 3; d++)
        most[d] = counts[d] + (counts[d] < groups[d] ? cuts[d].count : 0);
    uint64_t whole =
        (uint64_t)launch->local[0] * launch->local[1]; /* below 2^64; times the third dimension perhaps not */
    __uint128_t items = (__uint128_t)whole * launch->local[2];
    if (items > UINT32_MAX)
        return 0;
    uint64_t warps = (uint64_t)items / warp_width + ((uint64_t)items % warp_width != 0);
    uint64_t per_group = most_chosen(warps, max_warps),
             alone = warps < GP_MOST_ALONE ? warps : GP_MOST_ALONE; /* a partial group has fewer warps than others */
    if (cuts[0].count + cuts[1].count + cuts[2].count > 0 && per_group < alone)
        per_group = alone;
    __uint128_t total = (__uint128_t)most[0] * most[1];
    total = total > SIZE_MAX ? total : total * most[2];
    total = total > SIZE_MAX ? total : total * per_group;
    bool room =
        total <= SIZE_MAX / sizeof **samples && most[0] <= UINT32_MAX && most[1] <= UINT32_MAX && most[2] <= UINT32_MAX;
    for (int d = 0; d < 4; d++)
        room = make_axis(&axes[d], !room ? 1 : d < 3 ? most[d] : per_group) && room;
    size_t count = 0;
    if (room && (*samples = malloc((size_t)total * sizeof **samples))) {
        for (int d = 0; d < 3; d++)
            choose_groups(&axes[d], &cuts[d], groups[d], counts[d]);
        count = take_samples(launch, warp_width, max_warps, axes, cuts, &axes[3], *samples);
    }
    for (int d = 0; d < 4; d++) {
        free(axes[d].position);
        free(axes[d].weight);
    }
    return count;
}

/* ---- Places in the range ------------------------------------------------------------------------------------- */

/*
 * Additive recurrences by powers of the number that solves x^(d+1) = x + 1 for d dimensions, which fill a square or
 * cube evenly however many there are (Roberts, "The unreasonable effectiveness of quasirandom sequences", 2018); times
 * 2^64.
 */
static const uint64_t steps[3][3] = {
    {UINT64_C(0x9e3779b97f4a7c15)},
    {UINT64_C(0xc13fa9a902a6328f), UINT64_C(0x91e10da5c79e7b1d)},
    {UINT64_C(0xd1b54a32d192ed03), UINT64_C(0xabc98388fb8fac03), UINT64_C(0x8cb92ba72f3d8dd7)}};

void gp_sample_point(const struct gp_launch *launch, uint32_t number, uint64_t group[3])
{
    int used = 0, dims = 0;
    for (int d = 0; d < 3; d++)
        dims += launch->global[d] > launch->local[d];
    for (int d = 0; d < 3; d++) {
        bool wide = launch->global[d] > launch->local[d];
        uint64_t place = wide ? UINT64_C(1) << 63 : 0;
        if (wide)
            place += steps[dims - 1][used++] * ((uint64_t)number + 1);
        group[d] = (uint64_t)((__uint128_t)place * launch->global[d] >> 64) / launch->local[d];
    }
}

struct place {
    uint64_t group[3];
    uint32_t count;
};

static int by_group(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    for (int d = 2; d >= 0; d--)
        if (x->group[d] != y->group[d])
            return x->group[d] < y->group[d] ? -1 : 1;
    return 0;
}

/* Places in the order of their groups, each group once; `all`: there are no more groups than points. */
static uint32_t find_places(const struct gp_launch *launch, const uint64_t groups[3], bool all, uint32_t points,
                            struct place *places)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < points; i++) {
        if (all)
            memcpy(places[i].group,
                   (const uint64_t[3]){i % groups[0], i / groups[0] % groups[1], i / groups[0] / groups[1]},
                   sizeof places[i].group);
        else
            gp_sample_point(launch, i, places[i].group);
        places[i].count = 1;
    }
    qsort(places, points, sizeof *places, by_group);
    for (uint32_t i = 0; i < points; i++)
        if (count > 0 && by_group(&places[count - 1], &places[i]) == 0)
            places[count - 1].count++;
        else
            places[count++] = places[i];
    return count;
}

size_t gp_sample_points(const struct gp_launch *launch, uint32_t warp_width, uint32_t points, uint32_t max_warps,
                        struct gp_sample **samples)
{
    uint64_t groups[3], whole = (gp_launch_group_items(launch) + warp_width - 1) / warp_width,
                        per_group = most_chosen(whole, max_warps);
    uint64_t number = gp_launch_groups(launch, groups);
    double all = (double)number * (double)whole;
    bool each = number <= points;
    points = each ? (uint32_t)number : points;
    struct place *places = malloc(points * sizeof *places);
    struct axis warps;
    size_t count = 0;
    bool room = make_axis(&warps, per_group) && places != NULL;
    *samples = room ? malloc(points * (size_t)per_group * sizeof **samples) : NULL;
    uint32_t found = *samples != NULL ? find_places(launch, groups, each, points, places) : 0;
    for (uint32_t i = 0; i < found; i++) {
        const struct place *place = &places[i];
        uint64_t items = items_of(launch, place->group), n = items / warp_width + (items % warp_width != 0);
        choose_warps(&warps, n, max_warps ? max_warps : n, items % warp_width == 0,
                     row_of(launch, place->group, warp_width, n), i + 1);
        for (uint32_t w = 0; w < warps.count; w++)
            (*samples)[count++] = (struct gp_sample){{place->group[0], place->group[1], place->group[2]},
                                                     (uint32_t)warps.position[w],
                                                     all / points * place->count * (double)warps.weight[w] / (double)n,
                                                     false};
    }
    free(warps.position);
    free(warps.weight);
    free(places);
    return count;
}

uint32_t gp_sample_groups(const struct gp_launch *launch, uint32_t warp_width)
{
    enum { LEAST = 9, MOST = 48, WARPS = 48 };
    double items = (double)gp_launch_group_items(launch);
    double groups = items > 0 && warp_width > 0 ? WARPS / ceil(items / warp_width) : LEAST;
    return groups < LEAST ? LEAST : groups > MOST ? MOST : (uint32_t)groups;
}
