/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What of a kernel's work makes its limiter busy: of a pipe the instructions, of the load/store unit the cycles, of L2
 * and DRAM the bytes; where latency, barriers or the launch limit it is the time of a lone warp.
 */
#ifndef GPUPERF_MODEL_LIMITER_SHARES_H
#define GPUPERF_MODEL_LIMITER_SHARES_H

#include "model/observe/work.h"
#include "model/predict.h"

/*
 * The innermost loop that has more than half of the limiter's work: of a pipe's instructions, of the load/store unit's
 * cycles, of the bytes from L2 and DRAM, or, where latency or barriers limit, of a lone warp's cycles. GP_NONE: no loop
 * has (or memory is out). *share: of that loop, with the loops in it.
 */
uint32_t gp_hot_loop(const struct gp_kernel *kernel, const struct gp_work *work, enum gp_limiter limiter,
                     double *share);

/*
 * Fills prediction->lines for its limiter: of all its work the share of each line that has half a
 * percent of it or more, largest first. What a block's instructions cost together is divided among its lines as the
 * instructions cost alone; a lone warp's waiting is its loads'. Code that an optimiser left without a line is where
 * what takes its result is, else where its loop is, or the kernel. Where there is no memory, there are no lines.
 */
void gp_line_shares(const struct gp_profile *profile, const struct gp_kernel *kernel, const struct gp_device *device,
                    const struct gp_work *work, struct gp_prediction *prediction);

#endif
