/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <stdio.h>

#include "model/value/inst_facts.h"
#include "model/findings/access_groups.h"
#include "model/findings/causes.h"

static bool is_divergent(const struct gp_finder *f, uint32_t branch)
{
    const struct gp_branch_work *work = &f->in->work->branches[branch];
    return work->divergences > 0 && work->excess.issue > 0;
}

/* One decision of the source: unrolling and inlining copy it. */
static bool is_one_decision(const struct gp_finder *f, uint32_t a, uint32_t b)
{
    const struct gp_kernel *kernel = f->in->kernel;
    return a == b || gp_on_one_line(f->in->profile, kernel->insts[kernel->branches[a].inst].location,
                                    kernel->insts[kernel->branches[b].inst].location);
}

static bool is_first_copy(const struct gp_finder *f, uint32_t branch)
{
    for (uint32_t i = 0; i < branch; i++)
        if (is_divergent(f, i) && is_one_decision(f, branch, i))
            return false;
    return is_divergent(f, branch);
}

/* Instructions per warp behind the divergent copies of a branch: all, and those that run for idle lanes. */
struct parted {
    double all, idle;
};

static struct parted parted_at(const struct gp_finder *f, uint32_t branch)
{
    const struct gp_branch_work *work = &f->in->work->branches[branch];
    return (struct parted){work->behind, work->excess.issue};
}

/* All but one lane idle. */
static bool is_lone_lane(const struct gp_finder *f, const struct parted *parted)
{
    return parted->all > 0 && parted->idle >= (1 - 1.5 / gp_device_lanes(f->in->conditions->device)) * parted->all;
}

/* That of one warp of a group: the others do not part there. */
static bool is_lone_in_group(const struct gp_finder *f, uint32_t branch)
{
    double divergences = f->in->work->branches[branch].divergences;
    double comes_by = f->in->work->blocks[gp_inst_block(f->in->kernel, f->in->kernel->branches[branch].inst)].visits;
    struct parted parted = parted_at(f, branch);
    return f->in->work->warps_per_group > 1 && is_lone_lane(f, &parted) &&
           divergences * f->in->work->warps_per_group <= 1.5 * comes_by;
}

/* What the lone lane asks memory for is shared as well. */
static void share_requests(struct gp_finder *f, uint32_t branch)
{
    const struct gp_work *work = f->in->work;
    for (uint32_t m = 0; m < work->memory_count; m++) {
        const struct gp_memory *record = &f->in->kernel->memory[m];
        const struct gp_memory_work *memory = &work->memory[m];
        bool behind = work->blocks[gp_inst_block(f->in->kernel, record->inst)].parted_by == branch;
        if (behind && !(record->flags & GP_MEMORY_ATOMIC) &&
            memory->useful_bytes <= 1.01 * memory->requests * record->element_bytes * record->vector)
            gp_ask_side_by_side(&f->repair, m, work->branches[branch].divergences);
    }
}

static struct parted share(struct gp_finder *f, uint32_t branch)
{
    struct parted parted = parted_at(f, branch);
    gp_share_branch(&f->repair, branch);
    if (is_lone_lane(f, &parted))
        share_requests(f, branch);
    if (is_lone_in_group(f, branch))
        gp_share_among_warps(&f->repair, branch);
    return parted;
}

/* Repairs the copies. */
static struct parted share_decision(struct gp_finder *f, uint32_t branch)
{
    struct parted parted = {0};
    for (uint32_t i = branch; i < f->in->kernel->branch_count; i++) {
        if (!is_divergent(f, i) || !is_one_decision(f, branch, i))
            continue;
        struct parted here = share(f, i);
        parted.all += here.all;
        parted.idle += here.idle;
    }
    return parted;
}

void gp_try_divergence(struct gp_finder *f)
{
    const struct gp_kernel *kernel = f->in->kernel;
    for (uint32_t i = 0; i < kernel->branch_count; i++) {
        if (!is_first_copy(f, i))
            continue;
        gp_repair_reset(&f->repair);
        struct parted parted = share_decision(f, i);
        struct gp_bottleneck *b = gp_finder_record(f, GP_CAUSE_DIVERGENCE, kernel->branches[i].inst);
        if (b == NULL)
            continue;
        double share = f->in->work->pipes.issue > 0 ? 100 * parted.idle / f->in->work->pipes.issue : 0;
        if (share >= 0.5)
            snprintf(b->measure, sizeof b->measure,
                     "divergent branch: lanes of one %s part here, %.0f%% of the instructions run for idle lanes",
                     gp_warp_word(f), share);
        else
            snprintf(b->measure, sizeof b->measure,
                     "divergent branch: lanes of one %s part here and wait for each other", gp_warp_word(f));
        if (is_lone_lane(f, &parted))
            snprintf(b->advice, sizeof b->advice,
                     "one work-item of a %s does this while the others wait; share it among them, as a reduction tree "
                     "or a loop with their number as stride does",
                     is_lone_in_group(f, i) ? "work-group" : gp_warp_word(f));
        else
            snprintf(
                b->advice, sizeof b->advice,
                "let all work-items of a %s decide alike (branch on get_local_id(0) / %u), or give them the same work",
                gp_warp_word(f), gp_device_lanes(f->in->conditions->device));
    }
}

void gp_repair_divergence_again(struct gp_finder *f, const struct gp_bottleneck *b)
{
    for (uint32_t i = 0; i < f->in->kernel->branch_count; i++)
        if (f->in->kernel->branches[i].inst == b->inst)
            share_decision(f, i);
}

void gp_repair_divergence_everywhere(struct gp_finder *f)
{
    for (uint32_t i = 0; i < f->in->kernel->branch_count; i++)
        if (is_divergent(f, i))
            share(f, i);
}
