#include "model/keyed_set.h"

#include <stdlib.h>
#include <string.h>

enum { LAST_CAPACITY = 1 << 20 };

void gp_keyed_set_init(struct gp_keyed_set *set) { *set = (struct gp_keyed_set){.generation = 1}; }

void gp_keyed_set_free(struct gp_keyed_set *set)
{
    free(set->entries);
    *set = (struct gp_keyed_set){0};
}

void gp_keyed_set_clear(struct gp_keyed_set *set, size_t size)
{
    set->used = 0;
    if (++set->generation == 0) {
        if (set->entries != NULL)
            memset(set->entries, 0, set->capacity * size);
        set->generation = 1;
    }
}

bool gp_keyed_set_is_full(const struct gp_keyed_set *set) { return set->used * 2 >= LAST_CAPACITY; }

bool gp_keyed_set_grow(struct gp_keyed_set *set, size_t size, uint32_t first)
{
    if (set->capacity >= LAST_CAPACITY)
        return false;
    struct gp_keyed_set larger = {.capacity = set->capacity > 0 ? set->capacity * 4 : first, .used = set->used, .generation = set->generation};
    larger.entries = calloc(larger.capacity, size);
    if (larger.entries == NULL)
        return false;
    for (uint32_t i = 0; i < set->capacity; i++) {
        const struct gp_key *entry = (const struct gp_key *)((const char *)set->entries + i * size);
        if (!gp_keyed_set_holds(set, entry))
            continue;
        struct gp_key *place = gp_keyed_set_probe(&larger, size, entry->symbol, entry->number);
        memcpy(place, entry, size);
    }
    free(set->entries);
    *set = larger;
    return true;
}
