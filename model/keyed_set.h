/*
 * A hash set of (symbol, number) with the caller's data: what reuse.h (lines) and unit_set.h (words and lines, 64 to an entry) are made of. Open addressing;
 * clearing costs nothing, since entries of an earlier generation are empty slots.
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
    uint32_t generation;
};

struct gp_keyed_set {
    void *entries;
    uint32_t capacity;    /* a power of two */
    uint32_t used;
    uint32_t generation;
};

/* Allocates nothing yet: a set that is never used costs nothing. */
void gp_keyed_set_init(struct gp_keyed_set *set);
void gp_keyed_set_free(struct gp_keyed_set *set);
/* size: of an entry, in all of these. */
void gp_keyed_set_clear(struct gp_keyed_set *set, size_t size);
/* Half of the most slots there may be are used: it takes no more. */
bool gp_keyed_set_is_full(const struct gp_keyed_set *set);
/* More slots, `first` of them at first; false without memory or where it is full. */
bool gp_keyed_set_grow(struct gp_keyed_set *set, size_t size, uint32_t first);

/* Room for one more entry, or false as gp_keyed_set_grow. */
static inline bool gp_keyed_set_reserve(struct gp_keyed_set *set, size_t size, uint32_t first)
{
    return set->used * 2 < set->capacity || gp_keyed_set_grow(set, size, first);
}

static inline bool gp_keyed_set_holds(const struct gp_keyed_set *set, const struct gp_key *entry) { return entry->generation == set->generation; }

static inline uint32_t gp_keyed_set_slot(const struct gp_keyed_set *set, uint32_t symbol, uint64_t number)
{
    uint64_t hash = (number + 0x9e3779b97f4a7c15u * (symbol + 1u)) * 0xbf58476d1ce4e5b9u;
    return (uint32_t)(hash >> 32) & (set->capacity - 1);
}

/* Says that the key will be asked for: large sets lie in no cache, and several keys are fetched side by side. */
static inline void gp_keyed_set_expect(const struct gp_keyed_set *set, size_t size, uint32_t symbol, uint64_t number)
{
    if (set->capacity > 0)
        __builtin_prefetch((const char *)set->entries + gp_keyed_set_slot(set, symbol, number) * size, 1);
}

/* The entry of the key, or the empty slot where it would stand. The set has slots. */
static inline struct gp_key *gp_keyed_set_probe(const struct gp_keyed_set *set, size_t size, uint32_t symbol, uint64_t number)
{
    for (uint32_t slot = gp_keyed_set_slot(set, symbol, number);; slot = (slot + 1) & (set->capacity - 1)) {
        struct gp_key *entry = (struct gp_key *)((char *)set->entries + slot * size);
        if (!gp_keyed_set_holds(set, entry) || (entry->number == number && entry->symbol == symbol))
            return entry;
    }
}

/* NULL: it is not there. */
static inline struct gp_key *gp_keyed_set_find(const struct gp_keyed_set *set, size_t size, uint32_t symbol, uint64_t number)
{
    struct gp_key *entry = set->capacity > 0 ? gp_keyed_set_probe(set, size, symbol, number) : NULL;
    return entry != NULL && gp_keyed_set_holds(set, entry) ? entry : NULL;
}

#endif
