/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * trace [-d DEVICE[,DEVICE]] FILE.gpuperf...: what one prediction costs, over every kernel and every third candidate
 * size (neighbours cost alike) of the profiles: median and worst of the trace model's, beside throughput's and
 * mwp-cwp's, in milliseconds of processor time after the profile is loaded, each the best of three; and of the latter
 * two what they cost once the executor is done. bench/trace.sh makes the profiles.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "model/predict.h"
#include "model/profile/profile_binary.h"
#include "model/timing/mwp_cwp.h"
#include "model/timing/throughput.h"
#include "model/assume/defaults.h"
#include "support/order.h"

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

/* What is timed. */
enum timed { THROUGHPUT, MWP_CWP, TRACE, THROUGHPUT_ALONE, MWP_CWP_ALONE, TIMED_COUNT };
static const char *const names[TIMED_COUNT] = {"throughput", "mwp-cwp", "trace", "throughput, executed",
                                               "mwp-cwp, executed"};
static const enum gp_model models[] = {GP_MODEL_THROUGHPUT, GP_MODEL_MWP_CWP, GP_MODEL_TRACE};

struct times {
    double *ms;
    size_t count, capacity;
    double worst;
    char slowest[128];
};

/* local: NULL where the time is not of one size */
static void add(struct times *t, double ms, const struct gp_kernel *kernel, const uint32_t *local)
{
    if (t->count == t->capacity) {
        t->capacity = t->capacity ? 2 * t->capacity : 256;
        double *more = realloc(t->ms, t->capacity * sizeof *more);
        if (more == NULL)
            exit(1);
        t->ms = more;
    }
    t->ms[t->count++] = ms;
    if (ms > t->worst) {
        t->worst = ms;
        if (local != NULL)
            snprintf(t->slowest, sizeof t->slowest, "%.90s %ux%ux%u", kernel->name, local[0], local[1], local[2]);
        else
            snprintf(t->slowest, sizeof t->slowest, "%.90s", kernel->name);
    }
}

static void time_predictions(const struct gp_profile *profile, const struct gp_kernel *kernel,
                             const struct gp_device *device, enum gp_model model, struct times *times)
{
    static struct gp_launch launch;
    static struct gp_prediction prediction;
    uint32_t candidates[GP_MAX_CANDIDATES][3];
    gp_launch_default(kernel, &launch);
    uint32_t count = gp_candidates(device, kernel, &launch, true, candidates, GP_MAX_CANDIDATES);
    struct gp_predictor *predictor = gp_predictor_new(profile, kernel);
    struct gp_predict_options options = {.model = model};
    for (uint32_t c = 0; c < count; c += 3) {
        memcpy(launch.local, candidates[c], sizeof launch.local);
        double best = 0;
        for (int i = 0; i < 3; i++) {
            double begin = now_ms();
            if (!gp_predict(predictor, device, &launch, &options, &prediction, NULL) || !prediction.feasible)
                break;
            double ms = now_ms() - begin;
            best = i == 0 || ms < best ? ms : best;
        }
        if (best > 0)
            add(times, best, kernel, launch.local);
    }
    gp_predictor_free(predictor);
}

/* The model alone, on work that is collected: too short to be timed once. */
static void time_alone(const struct gp_kernel *kernel, const struct gp_device *device, struct times *throughput,
                       struct times *mwp_cwp)
{
    enum { REPEATS = 200 };
    static struct gp_launch launch;
    struct gp_collector *collector = gp_collector_new(kernel);
    struct gp_work work;
    struct gp_timing timing;
    gp_launch_default(kernel, &launch);
    if (collector != NULL &&
        gp_collect(collector, device, &launch, 16, device->l1_size.value, 32, GP_SAMPLE_QUICK, &work, NULL)) {
        struct gp_conditions conditions = {
            .device = device, .clock_mhz = device->clock_mhz.value, .resident_groups = 2};
        gp_launch_groups(&launch, conditions.grid);
        double begin = now_ms();
        for (int i = 0; i < REPEATS; i++)
            gp_throughput(&work, &conditions, &timing);
        double between = now_ms();
        for (int i = 0; i < REPEATS; i++)
            gp_mwp_cwp_time(kernel, &work, &conditions, &timing);
        add(throughput, (between - begin) / REPEATS, kernel, NULL);
        add(mwp_cwp, (now_ms() - between) / REPEATS, kernel, NULL);
    }
    gp_collector_free(collector);
}

static void time_profile(const char *path, const struct gp_device *device, struct times times[TIMED_COUNT])
{
    struct gp_error error;
    struct gp_profile *profile = gp_profile_read_file(path, &error);
    if (profile == NULL) {
        fprintf(stderr, "trace: %s\n", error.text);
        exit(1);
    }
    for (uint32_t k = 0; k < profile->kernel_count; k++) {
        for (size_t m = 0; m < sizeof models / sizeof *models; m++)
            time_predictions(profile, &profile->kernels[k], device, models[m], &times[m]);
        time_alone(&profile->kernels[k], device, &times[THROUGHPUT_ALONE], &times[MWP_CWP_ALONE]);
    }
    gp_profile_free(profile);
}

static void print_times(const char *device, struct times times[TIMED_COUNT])
{
    for (int i = 0; i < TIMED_COUNT; i++) {
        struct times *t = &times[i];
        if (t->count == 0)
            continue;
        qsort(t->ms, t->count, sizeof *t->ms, gp_by_value);
        printf("%-12s %-20s %5zu: median %8.4f ms, 90%% %8.4f, 99%% %8.4f, worst %8.4f (%s)\n", device, names[i],
               t->count, t->ms[t->count / 2], t->ms[t->count * 9 / 10], t->ms[t->count * 99 / 100], t->worst,
               t->slowest);
        free(t->ms);
    }
    fflush(stdout);
}

int main(int argc, char **argv)
{
    char *devices = NULL;
    for (int option; (option = getopt(argc, argv, "d:")) != -1;) {
        if (option != 'd')
            return 2;
        devices = optarg;
    }
    if (optind == argc) {
        fprintf(stderr, "usage: trace [-d DEVICE[,DEVICE]] FILE.gpuperf...\n");
        return 2;
    }
    char fallback[] = "a100";
    for (char *name = strtok(devices != NULL ? devices : fallback, ","); name != NULL; name = strtok(NULL, ",")) {
        struct gp_error error;
        struct gp_device *device = gp_device_load(name, getenv("GPUPERF_HWDB"), &error);
        if (device == NULL) {
            fprintf(stderr, "trace: %s\n", error.text);
            return 1;
        }
        struct times times[TIMED_COUNT] = {{0}};
        for (int i = optind; i < argc; i++)
            time_profile(argv[i], device, times);
        print_times(name, times);
        gp_device_free(device);
    }
    return 0;
}
