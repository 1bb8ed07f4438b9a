/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Hong & Kim's equations: their Table 2, and Cases 1 to 7 of their Figures 5 to 8 worked by hand; and as a model of
 * kernels. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/timing/mwp_cwp.h"
#include "model/assume/defaults.h"
#include "test/golden.h"
#include "model/predict.h"
#include "model/predict/run.h"

#define assert_within(actual, expected, share) \
    assert_true(fabs((actual)-1.0 * (expected)) <= (share)*fabs(1.0 * (expected)))

/* Tiled matrix multiplication of their Figure 12 on an imaginary GPU: 80 GB/s, 1 GHz, 16 SMs. */
static void table_2(void **state)
{
    (void)state;
    struct gp_mwp_inputs in = {.issue_cycles = 4,
                               .frequency_ghz = 1,
                               .bandwidth_gbps = 80,
                               .memory_latency = 420,
                               .departure_uncoalesced = 10,
                               .departure_coalesced = 4,
                               .warps_per_block = 4,
                               .blocks = 80,
                               .active_sms = 16,
                               .active_blocks_per_sm = 5,
                               .computation_insts = 27,
                               .uncoalesced_insts = 6,
                               .barriers = 6,
                               .transactions_per_uncoalesced = 32,
                               .load_bytes_per_warp = 128};
    struct gp_mwp_result r;
    gp_mwp_cwp(&in, &r);
    assert_within(r.departure_delay, 320, 0);
    assert_within(r.memory_latency, 730, 0);
    assert_within(r.mwp, 2.28, 0.001);
    assert_within(r.cwp, 20, 0);
    assert_within(r.cwp_full, 34.18, 0.001);
    assert_within(r.computation_cycles, 132, 0);
    assert_within(r.memory_cycles, 4380, 0);
    assert_within(r.application_cycles, 38450, 0.001);
    assert_within(r.barrier_cycles, 12288, 0.001); /* 12300 with MWP in full precision */
    assert_within(r.cycles, 50738, 0.001);
    assert_int_equal(r.which, GP_MWP_MEMORY);
}

/* A machine on which MWP is what the departure delay makes it: latency / delay; issue takes one cycle; one block. */
static struct gp_mwp_inputs figure(double warps, double memory_insts, double memory_period, double computation_period,
                                   double mwp)
{
    return (struct gp_mwp_inputs){.issue_cycles = 1,
                                  .frequency_ghz = 1,
                                  .bandwidth_gbps = 1e9,
                                  .memory_latency = memory_period,
                                  .departure_uncoalesced = memory_period / mwp,
                                  .departure_coalesced = memory_period / mwp,
                                  .warps_per_block = warps,
                                  .blocks = 1,
                                  .active_sms = 1,
                                  .active_blocks_per_sm = 1,
                                  .computation_insts = memory_insts * (computation_period - 1),
                                  .coalesced_insts = memory_insts,
                                  .transactions_per_uncoalesced = 32,
                                  .load_bytes_per_warp = 128};
}

static double cycles_of(struct gp_mwp_inputs in, enum gp_mwp_case which)
{
    struct gp_mwp_result r;
    gp_mwp_cwp(&in, &r);
    assert_int_equal(r.which, which);
    return r.cycles;
}

/* Figure 5: CWP 4 > MWP 2. Eight warps of one period each: 4 memory periods, and by (23) one computation period of
 * (MWP - 1); the figure draws 2. Four warps of two periods: the same. Memory 300, computation 100. */
static void case_1_and_2(void **state)
{
    (void)state;
    assert_within(cycles_of(figure(8, 1, 300, 100, 2), GP_MWP_MEMORY), 4 * 300 + 100, 1e-12);
    assert_within(cycles_of(figure(4, 2, 300, 100, 2), GP_MWP_MEMORY), 4 * 300 + 100, 1e-12);
}

/* Figure 6: MWP 8 > CWP 4: eight computation periods and one memory period. */
static void case_3_and_4(void **state)
{
    (void)state;
    assert_within(cycles_of(figure(8, 1, 300, 100, 8), GP_MWP_COMPUTATION), 300 + 8 * 100, 1e-12);
    assert_within(cycles_of(figure(4, 2, 250, 100, 4), GP_MWP_COMPUTATION), 250 + 8 * 100, 1e-12);
}

/* Figure 7: computation longer than memory, CWP below 2: eight computation periods and one memory period. */
static void case_5(void **state)
{
    (void)state;
    assert_within(cycles_of(figure(8, 1, 80, 100, 8), GP_MWP_COMPUTATION), 80 + 8 * 100, 1e-12);
    assert_within(cycles_of(figure(8, 1, 80, 100, 1), GP_MWP_COMPUTATION), 80 + 8 * 100,
                  1e-12); /* also when MWP is small */
}

/* Figure 8: as many warps as MWP and CWP. One warp of two periods: all in sequence. Two warps: one more computation
 * period. */
static void case_6_and_7(void **state)
{
    (void)state;
    assert_within(cycles_of(figure(1, 2, 300, 100, 1), GP_MWP_TOO_FEW_WARPS), 2 * 300 + 2 * 100, 1e-12);
    assert_within(cycles_of(figure(2, 2, 300, 100, 2), GP_MWP_TOO_FEW_WARPS), 2 * 300 + 2 * 100 + 100, 1e-12);
}

static void no_memory(void **state)
{
    (void)state;
    struct gp_mwp_inputs in = figure(4, 0, 300, 100, 2);
    in.computation_insts = 50;
    assert_within(cycles_of(in, GP_MWP_COMPUTATION_ONLY), 4 * 50, 1e-12);
}

/* (6): bandwidth bounds MWP. 128 B in 400 cycles at 1 GHz is 0.32 GB/s a warp; 3.2 GB/s over 2 SMs carry 5 warps. */
static void bandwidth_bounds_mwp(void **state)
{
    (void)state;
    struct gp_mwp_inputs in = figure(16, 4, 400, 10, 100);
    struct gp_mwp_result r;
    in.bandwidth_gbps = 3.2;
    in.active_sms = 2;
    gp_mwp_cwp(&in, &r);
    assert_within(r.mwp_peak_bw, 5, 1e-12);
    assert_within(r.mwp, 5, 1e-12);
}

/* (26): of the warps that depart one after the other a barrier waits for those of its own group; a lone one for nobody.
 */
static void barriers_wait_for_their_group(void **state)
{
    (void)state;
    struct gp_mwp_inputs in = figure(2, 4, 400, 10, 8);
    struct gp_mwp_result two, one;
    in.active_blocks_per_sm = in.blocks = 8;
    in.barriers = 3;
    gp_mwp_cwp(&in, &two);
    assert_within(two.mwp, 8, 1e-12);
    assert_within(two.barrier_cycles, 400.0 / 8 * (2 - 1) * 3 * 8, 1e-12);
    in.warps_per_block = 1;
    in.active_blocks_per_sm = in.blocks = 16;
    gp_mwp_cwp(&in, &one);
    assert_within(one.barrier_cycles, 0, 0);
    assert_within(one.cycles, one.application_cycles, 0);
}

/* ---- From kernels ---------------------------------------------------------------------------------------------- */

static struct gp_error error;

static struct gp_device *device_of(const char *name)
{
    struct gp_device *device = gp_device_load(name, SOURCE_HWDB, &error);
    if (device == NULL)
        fail_msg("%s", error.text);
    return device;
}

static struct gp_launch launch;

static void launch_of(const struct gp_profile *profile, uint32_t x, uint32_t y)
{
    gp_launch_default(&profile->kernels[0], &launch);
    launch.local[0] = x;
    launch.local[1] = y;
}

/* The parameters of a launch with `resident` groups per SM. */
static struct gp_mwp_inputs inputs_of(const struct gp_profile *profile, const struct gp_device *device, double resident)
{
    struct gp_collector *collector = gp_collector_new(&profile->kernels[0]);
    struct gp_work work;
    struct gp_mwp_inputs in;
    if (!gp_collect(collector, device, &launch, 8, device->l1_size.value, 32, false, &work, &error))
        fail_msg("%s", error.text);
    struct gp_conditions conditions = {
        .device = device, .clock_mhz = device->clock_mhz.value, .resident_groups = resident};
    gp_mwp_cwp_inputs(&profile->kernels[0], &work, &conditions, &in);
    gp_collector_free(collector);
    return in;
}

static struct gp_prediction predict(const struct gp_profile *profile, const struct gp_device *device)
{
    struct gp_predictor *predictor = gp_predictor_new(profile, &profile->kernels[0]);
    struct gp_predict_options options = {.model = GP_MODEL_MWP_CWP, .bottlenecks = true};
    static struct gp_prediction prediction;
    if (!gp_predict(predictor, device, &launch, &options, &prediction, &error))
        fail_msg("%s", error.text);
    gp_predictor_free(predictor);
    return prediction;
}

/* c[i] = a[i] + b[i]: three coalesced instructions of 128 B on every device; 4096 groups of 256 are 8 warps each. */
static void counts_of_vector_add(void **state)
{
    (void)state;
    static const struct {
        const char *device;
        double issue, active_sms, width;
    } rows[] = {{"fx5600", 4, 16, 32},    {"gtx280", 4, 30, 32},  {"m2070", 1, 14, 32},
                {"k20", 1.0 / 6, 13, 32}, {"a100", 0.5, 108, 32}, {"mi50", 1, 60, 64}};
    struct gp_profile *profile = golden_profile("vector_add");
    launch_of(profile, 256, 1);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct gp_device *device = device_of(rows[i].device);
        struct gp_mwp_inputs in = inputs_of(profile, device, 2);
        assert_within(in.coalesced_insts, 3, 1e-9);
        assert_within(in.uncoalesced_insts, 0, 0);
        assert_within(in.load_bytes_per_warp, 4 * rows[i].width, 1e-9);
        assert_within(in.warps_per_block, 256 / rows[i].width, 0);
        assert_within(in.blocks, 4096, 0);
        assert_within(in.active_sms, rows[i].active_sms, 0);
        assert_within(in.active_blocks_per_sm, 2, 0);
        assert_within(in.issue_cycles, rows[i].issue, 1e-9);
        assert_within(in.memory_latency, device->dram_latency.value, 1e-9);
        assert_true(in.computation_insts >= 1 && in.barriers == 0);
        gp_device_free(device);
    }
    gp_profile_free(profile);
}

/*
 * out[x * height + y] = in[y * width + x] in groups of 16x16. A half-warp is a row: the load is coalesced, the store's
 * 16 lanes are 4 KB apart. cc 1.0 and 1.3: 32 transactions. 5.x and later: the two rows of a warp share a 32-byte
 * sector: 16.
 */
static void counts_of_transpose(void **state)
{
    (void)state;
    static const struct {
        const char *device;
        double transactions;
    } rows[] = {{"fx5600", 32}, {"8800gt", 32}, {"gtx280", 32}, {"a100", 16}};
    struct gp_profile *profile = golden_profile("transpose_naive");
    launch_of(profile, 16, 16);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct gp_device *device = device_of(rows[i].device);
        struct gp_mwp_inputs in = inputs_of(profile, device, 2);
        assert_within(in.coalesced_insts, 1, 1e-9);
        assert_within(in.uncoalesced_insts, 1, 1e-9);
        assert_within(in.transactions_per_uncoalesced, rows[i].transactions, 1e-9);
        gp_device_free(device);
    }
    gp_profile_free(profile);
}

/*
 * The same on the FX 5600 in full. 16 registers x 256 work-items: two groups, N = 16 warps. Mem_L (730 + 420) / 2 =
 * 575, departure delay (320 + 4) / 2 = 162: MWP 3.549 (the bandwidth would carry 76.8 / (1.35 x 128 / 575 x 16)
 * = 15.97), CWP at least that: (23), limited by departures. 4096 groups in rounds of 32.
 */
static void transpose_by_hand(void **state)
{
    (void)state;
    struct gp_profile *profile = golden_profile("transpose_naive");
    struct gp_device *device = device_of("fx5600");
    launch_of(profile, 16, 16);
    double computation = 4 * (inputs_of(profile, device, 2).computation_insts + 2);
    struct gp_prediction p = predict(profile, device);
    assert_string_equal(p.model, "mwp-cwp");
    assert_within(p.terms.mwp, 575.0 / 162, 1e-9);
    assert_within(p.terms.cwp, fmin(16, (1150 + computation) / computation), 1e-9);
    assert_true(p.terms.cwp > p.terms.mwp);
    double cycles = (1150 * 16 / p.terms.mwp + computation / 2 * (p.terms.mwp - 1)) * 128;
    assert_within(p.cycles, cycles, 1e-9);
    assert_within(p.time_ns, cycles / 1.35, 1e-9);
    assert_within(p.terms.cpi, cycles / (computation / 4 * 8 * 4096 / 16), 1e-9);
    assert_int_equal(p.limiter, GP_LIMITER_DRAM);
    gp_device_free(device);
    gp_profile_free(profile);
}

/* Coalescing the store makes it Mem_L 420, delay 4: the whole time is another case. The cause stands in the list. */
static void repaired_transpose_is_faster(void **state)
{
    (void)state;
    struct gp_profile *profile = golden_profile("transpose_naive");
    struct gp_device *device = device_of("fx5600");
    launch_of(profile, 16, 16);
    struct gp_prediction p = predict(profile, device);
    assert_true(p.bottleneck_count > 0);
    assert_int_equal(p.bottlenecks[0].cause, GP_CAUSE_UNCOALESCED);
    assert_true(p.bottlenecks[0].speedup > 2);
    gp_device_free(device);
    gp_profile_free(profile);
}

/* Barriers and local memory are computation; the barriers cost once more in (26). */
static void counts_of_barriers(void **state)
{
    (void)state;
    struct gp_profile *profile = golden_profile("transpose_padded");
    struct gp_device *device = device_of("gtx280");
    launch_of(profile, 16, 16);
    struct gp_mwp_inputs in = inputs_of(profile, device, 2);
    assert_within(in.barriers, 1, 1e-9);
    assert_within(in.coalesced_insts + in.uncoalesced_insts, 2, 1e-9);
    struct gp_mwp_result with, without;
    gp_mwp_cwp(&in, &with);
    in.barriers = 0;
    gp_mwp_cwp(&in, &without);
    assert_true(with.cycles > without.cycles && with.application_cycles == without.application_cycles);
    gp_device_free(device);
    gp_profile_free(profile);
}

/* Columns of a tile of 32x32 are in one bank: a load takes 32 passes of a cycle, 31 more than where the rows are
 * padded. */
static void conflicts_replay_instructions(void **state)
{
    (void)state;
    struct gp_profile *tiled = golden_profile("transpose_tiled"), *padded = golden_profile("transpose_padded");
    struct gp_device *device = device_of("a100");
    launch_of(tiled, 32, 32);
    struct gp_mwp_inputs conflicts = inputs_of(tiled, device, 2), none = inputs_of(padded, device, 2);
    assert_within((conflicts.computation_insts - none.computation_insts) * conflicts.issue_cycles, 31, 1e-9);
    gp_device_free(device);
    gp_profile_free(tiled);
    gp_profile_free(padded);
}

/* Fewer groups than the device holds: one round of what there is. */
static void small_launch(void **state)
{
    (void)state;
    struct gp_profile *profile = golden_profile("vector_add");
    struct gp_device *device = device_of("fx5600");
    gp_launch_default(&profile->kernels[0], &launch);
    uint64_t global[3] = {256 * 4, 1, 1};
    gp_launch_set_global(&profile->kernels[0], &launch, 1, global);
    launch.cold = false; /* one of many on the same data */
    launch.local[0] = 256;
    struct gp_mwp_inputs in = inputs_of(profile, device, 2);
    struct gp_mwp_result r;
    gp_mwp_cwp(&in, &r);
    assert_within(in.active_sms, 4, 0);
    assert_within(in.active_blocks_per_sm, 1, 0);
    assert_within(r.repetitions, 1, 0);
    gp_device_free(device);
    gp_profile_free(profile);
}

/* Fitted delays are no guess; derived ones are as far as they decide. A CPU has no warps. */
static void derived_delays_are_less_known(void **state)
{
    (void)state;
    struct gp_profile *profile = golden_profile("transpose_naive");
    struct gp_device *fitted = device_of("gtx280");
    struct gp_device derived = *fitted;
    derived.departure_delay_uncoalesced.origin = GP_FROM_DERIVED;
    launch_of(profile, 16, 16);
    double sure = predict(profile, fitted).known_share, unsure = predict(profile, &derived).known_share;
    assert_true(sure > 0.5 && unsure < 0.75 * sure && unsure > 0);
    struct gp_device *cpu = device_of("pocl-cpu");
    struct gp_predictor *predictor = gp_predictor_new(profile, &profile->kernels[0]);
    struct gp_predict_options options = {.model = GP_MODEL_MWP_CWP};
    struct gp_prediction prediction;
    assert_false(gp_predict(predictor, cpu, &launch, &options, &prediction, &error));
    assert_string_equal(error.text, "the model 'mwp-cwp' is one of GPUs; pocl-cpu takes auto or throughput");
    gp_predictor_free(predictor);
    gp_device_free(cpu);
    gp_device_free(fitted);
    gp_profile_free(profile);
}

/* Where L1 serves, instructions are computation: no more memory instructions than requests, and the latency is between
 * L2's and DRAM's. */
static void caches_take_memory_instructions_away(void **state)
{
    (void)state;
    struct gp_profile *profile = golden_profile("matrix_multiply");
    struct gp_device *fermi = device_of("m2070"), *tesla = device_of("gtx280");
    launch_of(profile, 16, 16);
    struct gp_mwp_inputs cached = inputs_of(profile, fermi, 1), uncached = inputs_of(profile, tesla, 1);
    double insts = cached.coalesced_insts + cached.uncoalesced_insts,
           all = uncached.coalesced_insts + uncached.uncoalesced_insts;
    assert_within(all, 2 * 1024 + 1, 1e-9);
    assert_true(insts > 0 && insts < 0.7 * all);
    assert_true(cached.memory_latency >= fermi->l2_latency.value &&
                cached.memory_latency <= fermi->dram_latency.value * (1 + 1e-9));
    assert_within(uncached.memory_latency, tesla->dram_latency.value, 1e-9);
    gp_device_free(fermi);
    gp_device_free(tesla);
    gp_profile_free(profile);
}

/* Every GPU predicts every golden profile. */
static void all_devices(void **state)
{
    (void)state;
    static const char *const profiles[] = {"vector_add",      "transpose_naive",  "transpose_tiled",
                                           "matrix_multiply", "divergent_branch", "data_loop"};
    char **names;
    size_t count;
    assert_true(gp_device_list(SOURCE_HWDB, &names, &count, &error));
    for (size_t i = 0; i < count; i++) {
        struct gp_device *device = device_of(names[i]);
        for (size_t k = 0; k < sizeof profiles / sizeof *profiles && device->arch != GP_ARCH_CPU; k++) {
            struct gp_profile *profile = golden_profile(profiles[k]);
            launch_of(profile, 16, profile->kernels[0].dims > 1 ? 16 : 1);
            if (profile->kernels[0].stated.required_local[0] > 0)
                memcpy(launch.local, profile->kernels[0].stated.required_local, sizeof launch.local);
            if (launch.local[0] * launch.local[1] > device->max_threads_per_block.value) {
                gp_profile_free(profile);
                continue; /* groups of 32x32 */
            }
            struct gp_prediction p = predict(profile, device);
            assert_true(isfinite(p.cycles) && p.cycles >= 1 && p.terms.mwp >= 1 && p.terms.cwp >= 1 &&
                        isfinite(p.terms.cpi));
            assert_true(p.confidence >= 0 && p.confidence <= 1);
            for (uint32_t b = 0; b < p.bottleneck_count; b++)
                assert_true(isfinite(p.bottlenecks[b].speedup) && p.bottlenecks[b].speedup > 0);
            gp_profile_free(profile);
        }
        gp_device_free(device);
        free(names[i]);
    }
    free(names);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(counts_of_vector_add),
                                       cmocka_unit_test(counts_of_transpose),
                                       cmocka_unit_test(transpose_by_hand),
                                       cmocka_unit_test(repaired_transpose_is_faster),
                                       cmocka_unit_test(counts_of_barriers),
                                       cmocka_unit_test(conflicts_replay_instructions),
                                       cmocka_unit_test(small_launch),
                                       cmocka_unit_test(derived_delays_are_less_known),
                                       cmocka_unit_test(caches_take_memory_instructions_away),
                                       cmocka_unit_test(all_devices),
                                       cmocka_unit_test(table_2),
                                       cmocka_unit_test(case_1_and_2),
                                       cmocka_unit_test(case_3_and_4),
                                       cmocka_unit_test(case_5),
                                       cmocka_unit_test(case_6_and_7),
                                       cmocka_unit_test(no_memory),
                                       cmocka_unit_test(bandwidth_bounds_mwp),
                                       cmocka_unit_test(barriers_wait_for_their_group)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
