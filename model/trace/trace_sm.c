/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The simulated SM: schedulers, a scoreboard per warp, units, barriers, work-groups.
 *
 * Each warp has one next instruction and the time from which it could issue: its operands are there, the warp may issue
 * again, it has not too many loads in flight. A scheduler issues, at the earliest time at which one of its warps and
 * that warp's unit are ready, the warp that the device's policy picks. So time jumps from issue to issue (Wang et al.'s
 * global timer, their section IV.B).
 *
 * A trace of a sampled loop shows few of its iterations. What an instruction of a visit that stands for many takes -
 * issue slots, units, bandwidth, latency - is taken as often, at once: a warp's shown iteration lasts as long as those
 * that are not shown, whatever the other warps are at.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/trace/trace_internal.h"

enum { MOST_LOADS = 64 };

/* What a scheduler looks at when it picks: kept together. */
struct candidate {
    double next;  /* INFINITY: nothing to issue */
    uint64_t age; /* groups in the order in which they started, then warps */
    uint8_t unit;
    bool beside; /* takes no turn of the scheduler's: AMD's scalar instructions and accesses issue beside other waves'
                    vector instructions */
};

struct warp {
    const struct gp_sim_warp *from;
    uint32_t group; /* slot */
    uint32_t visit, op, op_end, access, access_end;
    const struct gp_sim_op *current;
    double issue_free; /* the warp may issue again */
    double pending;    /* when all it waits for is there */
    double weight;     /* of the visit at hand, its branch repaired or not */
    double shown;      /* the same of its accesses, whose active lanes a repair does not change */
    double each;       /* of gp_sim_result.progress, per instruction */
    uint8_t waits;     /* enum gp_sim_wait, for `next` */
    bool at_barrier;
    uint32_t loads; /* issued so far */
};

struct group {
    uint32_t number;        /* on this SM */
    uint32_t live, arrived; /* warps not finished; at the barrier */
    double finish;
    bool started;
};

struct scheduler {
    double free;          /* may issue again */
    double earliest;      /* a bound: no warp can issue before */
    uint32_t last;        /* candidate that issued last */
    double turn, quantum; /* since when it has its turn; for how long */
};

struct gp_simulator {
    struct gp_sim_memory memory;
    struct candidate *candidates; /* [schedulers][per_scheduler] */
    struct warp *warps;
    struct group *groups; /* resident */
    struct scheduler *schedulers;
    double *unit_free;                   /* [schedulers][GP_UNIT_COUNT + 1]; the last is never busy */
    double *slots;                       /* [warps][slot_count]: when values are ready */
    uint8_t *slot_from;                  /* likewise: enum gp_sim_wait of what makes them */
    double *loads;                       /* [warps][MOST_LOADS]: completion of the latest loads */
    const struct gp_trace_access **last; /* [warps][memory_count]: the latest access with segments; NULL: none yet */
    size_t warp_capacity, group_capacity, scheduler_capacity, slot_capacity, last_capacity;

    const struct gp_simulation *in;
    struct gp_sim_result *result;
    double *start, *finish;
    uint32_t warp_count, per_scheduler;
    uint32_t next_group, finished;
    bool ended; /* some group has no live warp left */
    bool full;  /* of requests: the last access to memory was kept waiting */
    double now; /* of the latest issue */
};

/* ---- Memory ------------------------------------------------------------------------------------------------------ */

struct gp_simulator *gp_simulator_new(void) { return calloc(1, sizeof(struct gp_simulator)); }

void gp_simulator_free(struct gp_simulator *s)
{
    if (s == NULL)
        return;
    gp_sim_memory_free(&s->memory);
    void *all[] = {s->candidates, s->warps,     s->groups, s->schedulers,  s->unit_free,
                   s->slots,      s->slot_from, s->loads,  (void *)s->last};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    free(s);
}

static void resize(void *array, size_t count, size_t size)
{
    void **place = array;
    *place = realloc(*place, count * size);
}

static void allocate(struct gp_simulator *s)
{
    const struct gp_simulation *in = s->in;
    size_t schedulers = in->sm->schedulers, places = s->per_scheduler * schedulers,
           slots = places * (in->program->slot_count + 1);
    if (places > s->warp_capacity) {
        resize(&s->candidates, places, sizeof *s->candidates);
        resize(&s->warps, places, sizeof *s->warps);
        resize(&s->loads, places * MOST_LOADS, sizeof *s->loads);
        s->warp_capacity = places;
    }
    if (places * in->program->memory_count > s->last_capacity) {
        s->last_capacity = places * in->program->memory_count;
        resize(&s->last, s->last_capacity, sizeof *s->last);
    }
    if (in->resident_groups > s->group_capacity) {
        s->group_capacity = in->resident_groups;
        resize(&s->groups, s->group_capacity, sizeof *s->groups);
    }
    if (schedulers > s->scheduler_capacity) {
        s->scheduler_capacity = schedulers;
        resize(&s->schedulers, schedulers, sizeof *s->schedulers);
        resize(&s->unit_free, schedulers * (GP_UNIT_COUNT + 1), sizeof *s->unit_free);
    }
    if (slots > s->slot_capacity) {
        s->slot_capacity = slots;
        resize(&s->slots, slots, sizeof *s->slots);
        resize(&s->slot_from, slots, sizeof *s->slot_from);
    }
}

/* ---- Places ------------------------------------------------------------------------------------------------------ */

/* Warps go to schedulers in turn; a scheduler's candidates lie side by side. */
static uint32_t place_of(const struct gp_simulator *s, uint32_t warp)
{
    return warp % s->in->sm->schedulers * s->per_scheduler + warp / s->in->sm->schedulers;
}

static double *units_of(struct gp_simulator *s, uint32_t scheduler)
{
    return s->unit_free + scheduler * (GP_UNIT_COUNT + 1);
}

static double *slots_of(struct gp_simulator *s, uint32_t warp)
{
    return s->slots + (size_t)warp * s->in->program->slot_count;
}

static uint8_t *slot_from_of(struct gp_simulator *s, uint32_t warp)
{
    return s->slot_from + (size_t)warp * s->in->program->slot_count;
}

/* ---- Warps ------------------------------------------------------------------------------------------------------- */

static void finish_warp(struct gp_simulator *s, uint32_t w);

/* The weight of a visit, its branch repaired or not. */
static double weight_of(const struct gp_simulator *s, const struct gp_visit *visit)
{
    const uint8_t *repaired = s->in->repairs.branches;
    return repaired != NULL && visit->branch != GP_NONE && repaired[visit->branch] ? visit->weight * (1 - visit->idle)
                                                                                   : visit->weight;
}

static double operands_ready(struct gp_simulator *s, uint32_t w, const struct gp_sim_op *op, uint8_t *from)
{
    const double *slots = slots_of(s, w);
    const uint8_t *slot_from = slot_from_of(s, w);
    const uint32_t *operands = s->in->program->operands + op->operand;
    double ready = 0;
    for (uint32_t k = 0; k < op->operand_count; k++)
        if (slots[operands[k]] > ready) {
            ready = slots[operands[k]];
            *from = slot_from[operands[k]];
        }
    return ready;
}

/* Moves a warp to its next instruction and finds out from when it could issue. */
static void fetch(struct gp_simulator *s, uint32_t w)
{
    struct warp *warp = &s->warps[w];
    const struct gp_trace *trace = warp->from->trace;
    struct candidate *candidate = &s->candidates[place_of(s, w)];
    for (;;) {
        while (warp->op == warp->op_end) {
            if (warp->visit == trace->visit_count) {
                candidate->next = INFINITY;
                finish_warp(s, w);
                return;
            }
            const struct gp_visit *visit = &trace->visits[warp->visit++];
            if (s->in->repairs.no_spills && visit->block >= s->in->program->spill_block) {
                s->result->touched += (double)visit->weight * trace->accesses[visit->access].segment_count;
                continue;
            }
            const struct gp_sim_block *block = &s->in->program->blocks[visit->block];
            warp->op = block->first;
            warp->op_end = block->first + block->count;
            warp->access = visit->access;
            warp->access_end =
                warp->visit < trace->visit_count ? trace->visits[warp->visit].access : trace->access_count;
            warp->weight = weight_of(s, visit);
            warp->shown = visit->weight;
            warp->each = (double)visit->weight * visit->instructions / (block->issued > 0 ? block->issued : 1);
            s->result->progress += block->issued > 0 ? 0 : warp->each;
        }
        const struct gp_sim_op *op = &s->in->program->ops[warp->op++];
        uint8_t from = GP_WAIT_PIPELINE;
        double ready = operands_ready(s, w, op, &from);
        if (op->kind == GP_SIM_FREE) {
            if (op->result != GP_NONE) {
                slots_of(s, w)[op->result] = ready + (s->in->repairs.no_latency ? 0 : warp->weight * op->latency);
                slot_from_of(s, w)[op->result] = from;
            }
            continue;
        }
        if (op->kind == GP_SIM_MEMORY && warp->loads >= s->in->sm->warp_loads) {
            double oldest = s->loads[(size_t)w * MOST_LOADS + (warp->loads - s->in->sm->warp_loads) % MOST_LOADS];
            if (oldest > ready) {
                ready = oldest;
                from = GP_WAIT_MEMORY;
            }
        }
        warp->current = op;
        warp->waits = ready > warp->issue_free ? from : GP_WAIT_ISSUE;
        candidate->next = gp_later(ready, warp->issue_free);
        candidate->unit = op->unit;
        candidate->beside = s->in->sm->issues_beside && op->issue <= 0;
        return;
    }
}

static void start_group(struct gp_simulator *s, uint32_t slot, double time)
{
    const struct gp_simulation *in = s->in;
    uint32_t number = s->next_group++;
    s->groups[slot] = (struct group){.number = number, .started = true};
    if (s->start != NULL)
        s->start[number] = time;
    for (uint32_t i = 0; i < in->warps_per_group; i++)
        s->groups[slot].live += in->warps[(size_t)(number % in->rows) * in->warps_per_group + i].trace != NULL;
    uint32_t live = s->groups[slot].live;
    for (uint32_t i = 0; i < in->warps_per_group; i++) {
        uint32_t w = slot * in->warps_per_group + i;
        struct candidate *candidate = &s->candidates[place_of(s, w)];
        s->warps[w] = (struct warp){.from = &in->warps[(size_t)(number % in->rows) * in->warps_per_group + i],
                                    .group = slot,
                                    .issue_free = time,
                                    .pending = time};
        *candidate = (struct candidate){
            .next = INFINITY, .age = (uint64_t)number * in->warps_per_group + i, .unit = GP_UNIT_COUNT};
        struct scheduler *scheduler = &s->schedulers[w % in->sm->schedulers];
        scheduler->earliest = gp_sooner(scheduler->earliest, gp_later(time, scheduler->free));
        memset(slots_of(s, w), 0, in->program->slot_count * sizeof *s->slots);
        memset(slot_from_of(s, w), GP_WAIT_PIPELINE, in->program->slot_count);
        for (uint32_t m = 0; m < in->program->memory_count; m++)
            s->last[(size_t)w * in->program->memory_count + m] = NULL;
    }
    if (live == 0) {
        s->groups[slot].finish = time;
        s->ended = true;
    }
    for (uint32_t i = 0; i < in->warps_per_group; i++)
        if (s->warps[slot * in->warps_per_group + i].from->trace != NULL)
            fetch(s, slot * in->warps_per_group + i);
}

/* ---- Barriers and the end of groups ------------------------------------------------------------------------------ */

static void release(struct gp_simulator *s, uint32_t slot, double time)
{
    const struct gp_simulation *in = s->in;
    s->groups[slot].arrived = 0;
    for (uint32_t i = 0; i < in->warps_per_group; i++) {
        uint32_t w = slot * in->warps_per_group + i;
        struct warp *warp = &s->warps[w];
        if (!warp->at_barrier)
            continue;
        warp->at_barrier = false;
        warp->issue_free = gp_later(warp->issue_free, time);
        fetch(s, w);
        if (warp->waits == GP_WAIT_ISSUE)
            warp->waits = GP_WAIT_BARRIER;
        struct scheduler *scheduler = &s->schedulers[w % in->sm->schedulers];
        scheduler->earliest = gp_sooner(scheduler->earliest, gp_later(time, scheduler->free));
    }
}

static void check_barrier(struct gp_simulator *s, uint32_t slot, double time, double weight)
{
    struct group *group = &s->groups[slot];
    if (group->arrived > 0 && group->arrived == group->live)
        release(s, slot, time + (s->in->repairs.no_latency ? 0 : weight * s->in->sm->barrier_latency));
}

/* A warp ends when all that it waits for has come. */
static void finish_warp(struct gp_simulator *s, uint32_t w)
{
    struct warp *warp = &s->warps[w];
    struct group *group = &s->groups[warp->group];
    double end = gp_later(warp->issue_free, warp->pending);
    warp->current = NULL;
    group->finish = gp_later(group->finish, end);
    group->live--;
    s->ended |= group->live == 0;
    if (group->live > 0)
        check_barrier(s, warp->group, end, 1);
}

/* The group that finished first of those that have, of which nobody has taken notice; resident_groups: none. */
static uint32_t first_to_replace(const struct gp_simulator *s)
{
    uint32_t first = s->in->resident_groups;
    for (uint32_t slot = 0; slot < s->in->resident_groups; slot++) {
        const struct group *group = &s->groups[slot];
        if (group->started && group->live == 0 &&
            (first == s->in->resident_groups || group->finish < s->groups[first].finish))
            first = slot;
    }
    return first;
}

/* Groups whose warps have all finished make room for the next. Several may end at once, and those that have nothing to
 * issue as soon as they start. */
static void replace_groups(struct gp_simulator *s)
{
    s->ended = false;
    for (uint32_t slot; (slot = first_to_replace(s)) < s->in->resident_groups;) {
        struct group *group = &s->groups[slot];
        double finish = group->finish;
        if (s->finish != NULL)
            s->finish[group->number] = finish;
        s->result->cycles = gp_later(s->result->cycles, finish);
        group->started = false;
        s->finished++;
        if (s->finished == s->in->common_groups)
            gp_sim_memory_share(&s->memory, s->in->late_sms);
        if (s->next_group < s->in->groups)
            start_group(s, slot, finish + s->in->sm->dispatch);
    }
}

/* ---- Issue ------------------------------------------------------------------------------------------------------- */

/* work: cycles of the unit's that it takes; cycles: until the unit takes the next. */
static void occupy(struct gp_simulator *s, uint32_t scheduler, enum gp_unit unit, double from, double cycles,
                   double work)
{
    const struct gp_sm *sm = s->in->sm;
    double until = gp_later(units_of(s, scheduler)[unit], from) + cycles;
    s->result->busy[unit] += work / (sm->partitioned[unit] ? sm->schedulers : 1);
    if (sm->partitioned[unit])
        units_of(s, scheduler)[unit] = until;
    else
        for (uint32_t i = 0; i < sm->schedulers; i++)
            units_of(s, i)[unit] = until;
}

/* The visit's first access of an instruction; its end where it has none. */
static uint32_t first_access(const struct warp *warp, const struct gp_sim_op *op)
{
    const struct gp_trace_access *accesses = warp->from->trace->accesses;
    uint32_t n = warp->access + op->rank;
    if (n < warp->access_end && accesses[n].memory == op->memory &&
        (op->rank == 0 || accesses[n - 1].memory != op->memory))
        return n;
    for (n = warp->access; n < warp->access_end && accesses[n].memory != op->memory; n++)
        ;
    return n;
}

/* The accesses of the visit that belong to this instruction: none where no lane was active or nothing is fetched. */
static double issue_memory(struct gp_simulator *s, uint32_t w, uint32_t scheduler, double time)
{
    struct warp *warp = &s->warps[w];
    const struct gp_trace *trace = warp->from->trace;
    const struct gp_sim_op *op = warp->current;
    double done = time + warp->weight * op->latency;
    bool off_chip = false, waits = false;
    for (uint32_t n = first_access(warp, op); n < warp->access_end && trace->accesses[n].memory == op->memory; n++) {
        const struct gp_trace_access *a = &trace->accesses[n];
        const struct gp_trace_access **last = &s->last[(size_t)w * s->in->program->memory_count + a->memory];
        struct gp_sim_reply reply =
            gp_sim_memory_access(&s->memory, warp->from, a, *last, trace->segments,
                                 s->candidates[place_of(s, w)].age + 1, warp->visit, time, warp->shown);
        *last = a->segment_count > 0 ? a : *last;
        if (op->unit == GP_UNIT_LSU || op->unit == GP_UNIT_LDS)
            occupy(s, scheduler, op->unit, reply.start, reply.occupied, reply.work);
        s->full = reply.full;
        warp->issue_free = gp_later(warp->issue_free, reply.accepted);
        bool returns =
            !(a->flags & GP_ACCESS_STORE) && (!(a->flags & GP_ACCESS_ATOMIC) || (a->flags & GP_ACCESS_RETURNS));
        if (returns) {
            done = gp_later(done, reply.done);
            waits |= a->path != GP_PATH_LOCAL;
        }
        off_chip |= a->path != GP_PATH_LOCAL && a->path != GP_PATH_CONSTANT;
    }
    if (waits)
        s->loads[(size_t)w * MOST_LOADS + warp->loads++ % MOST_LOADS] = done;
    if (off_chip)
        warp->issue_free = gp_later(warp->issue_free, time + warp->weight * s->in->sm->same_warp_memory);
    if (op->result != GP_NONE)
        slot_from_of(s, w)[op->result] = waits ? GP_WAIT_MEMORY : GP_WAIT_PIPELINE;
    return done;
}

static void issue(struct gp_simulator *s, uint32_t w, uint32_t number, double time)
{
    struct scheduler *scheduler = &s->schedulers[number];
    struct warp *warp = &s->warps[w];
    const struct gp_sim_op *op = warp->current;
    const struct gp_sm *sm = s->in->sm;
    double weight = warp->weight, idle = time - scheduler->free;
    bool unit_busy = units_of(s, number)[op->unit] >= time && s->candidates[place_of(s, w)].next < time;
    if (idle > 0)
        s->result->waits[!unit_busy                           ? warp->waits
                         : s->full && op->unit == GP_UNIT_LSU ? GP_WAIT_REQUESTS
                                                              : GP_WAIT_UNIT] += idle / sm->schedulers;
    s->now = time;
    s->result->steps++;
    s->result->progress += warp->each;
    s->result->instructions += weight * (op->kind == GP_SIM_MEMORY ? 1 : op->issue);
    s->result->issue += weight * op->issue * sm->issue_interval / sm->schedulers;
    scheduler->free = gp_later(scheduler->free, time) + weight * op->issue * sm->issue_interval;
    warp->issue_free = time + weight * gp_later(op->hold, op->issue > 0 ? sm->same_warp : 0);
    for (int u = 0; u < GP_UNIT_COUNT; u++)
        if (op->busy[u] > 0 && !(u == GP_UNIT_BARRIER && s->in->repairs.no_barrier))
            occupy(s, number, (enum gp_unit)u, time, weight * op->busy[u], weight * op->busy[u]);

    double done = op->kind == GP_SIM_MEMORY ? issue_memory(s, w, number, time)
                                            : time + weight * (s->in->repairs.no_latency ? op->hold : op->latency);
    if (op->kind == GP_SIM_COMPUTE && op->result != GP_NONE)
        slot_from_of(s, w)[op->result] = GP_WAIT_PIPELINE;
    if (op->result != GP_NONE)
        slots_of(s, w)[op->result] = done;
    warp->pending = gp_later(warp->pending, done);
    if (op->waits)
        warp->issue_free = gp_later(warp->issue_free, done);
    if (op->kind == GP_SIM_BARRIER && !s->in->repairs.no_barrier) {
        warp->at_barrier = true;
        s->groups[warp->group].arrived++;
        s->candidates[place_of(s, w)].next = INFINITY;
        check_barrier(s, warp->group, warp->issue_free, weight);
        return;
    }
    fetch(s, w);
}

/* ---- Picking ----------------------------------------------------------------------------------------------------- */

/* The first ready candidate behind the last that issued, in turn. */
static uint32_t next_in_turn(const struct candidate *list, uint32_t count, uint32_t last, const double *units,
                             double time, bool unit_too)
{
    for (uint32_t i = 1; i <= count; i++) {
        uint32_t k = last + i < count ? last + i : (last + i) % count;
        if (list[k].next <= time && !list[k].beside && (!unit_too || units[list[k].unit] <= time))
            return k;
    }
    return count;
}

static uint32_t oldest(const struct candidate *list, uint32_t count, const double *units, double time)
{
    uint32_t best = count;
    for (uint32_t k = 0; k < count; k++)
        if (list[k].next <= time && !list[k].beside && units[list[k].unit] <= time &&
            (best == count || list[k].age < list[best].age))
            best = k;
    return best;
}

/*
 * The sampling and learning paper's section 4: a warp keeps its turn for a quantum, then the next in turn; a warp that
 * blocks (its turn has come, its unit is busy) hands over to the first ready warp of the work-group that has been there
 * longest.
 */
static uint32_t oldest_group(const struct scheduler *s, const struct candidate *list, uint32_t count,
                             const double *units, double time)
{
    const struct candidate *last = &list[s->last];
    if (time - s->turn < s->quantum && last->next <= time && !last->beside && units[last->unit] <= time)
        return s->last;
    double now = s->free; /* the turn passed when the scheduler was free, before it waited for a unit */
    uint32_t k = next_in_turn(list, count, s->last, units, now, false);
    if (k == count)
        k = next_in_turn(list, count, s->last, units, now = time, false);
    return units[list[k].unit] <= now ? k : oldest(list, count, units, time);
}

static uint32_t pick(const struct gp_simulator *s, const struct scheduler *scheduler, const struct candidate *list,
                     uint32_t count, const double *units, double time)
{
    const struct candidate *last = &list[scheduler->last];
    switch (s->in->sm->policy) {
    case GP_POLICY_GREEDY_OLDEST:
        return last->next <= time && !last->beside && units[last->unit] <= time ? scheduler->last
                                                                                : oldest(list, count, units, time);
    case GP_POLICY_OLDEST_GROUP: return oldest_group(scheduler, list, count, units, time);
    default: return next_in_turn(list, count, scheduler->last, units, time, true);
    }
}

/* Candidates of a scheduler: the warps w with w % schedulers == its number. */
static uint32_t candidates_of(const struct gp_simulator *s, uint32_t scheduler)
{
    uint32_t schedulers = s->in->sm->schedulers;
    return scheduler < s->warp_count ? (s->warp_count - scheduler - 1) / schedulers + 1 : 0;
}

/* *beside: who issues then without taking the scheduler's turn; count: nobody. */
static double earliest_issue(struct gp_simulator *s, uint32_t scheduler, uint32_t count, uint32_t *beside)
{
    const struct candidate *list = s->candidates + (size_t)scheduler * s->per_scheduler;
    const double *units = units_of(s, scheduler);
    double least = INFINITY, least_beside = INFINITY;
    *beside = count;
    for (uint32_t k = 0; k < count; k++) {
        double time = list[k].next > units[list[k].unit] ? list[k].next : units[list[k].unit];
        if (!list[k].beside) {
            least = time < least ? time : least;
        } else if (time < least_beside ||
                   (time == least_beside && *beside < count && list[k].age < list[*beside].age)) {
            least_beside = time;
            *beside = k;
        }
    }
    least = gp_later(least, s->schedulers[scheduler].free);
    if (least_beside <= least)
        return gp_later(least_beside, s->now);
    *beside = count;
    return least;
}

/* At equal times the scheduler that has waited longer: a unit that they share goes round. */
static bool before(const struct scheduler *a, const struct scheduler *b)
{
    return a->earliest != b->earliest ? a->earliest < b->earliest : a->free < b->free;
}

/* One instruction. False: nothing is left to issue. */
static bool step(struct gp_simulator *s)
{
    uint32_t schedulers = s->in->sm->schedulers;
    for (;;) {
        uint32_t number = 0, second = UINT32_MAX;
        for (uint32_t i = 1; i < schedulers; i++) {
            if (before(&s->schedulers[i], &s->schedulers[number])) {
                second = number;
                number = i;
            } else if (second == UINT32_MAX || before(&s->schedulers[i], &s->schedulers[second])) {
                second = i;
            }
        }
        struct scheduler *scheduler = &s->schedulers[number];
        if (isinf(scheduler->earliest))
            return false;
        uint32_t count = candidates_of(s, number), beside;
        scheduler->earliest = earliest_issue(s, number, count, &beside); /* units may have become busy since */
        if (isinf(scheduler->earliest) || (second != UINT32_MAX && before(&s->schedulers[second], scheduler)))
            continue;
        double time = scheduler->earliest;
        if (beside < count) {
            issue(s, beside * schedulers + number, number, time);
            scheduler->earliest = time;
            return true;
        }
        const struct candidate *list = s->candidates + (size_t)number * s->per_scheduler;
        uint32_t k = pick(s, scheduler, list, count, units_of(s, number), time);
        if (k != scheduler->last || time - scheduler->turn >= scheduler->quantum) {
            scheduler->turn = time;
            scheduler->quantum = s->warps[k * schedulers + number].weight * s->in->sm->quantum;
        }
        scheduler->last = k;
        issue(s, k * schedulers + number, number, time);
        scheduler->earliest = s->in->sm->issues_beside ? time : scheduler->free;
        return true;
    }
}

/* ---- The whole --------------------------------------------------------------------------------------------------- */

static void start(struct gp_simulator *s)
{
    const struct gp_simulation *in = s->in;
    for (uint32_t i = 0; i < in->sm->schedulers; i++) {
        uint32_t count = candidates_of(s, i);
        bool in_turn = in->sm->policy != GP_POLICY_GREEDY_OLDEST; /* in turn, the first is the one behind the last */
        s->schedulers[i] =
            (struct scheduler){.earliest = INFINITY, .turn = -INFINITY, .last = in_turn && count > 0 ? count - 1 : 0};
        for (int u = 0; u <= GP_UNIT_COUNT; u++)
            units_of(s, i)[u] = 0;
    }
    for (size_t i = 0; i < (size_t)in->sm->schedulers * s->per_scheduler; i++)
        s->candidates[i] = (struct candidate){.next = INFINITY, .unit = GP_UNIT_COUNT};
    memset(s->groups, 0, in->resident_groups * sizeof *s->groups);
    s->next_group = s->finished = 0;
    s->now = 0;
    for (uint32_t slot = 0; slot < in->resident_groups && s->next_group < in->groups; slot++)
        start_group(s, slot, in->sm->dispatch);
}

/* Of a simulation that will be stopped: when how much was done. */
enum { MARKS = 32 };
struct mark {
    double cycles, progress;
};
struct progress {
    struct mark marks[MARKS];
    uint32_t count;
};

static void note_half(const struct progress *progress, struct gp_sim_result *result)
{
    for (uint32_t i = 0; i < progress->count && progress->marks[i].progress <= 0.5 * result->progress; i++) {
        result->half_cycles = progress->marks[i].cycles;
        result->half_progress = progress->marks[i].progress;
    }
}

void gp_simulate(struct gp_simulator *s, const struct gp_simulation *in, double *start_times, double *finish_times,
                 struct gp_sim_result *result)
{
    *result = (struct gp_sim_result){0};
    s->in = in;
    s->result = result;
    s->start = start_times;
    s->finish = finish_times;
    s->warp_count = in->resident_groups * in->warps_per_group;
    s->per_scheduler = (s->warp_count + in->sm->schedulers - 1) / in->sm->schedulers;
    if (in->groups == 0 || s->warp_count == 0)
        return;
    allocate(s);
    gp_sim_memory_start(&s->memory, in, result);
    start(s);
    if (s->ended)
        replace_groups(s);
    struct progress progress = {.count = 0};
    uint64_t most = in->most_steps > 0 ? in->most_steps : UINT64_MAX;
    while (step(s)) {
        if (s->ended)
            replace_groups(s);
        uint64_t cost = result->steps + s->memory.segments;
        if (cost >= most) {
            result->stopped = true;
            result->cycles = s->now;
            note_half(&progress, result);
            return;
        }
        if (progress.count < MARKS && cost >= most / MARKS * (progress.count + 1))
            progress.marks[progress.count++] = (struct mark){s->now, result->progress};
    }
}
