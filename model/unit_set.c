#include "model/unit_set.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 64, LAST_CAPACITY = 1 << 20, BITS = 64 };

static uint32_t slot_of(const struct gp_unit_set *set, uint32_t symbol, uint64_t block)
{
    uint64_t hash = (block + 0x9e3779b97f4a7c15u * (symbol + 1u)) * 0xbf58476d1ce4e5b9u;
    return (uint32_t)(hash >> 32) & (set->capacity - 1);
}

void gp_unit_set_init(struct gp_unit_set *set) { *set = (struct gp_unit_set){.generation = 1}; }

void gp_unit_set_free(struct gp_unit_set *set)
{
    free(set->units);
    *set = (struct gp_unit_set){0};
}

void gp_unit_set_clear(struct gp_unit_set *set)
{
    set->used = 0;
    if (++set->generation == 0) {
        if (set->units != NULL)
            memset(set->units, 0, set->capacity * sizeof *set->units);
        set->generation = 1;
    }
}

/* The entry of a block of numbers, or the empty one where it would stand. */
static struct gp_units *probe(const struct gp_unit_set *set, uint32_t symbol, uint64_t block)
{
    for (uint32_t slot = slot_of(set, symbol, block);; slot = (slot + 1) & (set->capacity - 1)) {
        struct gp_units *entry = &set->units[slot];
        if (entry->generation != set->generation || (entry->block == block && entry->symbol == symbol))
            return entry;
    }
}

static bool grow(struct gp_unit_set *set)
{
    if (set->capacity >= LAST_CAPACITY)
        return false;
    struct gp_unit_set larger = {.capacity = set->capacity > 0 ? set->capacity * 4 : FIRST_CAPACITY, .used = set->used, .generation = 1};
    larger.units = calloc(larger.capacity, sizeof *larger.units);
    if (larger.units == NULL)
        return false;
    for (uint32_t i = 0; i < set->capacity; i++) {
        struct gp_units *entry = &set->units[i];
        if (entry->generation != set->generation)
            continue;
        struct gp_units *place = probe(&larger, entry->symbol, entry->block);
        *place = *entry;
        place->generation = 1;
    }
    free(set->units);
    *set = larger;
    return true;
}

void gp_unit_set_add(struct gp_unit_set *set, uint32_t symbol, uint64_t number, uint32_t count, uint32_t *added, uint64_t *fresh)
{
    uint32_t first = (uint32_t)(number % BITS), most = BITS - first;
    *added = count < most ? count : most;
    uint64_t wanted = (*added == BITS ? UINT64_MAX : (UINT64_C(1) << *added) - 1) << first;
    *fresh = wanted >> first;
    if (set->used * 2 >= set->capacity && !grow(set))
        return;
    struct gp_units *entry = probe(set, symbol, number / BITS);
    if (entry->generation != set->generation) {
        *entry = (struct gp_units){.block = number / BITS, .symbol = symbol, .generation = set->generation};
        set->used++;
    }
    *fresh = (wanted & ~entry->present) >> first;
    entry->present |= wanted;
}

uint64_t gp_unit_set_present(const struct gp_unit_set *set, uint32_t symbol, uint64_t number)
{
    if (set->capacity == 0)
        return 0;
    const struct gp_units *entry = probe(set, symbol, number / BITS);
    return entry->generation == set->generation ? entry->present >> number % BITS : 0;
}

bool gp_unit_set_has(const struct gp_unit_set *set, uint32_t symbol, uint64_t number) { return gp_unit_set_present(set, symbol, number) & 1; }
