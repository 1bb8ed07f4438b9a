/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Which warps of a group a sampled one stands for. A guard that ends within a group (`if (y >= rows) return`) parts its
 * warps, and of thirty warps eight do not show where: each other one is looked at and stands with the sampled one that
 * does most nearly as much.
 */
#ifndef GPUPERF_MODEL_WARPS_ALIKE_H
#define GPUPERF_MODEL_WARPS_ALIKE_H

#include "model/sampling/glances.h"
#include "model/profile/profile.h"

/*
 * Shares out the weights of samples (gp_sample_launch()) of groups whose first sampled warp and last one do not execute
 * the same number of instructions, where branches go by work-items' numbers; what a group stands for stays. Groups of
 * little weight keep their samples' weights, where there are cuts (gp_guard_cuts()) those at none and not at the end of
 * the launch, and those that the glances do not suffice for. `executor`: of the kernel.
 */
void gp_weigh_warps_alike(struct gp_glances *glances, struct gp_executor *executor, const struct gp_kernel *kernel,
                          const struct gp_launch *launch, const struct gp_cuts cuts[3], uint32_t warp_width,
                          struct gp_sample *samples, size_t count);

#endif
