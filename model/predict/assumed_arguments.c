/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/predict/assumed_arguments.h"

#include <math.h>
#include <stdlib.h>

bool gp_argument_is_assumed(const struct gp_kernel *kernel, const struct gp_launch *launch, uint32_t param)
{
    const struct gp_param *p = &kernel->params[param];
    bool used = (p->flags & GP_PARAM_SKELETON) != 0 && p->kind == GP_PARAM_INT && p->bits <= 64;
    return launch->assumed && used && launch->arguments[param].known && !launch->arguments[param].stated;
}

bool gp_any_argument_is_assumed(const struct gp_kernel *kernel, const struct gp_launch *launch)
{
    for (uint32_t i = 0; i < kernel->param_count && i < GP_MAX_ARGUMENTS; i++)
        if (gp_argument_is_assumed(kernel, launch, i))
            return true;
    return false;
}

/* 0: there is no such time. */
static double time_of(struct gp_predictor *predictor, const struct gp_device *device, const struct gp_launch *launch,
                      const struct gp_predict_options *options, struct gp_prediction *scratch)
{
    return gp_predict(predictor, device, launch, options, scratch, NULL) && scratch->feasible ? scratch->time_ns : 0;
}

/* Of as many bits as the parameter has: twice a number that has no room is the number itself. */
static uint64_t twice(const struct gp_param *param, uint64_t value)
{
    unsigned bits = param->bits - ((param->flags & GP_PARAM_SIGNED) != 0);
    return bits > 1 && value >> (bits - 1) == 0 ? 2 * value : value;
}

static bool matters(double ratio)
{
    const double a_tenth = 0.1;
    return ratio > 0 && fabs(ratio - 1) > a_tenth;
}

uint32_t gp_effects_of_arguments(struct gp_predictor *predictor, const struct gp_kernel *kernel,
                                 const struct gp_device *device, const struct gp_launch *launch,
                                 const struct gp_predict_options *options, struct gp_argument_effect *effects,
                                 uint32_t most)
{
    struct gp_launch *other = malloc(sizeof *other);
    struct gp_prediction *scratch = malloc(sizeof *scratch);
    struct gp_predict_options quick = *options;
    quick.bottlenecks = false;
    quick.quick = true;
    double as_it_is = other != NULL && scratch != NULL ? time_of(predictor, device, launch, &quick, scratch) : 0;
    uint32_t count = 0, asked = 0;
    for (uint32_t i = 0; as_it_is > 0 && i < kernel->param_count && i < GP_MAX_ARGUMENTS && asked < most; i++) {
        if (!gp_argument_is_assumed(kernel, launch, i))
            continue;
        struct gp_argument_effect effect = {.param = i};
        *other = *launch;
        other->arguments[i].value = launch->arguments[i].value / 2;
        effect.halved = time_of(predictor, device, other, &quick, scratch) / as_it_is;
        other->arguments[i].value = twice(&kernel->params[i], launch->arguments[i].value);
        effect.doubled = time_of(predictor, device, other, &quick, scratch) / as_it_is;
        asked++;
        if (matters(effect.halved) || matters(effect.doubled))
            effects[count++] = effect;
    }
    free(other);
    free(scratch);
    return count;
}
