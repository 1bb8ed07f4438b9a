#include "model/trace_cache.h"

#include <stdlib.h>
#include <string.h>

bool gp_cache_reset(struct gp_cache *cache, const struct gp_cache_shape *shape, double bytes, uint32_t segment)
{
    uint32_t line = shape->line > segment ? shape->line : segment;
    double count = bytes / line;
    cache->sets = 0;
    cache->stamp = 0;
    if (count < 1)
        return true;
    uint32_t lines = count < GP_CACHE_MOST_LINES ? (uint32_t)count : GP_CACHE_MOST_LINES;
    cache->ways = shape->ways < 1 ? 1 : shape->ways < lines ? shape->ways : lines;
    cache->sets = lines / cache->ways;
    cache->segments_per_line = line / segment <= 64 ? line / segment : 64;
    lines = cache->sets * cache->ways;
    if (lines > cache->capacity) {
        struct gp_cache_line *more = realloc(cache->lines, lines * sizeof *more);
        if (more == NULL)
            return false;
        cache->lines = more;
        cache->capacity = lines;
    }
    memset(cache->lines, 0, lines * sizeof *cache->lines);
    return true;
}

void gp_cache_free(struct gp_cache *cache) { free(cache->lines); }

/* Upper address bits are folded in, as hardware does: power-of-two strides do not all fall into one set. */
static struct gp_cache_line *set_of(struct gp_cache *cache, uint64_t line)
{
    uint64_t folded = line ^ line >> 7 ^ line >> 15;
    return &cache->lines[(size_t)(folded % cache->sets) * cache->ways];
}

static struct gp_cache_line *find(struct gp_cache *cache, struct gp_cache_line *set, uint64_t tag)
{
    for (uint32_t w = 0; w < cache->ways; w++)
        if (set[w].tag == tag)
            return &set[w];
    return NULL;
}

struct gp_cache_line *gp_cache_touch(struct gp_cache *cache, uint64_t segment, bool *present)
{
    *present = false;
    if (cache->sets == 0)
        return NULL;
    uint64_t number = segment / cache->segments_per_line, sector = (uint64_t)1 << segment % cache->segments_per_line;
    struct gp_cache_line *set = set_of(cache, number), *line = find(cache, set, number + 1);
    if (line == NULL) {
        line = &set[0];
        for (uint32_t w = 1; w < cache->ways; w++)
            if (set[w].used < line->used)
                line = &set[w];
        *line = (struct gp_cache_line){.tag = number + 1};
    }
    *present = (line->sectors & sector) != 0;
    line->sectors |= sector;
    line->used = ++cache->stamp;
    return line;
}

struct gp_cache_line *gp_cache_find(struct gp_cache *cache, uint64_t segment)
{
    if (cache->sets == 0)
        return NULL;
    uint64_t number = segment / cache->segments_per_line, sector = (uint64_t)1 << segment % cache->segments_per_line;
    struct gp_cache_line *line = find(cache, set_of(cache, number), number + 1);
    return line != NULL && (line->sectors & sector) ? line : NULL;
}
