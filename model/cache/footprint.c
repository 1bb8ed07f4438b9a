/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/cache/footprint.h"

#include <stdlib.h>
#include <string.h>

#include "support/memo.h"

enum { FEW_ENTRIES = 32, MOST_ENTRIES = 1024, UNITS_PER_LANE = 16, MOST_UNITS = GP_MAX_LANES * UNITS_PER_LANE };

/* What a footprint depends on beside the address of the first active lane. */
struct key {
    uint64_t distances; /* 0: empty */
    gp_mask active;
    uint64_t place; /* of the first active lane, in its unit */
    uint32_t bytes; /* of a unit */
    uint32_t width;
};

/* Units and offsets are those from the first active lane's. */
struct entry {
    struct key key;
    uint32_t symbol; /* that all runs have at present */
    struct gp_run *runs;
    uint8_t *lanes;
    uint32_t count, stretches;
    int64_t lowest, highest;
};

struct gp_footprints {
    struct entry *entries;          /* by the keys' hashes */
    uint32_t count, clashes;        /* of entries, a power of two; how often one made way for another since */
    struct gp_run runs[MOST_UNITS]; /* of the footprint at hand */
    uint8_t lanes[MOST_UNITS];
    uint8_t same_lane[UNITS_PER_LANE]; /* the lane that stood for all last, so many times */
};

struct gp_footprints *gp_footprints_new(void)
{
    struct gp_footprints *footprints = malloc(sizeof *footprints);
    struct entry *entries = calloc(FEW_ENTRIES, sizeof *entries);
    footprints->entries = entries;
    footprints->count = FEW_ENTRIES;
    footprints->clashes = 0;
    memset(footprints->same_lane, 0, sizeof footprints->same_lane);
    return footprints;
}

static void free_entries(struct gp_footprints *footprints)
{
    for (uint32_t i = 0; i < footprints->count; i++)
        free(footprints->entries[i].runs); /* and the lanes behind them */
    free(footprints->entries);
}

void gp_footprints_free(struct gp_footprints *footprints)
{
    if (footprints != NULL)
        free_entries(footprints);
    free(footprints);
}

static void grow(struct gp_footprints *footprints)
{
    struct entry *entries = gp_memo_more(footprints->count, MOST_ENTRIES, &footprints->clashes, sizeof *entries);
    if (entries == NULL)
        return;
    free_entries(footprints);
    footprints->entries = entries;
    footprints->count *= GP_MEMO_GROWTH;
}

/* ---- Lane by lane ---------------------------------------------------------------------------------------------- */

/* A footprint in the making: where the lane before was, and how many units there are. */
struct walk {
    struct gp_footprint f;
    struct gp_run *runs;
    uint8_t *lanes;
    uint32_t symbol, units;
    uint64_t number;
};

static void add_unit(struct walk *w, unsigned lane, uint32_t symbol, uint64_t number)
{
    bool same = w->symbol == symbol, next = same && number == w->number + 1;
    if (same && number == w->number)
        return;
    w->f.stretches += !next && !(same && number + 1 == w->number);
    w->symbol = symbol;
    w->number = number;
    w->lanes[w->units++] = (uint8_t)lane;
    if (next)
        w->runs[w->f.count - 1].count++;
    else
        w->runs[w->f.count++] = (struct gp_run){number, 1, symbol};
}

static struct walk walk(struct gp_footprints *footprints, const struct gp_access *access, int64_t by,
                        struct gp_unit unit, uint32_t width)
{
    struct walk w = {
        .f = {.runs = footprints->runs, .lanes = footprints->lanes, .lowest = INT64_MAX, .highest = INT64_MIN},
        .runs = footprints->runs,
        .lanes = footprints->lanes,
        .symbol = GP_SYMBOL_UNKNOWN};
    for (gp_mask rest = access->active; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(rest);
        uint32_t symbol = access->symbol[lane];
        if (symbol == GP_SYMBOL_UNKNOWN)
            continue;
        uint64_t offset = gp_access_offset(access, lane) + (uint64_t)by;
        w.f.lowest = (int64_t)offset < w.f.lowest ? (int64_t)offset : w.f.lowest;
        w.f.highest = (int64_t)offset > w.f.highest ? (int64_t)offset : w.f.highest;
        uint64_t from = gp_unit_of(unit, offset), to = width > 1 ? gp_unit_of(unit, offset + width - 1) : from;
        for (uint64_t number = from; number <= to && number - from < UNITS_PER_LANE; number++)
            add_unit(&w, lane, symbol, number);
    }
    return w;
}

/* Of one lane, which stands for all. */
static struct gp_footprint step(struct gp_footprints *footprints, unsigned lane, uint32_t symbol, uint64_t offset,
                                struct gp_unit unit, uint32_t width)
{
    uint64_t from = gp_unit_of(unit, offset), to = width > 1 ? gp_unit_of(unit, offset + width - 1) : from;
    uint32_t count = to < from ? 0 : to - from < UNITS_PER_LANE ? (uint32_t)(to - from) + 1 : UNITS_PER_LANE;
    footprints->runs[0] = (struct gp_run){from, count, symbol};
    if (footprints->same_lane[0] != lane)
        memset(footprints->same_lane, (int)lane, sizeof footprints->same_lane);
    return (struct gp_footprint){footprints->runs, footprints->same_lane, count > 0, count > 0, 0,
                                 (int64_t)offset,  (int64_t)offset};
}

/* ---- Remembered ------------------------------------------------------------------------------------------------ */

static struct entry *entry_of(struct gp_footprints *footprints, const struct key *key)
{
    const uint64_t factor = UINT64_C(0x9e3779b97f4a7c15);
    uint64_t hash = (key->distances ^ key->active * factor) * factor +
                    ((uint64_t)key->bytes << 24 ^ (uint64_t)key->width << 16 ^ key->place);
    return &footprints->entries[(hash * factor >> 32) & (footprints->count - 1)];
}

static bool is_equal(const struct key *a, const struct key *b)
{
    return a->distances == b->distances && a->active == b->active && a->place == b->place && a->bytes == b->bytes &&
           a->width == b->width;
}

/* Units of offsets below a symbol's start and of those above it are no neighbours: all lanes must be on one side. */
static bool is_on_one_side(const struct gp_distances *d, int64_t first, uint32_t width)
{
    const int64_t far = INT64_MAX / 4;
    if (first > far || first < -far || d->low < -far || d->high > far)
        return false;
    return first + d->low >= 0 || first + d->high + (int64_t)width < 0;
}

static void set_symbol(struct entry *entry, uint32_t symbol)
{
    for (uint32_t i = 0; i < entry->count; i++)
        entry->runs[i].symbol = symbol;
    entry->symbol = symbol;
}

static struct gp_footprint footprint_from(const struct entry *entry, uint64_t from, int64_t offset)
{
    return (struct gp_footprint){entry->runs, entry->lanes,           entry->count,           entry->stretches,
                                 from,        offset + entry->lowest, offset + entry->highest};
}

static bool keep(struct entry *entry, const struct key *key, const struct walk *w, uint64_t from, int64_t offset)
{
    struct gp_run *runs = realloc(entry->runs, w->f.count * sizeof *runs + w->units);
    if (runs == NULL)
        return false;
    *entry = (struct entry){*key,
                            w->runs[0].symbol,
                            runs,
                            (uint8_t *)(runs + w->f.count),
                            w->f.count,
                            w->f.stretches,
                            w->f.lowest - offset,
                            w->f.highest - offset};
    for (uint32_t i = 0; i < w->f.count; i++)
        runs[i] = (struct gp_run){w->runs[i].first - from, w->runs[i].count, entry->symbol};
    memcpy(entry->lanes, w->lanes, w->units);
    return true;
}

/* Not remembered: lane by lane, and remembered from now on. */
static struct gp_footprint look(struct gp_footprints *footprints, const struct key *key, const struct gp_access *access,
                                int64_t by, struct gp_unit unit)
{
    unsigned first = (unsigned)__builtin_ctzll(access->active);
    uint64_t offset = access->offset[first] + (uint64_t)by, from = gp_unit_of(unit, offset);
    grow(footprints);
    struct entry *entry = entry_of(footprints, key);
    footprints->clashes += entry->key.distances != 0;
    struct walk w = walk(footprints, access, by, unit, key->width);
    return keep(entry, key, &w, from, (int64_t)offset) ? footprint_from(entry, from, (int64_t)offset) : w.f;
}

struct gp_footprint gp_footprint_beside(struct gp_footprints *footprints, const struct gp_access *access, int64_t by,
                                        struct gp_unit unit, uint32_t width)
{
    unsigned first = (unsigned)__builtin_ctzll(access->active);
    uint32_t symbol = access->symbol[first];
    if (access->one_symbol && symbol == GP_SYMBOL_UNKNOWN)
        return (struct gp_footprint){.lowest = INT64_MAX, .highest = INT64_MIN};
    uint64_t offset = access->offset[first] + (uint64_t)by, from = gp_unit_of(unit, offset);
    if (access->uniform)
        return step(footprints, first, symbol, offset, unit, width);
    if (access->distances == NULL || !access->one_symbol ||
        !is_on_one_side(access->distances, (int64_t)(access->offset[0] + (uint64_t)by), width))
        return walk(footprints, access, by, unit, width).f;
    struct key key = {access->distances->id, access->active, offset - from * unit.bytes, unit.bytes, width};
    struct entry *entry = entry_of(footprints, &key);
    if (!is_equal(&entry->key, &key))
        return look(footprints, &key, access, by, unit);
    if (entry->symbol != symbol)
        set_symbol(entry, symbol);
    return footprint_from(entry, from, (int64_t)offset);
}

struct gp_footprint gp_footprint_of(struct gp_footprints *footprints, const struct gp_access *access,
                                    struct gp_unit unit, uint32_t width)
{
    return gp_footprint_beside(footprints, access, 0, unit, width);
}
