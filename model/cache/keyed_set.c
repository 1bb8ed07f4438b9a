/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/cache/keyed_set.h"

#include <stdlib.h>
#include <string.h>

enum { LAST_CAPACITY = 1 << GP_KEYED_SET_BITS };

void gp_keyed_set_init(struct gp_keyed_set *set) { *set = (struct gp_keyed_set){.generation = 1}; }

void gp_keyed_set_free(struct gp_keyed_set *set)
{
    free(set->entries);
    free(set->slots);
    *set = (struct gp_keyed_set){0};
}

void gp_keyed_set_clear(struct gp_keyed_set *set)
{
    set->used = 0;
    set->generation++;
    if (gp_keyed_set_mark(set) != 0)
        return;
    if (set->slots != NULL) /* the marks begin anew */
        memset(set->slots, 0, set->capacity * sizeof *set->slots);
    set->generation++;
}

bool gp_keyed_set_is_full(const struct gp_keyed_set *set) { return set->used * 2 >= LAST_CAPACITY; }

static bool make_room(struct gp_keyed_set *set, size_t size, uint32_t capacity)
{
    void *entries = realloc(set->entries, capacity / 2 * size);
    if (entries == NULL)
        return false;
    set->entries = entries;
    uint32_t *slots = calloc(capacity, sizeof *slots);
    if (slots == NULL)
        return false;
    free(set->slots);
    set->slots = slots;
    set->capacity = capacity;
    return true;
}

bool gp_keyed_set_grow(struct gp_keyed_set *set, size_t size, uint32_t first)
{
    if (set->capacity >= LAST_CAPACITY || !make_room(set, size, set->capacity > 0 ? set->capacity * 4 : first))
        return false;
    for (uint32_t place = 0; place < set->used; place++) {
        const struct gp_key *key = gp_keyed_set_at(set, size, place);
        uint32_t slot = gp_keyed_set_slot(set, key->symbol, key->number);
        while (set->slots[slot] != 0)
            slot = (slot + 1) & (set->capacity - 1);
        set->slots[slot] = gp_keyed_set_mark(set) | place;
    }
    return true;
}
