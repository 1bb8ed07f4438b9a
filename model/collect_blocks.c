/* What visits of blocks cost: pipes by the profile's classes, the lone warp's time by the scoreboard, idle lanes by the branch at which lanes parted. */
#include "model/collect_internal.h"

#include <string.h>

#include "model/inst_facts.h"
#include "model/predication.h"

void gp_collector_decode(struct gp_collector *c)
{
    const struct gp_kernel *kernel = c->kernel;
    uint32_t entry = 0, operand = 0;
    for (uint32_t b = 0; b < kernel->block_count; b++) {
        uint32_t loop = kernel->blocks[b].loop;
        c->heads[b] = loop != GP_NONE && kernel->loops[loop].header == b ? loop : GP_NONE;
        const struct gp_block *block = &kernel->blocks[b];
        c->blocks[b].first = entry;
        for (uint32_t i = block->inst; i < block->inst + block->inst_count; i++) {
            const struct gp_inst *inst = &kernel->insts[i];
            bool memory = gp_inst_accesses(inst);
            struct entry *e = &c->entries[entry++];
            *e = (struct entry){.inst = i, .record = memory ? inst->record : GP_NONE, .operand = operand,
                                .repeat = inst->repeat, .cost = inst->cost, .scalar = gp_inst_runs_on_scalar_unit(inst),
                                .call = inst->op == GP_OP_CALL, .uniform = (inst->flags & GP_INST_UNIFORM) != 0};
            e->bank = memory && gp_inst_has_constant_address(kernel, inst);
            if (memory) {
                c->in_bank[inst->record] = e->bank;
                c->block_of[inst->record] = b;
            }
            for (uint32_t k = 0; k < inst->operand_count; k++) {
                gp_ref ref = kernel->operands[inst->operand + k];
                if (gp_ref_kind(ref) == GP_REF_INST && gp_ref_index(ref) != i && e->operand_count < UINT16_MAX) {
                    c->operands[operand++] = gp_ref_index(ref);
                    e->operand_count++;
                }
            }
            if ((inst->op == GP_OP_CONDBR || inst->op == GP_OP_SWITCH) && inst->record != GP_NONE)
                c->branch_block[inst->record] = b;
        }
        c->blocks[b].count = entry - c->blocks[b].first;
    }
}

/* ---- Pipes --------------------------------------------------------------------------------------------------- */

static void add_pipes(struct gp_pipe_work *sum, const struct gp_pipe_work *part, double times)
{
    sum->issue += times * part->issue;
    for (int p = 0; p < GP_PIPE_COUNT; p++)
        sum->ops[p] += times * part->ops[p];
}

static void add_cost(struct gp_pipe_work *sum, const struct gp_cost *cost)
{
    sum->issue += cost->issue;
    for (int p = 0; p < GP_PIPE_COUNT; p++)
        sum->ops[p] += cost->ops[p];
}

static void add_to_path(struct gp_collector *c, uint32_t block, const struct gp_inst *inst, const struct gp_cost *cost)
{
    enum gp_narrow_path path = gp_inst_path(inst);
    if (path == GP_NARROW_COUNT)
        return;
    struct gp_cost repaired = gp_inst_cost(inst, c->costs, 1u << path);
    add_cost(&c->block_paths[block][path].before, cost);
    add_cost(&c->block_paths[block][path].repaired, &repaired);
    c->block_has_paths[block] |= (uint8_t)(1u << path);
}

static void sum_blocks(struct gp_collector *c)
{
    bool has_scalar_unit = c->device->scalar_unit.value > 0;
    for (uint32_t b = 0; b < c->kernel->block_count; b++) {
        struct gp_pipe_work work = {0};
        double calls = 0;
        memset(c->block_paths[b], 0, sizeof c->block_paths[b]);
        c->block_has_paths[b] = 0;
        for (uint32_t e = c->blocks[b].first; e < c->blocks[b].first + c->blocks[b].count; e++) {
            const struct entry *entry = &c->entries[e];
            const struct gp_inst *inst = &c->kernel->insts[entry->inst];
            const struct gp_cost cost = gp_inst_cost(inst, c->costs, 0);
            if (entry->bank && gp_arch_is_nvidia(c->device->arch))
                continue;
            if (entry->scalar && has_scalar_unit) {
                work.ops[GP_PIPE_SCALAR] += gp_inst_scalar_issue(c->kernel, inst, cost.issue);
                continue;
            }
            add_cost(&work, &cost);
            add_to_path(c, b, inst, &cost);
            if (entry->call)
                calls += cost.issue;
        }
        c->block_work[b] = (struct gp_block_work){.pipes = work};
        c->block_calls[b] = calls;
    }
}

/* A predicated block's instructions are issued wherever the block before is executed, whatever lanes its condition holds for; there is no branch then. */
static void issue_with(struct gp_collector *c, uint32_t block, uint32_t guarded)
{
    const struct gp_cost branch = gp_inst_cost(gp_block_terminator(c->kernel, block), c->costs, 0);
    const struct gp_pipe_work gone = {branch.issue, {0}}; /* a branch takes no pipe */
    add_pipes(&c->block_work[block].pipes, &c->block_work[guarded].pipes, 1);
    add_pipes(&c->block_work[block].pipes, &gone, -1);
    c->block_work[guarded].pipes = (struct gp_pipe_work){0};
    for (unsigned path = 0; path < GP_NARROW_COUNT; path++) {
        add_pipes(&c->block_paths[block][path].before, &c->block_paths[guarded][path].before, 1);
        add_pipes(&c->block_paths[block][path].repaired, &c->block_paths[guarded][path].repaired, 1);
    }
    c->block_has_paths[block] |= c->block_has_paths[guarded];
    c->block_has_paths[guarded] = 0;
}

static bool predicate(struct gp_collector *c)
{
    struct gp_predication predication;
    bool ok = gp_predication_find(c->kernel, c->device->arch, &predication);
    for (uint32_t b = 0; ok && b < c->kernel->block_count; b++)
        if (predication.next[b] != GP_NONE && predication.guard[predication.next[b]] != GP_REF_NONE)
            issue_with(c, b, predication.next[b]);
    gp_predication_free(&predication);
    return ok;
}

/* What blocks cost is summed up anew for another device only. */
bool gp_collector_take_costs(struct gp_collector *c)
{
    struct gp_cost costs[GP_CLASS_COUNT];
    bool scalar_unit = c->device->scalar_unit.value > 0, nvidia = gp_arch_is_nvidia(c->device->arch);
    memset(costs, 0, sizeof costs);
    gp_cost_table(c->device, costs, NULL);
    if (c->summed && c->scalar_unit == scalar_unit && c->nvidia == nvidia && memcmp(costs, c->costs, sizeof costs) == 0)
        return true;
    memcpy(c->costs, costs, sizeof costs);
    c->summed = true;
    c->scalar_unit = scalar_unit;
    c->nvidia = nvidia;
    memset(c->has_slots, 0, c->kernel->block_count * sizeof *c->has_slots);
    sum_blocks(c);
    return predicate(c);
}

/* ---- What the executor tells ---------------------------------------------------------------------------------- */

void gp_collector_enter(void *context, uint32_t block, gp_mask active, double weight)
{
    struct gp_collector *c = context;
    (void)weight;
    c->block_request = c->request;
    if (c->heads[block] != GP_NONE)
        c->brought_at[c->heads[block]] = c->brought;
    gp_divergences_enter(&c->divergences, block, active);
}

void gp_collector_diverge(void *context, uint32_t branch, gp_mask taken, gp_mask not_taken, double weight)
{
    struct gp_collector *c = context;
    if (c->purpose != COUNT || branch >= c->kernel->branch_count)
        return;
    c->branches[branch].divergences += c->sample_weight * weight;
    gp_divergences_add(&c->divergences, branch, c->kernel->blocks[c->branch_block[branch]].ipdom, taken | not_taken);
}

void gp_collector_barrier(void *context, uint32_t inst, gp_mask active, double weight)
{
    struct gp_collector *c = context;
    (void)inst, (void)active;
    if (c->purpose == COUNT)
        c->work->barriers += c->sample_weight * weight;
}

/*
 * LLVM orders code for GCN and CDNA as if local memory took 5 cycles (SISchedule.td, WriteLDS), of some 64: the code loads two words
 * (ds_read2_b32) and waits for them. For RDNA it takes 20; other compilers' loads go up as far as registers allow (0).
 */
static double local_words_under_way(const struct gp_collector *c)
{
    return c->device->arch == GP_ARCH_GCN || c->device->arch == GP_ARCH_CDNA ? 2 : 0;
}

/* An instruction as the scoreboard takes it on this device; the latency of an access is that of its last request. */
static struct gp_slot slot_of(const struct gp_collector *c, const struct entry *e)
{
    const struct gp_cost *cost = &c->costs[e->cost];
    double interval = 1 / c->device->issue_per_scheduler.value;
    struct gp_slot slot = {.inst = e->inst, .record = e->record, .operands = &c->operands[e->operand], .operand_count = e->operand_count,
                           .space = -1};
    if (e->cost == GP_CLASS_FREE || (e->bank && gp_arch_is_nvidia(c->device->arch)))
        return slot;
    slot.issue = e->record != GP_NONE ? interval : cost->issue * e->repeat * interval;
    if (c->device->scalar_unit.value > 0 && e->scalar)
        slot.issue *= 0.5;
    if (e->cost == GP_CLASS_BARRIER)
        slot.issue += c->device->barrier_latency.value;
    slot.latency = cost->latency;
    if (e->record == GP_NONE)
        return slot;
    const struct gp_memory *memory = &c->kernel->memory[e->record];
    slot.space = memory->space;
    slot.store = gp_memory_writes(memory);
    slot.reorders = (memory->flags & GP_MEMORY_READONLY) || memory->space == GP_SPACE_CONSTANT;
    bool scalar = e->uniform && !gp_is_on_chip(memory) && c->device->scalar_unit.value > 0; /* waits in scalar registers, of which there are plenty */
    if (!(memory->flags & GP_MEMORY_STORE) && !scalar)
        slot.words = ((uint32_t)memory->element_bytes * memory->vector + 3) / 4;
    return slot;
}

/* The block's instructions, made at its first visit. */
static struct gp_slot *slots_of(struct gp_collector *c, uint32_t block)
{
    const struct block_entries *b = &c->blocks[block];
    for (uint32_t i = b->first; i < b->first + b->count && !c->has_slots[block]; i++)
        c->slots[i] = slot_of(c, &c->entries[i]);
    c->has_slots[block] = true;
    return &c->slots[b->first];
}

struct stall_context { struct gp_collector *collector; uint32_t block; double times; };

static void note_stall(void *context, uint32_t record, double cycles)
{
    const struct stall_context *stall = context;
    struct gp_collector *c = stall->collector;
    c->memory[record].stall += stall->times * c->sample_weight * cycles;
    c->memory[record].waits += stall->times * c->sample_weight;
    c->waited_by_warp[record].cycles += stall->times * cycles;
    if (!gp_is_on_chip(&c->kernel->memory[record]))
        c->chain_memory += stall->times * cycles;
}

static void note_new_stall(void *context, uint32_t record, double cycles)
{
    const struct stall_context *stall = context;
    gp_block_times_stall(stall->collector->times, stall->block, record, cycles);
    note_stall(context, record, cycles);
}

/* The cycles that a lone warp takes for a block. */
static double advance(struct gp_collector *c, uint32_t block, double times)
{
    struct stall_context stall = {c, block, times};
    double cycles = 0;
    c->work->effort += c->blocks[block].count;
    if (gp_block_times_recall(c->times, block, c->schedule, c->pending_latency, note_stall, &stall, &cycles))
        return cycles;
    const struct entry *entries = &c->entries[c->blocks[block].first];
    struct gp_slot *slots = slots_of(c, block);
    for (uint32_t i = 0; i < c->blocks[block].count; i++) {
        bool barrier = entries[i].cost == GP_CLASS_BARRIER;
        if (barrier)
            cycles += gp_schedule_finish(c->schedule, note_new_stall, &stall);
        if (slots[i].space >= 0)
            slots[i].latency = c->pending_latency[slots[i].record];
        gp_schedule_add(c->schedule, &slots[i]);
        if (barrier)
            cycles += gp_schedule_finish(c->schedule, note_new_stall, &stall);
    }
    cycles += gp_schedule_finish(c->schedule, note_new_stall, &stall);
    gp_block_times_keep(c->times, block, c->schedule, cycles);
    return cycles;
}

void gp_collector_add_visits(struct gp_collector *c, uint32_t block, double times)
{
    struct gp_block_work *work = &c->block_work[block];
    work->visits += times;
    add_pipes(&c->work->pipes, &work->pipes, times);
    for (unsigned has = c->block_has_paths[block], path = 0; has >> path; path++) {
        if (!(has >> path & 1))
            continue;
        add_pipes(&c->work->paths[path].before, &c->block_paths[block][path].before, times);
        add_pipes(&c->work->paths[path].repaired, &c->block_paths[block][path].repaired, times);
    }
    c->work->unknown_calls += times * c->block_calls[block];
}

void gp_collector_leave(void *context, uint32_t block, gp_mask active, double weight)
{
    struct gp_collector *c = context;
    if (c->purpose == SURVEY)
        *(c->surveying_all ? &c->visited[block].all : &c->visited[block].few) += c->sample_weight * weight;
    if (c->purpose != COUNT)
        return;
    double times = c->sample_weight * weight;
    struct gp_block_work *work = &c->block_work[block];
    gp_collector_add_visits(c, block, times);
    double cycles = weight * advance(c, block, weight);
    c->chain += cycles;
    c->spent[block] += cycles;
    work->chain += c->sample_weight * cycles;
    double idle;
    const struct gp_divergence *top = gp_divergences_top(&c->divergences, active, &idle);
    if (top != NULL) {
        add_pipes(&c->branches[top->branch].excess, &work->pipes, times * idle);
        c->branches[top->branch].behind += times * work->pipes.issue;
        c->parted_by_warp[top->branch] += cycles * idle;
    }
}

void gp_collector_start_warp(struct gp_collector *c)
{
    uint32_t memory = c->kernel->memory_count;
    gp_schedule_start(c->schedule, gp_load_words(c->registers), local_words_under_way(c));
    gp_steps_start(c->steps);
    for (uint32_t m = 0; m < memory; m++)
        c->pending_latency[m] = 1;
    memset(c->spent, 0, c->kernel->block_count * sizeof *c->spent);
    c->warp++;
    c->first_request = c->request + 1;
    c->brought = c->brought_once = c->chain = c->chain_memory = 0;
    c->divergences.count = 0;
}
