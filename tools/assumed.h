/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the numbers that a launch assumes, and a device that stands for others, do to a result's confidence and ranges.
 */
#ifndef GPUPERF_TOOLS_ASSUMED_H
#define GPUPERF_TOOLS_ASSUMED_H

#include "tools/results.h"

/* Of a ranked result: what each assumed argument does to the time of the best local size, whose launch is
 * result->launch; confidence and range of all sizes follow, and of the boards that a target stands for. */
void gp_take_assumed(struct gp_predictor *predictor, struct gp_result *result,
                     const struct gp_predict_options *options);

/* "  Assumed: n=1024 (half: 0.51x the time, twice: 2.00x); ..." of those that decide the time. */
void gp_print_assumed(const struct gp_result *result, struct gp_text *out);

#endif
