/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What the warps of a group share that few of its warps show. Of a large group some warps are executed and stand for
 * the others; what they seem to touch first, others that are not executed had touched before: the rows of a stencil,
 * the line in which the rows of two warps meet. All warps of one group are looked at, without their costs, and beside
 * them those that are executed of each group: how many lines are new, and how many seem to be?
 */
#include "model/observe/collect_internal.h"
#include "model/sampling/fewer_samples.h"

#include <math.h>
#include <string.h>

static void note_ends(struct gp_collector *c, const struct gp_access *access, struct surveyed *s)
{
    struct gp_footprint f = gp_footprint_of(c->touch.footprints, access, c->line, 1);
    if (f.lowest > f.highest)
        return;
    s->low = fmin(s->low, (double)f.lowest);
    s->high = fmax(s->high, (double)f.highest);
}

void gp_collector_survey_access(struct gp_collector *c, const struct gp_access *access, const struct movement *m)
{
    struct surveyed *s = &c->survey.surveyed[access->memory];
    double lines = gp_collector_new_units(c, c->survey.surveying_all ? &c->near.kept_lines : &c->near.probed_lines,
                                          access, m, c->line);
    double behind = c->behind_first ? lines : 0;
    if (!c->survey.surveying_all) {
        s->few_lines += c->group_weight * behind;
        return;
    }
    s->all_lines += behind;
    double words = gp_collector_keep_words(c, access, m);
    s->all_words += c->behind_first ? words : 0;
    note_ends(c, access, s);
}

/* cut_off: whether a warp was not followed to its end. */
static bool survey_few(struct gp_collector *c, const struct gp_launch *launch, const struct gp_sample *samples,
                       size_t in_group, bool *cut_off, struct gp_error *error)
{
    c->survey.surveying_all = false;
    gp_unit_set_clear(&c->near.probed_lines);
    bool ok = true;
    double warps = gp_samples_weight(samples, 0, in_group);
    for (size_t i = 0; ok && i < in_group; i++) {
        c->sample_weight = samples[i].weight / warps;
        c->group_weight = gp_collector_footprint_weight(c, samples, i, in_group);
        struct gp_exec_result result = {0};
        ok = gp_collector_run_warp(c, launch, samples[i].group, samples[i].warp, (uint32_t)i, &result, error);
        *cut_off |= result.cut_off;
    }
    return ok;
}

static bool survey_all(struct gp_collector *c, const struct gp_launch *launch, const struct gp_sample *samples,
                       struct gp_error *error)
{
    c->survey.surveying_all = true;
    c->group_weight = 1;
    c->sample_weight = 1 / c->work->warps_per_group;
    gp_unit_set_clear(&c->near.kept_lines);
    gp_unit_set_clear(&c->near.words);
    bool ok = true;
    for (uint32_t w = 0; ok && w < (uint32_t)c->work->warps_per_group; w++)
        ok = gp_collector_run_warp(c, launch, samples[0].group, w, w, NULL, error);
    c->near.kept_warps = (uint32_t)c->work->warps_per_group;
    return ok;
}

bool gp_collector_survey(struct gp_collector *c, const struct gp_launch *launch, const struct gp_sample *samples,
                         size_t in_group, struct gp_error *error)
{
    c->purpose = SURVEY;
    memset(c->survey.visited, 0, c->kernel->block_count * sizeof *c->survey.visited);
    bool cut_off = false, ok = survey_few(c, launch, samples, in_group, &cut_off, error);
    bool surveyed = ok && !cut_off && survey_all(c, launch, samples, error);
    c->purpose = COUNT;
    if (ok && cut_off)
        return true; /* what the others touch would not be known either */
    double warps = c->work->warps_per_group;
    for (uint32_t m = 0; m < c->kernel->memory_count; m++) {
        struct surveyed *s = &c->survey.surveyed[m];
        s->fewer = s->few_lines > 0 ? fmin(warps, s->all_lines / s->few_lines) : 1;
    }
    c->survey.was_surveyed = true;
    return surveyed;
}

static void scale_memory(struct gp_memory_work *m, double by)
{
    double *sums[] = {&m->requests,
                      &m->transactions,
                      &m->ideal.transactions,
                      &m->uncoalesced,
                      &m->uncoalesced_transactions,
                      &m->misses,
                      &m->reuse.asked_anew,
                      &m->reuse.walked_over,
                      &m->wavefronts,
                      &m->ideal.wavefronts,
                      &m->passes,
                      &m->ideal.passes,
                      &m->bytes,
                      &m->useful_bytes,
                      &m->l2_bytes,
                      &m->l2_busy,
                      &m->ideal.l2_bytes,
                      &m->atomics.contention,
                      &m->atomics.least_contention,
                      &m->atomics.operations,
                      &m->atomics.successes,
                      &m->stall,
                      &m->waits,
                      &m->latency,
                      &m->ideal.latency,
                      &m->dram_latency,
                      &m->reuse.again,
                      &m->reuse.waited,
                      &m->reuse.at_lines,
                      &m->reuse.stayed_bytes,
                      &m->reuse.awaited_bytes,
                      &m->guessed,
                      &m->guessed_ways,
                      &m->scattered};
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
        *sums[i] *= by;
}

void gp_collector_count_all_warps(struct gp_collector *c)
{
    for (uint32_t b = 0; b < c->kernel->block_count; b++) {
        const struct visited *v = &c->survey.visited[b];
        double by = v->few > 0 && v->all > 0 ? v->all / v->few : 1;
        if (fabs(by - 1) < 1e-9)
            continue;
        gp_collector_add_visits(c, b, c->block_work[b].visits * (by - 1));
        c->block_work[b].chain *= by;
        for (uint32_t m = 0; m < c->kernel->memory_count; m++)
            if (c->code.block_of[m] == b)
                scale_memory(&c->memory[m], by);
    }
}
