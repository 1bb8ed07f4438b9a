/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Predictions of any valid profile: golden ones with small changes, on any device, with any model and launch. They must
 * end, and what they say must be numbers in their ranges. The profile is written and read again, so that its checksum
 * is right.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/predict.h"
#include "model/profile/profile_binary.h"
#include "model/profile/profile_text.h"
#include "model/assume/defaults.h"
#include "test/fuzz/edits.h"

static const char *const names[] = {"a100", "h100", "gtx280", "fx5600", "mi250x", "w6600", "hd6970", "pocl-cpu"};
enum { DEVICE_COUNT = sizeof names / sizeof *names };

static const struct gp_device *device_of(uint32_t number)
{
    static struct gp_device *devices[DEVICE_COUNT];
    struct gp_error error = {""};
    if (devices[number] == NULL)
        devices[number] = gp_device_load(names[number], TEST_DATA "/../hwdb", &error);
    want(devices[number] != NULL, error.text);
    return devices[number];
}

static bool is_share(double x) { return x >= 0 && x <= 1; }

static void look_at(const struct gp_profile *profile, const struct gp_prediction *prediction)
{
    if (!prediction->feasible) {
        want(prediction->why[0] != '\0', "infeasible, and nobody says why");
        return;
    }
    want(isfinite(prediction->cycles) && prediction->cycles >= 0 && isfinite(prediction->time_ns) &&
             prediction->time_ns >= 0,
         "a time that is none");
    want(is_share(prediction->confidence) && is_share(prediction->known_share) && is_share(prediction->occupancy),
         "a share beyond 0 to 1");
    want(!prediction->feasible ||
             (prediction->time_ns_low <= prediction->time_ns && prediction->time_ns <= prediction->time_ns_high),
         "a range beside its time");
    want(prediction->limiter < GP_LIMITER_COUNT && prediction->bottleneck_count <= GP_MAX_BOTTLENECKS,
         "no limiter, or too many causes");
    for (uint32_t i = 0; i < prediction->bottleneck_count; i++) {
        const struct gp_bottleneck *found = &prediction->bottlenecks[i];
        char text[256];
        want(found->cause < GP_CAUSE_COUNT && isfinite(found->speedup) && isfinite(found->speedup_beside),
             "a cause that is none");
        gp_bottleneck_also(profile, found, text, sizeof text);
        gp_print_place(profile, &profile->kernels[0], found->location, text, sizeof text);
    }
}

static void set_launch(const struct gp_kernel *kernel, const struct gp_device *device, struct edits *edits,
                       struct gp_launch *launch)
{
    static const uint64_t sizes[] = {1, 7, 32, 33, 64, 256, 1000, 4096, 65536};
    uint32_t candidates[GP_MAX_CANDIDATES][3];
    gp_launch_default(kernel, launch);
    if (take(edits, 3) == 0) {
        launch->dims = 1 + take(edits, 3);
        for (uint32_t d = 0; d < 3; d++)
            launch->global[d] = d < launch->dims ? sizes[take(edits, sizeof sizes / sizeof *sizes)] : 1;
    }
    uint32_t count = gp_candidates(device, kernel, launch, take(edits, 2), candidates, GP_MAX_CANDIDATES),
             which = take(edits, GP_MAX_CANDIDATES);
    for (int d = 0; d < 3 && count > 0; d++)
        launch->local[d] = candidates[which % count][d];
    for (uint32_t i = 0; i < kernel->param_count && take(edits, 2); i++) {
        launch->arguments[i].known = kernel->params[i].kind == GP_PARAM_INT;
        launch->arguments[i].value = take(edits, 5000);
    }
    launch->assumed_trip_count = take(edits, 40);
}

static void predict(const struct gp_profile *profile, struct edits *edits)
{
    const struct gp_kernel *kernel = &profile->kernels[0];
    const struct gp_device *device = device_of(take(edits, DEVICE_COUNT));
    struct gp_launch *launch = calloc(1, sizeof *launch);
    struct gp_prediction *prediction = calloc(1, sizeof *prediction);
    struct gp_predictor *predictor = gp_predictor_new(profile, kernel);
    static const enum gp_model models[] = {GP_MODEL_AUTO, GP_MODEL_AUTO, GP_MODEL_THROUGHPUT, GP_MODEL_MWP_CWP,
                                           GP_MODEL_TRACE};
    struct gp_predict_options options = {
        .model = models[take(edits, 5)], .bottlenecks = take(edits, 2), .quick = true, .affordable = 300000};
    struct gp_error error = {""};
    want(launch && prediction && predictor, "out of memory");
    set_launch(kernel, device, edits, launch);
    if (gp_predict(predictor, device, launch, &options, prediction, &error))
        look_at(profile, prediction);
    else
        want(error.text[0] != '\0', "refused, and nobody says why");
    gp_predictor_free(predictor);
    free(prediction);
    free(launch);
}

/* What a reader makes of what a writer made of it. */
static struct gp_profile *read_again(struct gp_profile *profile)
{
    uint32_t *words;
    size_t count;
    struct gp_error error = {""};
    want(gp_profile_encode(profile, &words, &count, &error), error.text);
    gp_profile_free(profile);
    struct gp_profile *again = gp_profile_decode(words, count * 4, &error);
    want(again != NULL, error.text);
    free(words);
    return again;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct edits edits = {bytes, size};
    struct gp_error error = {""};
    bool is_text = size > 8 && memcmp(bytes, "gpuperf-", 8) == 0;
    struct gp_profile *profile =
        is_text ? gp_profile_parse((const char *)bytes, size, &error) : golden_profile(take(&edits, golden_count()));
    for (uint32_t left = is_text ? 0 : take(&edits, 12); left > 0; left--)
        edit(&profile->kernels[0], &edits);
    bool small = profile && profile->kernel_count > 0 && profile->kernels[0].inst_count <= 5000 &&
                 profile->kernels[0].loop_count <= 50;
    if (small && gp_profile_check(profile, &error)) {
        profile = read_again(profile);
        predict(profile, &edits);
    }
    gp_profile_free(profile);
    return 0;
}
