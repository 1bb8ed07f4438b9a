/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which warps of a group are executed, and which others they stand for. */
#ifndef GPUPERF_MODEL_SAMPLED_WARPS_H
#define GPUPERF_MODEL_SAMPLED_WARPS_H

#include "model/profile/profile.h"
#include "model/sampling/pilots.h"

/* ---- Warps that do what no sampled one does ---------------------------------------------------------------------- */

/*
 * A warp of a group that does what none of its sampled ones does: `if (get_local_id(0) == 40)` in a group of 512, of
 * which eight warps of 16 are executed. Without it nobody would know of it.
 */

/*
 * Of samples (gp_sample_launch()) of groups of which not all warps are sampled, where branches go by work-items'
 * numbers: the warp of the heaviest group that executes most of what none of the sampled ones does takes the place of
 * one of them, in all groups alike, and stands for itself alone. `executor`: of the kernel. Warps that the pilot runs
 * do not suffice for are taken to do what the others do.
 */
void gp_take_in_unseen_warps(struct gp_pilots *pilots, struct gp_executor *executor, const struct gp_kernel *kernel,
                             const struct gp_launch *launch, uint32_t warp_width, struct gp_sample *samples,
                             size_t count);

/* ---- Which warps a sampled one stands for ------------------------------------------------------------------------ */

/*
 * Which warps of a group a sampled one stands for. A guard that ends within a group (`if (y >= rows) return`) parts its
 * warps, and of thirty warps eight do not show where: each other one is looked at and stands with the sampled one that
 * does most nearly as much.
 */

/*
 * Shares out the weights of samples (gp_sample_launch()) of groups whose first sampled warp and last one do not execute
 * the same number of instructions, where branches go by work-items' numbers; what a group stands for stays. Groups of
 * little weight keep their samples' weights, where there are cuts (gp_guard_cuts()) those at none and not at the end of
 * the launch, and those that the pilot runs do not suffice for. `executor`: of the kernel.
 */
void gp_weigh_warps_alike(struct gp_pilots *pilots, struct gp_executor *executor, const struct gp_kernel *kernel,
                          const struct gp_launch *launch, const struct gp_cuts cuts[3], uint32_t warp_width,
                          struct gp_sample *samples, size_t count);

#endif
