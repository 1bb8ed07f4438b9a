/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/assumed.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "model/assume/describe.h"
#include "model/predict/how_sure.h"

/* Boards of a target that is no board: as far apart as the fastest and the slowest of them. */
static struct gp_unknown unknown_device(const struct gp_result *result)
{
    const struct gp_board_range *boards = &result->boards;
    double ns = result->predictions[0].time_ns;
    if (boards->count == 0 || ns <= 0)
        return gp_unknown_of_device(result->device);
    return (struct gp_unknown){fmax(0, log(ns / boards->fastest_ns)), fmax(0, log(boards->slowest_ns / ns))};
}

void gp_take_assumed(struct gp_predictor *predictor, struct gp_result *result, const struct gp_predict_options *options)
{
    gp_find_effects(predictor, result->kernel, result->device, result->launch, options, &result->effects);
    struct gp_unknown device = unknown_device(result), arguments = gp_unknown_of_arguments(&result->effects);
    for (size_t i = 0; i < result->count; i++)
        gp_take_unknown(&result->predictions[i], device, arguments);
}

static void print_number(const struct gp_param *param, uint64_t value, struct gp_text *out)
{
    if (param->flags & GP_PARAM_SIGNED)
        gp_text_printf(out, "%" PRId64, (int64_t)(value << (64 - param->bits)) >> (64 - param->bits));
    else
        gp_text_printf(out, "%" PRIu64, value);
}

/* The sentence of the rule that the value comes from; NULL: nobody assumed it, or it is of something larger. */
static const char *reason_of(const struct gp_result *result, const char *name)
{
    struct gp_assumption list[GP_MOST_ASSUMPTIONS];
    size_t count = gp_launch_assumptions(result->kernel, result->launch, list);
    for (size_t i = 0; i < count; i++)
        if (!list[i].stated && strcmp(list[i].name, name) == 0)
            return list[i].why;
    return NULL;
}

static void print_effect(const struct gp_result *result, const char *name, const struct gp_argument_effect *effect,
                         struct gp_text *out)
{
    const char *why = reason_of(result, name);
    bool halves = effect->halved > 0, doubles = effect->doubled > 0;
    if (halves)
        gp_text_printf(out, ": half of it %.2fx", effect->halved);
    if (doubles)
        gp_text_printf(out, "%s twice %.2fx", halves ? "," : ":", effect->doubled);
    gp_text_printf(out, "%s", halves || doubles ? " the time" : ":");
    if (!halves || !doubles)
        gp_text_printf(out, "%s with %s the kernel would not run, or not end", halves || doubles ? ";" : "",
                       halves ? "twice of it" : "half of it");
    gp_text_printf(out, "\n");
    if (why != NULL)
        gp_text_printf(out, "      why: %s\n", why);
}

static void print_deciding(const struct gp_result *result, struct gp_text *out)
{
    const struct gp_argument_effects *effects = &result->effects;
    if (effects->count > 0 || effects->trip_matters)
        gp_text_printf(out, "\n  Assumed arguments that decide the time (state them with --arg):\n");
    for (uint32_t i = 0; i < effects->count; i++) {
        const struct gp_argument_effect *effect = &effects->items[i];
        const struct gp_param *param = &result->kernel->params[effect->param];
        gp_text_printf(out, "    %s=", param->name);
        print_number(param, result->launch->arguments[effect->param].value, out);
        print_effect(result, param->name, effect, out);
    }
    if (effects->trip_matters) {
        gp_text_printf(out, "    trip=%u (--trip)", result->launch->assumed_trip_count);
        print_effect(result, "trip", &effects->trip, out);
    }
}

static bool decides(const struct gp_argument_effects *effects, uint32_t param)
{
    for (uint32_t i = 0; i < effects->count; i++)
        if (effects->items[i].param == param)
            return true;
    return false;
}

/* Those that do not decide the time, of the first that were tried or of the others: what they are, and why. */
static void print_list(const struct gp_result *result, bool tried, const char *head, struct gp_text *out)
{
    const struct gp_argument_effects *effects = &result->effects;
    const struct gp_kernel *kernel = result->kernel;
    uint32_t before = 0;
    bool headed = false;
    for (uint32_t i = 0; i < kernel->param_count && i < GP_MAX_ARGUMENTS; i++) {
        const struct gp_param *param = &kernel->params[i];
        if (!gp_argument_is_assumed(kernel, result->launch, i))
            continue;
        bool was_tried = before++ < effects->asked;
        if (was_tried != tried || decides(effects, i) || param->name[0] == '\0')
            continue;
        const char *why = reason_of(result, param->name);
        gp_text_printf(out, "%s    %s=", headed ? "" : head, param->name);
        print_number(param, result->launch->arguments[i].value, out);
        gp_text_printf(out, "%s%s\n", why != NULL ? ": " : "", why != NULL ? why : "");
        headed = true;
    }
}

void gp_print_assumed(const struct gp_result *result, struct gp_text *out)
{
    const struct gp_argument_effects *effects = &result->effects;
    print_deciding(result, out);
    print_list(result, true, "\n  Assumed arguments that change it by less than a tenth:\n", out);
    if (effects->asked == effects->assumed)
        return;
    gp_text_printf(out, "\n  %u of %u assumed arguments were not tried, since %s:\n", effects->assumed - effects->asked,
                   effects->assumed,
                   gp_launched(result)->endless > 0 ? "a loop never ends with them" : "each prediction takes long");
    print_list(result, false, "", out);
}
