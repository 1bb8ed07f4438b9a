/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What visits of blocks cost: pipes by the profile's classes, idle lanes by the branch at which lanes parted. */
#include "model/observe/collect_internal.h"

#include <stdlib.h>
#include <string.h>

#include "model/value/inst_facts.h"
#include "model/compilers/machine_code.h"
#include "model/compilers/predication.h"
#include "model/compilers/inst_cost.h"
#include "support/memory.h"

void gp_collector_decode(struct gp_collector *c)
{
    const struct gp_kernel *kernel = c->kernel;
    uint32_t entry = 0, operand = 0;
    bool *addresses = gp_some(kernel->inst_count, sizeof *addresses);
    gp_find_load_addresses(kernel, addresses);
    for (uint32_t b = 0; b < kernel->block_count; b++) {
        uint32_t loop = kernel->blocks[b].loop;
        c->code.heads[b] = loop != GP_NONE && kernel->loops[loop].header == b ? loop : GP_NONE;
        const struct gp_block *block = &kernel->blocks[b];
        c->code.blocks[b].first = entry;
        for (uint32_t i = block->inst; i < block->inst + block->inst_count; i++) {
            const struct gp_inst *inst = &kernel->insts[i];
            bool memory = gp_inst_accesses(inst);
            struct entry *e = &c->code.entries[entry++];
            *e = (struct entry){.inst = i,
                                .record = memory ? inst->record : GP_NONE,
                                .operand = operand,
                                .repeat = inst->repeat,
                                .cost = inst->cost,
                                .scalar = gp_inst_runs_on_scalar_unit(inst),
                                .call = inst->op == GP_OP_CALL,
                                .uniform = (inst->flags & GP_INST_UNIFORM) != 0,
                                .address = addresses[i]};
            e->bank = memory && gp_inst_has_constant_address(kernel, inst);
            if (memory) {
                c->code.in_bank[inst->record] = e->bank;
                c->code.block_of[inst->record] = b;
            }
            for (uint32_t k = 0; k < inst->operand_count; k++) {
                gp_ref ref = kernel->operands[inst->operand + k];
                if (gp_ref_kind(ref) == GP_REF_INST && gp_ref_index(ref) != i && e->operand_count < UINT16_MAX) {
                    c->code.operands[operand++] = gp_ref_index(ref);
                    e->operand_count++;
                }
            }
            if ((inst->op == GP_OP_CONDBR || inst->op == GP_OP_SWITCH) && inst->record != GP_NONE)
                c->code.branch_block[inst->record] = b;
        }
        c->code.blocks[b].count = entry - c->code.blocks[b].first;
    }
    free(addresses);
}

/* ---- Pipes --------------------------------------------------------------------------------------------------- */

static void add_pipes(struct gp_pipe_work *sum, const struct gp_pipe_work *part, double times)
{
    sum->issue += times * part->issue;
    for (int p = 0; p < GP_PIPE_COUNT; p++)
        sum->ops[p] += times * part->ops[p];
    sum->sums += times * part->sums;
}

static void add_cost(struct gp_pipe_work *sum, const struct gp_cost *cost, double sums)
{
    sum->issue += cost->issue;
    for (int p = 0; p < GP_PIPE_COUNT; p++)
        sum->ops[p] += cost->ops[p];
    sum->sums += sums;
}

static void add_to_path(struct gp_collector *c, uint32_t block, const struct gp_inst *inst, const struct gp_cost *cost)
{
    enum gp_narrow_path path = gp_inst_path(inst);
    if (path == GP_NARROW_COUNT)
        return;
    struct gp_cost repaired = gp_inst_cost(inst, c->code.costs, 1u << path);
    add_cost(&c->waits.block_paths[block][path].before, cost, 0);
    add_cost(&c->waits.block_paths[block][path].repaired, &repaired, 0);
    c->waits.block_has_paths[block] |= (uint8_t)(1u << path);
}

static void sum_blocks(struct gp_collector *c)
{
    bool has_scalar_unit = c->device->scalar_unit.value > 0;
    gp_machine_code_factors(c->kernel, c->device, c->code.costs, c->code.code_factors);
    for (uint32_t b = 0; b < c->kernel->block_count; b++) {
        struct gp_pipe_work work = {0}, addresses = {0};
        double calls = 0;
        memset(c->waits.block_paths[b], 0, sizeof c->waits.block_paths[b]);
        c->waits.block_has_paths[b] = 0;
        for (uint32_t e = c->code.blocks[b].first; e < c->code.blocks[b].first + c->code.blocks[b].count; e++) {
            const struct entry *entry = &c->code.entries[e];
            const struct gp_inst *inst = &c->kernel->insts[entry->inst];
            const struct gp_cost whole = gp_inst_cost(inst, c->code.costs, 0),
                                 cost = gp_cost_of_turn(&whole, gp_collector_counted(c, entry->inst));
            if (entry->bank && gp_arch_is_nvidia(c->device->arch))
                continue;
            if (entry->scalar && has_scalar_unit) {
                work.ops[GP_PIPE_SCALAR] += gp_inst_scalar_issue(c->kernel, inst, cost.issue);
                continue;
            }
            const struct gp_cost in_code = gp_cost_in_code(inst, cost, &c->code.code_factors[b]);
            double sums = entry->cost == GP_CLASS_INT_ADD ? in_code.ops[GP_PIPE_INT] : 0;
            add_cost(&work, &in_code, sums);
            if (entry->address)
                add_cost(&addresses, &in_code, sums);
            add_to_path(c, b, inst, &cost);
            if (entry->call || entry->cost == GP_CLASS_LONG_DIV_DATA) /* whose numbers may not fit in 32 bits */
                calls += cost.issue;
        }
        c->block_work[b] = (struct gp_block_work){.pipes = work, .addresses = addresses};
        c->code.block_calls[b] = calls;
    }
}

static void add_paths(struct gp_collector *c, uint32_t block, uint32_t guarded)
{
    for (unsigned path = 0; path < GP_NARROW_COUNT; path++) {
        add_pipes(&c->waits.block_paths[block][path].before, &c->waits.block_paths[guarded][path].before, 1);
        add_pipes(&c->waits.block_paths[block][path].repaired, &c->waits.block_paths[guarded][path].repaired, 1);
    }
    c->waits.block_has_paths[block] |= c->waits.block_has_paths[guarded];
    c->waits.block_has_paths[guarded] = 0;
}

/* Of a line of blocks those that are guarded are issued wherever the one before them that is not is executed, whatever
 * lanes their conditions hold for; there is no branch then. */
static void predicate(struct gp_collector *c, uint32_t head)
{
    uint32_t always = head;
    for (uint32_t last = head, block; (block = c->code.straight.next[last]) != GP_NONE; last = block) {
        const struct gp_pipe_work gone = {gp_inst_cost(gp_block_terminator(c->kernel, last), c->code.costs, 0).issue,
                                          {0},
                                          0}; /* a branch takes no pipe */
        add_pipes(&c->block_work[always].pipes, &gone, -1);
        if (!c->code.straight.guarded[block]) {
            always = block;
            continue;
        }
        add_pipes(&c->block_work[always].pipes, &c->block_work[block].pipes, 1);
        add_pipes(&c->block_work[always].addresses, &c->block_work[block].addresses, 1);
        c->block_work[block].pipes = c->block_work[block].addresses = (struct gp_pipe_work){0};
        add_paths(c, always, block);
    }
}

/* Accesses of a guarded block, for so many warps whose lanes' condition holds nowhere. */
static void access_for_nothing(struct gp_collector *c, uint32_t block, double warps)
{
    for (uint32_t e = c->code.blocks[block].first;
         warps > 0 && e < c->code.blocks[block].first + c->code.blocks[block].count; e++) {
        uint32_t record = c->code.entries[e].record;
        if (record == GP_NONE || c->memory[record].requests <= 0)
            continue;
        c->memory[record].wavefronts += warps;
        c->memory[record].ideal.wavefronts += warps;
    }
}

/*
 * A warp issues the accesses of code that is predicated whatever its lanes' condition, and each takes the load/store
 * unit a cycle: of a sum by a tree an H100 executes 26 for each warp, though most warps have no work left, and is 83%
 * busy with them (bench/gpu/results/h100/counters/reduction.csv).
 */
void gp_collector_access_for_nothing(struct gp_collector *c)
{
    for (uint32_t head = 0; gp_arch_is_nvidia(c->device->arch) && head < c->kernel->block_count; head++) {
        if (c->code.straight.head[head] != head)
            continue;
        uint32_t always = head;
        for (uint32_t block = c->code.straight.next[head]; block != GP_NONE; block = c->code.straight.next[block])
            if (c->code.straight.guarded[block])
                access_for_nothing(c, block, c->block_work[always].visits - c->block_work[block].visits);
            else
                always = block;
    }
}

/* What blocks cost is summed up anew for another device only. */
void gp_collector_take_costs(struct gp_collector *c)
{
    struct gp_cost costs[GP_CLASS_COUNT];
    if (c->code.summed && c->code.costs_of == c->device)
        return;
    c->code.costs_of = c->device;
    bool scalar_unit = c->device->scalar_unit.value > 0, nvidia = gp_arch_is_nvidia(c->device->arch);
    memset(costs, 0, sizeof costs);
    gp_cost_table(c->device, costs, NULL);
    if (c->code.summed && c->code.scalar_unit == scalar_unit && c->code.nvidia == nvidia &&
        memcmp(costs, c->code.costs, sizeof costs) == 0)
        return;
    memcpy(c->code.costs, costs, sizeof costs);
    c->code.summed = true;
    c->code.scalar_unit = scalar_unit;
    c->code.nvidia = nvidia;
    gp_collector_take_lines(c);
    gp_held_words(c->kernel, scalar_unit, c->code.held_words);
    sum_blocks(c);
    for (uint32_t b = 0; b < c->kernel->block_count; b++)
        if (c->code.straight.head[b] == b)
            predicate(c, b);
}

/* ---- What the executor tells ---------------------------------------------------------------------------------- */

void gp_collector_enter(void *context, uint32_t block, gp_mask active, double weight)
{
    struct gp_collector *c = context;
    gp_collector_enter_line(c, block, weight);
    if (c->code.heads[block] != GP_NONE)
        c->touch.brought_at[c->code.heads[block]] = c->touch.brought;
    gp_divergences_enter(&c->divergences, block, active);
}

void gp_collector_diverge(void *context, uint32_t branch, gp_mask taken, gp_mask not_taken, double weight)
{
    struct gp_collector *c = context;
    if (c->purpose != COUNT || branch >= c->kernel->branch_count)
        return;
    c->branches[branch].divergences += c->sample_weight * weight;
    gp_divergences_add(&c->divergences, branch, c->kernel->blocks[c->code.branch_block[branch]].ipdom,
                       taken | not_taken);
}

void gp_collector_barrier(void *context, uint32_t inst, gp_mask active, double weight)
{
    struct gp_collector *c = context;
    (void)inst, (void)active;
    if (c->purpose == COUNT)
        c->work->barriers += c->sample_weight * weight;
}

void gp_collector_add_visits(struct gp_collector *c, uint32_t block, double times)
{
    struct gp_block_work *work = &c->block_work[block];
    work->visits += times;
    add_pipes(&c->work->pipes, &work->pipes, times);
    for (unsigned has = c->waits.block_has_paths[block], path = 0; has >> path; path++) {
        if (!(has >> path & 1))
            continue;
        add_pipes(&c->work->paths[path].before, &c->waits.block_paths[block][path].before, times);
        add_pipes(&c->work->paths[path].repaired, &c->waits.block_paths[block][path].repaired, times);
    }
    c->work->unknown_calls += times * c->code.block_calls[block];
}

static void add_excess(struct gp_collector *c, uint32_t branch, uint32_t block, double times)
{
    add_pipes(&c->branches[branch].excess, &c->block_work[block].pipes, times);
    for (unsigned has = c->waits.block_has_paths[block], path = 0; has >> path; path++)
        if (has >> path & 1)
            c->branches[branch].excess_on_path[path] += times * c->waits.block_paths[block][path].before.issue;
}

static void note_parted(struct gp_block_work *work, uint32_t branch)
{
    work->parted_by = work->visits > 0 && work->parted_by != branch ? GP_NONE : branch;
}

void gp_collector_leave(void *context, uint32_t block, gp_mask active, double weight)
{
    struct gp_collector *c = context;
    if (c->purpose == SURVEY)
        *(c->survey.surveying_all ? &c->survey.visited[block].all : &c->survey.visited[block].few) +=
            c->sample_weight * weight;
    if (c->purpose != COUNT)
        return;
    double times = c->sample_weight * weight, idle;
    const struct gp_divergence *top = gp_divergences_top(&c->divergences, active, &idle);
    note_parted(&c->block_work[block], top != NULL ? top->branch : GP_NONE);
    gp_collector_add_visits(c, block, times);
    if (top != NULL) {
        add_excess(c, top->branch, block, times * idle);
        c->branches[top->branch].behind += times * c->block_work[block].pipes.issue;
    }
    gp_collector_leave_line(c, block, weight, top != NULL ? top->branch : GP_NONE, top != NULL ? idle : 0);
}

void gp_collector_start_warp(struct gp_collector *c)
{
    gp_collector_start_chain(c);
    gp_steps_start(c->waits.steps);
    gp_walks_start(c->touch.walks);
    c->warp++;
    c->first_request = c->request + 1;
    c->touch.brought = c->touch.brought_once = 0;
    c->divergences.count = 0;
}
