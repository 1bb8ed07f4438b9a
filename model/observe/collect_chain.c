/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The lone warp's time, by the scoreboard. Blocks of a straight line, which NVIDIA's compilers make of guarded code,
 * take theirs together: the loads of one guarded block are under way beside those of the next.
 */
#include "model/observe/collect_internal.h"

#include <string.h>

#include "model/value/inst_facts.h"
#include "model/compilers/code_rules.h"
#include "model/compilers/machine_code.h"

void gp_collector_take_lines(struct gp_collector *c)
{
    memset(c->waits.has_slots, 0, c->kernel->block_count * sizeof *c->waits.has_slots);
    gp_predication_free(&c->code.straight);
    gp_block_times_free(c->waits.times);
    gp_predication_find(c->kernel, c->device, c->code.costs, &c->code.straight);
    c->waits.times = gp_block_times_new(c->kernel, &c->code.straight);
}

/* ---- Instructions --------------------------------------------------------------------------------------------- */

/* An instruction as the scoreboard takes it on this device; the latency of an access is that of its last request. */
static struct gp_slot slot_of(const struct gp_collector *c, const struct entry *e,
                              const struct gp_code_factors *factors, const uint32_t *guard)
{
    bool scalar_unit = c->device->scalar_unit.value > 0;
    const struct gp_cost own = gp_cost_of_turn(&c->code.costs[e->cost], gp_collector_counted(c, e->inst)),
                         cost = scalar_unit && e->scalar /* the factors are of the vector unit's */
                                    ? own
                                    : gp_cost_in_code(&c->kernel->insts[e->inst], own, factors);
    double interval = 1 / c->device->issue_per_scheduler.value;
    struct gp_slot slot = {.inst = e->inst,
                           .record = e->record,
                           .operands = &c->code.operands[e->operand],
                           .operand_count = e->operand_count,
                           .space = -1};
    if (e->cost == GP_CLASS_FREE || (e->bank && gp_arch_is_nvidia(c->device->arch)))
        return slot;
    slot.guard = e->record != GP_NONE ? guard : NULL;
    slot.issue = e->record != GP_NONE ? interval : cost.issue * e->repeat * interval;
    if (scalar_unit && e->scalar)
        slot.issue *= 0.5;
    if (e->cost == GP_CLASS_BARRIER)
        slot.issue += c->device->barrier_latency.value;
    slot.latency = cost.latency;
    if (e->record == GP_NONE)
        return slot;
    const struct gp_memory *memory = &c->kernel->memory[e->record];
    slot.space = memory->space;
    slot.store = gp_memory_writes(memory);
    slot.in_order = memory->flags & GP_MEMORY_VOLATILE;
    slot.reorders = (memory->flags & GP_MEMORY_READONLY) || memory->space == GP_SPACE_CONSTANT;
    bool scalar =
        e->uniform && !gp_is_on_chip(memory) && scalar_unit; /* waits in scalar registers, of which there are plenty */
    if (!(memory->flags & (GP_MEMORY_STORE | GP_MEMORY_ASYNC)) && !scalar)
        slot.words = ((uint32_t)memory->element_bytes * memory->vector + 3) / 4;
    return slot;
}

/* The block's instructions, made at its first visit. */
static struct gp_slot *slots_of(struct gp_collector *c, uint32_t block)
{
    const struct block_entries *b = &c->code.blocks[block];
    if (!c->waits.has_slots[block]) {
        const uint32_t *guard = c->code.straight.guard[block] != GP_NONE ? &c->code.straight.guard[block] : NULL;
        for (uint32_t i = b->first; i < b->first + b->count; i++)
            c->waits.slots[i] = slot_of(c, &c->code.entries[i], &c->code.code_factors[block], guard);
    }
    c->waits.has_slots[block] = true;
    return &c->waits.slots[b->first];
}

/* ---- Lines ----------------------------------------------------------------------------------------------------- */

static void spend(struct gp_collector *c, uint32_t block, double cycles)
{
    c->waits.spent[block] += cycles;
    c->block_work[block].chain += c->sample_weight * cycles;
}

/* kept: for the line's next visit. */
struct stall_context {
    struct gp_collector *collector;
    double times;
    bool kept;
    double beside; /* cycles of waits that are beside those of other turns */
};

struct gp_driver_turns gp_collector_turns(const struct gp_collector *c, uint32_t record)
{
    return c->code.for_drivers && c->code.nvidia ? c->code.turns[record] : (struct gp_driver_turns){1, 1};
}

uint8_t gp_collector_counted(const struct gp_collector *c, uint32_t inst)
{
    return c->code.for_drivers && c->code.nvidia ? c->code.counted[inst] : 1;
}

/* What is waited for an access of the line is its own block's time, the rest the first one's. */
static void note_stall(void *context, uint32_t record, double cycles)
{
    struct stall_context *stall = context;
    struct gp_collector *c = stall->collector;
    uint32_t block = c->code.block_of[record], first = c->waits.line_at_hand.blocks[0];
    if (stall->kept)
        gp_block_times_stall(c->waits.times, c->waits.line_at_hand.head, record, cycles);
    double turns = gp_collector_turns(c, record).waiting, waited = cycles / turns;
    stall->beside += cycles - waited;
    cycles = waited;
    c->memory[record].stall += stall->times * c->sample_weight * cycles;
    c->memory[record].waits += stall->times / turns * c->sample_weight;
    c->waits.waited_by_warp[record].cycles += stall->times * cycles;
    if (!gp_is_on_chip(&c->kernel->memory[record]))
        c->waits.chain_memory += stall->times * cycles;
    if (block == first || c->code.straight.head[block] != c->waits.line_at_hand.head)
        return;
    spend(c, block, stall->times * cycles);
    spend(c, first, -stall->times * cycles);
}

/* The block's instructions join the line; a branch within the line is none. Returns the cycles up to its barriers. */
static double add_block(struct gp_collector *c, uint32_t block, struct stall_context *stall)
{
    const struct entry *entries = &c->code.entries[c->code.blocks[block].first];
    struct gp_slot *slots = slots_of(c, block);
    uint32_t count = c->code.blocks[block].count - (c->code.straight.next[block] != GP_NONE);
    double cycles = 0;
    gp_schedule_give_words(c->code.schedule, gp_load_words(c->registers, c->code.held_words[block]));
    for (uint32_t i = 0; i < count; i++) {
        bool barrier = entries[i].cost == GP_CLASS_BARRIER;
        if (barrier)
            cycles += gp_schedule_finish(c->code.schedule, note_stall, stall);
        if (slots[i].space >= 0)
            slots[i].latency = c->waits.pending_latency[slots[i].record];
        gp_schedule_add(c->code.schedule, &slots[i]);
        if (barrier)
            cycles += gp_schedule_finish(c->code.schedule, note_stall, stall);
    }
    return cycles;
}

/* The cycles that a lone warp takes for the line at hand. One that is entered behind its first block, by lanes that
 * were apart from the others, is not remembered. */
static double advance(struct gp_collector *c, double times)
{
    const struct line_at_hand *line = &c->waits.line_at_hand;
    const struct gp_line_visit visit = {line->head, line->blocks, line->count};
    bool whole = line->blocks[0] == line->head;
    struct stall_context stall = {.collector = c, .times = times};
    double cycles = 0;
    for (uint32_t k = 0; k < line->count; k++)
        c->work->effort += c->code.blocks[line->blocks[k]].count;
    if (whole && gp_block_times_recall(c->waits.times, &visit, c->code.schedule, c->waits.pending_latency, note_stall,
                                       &stall, &cycles))
        return cycles - stall.beside;
    stall.kept = whole;
    for (uint32_t k = 0; k < line->count; k++)
        cycles += add_block(c, line->blocks[k], &stall);
    cycles += gp_schedule_finish(c->code.schedule, note_stall, &stall);
    if (whole)
        gp_block_times_keep(c->waits.times, &visit, c->code.schedule, cycles);
    return cycles - stall.beside;
}

void gp_collector_end_line(struct gp_collector *c)
{
    struct line_at_hand *line = &c->waits.line_at_hand;
    if (line->count == 0)
        return;
    double cycles = line->weight * advance(c, line->weight);
    c->waits.chain += cycles;
    spend(c, line->blocks[0], cycles);
    if (line->branch != GP_NONE)
        c->waits.parted_by_warp[line->branch] += cycles * line->idle;
    line->count = 0;
}

/* A block of the line at hand that was not executed yet: where it is guarded maybe by some of the paths only that the
 * executor follows where a condition is not known. */
static bool continues_line(const struct gp_collector *c, uint32_t block, double weight)
{
    const struct line_at_hand *line = &c->waits.line_at_hand;
    bool as_often = c->code.straight.guarded[block] ? weight <= line->weight : weight == line->weight;
    return c->code.straight.head[block] == line->head && line->seen[block] != line->number && as_often;
}

void gp_collector_enter_line(struct gp_collector *c, uint32_t block, double weight)
{
    struct line_at_hand *line = &c->waits.line_at_hand;
    if (!continues_line(c, block, weight)) {
        gp_collector_end_line(c);
        line->head = c->code.straight.head[block];
        line->weight = weight;
        line->number++;
        c->block_request = c->request;
    }
    line->seen[block] = line->number;
}

/* Paths that do not come by wait for nothing there: what the mean one waits. */
static void wait_as_often(struct gp_collector *c, uint32_t block, double share)
{
    const struct block_entries *b = &c->code.blocks[block];
    for (uint32_t i = b->first; share < 1 && i < b->first + b->count; i++)
        if (c->code.entries[i].record != GP_NONE)
            c->waits.pending_latency[c->code.entries[i].record] *= share;
}

void gp_collector_leave_line(struct gp_collector *c, uint32_t block, double weight, uint32_t branch, double idle)
{
    struct line_at_hand *line = &c->waits.line_at_hand;
    if (line->count == 0) {
        line->branch = branch;
        line->idle = idle;
    }
    wait_as_often(c, block, weight / line->weight);
    uint32_t at = line->count++;
    for (; at > 0 && c->code.straight.place[line->blocks[at - 1]] > c->code.straight.place[block];
         at--) /* both sides of a branch come in any order */
        line->blocks[at] = line->blocks[at - 1];
    line->blocks[at] = block;
    if (c->code.straight.next[block] == GP_NONE && !c->code.straight.guarded[block])
        gp_collector_end_line(c);
}

void gp_collector_start_chain(struct gp_collector *c)
{
    gp_schedule_start(c->code.schedule, gp_load_words(c->registers, 0), gp_local_words_under_way(c->device),
                      (uint32_t)fmax(1, c->device->warp_loads.value));
    for (uint32_t m = 0; m < c->kernel->memory_count; m++)
        c->waits.pending_latency[m] = 1;
    memset(c->waits.spent, 0, c->kernel->block_count * sizeof *c->waits.spent);
    c->waits.chain = c->waits.chain_memory = 0;
    c->waits.line_at_hand.head = GP_NONE;
    c->waits.line_at_hand.count = 0;
}
