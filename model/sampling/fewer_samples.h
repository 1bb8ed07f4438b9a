/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A launch's samples (gp_sample_launch(): groups one after the other, the warps of each side by side), and which of
 * them a quicker look can do without. What leaves samples out works in place and returns how many are left; their
 * weights add up to what they did before.
 */
#ifndef GPUPERF_MODEL_FEWER_SAMPLES_H
#define GPUPERF_MODEL_FEWER_SAMPLES_H

#include "model/executor/executor.h"

/* Less than this share of a launch's groups, or of what they execute, decides little. */
#define GP_LITTLE 0.01

/* How many of the samples from `first` on are of its group. */
size_t gp_samples_of_group(const struct gp_sample *samples, size_t count, size_t first);

/* Sum of the weights of `count` samples from `first` on. */
double gp_samples_weight(const struct gp_sample *samples, size_t first, size_t count);

/* The first sample of the group whose warps stand for most. */
size_t gp_heaviest_group(const struct gp_sample *samples, size_t count);

/*
 * Of the groups that stand for less than the heaviest, `warps` in the corner between the same cuts do: one, the first
 * in the first corner and the last whole one in the last; or two, which tell as well what warps of a group share.
 */
size_t gp_thin_out_samples(struct gp_sample *samples, size_t count, uint32_t warps, const struct gp_launch *launch,
                           uint32_t warp_width, const struct gp_cuts cuts[3]);

/* Of groups at the edges, which stand for little where there are many between, the first warp, the last and one for all
 * others do. */
size_t gp_thin_out_edges(struct gp_sample *samples, size_t count);

/* Leaves the middle warp of the heaviest group, which takes the weight of all. */
size_t gp_keep_middle_sample(struct gp_sample *samples, size_t count);

#endif
