/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Do groups at different places of the range do different work? Pictures of fractals, discs and stripes: a group in the
 * middle stands for none but itself there. Guards at the range's edges are another matter: gp_sample_launch() looks at
 * the edges.
 */
#ifndef GPUPERF_MODEL_VARIED_GROUPS_H
#define GPUPERF_MODEL_VARIED_GROUPS_H

#include "model/sampling/pilots.h"

/*
 * Whether a branch or the end of a loop follows from a work-item's place in another way than by comparing it to a
 * bound. Data that is loaded is not known and differs nowhere.
 */
bool gp_groups_may_differ(const struct gp_kernel *kernel);

/* Which loops, as kernel->loops, end by how the range is cut into groups: by a work-item's place in its group, the
 * group's number or its size. False: another branch goes by that. */
bool gp_loops_of_cut(const struct gp_kernel *kernel, bool *loops);

/*
 * Whether a group (of its sampled warps, which stand for most) and others here and there, none at an edge, execute 2%
 * more instructions one than the other, the same warp of each: the sampled ones and others. `executor`: of the same
 * kernel. Quick: at fewer places. Those that the pilot runs do not suffice for are taken to be alike.
 */
bool gp_groups_differ(struct gp_pilots *pilots, struct gp_executor *executor, const struct gp_launch *launch,
                      uint32_t warp_width, const struct gp_sample *samples, size_t in_group, bool quick);

#endif
