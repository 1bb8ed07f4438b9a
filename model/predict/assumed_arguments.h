/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which arguments of a launch are nobody's statement, and what the time would be with others. */
#ifndef GPUPERF_MODEL_ASSUMED_ARGUMENTS_H
#define GPUPERF_MODEL_ASSUMED_ARGUMENTS_H

#include "model/predict.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A number that takes part in what the kernel does, in a launch that no program makes, and nobody has stated it. */
bool gp_argument_is_assumed(const struct gp_kernel *kernel, const struct gp_launch *launch, uint32_t param);
bool gp_any_argument_is_assumed(const struct gp_kernel *kernel, const struct gp_launch *launch);

/* The time with half and with twice an argument, over the time with it as it is assumed. */
struct gp_argument_effect {
    uint32_t param;
    double halved, doubled;
};

/*
 * Of each assumed argument in turn, as many as `most` (the first ones), all others as they are: those that change the
 * time by more than a tenth are kept, in the kernel's order. The predictions are quick ones. Returns how many.
 */
uint32_t gp_effects_of_arguments(struct gp_predictor *predictor, const struct gp_kernel *kernel,
                                 const struct gp_device *device, const struct gp_launch *launch,
                                 const struct gp_predict_options *options, struct gp_argument_effect *effects,
                                 uint32_t most);

#ifdef __cplusplus
}
#endif
#endif
