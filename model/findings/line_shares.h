/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which lines of the source make the limiter busy. */
#ifndef GPUPERF_MODEL_LINE_SHARES_H
#define GPUPERF_MODEL_LINE_SHARES_H

#include "model/observe/work.h"
#include "model/predict.h"

/*
 * Fills prediction->lines for its limiter: of all its work (limiter_work.h) the share of each line that has half a
 * percent of it or more, largest first. What a block's instructions cost together is divided among its lines as the
 * instructions cost alone; a lone warp's waiting is its loads'. Code that an optimiser left without a line is where
 * what takes its result is, else where its loop is, or the kernel. Where there is no memory, there are no lines.
 */
void gp_line_shares(const struct gp_profile *profile, const struct gp_kernel *kernel, const struct gp_device *device,
                    const struct gp_work *work, struct gp_prediction *prediction);

#endif
