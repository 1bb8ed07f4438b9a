/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A better device is never predicted to be slower: golden profiles on the database's GPUs, one number at a time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <stdio.h>

#include "model/predict.h"
#include "model/assume/defaults.h"
#include "test/golden.h"

static const char *const profiles[] = {"vector_add", "transpose_naive", "transpose_padded", "matrix_multiply",
                                       "data_loop"};
static const char *const devices[] = {"a100", "h100", "rtx2080ti", "gtx680", "mi50", "w6600"};
enum { PROFILES = sizeof profiles / sizeof *profiles, DEVICES = sizeof devices / sizeof *devices };

/* Time in ns; 0: this launch does not run there. */
static double time_of(const struct gp_profile *profile, const struct gp_device *device, const struct gp_launch *launch,
                      double clock_mhz)
{
    struct gp_error error;
    struct gp_prediction prediction;
    struct gp_predictor *predictor = gp_predictor_new(profile, &profile->kernels[0]);
    struct gp_predict_options options = {.clock_mhz = clock_mhz};
    bool done = gp_predict(predictor, device, launch, &options, &prediction, &error);
    gp_predictor_free(predictor);
    return done && prediction.feasible ? prediction.time_ns : 0;
}

typedef void check(const char *name, const struct gp_profile *profile, struct gp_device *device,
                   const struct gp_launch *launch);

static void for_all(check *check)
{
    static const uint32_t shapes[][2] = {{32, 8}, {8, 8}};
    for (size_t d = 0; d < DEVICES; d++) {
        struct gp_error error;
        struct gp_device *device = gp_device_load(devices[d], SOURCE_HWDB, &error);
        assert_non_null(device);
        for (size_t p = 0; p < PROFILES; p++) {
            struct gp_profile *profile = golden_profile(profiles[p]);
            struct gp_launch launch;
            gp_launch_default(&profile->kernels[0], &launch);
            for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
                launch.local[0] = launch.dims > 1 ? shapes[s][0] : shapes[s][0] * shapes[s][1];
                launch.local[1] = launch.dims > 1 ? shapes[s][1] : 1;
                check(profiles[p], profile, device, &launch);
            }
            gp_profile_free(profile);
        }
        gp_device_free(device);
    }
}

static void never_slower(const char *name, const struct gp_profile *profile, struct gp_device *device,
                         const struct gp_launch *launch, const char *field, double factor, double tolerance)
{
    struct gp_number *number = (struct gp_number *)gp_device_number(device, field, NULL);
    double before = time_of(profile, device, launch, 0), value = number->value;
    number->value = value * factor;
    double after = time_of(profile, device, launch, 0);
    number->value = value;
    if (after > before * (1 + tolerance))
        fail_msg("%s %ux%u on %s: %s x %.2f takes %.1f ns instead of %.1f", name, launch->local[0], launch->local[1],
                 device->name, field, factor, after, before);
}

static void rates(const char *name, const struct gp_profile *profile, struct gp_device *device,
                  const struct gp_launch *launch)
{
    static const char *const fields[] = {"dram_gbps",          "l2_bytes_per_clk", "l2_write_bytes_per_clk",
                                         "smem_bytes_per_clk", "l1_bytes_per_clk", "fp32_lanes",
                                         "int_lanes",          "lsu_lanes"};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        never_slower(name, profile, device, launch, fields[i], 2, 1e-9);
}

static void sizes(const char *name, const struct gp_profile *profile, struct gp_device *device,
                  const struct gp_launch *launch)
{
    never_slower(name, profile, device, launch, "l2_size", 1.5, 1e-9);
    never_slower(name, profile, device, launch, "l1_size", 1.5, 1e-9);
    /* Which loads wait for registers depends on what comes back first: a list scheduler has such anomalies, of a
     * percent at most. */
    never_slower(name, profile, device, launch, "dram_latency", 0.7, 0.01);
    never_slower(name, profile, device, launch, "smem_latency", 0.7, 0.01);
}

/*
 * More SMs share the bandwidth of L2, more resident warps L1: that may cost a little, 2% for the transposition without
 * tiles. Where each work-item goes through a row of its own, twice the warps touch more lines than L1 holds, and lose
 * each before its next word is asked for; and more SMs more than L2 holds.
 */
static void counts(const char *name, const struct gp_profile *profile, struct gp_device *device,
                   const struct gp_launch *launch)
{
    const double little = 0.02;
    if (strcmp(name, "data_loop") == 0)
        return;
    never_slower(name, profile, device, launch, "sm_count", 1.5, little);
    never_slower(name, profile, device, launch, "max_warps_per_sm", 2, little);
}

static void clocks(const char *name, const struct gp_profile *profile, struct gp_device *device,
                   const struct gp_launch *launch)
{
    double before = time_of(profile, device, launch, device->clock_mhz.value),
           after = time_of(profile, device, launch, 1.4 * device->clock_mhz.value);
    if (after > before * (1 + 1e-9))
        fail_msg("%s %ux%u on %s: a higher clock takes %.1f ns instead of %.1f", name, launch->local[0],
                 launch->local[1], device->name, after, before);
}

static void faster_parts(void **state)
{
    (void)state;
    for_all(rates);
}
static void larger_caches_and_shorter_latencies(void **state)
{
    (void)state;
    for_all(sizes);
}
static void more_sms_and_warps(void **state)
{
    (void)state;
    for_all(counts);
}
static void higher_clocks(void **state)
{
    (void)state;
    for_all(clocks);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(faster_parts),
                                       cmocka_unit_test(larger_caches_and_shorter_latencies),
                                       cmocka_unit_test(more_sms_and_warps), cmocka_unit_test(higher_clocks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
