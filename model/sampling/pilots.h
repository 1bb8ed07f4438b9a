/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Pilot runs: warps that are executed to find out what has to be counted, not to be counted. Are groups alike, does a
 * warp do what no other does, how far do addresses reach? All pilot runs for one question share what they may execute,
 * so that a question is never dearer than the answer is worth. Where that is used up the answer is not known, and what
 * asks goes by what it knows without.
 */
#ifndef GPUPERF_MODEL_PILOTS_H
#define GPUPERF_MODEL_PILOTS_H

#include "model/executor/executor.h"

/* What a prediction's pilot runs may execute where nobody waits for it: gp_exec_result.effort, some ten milliseconds.
 */
#define GP_MOST_PILOTED 300000.0

struct gp_pilots {
    uint64_t affordable, spent; /* effort */
    uint64_t made;              /* warps that were executed for it */
    uint64_t most_visits;       /* of blocks, by one warp */
    bool sparse;                /* only how often blocks are visited is asked (gp_exec_options) */
};

/* `affordable`: effort; 0: GP_MOST_PILOTED. */
struct gp_pilots gp_pilots_of(double affordable, uint64_t most_visits);

/*
 * Executes a warp, its loops sampled coarsely and cut off where it visits too many blocks. Like gp_execute_warp() else.
 * False: it could not be executed, or not as far as that within what is left, and the result is of no use.
 */
bool gp_pilot_warp(struct gp_pilots *pilots, struct gp_executor *executor, const struct gp_launch *launch,
                   const uint64_t group[3], uint32_t warp, uint32_t warp_width, const struct gp_observer *observer,
                   struct gp_exec_result *result);

/* The same, asking for no more than how many instructions the warp executes. */
bool gp_pilot_work(struct gp_pilots *pilots, struct gp_executor *executor, const struct gp_launch *launch,
                   const uint64_t group[3], uint32_t warp, uint32_t warp_width, double *instructions);

/* Whether two warps that execute so many instructions do different work: by 2%. */
bool gp_works_differ(double instructions, double others);

#endif
