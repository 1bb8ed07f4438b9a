/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A change of the source on trial: what its launches take before and after. */
#ifndef GPUPERF_TOOLS_FIXIT_TRIAL_H
#define GPUPERF_TOOLS_FIXIT_TRIAL_H

#include "tools/fixit/fixes.h"
#include "tools/session.h"

/* What the source as it is takes with one local size of a kernel on a device. */
struct gp_baseline {
    size_t device; /* of the session */
    const struct gp_profile *profile;
    const struct gp_kernel *kernel;
    struct gp_prediction prediction; /* with its bottlenecks */
    bool launched;                   /* the size that the launch would have */
};

struct gp_baselines {
    struct gp_baseline *list;
    size_t count;
};

/* The same with the changed source, in the order of the baselines. */
struct gp_outcome_row {
    double time_ns;  /* 0: it is not known */
    double promised; /* a speedup, by the findings; 0: by none */
};

struct gp_trial {
    const struct gp_fix *fix;
    struct gp_outcome_row *rows;
    double best, worst;    /* of the speedups */
    struct gp_error error; /* why it could not be predicted; "": it was */
    char *changed;         /* the source with it */
};

/* Compiles and predicts the changed source. What goes wrong with it is in trial->error. False: a sentence, out of
 * memory. */
bool gp_try_fix(const struct gp_session *session, const struct gp_baselines *baselines, const struct gp_fix *fix,
                struct gp_trial *trial, struct gp_error *error);
void gp_trial_free(struct gp_trial *trial);

/* Worth offering: one launch is so many times as fast at least, and none is slower than that. */
#define GP_TRIAL_GAIN 1.02
#define GP_TRIAL_LOSS 0.99
bool gp_trial_gains(const struct gp_trial *trial);

#endif
