/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Device files of extreme numbers that the check takes: each field at one of its ends, all of them at the lower, at the
 * upper, and in corners drawn by a fixed seed. Predictions of all models on ten kernels end, with finite times, and (in
 * the sanitized build) without a report. TEST_SEEDS in the environment: so many corners.
 */
#include <math.h>

#include "hwdb/internal.h"
#include "model/predict.h"
#include "test/golden.h"

static uint64_t drawn;
static uint32_t draw(uint32_t below)
{
    drawn = drawn * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(drawn >> 33) % below;
}

/* ---- Devices ----------------------------------------------------------------------------------------------------- */

enum { LEAST, MOST, NONE, USUAL, ENDS };

static void put(struct gp_device *d, size_t index, int end)
{
    const struct gp_limit *limit = &gp_limits[index];
    struct gp_number *number = gp_field_of(d, index);
    if (end == LEAST)
        number->value = limit->least > 0 || limit->none ? limit->least : 1.0 / 64;
    if (end == MOST)
        number->value = limit->most;
    if (end == NONE && limit->none)
        number->value = 0;
}

static struct gp_error settled;

/* What must go together; then what the check demands of it. */
static bool settle(struct gp_device *d)
{
    static const struct gp_places places;
    double width = d->warp_width.value;
    d->warp_width.value = width > 64 ? 64 : width;
    d->smem_per_sm.value = fmax(d->smem_per_sm.value, d->smem_per_block.value);
    d->max_threads_per_sm.value =
        fmax(d->max_threads_per_sm.value, fmax(d->max_threads_per_block.value, d->max_warps_per_sm.value));
    d->max_warps_per_sm.value = fmax(d->max_warps_per_sm.value, d->schedulers_per_sm.value);
    d->max_threads_per_sm.value = fmax(d->max_threads_per_sm.value, d->max_warps_per_sm.value);
    d->max_warps_per_sm.value = d->arch == GP_ARCH_CPU ? d->max_warps_per_sm.value
                                                       : fmax(d->max_warps_per_sm.value,
                                                              ceil(d->max_threads_per_sm.value / d->warp_width.value));
    d->l1_line.value = fmax(d->l1_line.value, d->l1_sector.value);
    d->l2_line.value = fmax(d->l2_line.value, d->l2_sector.value);
    d->registers_per_sm.value = fmax(d->registers_per_sm.value, d->max_registers_per_thread.value);
    d->max_threads_per_sm.value = fmax(d->max_threads_per_sm.value, d->max_warps_per_sm.value);
    return gp_check(d, &places, &settled);
}

/* ---- Predictions ------------------------------------------------------------------------------------------------- */

static const char *const kernels[] = {"vector_add",       "transpose_naive", "transpose_tiled",
                                      "transpose_padded", "matrix_multiply", "divergent_branch",
                                      "data_loop",        "every_field",     "loop_nest"};
enum { KERNELS = sizeof kernels / sizeof *kernels };
static struct gp_profile *profiles[KERNELS];

static void predict(const struct gp_device *d, const struct gp_kernel *kernel, const struct gp_profile *profile,
                    enum gp_model model, const char *what)
{
    struct gp_error error = {""};
    struct gp_predictor *predictor = gp_predictor_new(profile, kernel);
    struct gp_predict_options options = {.bottlenecks = true, .model = model};
    struct gp_launch launch = {.dims = kernel->dims > 0 ? kernel->dims : 1,
                               .global = {256, 1, 1},
                               .local = {32, 1, 1},
                               .assumed_trip_count = 4};
    struct gp_prediction *prediction = malloc(sizeof *prediction);
    for (uint32_t dim = 1; dim < launch.dims; dim++)
        launch.global[dim] = 64;
    if (kernel->stated.required_local[0] > 0)
        memcpy(launch.local, kernel->stated.required_local, sizeof launch.local);
    if (gp_predict(predictor, d, &launch, &options, prediction, &error) && prediction->feasible &&
        !(isfinite(prediction->time_ns) && prediction->time_ns > 0))
        fail_msg("%s on %s, %s: %g ns", kernel->name, d->name, what, prediction->time_ns);
    free(prediction);
    gp_predictor_free(predictor);
}

static void predict_all(const struct gp_device *d, const char *what)
{
    static const enum gp_model models[] = {GP_MODEL_AUTO, GP_MODEL_TRACE, GP_MODEL_MWP_CWP};
    for (int k = 0; k < KERNELS; k++)
        for (uint32_t i = 0; i < profiles[k]->kernel_count; i++)
            predict(d, &profiles[k]->kernels[i], profiles[k], models[draw(3)], what);
}

static const char *const devices[] = {"a100", "h200", "8800gtx", "gtx580", "mi250x", "w7800", "pocl-cpu"};
enum { DEVICES = sizeof devices / sizeof *devices };

static struct gp_device *load(const char *name)
{
    struct gp_error error = {""};
    struct gp_device *d = gp_device_load(name, SOURCE_HWDB, &error);
    if (d == NULL)
        fail_msg("%s", error.text);
    return d;
}

static void all_at_one_end(void **state)
{
    (void)state;
    static const char *const ends[] = {"all at the least", "all at the most", "none where there may be none"};
    for (int k = 0; k < DEVICES; k++)
        for (int end = LEAST; end <= NONE; end++) {
            struct gp_device *d = load(devices[k]);
            for (size_t i = 0; i < GP_NUMBER_COUNT; i++)
                put(d, i, end);
            if (!settle(d))
                fail_msg("%s", settled.text);
            predict_all(d, ends[end]);
            gp_device_free(d);
        }
}

/* Of so many fields each one is at an end where the others are as usual. */
static void each_at_its_ends(void **state)
{
    (void)state;
    for (size_t i = 0; i < GP_NUMBER_COUNT; i++) {
        struct gp_device *d = load(devices[i % DEVICES]);
        char what[80];
        snprintf(what, sizeof what, "%s at an end", gp_number_fields[i].name);
        put(d, i, i % 2 == 0 ? LEAST : MOST);
        if (settle(d))
            predict_all(d, what);
        gp_device_free(d);
    }
}

static void corners(void **state)
{
    (void)state;
    const char *asked = getenv("TEST_SEEDS");
    for (int seed = 1; seed <= (asked != NULL ? atoi(asked) : 20); seed++) {
        char what[40];
        drawn = (uint64_t)seed;
        struct gp_device *d = load(devices[draw(DEVICES)]);
        uint32_t share = 1 + draw(8);
        snprintf(what, sizeof what, "corner %d", seed);
        for (size_t i = 0; i < GP_NUMBER_COUNT; i++)
            put(d, i, draw(8) < share ? (int)draw(ENDS) : USUAL);
        if (settle(d))
            predict_all(d, what);
        gp_device_free(d);
    }
}

int main(void)
{
    for (int k = 0; k < KERNELS; k++)
        profiles[k] = golden_profile(kernels[k]);
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_at_one_end), cmocka_unit_test(each_at_its_ends),
                                       cmocka_unit_test(corners)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    for (int k = 0; k < KERNELS; k++)
        gp_profile_free(profiles[k]);
    return failed;
}
