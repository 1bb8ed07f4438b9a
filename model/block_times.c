#include "model/block_times.h"

#include <stdlib.h>

#include "model/inst_facts.h"
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

/* Of a block's last visit. Lists are parts of those below. */
struct visit {
    uint32_t before, before_count; /* results of earlier visits that its instructions use */
    uint32_t after, after_count;   /* its results that other blocks, or its next visit, use */
    uint32_t access, access_count;
    uint32_t stall, stall_count;
    bool timed;                    /* it has no barrier, which would end it in the middle */
    uint32_t run;                  /* in which it was made; 0: never */
    double cycles;
};

struct gp_block_times {
    struct visit *visits;   /* per block */
    struct pending *before, *after;
    uint32_t *records;      /* of the accesses */
    double *latencies;
    struct stall *stalls;   /* per block one more than it has accesses: a chain ends at what came from before */
    uint32_t run;
};

/* Which results are used outside their block, or by its next visit. */
struct uses {
    uint32_t *seen;    /* the block, plus one, that last had the instruction among what it uses */
    bool *outside;
};

static bool is_before(const struct gp_block *block, uint32_t user, uint32_t inst) { return inst < block->inst || inst >= user; }

static void list_operands(struct gp_block_times *t, const struct gp_kernel *kernel, uint32_t b, struct uses *uses, uint32_t *before)
{
    const struct gp_block *block = &kernel->blocks[b];
    for (uint32_t i = block->inst; i < block->inst + block->inst_count; i++) {
        const struct gp_inst *inst = &kernel->insts[i];
        for (uint32_t k = 0; k < inst->operand_count; k++) {
            gp_ref ref = kernel->operands[inst->operand + k];
            uint32_t used = gp_ref_index(ref);
            if (gp_ref_kind(ref) != GP_REF_INST || used == i || !is_before(block, i, used))
                continue;
            uses->outside[used] = true;
            if (uses->seen[used] == b + 1)
                continue;
            uses->seen[used] = b + 1;
            t->before[(*before)++].inst = used;
        }
    }
}

static void list_blocks(struct gp_block_times *t, const struct gp_kernel *kernel, struct uses *uses)
{
    uint32_t before = 0, after = 0, access = 0;
    for (uint32_t b = 0; b < kernel->block_count; b++) {
        t->visits[b].before = before;
        list_operands(t, kernel, b, uses, &before);
        t->visits[b].before_count = before - t->visits[b].before;
    }
    for (uint32_t b = 0; b < kernel->block_count; b++) {
        struct visit *visit = &t->visits[b];
        const struct gp_block *block = &kernel->blocks[b];
        visit->timed = true;
        visit->after = after;
        visit->access = access;
        visit->stall = access + b;
        for (uint32_t i = block->inst; i < block->inst + block->inst_count; i++) {
            const struct gp_inst *inst = &kernel->insts[i];
            visit->timed = visit->timed && inst->cost != GP_CLASS_BARRIER;
            if (uses->outside[i])
                t->after[after++].inst = i;
            if (gp_inst_accesses(inst))
                t->records[access++] = inst->record;
        }
        visit->after_count = after - visit->after;
        visit->access_count = access - visit->access;
    }
}

static uint32_t count_accesses(const struct gp_kernel *kernel)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < kernel->inst_count; i++)
        count += gp_inst_accesses(&kernel->insts[i]);
    return count;
}

struct gp_block_times *gp_block_times_new(const struct gp_kernel *kernel)
{
    struct gp_block_times *t = calloc(1, sizeof *t);
    if (t == NULL)
        return NULL;
    uint32_t accesses = count_accesses(kernel);
    t->visits = gp_some(kernel->block_count, sizeof *t->visits);
    t->before = gp_some(kernel->operand_count, sizeof *t->before);
    t->after = gp_some(kernel->inst_count, sizeof *t->after);
    t->records = gp_some(accesses, sizeof *t->records);
    t->latencies = gp_some(accesses, sizeof *t->latencies);
    t->stalls = gp_some((size_t)accesses + kernel->block_count, sizeof *t->stalls);
    struct uses uses = {.seen = gp_some(kernel->inst_count, sizeof *uses.seen), .outside = gp_some(kernel->inst_count, sizeof *uses.outside)};
    bool enough = t->visits && t->before && t->after && t->records && t->latencies && t->stalls && uses.seen && uses.outside;
    if (enough)
        list_blocks(t, kernel, &uses);
    free(uses.seen);
    free(uses.outside);
    t->run = 1;
    if (enough)
        return t;
    gp_block_times_free(t);
    return NULL;
}

void gp_block_times_free(struct gp_block_times *t)
{
    if (t == NULL)
        return;
    free(t->visits);
    free(t->before);
    free(t->after);
    free(t->records);
    free(t->latencies);
    free(t->stalls);
    free(t);
}

void gp_block_times_forget(struct gp_block_times *t) { t->run++; }

/* Whether the block finds what it found before; remembers what it finds. */
static bool finds_the_same(struct gp_block_times *t, const struct visit *visit, const struct gp_schedule *schedule, const double *latency)
{
    bool same = true;
    for (uint32_t i = visit->before; i < visit->before + visit->before_count; i++) {
        struct pending *old = &t->before[i], now = {.inst = old->inst};
        now.cycles = gp_schedule_pending(schedule, now.inst, &now.latency);
        same = same && now.cycles == old->cycles && now.latency == old->latency;
        *old = now;
    }
    for (uint32_t i = visit->access; i < visit->access + visit->access_count; i++) {
        double now = latency[t->records[i]];
        same = same && now == t->latencies[i];
        t->latencies[i] = now;
    }
    return same;
}

bool gp_block_times_recall(struct gp_block_times *t, uint32_t block, struct gp_schedule *schedule, const double *latency,
                           gp_stall_observer *observer, void *context, double *cycles)
{
    struct visit *visit = &t->visits[block];
    if (!visit->timed)
        return false;
    bool same = finds_the_same(t, visit, schedule, latency) && visit->run == t->run;
    if (!same) {
        visit->run = 0;
        visit->stall_count = 0;
        return false;
    }
    for (uint32_t i = visit->stall; i < visit->stall + visit->stall_count; i++)
        observer(context, t->stalls[i].record, t->stalls[i].cycles);
    gp_schedule_pass(schedule, visit->cycles);
    for (uint32_t i = visit->after; i < visit->after + visit->after_count; i++)
        gp_schedule_leave(schedule, t->after[i].inst, t->after[i].cycles, t->after[i].latency);
    *cycles = visit->cycles;
    return true;
}

void gp_block_times_stall(struct gp_block_times *t, uint32_t block, uint32_t record, double cycles)
{
    struct visit *visit = &t->visits[block];
    if (visit->timed && visit->stall_count <= visit->access_count)
        t->stalls[visit->stall + visit->stall_count++] = (struct stall){record, cycles};
}

void gp_block_times_keep(struct gp_block_times *t, uint32_t block, const struct gp_schedule *schedule, double cycles)
{
    struct visit *visit = &t->visits[block];
    if (!visit->timed)
        return;
    visit->run = t->run;
    visit->cycles = cycles;
    for (uint32_t i = visit->after; i < visit->after + visit->after_count; i++)
        t->after[i].cycles = gp_schedule_pending(schedule, t->after[i].inst, &t->after[i].latency);
}
