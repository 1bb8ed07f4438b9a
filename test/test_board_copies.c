/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Every board of boards.tsv copies 128 MiB, a float4 per work-item, in its bytes over the bandwidth that copies achieve
 * there, within 15%. 16 bytes each: with 4, what an SM's work-items have under way is less than an H100 needs.
 */
#include <math.h>
#include <string.h>

#include "hwdb/boards.h"
#include "model/assume/defaults.h"
#include "model/predict.h"
#include "test/golden.h"

enum { MIB = 1 << 20, COPIED = 128 * MIB };

static const char copy[] = "gpuperf-profile 1\n"
                           "triple \"spir64-unknown-unknown\"\n"
                           "language opencl\n"
                           "opt 2\n"
                           "kernel copy\n"
                           "  param in: buffer 64 in global const skeleton size 8\n"
                           "  param out: buffer 64 in global skeleton size 8\n"
                           "  dims 1\n"
                           "  resources registers 10 from estimate\n"
                           "  block 0:\n"
                           "    %gid = id.global_id.0 i64\n"
                           "    %bytes = shl i64 %gid, 4 : int64.shift cheap\n"
                           "    %from = add i64 $in, %bytes : int64.add\n"
                           "    %value = load i32 %from in global 4x4 align 16 base $in\n"
                           "    %to = add i64 $out, %bytes : int64.add\n"
                           "    store %to, %value in global 4x4 align 16 base $out\n"
                           "    ret\n";

static struct gp_prediction predict_copy(const struct gp_profile *profile, const struct gp_device *device)
{
    struct gp_error error = {""};
    struct gp_launch launch;
    struct gp_predict_options options = {0};
    struct gp_prediction *p = calloc(1, sizeof *p);
    struct gp_predictor *predictor = gp_predictor_new(profile, &profile->kernels[0]);
    gp_launch_default(&profile->kernels[0], &launch);
    gp_launch_set_global(&profile->kernels[0], &launch, 1, (const uint64_t[3]){COPIED / 16, 1, 1});
    launch.local[0] = 256;
    bool ok = p != NULL && gp_predict(predictor, device, &launch, &options, p, &error);
    struct gp_prediction made = {0};
    if (ok)
        made = *p;
    gp_predictor_free(predictor);
    free(p);
    if (!ok)
        fail_msg("%s: %s", device->name, error.text);
    return made;
}

/* Its memory is the fastest: start and latency are a fifth of so short a copy, as they are a tenth of an H200's. */
static bool is_short_for(const struct gp_board *board) { return strcmp(board->entry, "b200") == 0; }

static void test_copies(void **state)
{
    (void)state;
    struct gp_error error = {""};
    struct gp_boards boards;
    struct gp_profile *profile = parse_text(copy);
    size_t wrong = 0;
    assert_true(gp_boards_load(&boards, &error));
    assert_true(boards.count > 30);
    for (size_t i = 0; i < boards.count; i++) {
        struct gp_device *d = gp_device_load(boards.rows[i].name, SOURCE_HWDB, &error);
        if (d == NULL)
            fail_msg("%s", error.text);
        double ideal = 2.0 * COPIED / (d->dram_gbps.value * d->dram_efficiency.value),
               ns = predict_copy(profile, d).time_ns;
        if (fabs(ns / ideal - 1) > (is_short_for(&boards.rows[i]) ? 0.25 : 0.15)) {
            print_message("%-40s %-10s %8.0f us, %8.0f us of bytes: %.2fx\n", boards.rows[i].name, boards.rows[i].entry,
                          ns / 1e3, ideal / 1e3, ns / ideal);
            wrong++;
        }
        gp_device_free(d);
    }
    assert_int_equal(wrong, 0);
    gp_profile_free(profile);
    gp_boards_free(&boards);
}

/* What a compile target takes is anywhere between what its boards take: its range holds all of them. */
static void test_targets(void **state)
{
    (void)state;
    struct gp_error error = {""};
    struct gp_boards boards;
    struct gp_profile *profile = parse_text(copy);
    struct gp_prediction of_target = {0};
    const char *target = "";
    size_t targets = 0;
    assert_true(gp_boards_load(&boards, &error));
    for (size_t i = 0; i < boards.count; i++) {
        const struct gp_board *board = &boards.rows[i];
        if (!gp_is_target(board->target))
            continue;
        if (strcmp(board->target, target) != 0) {
            struct gp_device *any = gp_device_load(target = board->target, SOURCE_HWDB, &error);
            of_target = predict_copy(profile, any);
            gp_device_free(any);
            targets++;
        }
        struct gp_device *d = gp_device_load(board->name, SOURCE_HWDB, &error);
        double ns = predict_copy(profile, d).time_ns;
        if (ns < of_target.time_ns_low || ns > of_target.time_ns_high)
            fail_msg("%s: %.0f us, not within %s's %.0f to %.0f", board->name, ns / 1e3, target,
                     of_target.time_ns_low / 1e3, of_target.time_ns_high / 1e3);
        gp_device_free(d);
    }
    assert_true(targets > 20);
    gp_profile_free(profile);
    gp_boards_free(&boards);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_copies), cmocka_unit_test(test_targets)};
    return cmocka_run_group_tests_name("board_copies", tests, NULL, NULL);
}
