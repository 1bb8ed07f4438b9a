/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Any valid profile, executed: the executor must stay within its arrays and end, whatever the profile says, even that
 * values are used before they are computed or that post-dominators are wrong. The weights it reports must be numbers.
 * The profiles are golden ones with small changes, since bytes by chance hardly ever make a valid one.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/executor/executor.h"
#include "model/profile/profile_text.h"
#include "model/assume/defaults.h"
#include "test/fuzz/edits.h"

struct seen {
    const struct gp_kernel *kernel;
    uint32_t width;
    bool entered;
    uint64_t sum; /* reads all that is reported */
};

static void enter(void *context, uint32_t block, gp_mask active, double weight)
{
    struct seen *seen = context;
    want(block < seen->kernel->block_count && active && !seen->entered, "a visit that is none");
    want(isfinite(weight) && weight >= 0, "a weight that is no number");
    seen->entered = true;
}

static void leave(void *context, uint32_t block, gp_mask active, double weight)
{
    struct seen *seen = context;
    want(seen->entered && block < seen->kernel->block_count && active && weight >= 0, "a leave without its enter");
    seen->entered = false;
}

static void access_memory(void *context, const struct gp_access *access)
{
    struct seen *seen = context;
    want(seen->entered && access->memory < seen->kernel->memory_count, "an access to nothing");
    want(access->active && (seen->width == 64 || access->active >> seen->width == 0),
         "an access by lanes that do not exist");
    want(isfinite(access->weight) && access->weight >= 0, "a weight that is no number");
    for (uint32_t lane = 0; lane < seen->width; lane++) {
        seen->sum += access->symbol[lane] + access->offset[lane];
        for (uint32_t i = 0; i < access->coordinates; i++)
            seen->sum += access->coordinate_symbol[i][lane] + access->coordinate[i][lane];
    }
}

static void barrier(void *context, uint32_t inst, gp_mask active, double weight)
{
    struct seen *seen = context;
    want(seen->entered && inst < seen->kernel->inst_count && active && weight >= 0, "a barrier that is none");
}

static void diverge(void *context, uint32_t branch, gp_mask taken, gp_mask not_taken, double weight)
{
    struct seen *seen = context;
    want(seen->entered && branch < seen->kernel->branch_count && taken && not_taken && weight >= 0,
         "a divergence that is none");
}

static void skip(void *context, uint32_t loop, uint64_t left_out)
{
    struct seen *seen = context;
    want(!seen->entered && loop < seen->kernel->loop_count && left_out > 0, "a jump in no loop");
}

static void execute(const struct gp_kernel *kernel, const struct gp_launch *launch, uint32_t width, bool exhaustive)
{
    struct gp_executor *executor = gp_executor_new(kernel);
    struct gp_sample *samples;
    want(executor != NULL, "no executor");
    size_t count = gp_sample_launch(launch, width, 2, 2, &samples);
    for (size_t k = 0; k < count; k++) {
        struct seen seen = {kernel, width, false, 0};
        struct gp_observer observer = {&seen, enter, access_memory, barrier, leave, diverge, skip};
        struct gp_exec_options options = {.warp_width = width, .exhaustive = exhaustive, .max_block_visits = 500};
        struct gp_exec_result result;
        struct gp_error error;
        if (gp_execute_warp(executor, launch, samples[k].group, samples[k].warp, &options, &observer, &result, &error))
            want(isfinite(result.instructions) && result.instructions >= result.guessed_instructions * (1 - 1e-9),
                 "sums that are none");
    }
    free(samples);
    for (uint32_t loop = 0; loop < kernel->loop_count; loop++) {
        uint64_t trips;
        (void)gp_loop_trip_count(executor, launch, loop, &trips);
    }
    gp_executor_free(executor);
}

static void use(const struct gp_kernel *kernel, uint32_t choice)
{
    static const uint32_t widths[] = {32, 64, 1, 7};
    struct gp_launch *launch = calloc(1, sizeof *launch);
    if (launch && kernel->inst_count <= 5000 && kernel->loop_count <= 200) {
        gp_launch_default(kernel, launch);
        execute(kernel, launch, widths[choice % 4], false);
        launch->dims = 2;
        for (int d = 0; d < 3; d++) {
            launch->global[d] = d < 2 ? 37 : 1;
            launch->local[d] = d == 0 ? 10 : d == 1 ? 3 : 1;
        }
        for (uint32_t k = 0; k < kernel->param_count; k++)
            launch->arguments[k].known = k % 2;
        launch->assumed_trip_count = 3;
        execute(kernel, launch, widths[choice / 4 % 4], true);
    }
    free(launch);
}

/* A profile as text; or a byte that chooses a golden profile, then edits. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct gp_error error = {""};
    bool is_text = size > 8 && memcmp(bytes, "gpuperf-", 8) == 0;
    if (size == 0)
        return 0;
    struct gp_profile *profile =
        is_text ? gp_profile_parse((const char *)bytes, size, &error) : golden_profile(bytes[0] % golden_count());
    if (profile == NULL || profile->kernel_count == 0) {
        gp_profile_free(profile);
        return 0;
    }
    struct edits edits = {bytes + 1, size - 1};
    for (int i = 0; !is_text && edits.size && i < 16; i++)
        edit(&profile->kernels[0], &edits);
    if (is_text || gp_profile_check(profile, &error))
        use(&profile->kernels[0], bytes[0] / golden_count());
    gp_profile_free(profile);
    return 0;
}
