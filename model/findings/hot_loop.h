/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Where in a kernel most of what limits it is spent. */
#ifndef GPUPERF_MODEL_HOT_LOOP_H
#define GPUPERF_MODEL_HOT_LOOP_H

#include "model/predict.h"
#include "model/observe/work.h"

/*
 * The innermost loop that has more than half of the limiter's work: of a pipe's instructions, of the load/store unit's
 * cycles, of the bytes from L2 and DRAM, or, where latency or barriers limit, of a lone warp's cycles. GP_NONE: no loop
 * has (or memory is out). *share: of that loop, with the loops in it.
 */
uint32_t gp_hot_loop(const struct gp_kernel *kernel, const struct gp_work *work, enum gp_limiter limiter,
                     double *share);

#endif
