/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/findings/bottlenecks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/value/inst_facts.h"
#include "model/findings/access_groups.h"
#include "model/findings/causes.h"
#include "model/findings/cuda_words.h"
#include "model/compilers/inst_cost.h"

/* AMD's compilers make squares of pow(x, 2) themselves (LLVM's AMDGPULibCalls.cpp, fold_pow()); code for no device in
 * particular still calls. */
static bool compiler_multiplies(const struct gp_finder *f)
{
    const struct gp_kernel *kernel = f->in->kernel;
    bool squares = gp_arch_is_amd(f->in->conditions->device->arch);
    for (uint32_t i = 0; squares && i < kernel->inst_count; i++)
        squares = gp_inst_path(&kernel->insts[i]) != GP_NARROW_POWER ||
                  kernel->insts[i].repaired_repeat <= kernel->insts[i].repeat;
    return squares;
}

static uint32_t first_on(const struct gp_kernel *kernel, enum gp_narrow_path path)
{
    uint32_t i = 0;
    while (i < kernel->inst_count && gp_inst_path(&kernel->insts[i]) != path)
        i++;
    return i < kernel->inst_count ? i : GP_NONE;
}

static void try_path(struct gp_finder *f, enum gp_narrow_path path)
{
    if (f->in->work->paths[path].before.issue <= 0 || (path == GP_NARROW_POWER && compiler_multiplies(f)))
        return;
    gp_repair_reset(&f->repair);
    gp_repair_paths(f, 1u << path);
    struct gp_bottleneck *b = gp_finder_record(f, path == GP_NARROW_ELEMENT ? GP_CAUSE_SPILL : GP_CAUSE_THROUGHPUT,
                                               first_on(f->in->kernel, path));
    if (b != NULL)
        gp_describe_narrow_path(f->in, path, b);
}

/* What could not be known: no repair, so no speed-up; placed where most of it is. */
static void note_guesses(struct gp_finder *f)
{
    const struct gp_work *work = f->in->work;
    uint32_t place = GP_NONE;
    double most = 0, requests = 0, of = 0,
           guessed = work->instructions > 0 ? work->guessed_instructions / work->instructions : 0;
    for (uint32_t m = 0; m < work->memory_count; m++) {
        of += work->memory[m].requests;
        requests += work->memory[m].guessed;
        if (work->memory[m].guessed > most) {
            most = work->memory[m].guessed;
            place = f->in->kernel->memory[m].inst;
        }
    }
    struct gp_prediction *p = f->prediction;
    if ((guessed < 0.05 && most < 0.05) || p->bottleneck_count == GP_MAX_BOTTLENECKS)
        return;
    struct gp_bottleneck *b = &p->bottlenecks[p->bottleneck_count++];
    *b = (struct gp_bottleneck){
        .cause = GP_CAUSE_DATA_DEPENDENT, .inst = place, .speedup = 1, .location = gp_inst_place(f->in->kernel, place)};
    char instructions[40] = "", of_memory[80] = "";
    if (guessed >= 0.005)
        snprintf(instructions, sizeof instructions, "%.0f%% of the instructions", 100 * guessed);
    if (requests >= 0.05)
        snprintf(of_memory, sizeof of_memory, "%.*f of %.*f memory requests per %s", requests < 10, requests, of < 10,
                 of, gp_warp_word(f));
    snprintf(b->measure, sizeof b->measure, "data-dependent: %s%s%s rest on guesses", instructions,
             *instructions && *of_memory ? " and " : "", of_memory);
}

static int by_worth(const void *a, const void *b)
{
    const struct gp_bottleneck *x = a, *y = b;
    double of_x = gp_bottleneck_worth(x), of_y = gp_bottleneck_worth(y);
    if (of_x != of_y)
        return of_x < of_y ? 1 : -1;
    if (x->cause != y->cause)
        return (int)x->cause - (int)y->cause;
    return x->inst < y->inst ? -1 : x->inst > y->inst;
}

/* A device that is mostly idle comes before what its few groups wait for, unless that gains clearly more. */
static void put_idle_sms_first(const struct gp_finder *f)
{
    struct gp_bottleneck *list = f->prediction->bottlenecks;
    for (uint32_t i = 1; (gp_leaves_sms_idle(f) || gp_waits_for_longest(f)) && i < f->prediction->bottleneck_count;
         i++) {
        struct gp_bottleneck tail = list[i];
        if (tail.cause != GP_CAUSE_TAIL || tail.share < 0.95 * gp_bottleneck_worth(&list[0]))
            continue;
        memmove(&list[1], &list[0], i * sizeof *list);
        list[0] = tail;
    }
}

/* Of all causes that somebody can repair the largest gain of one alone; 1: none gains anything. */
static double most_alone(const struct gp_prediction *p)
{
    double most = 1;
    for (uint32_t i = 0; i < p->bottleneck_count; i++)
        if (!gp_cause_is_a_limit(p->bottlenecks[i].cause))
            most = fmax(most, p->bottlenecks[i].speedup);
    return most;
}

/*
 * All causes that were found, repaired at once: what each gains alone does not add up. Nobody repairs a second one that
 * makes the first worth less, as special functions at the rate of FP32 are where that is what is busiest without
 * conversions.
 */
static void repair_all(struct gp_finder *f)
{
    struct gp_prediction *p = f->prediction;
    struct gp_timing timing;
    uint32_t repaired = 0;
    bool fills = false;
    p->repaired_all_ns = 0;
    gp_repair_reset(&f->repair);
    for (uint32_t i = 0; i < p->bottleneck_count; i++) {
        bool limit = gp_cause_is_a_limit(p->bottlenecks[i].cause),
             last = p->bottlenecks[i].cause == GP_CAUSE_LOCAL_SIZE; /* gp_fill_warps() comes after all others */
        if (!limit && !last)
            gp_repair_again(f, &p->bottlenecks[i]);
        fills |= last;
        repaired += !limit;
    }
    if (fills)
        gp_repair_everywhere(f, GP_CAUSE_LOCAL_SIZE);
    if (repaired < 2)
        return;
    f->in->timer(f->in->timer_context, &f->repair.work, &f->repair.conditions, &timing);
    p->repaired_all_ns =
        fmin(timing.cycles, f->in->timing->cycles / most_alone(p)) / f->in->conditions->clock_mhz * 1e3;
}

void gp_time_without(const struct gp_bottleneck_inputs *inputs, uint32_t causes, struct gp_timing *timing)
{
    struct gp_finder f = {.in = inputs};
    gp_repair_begin(&f.repair, inputs->work, inputs->conditions);
    for (int cause = 0; cause < GP_CAUSE_COUNT; cause++)
        if (causes >> cause & 1)
            gp_repair_everywhere(&f, (enum gp_cause)cause);
    inputs->timer(inputs->timer_context, &f.repair.work, &f.repair.conditions, timing);
    gp_repair_end(&f.repair);
}

static void try_source(struct gp_finder *f)
{
    bool has_arrays = f->in->conditions->device->arch != GP_ARCH_CPU;
    gp_try_memory_causes(f);
    gp_try_divergence(f);
    for (uint32_t p = 0; has_arrays && p < f->in->kernel->private_count; p++)
        gp_try_private(f, p);
    if (has_arrays)
        gp_try_kept_values(f);
    for (uint32_t a = 0; has_arrays && a < f->in->kernel->local_count; a++)
        gp_try_table(f, a);
    gp_try_product(f);
    for (int path = 0; path < GP_NARROW_COUNT; path++)
        try_path(f, (enum gp_narrow_path)path);
}

/* Seldom any, so their descriptions are made in a second search. */
static void tell(struct gp_finder *f, bool any)
{
    f->telling_hidden = any;
    if (any)
        try_source(f);
    f->telling_hidden = false;
    gp_drop_told(f);
}

static void say_in_sources_words(const struct gp_finder *f)
{
    struct gp_prediction *p = f->prediction;
    for (uint32_t i = 0; gp_speaks_cuda(f) && i < p->bottleneck_count; i++) {
        gp_say_in_cuda(p->bottlenecks[i].measure, sizeof p->bottlenecks[i].measure);
        gp_say_in_cuda(p->bottlenecks[i].advice, sizeof p->bottlenecks[i].advice);
    }
}

/* Causes that gain nothing alone. */
static void tell_hidden(struct gp_finder *f)
{
    tell(f, gp_find_in_cache(f));
    tell(f, gp_find_hidden(f));
}

/* With how much of a unit's peak its rate is headroom's to tell, and no cause. */
static const double AT_PEAK = 0.9;

/* Whether DRAM and L2 move hardly more than the bytes that must move: no repair makes these fewer. What keeps such a
 * launch from its roof is told by itself (a float for each work-item of an H200: latency). A CPU's caches move lines.
 */
static bool moves_the_fewest(const struct gp_finder *f)
{
    const double hardly_more = 1.1;
    const struct gp_headroom *h = &f->prediction->headroom;
    double moving_ns = fmax(h->share[GP_LIMITER_DRAM], h->share[GP_LIMITER_L2]) * f->prediction->time_ns;
    return f->in->conditions->device->arch != GP_ARCH_CPU && moving_ns <= hardly_more * h->moving_ns;
}

static bool is_unrepairable(const struct gp_finder *f, const struct gp_bottleneck *b)
{
    const struct gp_headroom *h = &f->prediction->headroom;
    double gain = fmax(b->speedup, b->speedup_beside);
    if (b->cause == GP_CAUSE_BANDWIDTH)
        return h->at_roof || fmax(h->share[GP_LIMITER_DRAM], h->share[GP_LIMITER_L2]) >= AT_PEAK || moves_the_fewest(f);
    return h->at_roof && gain <= h->headroom * GP_WORTH_TELLING; /* more only under another condition */
}

static uint32_t count_repairable(const struct gp_prediction *p, uint32_t count)
{
    uint32_t repairable = 0;
    for (uint32_t i = 0; i < count; i++)
        repairable += !gp_cause_is_a_limit(p->bottlenecks[i].cause);
    return repairable;
}

/* What gains more as it stands: the launch is not at its roof. */
static bool is_beyond_roof(const struct gp_prediction *p, const struct gp_bottleneck *b)
{
    return b->cause != GP_CAUSE_BANDWIDTH && b->speedup > p->headroom.headroom * GP_WORTH_TELLING;
}

/* Of a launch at its roof nothing is left to repair, and bandwidth that is used to its end is no cause. */
static void drop_what_nobody_repairs(const struct gp_finder *f)
{
    struct gp_prediction *p = f->prediction;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < p->bottleneck_count; i++)
        p->headroom.at_roof &= !is_beyond_roof(p, &p->bottlenecks[i]);
    for (uint32_t i = 0; i < p->bottleneck_count; i++)
        if (!is_unrepairable(f, &p->bottlenecks[i]))
            p->bottlenecks[kept++] = p->bottlenecks[i];
    if (kept < p->bottleneck_count && count_repairable(p, kept) < 2)
        p->repaired_all_ns = 0;
    p->bottleneck_count = kept;
}

void gp_find_bottlenecks(const struct gp_bottleneck_inputs *inputs, struct gp_prediction *prediction)
{
    const struct gp_work *work = inputs->work;
    struct gp_finder f = {.in = inputs, .prediction = prediction};
    prediction->bottleneck_count = 0;
    f.groups = malloc((work->memory_count + 1) * GP_MEMORY_CAUSES * sizeof *f.groups);
    f.scratch = malloc(gp_grouping_scratch(inputs->kernel) * sizeof *f.scratch);
    f.at_place = calloc((size_t)inputs->profile->location_count + 1, sizeof *f.at_place);
    gp_repair_begin(&f.repair, work, inputs->conditions);
    try_source(&f);
    tell_hidden(&f);
    gp_try_occupancy(&f);
    gp_try_local_size(&f);
    gp_try_start(&f);
    gp_try_conditions(&f);
    repair_all(&f);
    drop_what_nobody_repairs(&f);
    note_guesses(&f);
    qsort(prediction->bottlenecks, prediction->bottleneck_count, sizeof *prediction->bottlenecks, by_worth);
    put_idle_sms_first(&f);
    say_in_sources_words(&f);
    gp_repair_end(&f.repair);
    free(f.groups);
    free(f.scratch);
    free(f.at_place);
}
