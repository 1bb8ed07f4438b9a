/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/trace/trace_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/compilers/schedule.h"
#include "model/timing/pipes.h"
#include "model/timing/throughput.h"
#include "model/timing/traffic.h"
#include "model/trace/channel_spread.h"
#include "support/order.h"

/*
 * What one simulation may cost, in simulated instructions; a memory segment costs about as much as one. Above it
 * neighbouring arithmetic instructions are merged, then fewer groups simulated: what keeps a prediction within
 * milliseconds.
 */
enum { BUDGET = 60000, MOST_MERGED = 32, BATCHES = 6 };

struct gp_tracer {
    const struct gp_kernel *kernel;
    struct gp_recorder *recorder;
    struct gp_simulator *simulator;
    struct gp_program *program, *repaired; /* repaired: for the paths asked for last */
    uint32_t repaired_paths;
    struct gp_recording recording;
    struct gp_sm sm;
    float *dram_share, *brought, *fresh; /* per memory operation */
    double *dram_of_buffer;
    float *channels_found, *channel_spread; /* [memory operation][channels] */
    double *finish;
    uint32_t finish_capacity;
    uint32_t merge;
    double registers;         /* that the compiler gave a work-item */
    double imbalance;         /* instructions of the launch's average warp over those of the recorded ones */
    struct gp_tracer *others; /* records groups of the other kind; NULL: none were asked for yet */
    double others_share;      /* of the launch's groups; 0: all are as the recorded ones */
    uint64_t effort;
};

struct gp_tracer *gp_tracer_new(const struct gp_kernel *kernel)
{
    struct gp_tracer *t = calloc(1, sizeof *t);
    t->kernel = kernel;
    t->recorder = gp_recorder_new(kernel);
    t->simulator = gp_simulator_new();
    t->dram_share = calloc(kernel->memory_count + 1, sizeof *t->dram_share);
    t->brought = calloc(kernel->memory_count + 1, sizeof *t->brought);
    t->fresh = calloc(kernel->memory_count + 1, sizeof *t->fresh);
    t->dram_of_buffer = calloc(kernel->memory_count + 1, sizeof *t->dram_of_buffer);
    t->channels_found = calloc((size_t)(kernel->memory_count + 1) * GP_MOST_CHANNELS, sizeof *t->channels_found);
    t->channel_spread = calloc((size_t)(kernel->memory_count + 1) * GP_MOST_CHANNELS, sizeof *t->channel_spread);
    return t;
}

void gp_tracer_free(struct gp_tracer *t)
{
    if (t == NULL)
        return;
    gp_tracer_free(t->others);
    gp_recorder_free(t->recorder);
    gp_simulator_free(t->simulator);
    gp_program_free(t->program);
    gp_program_free(t->repaired);
    free(t->dram_share);
    free(t->brought);
    free(t->fresh);
    free(t->dram_of_buffer);
    free(t->channels_found);
    free(t->channel_spread);
    free(t->finish);
    free(t);
}

uint64_t gp_trace_effort(const struct gp_tracer *t)
{
    return t->effort + (t->others_share > 0 ? t->others->effort : 0);
}

/* ---- Recording --------------------------------------------------------------------------------------------------- */

static uint32_t resident_groups(const struct gp_tracer *t, const struct gp_conditions *c)
{
    double cus = t->sm.lsu_units; /* a work-group processor holds what its two CUs hold */
    return (uint32_t)fmax(1, floor(c->resident_groups * cus + 1e-9));
}

/* The cost of simulating so many groups when so many arithmetic instructions are merged. */
static double cost_of(const struct gp_recording *r, double groups, uint32_t merge)
{
    double rest = fmax(0, r->visited - r->accesses);
    return groups * r->warps_per_group * (r->accesses + r->segments + rest / merge);
}

/* Merging helps as long as arithmetic is most of the cost. */
static uint32_t choose_merge(const struct gp_recording *r, double groups)
{
    uint32_t merge = 1;
    double memory = r->accesses + r->segments, rest = fmax(0, r->visited - r->accesses);
    while (merge < MOST_MERGED && cost_of(r, groups, merge) > BUDGET && rest / merge > 0.25 * memory)
        merge *= 2;
    return merge;
}

static bool record_kind(struct gp_tracer *t, const struct gp_launch *launch, const struct gp_work *work,
                        const struct gp_conditions *c, double l1_bytes, const uint64_t *like, bool exhaustive,
                        struct gp_error *error)
{
    gp_program_free(t->program);
    gp_program_free(t->repaired);
    t->program = t->repaired = NULL;
    t->effort = 0;
    gp_sm_of(c->device, c->clock_mhz, l1_bytes, &t->sm);
    uint32_t resident = resident_groups(t, c);
    double sms = fmin(t->sm.sm_count, work->groups), per_sm = ceil(work->groups / t->sm.sm_count);
    uint32_t rows = (uint32_t)fmin(fmax(1, per_sm), BATCHES * (double)resident);
    struct gp_record_options options = {.rows = rows,
                                        .sms = sms,
                                        .spill_store_bytes = c->spill_store_bytes,
                                        .spill_load_bytes = c->spill_load_bytes,
                                        .spill_slot_bytes = c->spill_slot_bytes,
                                        .instructions = work->pipes.issue,
                                        .affordable = BUDGET / (fmin(rows, 2.0 * resident) * work->warps_per_group),
                                        .exhaustive = exhaustive,
                                        .like = like,
                                        .uneven_warps = work->uneven_warps};
    if (!gp_record(t->recorder, c->device, &t->sm, launch, &options, &t->recording, error))
        return false;
    t->effort += t->recording.effort;
    memset(t->channels_found, 0, (size_t)(t->kernel->memory_count + 1) * t->sm.channels * sizeof *t->channels_found);
    if (t->sm.channels > 1)
        gp_count_channels(&t->recording, &t->sm, t->channels_found);
    t->merge = exhaustive ? 1 : choose_merge(&t->recording, fmin(rows, 1.5 * resident));
    t->registers = work->registers;
    t->program = gp_program_new(t->kernel, c->device, &t->sm, 0, t->merge, t->registers);
    t->imbalance =
        work->pipes.issue > 0 && t->recording.instructions > 0 ? work->pipes.issue / t->recording.instructions : 1;
    t->others_share = 0;
    return true;
}

static const double ALIKE = 1.5;

/*
 * Groups that do much more or less than the recorded ones (a guard that lets one column through): as many as make up
 * the average. Without them the time of recorded groups would be stretched by what the average group does more, though
 * a group's latencies are no other group's.
 */
static bool record_others(struct gp_tracer *t, const struct gp_launch *launch, const struct gp_work *work,
                          const struct gp_conditions *c, double l1_bytes, bool exhaustive, struct gp_error *error)
{
    if (t->recording.most > ALIKE * t->recording.least &&
        !record_kind(t, launch, work, c, l1_bytes, work->most.group, exhaustive, error))
        return false;
    if (t->imbalance < ALIKE && t->imbalance > 1 / ALIKE)
        return true;
    if (t->others == NULL)
        t->others = gp_tracer_new(t->kernel);
    if (!record_kind(t->others, launch, work, c, l1_bytes, t->imbalance > 1 ? work->most.group : work->least.group,
                     exhaustive, error))
        return false;
    double own = t->recording.instructions, other = t->others->recording.instructions,
           share = (work->pipes.issue - own) / (other - own);
    if (!(share > 0))
        return true;
    t->others_share = fmin(1, share);
    t->imbalance = t->others_share < 1 ? 1 : t->others->imbalance;
    return true;
}

static const double MOST_BUSY = 0.98;

/* Where groups have work or none, wherever they are: those like the leading one, and those like the one that executes
 * least. */
static bool record_both(struct gp_tracer *t, const struct gp_launch *launch, const struct gp_work *work,
                        const struct gp_conditions *c, double l1_bytes, bool exhaustive, struct gp_error *error)
{
    if (t->others == NULL)
        t->others = gp_tracer_new(t->kernel);
    if (!record_kind(t, launch, work, c, l1_bytes, work->leading.group, exhaustive, error) ||
        !record_kind(t->others, launch, work, c, l1_bytes, work->least.group, exhaustive, error))
        return false;
    t->others_share = 1 - gp_work_busy(work);
    t->imbalance = 1;
    return true;
}

bool gp_trace_begin(struct gp_tracer *t, const struct gp_launch *launch, const struct gp_work *work,
                    const struct gp_conditions *c, double l1_bytes, bool exhaustive, struct gp_error *error)
{
    if (work->varied && gp_work_busy(work) < MOST_BUSY)
        return record_both(t, launch, work, c, l1_bytes, exhaustive, error);
    return record_kind(t, launch, work, c, l1_bytes, NULL, exhaustive, error) &&
           record_others(t, launch, work, c, l1_bytes, exhaustive, error);
}

/* ---- What is not recorded ---------------------------------------------------------------------------------------- */

/* Of a long loop a trace has some iterations: what other warps brought to L1 in those between, and what the group
 * touched, the collector has seen. */
static void note_between(struct gp_tracer *t, const struct gp_work *work)
{
    for (uint32_t m = 0; m < t->kernel->memory_count; m++) {
        const struct gp_memory_work *w = &work->memory[m];
        t->brought[m] = w->reuse.entered > 0 ? (float)(w->reuse.crossed / w->reuse.entered) : 0;
        t->fresh[m] = w->reuse.apart > 0 ? (float)fmin(1, w->reuse.fresh / w->reuse.apart) : 1;
    }
    t->fresh[t->kernel->memory_count] = 1; /* spills are each warp's own */
}

/* ---- What other SMs do ------------------------------------------------------------------------------------------- */

/*
 * What a group touches first comes from DRAM unless another SM has brought it to L2: the footprints of all groups
 * against the bytes that DRAM delivers tell how often. Spilled registers are nobody else's; those of all warps go to
 * DRAM where L2 does not hold them.
 */
static double share_l2(struct gp_tracer *t, const struct gp_work *work, const struct gp_conditions *c,
                       double concurrent, double active)
{
    struct gp_dram_traffic traffic;
    gp_dram_traffic(work, c, concurrent, t->dram_of_buffer, &traffic);
    for (uint32_t m = 0; m < t->kernel->memory_count; m++) {
        t->dram_share[m] = 1;
        for (uint32_t b = 0; b < work->buffer_count; b++) {
            const struct gp_buffer_work *buffer = &work->buffers[b];
            if (buffer->base == t->kernel->memory[m].base && buffer->group_bytes > 0)
                t->dram_share[m] = (float)fmin(1 + buffer->fetched_beside / buffer->group_bytes,
                                               t->dram_of_buffer[b] / (buffer->group_bytes * work->groups));
        }
    }
    double spilled =
        (c->spill_store_bytes + c->spill_load_bytes) * gp_device_lanes(c->device) * work->warps_per_group * concurrent;
    bool llc = spilled <= c->device->llc_size.value &&
               c->device->llc_gbps.value > 0; /* a third level's bandwidth as a share of DRAM's time */
    t->dram_share[t->kernel->memory_count] =
        spilled <= c->device->l2_size.value ? 0
        : llc                               ? (float)fmin(1, c->device->dram_gbps.value / c->device->llc_gbps.value)
                                            : 1;
    t->sm.dram_bytes = gp_dram_bytes_per_clk(c, &traffic);
    return fmin(1, 1 / (active * fmax(traffic.alone, 1 / active)));
}

/* ---- One SM ------------------------------------------------------------------------------------------------------ */

/* Groups of one SM: some simulated, the others like them. */
struct sm_run {
    double cycles;            /* of all its groups */
    struct gp_sim_result sum; /* of the simulated ones */
    double groups, simulated;
};

/*
 * Time between two finishes while the SM is full: how much later than a group its successor a whole number of batches
 * on finishes, in the mean over a batch or what there is of it. Without the first batch, which starts cold, and the
 * last, beside which the SM empties, where there are enough. Sorts finishes.
 */
static double period_of(double *finish, uint32_t count, uint32_t b)
{
    uint32_t batches = count / b, first = batches > 3 ? 1 : 0, last = batches > 2 ? batches - 2 : 1;
    uint32_t pairs = count - last * b < b ? count - last * b : b;
    double sum = 0;
    qsort(finish, count, sizeof *finish, gp_by_value);
    for (uint32_t k = 0; k < pairs; k++)
        sum += finish[last * b + k] - finish[first * b + k];
    return sum / pairs / ((last - first) * b);
}

/*
 * n groups on an SM that holds b at a time. Up to `batches` x b are simulated; of more, whole batches are left out,
 * each worth what the simulated ones took while the SM was full: the fill at the start and the drain at the end are
 * simulated.
 */
static void run_sm(struct gp_tracer *t, struct gp_simulation *s, double n, uint32_t batches, struct sm_run *run)
{
    uint32_t b = s->resident_groups;
    uint32_t count = (uint32_t)n;
    if (n > (double)b * batches) {
        uint32_t rest = (uint32_t)fmod(n, b);
        bool whole =
            rest == 0 || (batches == 2 && n >= 4.0 * b); /* how a second batch follows is worth more than the tail */
        count = whole ? b * batches : b * (batches - 1) + rest;
        count = count < b ? b : count;
    }
    s->common_groups = s->late_sms < s->active_sms && count > 1 ? count - 1 : count;
    s->groups = count;
    if (count > t->finish_capacity) {
        t->finish = realloc(t->finish, count * sizeof *t->finish);
        t->finish_capacity = count;
    }
    *run = (struct sm_run){.groups = n, .simulated = count};
    gp_simulate(t->simulator, s, NULL, t->finish, &run->sum);
    t->effort += run->sum.steps;
    if (run->sum.stopped) {
        gp_complete_stopped(&t->recording, count, !s->repairs.no_spills, &run->sum);
        run->cycles = run->sum.cycles * n / count;
        return;
    }
    run->cycles = run->sum.cycles;
    double left = n - count, each = run->cycles / count;
    if (left > 0 && count > b) {
        double sure = fmin(1, (double)(count - b) /
                                  b); /* with less than two batches, the second ran on an SM that was not full */
        each = fmin(each, (1 - sure) * each + sure * period_of(t->finish, count, b));
    }
    run->cycles += fmax(0, left) * each;
}

static struct gp_program *program_for(struct gp_tracer *t, const struct gp_conditions *c)
{
    if (c->repaired_paths == 0)
        return t->program;
    if (t->repaired != NULL && t->repaired_paths == c->repaired_paths)
        return t->repaired;
    gp_program_free(t->repaired);
    t->repaired_paths = c->repaired_paths;
    t->repaired = gp_program_new(t->kernel, c->device, &t->sm, c->repaired_paths, t->merge, t->registers);
    return t->repaired;
}

/* ---- Floors and limiter ------------------------------------------------------------------------------------------ */

static void floors_of_group(const struct sm_run *run, double cycles[GP_LIMITER_COUNT])
{
    const struct gp_sim_result *r = &run->sum;
    double n = fmax(1, run->simulated);
    cycles[GP_LIMITER_ISSUE] = r->issue / n;
    cycles[GP_LIMITER_FP32] = fmax(r->busy[GP_UNIT_FP32], r->busy[GP_UNIT_MATRIX]) / n;
    cycles[GP_LIMITER_FP64] = r->busy[GP_UNIT_FP64] / n;
    cycles[GP_LIMITER_SFU] = r->busy[GP_UNIT_SFU] / n;
    cycles[GP_LIMITER_INT] = fmax(r->busy[GP_UNIT_INT], r->busy[GP_UNIT_MUL]) / n;
    cycles[GP_LIMITER_BARRIER] = r->busy[GP_UNIT_BARRIER] / n;
    cycles[GP_LIMITER_LSU] = fmax(r->busy[GP_UNIT_LSU], r->busy[GP_UNIT_LDS]) / n;
    cycles[GP_LIMITER_L2] = fmax(r->l2, r->port) / n;
    cycles[GP_LIMITER_DRAM] = r->dram / n;
}

static enum gp_limiter limiter_of(const struct sm_run *run, const double cycles[GP_LIMITER_COUNT], double time)
{
    enum gp_limiter busiest = GP_LIMITER_ISSUE;
    for (int i = 0; i < GP_LIMITER_COUNT; i++)
        if (cycles[i] > cycles[busiest])
            busiest = (enum gp_limiter)i;
    if (cycles[busiest] * run->groups >= 0.5 * time)
        return busiest;
    if (run->sum.channel / fmax(1, run->simulated) * run->groups >= 0.5 * time) /* the others may be idle */
        return GP_LIMITER_DRAM;
    const double *waits = run->sum.waits;
    return waits[GP_WAIT_BARRIER] > waits[GP_WAIT_MEMORY] + waits[GP_WAIT_REQUESTS] + waits[GP_WAIT_PIPELINE]
               ? GP_LIMITER_BARRIER
               : GP_LIMITER_LATENCY;
}

/* ---- The launch -------------------------------------------------------------------------------------------------- */

static struct gp_simulation simulation_of(struct gp_tracer *t, const struct gp_work *work,
                                          const struct gp_conditions *c, double active)
{
    struct gp_simulation s = {.sm = &t->sm,
                              .program = program_for(t, c),
                              .resident_groups = resident_groups(t, c),
                              .warps_per_group = t->recording.warps_per_group,
                              .warps = t->recording.warps,
                              .rows = t->recording.rows,
                              .group_step = t->recording.group_step,
                              .warp_step = t->recording.warp_step,
                              .ranges = t->recording.ranges,
                              .dram_share = t->dram_share,
                              .brought = t->brought,
                              .fresh = t->fresh,
                              .active_sms = active,
                              .late_sms = active,
                              .most_steps = (uint64_t)(1.5 * BUDGET)};
    note_between(t, work);
    if (t->sm.channels > 1) {
        gp_channel_spread(&t->recording, &t->sm, t->kernel->memory_count + 1, active,
                          work->groups / (s.resident_groups * active), t->channels_found, t->channel_spread);
        s.channel_spread = t->channel_spread;
    }
    s.l2_share = share_l2(t, work, c, fmin(work->groups, s.resident_groups * active), active);
    s.repairs = (struct gp_sim_repairs){.no_latency = c->hide_latency,
                                        .no_bandwidth = c->no_bandwidth,
                                        .no_barrier = c->no_barrier,
                                        .even_channels = c->even_channels,
                                        .no_spills = c->spill_store_bytes + c->spill_load_bytes <= 0,
                                        .memory = c->repaired_memory,
                                        .branches = c->repaired_branches};
    return s;
}

/* Batches that the budget lets us simulate; two in any case, since the first alone starts and ends on an SM that is not
 * full. */
static uint32_t batches_of(const struct gp_tracer *t, uint32_t resident)
{
    uint32_t batches = BATCHES;
    while (batches > 2 && cost_of(&t->recording, (batches - 0.5) * resident, t->merge) > BUDGET)
        batches--;
    return batches;
}

/* So many groups. They go to SMs as these become free: the busiest has the whole number above the average. */
static void run_groups(struct gp_tracer *t, const struct gp_work *work, const struct gp_conditions *c, double groups,
                       struct sm_run *run)
{
    double sms = t->sm.sm_count, active = fmin(sms, groups);
    struct gp_simulation s = simulation_of(t, work, c, active);
    double average = groups / sms, most = ceil(average), least = floor(average);
    uint32_t batches = batches_of(t, s.resident_groups);
    if (!c->no_tail) {
        s.late_sms = most > average && least > 0 ? fmax(1, groups - least * sms) : active;
        run_sm(t, &s, most, batches, run);
        return;
    }
    struct sm_run fewer = {0};
    run_sm(t, &s, most, batches, run);
    if (least > 0 && least < most)
        run_sm(t, &s, least, batches, &fewer);
    double whole = fmax(1, floor(average / s.resident_groups)) * s.resident_groups; /* no partial batch, either */
    if (average > s.resident_groups) {
        struct sm_run full;
        run_sm(t, &s, whole, batches, &full);
        run->cycles = fmin(run->cycles, full.cycles * average / whole);
    } else if (least > 0 && least < most) {
        run->cycles = fewer.cycles + (average - least) * (run->cycles - fewer.cycles);
    } else if (average < 1) { /* idle SMs take their part */
        run->cycles =
            fmax(run->cycles * average, c->split_items || c->hide_latency ? 0 : fmin(run->cycles, work->chain));
    }
}

/* The same, and what a group needs of each unit, which makes a floor. run->cycles: the larger. */
static void run_kind(struct gp_tracer *t, const struct gp_work *work, const struct gp_conditions *c, double groups,
                     struct sm_run *run, double cycles[GP_LIMITER_COUNT])
{
    run_groups(t, work, c, groups, run);
    floors_of_group(run, cycles);
    for (int i = 0; i < GP_LIMITER_COUNT; i++)
        run->cycles = fmax(run->cycles, (c->no_tail ? groups / t->sm.sm_count : run->groups) * cycles[i]);
}

/* Groups of both kinds, one kind after the other; waits and limits are those of the kind that takes longer. */
static void run_launch(struct gp_tracer *t, const struct gp_work *work, const struct gp_conditions *c,
                       struct sm_run *run, double cycles[GP_LIMITER_COUNT])
{
    double others = round(t->others_share * work->groups);
    others = t->others_share > 0 ? fmin(work->groups, fmax(1, others)) : 0;
    double own = work->groups - others;
    if (own > 0)
        run_kind(t, work, c, own, run, cycles);
    if (others <= 0)
        return;
    struct sm_run second;
    double second_cycles[GP_LIMITER_COUNT] = {0};
    run_kind(t->others, work, c, others, &second, second_cycles);
    double first = own > 0 ? run->cycles : 0;
    if (second.cycles >= first) {
        *run = second;
        memcpy(cycles, second_cycles, sizeof second_cycles);
    }
    run->cycles = first + second.cycles;
}

static void note_simulation(const struct sm_run *run, double imbalance, struct gp_terms *t)
{
    t->simulated_groups = run->simulated;
    t->groups_per_sm = run->groups;
    t->sm_cycles = run->cycles;
    t->imbalance = imbalance;
    t->dram_channel = run->sum.channel / fmax(1, run->simulated);
    t->idle_for_memory = run->sum.waits[GP_WAIT_MEMORY] / fmax(1, run->sum.cycles);
    t->idle_for_requests = run->sum.waits[GP_WAIT_REQUESTS] / fmax(1, run->sum.cycles);
    t->idle_for_results = run->sum.waits[GP_WAIT_PIPELINE] / fmax(1, run->sum.cycles);
}

/* What all groups move from and to DRAM, and how long that takes at least. */
static void note_traffic(const struct gp_work *work, const struct gp_conditions *c, double concurrent,
                         struct gp_terms *t)
{
    struct gp_dram_traffic traffic;
    gp_dram_traffic(work, c, concurrent, NULL, &traffic);
    traffic.bytes += gp_reread_bytes(work, c, concurrent, traffic.alone);
    t->concurrent_groups = concurrent;
    t->dram_bytes = traffic.bytes;
    t->dram_bytes_per_clk = gp_dram_bytes_per_clk(c, &traffic);
    t->llc_cycles = gp_llc_cycles(work, c, concurrent);
    t->dram_cycles = c->no_bandwidth ? 0 : fmax(traffic.bytes / t->dram_bytes_per_clk, t->llc_cycles);
}

void gp_trace_time(struct gp_tracer *t, const struct gp_work *work, const struct gp_conditions *c,
                   struct gp_timing *timing)
{
    struct sm_run run;
    *timing = (struct gp_timing){.limiter = GP_LIMITER_LATENCY};
    run_launch(t, work, c, &run, timing->pipe_cycles);
    double sms = t->sm.sm_count, active = fmin(sms, work->groups),
           per_sm = c->no_tail ? work->groups / sms : ceil(work->groups / sms);
    double concurrent = fmin(work->groups, resident_groups(t, c) * active);
    note_traffic(work, c, concurrent, &timing->terms);
    timing->dram_bytes = timing->terms.dram_bytes;
    double dram = timing->terms.dram_cycles, start = timing->terms.start_cycles = gp_start_cycles(work, c);
    double cycles =
        fmax(run.cycles * t->imbalance, fmax(dram, start)); /* DRAM's bytes are all groups', not the recorded ones' */
    double alone = c->hide_latency ? timing->pipe_cycles[gp_busiest(timing->pipe_cycles)] : work->chain;
    if (t->others_share == 0 && work->longest > ALIKE && !c->no_tail)
        cycles = fmax(cycles, alone * work->longest); /* one like which none is simulated */
    timing->pipe_cycles[GP_LIMITER_DRAM] = fmax(timing->pipe_cycles[GP_LIMITER_DRAM], dram / per_sm / t->imbalance);
    timing->limiter = limiter_of(&run, timing->pipe_cycles, cycles / t->imbalance);
    double launch = timing->terms.launch_cycles = c->device->launch_ns.value * 1e-9 * c->clock_mhz * 1e6;
    if (fmax(launch, start) >= cycles)
        timing->limiter = GP_LIMITER_LAUNCH;
    timing->cycles = cycles + launch;
    timing->waves = work->groups / (resident_groups(t, c) * sms);
    timing->l2_bytes = timing->terms.l2_bytes = run.sum.port * t->sm.port_bytes / fmax(1, run.simulated) * work->groups;
    timing->chain = work->chain;
    note_simulation(&run, t->imbalance, &timing->terms);
}
