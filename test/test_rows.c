/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Rows in a launch along one dimension: what is between them, and that DRAM delivers them once. Arguments that an id
 * has to reach. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "model/assume/rules.h"
#include "model/predict.h"
#include "model/profile/profile_text.h"
#include "model/observe/row_neighbours.h"
#include "model/assume/defaults.h"
#include "model/assume/stated.h"

#define HEAD \
    "gpuperf-profile 1\nproducer \"by hand\"\nsource \"rows.cl\"\ntriple \"spir64-unknown-unknown\"\nlanguage " \
    "opencl\nopt 2\n\n" \
    "kernel rows\n  param in: buffer 64 in global const skeleton size 8\n  param out: buffer 64 in global skeleton " \
    "size 8\n" \
    "  param w: int 64 skeleton signed size 8\n  dims 1\n  local-size-agnostic yes\n  split-safe yes\n  resources " \
    "registers 24 from ptxas\n" \
    "  block 0: ipdom 1\n    %gid = id.global_id.0 i64\n"
#define LOAD(name, index) \
    "    %b" name " = shl i64 " index ", 2 : int64.shift\n    %p" name " = add i64 $in, %b" name \
    " : int64.add\n    %v" name " = load i32 %p" name " in global 4x1 base $in\n"
#define STORE \
    "    %bs = shl i64 %gid, 2 : int64.shift\n    %ps = add i64 $out, %bs : int64.add\n    store %ps, %v0 in global " \
    "4x1 base $out\n"

/* out[g] = in[g] + in[g + w] + in[g + 2 * w] */
static const char beside[] = HEAD LOAD("0", "%gid") "    %i1 = add i64 %gid, $w : int64.add\n" LOAD(
    "1", "%i1") "    %i2 = add i64 %i1, $w : int64.add\n" LOAD("2", "%i2") STORE
    "    br block 1\n  block 1:\n    ret\n";
static const char plain[] = HEAD LOAD("0", "%gid") STORE "    br block 1\n  block 1:\n    ret\n";
/* out[g] = in[(g / w / 2) * w + g % w] */
static const char twice[] =
    HEAD "    %y = udiv i64 %gid, $w : int64.div\n    %x = urem i64 %gid, $w : int64.div\n    %half = lshr i64 %y, 1 : "
         "int64.shift\n"
         "    %row = mul i64 %half, $w : int64.mul\n    %i0 = add i64 %row, %x : int64.add\n" LOAD("0", "%i0") STORE
    "    br block 1\n  block 1:\n    ret\n";

#define GUARD(conditions, if_true, if_false) \
    HEAD conditions "    condbr %in, block " if_true ", block " if_false \
                    " kind thread\n  block 1:\n    ret\n  block 2: ipdom 1\n" LOAD("0", "%gid") STORE \
        "    br block 1\n"

static struct gp_profile *parse(const char *text)
{
    struct gp_error error = {{0}};
    struct gp_profile *profile = gp_profile_parse(text, strlen(text), &error);
    if (profile == NULL)
        fail_msg("%s", error.text);
    return profile;
}

static void start(const struct gp_kernel *kernel, struct gp_launch *launch, uint64_t global, const char *w)
{
    struct gp_error error;
    gp_launch_default(kernel, launch);
    gp_launch_set_global(kernel, launch, 1, (const uint64_t[3]){global, 1, 1});
    launch->cold = false; /* one of many on the same data */
    launch->local[0] = 256;
    assert_true(gp_launch_set_argument(kernel, launch, "w", w, &error));
}

static void check_distances(const char *text, const char *w, uint32_t count, double first, double second)
{
    struct gp_profile *profile = parse(text);
    struct gp_launch launch;
    double found[GP_MOST_ROWS];
    start(&profile->kernels[0], &launch, 1 << 22, w);
    assert_int_equal(gp_row_distances(&profile->kernels[0], &launch, found), count);
    assert_true(count < 1 || fabs(found[0] - first) < 0.01 * first);
    assert_true(count < 2 || fabs(found[1] - second) < 0.01 * second);
    gp_profile_free(profile);
}

static void groups_that_start_a_row_further_on(void **state)
{
    (void)state;
    check_distances(beside, "1024", 2, 4, 8);
    check_distances(beside, "1000", 2, 3.90625, 7.8125);
    check_distances(beside, "64", 0, 0, 0); /* within a group */
    check_distances(twice, "4096", 2, 16, 32);
    check_distances(plain, "1024", 0, 0, 0);
}

static double time_of(const char *text, const char *device_name, enum gp_model model, const char *w)
{
    struct gp_error error = {{0}};
    struct gp_profile *profile = parse(text);
    struct gp_device *device = gp_device_load(device_name, SOURCE_HWDB, &error);
    struct gp_launch launch;
    struct gp_prediction prediction;
    start(&profile->kernels[0], &launch, 1 << 26, w);
    launch.cold = true;
    struct gp_predictor *predictor = gp_predictor_new(profile, &profile->kernels[0]);
    if (device == NULL ||
        !gp_predict(predictor, device, &launch, &(struct gp_predict_options){.model = model}, &prediction, &error))
        fail_msg("%s", error.text);
    gp_predictor_free(predictor);
    gp_device_free(device);
    gp_profile_free(profile);
    return prediction.time_ns;
}

/* 256 MB in and out; the two rows more are the caches'. Of rows that all are two of, half comes. */
static void a_row_comes_once(void **state)
{
    static const char *const devices[] = {"a100", "w7800", "mi50"}, *const widths[] = {"64", "1000", "1024", "4096"};
    (void)state;
    for (int d = 0; d < 3; d++)
        for (int m = 0; m < 2; m++)
            for (int w = 0; w < 4; w++) {
                enum gp_model model = m ? GP_MODEL_TRACE : GP_MODEL_THROUGHPUT;
                double copy = time_of(plain, devices[d], model, widths[w]);
                assert_true(time_of(beside, devices[d], model, widths[w]) < 1.1 * copy);
                if (strcmp(devices[d], "mi50") != 0) /* which is busy with the divisions */
                    assert_true(time_of(twice, devices[d], model, widths[w]) < 0.9 * copy);
            }
}

static void check_lower(const char *text, bool is_lower)
{
    struct gp_profile *profile = parse(text);
    struct gp_launch launch;
    struct gp_lower_bounds bounds;
    gp_lower_bounds(&profile->kernels[0], &bounds);
    assert_int_equal(bounds.lower[2], is_lower);
    assert_false(bounds.border[2]);
    gp_launch_default(&profile->kernels[0], &launch);
    assert_true(is_lower ? launch.arguments[2].value == 0 : launch.arguments[2].value > 0);
    gp_profile_free(profile);
}

static void what_ids_have_to_reach_is_nothing(void **state)
{
    (void)state;
    check_lower(GUARD("    %in = icmp.sge i64 %gid, $w : int64.cmp\n", "2", "1"), true);
    check_lower(GUARD("    %in = icmp.slt i64 %gid, $w : int64.cmp\n", "1", "2"), true);
    check_lower(GUARD("    %in = icmp.slt i64 %gid, $w : int64.cmp\n", "2", "1"), false);
    check_lower(GUARD("    %in = icmp.sge i64 %gid, $w : int64.cmp\n", "1", "2"), false);
    check_lower(GUARD("    %a = icmp.sle i64 $w, %gid : int64.cmp\n    %b = icmp.slt i64 %gid, 4096 : int64.cmp\n    "
                      "%in = select i1 %a, %b, 0 : select\n",
                      "2", "1"),
                true);
    check_lower(GUARD("    %a = icmp.sgt i64 $w, %gid : int64.cmp\n    %b = icmp.sge i64 %gid, 4096 : int64.cmp\n    "
                      "%in = or i1 %a, %b : int32.logic\n",
                      "1", "2"),
                true);
    check_lower(GUARD("    %a = icmp.sgt i64 $w, %gid : int64.cmp\n    %b = icmp.sge i64 %gid, 4096 : int64.cmp\n    "
                      "%in = or i1 %a, %b : int32.logic\n",
                      "2", "1"),
                false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(groups_that_start_a_row_further_on),
                                       cmocka_unit_test(a_row_comes_once),
                                       cmocka_unit_test(what_ids_have_to_reach_is_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
