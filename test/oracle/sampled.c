/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "test/oracle/sampled.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/executor/executor.h"
#include "model/assume/guards.h"
#include "model/memory/requests.h"
#include "model/observe/work.h"

struct counter {
    const struct gp_kernel *kernel;
    const struct gp_device *device;
    struct sampled_totals *blocks; /* what one visit of a block adds */
    struct sampled_totals *totals;
    double weight; /* of the warp */
};

static const char *const pipe_names[] = {
#define X(name, text) text,
    GP_PIPES(X)
#undef X
};

const char *sampled_name(unsigned which, char *text)
{
    static const char *const sums[] = {"requests", "lanes", "transactions", "bank passes", "bytes"};
    static const char *const others[] = {"instructions", "barriers"};
    if (which < 2)
        snprintf(text, 64, "%s", others[which]);
    else if (which < SAMPLED_SPACES)
        snprintf(text, 64, "pipe %s", pipe_names[which - 2]);
    else
        snprintf(text, 64, "%s %s", gp_space_name((enum gp_space)((which - SAMPLED_SPACES) / SAMPLED_PER_SPACE)),
                 sums[(which - SAMPLED_SPACES) % SAMPLED_PER_SPACE]);
    return text;
}

bool sampled_matters(const struct sampled_totals *all, const struct sampled_totals *some, unsigned which)
{
    unsigned measure = which < SAMPLED_SPACES ? which : which - (which - SAMPLED_SPACES) % SAMPLED_PER_SPACE;
    bool zero = all->total[which] == 0 && some->total[which] == 0;
    double least = 0.01 * all->total[0];
    return !zero && (all->total[measure] >= least || some->total[measure] >= least);
}

static void sum_blocks(struct counter *c)
{
    struct gp_cost costs[GP_CLASS_COUNT];
    gp_cost_table(c->device, costs, NULL);
    for (uint32_t b = 0; b < c->kernel->block_count; b++) {
        const struct gp_block *block = &c->kernel->blocks[b];
        double *total = c->blocks[b].total;
        for (uint32_t i = block->inst; i < block->inst + block->inst_count; i++) {
            const struct gp_inst *inst = &c->kernel->insts[i];
            total[0] += inst->cost == GP_CLASS_FREE ? 0 : (double)costs[inst->cost].issue * inst->repeat;
            total[1] += inst->op == GP_OP_BARRIER;
            for (unsigned p = 0; p < GP_PIPE_COUNT; p++)
                total[2 + p] += inst->cost == GP_CLASS_FREE ? 0 : (double)costs[inst->cost].ops[p] * inst->repeat;
        }
    }
}

static void on_enter(void *context, uint32_t block, gp_mask active, double weight)
{
    struct counter *c = context;
    (void)active;
    for (unsigned i = 0; i < SAMPLED_SPACES; i++)
        c->totals->total[i] += c->weight * weight * c->blocks[block].total[i];
}

static void on_access(void *context, const struct gp_access *access)
{
    struct counter *c = context;
    struct gp_request request;
    gp_request_cost(c->device, c->kernel, access, &request);
    double *total = c->totals->total + SAMPLED_SPACES + SAMPLED_PER_SPACE * c->kernel->memory[access->memory].space;
    double weight = c->weight * access->weight;
    total[0] += weight;
    total[1] += weight * __builtin_popcountll(access->active);
    total[2] += weight * request.transactions;
    total[3] += weight * request.passes;
    total[4] += weight * request.bytes;
}

bool sampled_run(const struct gp_kernel *kernel, const struct gp_launch *launch, const struct gp_device *device,
                 enum sampled_how how, uint64_t most_visits, struct sampled_totals *totals, struct gp_error *error)
{
    uint32_t lanes = gp_device_lanes(device);
    struct counter c = {kernel, device, NULL, totals, 1};
    struct gp_observer observer = {.context = &c, .enter = on_enter, .access = on_access};
    struct gp_exec_options options = {.warp_width = lanes,
                                      .exhaustive = how == SAMPLED_ALL,
                                      .coarse = how == SAMPLED_QUICK,
                                      .max_block_visits = how == SAMPLED_ALL ? most_visits : 0};
    struct gp_sample *samples = NULL;
    struct gp_cuts cuts[3];
    gp_guard_cuts(kernel, launch, cuts);
    size_t count = gp_sample_between(launch, cuts, lanes,
                                     how == SAMPLED_ALL     ? 0
                                     : how == SAMPLED_QUICK ? 3
                                                            : gp_sample_groups(launch, lanes),
                                     how == SAMPLED_ALL     ? 0
                                     : how == SAMPLED_QUICK ? 2
                                                            : 8,
                                     &samples);
    struct gp_executor *executor = gp_executor_new(kernel);
    memset(totals, 0, sizeof *totals);
    c.blocks = calloc((size_t)kernel->block_count + 1, sizeof *c.blocks);
    bool ok = (count && executor && c.blocks) || gp_fail(error, "no launch, or out of memory");
    if (ok)
        sum_blocks(&c);
    for (size_t i = 0; ok && i < count; i++) {
        struct gp_exec_result result;
        c.weight = samples[i].weight;
        ok = gp_execute_warp(executor, launch, samples[i].group, samples[i].warp, &options, &observer, &result, error);
        if (ok && result.cut_off)
            ok = gp_fail(error, "cut off");
    }
    free(c.blocks);
    free(samples);
    gp_executor_free(executor);
    return ok;
}

void sampled_enlarge(const struct gp_kernel *kernel, struct gp_launch *launch, uint64_t factor, uint64_t scale)
{
    uint64_t factors[3] = {factor, launch->dims > 1 ? (factor + 3) / 4 : 1, 1};
    uint64_t grown[3];
    for (int d = 0; d < 3; d++) {
        grown[d] = launch->global[d] * (factors[d] - 1);
        launch->global[d] += grown[d];
    }
    for (uint32_t p = 0; p < kernel->param_count && p < GP_MAX_ARGUMENTS; p++) {
        const struct gp_param *param = &kernel->params[p];
        if (param->kind != GP_PARAM_INT || !launch->arguments[p].known)
            continue;
        if (param->bounds_dim < 3)
            launch->arguments[p].value += grown[param->bounds_dim];
        else
            launch->arguments[p].value *= scale;
    }
}
