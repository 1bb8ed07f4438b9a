/*
 * trace FILE.gpuperf DEVICE...: what one prediction costs, for every kernel and candidate size of a profile: the median and the
 * worst of the trace model's, beside throughput's and mwp-cwp's (milliseconds of processor time, after the profile is loaded; each the best of three).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "model/predict.h"
#include "model/profile_binary.h"

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

struct times { double *ms; size_t count, capacity; double worst; char slowest[128]; };

static void add(struct times *t, double ms, const struct gp_kernel *kernel, const uint32_t local[3])
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
        snprintf(t->slowest, sizeof t->slowest, "%.90s %ux%ux%u", kernel->name, local[0], local[1], local[2]);
    }
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void time_kernel(const struct gp_profile *profile, const struct gp_kernel *kernel, const struct gp_device *device, enum gp_model model,
                        struct times *times)
{
    static struct gp_launch launch;
    static struct gp_prediction prediction;
    uint32_t candidates[GP_MAX_CANDIDATES][3];
    gp_launch_default(kernel, &launch);
    uint32_t count = gp_candidates(device, kernel, &launch, true, candidates, GP_MAX_CANDIDATES);
    struct gp_predictor *predictor = gp_predictor_new(profile, kernel);
    struct gp_predict_options options = {.model = model};
    for (uint32_t c = 0; c < count; c += 3) { /* every third: neighbours cost alike */
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

int main(int argc, char **argv)
{
    static const struct { const char *name; enum gp_model model; } models[] = {
        {"throughput", GP_MODEL_THROUGHPUT}, {"mwp-cwp", GP_MODEL_MWP_CWP}, {"trace", GP_MODEL_TRACE}};
    struct gp_error error;
    if (argc < 3) {
        fprintf(stderr, "usage: trace FILE.gpuperf DEVICE...\n");
        return 2;
    }
    struct gp_profile *profile = gp_profile_read_file(argv[1], &error);
    if (profile == NULL) {
        fprintf(stderr, "trace: %s\n", error.text);
        return 1;
    }
    for (int i = 2; i < argc; i++) {
        struct gp_device *device = gp_device_load(argv[i], getenv("GPUPERF_HWDB"), &error);
        if (device == NULL) {
            fprintf(stderr, "trace: %s\n", error.text);
            return 1;
        }
        for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
            struct times times = {0};
            for (uint32_t k = 0; k < profile->kernel_count; k++)
                time_kernel(profile, &profile->kernels[k], device, models[m].model, &times);
            if (times.count == 0)
                continue;
            qsort(times.ms, times.count, sizeof *times.ms, by_value);
            printf("%-12s %-10s %5zu predictions: median %8.3f ms, 90%% %8.3f, worst %8.3f (%s)\n", argv[i], models[m].name, times.count,
                   times.ms[times.count / 2], times.ms[times.count * 9 / 10], times.worst, times.slowest);
            free(times.ms);
        }
        gp_device_free(device);
    }
    gp_profile_free(profile);
    return 0;
}
