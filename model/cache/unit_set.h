/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Which units of memory (words, lines) were met: a set of (symbol, number), 64 neighbouring numbers to an entry, so
 * that runs of neighbours are added and looked up at once.
 */
#ifndef GPUPERF_MODEL_UNIT_SET_H
#define GPUPERF_MODEL_UNIT_SET_H

#include "model/cache/keyed_set.h"

enum { GP_UNITS = 64, GP_UNIT_SET_CAPACITY = 64 /* at first */ };

struct gp_units {
    struct gp_key key; /* number: of the 64, from the symbol's start */
    uint64_t present;  /* a bit for each of them */
};

struct gp_unit_set {
    struct gp_keyed_set units;
}; /* of struct gp_units */

static inline void gp_unit_set_init(struct gp_unit_set *set) { gp_keyed_set_init(&set->units); }
static inline void gp_unit_set_free(struct gp_unit_set *set) { gp_keyed_set_free(&set->units); }
static inline void gp_unit_set_clear(struct gp_unit_set *set) { gp_keyed_set_clear(&set->units); }

/* The units that `number` is one of, made where there are none yet; NULL: without memory, or with 2^20 entries. Valid
 * until others are made. */
static inline struct gp_units *gp_unit_set_enter(struct gp_unit_set *set, uint32_t symbol, uint64_t number)
{
    bool fresh;
    struct gp_units *entry = (struct gp_units *)gp_keyed_set_enter(&set->units, sizeof *entry, GP_UNIT_SET_CAPACITY,
                                                                   symbol, number / GP_UNITS, &fresh);
    if (entry != NULL && fresh)
        entry->present = 0;
    return entry;
}

/* NULL: none of them is there. */
static inline const struct gp_units *gp_unit_set_find(const struct gp_unit_set *set, uint32_t symbol, uint64_t number)
{
    return (const struct gp_units *)gp_keyed_set_find(&set->units, sizeof(struct gp_units), symbol, number / GP_UNITS);
}

/* A bit for each of so many of 64, at least one, from the first on. */
static inline uint64_t gp_units_from(uint32_t first, uint32_t count)
{
    return UINT64_MAX >> (GP_UNITS - count) << first;
}

/*
 * Adds number, number + 1 ... up to `count` of them, but none beyond a multiple of 64, to the entry that number is in;
 * *added: how many it looked at. Returns, of these, a bit for each that was not there: all, where entry is NULL. */
static inline uint64_t gp_units_add(struct gp_units *entry, uint64_t number, uint32_t count, uint32_t *added)
{
    uint32_t first = (uint32_t)(number % GP_UNITS), most = GP_UNITS - first;
    *added = count < most ? count : most;
    uint64_t wanted = gp_units_from(first, *added), there = entry != NULL ? entry->present : 0;
    if (entry != NULL)
        entry->present |= wanted;
    return (wanted & ~there) >> first;
}

/* The same in one step. Without memory, or with 2^20 entries, it adds nothing and calls all of them fresh. */
static inline void gp_unit_set_add(struct gp_unit_set *set, uint32_t symbol, uint64_t number, uint32_t count,
                                   uint32_t *added, uint64_t *fresh)
{
    *fresh = gp_units_add(gp_unit_set_enter(set, symbol, number), number, count, added);
}

static inline bool gp_unit_set_has(const struct gp_unit_set *set, uint32_t symbol, uint64_t number)
{
    const struct gp_units *entry = gp_unit_set_find(set, symbol, number);
    return entry != NULL && entry->present >> number % GP_UNITS & 1;
}

#endif
