/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Accesses of a warp's trace, and the segments that they touch. */
#include <math.h>
#include <stdlib.h>

#include "model/observe/combined_atomics.h"
#include "model/trace/recorder.h"
#include "model/value/inst_facts.h"

/* ---- Segments ---------------------------------------------------------------------------------------------------- */

/* Which segments of memory an access touches. Places that nobody knows have names of their own, and a range that they
 * fall into. */

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
static void recorder_add_scattered(struct gp_recorder *r, double transactions, struct gp_trace_access *a)
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

static void recorder_add_addresses(struct gp_recorder *r, const struct gp_access *access, struct gp_trace_access *a)
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

static void recorder_add_texels(struct gp_recorder *r, const struct gp_access *access, struct gp_trace_access *a)
{
    struct gp_image_addresses image;
    gp_image_addresses(r->device, r->kernel, access, &image);
    recorder_add_addresses(r, &image.access, a);
}

/* Private memory is interleaved by words (docs/memory.md): what a warp touches at one offset is contiguous and its own.
 */
static void recorder_add_private(struct gp_recorder *r, const struct gp_access *access,
                                 const struct gp_request *request, struct gp_trace_access *a)
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

/* ---- Accesses ---------------------------------------------------------------------------------------------------- */

/* An access, as a trace shows it: its way, its requests, its segments and how many of these are new to each iteration
 * that it stands for. */

static bool is_unknown(const struct gp_access *access)
{
    return access->coordinates == 0 && access->symbol[__builtin_ctzll(access->active)] == GP_SYMBOL_UNKNOWN;
}

/* By how many bytes an address moves between two consecutive iterations; negative: not seen, or not known. */
static double step_seen(struct gp_recorder *r, const struct gp_access *access)
{
    const uint32_t walked =
        UINT32_C(1)
        << 31; /* not among the few symbols of parameters and arrays, which are what is known of other visits */
    unsigned lane = (unsigned)__builtin_ctzll(access->active);
    uint32_t symbol = access->coordinates > 0 ? access->coordinate_symbol[0][lane] : access->symbol[lane];
    uint64_t offset = access->coordinates > 0 ? access->coordinate[0][lane] * 4 : access->offset[lane];
    if (symbol == GP_SYMBOL_UNKNOWN && r->moves.walked.walk != GP_NONE)
        return gp_steps_see(r->moves.steps, access->memory, walked + (uint32_t)r->moves.walked.start,
                            (uint64_t)r->moves.walked.at);
    if (symbol == GP_SYMBOL_UNKNOWN)
        return -1;
    return gp_steps_see(r->moves.steps, access->memory, symbol, offset);
}

static uint32_t runs_of(const struct gp_recorder *r, const struct gp_trace_access *a)
{
    const uint64_t *segments = (const uint64_t *)r->segments.items + a->segment;
    uint32_t runs = 1;
    for (uint32_t i = 1; i < a->segment_count; i++)
        runs += segments[i] != segments[i - 1] + 1 && segments[i] + 1 != segments[i - 1];
    return runs;
}

/*
 * Of the iterations that this one stands for, the share of the segments that are new to each. What moves by d bytes an
 * iteration leaves d bytes at one end of each run of neighbouring segments and enters as many at the other.
 */
static double fresh_share(const struct gp_recorder *r, const struct gp_trace_access *a, double step, double weight)
{
    if (!(a->flags & GP_ACCESS_MOVED))
        return step == 0 ? 1 / weight : 1;
    return fmin(1, runs_of(r, a) * step / ((double)r->sm->segment * a->segment_count));
}

static enum gp_path path_of(const struct gp_recorder *r, const struct gp_memory *memory,
                            const struct gp_request *request)
{
    const struct gp_inst *inst = &r->kernel->insts[memory->inst];
    bool load = !gp_memory_writes(memory);
    bool amd = gp_arch_is_amd(r->device->arch);
    if (memory->space == GP_SPACE_LOCAL || request->passes > 0)
        return GP_PATH_LOCAL;
    if (load && amd && r->device->scalar_unit.value > 0 && (inst->flags & GP_INST_UNIFORM) && r->sm->constant.bytes > 0)
        return GP_PATH_CONSTANT;
    if (load && !amd && memory->space == GP_SPACE_CONSTANT && r->sm->constant.bytes > 0)
        return GP_PATH_CONSTANT;
    if (!gp_memory_reads_cached(r->device, memory))
        return GP_PATH_L2;
    if (gp_memory_reads_texture_cache(r->device, memory))
        return GP_PATH_TEXTURE;
    return r->sm->l1.bytes > 0 ? GP_PATH_L1 : GP_PATH_L2;
}

/* The first segment of an operation whose place is known, to see how far other groups' and warps' lie from it. */
static void note_first(struct gp_recorder *r, const struct gp_trace_access *a)
{
    uint64_t segment = a->segment_count > 0 ? ((const uint64_t *)r->segments.items)[a->segment] : GP_SEGMENT_ANY;
    if (!(segment & GP_SEGMENT_ANY) && r->first_segment[a->memory] == 0)
        r->first_segment[a->memory] = segment;
}

void gp_recorder_access(void *context, const struct gp_access *access)
{
    const double hardly_met = 0.9;
    struct gp_recorder *r = context;
    const struct gp_memory *memory = &r->kernel->memory[access->memory];
    if (access->active == 0 || (gp_arch_is_nvidia(r->device->arch) &&
                                gp_inst_has_constant_address(r->kernel, &r->kernel->insts[memory->inst])))
        return;
    struct gp_request q;
    gp_request_memo_cost(r->requests, r->device, access, &q);
    double apart = q.transactions;
    bool bounded = q.guessed && gp_meet_within_bound(r->bounds, r->kernel, access, gp_device_lanes(r->device), &q);
    struct gp_trace_access *a = gp_recorder_grow(&r->accesses, 1);
    r->effort += access->coordinates > 0 ? 64 : 16;
    double words = gp_local_words_factor(memory, &r->code.factors[r->code.memory_block[access->memory]]);
    *a = (struct gp_trace_access){.memory = access->memory,
                                  .path = (uint8_t)path_of(r, memory, &q),
                                  .lanes = (uint16_t)__builtin_popcountll(access->active),
                                  .wavefronts = (float)(words * fmax(1, q.wavefronts)),
                                  .ideal_wavefronts = (float)(words * fmax(1, q.ideal_wavefronts)),
                                  .replays = (float)(words * fmax(0, q.passes - q.ideal_passes)),
                                  .share = 1,
                                  .segment = (uint32_t)r->segments.count};
    r->moves.walked = is_unknown(access) ? gp_walks_see(r->moves.walks, r->executor, access->memory)
                                         : (struct gp_walk_step){.walk = GP_NONE};
    double step = step_seen(r, access);
    a->step = (float)fmax(0, step);
    a->flags |=
        step > 0 && (gp_steps_jumped(r->moves.steps, access->memory) || access->weight > 1.5) ? GP_ACCESS_MOVED : 0;
    a->flags |= memory->flags & GP_MEMORY_STORE ? GP_ACCESS_STORE : 0;
    a->flags |= memory->flags & GP_MEMORY_ATOMIC ? GP_ACCESS_ATOMIC : 0;
    a->flags |= memory->flags & GP_MEMORY_RETURNS ? GP_ACCESS_RETURNS : 0;
    a->flags |= memory->space == GP_SPACE_PRIVATE ? GP_ACCESS_OWN : 0;
    if (memory->flags & GP_MEMORY_ATOMIC)
        a->contention = gp_atomic_is_combined(r->device, r->kernel, memory) ? 0 : (float)fmax(0, q.same_address - 1);
    if (a->path == GP_PATH_LOCAL)
        return;
    a->bytes = (float)gp_request_l2_bytes(r->device, memory, &q);
    a->ideal_bytes = (float)(q.transactions > 0 ? q.bytes * fmin(1, q.ideal_transactions / q.transactions) : q.bytes);
    if (bounded &&
        (r->moves.walked.walk == GP_NONE || q.transactions < hardly_met * apart)) /* some of the lanes meet */
        recorder_add_scattered(r, q.transactions, a);
    else if (access->coordinates > 0)
        recorder_add_texels(r, access, a);
    else if (memory->space == GP_SPACE_PRIVATE)
        recorder_add_private(r, access, &q, a);
    else
        recorder_add_addresses(r, access, a);
    if (a->segment_count > 0)
        a->share = (float)fresh_share(r, a, step, access->weight);
    a->ideal_segments = (uint32_t)fmax(1, ceil(a->segment_count * (q.bytes > 0 ? a->ideal_bytes / q.bytes : 1)));
    r->done.whole += access->weight * a->segment_count;
    r->done.touched += access->weight * a->segment_count;
    note_first(r, a);
}
