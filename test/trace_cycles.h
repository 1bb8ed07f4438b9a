/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the trace model predicts of a profile's first kernel, its launch left out. */
#ifndef GPUPERF_TEST_TRACE_CYCLES_H
#define GPUPERF_TEST_TRACE_CYCLES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/predict.h"
#include "model/profile/profile_text.h"
#include "model/assume/defaults.h"

enum { TRACE_CYCLES_GROUP = 256 };

/* In groups of so many work-items. Fails the test where it cannot be predicted. */
static inline double trace_cycles_in(const char *text, const char *device_name, uint64_t work_items, uint64_t group)
{
    static struct gp_launch launch;
    static struct gp_prediction prediction;
    struct gp_error error = {{0}};
    struct gp_profile *profile = gp_profile_parse(text, strlen(text), &error);
    struct gp_device *device = gp_device_load(device_name, SOURCE_HWDB, &error);
    if (profile == NULL || device == NULL)
        fail_msg("%s", error.text);
    const struct gp_kernel *kernel = &profile->kernels[0];
    device->launch_ns.value = 0;
    gp_launch_default(kernel, &launch);
    gp_launch_set_global(kernel, &launch, 1, (const uint64_t[3]){work_items, 1, 1});
    launch.cold = false; /* one of many on the same data */
    launch.local[0] = group;
    launch.local[1] = launch.local[2] = 1;
    struct gp_predictor *predictor = gp_predictor_new(profile, kernel);
    if (!gp_predict(predictor, device, &launch, &(struct gp_predict_options){.model = GP_MODEL_TRACE}, &prediction,
                    &error))
        fail_msg("%s", error.text);
    gp_predictor_free(predictor);
    gp_device_free(device);
    gp_profile_free(profile);
    return prediction.cycles;
}

static inline double trace_cycles(const char *text, const char *device_name, uint64_t work_items)
{
    return trace_cycles_in(text, device_name, work_items, TRACE_CYCLES_GROUP);
}

#endif
