/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * counts FILE.gpuperf KERNEL ITEMS: executes every warp of a launch (ITEMS: "global=64x64:local=8x8:n=64") and prints
 * what its work-items load and store, a line per kind: "load global OPERATIONS BYTES". Atomics are neither.
 */
#include <stdio.h>
#include <stdlib.h>

#include "model/executor/executor.h"
#include "model/profile/profile_binary.h"
#include "model/assume/defaults.h"
#include "model/assume/stated.h"

struct sums {
    const struct gp_kernel *kernel;
    double warp; /* warps of the launch that this one stands for */
    double operations[2][GP_SPACE_COUNT], bytes[2][GP_SPACE_COUNT];
};

static void add_access(void *context, const struct gp_access *access)
{
    struct sums *sums = context;
    const struct gp_memory *memory = &sums->kernel->memory[access->memory];
    bool store = memory->flags & GP_MEMORY_STORE;
    double lanes = (double)__builtin_popcountll(access->active) * access->weight * sums->warp;
    if (memory->flags & GP_MEMORY_ATOMIC)
        return;
    sums->operations[store][memory->space] += lanes;
    sums->bytes[store][memory->space] += lanes * memory->element_bytes * memory->vector;
}

static bool execute(struct sums *sums, const struct gp_launch *launch, struct gp_error *error)
{
    struct gp_exec_options options = {.warp_width = 32, .exhaustive = true};
    struct gp_observer observer = {.context = sums, .access = add_access};
    struct gp_executor *executor = gp_executor_new(sums->kernel);
    struct gp_sample *samples = NULL;
    size_t count = executor ? gp_sample_launch(launch, options.warp_width, 0, 0, &samples) : 0;
    bool good = count > 0;
    for (size_t i = 0; i < count && good; i++) {
        struct gp_exec_result result;
        sums->warp = samples[i].weight;
        good =
            gp_execute_warp(executor, launch, samples[i].group, samples[i].warp, &options, &observer, &result, error);
    }
    free(samples);
    gp_executor_free(executor);
    return good;
}

int main(int argc, char **argv)
{
    static struct gp_launch launch;
    struct gp_error error = {0};
    if (argc != 4) {
        fprintf(stderr, "usage: counts FILE.gpuperf KERNEL ITEMS\n");
        return 2;
    }
    struct gp_profile *profile = gp_profile_read_file(argv[1], &error);
    struct sums sums = {.kernel = profile ? gp_profile_find(profile, argv[2]) : NULL};
    if (profile && !sums.kernel)
        snprintf(error.text, sizeof error.text, "%s has no kernel '%s'", argv[1], argv[2]);
    if (sums.kernel)
        gp_launch_default(sums.kernel, &launch);
    bool good =
        sums.kernel && gp_launch_assume(sums.kernel, &launch, argv[3], &error) && execute(&sums, &launch, &error);
    if (!good)
        fprintf(stderr, "counts: %s\n", error.text);
    for (int store = 0; good && store < 2; store++)
        for (int space = 0; space < GP_SPACE_COUNT; space++)
            if (sums.operations[store][space] > 0)
                printf("%s %s %.0f %.0f\n", store ? "store" : "load", gp_space_name(space),
                       sums.operations[store][space], sums.bytes[store][space]);
    gp_profile_free(profile);
    return good ? 0 : 1;
}
