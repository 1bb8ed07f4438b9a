/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Predictions of whole kernels: the golden profiles on a real device's entry. */
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
#include "model/assume/defaults.h"
#include "model/assume/stated.h"
#include "model/value/inst_facts.h"
#include "test/golden.h"

static struct gp_device *a100;
static struct gp_error error;
static struct gp_launch launch;
static struct gp_prediction prediction;

static bool predict(const struct gp_profile *profile, const struct gp_device *device)
{
    struct gp_predictor *predictor = gp_predictor_new(profile, &profile->kernels[0]);
    struct gp_predict_options options = {.bottlenecks = true};
    bool ok = gp_predict(predictor, device, &launch, &options, &prediction, &error);
    gp_predictor_free(predictor);
    return ok;
}

static void predict_default(const char *name)
{
    struct gp_profile *profile = golden_profile(name);
    gp_launch_default(&profile->kernels[0], &launch);
    if (!predict(profile, a100))
        fail_msg("%s", error.text);
    gp_profile_free(profile);
}

static const struct gp_bottleneck *find(enum gp_cause cause)
{
    for (uint32_t i = 0; i < prediction.bottleneck_count; i++)
        if (prediction.bottlenecks[i].cause == cause)
            return &prediction.bottlenecks[i];
    return NULL;
}

/* What is measured about a cause that must be there. */
static const char *measure_of(enum gp_cause cause)
{
    const struct gp_bottleneck *found = find(cause);
    if (found == NULL)
        fail_msg("cause %d is not there", cause);
    return found ? found->measure : "";
}

/* Groups start at a rate that nobody measured on a V100, unlike an A100: where that limits, little is known. */
static void rate_of_start_is_doubted(void **state)
{
    (void)state;
    struct gp_device *v100 = gp_device_load("v100", SOURCE_HWDB, &error);
    struct gp_profile *profile = golden_profile("vector_add");
    gp_launch_default(&profile->kernels[0], &launch);
    gp_launch_set_global(&profile->kernels[0], &launch, 1, (const uint64_t[3]){1 << 24, 1, 1});
    launch.local[0] = 32;
    assert_true(predict(profile, a100) && prediction.limiter == GP_LIMITER_LAUNCH && prediction.known_share > 0.8);
    assert_true(predict(profile, v100) && prediction.limiter == GP_LIMITER_LAUNCH && prediction.known_share <= 0.5);
    launch.local[0] = 256;
    assert_true(predict(profile, v100) && prediction.known_share > 0.8);
    gp_profile_free(profile);
    gp_device_free(v100);
}

/* By one predictor: local sizes along a row, up to 0, or the assumed one where there is none. The last one's. */
static struct gp_prediction predict_sizes(const char *name, struct gp_predict_options options, const uint32_t *sizes)
{
    struct gp_profile *profile = golden_profile(name);
    struct gp_predictor *predictor = gp_predictor_new(profile, &profile->kernels[0]);
    gp_launch_default(&profile->kernels[0], &launch);
    do {
        launch.local[0] = *sizes > 0 ? *sizes : launch.local[0];
        if (!gp_predict(predictor, a100, &launch, &options, &prediction, &error))
            fail_msg("%s", error.text);
    } while (*sizes > 0 && *++sizes > 0);
    gp_predictor_free(predictor);
    gp_profile_free(profile);
    return prediction;
}

static struct gp_prediction predict_quickly(const char *name, double affordable)
{
    return predict_sizes(name, (struct gp_predict_options){.quick = true, .affordable = affordable}, (uint32_t[]){0});
}

/* Where more is not affordable, one warp beside that of the first group: half the effort, and about the same answer,
 * also where warps differ. */
static void a_bound_of_the_effort_is_kept(void **state)
{
    (void)state;
    static const char *const names[] = {"matrix_multiply", "loop_nest", "transpose_naive", "vector_add"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct gp_prediction all = predict_quickly(names[i], 0), one = predict_quickly(names[i], 1),
                             enough = predict_quickly(names[i], 1e9);
        assert_true((double)one.effort < 0.6 * (double)all.effort);
        assert_true(fabs(one.cycles / all.cycles - 1) < 0.1);
        assert_true(enough.effort == all.effort && enough.cycles == all.cycles);
    }
}

/* Of groups alone, in haste. */
static struct gp_prediction predict_lone(const char *name, const uint32_t *sizes)
{
    return predict_sizes(name, (struct gp_predict_options){.quick = true, .lone_groups = true, .affordable = 1}, sizes);
}

/* Whole warps do the same in groups of 256 and of 128, but where a loop that takes most of the time starts with a local
 * id. */
static void a_lone_warp_stands_for_other_sizes(void **state)
{
    (void)state;
    static const char *const names[] = {"vector_add", "data_loop", "divergent_branch"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct gp_prediction anew = predict_lone(names[i], (uint32_t[]){128, 0}),
                             again = predict_lone(names[i], (uint32_t[]){256, 128, 0}),
                             narrow = predict_lone(names[i], (uint32_t[]){256, 16, 0});
        assert_true(anew.effort > 0 && narrow.effort > 0 && again.effort == 0);
        assert_true(fabs(again.cycles / anew.cycles - 1) < 0.02);
    }
    assert_true(predict_lone("loop_nest", (uint32_t[]){256, 128, 0}).effort > 0);
}

static void naive_transpose_is_uncoalesced(void **state)
{
    (void)state;
    predict_default("transpose_naive");
    const struct gp_bottleneck *b = find(GP_CAUSE_UNCOALESCED);
    assert_non_null(b);
    assert_non_null(strstr(measure_of(GP_CAUSE_UNCOALESCED), "32 transactions per warp"));
    assert_non_null(strstr(measure_of(GP_CAUSE_UNCOALESCED), "stride 4096 bytes"));
    assert_true(b->share > 0.2 && b->speedup > 1.25);
    assert_null(find(GP_CAUSE_BANK_CONFLICT));
    assert_null(find(GP_CAUSE_DIVERGENCE));
    assert_true(prediction.known_share > 0.8 && prediction.confidence > 0.3);
}

static void tile_without_padding_conflicts(void **state)
{
    (void)state;
    predict_default("transpose_tiled");
    const struct gp_bottleneck *b = find(GP_CAUSE_BANK_CONFLICT);
    assert_non_null(b);
    assert_non_null(strstr(b->measure, "32-way"));
    assert_null(find(GP_CAUSE_UNCOALESCED));
    double conflicting = prediction.cycles;
    predict_default("transpose_padded");
    assert_null(find(GP_CAUSE_BANK_CONFLICT));
    assert_null(find(GP_CAUSE_UNCOALESCED));
    assert_true(prediction.cycles < conflicting);
}

/* 32 MB through DRAM: never faster than its bandwidth allows. */
static void vector_add_is_bound_by_dram(void **state)
{
    (void)state;
    struct gp_profile *profile = golden_profile("vector_add");
    gp_launch_default(&profile->kernels[0], &launch);
    uint64_t global[3] = {1 << 24, 1, 1};
    gp_launch_set_global(&profile->kernels[0], &launch, 1, global);
    launch.cold = false; /* one of many on the same data */
    assert_true(predict(profile, a100));
    double floor_ns = 3.0 * 4 * (1 << 24) / a100->dram_gbps.value;
    assert_int_equal(prediction.limiter, GP_LIMITER_DRAM);
    assert_true(prediction.time_ns > floor_ns && prediction.time_ns < 1.3 * floor_ns);
    gp_profile_free(profile);
}

/* Of a launch that is stated; of what is assumed less may be meant, which takes less. */
static void ranges_end_at_the_ideal_time(void **state)
{
    (void)state;
    struct gp_profile *profile = golden_profile("vector_add");
    gp_launch_default(&profile->kernels[0], &launch);
    assert_true(gp_launch_assume(&profile->kernels[0], &launch, "global=16777216:local=256:n=16777216", &error));
    assert_true(predict(profile, a100));
    assert_true(prediction.basis.evidence.low * prediction.time_ns < prediction.headroom.ideal_ns);
    assert_float_equal(prediction.time_ns_low, prediction.headroom.ideal_ns, 1e-6 * prediction.time_ns);
    gp_launch_default(&profile->kernels[0], &launch);
    assert_true(predict(profile, a100));
    assert_true(prediction.time_ns_low < prediction.headroom.ideal_ns);
    gp_profile_free(profile);
}

static void same_input_same_answer(void **state)
{
    (void)state;
    static struct gp_prediction first;
    predict_default("matrix_multiply");
    first = prediction;
    predict_default("matrix_multiply");
    assert_memory_equal(&first.cycles, &prediction.cycles, sizeof first.cycles);
    assert_int_equal(first.bottleneck_count, prediction.bottleneck_count);
}

/* A naive matrix multiplication: rows of work-items along the columns of B beat a column of them by far. */
static void shape_matters(void **state)
{
    (void)state;
    struct gp_profile *profile = golden_profile("matrix_multiply");
    static const uint32_t shapes[3][2] = {{16, 16}, {32, 8}, {1, 256}};
    double cycles[3];
    gp_launch_default(&profile->kernels[0], &launch);
    for (int i = 0; i < 3; i++) {
        launch.local[0] = shapes[i][0];
        launch.local[1] = shapes[i][1];
        assert_true(predict(profile, a100));
        cycles[i] = prediction.cycles;
    }
    assert_true(cycles[0] < cycles[2] && cycles[1] < cycles[2]);
    gp_profile_free(profile);
}

static void impossible_launches_are_refused(void **state)
{
    (void)state;
    struct gp_profile *profile = golden_profile("vector_add");
    gp_launch_default(&profile->kernels[0], &launch);
    launch.local[0] = 2048;
    assert_false(predict(profile, a100));
    assert_non_null(strstr(error.text, "1024"));
    launch.local[0] = 0;
    assert_false(predict(profile, a100));
    assert_non_null(strstr(error.text, "zero"));
    launch.local[0] = 256;
    launch.global[0] = 0;
    assert_false(predict(profile, a100));
    launch.global[0] = 1024;
    launch.global[1] = 7; /* beyond dims */
    assert_false(predict(profile, a100));
    launch.dims = 2;
    launch.global[0] = launch.global[1] = UINT64_C(1) << 40; /* their product is 0 in 64 bits */
    assert_false(predict(profile, a100));
    assert_non_null(strstr(error.text, "more than 2^53 work-items"));
    gp_profile_free(profile);
}

static void candidates_divide_the_range(void **state)
{
    (void)state;
    struct gp_profile *profile = golden_profile("matrix_multiply");
    uint32_t list[GP_MAX_CANDIDATES][3];
    gp_launch_default(&profile->kernels[0], &launch);
    uint64_t global[3] = {1000, 36, 1};
    gp_launch_set_global(&profile->kernels[0], &launch, 2, global);
    launch.cold = false; /* one of many on the same data */
    uint32_t count = gp_candidates(a100, &profile->kernels[0], &launch, true, list, GP_MAX_CANDIDATES);
    assert_true(count > 5);
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(1000 % list[i][0], 0);
        assert_int_equal(36 % list[i][1], 0);
        assert_int_equal(list[i][2], 1);
        assert_true(list[i][0] * list[i][1] <= 1024);
        for (uint32_t k = 0; k < i; k++)
            assert_memory_not_equal(list[k], list[i], sizeof list[i]);
    }
    global[0] = 1009; /* prime: only 1 and itself divide it */
    gp_launch_set_global(&profile->kernels[0], &launch, 2, global);
    launch.cold = false; /* one of many on the same data */
    count = gp_candidates(a100, &profile->kernels[0], &launch, true, list, GP_MAX_CANDIDATES);
    assert_true(count >= 1);
    for (uint32_t i = 0; i < count; i++)
        assert_true(list[i][0] == 1 || list[i][0] == 1009);
    gp_profile_free(profile);
}

static void ranks(void **state)
{
    (void)state;
    static struct gp_prediction p[3];
    p[0] = (struct gp_prediction){.feasible = true, .cycles = 200};
    p[1] = (struct gp_prediction){.feasible = false};
    p[2] = (struct gp_prediction){.feasible = true, .cycles = 195};
    gp_predictions_rank(p, 3);
    assert_true(p[0].cycles == 195 && p[0].rank == 1);
    assert_true(p[1].cycles == 200 && p[1].rank == 2);
    assert_true(!p[2].feasible && p[2].rank == 3);
    assert_true(gp_prediction_tied(&p[0], &p[1])); /* 200 / 195 = 1.026 */
}

/* At equal times groups of 256 before larger ones and those before smaller ones, whatever the order given; not where
 * they differ by more than 1%, nor on CPUs. */
static void ranks_of_equal_times(void **state)
{
    (void)state;
    static const double cycles[] = {1000, 1001, 1005, 1009, 1020};
    static const uint32_t sizes[] = {1024, 64, 512, 256, 288};
    static struct gp_prediction p[5], *each[5];
    for (int cpu = 0; cpu < 2; cpu++) {
        for (int i = 0; i < 5; i++)
            p[i] = (struct gp_prediction){.feasible = true,
                                          .cycles = cycles[i],
                                          .local = {sizes[i], 1, 1},
                                          .full_group = 256,
                                          .model = cpu ? "cpu" : "throughput"};
        for (int i = 0; i < 5; i++)
            each[i] = &p[4 - i];
        gp_predictions_rank_each(each, 5);
        assert_int_equal(each[0]->local[0], cpu ? 1024 : 256);
        gp_predictions_rank(p, 5);
        assert_int_equal(p[0].local[0], cpu ? 1024 : 256);
        assert_int_equal(p[1].local[0], cpu ? 64 : 1024);
        assert_int_equal(p[4].local[0], 288);
        for (uint32_t i = 0; i < 5; i++)
            assert_int_equal(p[i].rank, i + 1);
    }
    assert_true(gp_prefers_group(256, 512, 256) && gp_prefers_group(512, 128, 256) && gp_prefers_group(128, 64, 256) &&
                !gp_prefers_group(256, 256, 256));
    assert_true(gp_prefers_group(512, 256, 512) && gp_prefers_group(512, 1024, 512));
}

/* Rank 1 is not slower than another without a reason. */
static void a_slower_first_has_a_reason(void **state)
{
    struct gp_prediction first = {.feasible = true, .cycles = 100.5, .local = {8, 64, 1}, .full_group = 512},
                         other = {.feasible = true, .cycles = 100, .local = {8, 32, 1}, .full_group = 512};
    (void)state;
    assert_string_equal(gp_why_preferred(&first, &other), "its groups are a quarter of what an SM holds, or more");
    other.local[0] = 32;
    assert_string_equal(gp_why_preferred(&first, &other),
                        "its groups are smaller, and still a quarter of what an SM holds, or more");
    other.local[0] = 4;
    first.full_group = other.full_group = 4096;
    assert_string_equal(gp_why_preferred(&first, &other), "its groups are larger");
    other.cycles = first.cycles * (1 - 1e-12);
    assert_null(gp_why_preferred(&first, &other));
    other.cycles = 99;
    other.feasible = false;
    assert_null(gp_why_preferred(&first, &other));
}

/* Every device of the database predicts every golden profile or says why not. */
static void all_devices(void **state)
{
    (void)state;
    static const char *const profiles[] = {"vector_add",      "transpose_naive",  "transpose_tiled",
                                           "matrix_multiply", "divergent_branch", "data_loop"};
    char **names;
    size_t count;
    assert_true(gp_device_list(SOURCE_HWDB, &names, &count, &error));
    for (size_t i = 0; i < count; i++) {
        struct gp_device *device = gp_device_load(names[i], SOURCE_HWDB, &error);
        assert_non_null(device);
        for (size_t k = 0; k < sizeof profiles / sizeof *profiles; k++) {
            struct gp_profile *profile = golden_profile(profiles[k]);
            gp_launch_default(&profile->kernels[0], &launch);
            if (predict(profile, device) && prediction.feasible) {
                assert_true(isfinite(prediction.cycles) && prediction.cycles > 0);
                assert_true(prediction.confidence >= 0 && prediction.confidence <= 1);
                assert_true(prediction.known_share >= 0 && prediction.known_share <= 1);
                assert_true(prediction.time_ns_low <= prediction.time_ns &&
                            prediction.time_ns <= prediction.time_ns_high);
                assert_true(prediction.occupancy > 0 && prediction.occupancy <= 1);
            }
            gp_profile_free(profile);
        }
        gp_device_free(device);
        free(names[i]);
    }
    free(names);
}

/* Both matrices cross DRAM whatever the shape is; in 8x4 the rows of a warp ask for the same sectors of the written
 * one. */
static void no_shape_moves_less_than_the_data(void **state)
{
    (void)state;
    struct gp_profile *profile = golden_profile("transpose_naive");
    gp_launch_default(&profile->kernels[0], &launch);
    double bytes = 2.0 * 4 * (double)launch.global[0] * (double)launch.global[1];
    double least = bytes / (a100->dram_gbps.value * 1e9 * a100->dram_efficiency.value) * a100->clock_mhz.value * 1e6;
    static const uint32_t shapes[][2] = {{8, 4}, {8, 8}, {4, 8}, {32, 8}, {2, 16}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        launch.local[0] = shapes[i][0];
        launch.local[1] = shapes[i][1];
        assert_true(predict(profile, a100));
        assert_true(prediction.cycles >= least + a100->launch_ns.value * 1e-9 * a100->clock_mhz.value * 1e6);
    }
    gp_profile_free(profile);
}

/* The loop over k has nearly all of a multiplication's work; what has no line of its own is told of where most of it
 * is. */
static void hot_loop_is_found(void **state)
{
    (void)state;
    struct gp_profile *profile = golden_profile("matrix_multiply");
    const struct gp_kernel *kernel = &profile->kernels[0];
    gp_launch_default(kernel, &launch);
    struct gp_error error = {{0}};
    struct gp_device *device = gp_device_load(
        "mi50", SOURCE_HWDB, &error); /* on NVIDIA's devices drivers unroll the loop, and hide what it waits for */
    assert_non_null(device);
    assert_true(predict(profile, device));
    assert_int_equal(prediction.hot_loop, 0);
    assert_true(prediction.hot_share > 0.9 && prediction.hot_share <= 1);
    const struct gp_bottleneck *latency = find(GP_CAUSE_LATENCY);
    assert_non_null(latency);
    assert_true(latency->inst != GP_NONE && kernel->insts[latency->inst].op == GP_OP_LOAD);
    char place[100], loop[100];
    gp_print_place(profile, kernel, latency->location, place, sizeof place);
    gp_print_place(profile, kernel, kernel->loops[0].location, loop, sizeof loop);
    assert_string_not_equal(place, "");
    assert_string_not_equal(loop, "");
    gp_device_free(device);
    gp_profile_free(profile);
    predict_default("vector_add");
    assert_int_equal(prediction.hot_loop, GP_NONE);
}

static double share_of_line(const struct gp_profile *profile, uint32_t line)
{
    double share = 0;
    for (uint32_t i = 0; i < prediction.line_count; i++)
        share += profile->locations[prediction.lines[i].location].line == line ? prediction.lines[i].share : 0;
    return share;
}

/* All instructions' places at once are those of one after the other. */
static void places_are_the_same_at_once(void **state)
{
    (void)state;
    static const char *const names[] = {"matrix_multiply", "transpose_naive", "vector_add"};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        struct gp_profile *profile = golden_profile(names[n]);
        const struct gp_kernel *kernel = &profile->kernels[0];
        uint32_t *places = calloc(kernel->inst_count + 1, sizeof *places);
        assert_non_null(places);
        gp_inst_places(kernel, places);
        for (uint32_t i = 0; i < kernel->inst_count; i++)
            assert_int_equal(places[i], gp_inst_place(kernel, i));
        free(places);
        gp_profile_free(profile);
    }
}

/* Lines share what limits the kernel: of a multiplication the line in the loop has nearly all of it; none is there
 * twice, and they come largest first. Where bottlenecks are not asked for, there are none. */
static void lines_share_the_limiters_work(void **state)
{
    (void)state;
    struct gp_profile *profile = golden_profile("matrix_multiply");
    const struct gp_kernel *kernel = &profile->kernels[0];
    gp_launch_default(kernel, &launch);
    assert_true(predict(profile, a100));
    assert_true(prediction.line_count > 0);
    double sum = 0;
    for (uint32_t i = 0; i < prediction.line_count; i++) {
        sum += prediction.lines[i].share;
        assert_true(i == 0 || prediction.lines[i].share <= prediction.lines[i - 1].share);
        assert_true(share_of_line(profile, profile->locations[prediction.lines[i].location].line) ==
                    prediction.lines[i].share);
    }
    assert_true(sum > 0.97 && sum < 1 + 1e-9);
    uint32_t load = GP_NONE;
    for (uint32_t i = 0; i < kernel->inst_count && load == GP_NONE; i++)
        load = kernel->insts[i].op == GP_OP_LOAD ? kernel->insts[i].location : GP_NONE;
    assert_true(load != GP_NONE);
    assert_true(share_of_line(profile, profile->locations[load].line) > 0.8);
    gp_profile_free(profile);
}

/* An estimate of 200 registers, and groups of up to 1024 work-items: what one of them may have by the size of the
 * register files. */
static void estimates_keep_launch_bounds(void **state)
{
    (void)state;
    static const struct {
        const char *device;
        uint32_t registers;
    } rows[] = {
        {"a100", 64}, {"mi50", 64}, {"mi250x", 128}, {"w6600", 128}, /* the two CUs of a WGP */
    };
    struct gp_profile *profile = golden_profile("matrix_multiply");
    struct gp_kernel *kernel = (struct gp_kernel *)&profile->kernels[0];
    struct gp_resources *resources = (struct gp_resources *)kernel->resources;
    assert_true(kernel->resource_count > 0);
    kernel->resource_count = 1;
    *resources = (struct gp_resources){.registers = 200, .source = GP_SOURCE_ESTIMATE};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct gp_device *device = gp_device_load(rows[i].device, SOURCE_HWDB, &error);
        kernel->stated.max_local = 1024;
        gp_launch_default(kernel, &launch);
        assert_true(predict(profile, device));
        assert_int_equal(prediction.registers, rows[i].registers);
        assert_int_equal(prediction.spill_bytes, 2 * 4 * (200 - rows[i].registers));
        kernel->stated.max_local = 256; /* 256 registers and more */
        assert_true(predict(profile, device));
        assert_int_equal(prediction.registers, 200);
        assert_int_equal(prediction.spill_bytes, 0);
        kernel->stated.max_local = 1024;
        resources->launch_bound = 1024; /* the compiler has seen it */
        assert_true(predict(profile, device) || !prediction.feasible);
        assert_int_equal(prediction.spill_bytes, 0);
        resources->launch_bound = 0;
        gp_device_free(device);
    }
    gp_profile_free(profile);
}

/*
 * A loop of $n turns around one of four. LLVM's code stores three registers and loads them again in the inner loop, and
 * stores and loads one before and behind the loops: 52 bytes with one turn of the outer loop.
 */
static const char spilling[] =
    "gpuperf-profile 1\nkernel k\n  param a: buffer 64 in global skeleton size 8\n  param n: int 32 skeleton signed "
    "size 4\n  dims 1\n"
    "  resources registers 32 spill-store 52 spill-load 52 spill-loop 0 loop-store 48 loop-load 48 stack 16 from llvm\n"
    "  loop 0: header 1 latch 3 bound induction trips $n\n  loop 1: header 2 latch 2 parent 0 bound constant trips 4\n"
    "  induction %i loop 0 step 1\n  induction %k loop 1 step 1\n"
    "  block 0: ipdom 1\n    br block 1\n"
    "  block 1: ipdom 2 loop 0\n    %i = phi i32 [block 0: 0], [block 3: %j]\n    br block 2\n"
    "  block 2: ipdom 3 loop 1\n    %k = phi i32 [block 1: 0], [block 2: %l]\n    %x = weight f32 : fp32.fma\n"
    "    %l = add i32 %k, 1\n    %in = icmp.slt i32 %l, 4\n    condbr %in, block 2, block 3 kind induction\n"
    "  block 3: ipdom 4 loop 0\n    %j = add i32 %i, 1\n    %go = icmp.slt i32 %j, $n\n    condbr %go, block 1, block "
    "4 kind induction\n"
    "  block 4:\n    store $a, %x in global 4x1 base $a\n    ret\n";

static struct gp_prediction predict_spills(const char *text, uint64_t n)
{
    struct gp_profile *profile = parse_text(text);
    struct gp_device *device = gp_device_load("mi50", SOURCE_HWDB, &error);
    gp_launch_default(&profile->kernels[0], &launch);
    launch.arguments[1] = (struct gp_argument){.known = true, .value = n};
    if (!predict(profile, device))
        fail_msg("%s", error.text);
    gp_device_free(device);
    gp_profile_free(profile);
    return prediction;
}

static struct gp_prediction predict_spilling(uint64_t n) { return predict_spills(spilling, n); }

/* What spills in a loop whose turns an argument counts moves in each. A matrix multiplication's tiles for a W7800
 * spilled in each of 128 steps along its matrices, and were predicted as if they did in one. */
static void arguments_repeat_spills(void **state)
{
    (void)state;
    assert_int_equal(predict_spilling(1).spill_bytes, 2 * 52);
    assert_int_equal(predict_spilling(2000).spill_bytes, 2 * (4 + 2000 * 48));
    double cycles = prediction.cycles;
    assert_true(cycles > 3 * predict_spilling(500).cycles);
}

/* What a loop spills in all its turns lies in one frame: whether L2 holds it does not depend on how often it turns. 52
 * bytes of all work-items at work are more than an MI50's, 16 are not. */
static void turns_spill_to_one_frame(void **state)
{
    (void)state;
    const char from[] = "spill-store 52 spill-load 52 spill-loop 0 loop-store 48 loop-load 48 stack 16";
    char text[sizeof spilling];
    double cycles[2];
    for (int larger = 0; larger <= 1; larger++) {
        memcpy(text, spilling, sizeof text);
        char *frame = strstr(text, from) + strlen(from) - 2;
        memcpy(frame, larger ? "64" : "16", 2);
        cycles[larger] = predict_spills(text, 2000).cycles;
    }
    assert_true(cycles[1] > 1.1 * cycles[0]);
}

/* A work-item that multiplies and adds $n times, and stores one number. */
static const char multiplying[] = "gpuperf-profile 1\nkernel k\n  param a: buffer 64 in global skeleton size 8\n  "
                                  "param n: int 32 skeleton signed size 4\n  dims 1\n"
                                  "  loop 0: header 1 latch 1 bound induction trips $n\n  induction %i loop 0 step 1\n"
                                  "  block 0: ipdom 1\n    %gid = id.global_id.0 i64\n    br block 1\n"
                                  "  block 1: ipdom 2 loop 0\n    %i = phi i32 [block 0: 0], [block 1: %j]\n    %x = "
                                  "weight f32 : fp32.fma\n    %j = add i32 %i, 1\n    %go = icmp.slt i32 %j, $n\n"
                                  "    condbr %go, block 1, block 2 kind induction\n"
                                  "  block 2:\n    %bytes = shl i64 %gid, 2\n    %at = add i64 $a, %bytes\n    store "
                                  "%at, %x in global 4x1 base $a\n    ret\n";

/* What full warps promise a launch of groups of `few` work-items (1: nothing), and in *gain what groups of `full` gain.
 */
static double promise_of_full_warps(const struct gp_profile *profile, const char *name, uint32_t few, uint32_t full,
                                    double *gain)
{
    struct gp_device *device = gp_device_load(name, SOURCE_HWDB, &error);
    const uint64_t global[3] = {12 << 20, 1, 1};
    gp_launch_default(&profile->kernels[0], &launch);
    gp_launch_set_global(&profile->kernels[0], &launch, 1, global);
    launch.cold = false; /* one of many on the same data */
    launch.arguments[profile->kernels[0].param_count - 1] =
        (struct gp_argument){.known = true, .value = profile->kernels[0].param_count > 2 ? global[0] : 1000};
    launch.local[0] = few;
    assert_true(predict(profile, device));
    double cycles = prediction.cycles;
    double promise = 1;
    for (uint32_t i = 0; i < prediction.bottleneck_count; i++)
        if (prediction.bottlenecks[i].cause == GP_CAUSE_LOCAL_SIZE &&
            strstr(prediction.bottlenecks[i].measure, "fills") != NULL)
            promise = prediction.bottlenecks[i].speedup;
    launch.local[0] = full;
    assert_true(predict(profile, device));
    *gain = cycles / prediction.cycles;
    gp_device_free(device);
    return promise;
}

/* 48 work-items leave a quarter or a third of the lanes without work: that costs arithmetic, but no memory, which moves
 * the same bytes. */
static void full_warps_promise_what_they_bring(void **state)
{
    (void)state;
    static const struct {
        const char *device;
        uint32_t few, full;
    } rows[] = {{"a100", 48, 64},  {"rtx4090", 48, 64}, {"mi250x", 48, 64},
                {"w7800", 48, 64}, {"mi250x", 16, 64},  {"mi50", 16, 64}};
    struct gp_profile *add = golden_profile("vector_add"), *multiply = parse_text(multiplying);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double gain, promise = promise_of_full_warps(multiply, rows[i].device, rows[i].few, rows[i].full, &gain);
        assert_true(gain > 1.2 && fabs(promise / gain - 1) < 0.05);
        promise = promise_of_full_warps(add, rows[i].device, rows[i].few, rows[i].full, &gain);
        assert_true(fabs(promise / gain - 1) < 0.05);
    }
    gp_profile_free(add);
    gp_profile_free(multiply);
}

/* Nor more than the fastest size with full warps takes, where that is known. */
static void full_warps_promise_no_more_than_predicted(void **state)
{
    (void)state;
    struct gp_profile *profile = parse_text(multiplying);
    struct gp_predictor *predictor = gp_predictor_new(profile, &profile->kernels[0]);
    struct gp_predict_options options = {.bottlenecks = true};
    gp_launch_default(&profile->kernels[0], &launch);
    launch.local[0] = 48;
    for (int i = 0; i < 3; i++) {
        assert_true(gp_predict(predictor, a100, &launch, &options, &prediction, &error));
        const struct gp_bottleneck *b = find(GP_CAUSE_LOCAL_SIZE);
        assert_true((b == NULL) == (i == 2) && (i != 1 || fabs(b->speedup - 1.1) < 1e-9));
        options.filled_cycles = prediction.cycles / (i == 0 ? 1.1 : 1);
    }
    gp_predictor_free(predictor);
    gp_profile_free(profile);
}

static int setup(void **state)
{
    (void)state;
    a100 = gp_device_load("a100", SOURCE_HWDB, &error);
    return a100 == NULL;
}

static int teardown(void **state)
{
    (void)state;
    gp_device_free(a100);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rate_of_start_is_doubted),
                                       cmocka_unit_test(a_bound_of_the_effort_is_kept),
                                       cmocka_unit_test(a_lone_warp_stands_for_other_sizes),
                                       cmocka_unit_test(naive_transpose_is_uncoalesced),
                                       cmocka_unit_test(tile_without_padding_conflicts),
                                       cmocka_unit_test(vector_add_is_bound_by_dram),
                                       cmocka_unit_test(ranges_end_at_the_ideal_time),
                                       cmocka_unit_test(same_input_same_answer),
                                       cmocka_unit_test(shape_matters),
                                       cmocka_unit_test(impossible_launches_are_refused),
                                       cmocka_unit_test(candidates_divide_the_range),
                                       cmocka_unit_test(ranks),
                                       cmocka_unit_test(ranks_of_equal_times),
                                       cmocka_unit_test(a_slower_first_has_a_reason),
                                       cmocka_unit_test(all_devices),
                                       cmocka_unit_test(no_shape_moves_less_than_the_data),
                                       cmocka_unit_test(hot_loop_is_found),
                                       cmocka_unit_test(places_are_the_same_at_once),
                                       cmocka_unit_test(lines_share_the_limiters_work),
                                       cmocka_unit_test(estimates_keep_launch_bounds),
                                       cmocka_unit_test(arguments_repeat_spills),
                                       cmocka_unit_test(turns_spill_to_one_frame),
                                       cmocka_unit_test(full_warps_promise_what_they_bring),
                                       cmocka_unit_test(full_warps_promise_no_more_than_predicted)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
