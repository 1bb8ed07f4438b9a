/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * How far apart the lanes of a warp are: what a vector of numbers (addresses, indices) is beside the number of its
 * first lane. Interned: equal distances are one object. From one execution of an instruction to the next, from warp to
 * warp and from group to group all lanes mostly move together, so that what depends on distances alone is worked out
 * once.
 */
#ifndef GPUPERF_MODEL_DISTANCES_H
#define GPUPERF_MODEL_DISTANCES_H

#include <stdbool.h>
#include <stdint.h>

#include "model/profile/profile.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gp_distances {
    uint64_t id; /* no other distances ever have it */
    uint64_t hash;
    int64_t low, high; /* the least and the greatest of lane[] */
    uint32_t place;    /* in the table */
    uint32_t lanes;    /* of the table */
    bool held;         /* gp_distances_hold() */
    uint64_t lane[];   /* [lanes] from lane 0, modulo 2^64 */
};

struct gp_distance_table {
    uint32_t lanes; /* a multiple of 4 */
    struct gp_distances **all;
    uint32_t count, capacity;
    uint32_t *index;
    uint32_t slots; /* hash table: number in `all` + 1, 0 is empty; a power of two */
    uint32_t crowded_at;
    uint64_t last_id;
    const struct gp_distances *none; /* all lanes at one number */
};

/* An empty table for so many lanes; what one had held before is forgotten. Zeroed memory is a table, too, of no
 * lanes. */
void gp_distances_start(struct gp_distance_table *table, uint32_t lanes);
void gp_distances_free(struct gp_distance_table *table);

/* The distances between the numbers of the table's lanes. Valid until gp_distances_sweep(). */
const struct gp_distances *gp_distances_of(struct gp_distance_table *table, const uint64_t *numbers);

static inline bool gp_distances_are(const struct gp_distances *distances, const uint64_t *numbers)
{
    uint64_t differs = 0;
    for (uint32_t i = 0; i < distances->lanes; i += 4) /* as in gp_distances_spread() */
        for (uint32_t j = i; j < i + 4; j++)
            differs |= (numbers[j] - numbers[0]) ^ distances->lane[j];
    return differs == 0;
}

/* There are many: time to hold those that are in use and to sweep away the others. */
static inline bool gp_distances_crowded(const struct gp_distance_table *table)
{
    return table->count >= table->crowded_at;
}
void gp_distances_hold(struct gp_distance_table *table, const struct gp_distances *distances);
void gp_distances_sweep(struct gp_distance_table *table);

/* numbers[lanes]: those of lanes so far from the first one's number. */
static inline void gp_distances_spread(const struct gp_distances *distances, uint64_t first, uint64_t *numbers)
{
    for (uint32_t i = 0; i < distances->lanes; i += 4) /* four at a time, so that compilers vectorise it */
        for (uint32_t j = i; j < i + 4; j++)
            numbers[j] = first + distances->lane[j];
}

#ifdef __cplusplus
}
#endif
#endif
