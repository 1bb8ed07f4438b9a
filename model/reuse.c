#include "model/reuse.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 256, LAST_CAPACITY = 1 << 20 };

static uint32_t slot_of(const struct gp_line_set *set, uint32_t symbol, uint64_t line)
{
    uint64_t hash = (line + 0x9e3779b97f4a7c15u * (symbol + 1u)) * 0xbf58476d1ce4e5b9u;
    return (uint32_t)(hash >> 32) & (set->capacity - 1);
}

void gp_line_set_init(struct gp_line_set *set)
{
    *set = (struct gp_line_set){.generation = 1};
}

void gp_line_set_free(struct gp_line_set *set)
{
    free(set->lines);
    *set = (struct gp_line_set){0};
}

void gp_line_set_clear(struct gp_line_set *set)
{
    set->used = 0;
    if (++set->generation == 0) {
        memset(set->lines, 0, set->capacity * sizeof *set->lines);
        set->generation = 1;
    }
}

/* The slot that holds the line, or the empty one where it would stand. */
static struct gp_line *probe(const struct gp_line_set *set, uint32_t symbol, uint64_t line)
{
    for (uint32_t slot = slot_of(set, symbol, line);; slot = (slot + 1) & (set->capacity - 1)) {
        struct gp_line *entry = &set->lines[slot];
        if (entry->generation != set->generation || (entry->line == line && entry->symbol == symbol))
            return entry;
    }
}

static bool grow(struct gp_line_set *set)
{
    if (set->capacity >= LAST_CAPACITY)
        return false;
    struct gp_line_set larger = {.capacity = set->capacity > 0 ? set->capacity * 4 : FIRST_CAPACITY, .used = set->used, .generation = 1};
    larger.lines = calloc(larger.capacity, sizeof *larger.lines);
    if (larger.lines == NULL)
        return false;
    for (uint32_t i = 0; i < set->capacity; i++) {
        struct gp_line *entry = &set->lines[i];
        if (entry->generation != set->generation)
            continue;
        struct gp_line *place = probe(&larger, entry->symbol, entry->line);
        *place = *entry;
        place->generation = 1;
    }
    free(set->lines);
    *set = larger;
    return true;
}

struct gp_line *gp_line_set_touch(struct gp_line_set *set, uint32_t symbol, uint64_t line, bool *fresh)
{
    if (set->used * 2 >= set->capacity && !grow(set))
        return NULL;
    struct gp_line *entry = probe(set, symbol, line);
    *fresh = entry->generation != set->generation;
    if (*fresh) {
        *entry = (struct gp_line){.line = line, .symbol = symbol, .generation = set->generation};
        set->used++;
    }
    return entry;
}

bool gp_line_set_has(const struct gp_line_set *set, uint32_t symbol, uint64_t line)
{
    return set->capacity > 0 && probe(set, symbol, line)->generation == set->generation;
}
