/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/trace/trace_internal.h"

#include <stdlib.h>
#include <string.h>

static void allocate(struct gp_cache *cache, uint32_t lines)
{
    if (lines <= cache->capacity)
        return;
    cache->lines = realloc(cache->lines, (size_t)lines * sizeof *cache->lines);
    cache->capacity = lines;
}

void gp_cache_reset(struct gp_cache *cache, const struct gp_cache_shape *shape, double bytes, uint32_t segment,
                    uint32_t most)
{
    uint32_t line = shape->line > segment ? shape->line : segment;
    double count = bytes / line;
    cache->sets = 0;
    cache->stamp = 0;
    if (count < 1)
        return;
    uint32_t lines = count < most ? (uint32_t)count : most;
    cache->ways = shape->ways < 1 ? 1 : shape->ways < lines ? shape->ways : lines;
    cache->line_shift = 0;
    while (cache->line_shift < 6 && (segment << (cache->line_shift + 1)) <= line)
        cache->line_shift++;
    lines -= lines % cache->ways;
    allocate(cache, lines);
    cache->sets = lines / cache->ways;
    memset(cache->lines, 0, (size_t)lines * sizeof *cache->lines);
}

void gp_cache_free(struct gp_cache *cache) { free(cache->lines); }

/* Upper address bits are folded in, as hardware does: power-of-two strides do not all fall into one set. */
static uint32_t set_of(const struct gp_cache *cache, uint64_t line)
{
    uint64_t hash = (line ^ line >> 20) * 0x9e3779b97f4a7c15u;
    return (uint32_t)((hash >> 32) * cache->sets >> 32);
}

static double last_needed(const struct gp_cache_line *line)
{
    return line->ready > line->used ? line->ready : line->used;
}

/* Of equally old ones the one that was touched first. */
static struct gp_cache_line *least_recent(struct gp_cache_line *set, uint32_t ways)
{
    struct gp_cache_line *least = set;
    double needed = last_needed(set);
    for (struct gp_cache_line *line = set + 1; line < set + ways; line++) {
        double other = last_needed(line);
        if (other < needed || (other == needed && line->stamp < least->stamp)) {
            least = line;
            needed = other;
        }
    }
    return least;
}

struct gp_cache_line *gp_cache_touch(struct gp_cache *cache, uint64_t segment, double *time, bool waits, bool *present)
{
    *present = false;
    if (cache->sets == 0)
        return NULL;
    uint64_t number = segment >> cache->line_shift, sector = (uint64_t)1 << (segment & ((1u << cache->line_shift) - 1));
    struct gp_cache_line *set = &cache->lines[(size_t)set_of(cache, number) * cache->ways], *line = set,
                         *end = set + cache->ways;
    while (line < end && line->tag != number + 1 && line->tag != 0)
        line++;
    line = line < end ? line : least_recent(set, cache->ways);
    if (line->tag != number + 1 && line->ready > *time) {
        if (!waits)
            return NULL;
        *time = line->ready;
    }
    if (line->tag != number + 1)
        *line = (struct gp_cache_line){.tag = number + 1, .stamp = line->stamp};
    *present = (line->sectors & sector) != 0;
    line->sectors |= sector;
    cache->age = cache->stamp - line->stamp;
    line->stamp = ++cache->stamp;
    line->used = *time;
    return line;
}

struct gp_cache_line *gp_cache_peek(const struct gp_cache *cache, uint64_t segment)
{
    if (cache->sets == 0)
        return NULL;
    uint64_t number = segment >> cache->line_shift, sector = (uint64_t)1 << (segment & ((1u << cache->line_shift) - 1));
    struct gp_cache_line *set = &cache->lines[(size_t)set_of(cache, number) * cache->ways];
    for (uint32_t w = 0; w < cache->ways; w++)
        if (set[w].tag == number + 1)
            return set[w].sectors & sector ? &set[w] : NULL;
    return NULL;
}
