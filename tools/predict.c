/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/report_json.h"
#include "support/suggest.h"
#include "tools/assumed.h"
#include "tools/command.h"
#include "tools/fixit/offer.h"
#include "tools/input.h"
#include "tools/output/printer.h"
#include "tools/progress.h"
#include "tools/results.h"
#include "tools/session.h"
#include "tools/settings.h"
#include "model/assume/group_sizes.h"
#include "model/assume/defaults.h"
#include "model/assume/stated.h"

/* ---- Devices ---------------------------------------------------------------------------------------------------- */

static const char *default_device(const struct gp_input *input)
{
    const char *set = getenv("GPUPERF_DEVICE");
    if (set != NULL && set[0] != '\0')
        return set;
    if (gp_input_is_hip(input))
        return "mi250x";
    const struct gp_profile *profile = input->profiles ? input->profiles[0] : NULL;
    const char *of_target = profile ? gp_device_for_target(profile->triple, profile->cpu) : NULL;
    if (of_target == NULL && profile && gp_is_target(profile->cpu))
        return profile->cpu;
    return of_target ? of_target : "a100";
}

static bool load_device(struct gp_session *s, const char *spec, struct gp_error *error)
{
    struct gp_device *device = gp_settings_device(&s->settings, spec, error);
    if (device == NULL)
        return false;
    for (size_t i = 0; i < s->device_count; i++) {
        if (strcmp(s->devices[i]->name, device->name) == 0) { /* named twice */
            gp_device_free(device);
            return true;
        }
    }
    s->devices[s->device_count++] = device;
    return true;
}

static bool load_devices(struct gp_session *s, struct gp_error *error)
{
    struct gp_arguments names = {0};
    if (s->settings.devices.count > 0) {
        gp_arguments_add_all(&names, (const char *const *)s->settings.devices.items);
    } else {
        char *text = strdup(default_device(&s->input)), *rest = NULL;
        for (char *name = text ? strtok_r(text, ",", &rest) : NULL; name != NULL; name = strtok_r(NULL, ",", &rest))
            gp_arguments_add(&names, "%s", name);
        free(text);
    }
    s->devices = calloc(names.count + 1, sizeof *s->devices);
    s->profiles = calloc(names.count + 1, sizeof *s->profiles);
    s->suited = calloc(names.count + 1, sizeof *s->suited);
    bool done = s->devices != NULL && s->profiles != NULL && s->suited != NULL ? true : gp_fail(error, "out of memory");
    for (size_t i = 0; done && i < names.count; i++)
        done = load_device(s, names.items[i], error);
    gp_arguments_free(&names);
    return done;
}

/* ---- Kernels ---------------------------------------------------------------------------------------------------- */

static bool is_wanted(const struct gp_settings *settings, const struct gp_kernel *kernel)
{
    for (size_t i = 0; i < settings->kernels.count; i++)
        if (gp_kernel_is_called(kernel, settings->kernels.items[i]))
            return true;
    return settings->kernels.count == 0;
}

static bool fail_unknown_kernel(const struct gp_profile *profile, const char *path, const char *name,
                                struct gp_error *error)
{
    struct gp_text names = {0}, meant = {0};
    for (uint32_t i = 0; i < profile->kernel_count; i++) {
        gp_text_printf(&names, "%s%s", i ? ", " : "",
                       gp_kernel_is_overloaded(profile, &profile->kernels[i]) ? profile->kernels[i].symbol
                                                                              : profile->kernels[i].name);
        gp_suggest(name, profile->kernels[i].name, &meant);
    }
    gp_fail(error, "%s has no kernel '%s'%s; there %s %s", path, name, meant.length > 0 ? meant.data : "",
            profile->kernel_count == 1 ? "is" : "are", names.data);
    gp_text_free(&names);
    gp_text_free(&meant);
    return false;
}

static bool check_kernels(const struct gp_session *s, const struct gp_profile *profile, struct gp_error *error)
{
    if (profile->kernel_count == 0)
        return gp_fail(error, "%s has no kernels", s->input.path);
    for (size_t i = 0; i < s->settings.kernels.count; i++) {
        if (gp_profile_find(profile, s->settings.kernels.items[i]) == NULL)
            return fail_unknown_kernel(profile, s->input.path, s->settings.kernels.items[i], error);
    }
    return true;
}

/* ---- The launch ------------------------------------------------------------------------------------------------- */

static void split_value(const char *text, char name[256], const char **number)
{
    size_t length = strcspn(text, "=");
    length = length < 255 ? length : 255;
    memcpy(name, text, length);
    name[length] = '\0';
    *number = strchr(text, '=') + 1;
}

static bool has_like(const struct gp_kernel *kernel, const char *name)
{
    struct gp_text meant = {0};
    gp_suggest_argument(kernel, name, &meant);
    bool found = meant.length > 0;
    gp_text_free(&meant);
    return found;
}

/* The first wanted kernel that has the argument; else the one, whose complaint lists what there is, that has one of
 * nearly that name, or the first. */
static const struct gp_kernel *kernel_with(const struct gp_session *s, const struct gp_profile *profile,
                                           const char *name)
{
    const struct gp_kernel *first = NULL, *like = NULL;
    for (uint32_t k = 0; k < profile->kernel_count; k++) {
        if (!is_wanted(&s->settings, &profile->kernels[k]))
            continue;
        if (gp_launch_has_argument(&profile->kernels[k], name))
            return &profile->kernels[k];
        first = first != NULL ? first : &profile->kernels[k];
        like = like == NULL && has_like(&profile->kernels[k], name) ? &profile->kernels[k] : like;
    }
    return like != NULL ? like : first;
}

/* An argument must be one of some wanted kernel, and each of its values one that it can have; the kernels that do not
 * have it are left alone. */
static bool check_values(const struct gp_session *s, const struct gp_profile *profile, struct gp_error *error)
{
    for (size_t i = 0; i < s->settings.axes.count; i++) {
        const struct gp_axis *axis = &s->settings.axes.list[i];
        const struct gp_kernel *kernel = axis->kind == GP_AXIS_ARGUMENT ? kernel_with(s, profile, axis->name) : NULL;
        struct gp_launch launch;
        if (kernel == NULL)
            continue;
        gp_launch_default(kernel, &launch);
        for (size_t k = 0; k < axis->values.count; k++)
            if (!gp_launch_set_argument(kernel, &launch, axis->name, axis->values.items[k], error))
                return false;
    }
    return true;
}

static bool set_values(const struct gp_session *s, const struct gp_kernel *kernel, struct gp_launch *launch,
                       struct gp_error *error)
{
    for (size_t i = 0; i < s->now.values.count; i++) {
        char name[256];
        const char *number;
        split_value(s->now.values.items[i], name, &number);
        if (gp_launch_has_argument(kernel, name) && !gp_launch_set_argument(kernel, launch, name, number, error))
            return false;
    }
    return true;
}

static bool has_groups(const struct gp_session *s) { return s->now.groups.dims > 0; }

/* The local size at hand; where the number of groups is given the range goes with it, and arguments stay. */
static bool set_local(const struct gp_session *s, const uint32_t local[3], struct gp_launch *launch,
                      struct gp_error *error)
{
    memcpy(launch->local, local, sizeof launch->local);
    for (uint32_t d = 0; has_groups(s) && d < 3; d++)
        if (__builtin_mul_overflow(d < s->now.groups.dims ? s->now.groups.size[d] : 1, local[d], &launch->global[d]))
            return gp_fail(error, "--groups: so many groups of %u work-items are more than any device runs", local[d]);
    return true;
}

/* The range that arguments nobody states follow from: so many groups of the size that is assumed where none is given.
 */
static bool set_groups(const struct gp_session *s, const struct gp_kernel *kernel, struct gp_launch *launch,
                       struct gp_error *error)
{
    static const uint64_t wide[3] = {1024, 1024, 1024};
    uint64_t global[3];
    gp_launch_set_global(kernel, launch, s->now.groups.dims, wide);
    if (!set_local(s, launch->local, launch, error))
        return false;
    memcpy(global, launch->global, sizeof global);
    gp_launch_set_global(kernel, launch, s->now.groups.dims, global);
    return true;
}

/* The range that stated arguments set is of whole groups of the size that is given. */
static void take_only_local(const struct gp_session *s, struct gp_launch *launch)
{
    const struct gp_sizes *only = &s->settings.locals[0];
    if (s->settings.local_count != 1 || has_groups(s))
        return;
    for (int d = 0; d < 3; d++)
        launch->local[d] = (uint32_t)fmin(UINT32_MAX, fmax(1, (double)only->size[d]));
    launch->local_stated = true;
}

static bool make_launch(const struct gp_session *s, const struct gp_kernel *kernel, struct gp_launch *launch,
                        struct gp_error *error)
{
    gp_launch_default(kernel, launch);
    if (s->settings.trip_count > 0)
        launch->assumed_trip_count = s->settings.trip_count;
    if (s->now.global.dims > 0)
        gp_launch_set_global(kernel, launch, s->now.global.dims, s->now.global.size);
    if (has_groups(s) && !set_groups(s, kernel, launch, error))
        return false;
    launch->cold = !s->settings.warm;
    take_only_local(s, launch);
    return set_values(s, kernel, launch, error);
}

/* An assumed global size that a local size does not divide is nobody's mistake. */
static bool states_global(const struct gp_session *s, const struct gp_kernel *kernel)
{
    return s->now.global.dims > 0 || kernel->stated.default_global[0] != 0;
}

/* ---- Predictions ------------------------------------------------------------------------------------------------- */

struct locals {
    uint32_t size[GP_MAX_CANDIDATES][3];
    uint32_t (*list)[3];
    size_t count;
};

/* Adds a size that is not among them yet. */
static void add_local(struct locals *locals, const uint32_t size[3])
{
    for (size_t i = 0; i < locals->count; i++)
        if (memcmp(locals->list[i], size, sizeof locals->list[i]) == 0)
            return;
    memcpy(locals->list[locals->count++], size, sizeof *locals->list);
}

static bool given_locals(const struct gp_session *s, const struct gp_kernel *kernel, struct locals *locals,
                         struct gp_error *error)
{
    locals->list = calloc(s->settings.local_count, sizeof *locals->list);
    if (locals->list == NULL)
        return gp_fail(error, "out of memory");
    for (size_t i = 0; i < s->settings.local_count; i++) {
        uint32_t local[3];
        for (int d = 0; d < 3; d++) {
            uint64_t size = s->settings.locals[i].size[d];
            if (size > UINT32_MAX)
                return gp_fail(error, "kernel '%s': a local size of %llu is beyond what any device runs", kernel->name,
                               (unsigned long long)size);
            local[d] = (uint32_t)size;
        }
        add_local(locals, local);
    }
    return true;
}

static bool find_locals(const struct gp_session *s, const struct gp_result *result, struct locals *locals,
                        struct gp_error *error)
{
    if (s->settings.local_count > 0)
        return given_locals(s, result->kernel, locals, error);
    locals->list = locals->size;
    locals->count =
        gp_candidates(result->device, result->kernel, result->launch,
                      !has_groups(s) && gp_needs_uniform_groups(result->profile, s->settings.clang_arguments),
                      locals->size, GP_MAX_CANDIDATES);
    return locals->count > 0 || gp_fail(error, "kernel '%s' has no local size that %s can run for this global size",
                                        result->kernel->name, result->device->name);
}

/* One local size. A size that the device cannot run is an error when it was asked for, and else passed over. */
static bool predict_local(const struct gp_session *s, struct gp_predictor *predictor, struct gp_result *result,
                          const uint32_t local[3], const struct gp_predict_options *options, struct gp_error *error)
{
    struct gp_prediction *p = &result->predictions[result->count];
    memset(p, 0, sizeof *p);
    bool asked = s->settings.local_count > 0;
    bool done = set_local(s, local, result->launch, error) &&
                gp_predict(predictor, result->device, result->launch, options, p, error);
    if (done && !p->feasible)
        done = gp_fail(error, "kernel '%s' cannot run with %s %ux%ux%u on %s: %s", result->kernel->name,
                       gp_local_word(result), local[0], local[1], local[2], result->device->name, p->why);
    result->count += done;
    if (p->overruns && result->overrun_why[0] == '\0') {
        memcpy(result->overrun, local, sizeof result->overrun);
        snprintf(result->overrun_why, sizeof result->overrun_why, "%s", p->why);
    }
    return done || !asked;
}

/* Where the candidates all overrun an array: the largest half, quarter ... of the assumed group that does not. */
static bool predict_smaller(const struct gp_session *s, struct gp_predictor *predictor, struct gp_result *result,
                            const uint32_t assumed[3], const struct gp_predict_options *options, struct gp_error *error)
{
    struct gp_launch smaller = *result->launch;
    memcpy(smaller.local, assumed, sizeof smaller.local);
    while (result->count == 0 && gp_launch_halve_group(&smaller))
        if (!predict_local(s, predictor, result, smaller.local, options, error))
            return false;
    return true;
}

/* Of the sizes whose groups are whole warps, the time of the fastest; 0: none is. */
static double fastest_filled(const struct gp_result *result)
{
    uint32_t lanes = (uint32_t)fmax(1, result->device->warp_width.value);
    double cycles = 0;
    for (size_t i = 0; i < result->count; i++) {
        const struct gp_prediction *p = &result->predictions[i];
        bool filled = p->local[0] * p->local[1] * p->local[2] % lanes == 0;
        if (filled && p->feasible && (cycles == 0 || p->cycles < cycles))
            cycles = p->cycles;
    }
    return cycles;
}

static bool explain_one(const struct gp_session *s, struct gp_predictor *predictor, struct gp_result *result,
                        struct gp_prediction *p, const struct gp_predict_options *options, struct gp_error *error)
{
    uint32_t rank = p->rank;
    bool done = set_local(s, p->local, result->launch, error) &&
                gp_predict(predictor, result->device, result->launch, options, p, error);
    p->rank = rank;
    return done;
}

/* The repaired states cost several predictions: a table shows them for few sizes only, JSON for all. */
static bool explain_some(const struct gp_session *s, struct gp_predictor *predictor, struct gp_result *result,
                         struct gp_predict_options options, struct gp_error *error)
{
    options.bottlenecks = true;
    options.filled_cycles = fastest_filled(result);
    for (size_t i = 0; i < result->count; i++)
        if (gp_is_explained(result, i) && !explain_one(s, predictor, result, &result->predictions[i], &options, error))
            return false;
    return true;
}

static bool is_predicted(const struct gp_result *result, const uint32_t local[3])
{
    size_t i = 0;
    while (i < result->count && memcmp(result->predictions[i].local, local, sizeof result->predictions[i].local) != 0)
        i++;
    return i < result->count;
}

/* The size that the launch would have is one of those that were asked for, or none of them is. */
static void note_launched(const struct gp_session *s, struct gp_result *result, const uint32_t assumed[3])
{
    const struct gp_prediction *only = &result->predictions[0];
    const uint32_t *launched = s->settings.local_count > 0 && result->count == 1 ? only->local : assumed;
    if (is_predicted(result, launched))
        memcpy(result->launched, launched, sizeof result->launched);
}

/* Sizes that are to be explained and no candidates. What the launch would have need not suit the device or the range.
 */
static bool predict_others(const struct gp_session *s, struct gp_predictor *predictor, struct gp_result *result,
                           const uint32_t assumed[3], const struct gp_predict_options *options, struct gp_error *error)
{
    bool divides = true;
    for (int d = 0; d < 3; d++)
        divides &= assumed[d] > 0 && (has_groups(s) || result->launch->global[d] % assumed[d] == 0);
    if (s->settings.local_count == 0 && divides && !is_predicted(result, assumed) &&
        !predict_local(s, predictor, result, assumed, options, error))
        return false;
    for (size_t i = 0; i < s->settings.explain_count; i++) {
        uint32_t local[3];
        for (int d = 0; d < 3; d++)
            local[d] = (uint32_t)fmin(UINT32_MAX, (double)s->settings.explain[i].size[d]);
        size_t before = result->count;
        if (!is_predicted(result, local) &&
            (!predict_local(s, predictor, result, local, options, error) || result->count == before))
            return false;
    }
    return true;
}

/* Where the local sizes so far tell that all would take too long, some of those behind them, spread evenly over the
 * list, stand for all. */
static void pass_over_some(const struct gp_session *s, struct gp_result *result, size_t next, struct locals *locals)
{
    uint64_t effort = 0;
    for (size_t i = 0; i < result->count; i++)
        effort += result->predictions[i].effort;
    size_t others = locals->count - next, affordable = gp_endurable_candidates(effort, result->count, s->kernel_count);
    if (others + result->count <= affordable)
        return;
    size_t kept = affordable > result->count ? affordable - result->count : 0;
    for (size_t i = 0; i < kept; i++)
        memmove(locals->list[next + i], locals->list[next + i * others / kept], sizeof locals->list[0]);
    locals->count = next + kept;
    result->passed_over += others - kept;
}

static void tell_progress(const struct gp_session *s, const struct gp_result *result, size_t done, size_t count)
{
    const char *name = result->kernel->name;
    if (s->combinations > 1)
        gp_progress("%.40s on %s: combination %zu of %zu", name, result->device->name, result->combination + 1,
                    s->combinations);
    else if (s->kernel_count > 1)
        gp_progress("%.40s on %s, kernel %zu of %zu: local size %zu of %zu", name, result->device->name,
                    s->kernel_number, s->kernel_count, done + 1, count);
    else
        gp_progress("%.40s on %s: local size %zu of %zu", name, result->device->name, done + 1, count);
}

/* The repaired states cost several predictions each: a table shows them for the best size, JSON for all; where many
 * launches or kernels are asked for, JSON for the best of each, and a table for none. */
static bool is_json(const struct gp_session *s)
{
    return s->settings.format == GP_PRINTS_ARRAY || s->settings.format == GP_PRINTS_DOCUMENT;
}
static bool is_summary(const struct gp_session *s) { return s->combinations > 1 || s->settings.overview; }
static bool explains_each(const struct gp_session *s) { return is_json(s) && !is_summary(s); }
static bool explains_best(const struct gp_session *s)
{
    return is_json(s) ? is_summary(s) : s->settings.format == GP_PRINTS_TEXT && !is_summary(s);
}

static bool predict_all(const struct gp_session *s, struct gp_predictor *predictor, struct gp_result *result,
                        struct locals *locals, struct gp_error *error)
{
    struct gp_predict_options options = {.model = s->settings.model,
                                         .clock_mhz = s->settings.clock_mhz,
                                         .bottlenecks = explains_each(s),
                                         .resident_warps = s->now.resident,
                                         .foreign_target = result->foreign};
    result->predictions = calloc(locals->count + s->settings.explain_count + 1, sizeof *result->predictions);
    if (result->predictions == NULL)
        return gp_fail(error, "out of memory");
    uint32_t assumed[3];
    memcpy(assumed, result->launch->local, sizeof assumed);
    for (size_t i = 0; i < locals->count; i++) {
        tell_progress(s, result, i, locals->count);
        if (!predict_local(s, predictor, result, locals->list[i], &options, error))
            return false;
        if (s->settings.local_count == 0 && result->count > 0)
            pass_over_some(s, result, i + 1, locals);
    }
    if (result->count == 0 && result->overrun_why[0] != '\0' && result->kernel->stated.required_local[0] == 0 &&
        !predict_smaller(s, predictor, result, assumed, &options, error))
        return false;
    if (result->count == 0)
        return false; /* every candidate failed; the sentence is the last one's */
    if (!predict_others(s, predictor, result, assumed, &options, error))
        return false;
    note_launched(s, result, assumed);
    gp_predictions_rank(result->predictions, result->count);
    bool shown = s->take == NULL; /* a trial asks for times alone */
    if (shown && gp_is_target(result->device->name) &&
        set_local(s, result->predictions[0].local, result->launch, error))
        gp_range_over_boards(predictor, result->device->name, result->launch, &options, &result->boards);
    if (explains_best(s) && !explain_some(s, predictor, result, options, error))
        return false;
    if (shown && set_local(s, result->predictions[0].local, result->launch, error))
        gp_take_assumed(predictor, result, &options);
    return true;
}

static bool has_local_memory(const struct gp_kernel *kernel)
{
    for (uint32_t i = 0; i < kernel->param_count; i++)
        if (kernel->params[i].kind == GP_PARAM_LOCAL)
            return true;
    return kernel->local_count > 0;
}

/* Local memory that is indexed by global ids bounds the range, where nobody has stated that. */
static void fit_range(const struct gp_session *s, struct gp_predictor *predictor, struct gp_result *result)
{
    struct gp_prediction p;
    struct gp_predict_options options = {.quick = true, .foreign_target = result->foreign};
    if (s->now.global.dims > 0 || has_groups(s) || !has_local_memory(result->kernel))
        return;
    while (gp_predict(predictor, result->device, result->launch, &options, &p, NULL) && p.overruns &&
           p.overruns_range != GP_NONE)
        if (!gp_launch_halve_range(result->kernel, result->launch, p.overruns_range))
            return;
}

static bool predict_launch(const struct gp_session *s, struct gp_predictor *predictor, struct gp_result *result,
                           struct gp_error *error)
{
    struct locals locals = {0};
    if (!make_launch(s, result->kernel, result->launch, error))
        return false;
    fit_range(s, predictor, result);
    bool done = find_locals(s, result, &locals, error) && predict_all(s, predictor, result, &locals, error);
    if (locals.list != locals.size)
        free(locals.list);
    return done;
}

static void free_result(struct gp_result *result)
{
    free(result->launch);
    free(result->predictions);
}

static void note_left_out(struct gp_session *s, const struct gp_error *error)
{
    if (s->left_out.length == 0)
        s->first_left_out = *error;
    gp_text_printf(&s->left_out, "gpuperf: left out: %s\n", error->text);
}

/* A source that one of several devices' compilers does not take. */
static bool leave_out_device(struct gp_session *s, const struct gp_device *device, const struct gp_error *error)
{
    struct gp_error named = {{0}};
    bool first = s->left_out.length == 0;
    if (s->device_count == 1)
        return false;
    gp_fail(&named, "%s: %.900s", device->name, error->text);
    note_left_out(s, &named);
    if (first)
        s->first_left_out = *error;
    return true;
}

/* The first few of a kernel's combinations on a device, and how many others; "" where nothing is varied. */
static void note_combination(struct gp_session *s, const struct gp_result *result, const struct gp_error *error)
{
    enum { TOLD = 4 };
    struct gp_text which = {0};
    struct gp_error named = *error;
    gp_print_combination(&s->settings.axes, result->combination, &which);
    if (which.length > 0)
        gp_fail(&named, "%s: %.800s", which.data, error->text);
    if (s->left_out_combinations++ < TOLD)
        note_left_out(s, &named);
    gp_text_free(&which);
}

static void note_other_combinations(struct gp_session *s, const struct gp_kernel *kernel,
                                    const struct gp_device *device)
{
    enum { TOLD = 4 };
    if (s->left_out_combinations > TOLD)
        gp_text_printf(&s->left_out, "gpuperf: left out: %zu other combinations of %s on %s\n",
                       s->left_out_combinations - TOLD, kernel->name, device->name);
}

/*
 * What a whole file, several devices or several combinations are asked for need not suit each kernel on each device:
 * those that it does not suit are left out and named, as long as there are others. A kernel that was asked for by name
 * on one device with one launch fails instead.
 */
static bool leave_out(struct gp_session *s, const struct gp_result *result, const struct gp_error *error)
{
    bool asked = s->settings.kernels.count > 0 || result->profile->kernel_count == 1;
    if (asked && s->device_count == 1 && s->combinations == 1)
        return false;
    note_combination(s, result, error);
    return true;
}

/* ---- Devices, kernels, combinations ------------------------------------------------------------------------------ */

/* Before anything is predicted, so that what a compiler refuses leaves nothing half-printed. */
static bool compile_for(struct gp_session *s, size_t index, struct gp_error *error)
{
    struct gp_device_profile *of_device = &s->profiles[index];
    const struct gp_device *device = s->devices[index];
    if (!gp_input_suits(&s->input, device, error)) {
        note_left_out(s, error);
        return s->device_count > 1;
    }
    gp_progress("compiling %.60s for %s", s->input.path, device->name);
    if (!gp_input_profile(&s->input, device, (const char *const *)s->settings.clang_arguments, of_device, error))
        return leave_out_device(s, device, error);
    s->suited[index] = true;
    return check_kernels(s, of_device->profile, error) && check_values(s, of_device->profile, error);
}

static struct gp_result begin_result(const struct gp_session *s, size_t index, const struct gp_kernel *kernel)
{
    const struct gp_device_profile *of_device = &s->profiles[index];
    const struct gp_device *device = s->devices[index];
    struct gp_result result = {.profile = of_device->profile,
                               .kernel = kernel,
                               .device = device,
                               .clock_mhz = s->settings.clock_mhz > 0 ? s->settings.clock_mhz : device->clock_mhz.value,
                               .foreign = of_device->foreign,
                               .foreign_why = of_device->foreign_why.text,
                               .explain = s->settings.explain,
                               .explain_count = s->settings.explain_count,
                               .terms = s->settings.terms,
                               .axes = &s->settings.axes};
    gp_group_sizes(kernel, result.told_group);
    return result;
}

static bool hand_out(struct gp_session *s, const struct gp_result *result, struct gp_text *out, struct gp_error *error)
{
    if (s->take == NULL)
        return gp_printer_add(&s->printer, result, out, error);
    s->printer.count++;
    return s->take(s->taker, result, error);
}

/* What was asked for is printed when it is there. False: it cannot be, or need not be left out. */
static bool predict_combination(struct gp_session *s, struct gp_predictor *predictor, const struct gp_result *like,
                                struct gp_text *out, struct gp_error *error)
{
    struct gp_result result = *like;
    gp_axes_choose(&s->settings.axes, result.combination, &s->now);
    result.groups = s->now.groups;
    result.resident = s->now.resident;
    result.whole_groups =
        states_global(s, result.kernel) && gp_needs_uniform_groups(result.profile, s->settings.clang_arguments);
    result.launch = malloc(sizeof *result.launch);
    bool done = result.launch != NULL ? true : gp_fail(error, "out of memory");
    if (done && predict_launch(s, predictor, &result, error))
        done = hand_out(s, &result, out, error);
    else
        done = done && leave_out(s, &result, error);
    free_result(&result);
    return done;
}

bool gp_session_predict(struct gp_session *s, size_t index, const struct gp_kernel *kernel, struct gp_text *out,
                        struct gp_error *error)
{
    struct gp_result result = begin_result(s, index, kernel);
    struct gp_predictor *predictor = gp_predictor_new(result.profile, kernel);
    bool done = predictor != NULL ? true : gp_fail(error, "out of memory");
    s->left_out_combinations = 0;
    for (; done && result.combination < s->combinations; result.combination++)
        done = predict_combination(s, predictor, &result, out, error);
    note_other_combinations(s, kernel, result.device);
    gp_predictor_free(predictor);
    return done;
}

/* ---- All of it --------------------------------------------------------------------------------------------------- */

struct pair {
    size_t device, number,
        kernels; /* the kernel's number among the wanted ones of the device, and how many these are */
    const struct gp_kernel *kernel;
};

struct pairs {
    struct pair *list;
    size_t count;
};

static bool add_pairs(const struct gp_session *s, size_t device, struct pairs *pairs, struct gp_error *error)
{
    const struct gp_profile *profile = s->profiles[device].profile;
    size_t first = pairs->count;
    if (!s->suited[device])
        return true;
    struct pair *list = realloc(pairs->list, (pairs->count + profile->kernel_count + 1) * sizeof *list);
    if (list == NULL)
        return gp_fail(error, "out of memory");
    pairs->list = list;
    for (uint32_t i = 0; i < profile->kernel_count; i++)
        if (is_wanted(&s->settings, &profile->kernels[i]))
            list[pairs->count++] = (struct pair){.device = device, .kernel = &profile->kernels[i]};
    for (size_t i = first; i < pairs->count; i++) {
        list[i].number = i - first + 1;
        list[i].kernels = pairs->count - first;
    }
    return true;
}

/* Where the first kernel of that symbol stands. */
static size_t place_of(const struct pairs *pairs, const struct gp_kernel *kernel)
{
    size_t i = 0;
    while (strcmp(pairs->list[i].kernel->symbol, kernel->symbol) != 0)
        i++;
    return i;
}

/* An overview has the devices of each kernel together. */
static void sort_by_kernel(struct pairs *pairs)
{
    for (size_t i = 1; i < pairs->count; i++) {
        struct pair pair = pairs->list[i];
        size_t place = place_of(pairs, pair.kernel), to = i;
        while (to > 0 && place_of(pairs, pairs->list[to - 1].kernel) > place)
            to--;
        memmove(&pairs->list[to + 1], &pairs->list[to], (i - to) * sizeof pair);
        pairs->list[to] = pair;
    }
}

static int name_width(const struct pairs *pairs)
{
    size_t width = strlen("kernel");
    for (size_t i = 0; i < pairs->count; i++)
        width = strlen(pairs->list[i].kernel->name) > width ? strlen(pairs->list[i].kernel->name) : width;
    return (int)width;
}

static bool predict_pairs(struct gp_session *s, const struct pairs *pairs, struct gp_text *out, struct gp_error *error)
{
    gp_printer_begin(&s->printer, &s->settings, s->combinations, name_width(pairs));
    for (size_t i = 0; i < pairs->count; i++) {
        s->kernel_number = pairs->list[i].number;
        s->kernel_count = pairs->list[i].kernels;
        if (!gp_session_predict(s, pairs->list[i].device, pairs->list[i].kernel, out, error))
            return false;
    }
    if (s->printer.count > 0)
        return s->take != NULL || gp_printer_end(&s->printer, out, error);
    *error = s->first_left_out;
    return false;
}

static bool begin_offer(struct gp_session *s, struct gp_error *error)
{
    s->offer = gp_offer_begin(s, error);
    s->take = gp_offer_take;
    s->taker = s;
    return s->offer != NULL;
}

static bool predict(struct gp_session *s, struct gp_text *out, struct gp_error *error)
{
    struct pairs pairs = {0};
    bool done = gp_axes_combinations(&s->settings.axes, &s->combinations, error) &&
                gp_input_open_as(s->settings.file, s->settings.language, &s->input, error) && load_devices(s, error);
    s->input.edits = s->settings.fix_it;
    done = done && (!s->settings.fix_it || begin_offer(s, error));
    for (size_t i = 0; done && i < s->device_count; i++)
        done = compile_for(s, i, error) && add_pairs(s, i, &pairs, error);
    if (s->settings.overview)
        sort_by_kernel(&pairs);
    done = done && predict_pairs(s, &pairs, out, error);
    free(pairs.list);
    done = done && (s->offer == NULL || gp_offer_fixes(s->offer, s, out, error));
    gp_progress_end();
    if (done && s->left_out.length > 0)
        fputs(s->left_out.data, stderr); /* also beside JSON, which has no place for it */
    return done;
}

static void release(struct gp_session *s)
{
    gp_offer_free(s->offer);
    gp_printer_free(&s->printer);
    gp_text_free(&s->left_out);
    for (size_t i = 0; i < s->device_count; i++) {
        gp_device_profile_free(&s->profiles[i]);
        gp_device_free(s->devices[i]);
    }
    free(s->suited);
    free(s->profiles);
    free(s->devices);
    gp_combination_free(&s->now);
    gp_input_close(&s->input);
    gp_settings_free(&s->settings);
}

enum gp_status gp_predict_command(const struct gp_command_line *line, struct gp_text *out, struct gp_error *error)
{
    struct gp_session session = {0};
    enum gp_status status = gp_settings_parse(line, &session.settings, error);
    gp_progress_begin();
    if (status == GP_STATUS_OK && !predict(&session, out, error))
        status = GP_STATUS_FAILED;
    gp_progress_end();
    release(&session);
    return status;
}
