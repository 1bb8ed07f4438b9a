/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/profile/intern.h"

#include <stdlib.h>
#include <string.h>

#include "support/hash.h"

static uint64_t hash_of(const unsigned char *bytes, size_t length)
{
    uint64_t hash = gp_fnv1a(GP_FNV1A, bytes, length);
    return hash ^ hash >> 32;
}

static void place(struct gp_intern *table, uint32_t entry)
{
    uint32_t slot = (uint32_t)table->entries[entry].hash & (table->slot_count - 1);
    while (table->slots[slot] != 0)
        slot = (slot + 1) & (table->slot_count - 1);
    table->slots[slot] = entry + 1;
}

/* Room for one more entry, with at most half of the slots taken. */
static bool reserve(struct gp_intern *table)
{
    if (table->count < table->capacity)
        return true;
    if (table->capacity > UINT32_MAX / 8)
        return false;
    uint32_t capacity = table->capacity ? table->capacity * 2 : 64;
    struct gp_interned *entries = realloc(table->entries, capacity * sizeof *entries);
    if (entries == NULL)
        return false;
    table->entries = entries;
    uint32_t *slots = calloc((size_t)capacity * 2, sizeof *slots);
    if (slots == NULL)
        return false;
    free(table->slots);
    table->slots = slots;
    table->slot_count = capacity * 2;
    table->capacity = capacity;
    for (uint32_t i = 0; i < table->count; i++)
        place(table, i);
    return true;
}

bool gp_intern(struct gp_intern *table, const void *bytes, size_t length, uint32_t *number)
{
    uint64_t hash = hash_of(bytes, length);
    if (!reserve(table))
        return false;
    for (uint32_t slot = (uint32_t)hash & (table->slot_count - 1); table->slots[slot] != 0;
         slot = (slot + 1) & (table->slot_count - 1)) {
        const struct gp_interned *entry = &table->entries[table->slots[slot] - 1];
        if (entry->hash == hash && entry->length == length && memcmp(entry->bytes, bytes, length) == 0) {
            *number = table->slots[slot] - 1;
            return true;
        }
    }
    char *copy = gp_arena_copy(&table->arena, bytes, length);
    if (copy == NULL)
        return false;
    table->entries[table->count] = (struct gp_interned){copy, length, hash};
    place(table, table->count);
    *number = table->count++;
    return true;
}

void gp_intern_free(struct gp_intern *table)
{
    gp_arena_free(&table->arena);
    free(table->entries);
    free(table->slots);
    *table = (struct gp_intern){0};
}
