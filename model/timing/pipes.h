/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Cycles that a group keeps each unit of its SM busy. */
#ifndef GPUPERF_MODEL_TIMING_PIPES_H
#define GPUPERF_MODEL_TIMING_PIPES_H

#include "model/timing/conditions.h"

/* What takes longest; ISSUE where several do. */
enum gp_limiter gp_busiest(const double cycles[GP_LIMITER_COUNT]);

/* A warp's instructions, where the narrow paths with these bits are repaired. */
struct gp_pipe_work gp_repaired_pipes(const struct gp_work *work, uint32_t paths);

/* What a group's instructions alone keep schedulers, lanes and barriers busy; as the conditions repair it. */
void gp_arithmetic_cycles(const struct gp_work *work, const struct gp_conditions *conditions,
                          double cycles[GP_LIMITER_COUNT]);

/*
 * Fills in terms->unit_..., busiest (S), scheduler_cycles and l2_bytes of the work on SMs that get terms->groups_per_sm
 * groups each.
 */
void gp_take_units(const struct gp_work *work, const struct gp_conditions *conditions, struct gp_timing *timing);

#endif
