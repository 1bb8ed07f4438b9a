/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * predictions FILE.gpuperf DEVICE...: predictions per second, after the profile is loaded, for all kernels and
 * candidates: as at launch time (quick) and as `gpuperf predict` makes them, and the ratio of the two; and how far the
 * quick ones' times are from the others'. What single predictions cost: bench/trace.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "model/predict.h"
#include "model/profile/profile_binary.h"
#include "model/assume/defaults.h"
#include "support/order.h"

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Fills cycles with what was predicted, 0 where a size cannot run; NULL: nobody asks. */
static size_t predict_all(const struct gp_profile *profile, const struct gp_device *device, bool quick, double *cycles)
{
    size_t made = 0;
    for (uint32_t k = 0; k < profile->kernel_count; k++) {
        const struct gp_kernel *kernel = &profile->kernels[k];
        struct gp_predictor *predictor = gp_predictor_new(profile, kernel);
        static struct gp_launch launch;
        uint32_t candidates[GP_MAX_CANDIDATES][3];
        gp_launch_default(kernel, &launch);
        uint32_t count = gp_candidates(device, kernel, &launch, true, candidates, GP_MAX_CANDIDATES);
        struct gp_predict_options options = {.quick = quick};
        for (uint32_t c = 0; c < count; c++) {
            static struct gp_prediction prediction;
            for (int d = 0; d < 3; d++)
                launch.local[d] = candidates[c][d];
            bool told = gp_predict(predictor, device, &launch, &options, &prediction, NULL);
            if (cycles != NULL)
                *cycles++ = told && prediction.feasible ? prediction.cycles : 0;
            made += told;
        }
        gp_predictor_free(predictor);
    }
    return made;
}

static void print_difference(const struct gp_profile *profile, const struct gp_device *device)
{
    size_t most = (size_t)profile->kernel_count * GP_MAX_CANDIDATES, count = 0;
    double *cycles[2] = {calloc(most, sizeof *cycles[0]), calloc(most, sizeof *cycles[1])};
    if (cycles[0] == NULL || cycles[1] == NULL)
        exit(1);
    for (int quick = 0; quick <= 1; quick++)
        predict_all(profile, device, quick, cycles[quick]);
    for (size_t i = 0; i < most; i++)
        if (cycles[0][i] > 0 && cycles[1][i] > 0)
            cycles[0][count++] = fabs(cycles[1][i] / cycles[0][i] - 1);
    qsort(cycles[0], count, sizeof *cycles[0], gp_by_value);
    if (count > 0)
        printf("%-12s quick times differ by %.1f%% (median), %.1f%% (90%%), %.0f%% (99%%)\n", "",
               100 * cycles[0][count / 2], 100 * cycles[0][count * 9 / 10], 100 * cycles[0][count * 99 / 100]);
    free(cycles[0]);
    free(cycles[1]);
}

int main(int argc, char **argv)
{
    struct gp_error error;
    if (argc < 3) {
        fprintf(stderr, "usage: predictions FILE.gpuperf DEVICE...\n");
        return 2;
    }
    struct gp_profile *profile = gp_profile_read_file(argv[1], &error);
    if (profile == NULL) {
        fprintf(stderr, "predictions: %s\n", error.text);
        return 1;
    }
    for (int i = 2; i < argc; i++) {
        struct gp_device *device = gp_device_load(argv[i], getenv("GPUPERF_HWDB"), &error);
        if (device == NULL) {
            fprintf(stderr, "predictions: %s\n", error.text);
            return 1;
        }
        double rate[2];
        for (int quick = 0; quick <= 1; quick++) {
            double start = now();
            size_t made = 0;
            do
                made += predict_all(profile, device, quick, NULL);
            while (now() - start < 0.5);
            rate[quick] = (double)made / (now() - start);
        }
        printf("%-12s %9.0f predictions/s, quick %9.0f (%.1f times as many)\n", argv[i], rate[0], rate[1],
               rate[1] / rate[0]);
        print_difference(profile, device);
        gp_device_free(device);
    }
    gp_profile_free(profile);
    return 0;
}
