/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The causes' names. */
#include "model/predict.h"

static const struct {
    const char *name;
    bool warns;
} causes[] = {
#define X(name, text, warns) {text, warns},
    GP_CAUSES(X)
#undef X
};

const char *gp_cause_name(enum gp_cause cause) { return cause < GP_CAUSE_COUNT ? causes[cause].name : "?"; }

bool gp_cause_warns(enum gp_cause cause) { return cause < GP_CAUSE_COUNT && causes[cause].warns; }

bool gp_cause_is_a_limit(enum gp_cause cause) { return cause == GP_CAUSE_LATENCY || cause == GP_CAUSE_BANDWIDTH; }
