/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * At which distances groups touch what the group does, beside the next one: rows y - 16, y, y + 16 of groups of eight
 * rows are shared with the second next. The group's words and how far its neighbour moved from it tell
 * (group_overlap.h): of words that lie whole advances apart each gap is a distance. Where iterations were left out,
 * words between those seen may have been touched, too: such buffers tell nothing.
 */
#include "model/observe/collect_internal.h"
#include "support/saturate.h"

#include <stdlib.h>
#include <string.h>

/* Of the words that are compared a part has to do: all of some chains. */
enum { MOST_WORDS = 4096, MOST_ADVANCES = 8, MOST_GAPS = 64 };

void gp_collector_begin(struct began *began, const struct gp_access *access)
{
    unsigned first = (unsigned)__builtin_ctzll(access->active);
    if (!began->known)
        *began = (struct began){true, access->symbol[first], access->offset[first]};
}

/* By how many bytes, a multiple of a word, groups move in what belongs to a symbol. */
struct advance {
    uint32_t symbol;
    int64_t by;
};

static bool is_seen_whole(const struct gp_collector *c, uint32_t symbol)
{
    for (uint32_t m = 0; m < c->kernel->memory_count; m++)
        if (c->near.began[m].known && c->near.began[m].symbol == symbol && c->survey.surveyed[m].between)
            return false;
    return true;
}

static uint32_t advances(const struct gp_collector *c, struct advance of[MOST_ADVANCES])
{
    uint32_t count = 0;
    for (uint32_t m = 0; m < c->kernel->memory_count && count < MOST_ADVANCES; m++) {
        const struct began *group = &c->near.began[m], *next = &c->near.next_began[m];
        struct advance a = {group->symbol, (int64_t)gp_began_apart(group, next)};
        if (a.by <= 0 || a.by % gp_word.bytes != 0 || !is_seen_whole(c, a.symbol))
            continue;
        uint32_t i = 0;
        while (i < count && (of[i].symbol != a.symbol || of[i].by != a.by))
            i++;
        of[i] = a;
        count += i == count;
    }
    return count;
}

/* A word of a chain, and how many advances on it lies, in so many low bits. */
static uint64_t place_of(int64_t chain, int64_t at, int bits)
{
    return (uint64_t)chain / gp_word.bytes << bits | (uint64_t)at;
}

/* In ascending order, a byte at a time from the lowest on; `most`: the largest. The room takes as many. */
static void sort(uint64_t **places, uint64_t **room, size_t count, uint64_t most)
{
    for (int byte = 0; byte < 8 && most >> 8 * byte != 0; byte++) {
        size_t before[257] = {0};
        uint64_t *from = *places, *to = *room;
        for (size_t i = 0; i < count; i++)
            before[(from[i] >> 8 * byte & 255) + 1]++;
        for (int digit = 1; digit < 256; digit++)
            before[digit] += before[digit - 1];
        for (size_t i = 0; i < count; i++)
            to[before[from[i] >> 8 * byte & 255]++] = from[i];
        *places = to;
        *room = from;
    }
}

/* Words of a symbol: how many, and where the first and the last begin, in bytes. */
struct extent {
    uint64_t words;
    int64_t low, high;
};

static int64_t offset_of(const struct gp_units *units, unsigned bit)
{
    return (int64_t)((units->key.number * GP_UNITS + bit) * gp_word.bytes);
}

static struct extent extent_of(const struct gp_unit_set *words, uint32_t symbol)
{
    struct extent e = {0, INT64_MAX, INT64_MIN};
    const struct gp_units *units = words->units.entries;
    for (uint32_t i = 0; i < words->units.used; i++) {
        if (units[i].key.symbol != symbol || units[i].present == 0)
            continue;
        int64_t low = offset_of(&units[i], (unsigned)__builtin_ctzll(units[i].present)),
                high = offset_of(&units[i], 63 - (unsigned)__builtin_clzll(units[i].present));
        e.words += gp_lanes_in(units[i].present);
        e.low = low < e.low ? low : e.low;
        e.high = high > e.high ? high : e.high;
    }
    return e;
}

/* One of so many chains, chosen by lot: words of a warp are often a power of two apart. */
static bool is_chosen(int64_t chain, uint64_t of)
{
    return of <= 1 || ((uint64_t)chain * UINT64_C(0x9e3779b97f4a7c15) >> 32) % of == 0;
}

static size_t places(const struct gp_unit_set *words, const struct advance *a, const struct extent *e, int bits,
                     uint64_t of[MOST_WORDS])
{
    size_t count = 0;
    const struct gp_units *units = words->units.entries;
    for (uint32_t i = 0; i < words->units.used; i++)
        for (uint64_t rest = units[i].key.symbol == a->symbol ? units[i].present : 0; rest && count < MOST_WORDS;
             rest &= rest - 1) {
            int64_t beyond = offset_of(&units[i], (unsigned)__builtin_ctzll(rest)) - e->low;
            if (is_chosen(beyond % a->by, e->words / (MOST_WORDS / 2)))
                of[count++] = place_of(beyond % a->by, beyond / a->by, bits);
        }
    return count;
}

/* Gaps that were met, and the share of all words that they follow; more than one group, fewer than there are. */
struct gaps {
    int64_t most;
    uint32_t count;
    struct gap {
        double distance, share;
    } of[MOST_GAPS];
};

static void add_gap(struct gaps *gaps, int64_t gap, double share)
{
    uint32_t i = 0;
    if (gap < 2 || gap > gaps->most)
        return;
    while (i < gaps->count && gaps->of[i].distance != (double)gap)
        i++;
    if (i == MOST_GAPS)
        return;
    if (i == gaps->count)
        gaps->of[gaps->count++] = (struct gap){(double)gap, 0};
    gaps->of[i].share += share;
}

static void see_gaps(const struct gp_collector *c, const struct advance *a, uint64_t room[2 * MOST_WORDS],
                     struct gaps *gaps)
{
    struct extent e = extent_of(&c->near.words, a->symbol);
    int64_t extent = gp_subtract(e.high, e.low);
    if (e.words == 0 || extent == INT64_MAX ||
        extent / 2 < a->by) /* nothing is two groups apart, or nobody can say how far it is */
        return;
    int bits = 64 - __builtin_clzll((uint64_t)(extent / a->by));
    uint64_t *of = room, *rest = room + MOST_WORDS;
    size_t count = places(&c->near.words, a, &e, bits, of);
    sort(&of, &rest, count, place_of(a->by, 0, bits));
    for (size_t i = 1; i < count; i++)
        if (of[i] >> bits == of[i - 1] >> bits)
            add_gap(gaps, (int64_t)(of[i] - of[i - 1]), 1 / (double)count);
}

static int by_share(const void *a, const void *b)
{
    const struct gap *x = a, *y = b;
    return x->share != y->share ? (x->share < y->share) - (x->share > y->share)
                                : (x->distance > y->distance) - (x->distance < y->distance);
}

static int by_distance(const void *a, const void *b)
{
    const struct gap *x = a, *y = b;
    return (x->distance > y->distance) - (x->distance < y->distance);
}

void gp_collector_find_further(const struct gp_collector *c, uint64_t most, double distances[GP_MOST_FURTHER])
{
    const double worth_it = 0.02;
    struct advance of[MOST_ADVANCES];
    uint32_t count = advances(c, of), kept = 0;
    struct gaps gaps = {.most = (int64_t)most};
    uint64_t *room = count > 0 ? malloc(2 * MOST_WORDS * sizeof *room) : NULL;
    for (uint32_t i = 0; i < count; i++)
        see_gaps(c, &of[i], room, &gaps);
    free(room);
    qsort(gaps.of, gaps.count, sizeof *gaps.of, by_share);
    while (kept < gaps.count && kept < GP_MOST_FURTHER && gaps.of[kept].share >= worth_it)
        kept++;
    qsort(gaps.of, kept, sizeof *gaps.of, by_distance);
    for (uint32_t i = 0; i < GP_MOST_FURTHER; i++)
        distances[i] = i < kept ? gaps.of[i].distance : 0;
}
