/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A hash set of (symbol, number) with the caller's data: what reuse.h (lines) and unit_set.h (words and lines, 64 to an
 * entry) are made of. Entries lie side by side in the order in which they were made, so that only as much memory is
 * touched as there are; open addressing finds them by small slots. Clearing costs nothing, since slots of an earlier
 * generation are empty.
 */
#ifndef GPUPERF_MODEL_KEYED_SET_H
#define GPUPERF_MODEL_KEYED_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The first member of each entry. */
struct gp_key {
    uint64_t number;
    uint32_t symbol;
};

struct gp_keyed_set {
    void *entries;     /* `used` of them; room for half as many as there are slots */
    uint32_t *slots;   /* the place of an entry, and the mark of the generation that it is of; 0: none yet */
    uint32_t capacity; /* slots: a power of two */
    uint32_t used;
    uint32_t generation;
};

enum { GP_KEYED_SET_BITS = 20 };

/* Allocates nothing yet: a set that is never used costs nothing. */
void gp_keyed_set_init(struct gp_keyed_set *set);
void gp_keyed_set_free(struct gp_keyed_set *set);
void gp_keyed_set_clear(struct gp_keyed_set *set);
/* Half of the most slots there may be are used: it takes no more. */
bool gp_keyed_set_is_full(const struct gp_keyed_set *set);
/* More slots, `first` of them at first; false without memory or where it is full. size: of an entry, in all of these.
 */
bool gp_keyed_set_grow(struct gp_keyed_set *set, size_t size, uint32_t first);

static inline struct gp_key *gp_keyed_set_at(const struct gp_keyed_set *set, size_t size, uint32_t place)
{
    return (struct gp_key *)((char *)set->entries + place * size);
}

/* As much of the generation as goes beside a place; never 0. */
static inline uint32_t gp_keyed_set_mark(const struct gp_keyed_set *set)
{
    return set->generation << GP_KEYED_SET_BITS;
}

static inline uint32_t gp_keyed_set_slot(const struct gp_keyed_set *set, uint32_t symbol, uint64_t number)
{
    uint64_t hash = (number + 0x9e3779b97f4a7c15u * (symbol + 1u)) * 0xbf58476d1ce4e5b9u;
    return (uint32_t)(hash >> 32) & (set->capacity - 1);
}

/* Says that the key will be asked for: large sets lie in no cache, and several keys are fetched side by side. */
static inline void gp_keyed_set_expect(const struct gp_keyed_set *set, uint32_t symbol, uint64_t number)
{
    if (set->capacity > 0)
        __builtin_prefetch(&set->slots[gp_keyed_set_slot(set, symbol, number)], 1);
}

/* The entry of the key, or NULL; *empty: the slot where it would stand. The set has slots. */
static inline struct gp_key *gp_keyed_set_probe(const struct gp_keyed_set *set, size_t size, uint32_t symbol,
                                                uint64_t number, uint32_t **empty)
{
    uint32_t mark = gp_keyed_set_mark(set);
    for (uint32_t slot = gp_keyed_set_slot(set, symbol, number);; slot = (slot + 1) & (set->capacity - 1)) {
        uint32_t place = set->slots[slot] ^ mark;
        if (place >> GP_KEYED_SET_BITS != 0) {
            *empty = &set->slots[slot];
            return NULL;
        }
        struct gp_key *entry = gp_keyed_set_at(set, size, place);
        if (entry->number == number && entry->symbol == symbol)
            return entry;
    }
}

/* NULL: it is not there. */
static inline struct gp_key *gp_keyed_set_find(const struct gp_keyed_set *set, size_t size, uint32_t symbol,
                                               uint64_t number)
{
    uint32_t *empty;
    return set->capacity > 0 ? gp_keyed_set_probe(set, size, symbol, number, &empty) : NULL;
}

/* The entry of the key; *fresh: it was not there, and what is behind its key is the caller's to set. NULL: as where
 * gp_keyed_set_grow() is false. Valid until others are made. */
static inline struct gp_key *gp_keyed_set_enter(struct gp_keyed_set *set, size_t size, uint32_t first, uint32_t symbol,
                                                uint64_t number, bool *fresh)
{
    uint32_t *empty;
    if (set->used * 2 >= set->capacity && !gp_keyed_set_grow(set, size, first))
        return NULL;
    struct gp_key *entry = gp_keyed_set_probe(set, size, symbol, number, &empty);
    *fresh = entry == NULL;
    if (*fresh) {
        *empty = gp_keyed_set_mark(set) | set->used;
        entry = gp_keyed_set_at(set, size, set->used++);
        *entry = (struct gp_key){number, symbol};
    }
    return entry;
}

#endif
