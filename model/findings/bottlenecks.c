#include "model/findings/bottlenecks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/code/inst_facts.h"
#include "model/findings/access_groups.h"
#include "model/findings/causes.h"
#include "model/findings/dependent_chain.h"
#include "model/findings/narrow_path.h"

/* How the source spells divisions, functions, constants, powers and precision decides latencies, too; without memory to work that out they stay. */
static void repair_paths(struct gp_finder *f, uint32_t paths)
{
    uint32_t spelt = paths & (1u << GP_NARROW_CONSTANT | 1u << GP_NARROW_POWER | 1u << GP_NARROW_DIVISION | 1u << GP_NARROW_DOUBLE | 1u << GP_NARROW_EXACT);
    double saved = 0;
    if (spelt != 0 && !gp_chain_saved(f->in->kernel, f->in->work, f->in->conditions->device, spelt, &saved))
        saved = 0;
    gp_widen(&f->repair, paths, saved);
}

static uint32_t paths_at_work(const struct gp_finder *f)
{
    uint32_t paths = 0;
    for (unsigned path = 0; path < GP_NARROW_COUNT; path++)
        if (f->in->work->paths[path].before.issue > 0)
            paths |= 1u << path;
    return paths;
}

/* AMD's compilers make squares of pow(x, 2) themselves (LLVM's AMDGPULibCalls.cpp, fold_pow()); code for no device in particular still calls. */
static bool compiler_multiplies(const struct gp_finder *f)
{
    const struct gp_kernel *kernel = f->in->kernel;
    bool squares = gp_arch_is_amd(f->in->conditions->device->arch);
    for (uint32_t i = 0; squares && i < kernel->inst_count; i++)
        squares = gp_inst_path(&kernel->insts[i]) != GP_NARROW_POWER || kernel->insts[i].mended_repeat <= kernel->insts[i].repeat;
    return squares;
}

static void try_path(struct gp_finder *f, enum gp_narrow_path path)
{
    if (f->in->work->paths[path].before.issue <= 0 || (path == GP_NARROW_POWER && compiler_multiplies(f)))
        return;
    gp_repair_reset(&f->repair);
    repair_paths(f, 1u << path);
    struct gp_bottleneck *b = gp_finder_record(f, GP_CAUSE_THROUGHPUT, GP_NONE);
    if (b != NULL)
        gp_describe_narrow_path(f->in, path, b);
}

/* What could not be known: no repair, so no speed-up; placed where most of it is. */
static void note_guesses(struct gp_finder *f)
{
    const struct gp_work *work = f->in->work;
    uint32_t place = GP_NONE;
    double most = 0, requests = 0, of = 0, guessed = work->instructions > 0 ? work->guessed_instructions / work->instructions : 0;
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
    *b = (struct gp_bottleneck){.cause = GP_CAUSE_DATA_DEPENDENT, .inst = place, .repaired_ns = p->time_ns, .speedup = 1,
                                .location = gp_inst_place(f->in->kernel, place)};
    char instructions[40] = "", of_memory[80] = "";
    if (guessed >= 0.005)
        snprintf(instructions, sizeof instructions, "%.0f%% of the instructions", 100 * guessed);
    if (requests >= 0.05)
        snprintf(of_memory, sizeof of_memory, "%.*f of %.*f memory requests per %s", requests < 10, requests, of < 10, of, gp_warp_word(f));
    snprintf(b->measure, sizeof b->measure, "depends on data: %s%s%s rest on guesses", instructions, *instructions && *of_memory ? " and " : "", of_memory);
}

static int by_share(const void *a, const void *b)
{
    const struct gp_bottleneck *x = a, *y = b;
    if (x->share != y->share)
        return x->share < y->share ? 1 : -1;
    if (x->cause != y->cause)
        return (int)x->cause - (int)y->cause;
    return x->inst < y->inst ? -1 : x->inst > y->inst;
}

/* A device that is mostly idle comes before what its few groups wait for, unless that gains clearly more. */
static void put_idle_sms_first(const struct gp_finder *f)
{
    struct gp_bottleneck *list = f->prediction->bottlenecks;
    for (uint32_t i = 1; (gp_leaves_sms_idle(f) || gp_waits_for_longest(f)) && i < f->prediction->bottleneck_count; i++) {
        struct gp_bottleneck tail = list[i];
        if (tail.cause != GP_CAUSE_TAIL || tail.share < 0.95 * list[0].share)
            continue;
        memmove(&list[1], &list[0], i * sizeof *list);
        list[0] = tail;
    }
}

/* A cause of the whole kernel. */
static void repair_whole(struct gp_finder *f, enum gp_cause cause)
{
    struct gp_conditions *c = &f->repair.conditions;
    switch (cause) {
    case GP_CAUSE_OCCUPANCY: c->resident_groups = gp_most_resident(f); break;
    case GP_CAUSE_LOCAL_SIZE:
        if (f->repair.work.lanes_used < 1)
            gp_fill_warps(&f->repair);
        c->no_start = true;
        gp_enlarge_groups(f);
        break;
    case GP_CAUSE_LATENCY: c->hide_latency = true; break;
    case GP_CAUSE_BANDWIDTH: c->no_bandwidth = true; break;
    case GP_CAUSE_THROUGHPUT: repair_paths(f, paths_at_work(f)); break;
    case GP_CAUSE_TAIL:
        c->no_tail = true;
        c->split_items = gp_leaves_sms_idle(f);
        break;
    case GP_CAUSE_BARRIER: c->no_barrier = true; break;
    case GP_CAUSE_SPILL: c->spill_store_bytes = c->spill_load_bytes = 0; break;
    case GP_CAUSE_CHANNEL_SKEW: c->even_channels = true; break;
    default: break;
    }
}

static void repair_again(struct gp_finder *f, const struct gp_bottleneck *b)
{
    const struct gp_kernel *kernel = f->in->kernel;
    switch (b->cause) {
    case GP_CAUSE_SPILL:
        if (b->inst != GP_NONE)
            gp_mend_private(f, kernel->memory[kernel->insts[b->inst].record].base);
        else
            repair_whole(f, GP_CAUSE_SPILL);
        break;
    case GP_CAUSE_BANK_CONFLICT:
        if (gp_is_table(f, kernel->insts[b->inst].record))
            gp_mend_table(f, kernel->memory[kernel->insts[b->inst].record].base);
        else
            gp_mend_memory_again(f, b);
        break;
    case GP_CAUSE_UNCOALESCED: case GP_CAUSE_ATOMICS: gp_mend_memory_again(f, b); break;
    case GP_CAUSE_DIVERGENCE: gp_mend_divergence_again(f, b); break;
    case GP_CAUSE_THROUGHPUT: repair_paths(f, 1u << gp_inst_path(&kernel->insts[b->inst])); break;
    default: repair_whole(f, b->cause); break;
    }
}

/* All causes that were found, repaired at once: what each gains alone does not add up. */
static void repair_all(struct gp_finder *f)
{
    struct gp_prediction *p = f->prediction;
    struct gp_timing timing;
    uint32_t repaired = 0;
    bool fills = false;
    p->repaired_all_ns = 0;
    gp_repair_reset(&f->repair);
    for (uint32_t i = 0; i < p->bottleneck_count; i++) {
        bool limit = gp_cause_is_a_limit(p->bottlenecks[i].cause), last = p->bottlenecks[i].cause == GP_CAUSE_LOCAL_SIZE; /* gp_fill_warps() comes after all others */
        if (!limit && !last)
            repair_again(f, &p->bottlenecks[i]);
        fills |= last;
        repaired += !limit;
    }
    if (fills)
        repair_whole(f, GP_CAUSE_LOCAL_SIZE);
    if (repaired < 2)
        return;
    f->in->timer(f->in->timer_context, &f->repair.work, &f->repair.conditions, &timing);
    p->repaired_all_ns = timing.cycles / f->in->conditions->clock_mhz * 1e3;
}

static void repair_everywhere(struct gp_finder *f, enum gp_cause cause)
{
    switch (cause) {
    case GP_CAUSE_UNCOALESCED: case GP_CAUSE_BANK_CONFLICT: case GP_CAUSE_ATOMICS: gp_mend_memory_everywhere(f, cause); break;
    case GP_CAUSE_DIVERGENCE:
        for (uint32_t i = 0; i < f->in->kernel->branch_count; i++)
            gp_share_branch(&f->repair, i);
        break;
    case GP_CAUSE_SPILL:
        gp_mend_private_arrays(f);
        repair_whole(f, cause);
        break;
    default: repair_whole(f, cause); break;
    }
}

bool gp_time_without(const struct gp_bottleneck_inputs *inputs, uint32_t causes, struct gp_timing *timing, struct gp_error *error)
{
    struct gp_finder f = {.in = inputs};
    bool ok = gp_repair_begin(&f.repair, inputs->work, inputs->conditions);
    for (int cause = 0; ok && cause < GP_CAUSE_COUNT; cause++)
        if (causes >> cause & 1)
            repair_everywhere(&f, (enum gp_cause)cause);
    if (ok)
        inputs->timer(inputs->timer_context, &f.repair.work, &f.repair.conditions, timing);
    gp_repair_end(&f.repair);
    return ok || gp_fail(error, "out of memory");
}

bool gp_find_bottlenecks(const struct gp_bottleneck_inputs *inputs, struct gp_prediction *prediction, struct gp_error *error)
{
    const struct gp_work *work = inputs->work;
    struct gp_finder f = {.in = inputs, .prediction = prediction};
    prediction->bottleneck_count = 0;
    f.group = malloc((work->memory_count + 1) * sizeof *f.group);
    f.scratch = malloc(gp_grouping_scratch(inputs->kernel) * sizeof *f.scratch);
    bool ok = gp_repair_begin(&f.repair, work, inputs->conditions) && f.group != NULL && f.scratch != NULL;
    if (ok) {
        gp_try_memory_causes(&f);
        gp_try_divergence(&f);
        gp_try_occupancy(&f);
        gp_try_local_size(&f);
        gp_try_start(&f);
        for (uint32_t p = 0; f.in->conditions->device->arch != GP_ARCH_CPU && p < f.in->kernel->private_count; p++)
            gp_try_private(&f, p);
        for (uint32_t a = 0; f.in->conditions->device->arch != GP_ARCH_CPU && a < f.in->kernel->local_count; a++)
            gp_try_table(&f, a);
        for (int path = 0; path < GP_NARROW_COUNT; path++)
            try_path(&f, (enum gp_narrow_path)path);
        gp_try_conditions(&f);
        repair_all(&f);
        note_guesses(&f);
        qsort(prediction->bottlenecks, prediction->bottleneck_count, sizeof *prediction->bottlenecks, by_share);
        put_idle_sms_first(&f);
    }
    gp_repair_end(&f.repair);
    free(f.group);
    free(f.scratch);
    return ok || gp_fail(error, "out of memory");
}
