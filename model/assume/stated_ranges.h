/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Sizes that are stated, and the range that is not: who says `width=640` of `if (x < width)`, or of `in[y * width +
 * x]`, has 640 columns. It is what is assumed of arguments that bound the range, the other way round.
 */
#ifndef GPUPERF_MODEL_STATED_RANGES_H
#define GPUPERF_MODEL_STATED_RANGES_H

#include "model/launch/launch.h"

/*
 * Where nobody states the range, it becomes as large as the stated arguments say that would follow from it otherwise:
 * those that bound a dimension, let conditions on ids hold, or are the distance of rows. What loops share out makes it
 * smaller only. Whole groups; the arguments that nobody states follow from it anew.
 */
void gp_range_from_stated(const struct gp_kernel *kernel, struct gp_launch *launch);

#endif
