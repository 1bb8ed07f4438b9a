/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What of a kernel's work makes its limiter busy: of a pipe the instructions, of the load/store unit the cycles, of L2
 * and DRAM the bytes; where latency, barriers or the launch limit it is the time of a lone warp.
 */
#ifndef GPUPERF_MODEL_LIMITER_WORK_H
#define GPUPERF_MODEL_LIMITER_WORK_H

#include "model/observe/work.h"
#include "model/predict.h"

/* Whether the limiter is time that passes, not something that is busy. */
bool gp_limiter_is_time(enum gp_limiter limiter);

/* Of instructions: `issue` of them, ops[GP_PIPE_COUNT] to each pipe. */
double gp_limiter_of_pipes(enum gp_limiter limiter, double issue, const double *ops);

/* Of a memory operation. */
double gp_limiter_of_memory(enum gp_limiter limiter, const struct gp_memory_work *memory);

#endif
