/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Sampling: what a local size really takes, from parts of the program's own launches ("sampling and learning" paper,
 * section 5.1). A launch is cut along its slowest dimension: a part of two saturations and one of three with the size
 * on trial, all the rest with the size at hand. From the two the trial's time for the whole launch follows by the
 * paper's line; the rest tells, under the same conditions, what the size at hand takes. Every work-item is executed
 * once. A trial is three launches; a size takes the place of the one at hand where it is faster by both the line and
 * the two parts as they are.
 *
 * Known here are numbers only; layer_sample.c cuts and times launches.
 */
#ifndef GPUPERF_RUNTIME_SAMPLING_H
#define GPUPERF_RUNTIME_SAMPLING_H

#include "runtime/decision.h"

enum { GP_SAMPLE_PARTS = 3 };

/* How a launch is cut. */
struct gp_cut {
    uint32_t dimension;
    uint64_t items[GP_SAMPLE_PARTS]; /* along it, of each part in order */
};

/*
 * Work-items of all saturations: `at_once` of them fill the device once with the trial's size (Psat groups on each SM),
 * and the whole launch takes launch_ns, as predicted or measured: where a part would be too short to be timed it has
 * more saturations, two to three. Sizes of zeros are left to the driver. False: the launch is too small for that, since
 * the parts on trial may be a quarter of it at most.
 */
bool gp_cut_launch(const struct gp_open_launch *launch, const uint32_t on_trial[3], const uint32_t at_hand[3],
                   double at_once, double launch_ns, struct gp_cut *cut);

/* A size on trial: the shortest time of each part so far, since whatever disturbs only makes longer. */
struct gp_trial {
    uint32_t runs;
    double share[GP_SAMPLE_PARTS]; /* of the launch's work-items */
    double ns[GP_SAMPLE_PARTS];
};

void gp_trial_add(struct gp_trial *trial, const struct gp_cut *cut, const double ns[GP_SAMPLE_PARTS]);

/*
 * The paper's t_linear(N) = t_Psat1 + (t_Psat2 - t_Psat1) / (Psat2 - Psat1) * (N - Psat1), in nanoseconds for the whole
 * launch, with shares of the launch for numbers of groups; the parts' own rate where the longer one was not slower.
 * That of the size at hand: the rest's rate.
 */
double gp_trial_linear_ns(const struct gp_trial *trial);
double gp_trial_rate_ns(const struct gp_trial *trial);
double gp_trial_at_hand_ns(const struct gp_trial *trial);

enum gp_verdict { GP_TRIAL_OPEN, GP_TRIAL_FASTER, GP_TRIAL_SLOWER };

enum gp_verdict gp_trial_judge(const struct gp_trial *trial);

/* ---- All trials of a decision, one after the other: the size that the program would get, then the next alternatives
 * ---- */

enum { GP_SAMPLE_AS_IT_IS = -1 }; /* instead of an alternative's index: the launch as the program made it */

struct gp_sampling {
    bool begun, over;
    int at_hand, on_trial; /* indices of alternatives, or GP_SAMPLE_AS_IT_IS */
    struct gp_trial trial;
    double at_hand_ns, as_it_is_ns; /* measured, of the whole launch; 0: not yet */
};

void gp_sampling_begin(struct gp_sampling *sampling);

/* The size of an index; zeros: the driver's, which is not known. */
const uint32_t *gp_sampling_size(const struct gp_decision *decision, int index);

/* What gp_cut_launch() asks of the size on trial; the time of the whole launch is about what was measured of the size
 * at hand, once it was. */
double gp_sampling_at_once(const struct gp_decision *decision, int index);
double gp_sampling_time_ns(const struct gp_sampling *sampling, const struct gp_decision *decision);

/* A launch was timed. True: that was the last trial, and the decision is now what was measured: one alternative, or
 * none, and `sampled`. */
bool gp_sampling_add(struct gp_sampling *sampling, const struct gp_cut *cut, const double ns[GP_SAMPLE_PARTS],
                     struct gp_decision *decision);

/* The size on trial cannot be tried on such launches: on to the next. As above. */
bool gp_sampling_skip(struct gp_sampling *sampling, struct gp_decision *decision);

#endif
