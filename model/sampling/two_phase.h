/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Two-phase sampling where groups do different work (varied_groups.h): many groups have a pilot run for how much they
 * execute, few of these are looked at closely, each of which stands for those that execute about as much (Neyman,
 * "Contribution to the theory of sampling human populations", 1938; Cochran, "Sampling Techniques", chapter 12). How
 * many have work, the first phase says; what work is, the second.
 */
#ifndef GPUPERF_MODEL_TWO_PHASE_H
#define GPUPERF_MODEL_TWO_PHASE_H

#include "model/sampling/pilots.h"

struct gp_two_phase {
    struct gp_sample *samples; /* the caller frees them: groups one after the other */
    size_t count;              /* 0: memory was short */
    size_t leading; /* the first sample of a group that stands for much of the work, among others that do as much where
                       there is such a one */
    double uncertain; /* standard error of what the average group executes, as a share of it; 0: all groups had a
                         pilot run; NaN: not known yet, since pilot runs of so many could not be afforded, so that few
                         groups stand for all, each for as many */
};

/* Few: groups to look at closely; many: to have pilot runs, at most, as far as these suffice; `most_warps` of each; 0:
 * all. */
struct gp_two_phase gp_sample_two_phase(struct gp_pilots *pilots, struct gp_executor *executor,
                                        const struct gp_launch *launch, uint32_t warp_width, uint32_t few,
                                        uint32_t many, uint32_t most_warps);

/*
 * Of samples that were chosen otherwise, the first of such a leading group. `varied`: it does more than another one.
 * The heaviest group's where memory is short or a pilot run cannot be afforded. There is at least one.
 */
size_t gp_leading_sample(struct gp_pilots *pilots, struct gp_executor *executor, const struct gp_launch *launch,
                         uint32_t warp_width, const struct gp_sample *samples, size_t count, bool *varied);

#endif
