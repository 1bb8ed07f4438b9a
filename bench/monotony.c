/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * monotony [-d DEVICE[,DEVICE]] [-m MODEL] [-e EVERY] FILE.gpuperf...: what holds of any machine, on real kernels: a
 * clock a quarter higher, or DRAM's or L2's bandwidth higher by 30%, makes nothing slower. Over every kernel of the
 * profiles and every EVERY-th candidate size (17): in how many cases the model's time is more than 2% longer, by how
 * much in the mean of these, and the worst. bench/trace.sh makes the profiles.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/predict.h"
#include "model/profile/profile_binary.h"
#include "model/assume/defaults.h"

enum change { AS_IT_IS, CLOCK, DRAM, L2, CHANGE_COUNT };
static const char *const names[CHANGE_COUNT] = {"", "clock", "DRAM", "L2"};
static const double tolerance = 0.02;

struct found {
    unsigned cases, broken;
    double sum, worst;
    char where[128];
};

static bool time_of(struct gp_predictor *predictor, struct gp_device *device, const struct gp_launch *launch,
                    enum gp_model model, enum change change, double *time_ns)
{
    static struct gp_prediction prediction;
    struct gp_predict_options options = {.model = model,
                                         .clock_mhz = device->clock_mhz.value * (change == CLOCK ? 1.25 : 1)};
    double dram = device->dram_gbps.value, l2 = device->l2_bytes_per_clk.value,
           l2_write = device->l2_write_bytes_per_clk.value;
    device->dram_gbps.value *= change == DRAM ? 1.3 : 1;
    device->l2_bytes_per_clk.value *= change == L2 ? 1.3 : 1;
    device->l2_write_bytes_per_clk.value *= change == L2 ? 1.3 : 1;
    bool done = gp_predict(predictor, device, launch, &options, &prediction, NULL) && prediction.feasible;
    device->dram_gbps.value = dram;
    device->l2_bytes_per_clk.value = l2;
    device->l2_write_bytes_per_clk.value = l2_write;
    *time_ns = prediction.time_ns;
    return done;
}

static void compare(const struct gp_kernel *kernel, const struct gp_launch *launch, const double times[CHANGE_COUNT],
                    struct found found[CHANGE_COUNT])
{
    for (int c = CLOCK; c < CHANGE_COUNT; c++) {
        double slower = times[c] / times[AS_IT_IS] - 1;
        found[c].cases++;
        found[c].broken += slower > tolerance;
        found[c].sum += slower > tolerance ? slower : 0;
        if (slower <= found[c].worst)
            continue;
        found[c].worst = slower;
        snprintf(found[c].where, sizeof found[c].where, "%.90s %ux%ux%u", kernel->name, launch->local[0],
                 launch->local[1], launch->local[2]);
    }
}

static void look_at_kernel(const struct gp_profile *profile, const struct gp_kernel *kernel, struct gp_device *device,
                           enum gp_model model, uint32_t every, uint32_t *next, struct found found[CHANGE_COUNT])
{
    static struct gp_launch launch;
    uint32_t candidates[GP_MAX_CANDIDATES][3];
    double times[CHANGE_COUNT];
    gp_launch_default(kernel, &launch);
    uint32_t count = gp_candidates(device, kernel, &launch, true, candidates, GP_MAX_CANDIDATES);
    struct gp_predictor *predictor = gp_predictor_new(profile, kernel);
    for (uint32_t i = 0; i < count; i++, (*next)++) {
        bool done = *next % every == 0;
        memcpy(launch.local, candidates[i], sizeof launch.local);
        for (int c = 0; done && c < CHANGE_COUNT; c++)
            done = time_of(predictor, device, &launch, model, (enum change)c, &times[c]);
        if (done)
            compare(kernel, &launch, times, found);
    }
    gp_predictor_free(predictor);
}

static void print_found(const char *device, const struct found found[CHANGE_COUNT])
{
    for (int c = CLOCK; c < CHANGE_COUNT; c++) {
        const struct found *f = &found[c];
        printf("%-10s more %-5s: slower in %4u of %5u cases (%.1f%%), by %4.1f%% in their mean, %4.1f%% at most (%s)\n",
               device, names[c], f->broken, f->cases, f->cases > 0 ? 100.0 * f->broken / f->cases : 0,
               f->broken > 0 ? 100 * f->sum / f->broken : 0, 100 * f->worst, f->where);
    }
    fflush(stdout);
}

static bool look_at_device(const char *name, enum gp_model model, uint32_t every, char **files)
{
    struct gp_error error;
    struct found found[CHANGE_COUNT] = {{0}};
    uint32_t next = 0;
    struct gp_device *device = gp_device_load(name, getenv("GPUPERF_HWDB"), &error);
    for (; device != NULL && *files != NULL; files++) {
        struct gp_profile *profile = gp_profile_read_file(*files, &error);
        if (profile == NULL)
            break;
        for (uint32_t k = 0; k < profile->kernel_count; k++)
            look_at_kernel(profile, &profile->kernels[k], device, model, every, &next, found);
        gp_profile_free(profile);
    }
    bool done = device != NULL && *files == NULL;
    if (done)
        print_found(name, found);
    else
        fprintf(stderr, "monotony: %s\n", error.text);
    gp_device_free(device);
    return done;
}

int main(int argc, char **argv)
{
    char fallback[] = "a100", *devices = fallback;
    enum gp_model model = GP_MODEL_TRACE;
    unsigned long every = 17;
    struct gp_error error;
    for (int option; (option = getopt(argc, argv, "d:m:e:")) != -1;) {
        if (option == 'd')
            devices = optarg;
        else if (option == 'e')
            every = strtoul(optarg, NULL, 10);
        else if (option != 'm' || !gp_model_parse(optarg, &model, &error))
            return 2;
    }
    if (optind == argc || every == 0 || every > UINT32_MAX) {
        fprintf(stderr, "usage: monotony [-d DEVICE[,DEVICE]] [-m MODEL] [-e EVERY] FILE.gpuperf...\n");
        return 2;
    }
    bool done = true;
    for (char *name = strtok(devices, ","); done && name != NULL; name = strtok(NULL, ","))
        done = look_at_device(name, model, (uint32_t)every, argv + optind);
    return done ? 0 : 1;
}
