/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which segments of memory an access touches. Places that nobody knows have names of their own, and a range that they
 * fall into. */
#include <math.h>
#include <stdlib.h>

#include "model/trace/recorder.h"

void *gp_recorder_grow(struct growing *g, size_t more)
{
    if (g->count + more > g->capacity) {
        size_t capacity = g->capacity * 2 > g->count + more ? g->capacity * 2 : g->count + more + 64;
        g->items = realloc(g->items, capacity * g->size);
        g->capacity = capacity;
    }
    void *place = (char *)g->items + g->count * g->size;
    g->count += more;
    return place;
}

uint64_t gp_recorder_segment(const struct gp_recorder *r, uint32_t symbol, uint64_t offset)
{
    uint64_t middle = (uint64_t)1 << (SYMBOL_BITS - 1), start = 0, stretch = symbol;
    if (symbol >= NAMED) /* by a name, not by its number */
        stretch = NAMED + symbol % NAMED;
    if (symbol > r->last_array)
        start = (symbol * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - START_BITS) << 8;
    return ((stretch << SYMBOL_BITS) + middle + start + offset) / r->sm->segment;
}

void gp_recorder_add_segment(struct gp_recorder *r, struct gp_trace_access *a, uint64_t segment)
{
    const uint64_t *list = (const uint64_t *)r->segments.items + a->segment;
    for (uint32_t i = a->segment_count; i > 0 && i + 4 > a->segment_count; i--)
        if (list[i - 1] == segment)
            return;
    *(uint64_t *)gp_recorder_grow(&r->segments, 1) = segment;
    a->segment_count++;
}

/* ---- Where data decides ------------------------------------------------------------------------------------------ */

/* Where an operation falls that data decides: within its bound, or anywhere in memory of its own. */
static struct gp_segment_range range_of(struct gp_recorder *r, uint32_t number)
{
    enum { ANYWHERE = 1 << 27 };
    const struct gp_memory *memory = &r->kernel->memory[number];
    const struct gp_scatter *bound = gp_scatter_of(r->bounds, r->kernel, number);
    if (!bound->known || memory->base == 0)
        return (struct gp_segment_range){gp_recorder_segment(r, ANY_STRETCH, 0), ANYWHERE};
    uint32_t symbol = gp_symbol_of(r->kernel, memory->base), lanes = gp_device_lanes(r->device);
    bool private = memory->space == GP_SPACE_PRIVATE;
    uint64_t low = (uint64_t)(private ? bound->low * lanes : bound->low),
             bytes = (uint64_t)gp_scatter_warp_bytes(bound, memory, lanes);
    uint64_t first = gp_recorder_segment(r, symbol, low),
             last = gp_recorder_segment(r, symbol, low + (bytes > 0 ? bytes - 1 : 0));
    return (struct gp_segment_range){first, last - first + 1};
}

static void find_range(struct gp_recorder *r, uint32_t memory)
{
    if (r->ranges[memory].count == 0)
        r->ranges[memory] = range_of(r, memory);
}

static void add_scattered(struct gp_recorder *r, struct gp_trace_access *a)
{
    find_range(r, a->memory);
    gp_recorder_add_segment(r, a, GP_SEGMENT_ANY | r->scattered++);
}

/* At least one. */
void gp_recorder_add_scattered(struct gp_recorder *r, double transactions, struct gp_trace_access *a)
{
    for (double i = 0; i < fmax(1, round(transactions)); i++)
        add_scattered(r, a);
}

/* A lane's of those on a walk: again the same until it comes to the next one. Lanes begin anywhere in a stretch of
 * neighbours. */
static void add_walked(struct gp_recorder *r, struct gp_trace_access *a, unsigned lane, const struct gp_memory *memory)
{
    enum { START_BIT = 40, LANE_BIT = 34, APART = 37 };
    const uint64_t segment = r->sm->segment, middle = UINT64_C(1) << (LANE_BIT - 1), element = memory->element_bytes;
    if (r->moves.walked.walk == GP_NONE || element == 0 || element > segment) {
        add_scattered(r, a);
        return;
    }
    find_range(r, a->memory);
    uint64_t begin =
        middle * segment + lane * APART * element % (segment * GP_WALKED_TOGETHER) + (uint64_t)r->moves.walked.at;
    uint64_t name = GP_SEGMENT_ANY | GP_SEGMENT_WALKED |
                    (r->moves.walked.start << START_BIT & (GP_SEGMENT_WALKED - 1)) | (uint64_t)lane << LANE_BIT;
    for (uint64_t s = begin / segment; s <= (begin + element * memory->vector - 1) / segment; s++)
        gp_recorder_add_segment(r, a, name | s % (2 * middle));
}

/* ---- Of an access ------------------------------------------------------------------------------------------------ */

void gp_recorder_add_addresses(struct gp_recorder *r, const struct gp_access *access, struct gp_trace_access *a)
{
    const struct gp_memory *memory = &r->kernel->memory[access->memory];
    uint64_t width = (uint64_t)memory->element_bytes * memory->vector;
    for (gp_mask rest = access->active; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(rest);
        if (access->symbol[lane] == GP_SYMBOL_UNKNOWN) {
            add_walked(r, a, lane, memory);
            continue;
        }
        uint64_t from = gp_recorder_segment(r, access->symbol[lane], access->offset[lane]);
        uint64_t to = gp_recorder_segment(r, access->symbol[lane], access->offset[lane] + (width > 0 ? width - 1 : 0));
        for (uint64_t s = from; s <= to && s - from < 16; s++)
            gp_recorder_add_segment(r, a, s);
        if (access->uniform)
            break;
    }
}

void gp_recorder_add_texels(struct gp_recorder *r, const struct gp_access *access, struct gp_trace_access *a)
{
    struct gp_image_addresses image;
    gp_image_addresses(r->device, r->kernel, access, &image);
    gp_recorder_add_addresses(r, &image.access, a);
}

/* Private memory is interleaved by words (docs/memory.md): what a warp touches at one offset is contiguous and its own.
 */
void gp_recorder_add_private(struct gp_recorder *r, const struct gp_access *access, const struct gp_request *request,
                             struct gp_trace_access *a)
{
    unsigned lane = (unsigned)__builtin_ctzll(access->active);
    uint32_t count = (uint32_t)fmin(64, fmax(1, ceil(request->bytes / r->sm->segment)));
    if (access->symbol[lane] == GP_SYMBOL_UNKNOWN) {
        for (uint32_t i = 0; i < count; i++)
            add_scattered(r, a);
        return;
    }
    uint64_t first =
        gp_recorder_segment(r, access->symbol[lane], access->offset[lane] / 4 * 4 * gp_device_lanes(r->device));
    for (uint32_t i = 0; i < count; i++)
        gp_recorder_add_segment(r, a, first + i);
}
