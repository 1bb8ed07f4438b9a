/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Names of what predictions tell, and of models. */
#include <string.h>

#include "model/predict.h"

static const char *const limiter_names[] = {
#define X(name, text) text,
    GP_LIMITERS(X)
#undef X
};

static const struct {
    const char *name;
    bool warns;
} causes[] = {
#define X(name, text, warns) {text, warns},
    GP_CAUSES(X)
#undef X
};

const char *gp_limiter_name(enum gp_limiter limiter)
{
    return limiter < GP_LIMITER_COUNT ? limiter_names[limiter] : "?";
}

const char *gp_cause_name(enum gp_cause cause) { return cause < GP_CAUSE_COUNT ? causes[cause].name : "?"; }

bool gp_cause_warns(enum gp_cause cause) { return cause < GP_CAUSE_COUNT && causes[cause].warns; }

bool gp_cause_is_a_limit(enum gp_cause cause) { return cause == GP_CAUSE_LATENCY || cause == GP_CAUSE_BANDWIDTH; }

bool gp_model_parse(const char *name, enum gp_model *model, struct gp_error *error)
{
    static const char *const names[] = {"auto", "throughput", "mwp-cwp", "trace"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0) {
            *model = (enum gp_model)i;
            return true;
        }
    return gp_fail(error, "unknown model '%s'; the models are auto, throughput, mwp-cwp, trace", name);
}
