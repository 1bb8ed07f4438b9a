/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Whether a number of iterations is assumed (gp_launch.assumed_trip_count): of loops that end where data says, or a
 * number that the launch does not state. */
#ifndef GPUPERF_MODEL_ASSUMED_ITERATIONS_H
#define GPUPERF_MODEL_ASSUMED_ITERATIONS_H

#include "model/launch/launch.h"

bool gp_assumes_iterations(const struct gp_kernel *kernel, const struct gp_launch *launch);

#endif
