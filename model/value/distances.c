/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/value/distances.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_SLOTS = 64, CROWDED = 1024 };

static uint64_t hash_of(const uint64_t *numbers, uint32_t lanes)
{
    const uint64_t factor = UINT64_C(0x9e3779b97f4a7c15);
    uint64_t part[4] = {1, 2, 3, 4}; /* side by side, so that none waits for another's product */
    for (uint32_t i = 0; i < lanes; i += 4)
        for (uint32_t k = 0; k < 4; k++)
            part[k] = (part[k] ^ (numbers[i + k] - numbers[0])) * factor;
    uint64_t hash = part[0] ^ part[1] >> 7 ^ part[2] >> 13 ^ part[3] >> 19;
    return hash ^ hash >> 32;
}

static void insert(struct gp_distance_table *t, uint32_t number)
{
    uint32_t slot = (uint32_t)t->all[number]->hash & (t->slots - 1);
    while (t->index[slot])
        slot = (slot + 1) & (t->slots - 1);
    t->index[slot] = number + 1;
}

/* The index has twice as many slots as there are distances. */
static void make_room(struct gp_distance_table *t)
{
    if (t->count < t->capacity)
        return;
    t->capacity = t->capacity ? 2 * t->capacity : FIRST_SLOTS / 2;
    t->slots = 2 * t->capacity;
    t->all = realloc(t->all, t->capacity * sizeof *t->all);
    free(t->index);
    t->index = calloc(t->slots, sizeof *t->index);
    for (uint32_t i = 0; i < t->count; i++)
        insert(t, i);
}

static struct gp_distances *make(struct gp_distance_table *t, const uint64_t *numbers, uint64_t hash)
{
    struct gp_distances *d = malloc(sizeof *d + t->lanes * sizeof *d->lane);
    *d = (struct gp_distances){.id = ++t->last_id, .hash = hash, .lanes = t->lanes};
    for (uint32_t i = 0; i < t->lanes; i++) {
        d->lane[i] = numbers[i] - numbers[0];
        d->low = (int64_t)d->lane[i] < d->low ? (int64_t)d->lane[i] : d->low;
        d->high = (int64_t)d->lane[i] > d->high ? (int64_t)d->lane[i] : d->high;
    }
    return d;
}

const struct gp_distances *gp_distances_of(struct gp_distance_table *t, const uint64_t *numbers)
{
    uint64_t hash = hash_of(numbers, t->lanes);
    for (uint32_t slot = (uint32_t)hash & (t->slots - 1); t->slots && t->index[slot];
         slot = (slot + 1) & (t->slots - 1)) {
        const struct gp_distances *d = t->all[t->index[slot] - 1];
        if (d->hash == hash && gp_distances_are(d, numbers))
            return d;
    }
    make_room(t);
    struct gp_distances *d = make(t, numbers, hash);
    d->place = t->count;
    t->all[t->count] = d;
    insert(t, t->count++);
    return d;
}

static void forget_all(struct gp_distance_table *t)
{
    for (uint32_t i = 0; i < t->count; i++)
        free(t->all[i]);
    if (t->slots)
        memset(t->index, 0, t->slots * sizeof *t->index);
    t->count = 0;
}

void gp_distances_start(struct gp_distance_table *t, uint32_t lanes)
{
    static const uint64_t zeros[GP_MAX_LANES];
    forget_all(t);
    t->lanes = lanes;
    t->crowded_at = CROWDED;
    t->none = gp_distances_of(t, zeros);
}

void gp_distances_free(struct gp_distance_table *t)
{
    forget_all(t);
    free(t->all);
    free(t->index);
    *t = (struct gp_distance_table){0};
}

void gp_distances_hold(struct gp_distance_table *t, const struct gp_distances *distances)
{
    t->all[distances->place]->held = true;
}

void gp_distances_sweep(struct gp_distance_table *t)
{
    uint32_t kept = 0;
    gp_distances_hold(t, t->none);
    memset(t->index, 0, t->slots * sizeof *t->index);
    for (uint32_t i = 0; i < t->count; i++) {
        struct gp_distances *d = t->all[i];
        if (!d->held) {
            free(d);
            continue;
        }
        d->held = false;
        d->place = kept;
        t->all[kept] = d;
        insert(t, kept++);
    }
    t->count = kept;
    t->crowded_at = kept < CROWDED / 2 ? CROWDED : 2 * kept;
}
