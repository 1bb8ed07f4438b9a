/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/sampling/unseen_warps.h"

#include <stdlib.h>

#include "model/value/inst_facts.h"
#include "model/sampling/fewer_samples.h"

/* What a warp executes in blocks that none was in before it. */
struct look {
    struct gp_glances *glances;
    const struct gp_kernel *kernel;
    bool *seen;
    bool marks;
    double unseen;
};

static void on_enter(void *context, uint32_t block, gp_mask active, double weight)
{
    struct look *look = context;
    (void)active;
    if (look->marks)
        look->seen[block] = true;
    else if (!look->seen[block])
        look->unseen += weight * look->kernel->blocks[block].inst_count;
}

static bool execute(struct gp_executor *executor, const struct gp_launch *launch, const struct gp_sample *sample,
                    uint32_t warp, uint32_t warp_width, struct look *look)
{
    const struct gp_observer observer = {.context = look, .enter = on_enter};
    struct gp_exec_result result;
    look->unseen = 0;
    return gp_glance_at_warp(look->glances, executor, launch, sample->group, warp, warp_width, &observer, &result);
}

/* The warp of the samples' group that executes most of what none of them does, of those looked at; `warps`: none does
 * anything else, or that is not known. */
static uint32_t find_unseen(struct gp_executor *executor, const struct gp_launch *launch,
                            const struct gp_sample *samples, size_t in_group, uint32_t warps, uint32_t warp_width,
                            struct look *look)
{
    uint32_t found = warps;
    double most = 0;
    bool ok = true;
    look->marks = true;
    for (size_t i = 0; ok && i < in_group; i++)
        ok = execute(executor, launch, &samples[i], samples[i].warp, warp_width, look);
    look->marks = false;
    for (uint32_t w = 0; ok && w < warps && execute(executor, launch, &samples[0], w, warp_width, look); w++)
        if (look->unseen > most)
            most = look->unseen, found = w;
    return ok ? found : warps;
}

/* In place of a sample between the first and the last, of which the one before it takes what it stood for beyond
 * itself. */
static void take_in(struct gp_sample *samples, size_t in_group, uint32_t warp)
{
    size_t i = 1;
    while (i + 2 < in_group && samples[i].warp < warp)
        i++;
    samples[i - 1].weight += samples[i].weight - 1;
    samples[i].warp = warp;
    samples[i].weight = 1;
    for (; i > 1 && samples[i - 1].warp > samples[i].warp; i--) {
        struct gp_sample other = samples[i];
        samples[i] = samples[i - 1];
        samples[i - 1] = other;
    }
}

void gp_take_in_unseen_warps(struct gp_glances *glances, struct gp_executor *executor, const struct gp_kernel *kernel,
                             const struct gp_launch *launch, uint32_t warp_width, struct gp_sample *samples,
                             size_t count)
{
    bool full;
    size_t heaviest = gp_heaviest_group(samples, count), in_group = gp_samples_of_group(samples, count, heaviest);
    uint32_t warps = (uint32_t)gp_group_warps(launch, samples[heaviest].group, warp_width, &full);
    struct look look = {.glances = glances, .kernel = kernel};
    if (in_group < 4 || in_group >= warps || !gp_branches_part_warps(kernel) ||
        (look.seen = calloc(kernel->block_count, sizeof *look.seen)) == NULL)
        return;
    uint32_t unseen = find_unseen(executor, launch, &samples[heaviest], in_group, warps, warp_width, &look);
    free(look.seen);
    for (size_t first = 0, some; unseen < warps && first < count; first += some) {
        some = gp_samples_of_group(samples, count, first);
        if (some == in_group && gp_group_warps(launch, samples[first].group, warp_width, &full) == warps)
            take_in(&samples[first], some, unseen);
    }
}
