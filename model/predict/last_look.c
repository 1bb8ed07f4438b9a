/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Warps of a kernel that hardly follows how its range is cut do the same in groups of any size. In haste, where a look
 * at lone groups takes more than is affordable, the look before stands for it.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/predict/run.h"
#include "model/sampling/varied_groups.h"
#include "support/memory.h"

static bool is_same_argument(const struct gp_argument *a, const struct gp_argument *b)
{
    return a->known == b->known && a->value == b->value && a->bytes == b->bytes && a->contents == b->contents;
}

/* Whether two launches differ in their local size at most, and warps are of as many neighbours along a row. */
static bool has_same_warps(const struct run *run, const struct gp_launch *a, const struct gp_launch *b)
{
    uint32_t lanes = gp_device_lanes(run->device);
    bool same = a->dims == b->dims && a->cold == b->cold && a->assumed_trip_count == b->assumed_trip_count &&
                memcmp(a->global, b->global, sizeof a->global) == 0 &&
                memcmp(a->offset, b->offset, sizeof a->offset) == 0 && a->local[0] % lanes == 0 &&
                b->local[0] % lanes == 0;
    for (uint32_t p = 0; same && p < run->predictor->kernel->param_count; p++)
        same = is_same_argument(&a->arguments[p], &b->arguments[p]);
    return same;
}

/* What groups touch grows with them. */
static void take_group(struct gp_work *work, const struct gp_launch *launch, uint32_t lanes)
{
    uint64_t grid[3];
    double warps = ceil((double)gp_launch_group_items(launch) / lanes), more = warps / work->warps_per_group;
    work->groups = (double)gp_launch_groups(launch, grid);
    work->warps_per_group = warps;
    work->effort = work->executed = work->piloted = 0;
    for (uint32_t b = 0; b < work->buffer_count; b++) {
        struct gp_buffer_work *buffer = &work->buffers[b];
        double *bytes[] = {&buffer->group_bytes,  &buffer->fetched_beside, &buffer->apart_bytes,
                           &buffer->useful_bytes, &buffer->stored_bytes,   &buffer->rewritten_bytes};
        for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++)
            *bytes[i] *= more;
    }
}

/* Whether what a warp executes hardly follows how the range is cut: in loops that end by it, as those that copy a table
 * to local memory, and in these it does little. */
static bool is_of_any_cut(const struct gp_kernel *kernel, const struct gp_work *work)
{
    const double little = 0.05;
    bool *loops = gp_some(kernel->loop_count, sizeof *loops);
    bool hardly = gp_loops_of_cut(kernel, loops);
    double within = 0, all = 0;
    for (uint32_t b = 0; hardly && b < kernel->block_count; b++) {
        double executed = work->blocks[b].visits * kernel->blocks[b].inst_count;
        uint32_t loop = kernel->blocks[b].loop;
        while (loop != GP_NONE && !loops[loop])
            loop = kernel->loops[loop].parent;
        all += executed;
        within += loop != GP_NONE ? executed : 0;
    }
    free(loops);
    return hardly && within <= little * all;
}

bool gp_take_last_look(struct run *run)
{
    struct gp_last_look *last = &run->predictor->last;
    const struct gp_predict_options *options = run->options;
    bool takes_too_long = options->affordable > 0 && last->effort > options->affordable;
    if (!options->lone_groups || !last->kept || !takes_too_long || last->device != run->device ||
        last->registers != run->registers || !has_same_warps(run, &last->launch, run->launch) ||
        !is_of_any_cut(run->predictor->kernel, &last->work))
        return false;
    take_group(&last->work, run->launch, gp_device_lanes(run->device));
    run->work = last->work;
    return true;
}

void gp_keep_look(struct run *run)
{
    struct gp_last_look *last = &run->predictor->last;
    last->kept = run->options->quick && run->options->affordable > 0 && !run->overruns;
    if (!last->kept)
        return;
    last->device = run->device;
    last->registers = run->registers;
    last->launch = *run->launch;
    last->effort = (double)run->work.effort;
    last->work = run->work;
}
