/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What holds of predictions on random kernels and devices: more bandwidth is not slower, a lower clock not faster, an
 * instruction less does not add time, more iterations do not take less. Of the throughput model without exception.
 * Simulated schedulers have anomalies, as real ones do: another order of the same requests may fit worse, and sampled
 * iterations make it count more than once. There it is said how many cases may miss a rule, and by how much at most. No
 * operation is without a result (NaN), either. The terms that are shown add up to the time.
 */
#define _GNU_SOURCE
#include <fenv.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/predict.h"
#include "model/profile/profile_text.h"
#include "model/assume/defaults.h"
#include "model/assume/stated.h"
#include "support/order.h"
#include "support/text.h"

enum { KERNELS = 120, MOST_WEIGHTS = 12 };

/* Of the cases the share that may miss a rule, and by how much. */
struct limit {
    double share, worst;
};

/* tolerance: what is no anomaly. */
struct subject {
    enum gp_model model;
    double tolerance;
    struct limit bandwidth, clock, removal, trips;
};

static struct subject trace = {GP_MODEL_TRACE, 0.02,         {0.03, 0.05}, {0.02, 0.04},
                               {0.035, 0.04},  {0.015, 0.18}}, /* trips: what passes over rows move again is
                                                                  throughput's, as its floor is */
    throughput = {GP_MODEL_THROUGHPUT, 1e-9, {0, 0}, {0, 0}, {0, 0},
                  {0.015, 0.18}}, /* what was read hundreds of iterations ago is seen again only where both iterations
                                     are executed, and what L1 lacks is seen in those: 17.5% of a loop whose turns are
                                     made sixteen at once and counted once, 12% of one of four */
    /* The paper's own: where MWP comes to exceed CWP the time jumps up by a share of 1/CWP. */
    mwp_cwp = {GP_MODEL_MWP_CWP, 0.02, {0.04, 0.3}, {0, 0}, {0, 0}, {0.01, 0.15}};

static uint64_t seed;

static uint32_t random_below(uint32_t n)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(seed >> 33) % n;
}

/* A loop over loads, arithmetic, perhaps local memory and a barrier, and a store behind it. */
struct shape {
    uint32_t lane_stride, step; /* elements of 4 bytes between work-items, between iterations */
    uint32_t loads, weights, cost[MOST_WEIGHTS], operand[MOST_WEIGHTS];
    bool local, barrier, stores;
    uint32_t local_stride;
    uint32_t trips, global, group;
    int without; /* weight that is left out; -1: none */
};

static const char *const costs[] = {"fp32.fma",  "fp32.add",  "fp32.mul", "int32.add",
                                    "int32.mul", "fp32.sqrt", "fp64.fma", "sfu.sin"};

static struct shape random_shape(void)
{
    static const uint32_t strides[] = {1, 1, 1, 2, 4, 33, 1024}, steps[] = {0, 1, 4, 256, 65536},
                          groups[] = {32, 64, 96, 128, 256}, trips[] = {1, 3, 20, 300};
    static const uint32_t local_strides[] = {1, 2, 16, 33};
    struct shape s = {.without = -1};
    s.lane_stride = strides[random_below(7)];
    s.step = steps[random_below(5)];
    s.loads = 1 + random_below(3);
    s.weights = 1 + random_below(MOST_WEIGHTS);
    for (uint32_t i = 0; i < s.weights; i++) {
        s.cost[i] = random_below(8);
        s.operand[i] = random_below(3);
    }
    s.local = random_below(3) == 0;
    s.local_stride = local_strides[random_below(4)];
    s.barrier = random_below(3) == 0;
    s.stores = random_below(4) == 0;
    s.trips = trips[random_below(4)];
    s.group = groups[random_below(5)];
    s.global = s.group * (1 + random_below(4000));
    return s;
}

static void write_weights(const struct shape *s, struct gp_text *t)
{
    char last[32], before[32];
    snprintf(last, sizeof last, "%%v0");
    snprintf(before, sizeof before, "%%sum");
    for (uint32_t i = 0; i < s->weights; i++) {
        if ((int)i == s->without)
            continue;
        const char *second = s->operand[i] == 0 ? before : s->operand[i] == 1 ? "%sum" : "%v0";
        gp_text_printf(t, "    %%w%u = weight f32 %s, %s : %s\n", i, last, second, costs[s->cost[i]]);
        memcpy(before, last, sizeof before);
        snprintf(last, sizeof last, "%%w%u", i);
    }
    gp_text_printf(t, "    %%sumnext = weight f32 %s, %%sum : fp32.add\n", last);
}

static struct gp_profile *write_kernel(const struct shape *s)
{
    struct gp_text t = {0};
    gp_text_printf(&t, "gpuperf-profile 1\nproducer \"by hand\"\nsource \"random.cl\"\ntriple "
                       "\"spir64-unknown-unknown\"\nlanguage opencl\nopt 2\n\n"
                       "kernel random\n  param a: buffer 64 in global const skeleton size 8\n  param c: buffer 64 in "
                       "global skeleton size 8\n"
                       "  param n: int 32 skeleton signed size 4\n");
    if (s->local)
        gp_text_printf(&t, "  local tile: 4096 align 4\n");
    gp_text_printf(&t,
                   "  dims 1\n%s  local-size-agnostic yes\n  split-safe yes\n  resources registers 24 from ptxas\n"
                   "  loop 0: header 1 latch 1 bound scalar-evolution trips $n\n  induction %%k loop 0 step 1\n",
                   s->barrier ? "  barriers 1\n" : "");
    gp_text_printf(&t,
                   "  block 0: ipdom 1\n    %%gid = id.global_id.0 i64\n    %%lid = id.local_id.0 i64\n    %%lane = "
                   "mul i64 %%gid, %u : int64.mul\n"
                   "    br block 1\n",
                   4 * s->lane_stride);
    gp_text_printf(&t,
                   "  block 1: ipdom 2 loop 0\n    %%k = phi i32 [block 0: 0], [block 1: %%knext]\n    %%sum = phi i32 "
                   "[block 0: 0], [block 1: %%sumnext]\n"
                   "    %%k64 = sext i32 %%k to i64 : mov cheap\n    %%move = mul i64 %%k64, %u : int64.mul uniform\n",
                   4 * s->step);
    for (uint32_t i = 0; i < s->loads; i++)
        gp_text_printf(&t,
                       "    %%far%u = add i64 %%lane, %u : int64.add\n    %%at%u = add i64 %%far%u, %%move : "
                       "int64.add\n    %%p%u = add i64 $a, %%at%u : int64.add\n"
                       "    %%v%u = load i32 %%p%u in global 4x1 base $a\n",
                       i, i << 26, i, i, i, i, i, i);
    if (s->local)
        gp_text_printf(&t,
                       "    %%there = mul i64 %%lid, %u : int64.mul\n    %%inside = and i64 %%there, 4095 : "
                       "int64.logic\n    %%pt = add i64 local.tile, %%inside : int64.add\n"
                       "    store %%pt, %%v0 in local 4x1 base local.tile\n",
                       4 * s->local_stride);
    if (s->barrier)
        gp_text_printf(&t, "    barrier\n");
    if (s->local)
        gp_text_printf(&t, "    %%lv = load i32 %%pt in local 4x1 base local.tile\n");
    write_weights(s, &t);
    if (s->stores)
        gp_text_printf(&t,
                       "    %%ps = add i64 $c, %%at0 : int64.add\n    store %%ps, %%sumnext in global 4x1 base $c\n");
    gp_text_printf(
        &t,
        "    %%knext = add i32 %%k, 1 : int32.add uniform\n    %%more = icmp.slt i32 %%knext, $n : int32.cmp uniform\n"
        "    condbr %%more, block 1, block 2 kind argument\n  block 2:\n    %%bytes = shl i64 %%gid, 2 : int64.shift\n"
        "    %%pc = add i64 $c, %%bytes : int64.add\n    store %%pc, %%sumnext in global 4x1 base $c\n    ret\n");
    struct gp_error error = {{0}};
    struct gp_profile *profile = gp_profile_parse(t.data, t.length, &error);
    if (profile == NULL)
        fail_msg("%s\n%s", error.text, t.data);
    gp_text_free(&t);
    return profile;
}

static void assert_equals(const char *what, double value, double of_terms)
{
    if (fabs(value - of_terms) > 1e-6 * fmax(1, fabs(value)))
        fail_msg("%s: %.9g, of its terms %.9g", what, value, of_terms);
}

/* A batch, and all of them, as docs/models.md has the equation. */
static void assert_batches_add_up(const struct gp_terms *t)
{
    double at_units = t->batch_groups * t->busiest + t->waiting / sqrt(fmax(1, t->independent)) + t->beyond_l2,
           waits = t->emptying * (t->chain + t->beyond_l2), moves = t->batch_groups * t->dram_busy,
           in_queues = pow(pow(waits, t->knee) + pow(moves, t->knee), 1 / t->knee),
           fluid = t->batch * t->groups_per_sm / t->batch_groups, lockstep = t->full_batches * t->batch + t->last_batch,
           batches = fluid + 0.5 * fmax(0, lockstep - fluid);
    assert_equals("at_units", t->at_units, at_units);
    assert_equals("in_queues", t->in_queues, in_queues);
    assert_equals("T(b)", t->batch, fmax(at_units, in_queues));
    assert_equals("batches", t->batches, fmax(batches, fmax(t->groups_cycles, t->scheduler_cycles)));
}

static void assert_terms_add_up(enum gp_model model, const struct gp_prediction *p)
{
    const struct gp_terms *t = &p->terms;
    double floor = fmax(t->start_cycles, t->atomics_cycles), cycles = t->exec_cycles_with_synch;
    if (model == GP_MODEL_THROUGHPUT) {
        assert_batches_add_up(t);
        cycles = fmax(t->batches, fmax(t->dram_cycles + t->filling, floor)) + t->launch_cycles;
    } else if (model == GP_MODEL_TRACE)
        cycles = fmax(t->sm_cycles * t->imbalance, fmax(t->dram_cycles, floor)) + t->launch_cycles;
    else
        assert_equals("Exec_cycles_with_synch", cycles, t->exec_cycles_app + t->synch_cost);
    assert_equals("cycles", t->cycles, cycles);
    assert_equals("time", p->time_ns, t->cycles / t->clock_mhz * 1000);
}

/* Predicted first by the same predictor; NULL: nothing is. */
static const struct gp_device *before;

static double cycles_with(const struct shape *s, const struct gp_device *device,
                          const struct gp_predict_options *options, double *time_ns)
{
    static struct gp_launch launch;
    static struct gp_prediction prediction;
    struct gp_error error = {{0}};
    struct gp_profile *profile = write_kernel(s);
    const struct gp_kernel *kernel = &profile->kernels[0];
    char trips[16];
    snprintf(trips, sizeof trips, "%u", s->trips);
    gp_launch_default(kernel, &launch);
    gp_launch_set_global(kernel, &launch, 1, (const uint64_t[3]){s->global, 1, 1});
    launch.cold = false; /* one of many on the same data */
    launch.local[0] = s->group;
    launch.local[1] = launch.local[2] = 1;
    assert_true(gp_launch_set_argument(kernel, &launch, "n", trips, &error));
    struct gp_predictor *predictor = gp_predictor_new(profile, kernel);
    if ((before != NULL && !gp_predict(predictor, before, &launch, options, &prediction, &error)) ||
        !gp_predict(predictor, device, &launch, options, &prediction, &error))
        fail_msg("%s", error.text);
    gp_predictor_free(predictor);
    gp_profile_free(profile);
    assert_true(prediction.feasible);
    enum gp_model model;
    assert_true(gp_model_parse(prediction.model, &model, &error) && model == options->model);
    assert_terms_add_up(model, &prediction);
    if (time_ns != NULL)
        *time_ns = prediction.time_ns;
    return prediction.cycles;
}

static double cycles_of(const struct subject *subject, const struct shape *s, const struct gp_device *device,
                        double clock_mhz, double *time_ns)
{
    return cycles_with(s, device, &(struct gp_predict_options){.model = subject->model, .clock_mhz = clock_mhz},
                       time_ns);
}

static struct gp_device *random_device(void)
{
    static const char *const names[] = {"gtx280", "gtx580",  "k20",  "k620", "v100",  "rtx2080ti",
                                        "a100",   "rtx3090", "h100", "mi50", "w6600", "hd6970"};
    struct gp_error error;
    struct gp_device *d = gp_device_load(names[random_below(sizeof names / sizeof *names)], SOURCE_HWDB, &error);
    if (d == NULL)
        fail_msg("%s", error.text);
    d->sm_count.value = 2 * (1 + random_below(60));
    d->dram_gbps.value = 20 + random_below(2000);
    d->l2_bytes_per_clk.value = 64 * (1 + random_below(60));
    d->l2_write_bytes_per_clk.value = d->l2_bytes_per_clk.value;
    d->dram_latency.value = 200 + random_below(700);
    d->launch_ns.value = 0;
    return d;
}

/* Cases seen of a rule, those beyond its tolerance, the worst of them. */
static struct {
    uint32_t cases, anomalies;
    double worst;
} seen;

/* One case: `after` should be at most `before`. Prints where it is not: which kernel on which device. */
static void check(const char *rule, const struct shape *s, const struct gp_device *d, double before, double after,
                  double tolerance)
{
    seen.cases++;
    if (after <= before * (1 + tolerance))
        return;
    seen.anomalies++;
    seen.worst = fmax(seen.worst, after / before - 1);
    print_message("%s on %s: %.1f -> %.1f (%+.2f%%); lanes %u apart, step %u, %u loads, %u weights, local %d, barrier "
                  "%d, stores %d, %u trips, %u in groups of %u\n",
                  rule, d->name, before, after, 100 * (after / before - 1), s->lane_stride, s->step, s->loads,
                  s->weights, s->local, s->barrier, s->stores, s->trips, s->global, s->group);
}

/* At most so many of the cases, and none by more than that. */
static void assert_seldom(struct limit limit)
{
    if (seen.anomalies > limit.share * seen.cases || seen.worst > limit.worst)
        fail_msg("%u of %u cases are anomalies, the worst by %.1f%%", seen.anomalies, seen.cases, 100 * seen.worst);
}

static void each(const struct subject *subject,
                 void (*test)(const struct subject *subject, struct shape *s, struct gp_device *d, double cycles))
{
    memset(&seen, 0, sizeof seen);
    for (uint32_t i = 0; i < KERNELS; i++) {
        seed = i * 7919 + 1;
        struct shape s = random_shape();
        struct gp_device *d = random_device();
        test(subject, &s, d, cycles_of(subject, &s, d, 0, NULL));
        gp_device_free(d);
    }
}

static void double_bandwidth(const struct subject *subject, struct shape *s, struct gp_device *d, double cycles)
{
    d->dram_gbps.value *= 1.5;
    check("more DRAM bandwidth", s, d, cycles, cycles_of(subject, s, d, 0, NULL), subject->tolerance);
    d->l2_bytes_per_clk.value *= 1.5;
    d->l2_write_bytes_per_clk.value *= 1.5;
    d->sm_bytes_per_clk.value *= 1.5;
    check("more L2 bandwidth", s, d, cycles, cycles_of(subject, s, d, 0, NULL), subject->tolerance);
}

static void bandwidth(void **state)
{
    each(*state, double_bandwidth);
    assert_seldom(((const struct subject *)*state)->bandwidth);
}

/* Time, not cycles. */
static void lower_clock(const struct subject *subject, struct shape *s, struct gp_device *d, double cycles)
{
    double fast, slow;
    (void)cycles;
    cycles_of(subject, s, d, 1200, &fast);
    cycles_of(subject, s, d, 900, &slow);
    check("a lower clock", s, d, slow, fast, subject->tolerance);
}

static void clocks(void **state)
{
    each(*state, lower_clock);
    assert_seldom(((const struct subject *)*state)->clock);
}

static void remove_instruction(const struct subject *subject, struct shape *s, struct gp_device *d, double cycles)
{
    s->without = (int)random_below(s->weights);
    check("an instruction less", s, d, cycles, cycles_of(subject, s, d, 0, NULL), subject->tolerance);
}

static void removal(void **state)
{
    each(*state, remove_instruction);
    assert_seldom(((const struct subject *)*state)->removal);
}

static void more_trips(const struct subject *subject, struct shape *s, struct gp_device *d, double cycles)
{
    double last = cycles;
    uint32_t from = s->trips;
    for (uint32_t trips = from + 1; trips < 3 * from; trips += 1 + from / 3) {
        s->trips = trips;
        double now = cycles_of(subject, s, d, 0, NULL);
        check("more iterations", s, d, now, last, subject->tolerance);
        last = now;
    }
}

static void trips(void **state)
{
    each(*state, more_trips);
    assert_seldom(((const struct subject *)*state)->trips);
}

/* The same twice, bit for bit, and whatever was predicted before. */
static void predict_again(const struct subject *subject, struct shape *s, struct gp_device *d, double cycles)
{
    struct gp_device other = *d;
    assert_true(cycles_of(subject, s, d, 0, NULL) == cycles);
    other.dram_gbps.value *= 2; /* more under way at once */
    before = &other;
    assert_true(cycles_of(subject, s, d, 0, NULL) == cycles);
    before = NULL;
}

static void deterministic(void **state) { each(*state, predict_again); }

/* Not of the simulation: what few iterations of a loop tell the throughput model, and what all of them do. */
static void few_iterations(void **state)
{
    (void)state;
    enum { TRIPS = 40 };
    double errors[KERNELS];
    for (uint32_t i = 0; i < KERNELS; i++) {
        seed = i * 7919 + 1;
        struct shape s = random_shape();
        struct gp_device *d = random_device();
        s.trips = TRIPS;
        double few = cycles_with(&s, d, &(struct gp_predict_options){.model = GP_MODEL_THROUGHPUT}, NULL);
        double all = cycles_with(
            &s, d, &(struct gp_predict_options){.model = GP_MODEL_THROUGHPUT, .every_iteration = true}, NULL);
        errors[i] = fabs(few / all - 1);
        gp_device_free(d);
    }
    qsort(errors, KERNELS, sizeof *errors, gp_by_value);
    if (errors[KERNELS / 2] > 0.001 || errors[KERNELS * 9 / 10] > 0.03 || errors[KERNELS - 1] > 0.85)
        fail_msg("median error %.4f, nine in ten below %.4f, worst %.4f", errors[KERNELS / 2], errors[KERNELS * 9 / 10],
                 errors[KERNELS - 1]);
}

/* What L2 does not hold comes at the speed of the third level. */
static void third_level(void **state)
{
    (void)state;
    struct gp_error error;
    struct gp_device *d = gp_device_load("w6600", SOURCE_HWDB, &error);
    assert_non_null(d);
    struct shape s = {.lane_stride = 1,
                      .step = 256,
                      .loads = 2,
                      .weights = 1,
                      .trips = 20,
                      .global = 1 << 18,
                      .group = 128,
                      .without = -1};
    d->l2_size.value = 1 << 16;
    double fast = cycles_of(&trace, &s, d, 0, NULL);
    d->llc_gbps.value /= 100;
    double slow = cycles_of(&trace, &s, d, 0, NULL);
    assert_true(slow > 4 * fast);
    d->llc_gbps.value = 0; /* no such level, or nobody knows: no floor */
    assert_true(cycles_of(&trace, &s, d, 0, NULL) <= fast);
    gp_device_free(d);
}

#define RULES(subject) \
    cmocka_unit_test_prestate(bandwidth, &(subject)), cmocka_unit_test_prestate(clocks, &(subject)), \
        cmocka_unit_test_prestate(removal, &(subject)), cmocka_unit_test_prestate(trips, &(subject)), \
        cmocka_unit_test_prestate(deterministic, &(subject))

int main(void)
{
    const struct CMUnitTest tests[] = {RULES(trace), RULES(throughput), RULES(mwp_cwp),
                                       cmocka_unit_test(few_iterations), cmocka_unit_test(third_level)};
    feenableexcept(FE_INVALID);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
