/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * How the addresses of memory operations move from one iteration to the next, seen while a warp is executed. The
 * executor samples iterations: only of consecutive ones does the difference say anything.
 */
#ifndef GPUPERF_MODEL_STEPS_H
#define GPUPERF_MODEL_STEPS_H

#include "model/profile/profile.h"

struct gp_steps;

/* Of a kernel, which must stay as it is. The caller frees it. */
struct gp_steps *gp_steps_new(const struct gp_kernel *kernel);
void gp_steps_free(struct gp_steps *steps);

/* A new warp: nothing is seen yet. */
void gp_steps_start(struct gp_steps *steps);

/* The executor has left out iterations of the loop (gp_observer's skip). */
void gp_steps_skip(struct gp_steps *steps, uint32_t loop);

/*
 * Memory operation `memory` is executed at symbol + offset: by how many bytes the address moved between the last two
 * consecutive iterations; negative: not seen.
 */
double gp_steps_see(struct gp_steps *steps, uint32_t memory, uint32_t symbol, uint64_t offset);

/* Between what gp_steps_see() saw of the operation last and the time before, its innermost loop had iterations left
 * out. */
bool gp_steps_jumped(const struct gp_steps *steps, uint32_t memory);

#endif
