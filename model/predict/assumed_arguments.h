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

/* The time with half and with twice an argument, over the time with it as it is assumed; 0: such a launch cannot be. */
struct gp_argument_effect {
    uint32_t param;
    double halved, doubled;
};

enum { GP_MOST_EFFECTS = 32 };
struct gp_argument_effects {
    uint32_t assumed, asked;                          /* arguments: that are assumed; of these, that were looked at */
    uint32_t count;                                   /* that change the time by more than a tenth */
    struct gp_argument_effect items[GP_MOST_EFFECTS]; /* in the kernel's order */
    bool trip_matters;                                /* so does the number of iterations of loops that data ends */
    struct gp_argument_effect trip;                   /* then what it changes; of no parameter */
};

/* Of each assumed argument in turn, all others as they are, by quick predictions: of the first ones, as many as cost
 * about a third of a second; and of the assumed iterations. */
void gp_find_effects(struct gp_predictor *predictor, const struct gp_kernel *kernel, const struct gp_device *device,
                     const struct gp_launch *launch, const struct gp_predict_options *options,
                     struct gp_argument_effects *effects);

#ifdef __cplusplus
}
#endif
#endif
