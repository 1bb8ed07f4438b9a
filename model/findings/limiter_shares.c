/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What of a kernel makes its limiter busy, and which of its loops and lines do. */
#include "model/findings/limiter_shares.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/value/inst_facts.h"

/* ---- What makes the limiter busy --------------------------------------------------------------------------------- */

static bool is_behind(enum gp_limiter limiter, int pipe)
{
    switch (limiter) {
    case GP_LIMITER_FP32:
        return pipe == GP_PIPE_FP32 || pipe == GP_PIPE_FP16 || pipe == GP_PIPE_INT_MUL || pipe == GP_PIPE_MATRIX;
    case GP_LIMITER_FP64: return pipe == GP_PIPE_FP64 || pipe == GP_PIPE_CVT64; /* on most devices */
    case GP_LIMITER_SFU: return pipe == GP_PIPE_SFU || pipe == GP_PIPE_CVT || pipe == GP_PIPE_CVT64;
    case GP_LIMITER_INT: return pipe == GP_PIPE_INT || pipe == GP_PIPE_SHIFT || pipe == GP_PIPE_INT_MUL;
    case GP_LIMITER_LSU: return pipe == GP_PIPE_SHUFFLE;
    default: return false;
    }
}

/* Whether the limiter is time that passes, not something that is busy. */
static bool limiter_is_time(enum gp_limiter limiter)
{
    return limiter == GP_LIMITER_LATENCY || limiter == GP_LIMITER_BARRIER || limiter == GP_LIMITER_LAUNCH;
}

/* Of instructions: `issue` of them, ops[GP_PIPE_COUNT] to each pipe. */
static double limiter_of_pipes(enum gp_limiter limiter, double issue, const double *ops)
{
    double sum = limiter == GP_LIMITER_ISSUE ? issue : 0;
    for (int pipe = 0; pipe < GP_PIPE_COUNT; pipe++)
        if (is_behind(limiter, pipe))
            sum += ops[pipe];
    return sum;
}

/* Of a memory operation. */
static double limiter_of_memory(enum gp_limiter limiter, const struct gp_memory_work *memory)
{
    switch (limiter) {
    case GP_LIMITER_LSU:
    case GP_LIMITER_L1: return memory->wavefronts;
    case GP_LIMITER_L2:
    case GP_LIMITER_DRAM: return memory->l2_bytes;
    default: return 0;
    }
}

/* ---- Its loop ---------------------------------------------------------------------------------------------------- */

static double of_block(const struct gp_kernel *kernel, const struct gp_work *work, enum gp_limiter limiter, uint32_t b)
{
    const struct gp_block_work *block = &work->blocks[b];
    if (limiter_is_time(limiter))
        return block->chain;
    double sum = block->visits * limiter_of_pipes(limiter, block->pipes.issue, block->pipes.ops);
    for (uint32_t i = kernel->blocks[b].inst; i < gp_block_end(kernel, b); i++) {
        uint32_t record = gp_inst_accesses(&kernel->insts[i]) ? kernel->insts[i].record : GP_NONE;
        if (record != GP_NONE)
            sum += limiter_of_memory(limiter, &work->memory[record]);
    }
    return sum;
}

uint32_t gp_hot_loop(const struct gp_kernel *kernel, const struct gp_work *work, enum gp_limiter limiter, double *share)
{
    uint32_t hot = GP_NONE;
    double all = 0, *within = calloc(kernel->loop_count + 1, sizeof *within);
    *share = 0;
    for (uint32_t b = 0; b < work->block_count; b++) {
        double part = of_block(kernel, work, limiter, b);
        all += part;
        for (uint32_t loop = kernel->blocks[b].loop; loop != GP_NONE; loop = kernel->loops[loop].parent)
            within[loop] += part;
    }
    for (uint32_t loop = 0; loop < kernel->loop_count; loop++) /* parents first: what is found last is innermost */
        if (within[loop] > 0.5 * all) {
            hot = loop;
            *share = within[loop] / all;
        }
    free(within);
    return hot;
}

/* ---- Its lines --------------------------------------------------------------------------------------------------- */

static const double least_share = 0.005;

struct shares {
    const struct gp_profile *profile;
    const struct gp_kernel *kernel;
    const struct gp_work *work;
    enum gp_limiter limiter;
    struct gp_cost costs[GP_CLASS_COUNT];
    uint32_t *places;    /* [kernel->inst_count] */
    double *of_location; /* [profile->location_count] */
    double all;
};

/* ---- Work by location
 * ---------------------------------------------------------------------------------------------------- */

static void give(struct shares *s, uint32_t inst, double work)
{
    uint32_t location = s->places[inst];
    s->all += work;
    if (location != GP_NONE)
        s->of_location[location] += work;
}

/* What an instruction weighs among those of its block; of time, how long it takes to issue. */
static double weight(const struct shares *s, uint32_t inst)
{
    const struct gp_cost cost = gp_inst_cost(&s->kernel->insts[inst], s->costs, 0);
    double ops[GP_PIPE_COUNT];
    for (int pipe = 0; pipe < GP_PIPE_COUNT; pipe++)
        ops[pipe] = cost.ops[pipe];
    return limiter_is_time(s->limiter) ? cost.issue : limiter_of_pipes(s->limiter, cost.issue, ops);
}

static const struct gp_memory_work *memory_of(const struct shares *s, uint32_t inst)
{
    const struct gp_inst *i = &s->kernel->insts[inst];
    return gp_inst_accesses(i) && i->record != GP_NONE ? &s->work->memory[i->record] : NULL;
}

static double of_memory(const struct shares *s, const struct gp_memory_work *memory)
{
    return limiter_is_time(s->limiter) ? memory->chain_stall : limiter_of_memory(s->limiter, memory);
}

/* What the block's instructions cost together, but for its memory operations' own. */
static double of_instructions(const struct shares *s, uint32_t b, double memory)
{
    const struct gp_block_work *block = &s->work->blocks[b];
    if (limiter_is_time(s->limiter))
        return fmax(0, block->chain - memory);
    return block->visits * limiter_of_pipes(s->limiter, block->pipes.issue, block->pipes.ops);
}

static void add_block(struct shares *s, uint32_t b)
{
    uint32_t first = s->kernel->blocks[b].inst, end = first + s->kernel->blocks[b].inst_count;
    double weights = 0, memory = 0;
    for (uint32_t i = first; i < end; i++) {
        const struct gp_memory_work *m = memory_of(s, i);
        weights += weight(s, i);
        memory += m != NULL ? of_memory(s, m) : 0;
    }
    double rest = of_instructions(s, b, memory);
    for (uint32_t i = first; i < end; i++) {
        const struct gp_memory_work *m = memory_of(s, i);
        double own = m != NULL ? of_memory(s, m) : 0;
        give(s, i, own + (weights > 0 ? rest * weight(s, i) / weights : 0));
    }
}

/* ---- By line
 * ---------------------------------------------------------------------------------------------------- */

/* A location that has work. */
struct place {
    const struct gp_location *at;
    uint32_t location;
};

static int by_line(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    int order = (x->at->line > y->at->line) - (x->at->line < y->at->line);
    order = order != 0 ? order : strcmp(x->at->file, y->at->file);
    return order != 0 ? order : (x->location > y->location) - (x->location < y->location);
}

/* A line is the first location of its file and number; inlined code is where it is written. */
static void gather_lines(struct shares *s)
{
    uint32_t count = 0, first = 0;
    struct place *places = calloc(s->profile->location_count + 1, sizeof *places);
    for (uint32_t i = 0; i < s->profile->location_count; i++)
        if (s->of_location[i] > 0)
            places[count++] = (struct place){&s->profile->locations[i], i};
    qsort(places, count, sizeof *places, by_line);
    for (uint32_t i = 1; i < count; i++) {
        bool same =
            places[i].at->line == places[first].at->line && strcmp(places[i].at->file, places[first].at->file) == 0;
        if (!same) {
            first = i;
            continue;
        }
        s->of_location[places[first].location] += s->of_location[places[i].location];
        s->of_location[places[i].location] = 0;
    }
    free(places);
}

/* Keeps the largest in order; of equal ones the first location. */
static void insert_line(struct gp_prediction *p, uint32_t location, double share)
{
    uint32_t at = p->line_count < GP_MAX_LINES ? p->line_count++ : GP_MAX_LINES - 1;
    if (at == GP_MAX_LINES - 1 && p->lines[at].share >= share && p->lines[at].share > 0)
        return;
    for (; at > 0 && p->lines[at - 1].share < share; at--)
        p->lines[at] = p->lines[at - 1];
    p->lines[at] = (struct gp_line_share){location, share};
}

static void share_out(struct shares *s, const struct gp_device *device, struct gp_prediction *prediction)
{
    memset(prediction->lines, 0, sizeof prediction->lines);
    gp_cost_table(device, s->costs, NULL);
    gp_inst_places(s->kernel, s->places);
    for (uint32_t b = 0; b < s->work->block_count; b++)
        add_block(s, b);
    gather_lines(s);
    for (uint32_t i = 0; i < s->profile->location_count; i++)
        if (s->all > 0 && s->of_location[i] >= least_share * s->all)
            insert_line(prediction, i, s->of_location[i] / s->all);
}

void gp_line_shares(const struct gp_profile *profile, const struct gp_kernel *kernel, const struct gp_device *device,
                    const struct gp_work *work, struct gp_prediction *prediction)
{
    struct shares s = {.profile = profile, .kernel = kernel, .work = work, .limiter = prediction->limiter};
    s.of_location = calloc(profile->location_count + 1, sizeof *s.of_location);
    s.places = calloc(kernel->inst_count + 1, sizeof *s.places);
    prediction->line_count = 0;
    share_out(&s, device, prediction);
    free(s.places);
    free(s.of_location);
}
