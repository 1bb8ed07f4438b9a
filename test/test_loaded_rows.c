/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What was loaded says where the next access lies: another row for each value, the same row for the same value. Nobody
 * knows the values; what is counted must not be less than what DRAM delivers if they differ, nor depend on how many
 * lanes of some warp are active.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "model/predict.h"
#include "model/profile/profile_text.h"
#include "model/assume/defaults.h"
#include "model/assume/stated.h"

#define HEAD \
    "gpuperf-profile 1\nproducer \"by hand\"\nsource \"rows.cl\"\ntriple \"spir64-unknown-unknown\"\nlanguage " \
    "opencl\nopt 2\n\n" \
    "kernel rows\n  param starts: buffer 64 in global const skeleton size 8\n  param values: buffer 64 in global " \
    "const skeleton size 8\n" \
    "  param out: buffer 64 in global skeleton size 8\n  param n: int 32 skeleton signed size 4\n  dims 1\n" \
    "  local-size-agnostic yes\n  split-safe yes\n  resources registers 24 from ptxas\n"

/* values[START + lane + 32 i], i below 32, START by warps: `start` defines %start from %row, the warp's number. */
#define ROW_KERNEL(start) START_KERNEL(start, "%lane", "5")

/* values[START + own + (i << shift)] */
/* clang-format off */
#define START_KERNEL(start, own, shift) \
    HEAD "  loop 0: header 1 latch 1 bound scalar-evolution trips 32\n  induction %k loop 0 step 1\n" \
    "  block 0: ipdom 1\n    %gid = id.global_id.0 i64\n    %row = lshr i64 %gid, 5 : int64.shift\n    %lane = and i64 %gid, 31 : int64.logic\n" start \
    "    %from = add i64 %start, " own " : int64.add\n    br block 1\n" \
    "  block 1: ipdom 2 loop 0\n    %k = phi i64 [block 0: 0], [block 1: %knext]\n    %at = shl i64 %k, " shift " : int64.shift uniform\n" \
    "    %i = add i64 %from, %at : int64.add\n    %bytes = shl i64 %i, 2 : int64.shift\n    %p = add i64 $values, %bytes : int64.add\n" \
    "    %v = load i32 %p in global 4x1 base $values\n    %knext = add i64 %k, 1 : int64.add uniform\n" \
    "    %more = icmp.slt i64 %knext, 32 : int64.cmp uniform\n    condbr %more, block 1, block 2 kind induction\n" \
    "  block 2:\n    %there = shl i64 %gid, 2 : int64.shift\n    %po = add i64 $out, %there : int64.add\n    store %po, %v in global 4x1 base $out\n    ret\n"
/* clang-format on */

static const char row_of_its_own[] = ROW_KERNEL(
    "    %four = shl i64 %row, 2 : int64.shift\n    %ps = add i64 $starts, %four : int64.add\n"
    "    %loaded = load i32 %ps in global 4x1 base $starts\n    %start = sext i32 %loaded to i64 : mov cheap\n");
static const char one_row_for_all[] = ROW_KERNEL("    %ps = add i64 $starts, 0 : int64.add uniform\n"
                                                 "    %loaded = load i32 %ps in global 4x1 base $starts uniform\n    "
                                                 "%start = sext i32 %loaded to i64 : mov cheap\n");
static const char no_load[] = ROW_KERNEL("    %start = shl i64 %row, 10 : int64.shift\n");

/* Each work-item from a place of its own: side by side, a step of 64 words; from multiples of 33, so that no channel
 * has more to do. */
#define LOADED_START \
    "    %four = shl i64 %gid, 2 : int64.shift\n    %ps = add i64 $starts, %four : int64.add\n" \
    "    %loaded = load i32 %ps in global 4x1 base $starts\n    %start = sext i32 %loaded to i64 : mov cheap\n"
static const char walk[] = START_KERNEL(LOADED_START, "0", "0"), jumps[] = START_KERNEL(LOADED_START, "0", "6");
static const char known_walk[] = START_KERNEL("    %start = mul i64 %gid, 33 : int64.mul\n", "0", "0");

/* if (gid < n) out[gid] = values[starts[gid]] */
static const char gather[] =
    HEAD "  block 0: ipdom 2\n    %gid = id.global_id.0 i64\n    %n = sext i32 $n to i64 : mov cheap\n    %inside = "
         "icmp.slt i64 %gid, %n : int64.cmp\n"
         "    condbr %inside, block 1, block 2 kind thread\n"
         "  block 1: ipdom 2\n    %four = shl i64 %gid, 2 : int64.shift\n    %ps = add i64 $starts, %four : int64.add\n"
         "    %loaded = load i32 %ps in global 4x1 base $starts\n    %i = sext i32 %loaded to i64 : mov cheap\n    "
         "%bytes = shl i64 %i, 2 : int64.shift\n"
         "    %p = add i64 $values, %bytes : int64.add\n    %v = load i32 %p in global 4x1 base $values\n    %po = add "
         "i64 $out, %four : int64.add\n"
         "    store %po, %v in global 4x1 base $out\n    br block 2\n  block 2:\n    ret\n";

static struct gp_prediction predict(const char *text, const char *name, enum gp_model model, uint64_t global)
{
    static struct gp_launch launch;
    static struct gp_prediction prediction;
    struct gp_error error = {{0}};
    char number[32];
    struct gp_profile *profile = gp_profile_parse(text, strlen(text), &error);
    struct gp_device *device = gp_device_load(name, SOURCE_HWDB, &error);
    if (profile == NULL || device == NULL)
        fail_msg("%s", error.text);
    const struct gp_kernel *kernel = &profile->kernels[0];
    gp_launch_default(kernel, &launch);
    gp_launch_set_global(kernel, &launch, 1, (const uint64_t[3]){global, 1, 1});
    launch.cold = false; /* one of many on the same data */
    launch.local[0] = 256;
    launch.local[1] = launch.local[2] = 1;
    snprintf(number, sizeof number, "%llu", (unsigned long long)global);
    assert_true(gp_launch_set_argument(kernel, &launch, "n", number, &error));
    struct gp_predictor *predictor = gp_predictor_new(profile, kernel);
    if (!gp_predict(predictor, device, &launch, &(struct gp_predict_options){.model = model}, &prediction, &error))
        fail_msg("%s", error.text);
    gp_predictor_free(predictor);
    gp_profile_free(profile);
    gp_device_free(device);
    return prediction;
}

static const enum gp_model models[] = {GP_MODEL_THROUGHPUT, GP_MODEL_TRACE};
static const char *const devices[] = {"a100", "k620", "mi50"};

/* 128 MB in 32768 rows. */
static void rows_that_differ_are_all_fetched(void **state)
{
    (void)state;
    for (int m = 0; m < 2; m++)
        for (int d = 0; d < 3; d++) {
            double loaded = predict(row_of_its_own, devices[d], models[m], 1 << 20).time_ns,
                   direct = predict(no_load, devices[d], models[m], 1 << 20).time_ns;
            assert_true(loaded > 0.9 * direct && loaded < 1.5 * direct);
        }
}

static void the_same_row_is_fetched_once(void **state)
{
    (void)state;
    for (int m = 0; m < 2; m++)
        for (int d = 0; d < 3; d++)
            assert_true(predict(one_row_for_all, devices[d], models[m], 1 << 20).time_ns <
                        0.7 * predict(row_of_its_own, devices[d], models[m], 1 << 20).time_ns);
}

/* 128 MB, by 32 steps of 4 bytes from any place: sectors of 32 bytes are fetched once, not by each step. */
static void steps_from_a_loaded_start_find_what_the_one_before_fetched(void **state)
{
    (void)state;
    for (int m = 0; m < 2; m++)
        for (int d = 0; d < 3; d++) {
            double loaded = predict(walk, devices[d], models[m], 1 << 20).time_ns,
                   known = predict(known_walk, devices[d], models[m], 1 << 20).time_ns;
            assert_true(loaded > 0.8 * known && loaded < 1.5 * known);
            if (strcmp(devices[d], "mi50") != 0) /* whose caches hold no line for each work-item */
                assert_true(predict(jumps, devices[d], models[m], 1 << 20).time_ns > 2 * loaded);
        }
}

/* A last warp of one lane loads one value, which is one place; the other warps' are as unknown as before. */
static void a_lane_alone_does_not_speak_for_all(void **state)
{
    (void)state;
    for (int m = 0; m < 2; m++)
        for (int d = 0; d < 3; d++) {
            struct gp_prediction whole = predict(gather, devices[d], models[m], 1000000);
            for (uint64_t more = 1; more <= 4; more += 3) {
                struct gp_prediction ragged = predict(gather, devices[d], models[m], 1000000 + more);
                assert_true(ragged.time_ns > 0.95 * whole.time_ns);
                assert_true(ragged.known_share < whole.known_share + 0.05);
            }
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_that_differ_are_all_fetched),
                                       cmocka_unit_test(the_same_row_is_fetched_once),
                                       cmocka_unit_test(steps_from_a_loaded_start_find_what_the_one_before_fetched),
                                       cmocka_unit_test(a_lane_alone_does_not_speak_for_all)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
