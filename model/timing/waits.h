/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Cycles that a lone warp, or all of a batch, wait beside what the work's own chain says. */
#ifndef GPUPERF_MODEL_TIMING_WAITS_H
#define GPUPERF_MODEL_TIMING_WAITS_H

#include "model/timing/traffic.h"

/* A lone warp for its spilled registers, where so many groups run at once. */
double gp_spill_wait(const struct gp_work *work, const struct gp_conditions *conditions, double concurrent);

/* What a lone warp need not wait, since groups or launches before had brought what it asks for. */
double gp_need_not_wait(const struct gp_work *work, const struct gp_conditions *conditions, double concurrent,
                        const struct gp_dram_traffic *traffic);

/* A batch of so many resident groups for what L2 does not hold of the lines that they read again side by side (W). */
double gp_waits_beyond_l2(const struct gp_work *work, const struct gp_conditions *conditions, double concurrent,
                          double resident);

/* The part of so many cycles that barriers keep from overlapping. */
double gp_held_at_barriers(const struct gp_work *work, const struct gp_conditions *conditions, double cycles);

#endif
