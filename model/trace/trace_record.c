/*
 * Execution traces for the simulation: which blocks a warp visits and which memory segments its accesses touch, as the executor
 * tells them. Sampled loops stay sampled: a visit's weight says how many it stands for.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/code/inst_facts.h"
#include "model/code/machine_code.h"
#include "model/code/predication.h"
#include "model/memory/request_memo.h"
#include "model/memory/scatter.h"
#include "model/trace/trace.h"
#include "model/work/combined_atomics.h"
#include "model/work/divergence.h"
#include "model/work/steps.h"
#include "model/work/walks.h"
#include "model/work/work.h"
#include "support/memory.h"

enum { MOST_ROWS = 4, FEW_WARPS = 6, MOST_WARPS = 64, SHORT_TRACES = 3000, FINE_TRACE = 3000, LONG_TRACE = 5000, VERY_LONG_TRACE = 10000, WHOLE_TRACE = 4000, MOST_VISITS = 20000 };

/* Arrays that grow while traces are recorded; traces name places in them and get pointers at the end. */
struct growing { void *items; size_t count, capacity, size; };

struct place { size_t visit, access, segment; };

struct gp_recorder {
    const struct gp_kernel *kernel;
    struct gp_executor *executor;
    bool has_images;
    uint32_t *branch_block;
    uint32_t *block_insts;        /* that are not free */
    float *code_factors;          /* per block (gp_machine_code_factors()) */
    double *block_issue;          /* issue slots they take on the device at hand */
    struct gp_steps *steps;
    struct gp_walks *walks;
    struct gp_walk_step walked;   /* by the access at hand */
    struct gp_request_memo *requests;
    int64_t *group_step, *warp_step, *neighbour_step;
    bool *neighbour_known;
    struct gp_scatter *bounds;      /* per memory operation */
    struct gp_segment_range *ranges; /* of those that data decides */
    uint64_t *first_segment;      /* of the trace at hand, per memory operation; 0: none */
    uint64_t *origin;             /* the same of the first trace */
    struct growing visits, accesses, segments, traces, places, warps;

    const struct gp_device *device;
    const struct gp_sm *sm;
    struct gp_predication predication; /* on the device at hand */
    struct gp_divergences divergences;
    uint64_t scattered;           /* segments nobody knows so far */
    uint32_t last_array;          /* the symbols behind it are made up by execution: nobody knows where they lie */
    double visited, instructions;
    double whole;                 /* instructions and segments with every iteration of every loop */
    double stores, loads;         /* of spilled words per issue slot ... */
    double store_debt, load_debt; /* ... and how many are due */
    double in_line;               /* issue slots since then, of blocks without a visit of their own */
    uint32_t spilled_words, next_word;
    uint64_t effort;
    bool exhaustive, coarse, fine, failed;
    uint64_t most_visits;         /* of blocks by a warp; 0: no limit */
};

static void *grow(struct growing *g, size_t more)
{
    if (g->count + more > g->capacity) {
        size_t capacity = g->capacity * 2 > g->count + more ? g->capacity * 2 : g->count + more + 64;
        void *items = realloc(g->items, capacity * g->size);
        if (items == NULL)
            return NULL;
        g->items = items;
        g->capacity = capacity;
    }
    void *place = (char *)g->items + g->count * g->size;
    g->count += more;
    return place;
}

static void find_blocks(struct gp_recorder *r)
{
    const struct gp_kernel *kernel = r->kernel;
    for (uint32_t b = 0; b < kernel->block_count; b++)
        for (uint32_t i = kernel->blocks[b].inst; i < kernel->blocks[b].inst + kernel->blocks[b].inst_count; i++) {
            const struct gp_inst *inst = &kernel->insts[i];
            r->block_insts[b] += inst->cost != GP_CLASS_FREE;
            if ((inst->op == GP_OP_CONDBR || inst->op == GP_OP_SWITCH) && inst->record != GP_NONE)
                r->branch_block[inst->record] = b;
        }
}

struct gp_recorder *gp_recorder_new(const struct gp_kernel *kernel)
{
    struct gp_recorder *r = calloc(1, sizeof *r);
    if (r == NULL)
        return NULL;
    uint32_t memory = kernel->memory_count;
    r->kernel = kernel;
    for (uint32_t m = 0; m < kernel->memory_count; m++)
        r->has_images |= kernel->memory[m].space == GP_SPACE_IMAGE;
    r->executor = gp_executor_new(kernel);
    r->branch_block = gp_some(kernel->branch_count, sizeof *r->branch_block);
    r->block_insts = gp_some(kernel->block_count, sizeof *r->block_insts);
    r->code_factors = gp_some(kernel->block_count, sizeof *r->code_factors);
    r->block_issue = gp_some(kernel->block_count, sizeof *r->block_issue);
    r->steps = gp_steps_new(kernel);
    r->walks = gp_walks_new(kernel);
    r->requests = gp_request_memo_new(kernel);
    r->group_step = gp_some(memory + 1, sizeof *r->group_step); /* spills: each warp's own, no step */
    r->warp_step = gp_some(memory + 1, sizeof *r->warp_step);
    r->neighbour_step = gp_some(memory + 1, sizeof *r->neighbour_step);
    r->neighbour_known = gp_some(memory + 1, sizeof *r->neighbour_known);
    r->bounds = gp_some(memory, sizeof *r->bounds);
    r->ranges = gp_some(memory + 1, sizeof *r->ranges);
    r->last_array = kernel->param_count + kernel->local_count + kernel->global_count + kernel->private_count;
    r->first_segment = gp_some(memory, sizeof *r->first_segment);
    r->origin = gp_some(memory, sizeof *r->origin);
    r->visits.size = sizeof(struct gp_visit);
    r->accesses.size = sizeof(struct gp_trace_access);
    r->segments.size = sizeof(uint64_t);
    r->traces.size = sizeof(struct gp_trace);
    r->places.size = sizeof(struct place);
    r->warps.size = sizeof(struct gp_sim_warp);
    if (!r->executor || !r->branch_block || !r->block_insts || !r->code_factors || !r->block_issue || !r->steps || !r->walks || !r->requests || !r->group_step ||
        !r->warp_step || !r->neighbour_step || !r->neighbour_known || !r->bounds || !r->ranges || !r->first_segment || !r->origin) {
        gp_recorder_free(r);
        return NULL;
    }
    find_blocks(r);
    return r;
}

void gp_recorder_free(struct gp_recorder *r)
{
    if (r == NULL)
        return;
    gp_executor_free(r->executor);
    gp_steps_free(r->steps);
    gp_walks_free(r->walks);
    gp_request_memo_free(r->requests);
    gp_predication_free(&r->predication);
    void *all[] = {r->branch_block, r->block_insts, r->code_factors, r->block_issue, r->group_step, r->warp_step, r->neighbour_step, r->neighbour_known,
                   r->bounds, r->ranges, r->first_segment, r->origin, r->visits.items, r->accesses.items, r->segments.items, r->traces.items, r->places.items, r->warps.items};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    free(r);
}

/* ---- Segments ---------------------------------------------------------------------------------------------------- */

/*
 * Every symbol has a stretch of virtual memory of its own; offsets may be negative. Arrays start at its middle, what execution made up (a loaded
 * pointer, a row that was looked up) in any channel.
 */
enum { SYMBOL_BITS = 40, START_BITS = 24, NAMED = 0x400000, ANY_STRETCH = NAMED - 1, SPILLED_STRETCH = NAMED - 2, ANOTHER_WARP = (1 << 16) + 3, ANOTHER_GROUP = (1 << 22) + 5 };

static uint64_t segment_of(const struct gp_recorder *r, uint32_t symbol, uint64_t offset)
{
    uint64_t middle = (uint64_t)1 << (SYMBOL_BITS - 1), start = 0, stretch = symbol;
    if (symbol >= NAMED) /* by a name, not by its number */
        stretch = NAMED + symbol % NAMED;
    if (symbol > r->last_array)
        start = (symbol * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - START_BITS) << 8;
    return ((stretch << SYMBOL_BITS) + middle + start + offset) / r->sm->segment;
}

static void add_segment(struct gp_recorder *r, struct gp_trace_access *a, uint64_t segment)
{
    const uint64_t *list = (const uint64_t *)r->segments.items + a->segment;
    for (uint32_t i = a->segment_count; i > 0 && i + 4 > a->segment_count; i--)
        if (list[i - 1] == segment)
            return;
    uint64_t *place = grow(&r->segments, 1);
    if (place == NULL) {
        r->failed = true;
        return;
    }
    *place = segment;
    a->segment_count++;
}

/* Where an operation falls that data decides: within its bound, or anywhere in memory of its own. */
static struct gp_segment_range range_of(struct gp_recorder *r, uint32_t number)
{
    enum { ANYWHERE = 1 << 27 };
    const struct gp_memory *memory = &r->kernel->memory[number];
    const struct gp_scatter *bound = gp_scatter_of(r->bounds, r->kernel, number);
    if (!bound->known || memory->base == 0)
        return (struct gp_segment_range){segment_of(r, ANY_STRETCH, 0), ANYWHERE};
    uint32_t symbol = gp_symbol_of(r->kernel, memory->base), lanes = gp_device_lanes(r->device);
    bool private = memory->space == GP_SPACE_PRIVATE;
    uint64_t low = (uint64_t)(private ? bound->low * lanes : bound->low), bytes = (uint64_t)gp_scatter_warp_bytes(bound, memory, lanes);
    uint64_t first = segment_of(r, symbol, low), last = segment_of(r, symbol, low + (bytes > 0 ? bytes - 1 : 0));
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
    add_segment(r, a, GP_SEGMENT_ANY | r->scattered++);
}

/* A lane's of those on a walk: again the same until it comes to the next one. Lanes begin anywhere in a stretch of neighbours. */
static void add_walked(struct gp_recorder *r, struct gp_trace_access *a, unsigned lane, const struct gp_memory *memory)
{
    enum { START_BIT = 40, LANE_BIT = 34, APART = 37 };
    const uint64_t segment = r->sm->segment, middle = UINT64_C(1) << (LANE_BIT - 1), element = memory->element_bytes;
    if (r->walked.walk == GP_NONE || element == 0 || element > segment) {
        add_scattered(r, a);
        return;
    }
    find_range(r, a->memory);
    uint64_t begin = middle * segment + lane * APART * element % (segment * GP_WALKED_TOGETHER) + (uint64_t)r->walked.at;
    uint64_t name = GP_SEGMENT_ANY | GP_SEGMENT_WALKED | (r->walked.start << START_BIT & (GP_SEGMENT_WALKED - 1)) | (uint64_t)lane << LANE_BIT;
    for (uint64_t s = begin / segment; s <= (begin + element * memory->vector - 1) / segment; s++)
        add_segment(r, a, name | s % (2 * middle));
}

static void add_addresses(struct gp_recorder *r, const struct gp_access *access, struct gp_trace_access *a)
{
    const struct gp_memory *memory = &r->kernel->memory[access->memory];
    uint64_t width = (uint64_t)memory->element_bytes * memory->vector;
    for (gp_mask rest = access->active; rest && !r->failed; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(rest);
        if (access->symbol[lane] == GP_SYMBOL_UNKNOWN) {
            add_walked(r, a, lane, memory);
            continue;
        }
        uint64_t from = segment_of(r, access->symbol[lane], access->offset[lane]);
        uint64_t to = segment_of(r, access->symbol[lane], access->offset[lane] + (width > 0 ? width - 1 : 0));
        for (uint64_t s = from; s <= to && s - from < 16; s++)
            add_segment(r, a, s);
        if (access->uniform)
            break;
    }
}

/* At least one. */
static void add_all_scattered(struct gp_recorder *r, double transactions, struct gp_trace_access *a)
{
    for (double i = 0; i < fmax(1, round(transactions)) && !r->failed; i++)
        add_scattered(r, a);
}

static void add_texels(struct gp_recorder *r, const struct gp_access *access, struct gp_trace_access *a)
{
    struct gp_image_addresses image;
    gp_image_addresses(r->device, r->kernel, access, &image);
    add_addresses(r, &image.access, a);
}

/* Private memory is interleaved by words (docs/memory.md): what a warp touches at one offset is contiguous and its own. */
static void add_private(struct gp_recorder *r, const struct gp_access *access, const struct gp_request *request, struct gp_trace_access *a)
{
    unsigned lane = (unsigned)__builtin_ctzll(access->active);
    uint32_t count = (uint32_t)fmin(64, fmax(1, ceil(request->bytes / r->sm->segment)));
    if (access->symbol[lane] == GP_SYMBOL_UNKNOWN) {
        for (uint32_t i = 0; i < count; i++)
            add_scattered(r, a);
        return;
    }
    uint64_t first = segment_of(r, access->symbol[lane], access->offset[lane] / 4 * 4 * gp_device_lanes(r->device));
    for (uint32_t i = 0; i < count && !r->failed; i++)
        add_segment(r, a, first + i);
}

/* ---- Accesses ---------------------------------------------------------------------------------------------------- */

static bool is_unknown(const struct gp_access *access)
{
    return access->coordinates == 0 && access->symbol[__builtin_ctzll(access->active)] == GP_SYMBOL_UNKNOWN;
}

/* By how many bytes an address moves between two consecutive iterations; negative: not seen, or not known. */
static double step_seen(struct gp_recorder *r, const struct gp_access *access)
{
    const uint32_t walked = UINT32_C(1) << 31; /* not among the few symbols of parameters and arrays, which are what is known of other visits */
    unsigned lane = (unsigned)__builtin_ctzll(access->active);
    uint32_t symbol = access->coordinates > 0 ? access->coordinate_symbol[0][lane] : access->symbol[lane];
    uint64_t offset = access->coordinates > 0 ? access->coordinate[0][lane] * 4 : access->offset[lane];
    if (symbol == GP_SYMBOL_UNKNOWN && r->walked.walk != GP_NONE)
        return gp_steps_see(r->steps, access->memory, walked + (uint32_t)r->walked.start, (uint64_t)r->walked.at);
    if (symbol == GP_SYMBOL_UNKNOWN)
        return -1;
    return gp_steps_see(r->steps, access->memory, symbol, offset);
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
 * Of the iterations that this one stands for, the share of the segments that are new to each. What moves by d bytes an iteration leaves
 * d bytes at one end of each run of neighbouring segments and enters as many at the other.
 */
static double fresh_share(const struct gp_recorder *r, const struct gp_trace_access *a, double step, double weight)
{
    if (!(a->flags & GP_ACCESS_MOVED))
        return step == 0 ? 1 / weight : 1;
    return fmin(1, runs_of(r, a) * step / ((double)r->sm->segment * a->segment_count));
}

static enum gp_path path_of(const struct gp_recorder *r, const struct gp_memory *memory, const struct gp_request *request)
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

static void on_access(void *context, const struct gp_access *access)
{
    const double hardly_met = 0.9;
    struct gp_recorder *r = context;
    const struct gp_memory *memory = &r->kernel->memory[access->memory];
    if (access->active == 0 || r->failed ||
        (gp_arch_is_nvidia(r->device->arch) && gp_inst_has_constant_address(r->kernel, &r->kernel->insts[memory->inst])))
        return;
    struct gp_request q;
    gp_request_memo_cost(r->requests, r->device, access, &q);
    double apart = q.transactions;
    bool bounded = q.guessed && gp_meet_within_bound(r->bounds, r->kernel, access, gp_device_lanes(r->device), &q);
    struct gp_trace_access *a = grow(&r->accesses, 1);
    if (a == NULL) {
        r->failed = true;
        return;
    }
    r->effort += access->coordinates > 0 ? 64 : 16;
    *a = (struct gp_trace_access){.memory = access->memory, .path = (uint8_t)path_of(r, memory, &q), .lanes = (uint16_t)__builtin_popcountll(access->active),
                                  .wavefronts = (float)fmax(1, q.wavefronts), .ideal_wavefronts = (float)fmax(1, q.ideal_wavefronts),
                                  .replays = (float)fmax(0, q.passes - q.ideal_passes), .share = 1,
                                  .segment = (uint32_t)r->segments.count};
    r->walked = is_unknown(access) ? gp_walks_see(r->walks, r->executor, access->memory) : (struct gp_walk_step){.walk = GP_NONE};
    double step = step_seen(r, access);
    a->step = (float)fmax(0, step);
    a->flags |= step > 0 && (gp_steps_jumped(r->steps, access->memory) || access->weight > 1.5) ? GP_ACCESS_MOVED : 0;
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
    if (bounded && (r->walked.walk == GP_NONE || q.transactions < hardly_met * apart)) /* some of the lanes meet */
        add_all_scattered(r, q.transactions, a);
    else if (access->coordinates > 0)
        add_texels(r, access, a);
    else if (memory->space == GP_SPACE_PRIVATE)
        add_private(r, access, &q, a);
    else
        add_addresses(r, access, a);
    if (a->segment_count > 0)
        a->share = (float)fresh_share(r, a, step, access->weight);
    a->ideal_segments = (uint32_t)fmax(1, ceil(a->segment_count * (q.bytes > 0 ? a->ideal_bytes / q.bytes : 1)));
    r->whole += access->weight * a->segment_count;
    note_first(r, a);
}

/* ---- Visits ------------------------------------------------------------------------------------------------------ */

/* An access to a spilled word: four bytes of each lane, side by side, nobody else's. */
static void add_spill(struct gp_recorder *r, bool store, double weight)
{
    const struct gp_kernel *kernel = r->kernel;
    struct gp_visit *visit = grow(&r->visits, 1);
    struct gp_trace_access *a = grow(&r->accesses, 1);
    if (visit == NULL || a == NULL) {
        r->failed = true;
        return;
    }
    uint32_t lanes = gp_device_lanes(r->device), bytes = 4 * lanes, count = (bytes + r->sm->segment - 1) / r->sm->segment;
    float wavefronts = (float)fmax(1, lanes / r->device->lsu_lanes.value);
    *visit = (struct gp_visit){.block = kernel->block_count + !store, .access = (uint32_t)r->accesses.count - 1, .weight = (float)weight, .branch = GP_NONE};
    *a = (struct gp_trace_access){.memory = kernel->memory_count, .path = r->sm->l1.bytes > 0 ? GP_PATH_L1 : GP_PATH_L2,
                                  .flags = (uint8_t)(GP_ACCESS_OWN | (store ? GP_ACCESS_STORE : 0)), .lanes = (uint16_t)lanes,
                                  .wavefronts = wavefronts, .ideal_wavefronts = wavefronts, .bytes = (float)bytes, .ideal_bytes = (float)bytes,
                                  .share = 1, .segment = (uint32_t)r->segments.count, .ideal_segments = count};
    uint64_t first = segment_of(r, SPILLED_STRETCH, (uint64_t)(r->next_word++ % r->spilled_words) * bytes);
    for (uint32_t i = 0; i < count && !r->failed; i++)
        add_segment(r, a, first + i);
}

/* Spilled words are stored and loaded throughout: as many as are due by the instructions so far. */
static void add_spills(struct gp_recorder *r, uint32_t block, double weight)
{
    enum { MOST_AT_ONCE = 8 };
    double *debts[] = {&r->store_debt, &r->load_debt}, rates[] = {r->stores, r->loads};
    for (int load = 0; load <= 1; load++) {
        *debts[load] += (r->block_issue[block] + r->in_line) * rates[load];
        double due = floor(*debts[load]), made = fmin(due, MOST_AT_ONCE);
        for (double i = 0; i < made; i++)
            add_spill(r, !load, weight * due / made);
        *debts[load] -= due;
    }
    r->in_line = 0;
}

static void on_enter(void *context, uint32_t block, gp_mask active, double weight)
{
    struct gp_recorder *r = context;
    gp_divergences_enter(&r->divergences, block, active);
    r->visited += r->block_insts[block];
    r->whole += weight * r->block_insts[block];
    r->instructions += weight * r->block_issue[block];
    r->effort += r->block_insts[block];
    if (r->predication.head[block] != block) { /* a part of the visit of its line */
        r->in_line += r->block_issue[block];
        if (r->visits.count > 0)
            ((struct gp_visit *)r->visits.items)[r->visits.count - 1].instructions += (float)r->block_issue[block];
        return;
    }
    if (r->spilled_words > 0)
        add_spills(r, block, weight);
    struct gp_visit *visit = grow(&r->visits, 1);
    if (visit == NULL) {
        r->failed = true;
        return;
    }
    *visit = (struct gp_visit){.block = block, .access = (uint32_t)r->accesses.count, .weight = (float)weight, .instructions = (float)r->block_issue[block], .branch = GP_NONE};
    double idle;
    const struct gp_divergence *top = gp_divergences_top(&r->divergences, active, &idle);
    if (top != NULL) {
        visit->branch = top->branch;
        visit->idle = (float)idle;
    }
}

static void on_leave(void *context, uint32_t block, gp_mask active, double weight)
{
    struct gp_recorder *r = context;
    (void)block, (void)active, (void)weight;
    if (r->failed)
        return;
    struct gp_trace_access *accesses = r->accesses.items;
    size_t first = ((const struct gp_visit *)r->visits.items)[r->visits.count - 1].access;
    float together = 0;
    for (size_t i = first; i < r->accesses.count; i++)
        together += (float)accesses[i].segment_count;
    for (size_t i = first; i < r->accesses.count; i++)
        accesses[i].together = together;
}

static void on_diverge(void *context, uint32_t branch, gp_mask taken, gp_mask not_taken, double weight)
{
    struct gp_recorder *r = context;
    (void)weight;
    if (branch < r->kernel->branch_count)
        gp_divergences_add(&r->divergences, branch, r->kernel->blocks[r->branch_block[branch]].ipdom, taken | not_taken);
}

static void on_skip(void *context, uint32_t loop, uint64_t left_out)
{
    (void)left_out;
    gp_steps_skip(((struct gp_recorder *)context)->steps, loop);
}

static bool record_warp(struct gp_recorder *r, const struct gp_launch *launch, const uint64_t group[3], uint32_t warp, struct gp_error *error)
{
    struct gp_observer observer = {.context = r, .enter = on_enter, .access = on_access, .leave = on_leave, .diverge = on_diverge, .skip = on_skip};
    struct gp_exec_options options = {.warp_width = gp_device_lanes(r->device), .coarse = r->coarse, .fine = r->fine, .exhaustive = r->exhaustive, .max_block_visits = r->most_visits};
    struct gp_exec_result result;
    struct place *place = grow(&r->places, 1);
    if (place == NULL)
        return gp_fail(error, "out of memory");
    *place = (struct place){r->visits.count, r->accesses.count, r->segments.count};
    gp_steps_start(r->steps);
    gp_walks_start(r->walks);
    memset(r->first_segment, 0, r->kernel->memory_count * sizeof *r->first_segment);
    r->divergences.count = 0;
    uint64_t items = 1;
    for (int d = 0; d < 3; d++)
        items *= launch->global[d] - group[d] * launch->local[d] < launch->local[d] ? launch->global[d] - group[d] * launch->local[d] : launch->local[d];
    if ((uint64_t)warp * options.warp_width >= items)
        return true; /* a partial group has no such warp */
    if (!gp_execute_warp(r->executor, launch, group, warp, &options, &observer, &result, error))
        return false;
    return !r->failed || gp_fail(error, "out of memory");
}

/* ---- Groups and warps -------------------------------------------------------------------------------------------- */

static void group_at(uint64_t index, const uint64_t groups[3], uint64_t group[3])
{
    group[0] = index % groups[0];
    group[1] = index / groups[0] % groups[1];
    group[2] = index / groups[0] / groups[1];
}

static uint64_t index_of(const uint64_t group[3], const uint64_t groups[3]) { return group[0] + groups[0] * (group[1] + groups[1] * group[2]); }

/*
 * Warps after which where they access repeats, moved on: those of a row of the group; where there are images, of the rows of a block of texels, if so many can be executed.
 * 1: each lies a step behind the one before.
 */
static uint32_t period_of(const struct gp_recorder *r, const struct gp_launch *launch, uint32_t lanes, uint32_t warps, uint32_t most)
{
    enum { BLOCK_ROWS = 4 };
    uint32_t row = launch->local[0], in_row = row % lanes == 0 ? row / lanes : 1, period = in_row;
    if (row % lanes != 0 && lanes % row != 0)
        return 1;
    if (r->has_images)
        period = row < lanes ? (lanes / row < BLOCK_ROWS ? BLOCK_ROWS / (lanes / row) : 1) : BLOCK_ROWS * in_row;
    while (period > in_row && period + 1 > most)
        period /= 2;
    return period + 1 > most || period >= warps ? 1 : period;
}

/* Warps of a group that are executed: those of a period and the next; where there is none the first two, the last, evenly between. */
static uint32_t choose_warps(uint32_t warps, uint32_t most, uint32_t period, uint32_t chosen[MOST_WARPS])
{
    uint32_t count = warps < most ? warps : most;
    if (period > 1 && count < warps)
        count = period + 1;
    for (uint32_t i = 0; i < count; i++)
        chosen[i] = i < 2 || period > 1 ? i : 1 + (uint32_t)((uint64_t)(warps - 2) * (i - 1) / (count - 2));
    return count;
}

/* All of them where that costs little: which segments rows of a group share, a step from one warp to the next does not show. */
static uint32_t most_warps(double length) { return (uint32_t)fmin(MOST_WARPS, fmax(FEW_WARPS, SHORT_TRACES / fmax(1, length))); }

static bool are_related(uint64_t from, uint64_t to) { return from != 0 && to != 0 && from >> (SYMBOL_BITS - 8) == to >> (SYMBOL_BITS - 8); }

/* elsewhere: segments to where the next one may be whose place was loaded; further than any row is long. */
static void note_steps(const struct gp_recorder *r, int64_t *steps, int64_t elsewhere)
{
    for (uint32_t m = 0; m < r->kernel->memory_count; m++) {
        uint64_t from = r->origin[m], to = r->first_segment[m];
        steps[m] = are_related(from, to) ? (int64_t)(to - from) : from != 0 && to != 0 ? elsewhere : 0;
    }
}

/* Neighbouring groups' distance, where their accesses are based on an array: made-up symbols are the same in all groups, what they mean is not. */
static void note_neighbours(const struct gp_recorder *r)
{
    uint64_t end = segment_of(r, r->last_array + 1, 0) - ((uint64_t)1 << (SYMBOL_BITS - 1)) / r->sm->segment;
    note_steps(r, r->neighbour_step, 0);
    for (uint32_t m = 0; m < r->kernel->memory_count; m++)
        r->neighbour_known[m] = are_related(r->origin[m], r->first_segment[m]) && r->origin[m] < end;
}

/* Pointers into the arrays, now that these do not move any more. */
static bool finish_traces(struct gp_recorder *r)
{
    struct place *place = r->places.items;
    size_t count = r->places.count;
    struct gp_trace *traces = grow(&r->traces, count);
    if (traces == NULL)
        return false;
    for (size_t t = 0; t < count; t++) {
        size_t visits = t + 1 < count ? place[t + 1].visit : r->visits.count, accesses = t + 1 < count ? place[t + 1].access : r->accesses.count;
        traces[t] = (struct gp_trace){(const struct gp_visit *)r->visits.items + place[t].visit, (uint32_t)(visits - place[t].visit),
                                      (const struct gp_trace_access *)r->accesses.items, (uint32_t)accesses, r->segments.items};
    }
    return true;
}

/* Every warp of every row: the executed trace nearest below it, or of its place in the period, so many steps on. */
static bool fill_rows(struct gp_recorder *r, uint32_t rows, uint32_t executed_rows, uint32_t warps, const uint32_t *chosen, uint32_t chosen_count, uint32_t period)
{
    struct gp_sim_warp *list = grow(&r->warps, (size_t)rows * warps);
    if (list == NULL)
        return false;
    const struct gp_trace *traces = r->traces.items;
    for (uint32_t row = 0; row < rows; row++)
        for (uint32_t w = 0, c = 0; w < warps; w++) {
            while (c + 1 < chosen_count && chosen[c + 1] <= w)
                c++;
            if (period > 1 && w > chosen[c])
                c = w % period;
            uint32_t base = row % executed_rows;
            list[(size_t)row * warps + w] = (struct gp_sim_warp){&traces[base * chosen_count + c], (int32_t)(row - base), (int32_t)((w - chosen[c]) / period)};
        }
    return true;
}

static void count_issue(struct gp_recorder *r)
{
    const struct gp_kernel *kernel = r->kernel;
    struct gp_cost costs[GP_CLASS_COUNT];
    gp_cost_table(r->device, costs, NULL);
    gp_machine_code_factors(kernel, r->device, costs, r->code_factors);
    bool scalar_unit = r->device->scalar_unit.value > 0, nvidia = gp_arch_is_nvidia(r->device->arch);
    for (uint32_t b = 0; b < kernel->block_count; b++) {
        r->block_issue[b] = 0;
        for (uint32_t i = kernel->blocks[b].inst; i < kernel->blocks[b].inst + kernel->blocks[b].inst_count; i++) {
            const struct gp_inst *inst = &kernel->insts[i];
            bool operand = nvidia && gp_inst_accesses(inst) && gp_inst_has_constant_address(kernel, inst);
            if (!operand && !(scalar_unit && gp_inst_runs_on_scalar_unit(inst)))
                r->block_issue[b] += gp_cost_in_code(costs[inst->cost], r->code_factors[b]).issue * inst->repeat;
        }
    }
}

static void start(struct gp_recorder *r, const struct gp_device *device, const struct gp_sm *sm, const struct gp_record_options *options)
{
    uint32_t memory = r->kernel->memory_count;
    r->visits.count = r->accesses.count = r->segments.count = r->traces.count = r->places.count = r->warps.count = 0;
    memset(r->group_step, 0, memory * sizeof *r->group_step);
    memset(r->warp_step, 0, memory * sizeof *r->warp_step);
    memset(r->neighbour_step, 0, memory * sizeof *r->neighbour_step);
    memset(r->neighbour_known, 0, memory * sizeof *r->neighbour_known);
    memset(r->ranges, 0, memory * sizeof *r->ranges); /* another device has other segments */
    memset(r->origin, 0, memory * sizeof *r->origin);
    r->device = device;
    r->sm = sm;
    r->scattered = 0;
    r->visited = r->instructions = r->whole = 0;
    r->effort = 0;
    r->exhaustive = options->exhaustive;
    r->most_visits = options->exhaustive ? 0 : MOST_VISITS;
    r->coarse = r->failed = false;
    r->fine = true;
    count_issue(r);
    double spread = fmax(1, options->instructions);
    r->stores = options->spill_store_bytes / 4 / spread;
    r->loads = options->spill_load_bytes / 4 / spread;
    r->store_debt = r->load_debt = r->in_line = 0;
    r->spilled_words = options->spill_store_bytes + options->spill_load_bytes > 0 ? (uint32_t)ceil(fmax(4, options->spill_slot_bytes) / 4) : 0;
    r->next_word = 0;
}

/* How far a group's accesses lie from those of the first recorded one: of the SM's next group, or of the launch's. *executed: instructions of its first warp. */
static bool see_steps(struct gp_recorder *r, const struct gp_launch *launch, uint64_t index, const uint64_t groups[3], bool neighbour, double *executed,
                      struct gp_error *error)
{
    size_t visits = r->visits.count, accesses = r->accesses.count, segments = r->segments.count, places = r->places.count;
    double visited = r->visited, instructions = r->instructions;
    uint64_t group[3];
    group_at(index, groups, group);
    if (!record_warp(r, launch, group, 0, error))
        return false;
    if (neighbour)
        note_neighbours(r);
    else
        note_steps(r, r->group_step, ANOTHER_GROUP);
    r->visits.count = visits, r->accesses.count = accesses, r->segments.count = segments, r->places.count = places;
    *executed = r->instructions - instructions;
    r->visited = visited, r->instructions = instructions;
    return true;
}

/* The same from a group to one beside it that executes as much; where there is none, nothing is known. */
static bool see_alike(struct gp_recorder *r, const struct gp_launch *launch, const uint64_t group[3], const uint64_t groups[3], double instructions, struct gp_error *error)
{
    uint64_t apart = 1;
    for (int d = 0; d < 3; apart *= groups[d], d++) {
        if (groups[d] < 2)
            continue;
        uint64_t index = index_of(group, groups), beside = group[d] + 1 < groups[d] ? index + apart : index - apart;
        double executed;
        if (!see_steps(r, launch, beside, groups, false, &executed, error))
            return false;
        if (fabs(executed - instructions) < 0.1 * instructions)
            return true;
    }
    memset(r->group_step, 0, r->kernel->memory_count * sizeof *r->group_step);
    return true;
}

static double length_of(const struct gp_recorder *r) { return r->visited + 0.5 * (double)r->segments.count; }

static bool start_over(struct gp_recorder *r, const struct gp_launch *launch, const uint64_t group[3], uint32_t warp, struct gp_error *error)
{
    r->visits.count = r->accesses.count = r->segments.count = r->places.count = 0;
    r->visited = r->instructions = r->whole = 0;
    return record_warp(r, launch, group, warp, error);
}

/*
 * How many iterations traces show is decided by the first, which is recorded again: with all of them where simulating them is affordable; with
 * fewer of each loop where it is long, since long traces are dear to record and dear to simulate.
 */
static bool choose_iterations(struct gp_recorder *r, const struct gp_launch *launch, const uint64_t group[3], uint32_t warp, double affordable,
                              struct gp_error *error)
{
    if (!r->exhaustive && r->visited < r->whole && r->whole <= fmin(affordable, WHOLE_TRACE)) {
        r->exhaustive = true;
        return start_over(r, launch, group, warp, error);
    }
    while (!r->exhaustive && !r->coarse && length_of(r) > (r->fine ? FINE_TRACE : LONG_TRACE)) {
        r->coarse = !r->fine || length_of(r) > VERY_LONG_TRACE;
        r->fine = false;
        if (!start_over(r, launch, group, warp, error))
            return false;
    }
    return true;
}

/* The group in the middle of each dimension: half of all groups on begins a row or a plane, an edge, where a kernel may do little. */
static uint64_t middle_group(const uint64_t groups[3]) { return groups[0] / 2 + groups[0] * (groups[1] / 2 + groups[1] * (groups[2] / 2)); }

bool gp_record(struct gp_recorder *r, const struct gp_device *device, const struct gp_sm *sm, const struct gp_launch *launch,
               const struct gp_record_options *options, struct gp_recording *recording, struct gp_error *error)
{
    uint32_t rows = options->rows;
    uint64_t groups[3], total = gp_launch_groups(launch, groups), first = options->like != NULL ? index_of(options->like, groups) : middle_group(groups);
    uint32_t lanes = gp_device_lanes(device), items = (uint32_t)gp_launch_group_items(launch);
    uint32_t warps = (items + lanes - 1) / lanes, chosen[MOST_WARPS];
    uint32_t executed_rows = options->like != NULL ? 1 : rows < MOST_ROWS ? rows : MOST_ROWS;
    gp_predication_free(&r->predication);
    if (!gp_predication_find(r->kernel, device, &r->predication))
        return gp_fail(error, "out of memory");
    gp_scatter_take_sizes(r->bounds, r->kernel, launch);
    start(r, device, sm, options);
    uint32_t chosen_count = choose_warps(warps, 1, 1, chosen), period = 1, runs = 0;
    bool very_long = false;
    double first_warp = 0, ignored;
    double least = INFINITY, most = 0;
    for (uint32_t row = 0; row < executed_rows; row++) {
        uint64_t group[3];
        double before = row == 0 ? 0 : r->instructions;
        group_at((first + row * (uint64_t)options->sms) % total, groups, group);
        for (uint32_t c = 0; c < chosen_count; c++, runs++) {
            if (!record_warp(r, launch, group, chosen[c], error))
                return false;
            if (row == 0 && c == 0) {
                memcpy(r->origin, r->first_segment, r->kernel->memory_count * sizeof *r->origin);
                if (!choose_iterations(r, launch, group, chosen[c], options->affordable, error))
                    return false;
                first_warp = r->instructions;
                double length = length_of(r);
                very_long = length > VERY_LONG_TRACE;
                executed_rows = very_long ? 1 : r->coarse && executed_rows > 2 ? 2 : executed_rows;
                uint32_t fewest = items % lanes == 0 ? 2 : 3; /* a partial last warp is like no other */
                uint32_t most_chosen = very_long ? fewest : r->coarse ? 4 : most_warps(length);
                period = options->uneven_warps ? 1 : period_of(r, launch, lanes, warps, most_chosen);
                chosen_count = choose_warps(warps, most_chosen, period, chosen);
            } else if (row == 0 && c == period) {
                note_steps(r, r->warp_step, ANOTHER_WARP);
            } else if (row == 1 && c == 0) {
                note_steps(r, r->group_step, ANOTHER_GROUP);
            }
        }
        least = fmin(least, (r->instructions - before) / chosen_count);
        most = fmax(most, (r->instructions - before) / chosen_count);
    }
    if (options->like != NULL && rows > 1 && !see_alike(r, launch, options->like, groups, first_warp, error))
        return false;
    if (options->like == NULL && very_long && rows > 1 && !see_steps(r, launch, (first + (uint64_t)options->sms) % total, groups, false, &ignored, error))
        return false;
    if (sm->channels > 1 && total > 1 && !see_steps(r, launch, (first + 1) % total, groups, true, &ignored, error))
        return false;
    if (!finish_traces(r) || !fill_rows(r, rows, executed_rows, warps, chosen, chosen_count, period))
        return gp_fail(error, "out of memory");
    *recording = (struct gp_recording){.warps = r->warps.items, .rows = rows, .warps_per_group = warps, .group_step = r->group_step,
                                       .warp_step = r->warp_step, .neighbour_step = r->neighbour_step, .neighbour_known = r->neighbour_known,
                                       .ranges = r->ranges, .visited = r->visited / runs, .accesses = (double)r->accesses.count / runs,
                                       .segments = (double)r->segments.count / runs,
                                       .instructions = r->instructions / runs, .least = least, .most = most, .effort = r->effort};
    return true;
}
