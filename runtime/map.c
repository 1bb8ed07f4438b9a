/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "runtime/map.h"

#include <stdlib.h>

struct gp_map_entry {
    struct gp_map_entry *next;
    struct gp_hash key;
    void *value;
};

/* Handles are aligned addresses, so that their low bits say little: a multiplication brings the others down. */
static size_t bucket_of(struct gp_hash key, size_t bucket_count)
{
    uint64_t mixed = (key.word[0] ^ key.word[1]) * UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)(mixed >> 32) & (bucket_count - 1);
}

static struct gp_map_entry **find(const struct gp_map *map, struct gp_hash key)
{
    if (map->bucket_count == 0)
        return NULL;
    struct gp_map_entry **link = &map->buckets[bucket_of(key, map->bucket_count)];
    while (*link != NULL && !gp_hash_equal((*link)->key, key))
        link = &(*link)->next;
    return *link != NULL ? link : NULL;
}

static bool grow(struct gp_map *map)
{
    size_t count = map->bucket_count ? map->bucket_count * 2 : 64;
    struct gp_map_entry **buckets = calloc(count, sizeof *buckets);
    if (buckets == NULL)
        return false;
    for (size_t i = 0; i < map->bucket_count; i++)
        for (struct gp_map_entry *entry = map->buckets[i], *next; entry != NULL; entry = next) {
            size_t at = bucket_of(entry->key, count);
            next = entry->next;
            entry->next = buckets[at];
            buckets[at] = entry;
        }
    free(map->buckets);
    map->buckets = buckets;
    map->bucket_count = count;
    return true;
}

void *gp_map_get(const struct gp_map *map, struct gp_hash key)
{
    struct gp_map_entry **link = find(map, key);
    return link != NULL ? (*link)->value : NULL;
}

void *gp_map_put(struct gp_map *map, struct gp_hash key, void *value, bool *failed)
{
    if (failed != NULL)
        *failed = false;
    struct gp_map_entry **link = find(map, key);
    if (link != NULL) {
        void *old = (*link)->value;
        (*link)->value = value;
        return old;
    }
    struct gp_map_entry *entry = malloc(sizeof *entry);
    if (entry == NULL || (map->count >= map->bucket_count && !grow(map) && map->bucket_count == 0)) {
        free(entry);
        if (failed != NULL)
            *failed = true;
        return NULL;
    }
    size_t at = bucket_of(key, map->bucket_count);
    *entry = (struct gp_map_entry){map->buckets[at], key, value};
    map->buckets[at] = entry;
    map->count++;
    return NULL;
}

void *gp_map_made(struct gp_map *map, struct gp_hash key, size_t size)
{
    void *value = gp_map_get(map, key);
    bool failed = false;
    if (value != NULL)
        return value;
    value = calloc(1, size);
    if (value != NULL)
        gp_map_put(map, key, value, &failed);
    if (failed) {
        free(value);
        return NULL;
    }
    return value;
}

void *gp_map_remove(struct gp_map *map, struct gp_hash key)
{
    struct gp_map_entry **link = find(map, key);
    if (link == NULL)
        return NULL;
    struct gp_map_entry *entry = *link;
    void *value = entry->value;
    *link = entry->next;
    free(entry);
    map->count--;
    return value;
}

void gp_map_each(const struct gp_map *map, void (*each)(void *context, void *value), void *context)
{
    for (size_t i = 0; i < map->bucket_count; i++)
        for (const struct gp_map_entry *entry = map->buckets[i]; entry != NULL; entry = entry->next)
            each(context, entry->value);
}

void gp_map_sift(struct gp_map *map, bool (*unwanted)(const void *value), void (*release)(void *value))
{
    for (size_t i = 0; i < map->bucket_count; i++)
        for (struct gp_map_entry **link = &map->buckets[i], *entry; (entry = *link) != NULL;) {
            if (!unwanted(entry->value)) {
                link = &entry->next;
                continue;
            }
            *link = entry->next;
            release(entry->value);
            free(entry);
            map->count--;
        }
}

void gp_map_clear(struct gp_map *map, void (*release)(void *value))
{
    for (size_t i = 0; i < map->bucket_count; i++)
        for (struct gp_map_entry *entry = map->buckets[i], *next; entry != NULL; entry = next) {
            next = entry->next;
            if (release != NULL)
                release(entry->value);
            free(entry);
        }
    free(map->buckets);
    *map = (struct gp_map){0};
}
