/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/observe/block_times.h"

#include <stdlib.h>

#include "model/value/inst_facts.h"
#include "support/memory.h"

/* What a block finds under way, or leaves so. */
struct pending {
    uint32_t inst;
    double cycles, latency;
};

struct stall {
    uint32_t record;
    double cycles;
};

/* What a block finds, asks for and leaves. Lists are parts of those below. */
struct block {
    uint32_t before, before_count; /* results of earlier visits that its instructions use */
    uint32_t after, after_count;   /* its results that other lines, or its next visit, use */
    uint32_t access, access_count;
    bool visited; /* at its line's last visit */
};

/* Of a line's last visit. */
struct visit {
    uint32_t stall, stall_count, most_stalls;
    bool timed;   /* it has no barrier, which would end it in the middle */
    uint32_t run; /* in which it was made; 0: never */
    double cycles;
};

struct gp_block_times {
    struct block *blocks;
    struct visit *visits; /* per block, of the line that it is the head of */
    uint32_t *next;       /* per block: of its line, or GP_NONE */
    struct pending *before, *after;
    uint32_t *records; /* of the accesses */
    double *latencies;
    struct stall *stalls; /* per line one more than it has accesses: a chain ends at what came from before */
    uint32_t run;
};

/* Which results come from where, and are used outside their line or by its next visit. */
struct uses {
    uint32_t *seen; /* the block, plus one, that last had the instruction among what it uses */
    uint32_t *made; /* the line's head, plus one, once it was made by what each visit of the line executes; or the
                       block's own */
    bool *outside;
};

static void list_operands(struct gp_block_times *t, const struct gp_kernel *kernel, uint32_t b, uint32_t line,
                          struct uses *uses, uint32_t *before)
{
    const struct gp_block *block = &kernel->blocks[b];
    for (uint32_t i = block->inst; i < block->inst + block->inst_count; i++) {
        const struct gp_inst *inst = &kernel->insts[i];
        for (uint32_t k = 0; k < inst->operand_count; k++) {
            gp_ref ref = kernel->operands[inst->operand + k];
            uint32_t used = gp_ref_index(ref);
            bool in_block = used >= block->inst && used < i;
            if (gp_ref_kind(ref) != GP_REF_INST || used == i || in_block || uses->made[used] == line + 1)
                continue;
            uses->outside[used] = true;
            if (uses->seen[used] == b + 1)
                continue;
            uses->seen[used] = b + 1;
            t->before[(*before)++].inst = used;
        }
    }
}

/* Of a line's blocks. What a guarded one made may be that of an earlier visit. */
static void list_line(struct gp_block_times *t, const struct gp_kernel *kernel, const struct gp_predication *lines,
                      uint32_t line, struct uses *uses, uint32_t *before)
{
    for (uint32_t b = line; b != GP_NONE; b = lines->next[b]) {
        const struct gp_block *block = &kernel->blocks[b];
        t->next[b] = lines->next[b];
        t->blocks[b].before = *before;
        list_operands(t, kernel, b, line, uses, before);
        t->blocks[b].before_count = *before - t->blocks[b].before;
        for (uint32_t i = block->inst; i < block->inst + block->inst_count && !lines->guarded[b]; i++)
            uses->made[i] = line + 1;
    }
}

/* What a line's blocks leave and ask for. */
static void list_results(struct gp_block_times *t, const struct gp_kernel *kernel, uint32_t b, struct visit *visit,
                         const struct uses *uses, uint32_t *after, uint32_t *access)
{
    struct block *lists = &t->blocks[b];
    lists->after = *after;
    lists->access = *access;
    for (uint32_t i = kernel->blocks[b].inst; i < gp_block_end(kernel, b); i++) {
        const struct gp_inst *inst = &kernel->insts[i];
        visit->timed = visit->timed && inst->cost != GP_CLASS_BARRIER;
        if (uses->outside[i])
            t->after[(*after)++].inst = i;
        if (gp_inst_accesses(inst))
            t->records[(*access)++] = inst->record;
    }
    lists->after_count = *after - lists->after;
    lists->access_count = *access - lists->access;
}

static void list_blocks(struct gp_block_times *t, const struct gp_kernel *kernel, const struct gp_predication *lines,
                        struct uses *uses)
{
    uint32_t before = 0, after = 0, access = 0;
    for (uint32_t b = 0; b < kernel->block_count; b++)
        if (lines->head[b] == b)
            list_line(t, kernel, lines, b, uses, &before);
    for (uint32_t line = 0; line < kernel->block_count; line++) {
        struct visit *visit = &t->visits[line];
        uint32_t first = access;
        visit->timed = true;
        visit->stall = access + line;
        for (uint32_t b = lines->head[line] == line ? line : GP_NONE; b != GP_NONE; b = lines->next[b])
            list_results(t, kernel, b, visit, uses, &after, &access);
        visit->most_stalls = access - first + 1;
    }
}

static uint32_t count_accesses(const struct gp_kernel *kernel)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < kernel->inst_count; i++)
        count += gp_inst_accesses(&kernel->insts[i]);
    return count;
}

struct gp_block_times *gp_block_times_new(const struct gp_kernel *kernel, const struct gp_predication *lines)
{
    struct gp_block_times *t = calloc(1, sizeof *t);
    uint32_t accesses = count_accesses(kernel);
    t->blocks = gp_some(kernel->block_count, sizeof *t->blocks);
    t->visits = gp_some(kernel->block_count, sizeof *t->visits);
    t->next = gp_some(kernel->block_count, sizeof *t->next);
    t->before = gp_some(kernel->operand_count, sizeof *t->before);
    t->after = gp_some(kernel->inst_count, sizeof *t->after);
    t->records = gp_some(accesses, sizeof *t->records);
    t->latencies = gp_some(accesses, sizeof *t->latencies);
    t->stalls = gp_some((size_t)accesses + kernel->block_count, sizeof *t->stalls);
    struct uses uses = {.seen = gp_some(kernel->inst_count, sizeof *uses.seen),
                        .made = gp_some(kernel->inst_count, sizeof *uses.made),
                        .outside = gp_some(kernel->inst_count, sizeof *uses.outside)};
    list_blocks(t, kernel, lines, &uses);
    free(uses.seen);
    free(uses.made);
    free(uses.outside);
    t->run = 1;
    return t;
}

void gp_block_times_free(struct gp_block_times *t)
{
    if (t == NULL)
        return;
    free(t->blocks);
    free(t->visits);
    free(t->next);
    free(t->before);
    free(t->after);
    free(t->records);
    free(t->latencies);
    free(t->stalls);
    free(t);
}

void gp_block_times_forget(struct gp_block_times *t) { t->run++; }

/* Whether the block finds what it found before; remembers what it finds. */
static bool finds_the_same(struct gp_block_times *t, const struct block *block, const struct gp_schedule *schedule,
                           const double *latency)
{
    bool same = true;
    for (uint32_t i = block->before; i < block->before + block->before_count; i++) {
        struct pending *old = &t->before[i], now = {.inst = old->inst};
        now.cycles = gp_schedule_pending(schedule, now.inst, &now.latency);
        same = same && now.cycles == old->cycles && now.latency == old->latency;
        *old = now;
    }
    for (uint32_t i = block->access; i < block->access + block->access_count; i++) {
        double now = latency[t->records[i]];
        same = same && now == t->latencies[i];
        t->latencies[i] = now;
    }
    return same;
}

/* Whether all of the line's blocks that are visited were visited the last time, no other was, and each finds the same.
 */
static bool line_finds_the_same(struct gp_block_times *t, const struct gp_line_visit *line,
                                const struct gp_schedule *schedule, const double *latency)
{
    bool same = true;
    uint32_t k = 0;
    for (uint32_t b = line->head; b != GP_NONE; b = t->next[b]) {
        bool visited = k < line->count && line->blocks[k] == b;
        same = same && visited == t->blocks[b].visited;
        t->blocks[b].visited = visited;
        if (visited) {
            same &= finds_the_same(t, &t->blocks[b], schedule, latency);
            k++;
        }
    }
    return same;
}

bool gp_block_times_recall(struct gp_block_times *t, const struct gp_line_visit *line, struct gp_schedule *schedule,
                           const double *latency, gp_stall_observer *observer, void *context, double *cycles)
{
    struct visit *visit = &t->visits[line->head];
    if (!visit->timed)
        return false;
    bool same = line_finds_the_same(t, line, schedule, latency) && visit->run == t->run;
    if (!same) {
        visit->run = 0;
        visit->stall_count = 0;
        return false;
    }
    for (uint32_t i = visit->stall; i < visit->stall + visit->stall_count; i++)
        observer(context, t->stalls[i].record, t->stalls[i].cycles);
    gp_schedule_pass(schedule, visit->cycles);
    for (uint32_t k = 0; k < line->count; k++) {
        const struct block *block = &t->blocks[line->blocks[k]];
        for (uint32_t i = block->after; i < block->after + block->after_count; i++)
            gp_schedule_leave(schedule, t->after[i].inst, t->after[i].cycles, t->after[i].latency);
    }
    *cycles = visit->cycles;
    return true;
}

void gp_block_times_stall(struct gp_block_times *t, uint32_t head, uint32_t record, double cycles)
{
    struct visit *visit = &t->visits[head];
    if (visit->timed && visit->stall_count < visit->most_stalls)
        t->stalls[visit->stall + visit->stall_count++] = (struct stall){record, cycles};
}

void gp_block_times_keep(struct gp_block_times *t, const struct gp_line_visit *line, const struct gp_schedule *schedule,
                         double cycles)
{
    struct visit *visit = &t->visits[line->head];
    if (!visit->timed)
        return;
    visit->run = t->run;
    visit->cycles = cycles;
    for (uint32_t k = 0; k < line->count; k++) {
        const struct block *block = &t->blocks[line->blocks[k]];
        for (uint32_t i = block->after; i < block->after + block->after_count; i++)
            t->after[i].cycles = gp_schedule_pending(schedule, t->after[i].inst, &t->after[i].latency);
    }
}
