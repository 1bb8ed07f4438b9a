/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/timing/cpu_locality.h"

#include <math.h>
#include <stdlib.h>

#include "model/cache/cpu_caches.h"
#include "model/memory/scatter.h"
#include "model/value/value.h"
#include "support/random.h"

enum {
    LANES = GP_MAX_LANES, /* work-items executed together; their accesses are then told one work-item after the other */
    MOST_EVENTS = 4096,   /* of these: what a work-item does behind them is taken to be as what it did */
    MOST_VISITS = 16384,  /* blocks, likewise */
    MOST_ITEMS = 32768,   /* of the launch: several rows of groups of most */
    MOST_TOUCHES = 131072,
    MOST_INSTRUCTIONS = 32768, /* of LANES work-items each */
    LINE = 64,
    TAKEN_TOGETHER = 32, /* groups that follow one another, which PoCL's threads take at least */
    SYMBOL_BITS = 44     /* of an address: where a buffer's own begins */
};

struct event {
    uint32_t memory;
    gp_mask active;
    uint64_t address[LANES];
};

struct walk {
    const struct gp_kernel *kernel;
    const struct gp_launch *launch;
    struct gp_cpu_caches *caches;
    struct gp_written_lines written;
    uint64_t group;                 /* that is being executed */
    struct gp_cpu_touches *touches; /* [memory operation] */
    struct event *events;
    uint32_t count;
    uint64_t items, told; /* work-items that a guard does not stop, accesses so far */
    double instructions;
    struct gp_scatter *bounds; /* [memory operation] */
    uint64_t reach;            /* bytes that addresses nobody knows are spread over, where nothing bounds them */
    uint64_t random;
};

/* Bytes of its buffer that what data moves an address by may be anything of: those that the index or the buffer's size
 * leaves, else the last cache's. */
static uint64_t reach_of(struct walk *w, uint32_t memory, uint64_t *low)
{
    const struct gp_scatter *bound = gp_scatter_of(w->bounds, w->kernel, memory);
    *low = bound->known && bound->low > 0 ? (uint64_t)bound->low : 0;
    return bound->known && bound->bytes >= 1 ? (uint64_t)bound->bytes : w->reach;
}

/* Buffers begin with a page. What data moves an address by is the same wherever its symbol stands. */
static uint64_t address_of(struct walk *w, const struct gp_access *access, uint32_t lane)
{
    const struct gp_memory *memory = &w->kernel->memory[access->memory];
    uint32_t symbol = access->symbol[lane], own = gp_symbol_of(w->kernel, memory->base);
    uint64_t start = (uint64_t)(own != GP_SYMBOL_UNKNOWN ? own : 0) << SYMBOL_BITS, low;
    uint64_t within = ((uint64_t)1 << SYMBOL_BITS) - 1;
    if (symbol != GP_SYMBOL_UNKNOWN && !gp_symbol_name_is_loaded(symbol))
        return ((uint64_t)symbol << SYMBOL_BITS) + (gp_access_offset(access, lane) & within);
    uint64_t most = reach_of(w, access->memory, &low);
    w->touches[access->memory].anywhere = (double)most;
    if (symbol == GP_SYMBOL_UNKNOWN)
        return start + low + (gp_next_random(&w->random) >> 24) % most / memory->element_bytes * memory->element_bytes;
    uint64_t drawn = symbol * UINT64_C(0x9e3779b97f4a7c15) >> 20; /* the golden ratio's bits */
    return start + ((drawn * LINE % most + gp_access_offset(access, lane)) & within);
}

static void note(void *context, const struct gp_access *access)
{
    struct walk *w = context;
    if (access->coordinates > 0 || w->count == MOST_EVENTS)
        return;
    struct event *event = &w->events[w->count++];
    event->memory = access->memory;
    event->active = access->active;
    for (uint32_t lane = 0; lane < LANES; lane++)
        if (access->active >> lane & 1)
            event->address[lane] = address_of(w, access, lane);
}

static void note_write(struct walk *w, uint64_t line, struct gp_cpu_touches *touches)
{
    if (!gp_write_line(&w->written, line, w->group))
        return;
    touches->contended++;
    touches->turns += touches->accesses == 0 || touches->last / LINE != line;
}

static void tell(struct walk *w)
{
    for (uint32_t lane = 0; lane < LANES; lane++)
        for (uint32_t e = 0; e < w->count; e++) {
            const struct event *event = &w->events[e];
            const struct gp_memory *memory = &w->kernel->memory[event->memory];
            if (!(event->active >> lane & 1))
                continue;
            struct gp_cpu_touches *touches = &w->touches[event->memory];
            if (gp_memory_writes(memory) && memory->space == GP_SPACE_GLOBAL)
                note_write(w, event->address[lane] / LINE, touches);
            gp_cpu_touch(w->caches, event->address[lane], (uint32_t)memory->element_bytes * memory->vector, touches);
            w->told++;
        }
}

/* Of what may be looked at, how much was. */
static double progress(const struct walk *w)
{
    return fmax(w->instructions / MOST_INSTRUCTIONS,
                fmax((double)w->items / MOST_ITEMS, (double)w->told / MOST_TOUCHES));
}

static bool is_done(const struct walk *w) { return progress(w) >= 1; }

static bool run_group(struct walk *w, struct gp_executor *executor, const struct gp_launch *launch,
                      const uint64_t group[3], struct gp_error *error)
{
    const struct gp_exec_options options = {.warp_width = LANES, .exhaustive = true, .max_block_visits = MOST_VISITS};
    const struct gp_observer observer = {.context = w, .access = note};
    uint64_t items = gp_launch_group_items(launch);
    for (uint32_t warp = 0; (uint64_t)warp * LANES < items && !is_done(w); warp++) {
        struct gp_exec_result result;
        w->count = 0;
        if (!gp_execute_warp(executor, launch, group, warp, &options, &observer, &result, error))
            return false;
        tell(w);
        w->items += w->count > 0 ? LANES : 0;
        w->instructions += result.instructions;
    }
    return true;
}

/* What was missing while the caches filled is no part of what follows. */
static void forget_counts(struct walk *w)
{
    for (uint32_t m = 0; m < w->kernel->memory_count; m++) {
        struct gp_cpu_touches *t = &w->touches[m];
        t->accesses = t->l1 = t->crowded = t->l2 = t->streamed = t->pages = t->queued = t->queued_l2 = t->contended =
            t->turns = 0;
    }
}

/* From a group on, until the amount is reached; at a share of it what was counted is forgotten (0: never). */
static bool run_from(struct walk *w, struct gp_executor *executor, const struct gp_launch *launch, uint64_t first,
                     double forgotten_at, struct gp_error *error)
{
    uint64_t grid[3], groups = gp_launch_groups(launch, grid);
    bool warm = forgotten_at <= 0;
    for (uint64_t g = first; g < groups && !is_done(w); g++) {
        w->group = g;
        const uint64_t group[3] = {g % grid[0], g / grid[0] % grid[1], g / grid[0] / grid[1]};
        if (!run_group(w, executor, launch, group, error))
            return false;
        if (!warm && progress(w) >= forgotten_at && !is_done(w)) {
            forget_counts(w);
            warm = true;
        }
    }
    return true;
}

/* From the middle of the launch on, unless that is too little: then all, in caches that the same launch before has left
 * or, cold, in empty ones. */
static bool run_groups(struct walk *w, struct gp_executor *executor, const struct gp_launch *launch,
                       struct gp_error *error)
{
    uint64_t grid[3], groups = gp_launch_groups(launch, grid), items = gp_launch_group_items(launch);
    if (groups * items > MOST_ITEMS)
        return run_from(w, executor, launch, (groups - MOST_ITEMS / (items < MOST_ITEMS ? items : MOST_ITEMS)) / 2, 0.5,
                        error);
    if (!launch->cold && !run_from(w, executor, launch, 0, 0, error))
        return false;
    forget_counts(w);
    w->items = w->told = 0;
    w->instructions = 0;
    return run_from(w, executor, launch, 0, 0, error);
}

static void keep(const struct walk *w, struct gp_work *work)
{
    for (uint32_t m = 0; m < w->kernel->memory_count; m++) {
        const struct gp_cpu_touches *t = &w->touches[m];
        double n = t->accesses;
        work->memory[m].core = n > 0 ? (struct gp_core_misses){.known = true,
                                                               .l1 = t->l1 / n,
                                                               .crowded = t->crowded / n,
                                                               .l2 = t->l2 / n,
                                                               .streamed = t->streamed / n,
                                                               .pages = t->pages / n,
                                                               .queued = t->queued / n,
                                                               .queued_l2 = t->queued_l2 / n,
                                                               .anywhere = t->anywhere,
                                                               .contended = t->contended / n,
                                                               .turns = t->turns / n,
                                                               .contended_lines = w->written.shared}
                                     : (struct gp_core_misses){.known = false};
    }
}

/* Images are not looked up. */
static bool has_memory(const struct gp_kernel *kernel)
{
    for (uint32_t m = 0; m < kernel->memory_count; m++)
        if (kernel->memory[m].space != GP_SPACE_IMAGE)
            return true;
    return false;
}

/* Groups that different cores run are so many numbers apart, unless they are too few. */
static uint64_t apart_of(const struct gp_launch *launch)
{
    uint64_t grid[3], walked = MOST_ITEMS / gp_launch_group_items(launch), groups = gp_launch_groups(launch, grid);
    uint64_t half = (groups < walked ? groups : walked) / 2;
    return half > TAKEN_TOGETHER ? TAKEN_TOGETHER : half > 1 ? half : 1;
}

bool gp_cpu_walk(struct gp_executor *executor, const struct gp_kernel *kernel, const struct gp_device *device,
                 const struct gp_launch *launch, struct gp_work *work, struct gp_error *error)
{
    if (!has_memory(kernel))
        return true;
    struct walk w = {.kernel = kernel,
                     .launch = launch,
                     .caches = gp_cpu_caches_new(device),
                     .touches = calloc(kernel->memory_count + 1, sizeof *w.touches),
                     .bounds = calloc(kernel->memory_count + 1, sizeof *w.bounds),
                     .events = malloc(MOST_EVENTS * sizeof *w.events),
                     .reach = device->llc_size.value > 4096 ? (uint64_t)device->llc_size.value : 4096,
                     .random = 1};
    gp_written_lines_init(&w.written, MOST_ITEMS, apart_of(launch));
    gp_scatter_take_sizes(w.bounds, kernel, launch);
    bool ok = run_groups(&w, executor, launch, error);
    if (ok)
        keep(&w, work);
    gp_cpu_caches_free(w.caches);
    gp_written_lines_free(&w.written);
    free(w.bounds);
    free(w.touches);
    free(w.events);
    return ok;
}
