/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Sampling: what a local size really takes, from the program's own launches. Both sizes are timed on the same
 * work-items, in turns: a launch's window has the size on trial, the same window of the next launch the size at hand.
 * Windows lie at four places of the range, so that work that differs over it weighs in both sizes alike. A window is
 * two parts, of two saturations and of three, as the "sampling and learning" paper has them (section 5.1). What is
 * faster by its windows must be so in whole launches, too, made in turns, before it takes the other's place. Launches
 * too short for windows, but made often, are timed as wholes. Every work-item is executed once.
 *
 * Known here are numbers only; layer_sample.c cuts and times launches.
 */
#ifndef GPUPERF_RUNTIME_SAMPLING_H
#define GPUPERF_RUNTIME_SAMPLING_H

#include "runtime/decision.h"

/* Parts of a launch: before its window, the window's two, behind it. */
enum { GP_SAMPLE_PARTS = 4, GP_WINDOW = 1, GP_WINDOW_PARTS = 2, GP_WINDOWS = 4 };

/* How a launch is cut. */
struct gp_cut {
    uint32_t dimension;
    uint64_t items[GP_SAMPLE_PARTS]; /* along it, of each part in order; 0: there is none */
};

/*
 * Work-items of all saturations: `at_once` of them fill the device once with the trial's size (Psat groups on each SM),
 * and the whole launch takes launch_ns, as predicted or measured: where a part would be too short to be timed it has
 * more saturations, two to three. The window is the one of that number, 0 to GP_WINDOWS - 1, along the dimension with
 * most groups. Sizes of zeros are left to the driver. False: the launch is too small for that, since a window may be a
 * quarter of it at most.
 */
bool gp_cut_launch(const struct gp_open_launch *launch, const uint32_t on_trial[3], const uint32_t at_hand[3],
                   double at_once, double launch_ns, uint32_t window, struct gp_cut *cut);

/* All of the launch is its last part. */
struct gp_cut gp_cut_nothing(const struct gp_open_launch *launch);

/* ---- One size on trial ---- */

enum gp_side { GP_ON_TRIAL, GP_AT_HAND, GP_SIDES };

/* Times are the shortest of each kind so far, since whatever disturbs only makes longer; 0: none. */
struct gp_trial {
    bool whole;                                       /* launches are timed as wholes */
    uint32_t turns, whole_turns;                      /* the first two are not counted: they may hold builds */
    double share[GP_WINDOW_PARTS];                    /* of the launch's work-items */
    double ns[GP_WINDOWS][GP_SIDES][GP_WINDOW_PARTS]; /* of windows */
    double launch_ns;                                 /* at hand, the sum of its parts */
    double whole_ns[GP_SIDES];
};

/* What the next launch of a trial is. */
struct gp_turn {
    bool whole;
    enum gp_side side; /* of the window, or of the whole */
    uint32_t window;
};

struct gp_turn gp_trial_next(const struct gp_trial *trial);
void gp_trial_add(struct gp_trial *trial, const struct gp_cut *cut, const double ns[GP_SAMPLE_PARTS]);

/*
 * The paper's t_linear(N) = t_Psat1 + (t_Psat2 - t_Psat1) / (Psat2 - Psat1) * (N - Psat1), in nanoseconds for the whole
 * launch, with shares of the launch for numbers of groups, in the mean over its windows; the parts' own rate where the
 * longer one was not slower.
 */
double gp_trial_linear_ns(const struct gp_trial *trial, enum gp_side side);

/* Time of the size on trial over that at hand, of the windows that were timed with both, or of whole launches. */
double gp_trial_ratio(const struct gp_trial *trial);

/* The slowest window's time over the fastest's, as far as both sizes say so: what disturbs one of them tells nothing of
 * the work. 1: not known. */
double gp_trial_unevenness(const struct gp_trial *trial);

enum gp_verdict { GP_TRIAL_OPEN, GP_TRIAL_FASTER, GP_TRIAL_SLOWER };

/* expected: time on trial over that at hand, as predicted; 0: not known. A gain far beyond it is measured twice. The
 * trial goes on with whole launches where its windows say that it is faster. */
enum gp_verdict gp_trial_judge(struct gp_trial *trial, double expected);

/* ---- All trials of a decision, one after the other: the size that the program would get, then the next alternatives
 * ---- */

enum { GP_SAMPLE_AS_IT_IS = -1 }; /* instead of an alternative's index: the launch as the program made it */

enum { GP_SAMPLE_LOOKS = 2 }; /* launches that are timed as they are, before the first trial */

struct gp_sampling {
    bool begun, over, tried;
    bool checking;         /* what was kept is compared with what it replaced */
    int at_hand, on_trial; /* gp_sampling_of()'s indices, or GP_SAMPLE_AS_IT_IS */
    struct gp_trial trial;
    double at_hand_ns, as_it_is_ns; /* measured, of the whole launch; 0: not yet */
    uint32_t looks;                 /* so far */
    uint64_t seen;                  /* launches that gp_sampling_affords() was asked about */
    double lost_ns;                 /* what launches that were timed took longer than at hand, of all trials */
    double unevenness;              /* the largest that was seen; 0: none was looked for */
    uint64_t launches, check_after; /* since the last check; 0: not known yet */
    struct gp_decision predicted;   /* before it was sampled, where `begun` */
};

void gp_sampling_begin(struct gp_sampling *sampling, const struct gp_decision *decision);

/* Whether there is anything to try. */
bool gp_sampling_has_trials(const struct gp_decision *decision);

/* The alternative of an index (those worth taking, then those worth trying); NULL: as it is. */
const struct gp_alternative *gp_sampling_of(const struct gp_decision *decision, int index);

/* The size of an index; zeros: the driver's, which is not known. */
const uint32_t *gp_sampling_size(const struct gp_decision *decision, int index);

/* What gp_cut_launch() asks of the size on trial; the time of the whole launch is about what was measured of the size
 * at hand, once it was. */
double gp_sampling_at_once(const struct gp_decision *decision, int index);
double gp_sampling_time_ns(const struct gp_sampling *sampling, const struct gp_decision *decision);

/* What the next launch is: at first it is timed as it is, since how long it is decides how it is cut. */
struct gp_turn gp_sampling_next(const struct gp_sampling *sampling);

/*
 * Whether the next launch may be one of a trial where nobody has asked for sampling: trials may have lost a hundredth
 * of what all launches took, beside what the next one does with a size that is half as fast. Counts the launch.
 */
bool gp_sampling_affords(struct gp_sampling *sampling);

/* Launches cannot be cut: whole ones are to be timed, where they are long enough for that and made often. False: not
 * this one. */
bool gp_sampling_take_wholes(struct gp_sampling *sampling);

/* Whether they are worth being timed as wholes, and it is only too early for it. */
bool gp_sampling_may_take_wholes(const struct gp_sampling *sampling);

/* A launch was timed. True: that was the last trial, and the decision is now what was measured: one alternative, or
 * none, and `sampled`. */
bool gp_sampling_add(struct gp_sampling *sampling, const struct gp_cut *cut, const double ns[GP_SAMPLE_PARTS],
                     struct gp_decision *decision);

/* The size on trial cannot be tried on such launches: on to the next. As above. */
bool gp_sampling_skip(struct gp_sampling *sampling, struct gp_decision *decision);

/* A launch of a decision that was measured. True: it is time to check whether that still holds, in whole launches. The
 * checks cost less than a hundredth of the launches between them, which double. */
bool gp_sampling_check_is_due(struct gp_sampling *sampling, const struct gp_decision *decision, bool from_cache);

/* A launch of a check was timed. */
enum gp_check { GP_CHECK_OPEN, GP_CHECK_HOLDS, GP_CHECK_FORGOTTEN };

/* FORGOTTEN: the decision is as it was predicted, to be sampled anew; where that is not known (it came measured from
 * the cache) launches are left as they are. */
enum gp_check gp_sampling_add_check(struct gp_sampling *sampling, const struct gp_cut *cut,
                                    const double ns[GP_SAMPLE_PARTS], struct gp_decision *decision);

/* The check could not be made: what was measured stays. */
void gp_sampling_end_check(struct gp_sampling *sampling);

#endif
