/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The causes of a kernel's time: for each, the time with that cause repaired (predict.h, gp_bottleneck). */
#ifndef GPUPERF_MODEL_BOTTLENECKS_H
#define GPUPERF_MODEL_BOTTLENECKS_H

#include "model/timing/conditions.h"
#include "model/predict.h"

/* Time of some work under some conditions: the model that made the prediction. */
typedef void gp_timer(const void *context, const struct gp_work *work, const struct gp_conditions *conditions,
                      struct gp_timing *timing);

struct gp_bottleneck_inputs {
    const struct gp_profile *profile;
    const struct gp_kernel *kernel;
    const struct gp_launch *launch;
    const struct gp_occupancy *occupancy;
    const struct gp_work *work;
    const struct gp_conditions *conditions;
    uint32_t registers;
    uint32_t registers_wanted; /* without the launch bound, where spills are only inferred from it; else 0 */
    double filled_cycles;      /* gp_predict_options' */
    gp_timer *timer;
    const void *timer_context;
    const struct gp_timing *timing; /* as predicted */
};

/* Fills prediction->bottlenecks, largest share first; those below one percent are left out. */
void gp_find_bottlenecks(const struct gp_bottleneck_inputs *inputs, struct gp_prediction *prediction);

/* The time with these causes (bits 1 << GP_CAUSE_...) repaired at once, wherever in the kernel they are. */
void gp_time_without(const struct gp_bottleneck_inputs *inputs, uint32_t causes, struct gp_timing *timing);

#endif
