/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What is not known of a launch or its device, in a prediction's confidence and range. */
#ifndef GPUPERF_MODEL_HOW_SURE_H
#define GPUPERF_MODEL_HOW_SURE_H

#include "model/predict/assumed_arguments.h"

/* How far the time may be from the predicted one, below and above, in four of five cases: logarithms. */
struct gp_unknown {
    double down, up;
};

/* Of a device whose numbers are another's. */
struct gp_unknown gp_unknown_of_device(const struct gp_device *device);

/* Of a launch with such effects of its arguments; those that nobody looked at count as one that the time is
 * proportional to. */
struct gp_unknown gp_unknown_of_arguments(const struct gp_argument_effects *effects);

/* Confidence and range by the prediction's evidence, its ideal time and what is not known, which err independently. */
void gp_take_unknown(struct gp_prediction *prediction, struct gp_unknown device, struct gp_unknown arguments);

#endif
