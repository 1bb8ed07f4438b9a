/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A warp of a group that does what none of its sampled ones does: `if (get_local_id(0) == 40)` in a group of 512, of
 * which eight warps of 16 are executed. Without it nobody would know of it.
 */
#ifndef GPUPERF_MODEL_UNSEEN_WARPS_H
#define GPUPERF_MODEL_UNSEEN_WARPS_H

#include "model/sampling/glances.h"
#include "model/profile/profile.h"

/*
 * Of samples (gp_sample_launch()) of groups of which not all warps are sampled, where branches go by work-items'
 * numbers: the warp of the heaviest group that executes most of what none of the sampled ones does takes the place of
 * one of them, in all groups alike, and stands for itself alone. `executor`: of the kernel. Warps that the glances do
 * not suffice for are taken to do what the others do.
 */
void gp_take_in_unseen_warps(struct gp_glances *glances, struct gp_executor *executor, const struct gp_kernel *kernel,
                             const struct gp_launch *launch, uint32_t warp_width, struct gp_sample *samples,
                             size_t count);

#endif
