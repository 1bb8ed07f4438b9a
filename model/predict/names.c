/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Names of models. */
#include <string.h>

#include "model/predict.h"

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
