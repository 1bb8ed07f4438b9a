/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/compilers/schedule.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/profile/profile.h"

enum {
    SPACES = 16,
    IN_ORDER = SPACES - 1,
    UNUSED = -1,
    MOST_FOLDED = 3
}; /* IN_ORDER: volatile stores, as of a space of their own */

/* The result of an instruction, as of its last execution. */
struct result {
    double ready;    /* when */
    double latency;  /* the part of that which began when it issued */
    double used;     /* a load's last use; below 0: none yet */
    uint32_t record; /* the memory operation that it is waited for, or GP_NONE */
    uint32_t after;  /* the operand of this part that it waited for, or GP_NONE */
    double carried;  /* what it waited for a value of an earlier part, which may have another by now */
    uint32_t carried_record;
    uint32_t part; /* of which part of the run it is */
    uint32_t words;
    const uint32_t *folded; /* of what is free in this part of the run: its operands, used where its result is */
    uint32_t folded_count, folded_part;
};

/* Loads whose results share registers. */
struct queue {
    uint32_t *loads; /* of this part, oldest first */
    uint32_t load_count, oldest;
    double words, words_under_way;
};

struct gp_schedule {
    struct result *results;
    struct queue loads, local_loads;
    uint32_t *asked, asked_count, most_loads; /* off-chip loads of this part, oldest first */
    double begin, end, issued;
    double stored[SPACES];
    uint32_t stored_after[SPACES]; /* what the last store waited for, as `after` */
    uint32_t last;                 /* instruction that ends last, or GP_NONE */
    uint32_t part;
};

/* Times are numbers: fmax() and fmin() would ask. */
static double later(double a, double b) { return a > b ? a : b; }
static double sooner(double a, double b) { return a < b ? a : b; }

struct gp_schedule *gp_schedule_new(uint32_t inst_count)
{
    struct gp_schedule *s = calloc(1, sizeof *s);
    s->results = calloc(inst_count + 1, sizeof *s->results);
    s->loads.loads = calloc(inst_count + 1, sizeof *s->loads.loads);
    s->local_loads.loads = calloc(inst_count + 1, sizeof *s->local_loads.loads);
    s->asked = calloc(inst_count + 1, sizeof *s->asked);
    for (uint32_t i = 0; i < inst_count; i++)
        s->results[i].record = s->results[i].after = GP_NONE;
    return s;
}

void gp_schedule_free(struct gp_schedule *s)
{
    if (s == NULL)
        return;
    free(s->results);
    free(s->loads.loads);
    free(s->local_loads.loads);
    free(s->asked);
    free(s);
}

static void begin_part(struct gp_schedule *s)
{
    s->part++;
    s->begin = s->end;
    s->issued = 0;
    s->loads.load_count = s->loads.oldest = s->local_loads.load_count = s->local_loads.oldest = 0;
    s->loads.words_under_way = s->local_loads.words_under_way = 0;
    s->asked_count = 0;
    s->last = GP_NONE;
    for (int i = 0; i < SPACES; i++)
        s->stored[i] = s->begin, s->stored_after[i] = GP_NONE;
}

/* A new warp starts later than all that earlier warps waited for. */
void gp_schedule_start(struct gp_schedule *s, double words, double local_words, uint32_t most_loads)
{
    s->most_loads = most_loads;
    s->end += 1e6;
    s->loads.words = words;
    s->local_loads.words = local_words;
    begin_part(s);
}

void gp_schedule_give_words(struct gp_schedule *s, double words) { s->loads.words = words; }

/* When the load that must leave its registers first has done so. */
static double room_for(const struct gp_schedule *s, struct queue *queue, uint32_t words)
{
    double since = s->begin;
    while (queue->oldest < queue->load_count && queue->words_under_way + words > queue->words) {
        const struct result *load = &s->results[queue->loads[queue->oldest++]];
        queue->words_under_way -= load->words;
        since = later(since, load->used); /* without a use program order itself keeps it for longer */
    }
    queue->words_under_way += words;
    return since;
}

/* When as few off-chip loads are under way as a warp may have beside this one. */
static double turn_of_load(struct gp_schedule *s, uint32_t inst, uint32_t *earlier)
{
    *earlier = s->asked_count >= s->most_loads ? s->asked[s->asked_count - s->most_loads] : GP_NONE;
    s->asked[s->asked_count++] = inst;
    return *earlier != GP_NONE ? s->results[*earlier].ready : s->begin;
}

/* To 1/1024 of a cycle: sums and differences of such times are exact, so that a block takes equally long whenever it is
 * run. */
static double ticks(double cycles)
{
    const double shift = 0x1.8p42; /* its last bit is 1/1024 */
    return cycles + shift - shift;
}

/* The k-th of what an instruction waits for, its guard being the last. */
static uint32_t operand_of(const struct gp_slot *slot, uint32_t k)
{
    return k < slot->operand_count ? slot->operands[k] : *slot->guard;
}

/* No instruction: a phi, or what is folded into its user. Nothing waits for its operands before its result is used. */
static void add_free(struct gp_schedule *s, const struct gp_slot *slot)
{
    const struct result *last = NULL;
    for (uint32_t k = 0; k < slot->operand_count; k++) {
        const struct result *operand = &s->results[slot->operands[k]];
        if (operand->ready > s->begin && (last == NULL || operand->ready > last->ready))
            last = operand;
    }
    struct result *result = &s->results[slot->inst];
    *result =
        last != NULL
            ? *last
            : (struct result){
                  .ready = s->begin, .record = GP_NONE, .after = GP_NONE, .carried_record = GP_NONE, .part = s->part};
    result->used = UNUSED;
    result->words = 0;
    result->folded = slot->operands;
    result->folded_count = slot->operand_count;
    result->folded_part = s->part;
}

/* A load keeps its registers until its result is used, also by what a product or a cast is folded into. */
static void note_use(struct gp_schedule *s, uint32_t inst, double start, unsigned deepest)
{
    struct result *operand = &s->results[inst];
    if (operand->words > 0 && operand->part == s->part)
        operand->used = later(operand->used, start);
    for (uint32_t k = 0; deepest > 0 && operand->folded_part == s->part && k < operand->folded_count; k++)
        note_use(s, operand->folded[k], start, deepest - 1);
}

/* When an instruction can start, and what of that it waits for. */
struct wait {
    double start;
    uint32_t after; /* an operand of this part, or GP_NONE */
    double carried; /* for a value of an earlier part, which may have another by then */
    uint32_t carried_record;
};

static struct wait wait_for_operands(const struct gp_schedule *s, const struct gp_slot *slot, uint32_t operands)
{
    struct wait wait = {s->begin, GP_NONE, 0, GP_NONE};
    for (uint32_t k = 0; k < operands; k++) {
        const struct result *operand = &s->results[operand_of(slot, k)];
        if (operand->ready > wait.start) {
            bool before = operand->part != s->part;
            wait.start = operand->ready;
            wait.after = before ? GP_NONE : operand_of(slot, k);
            wait.carried = before ? sooner(operand->ready - s->begin, operand->latency) : 0;
            wait.carried_record = before ? operand->record : GP_NONE;
        }
    }
    return wait;
}

bool gp_spaces_may_alias(int a, int b)
{
    bool either = a == GP_SPACE_GENERIC ? b == GP_SPACE_GLOBAL || b == GP_SPACE_LOCAL
                                        : b == GP_SPACE_GENERIC && (a == GP_SPACE_GLOBAL || a == GP_SPACE_LOCAL);
    return a == b || either;
}

/* When the stores before it that a load of the space may read from have been made, and after what. */
static double stores_before(const struct gp_schedule *s, int space, bool in_order, uint32_t *after)
{
    double last = s->begin;
    for (int other = 0; other < SPACES; other++)
        if ((gp_spaces_may_alias(space, other) || (in_order && other == IN_ORDER)) && s->stored[other] > last) {
            last = s->stored[other];
            *after = s->stored_after[other];
        }
    return last;
}

/* A load waits for registers to be free, for stores before it and for its turn. */
static void wait_for_room(struct gp_schedule *s, const struct gp_slot *slot, int space, struct wait *wait)
{
    struct queue *queue = slot->space == GP_SPACE_LOCAL && s->local_loads.words > 0 ? &s->local_loads : &s->loads;
    uint32_t before = GP_NONE, store = GP_NONE;
    double room = room_for(s, queue, slot->words),
           stored = slot->reorders ? s->begin : stores_before(s, space, slot->in_order, &store);
    if (stored > room) {
        room = stored;
        before = store;
    }
    if (slot->space != GP_SPACE_LOCAL) {
        uint32_t earlier;
        double turn = turn_of_load(s, slot->inst, &earlier);
        before = turn > room ? earlier : before;
        room = later(room, turn);
    }
    if (room > wait->start)
        *wait = (struct wait){room, before, 0, GP_NONE};
    queue->loads[queue->load_count++] = slot->inst;
}

static void note_store(struct gp_schedule *s, int space, const struct wait *wait)
{
    if (wait->start <= s->stored[space])
        return;
    s->stored[space] = wait->start;
    s->stored_after[space] = wait->after;
}

void gp_schedule_add(struct gp_schedule *s, const struct gp_slot *slot)
{
    if (slot->issue == 0 && slot->latency == 0 && slot->record == GP_NONE) {
        add_free(s, slot);
        return;
    }
    const double issue = ticks(slot->issue), latency = ticks(slot->latency);
    const uint32_t operands = slot->operand_count + (slot->guard != NULL);
    struct wait wait = wait_for_operands(s, slot, operands);
    int space = slot->space & (SPACES - 1);
    if (slot->words > 0)
        wait_for_room(s, slot, space, &wait);
    if (slot->store)
        note_store(s, space, &wait);
    if (slot->store && slot->in_order)
        note_store(s, IN_ORDER, &wait);
    for (uint32_t k = 0; k < operands; k++)
        note_use(s, operand_of(slot, k), wait.start, MOST_FOLDED);
    s->issued += issue;
    s->results[slot->inst] = (struct result){.ready = wait.start + issue + latency,
                                             .latency = latency,
                                             .used = UNUSED,
                                             .record = slot->record,
                                             .after = wait.after,
                                             .carried = wait.carried,
                                             .carried_record = wait.carried_record,
                                             .part = s->part,
                                             .words = slot->words};
    if (wait.start + issue > s->end) {
        s->end = wait.start + issue;
        s->last = slot->inst;
    }
}

static double waited_for(double waited, uint32_t record, double share, gp_stall_observer *observer, void *context)
{
    if (share > 0 && record != GP_NONE && waited > 0)
        observer(context, record, share * waited);
    return waited;
}

/* Goes back along the chain that ends last: the latencies on it, and (share > 0) tells of those that are memory's. */
static double walk_chain(const struct gp_schedule *s, double share, gp_stall_observer *observer, void *context)
{
    double sum = 0;
    for (uint32_t i = s->last; i != GP_NONE; i = s->results[i].after) {
        const struct result *r = &s->results[i];
        if (i != s->last)
            sum += waited_for(r->latency, r->record, share, observer, context);
        sum += waited_for(r->carried, r->carried_record, share, observer, context);
    }
    return sum;
}

double gp_schedule_finish(struct gp_schedule *s, gp_stall_observer *observer, void *context)
{
    s->end = fmax(s->end, s->begin + s->issued);
    double cycles = s->end - s->begin, stall = cycles - s->issued;
    if (stall > 0 && observer != NULL) {
        double waited = walk_chain(s, 0, observer, context);
        if (waited > 0)
            walk_chain(s, fmin(1, stall / waited), observer, context);
    }
    begin_part(s);
    return cycles;
}

double gp_schedule_pending(const struct gp_schedule *s, uint32_t inst, double *latency)
{
    const struct result *r = &s->results[inst];
    bool waited = r->ready > s->begin;
    *latency = waited ? r->latency : 0;
    return waited ? r->ready - s->begin : 0;
}

void gp_schedule_pass(struct gp_schedule *s, double cycles)
{
    s->end = s->begin + cycles;
    begin_part(s);
}

void gp_schedule_leave(struct gp_schedule *s, uint32_t inst, double pending, double latency)
{
    struct result *r = &s->results[inst];
    r->ready = s->begin + pending;
    r->latency = latency;
    r->after = GP_NONE;
    r->carried = 0;
    r->part = s->part - 1;
}
