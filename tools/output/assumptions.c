/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/output/assumptions.h"

#include <inttypes.h>
#include <stdio.h>

#include "model/value/value.h"
#include "report/json_string.h"

static void add(json_t *list, const char *name, const char *value, bool stated, const char *reason)
{
    json_array_append_new(list, json_pack("{s:o,s:o,s:b,s:o}", "name", gp_json_string(name), "value",
                                          gp_json_string(value), "stated", stated, "reason", gp_json_string(reason)));
}

static void add_range(const struct gp_result *result, json_t *list)
{
    static const char *const usual[] = {"the usual range of one dimension", "the usual range of two dimensions",
                                        "the usual range of three dimensions"};
    const struct gp_launch *launch = result->launch;
    char text[96];
    int length = snprintf(text, sizeof text, "%" PRIu64, launch->global[0]);
    for (uint32_t d = 1; d < launch->dims; d++)
        length += snprintf(text + length, sizeof text - (size_t)length, "x%" PRIu64, launch->global[d]);
    add(list, "global", text, !launch->global_assumed, launch->global_assumed ? usual[launch->dims - 1] : "stated");
}

static const char *reason_for(const struct gp_param *param, const struct gp_argument *argument)
{
    static const char *const dimensions[] = {"it bounds the ids of dimension 0", "it bounds the ids of dimension 1",
                                             "it bounds the ids of dimension 2"};
    if (argument->stated)
        return "stated";
    if (!argument->known)
        return "not known: it decides something that nothing in the code tells";
    if (argument->distance)
        return "a distance between neighbours, taken to be 1";
    return param->bounds_dim < GP_MAX_DIMS ? dimensions[param->bounds_dim] : "what its use in the kernel tells";
}

static void add_argument(const struct gp_param *param, const struct gp_argument *argument, json_t *list)
{
    char text[32] = "?";
    bool integer = param->kind == GP_PARAM_INT && param->bits <= 64;
    if (param->name[0] == '\0' || !(param->flags & GP_PARAM_SKELETON) || (!integer && param->kind != GP_PARAM_FLOAT))
        return;
    if (argument->known && integer && (param->flags & GP_PARAM_SIGNED))
        snprintf(text, sizeof text, "%" PRId64, (int64_t)gp_sign_extend(argument->value, param->bits));
    else if (argument->known && integer)
        snprintf(text, sizeof text, "%" PRIu64, argument->value);
    add(list, param->name, text, argument->stated, reason_for(param, argument));
}

json_t *gp_assumptions(const struct gp_result *result)
{
    const struct gp_launch *launch = result->launch;
    json_t *list = json_array();
    add_range(result, list);
    add(list, "caches", launch->cold ? "cold" : "warm", !launch->cold,
        launch->cold ? "nothing is left of launches before, unless --warm" : "stated");
    for (uint32_t i = 0; i < result->kernel->param_count && i < GP_MAX_ARGUMENTS; i++)
        add_argument(&result->kernel->params[i], &launch->arguments[i], list);
    return list;
}
