/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A hash table from 128-bit keys to pointers. Not locked: its owner locks. */
#ifndef GPUPERF_RUNTIME_MAP_H
#define GPUPERF_RUNTIME_MAP_H

#include <stdbool.h>
#include <stddef.h>

#include "runtime/hash.h"

struct gp_map_entry;

struct gp_map {
    struct gp_map_entry **buckets;
    size_t bucket_count; /* a power of two, or 0 while empty */
    size_t count;
};

/* NULL when the key is not there. */
void *gp_map_get(const struct gp_map *map, struct gp_hash key);

/* Adds or replaces; returns what was replaced. *failed (may be NULL): out of memory, the table is unchanged. */
void *gp_map_put(struct gp_map *map, struct gp_hash key, void *value, bool *failed);

/* What is there, or `size` bytes of zeros that are put there; NULL: out of memory, the table is unchanged. */
void *gp_map_made(struct gp_map *map, struct gp_hash key, size_t size);

/* Removes and returns what was there; NULL: nothing. */
void *gp_map_remove(struct gp_map *map, struct gp_hash key);

/* Calls `each` for each value. */
void gp_map_each(const struct gp_map *map, void (*each)(void *context, void *value), void *context);

/* Removes the values for which `unwanted` says true, and calls `release` for each of them. */
void gp_map_sift(struct gp_map *map, bool (*unwanted)(const void *value), void (*release)(void *value));

/* Calls `release` (may be NULL) for each value and empties the table. */
void gp_map_clear(struct gp_map *map, void (*release)(void *value));

/* The key of a handle. */
static inline struct gp_hash gp_handle_key(const void *handle)
{
    return (struct gp_hash){{(uint64_t)(uintptr_t)handle, 0}};
}

static inline bool gp_hash_equal(struct gp_hash a, struct gp_hash b)
{
    return a.word[0] == b.word[0] && a.word[1] == b.word[1];
}

#endif
