/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/report_json.h"
#include "tools/command.h"
#include "tools/input.h"
#include "tools/progress.h"
#include "tools/results.h"
#include "tools/settings.h"
#include "model/assume/defaults.h"
#include "model/assume/stated.h"

/* Everything one run of the verb holds; results point into the profiles. */
struct session {
    struct gp_settings settings;
    struct gp_input input;
    struct gp_device **devices;
    struct gp_device_profile *profiles; /* per device */
    size_t device_count;
    struct gp_result *results;
    size_t result_count;
    size_t kernel_number, kernel_count; /* of the wanted ones of the profile at hand */
    struct gp_text left_out; /* kernels that a device cannot run, or not with the local sizes asked for: a line each */
    struct gp_error first_left_out;
};

/* ---- Devices ---------------------------------------------------------------------------------------------------- */

static const char *default_device(const struct gp_input *input)
{
    const char *set = getenv("GPUPERF_DEVICE");
    if (set != NULL && set[0] != '\0')
        return set;
    const struct gp_profile *profile = input->profiles ? input->profiles[0] : NULL;
    const char *of_target = profile ? gp_device_for_target(profile->triple, profile->cpu) : NULL;
    if (of_target == NULL && profile && gp_is_target(profile->cpu))
        return profile->cpu;
    return of_target ? of_target : "a100";
}

/* With what --set states between the name and what stands behind it, which goes before. */
static struct gp_device *load_stated(const struct session *s, const char *spec, struct gp_error *error)
{
    struct gp_text whole = {0};
    size_t length = gp_device_name_length(spec);
    gp_text_append(&whole, spec, length);
    for (size_t i = 0; i < s->settings.stated.count; i++)
        gp_text_printf(&whole, ":%s", s->settings.stated.items[i]);
    gp_text_printf(&whole, "%s", spec + length);
    struct gp_device *device = gp_device_load(whole.data, getenv("GPUPERF_HWDB"), error);
    gp_text_free(&whole);
    return device;
}

static bool load_device(struct session *s, const char *spec, struct gp_error *error)
{
    struct gp_device *device = load_stated(s, spec, error);
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

static bool load_devices(struct session *s, struct gp_error *error)
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
    bool done = s->devices != NULL && s->profiles != NULL ? true : gp_fail(error, "out of memory");
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
    struct gp_text names = {0};
    for (uint32_t i = 0; i < profile->kernel_count; i++)
        gp_text_printf(&names, "%s%s", i ? ", " : "",
                       gp_kernel_is_overloaded(profile, &profile->kernels[i]) ? profile->kernels[i].symbol
                                                                              : profile->kernels[i].name);
    gp_fail(error, "%s has no kernel '%s'; there %s %s", path, name, profile->kernel_count == 1 ? "is" : "are",
            names.data);
    gp_text_free(&names);
    return false;
}

static bool check_kernels(const struct session *s, const struct gp_profile *profile, struct gp_error *error)
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

/* An argument must be one of some wanted kernel; the kernels that do not have it are left alone. */
static bool check_values(const struct session *s, const struct gp_profile *profile, struct gp_error *error)
{
    for (size_t i = 0; i < s->settings.values.count; i++) {
        char name[256];
        const char *number;
        split_value(s->settings.values.items[i], name, &number);
        const struct gp_kernel *wanted = NULL;
        bool found = false;
        for (uint32_t k = 0; k < profile->kernel_count; k++) {
            if (!is_wanted(&s->settings, &profile->kernels[k]))
                continue;
            wanted = wanted ? wanted : &profile->kernels[k];
            found = found || gp_launch_has_argument(&profile->kernels[k], name);
        }
        struct gp_launch launch;
        if (found || wanted == NULL)
            continue;
        gp_launch_default(wanted, &launch);
        return gp_launch_set_argument(wanted, &launch, name, number, error); /* fails, and lists what there is */
    }
    return true;
}

static bool set_values(const struct session *s, const struct gp_kernel *kernel, struct gp_launch *launch,
                       struct gp_error *error)
{
    for (size_t i = 0; i < s->settings.values.count; i++) {
        char name[256];
        const char *number;
        split_value(s->settings.values.items[i], name, &number);
        if (gp_launch_has_argument(kernel, name) && !gp_launch_set_argument(kernel, launch, name, number, error))
            return false;
    }
    return true;
}

static bool has_groups(const struct session *s) { return s->settings.groups.dims > 0; }

/* The local size at hand; where the number of groups is given the range goes with it, and arguments stay. */
static bool set_local(const struct session *s, const uint32_t local[3], struct gp_launch *launch,
                      struct gp_error *error)
{
    memcpy(launch->local, local, sizeof launch->local);
    for (uint32_t d = 0; has_groups(s) && d < 3; d++)
        if (__builtin_mul_overflow(d < s->settings.groups.dims ? s->settings.groups.size[d] : 1, local[d],
                                   &launch->global[d]))
            return gp_fail(error, "--groups: so many groups of %u work-items are more than any device runs", local[d]);
    return true;
}

/* The range that arguments nobody states follow from: so many groups of the size that is assumed where none is given.
 */
static bool set_groups(const struct session *s, const struct gp_kernel *kernel, struct gp_launch *launch,
                       struct gp_error *error)
{
    static const uint64_t wide[3] = {1024, 1024, 1024};
    uint64_t global[3];
    gp_launch_set_global(kernel, launch, s->settings.groups.dims, wide);
    if (!set_local(s, launch->local, launch, error))
        return false;
    memcpy(global, launch->global, sizeof global);
    gp_launch_set_global(kernel, launch, s->settings.groups.dims, global);
    return true;
}

static bool make_launch(const struct session *s, const struct gp_kernel *kernel, struct gp_launch *launch,
                        struct gp_error *error)
{
    gp_launch_default(kernel, launch);
    if (s->settings.trip_count > 0)
        launch->assumed_trip_count = s->settings.trip_count;
    if (s->settings.global.dims > 0)
        gp_launch_set_global(kernel, launch, s->settings.global.dims, s->settings.global.size);
    if (has_groups(s) && !set_groups(s, kernel, launch, error))
        return false;
    launch->cold = !s->settings.warm;
    return set_values(s, kernel, launch, error);
}

/* An assumed global size that a local size does not divide is nobody's mistake. */
static bool states_global(const struct session *s, const struct gp_kernel *kernel)
{
    return s->settings.global.dims > 0 || kernel->default_global[0] != 0;
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

static bool given_locals(const struct session *s, const struct gp_kernel *kernel, struct locals *locals,
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

static bool find_locals(const struct session *s, const struct gp_result *result, struct locals *locals,
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
static bool predict_local(const struct session *s, struct gp_predictor *predictor, struct gp_result *result,
                          const uint32_t local[3], const struct gp_predict_options *options, struct gp_error *error)
{
    struct gp_prediction *p = &result->predictions[result->count];
    memset(p, 0, sizeof *p);
    bool asked = s->settings.local_count > 0;
    bool done = set_local(s, local, result->launch, error) &&
                gp_predict(predictor, result->device, result->launch, options, p, error);
    if (done && !p->feasible)
        done = gp_fail(error, "kernel '%s' cannot run with local %ux%ux%u on %s: %s", result->kernel->name, local[0],
                       local[1], local[2], result->device->name, p->why);
    result->count += done;
    if (p->overruns && result->overrun_why[0] == '\0') {
        memcpy(result->overrun, local, sizeof result->overrun);
        snprintf(result->overrun_why, sizeof result->overrun_why, "%s", p->why);
    }
    return done || !asked;
}

/* Where the candidates all overrun an array: the largest half, quarter ... of the assumed group that does not. */
static bool predict_smaller(const struct session *s, struct gp_predictor *predictor, struct gp_result *result,
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

/* The repaired states cost several predictions: a table shows them for the best only, JSON for all. */
static bool explain_best(const struct session *s, struct gp_predictor *predictor, struct gp_result *result,
                         struct gp_predict_options options, struct gp_error *error)
{
    struct gp_prediction *best = &result->predictions[0];
    uint32_t rank = best->rank;
    options.bottlenecks = true;
    options.filled_cycles = fastest_filled(result);
    bool done = set_local(s, best->local, result->launch, error) &&
                gp_predict(predictor, result->device, result->launch, &options, best, error);
    best->rank = rank;
    return done;
}

/* Where the local sizes so far tell that all would take too long, some of those behind them, spread evenly over the
 * list, stand for all. */
static void pass_over_some(const struct session *s, struct gp_result *result, size_t next, struct locals *locals)
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

static void tell_progress(const struct session *s, const struct gp_result *result, size_t done, size_t count)
{
    const char *name = result->kernel->name;
    if (s->kernel_count > 1)
        gp_progress("%.40s on %s, kernel %zu of %zu: local size %zu of %zu", name, result->device->name,
                    s->kernel_number, s->kernel_count, done + 1, count);
    else
        gp_progress("%.40s on %s: local size %zu of %zu", name, result->device->name, done + 1, count);
}

static bool predict_all(const struct session *s, struct gp_predictor *predictor, struct gp_result *result,
                        struct locals *locals, struct gp_error *error)
{
    struct gp_predict_options options = {.model = s->settings.model,
                                         .clock_mhz = s->settings.clock_mhz,
                                         .bottlenecks = s->settings.json,
                                         .foreign_target = result->foreign};
    result->predictions = calloc(locals->count, sizeof *result->predictions);
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
    if (result->count == 0 && result->overrun_why[0] != '\0' && result->kernel->required_local[0] == 0 &&
        !predict_smaller(s, predictor, result, assumed, &options, error))
        return false;
    if (result->count == 0)
        return false; /* every candidate failed; the sentence is the last one's */
    gp_predictions_rank(result->predictions, result->count);
    if (gp_is_target(result->device->name) && set_local(s, result->predictions[0].local, result->launch, error))
        gp_range_over_boards(predictor, result->device->name, result->launch, &options, &result->boards);
    return s->settings.json || explain_best(s, predictor, result, options, error);
}

static bool has_local_memory(const struct gp_kernel *kernel)
{
    for (uint32_t i = 0; i < kernel->param_count; i++)
        if (kernel->params[i].kind == GP_PARAM_LOCAL)
            return true;
    return kernel->local_count > 0;
}

/* Local memory that is indexed by global ids bounds the range, where nobody has stated that. */
static void fit_range(const struct session *s, struct gp_predictor *predictor, struct gp_result *result)
{
    struct gp_prediction p;
    struct gp_predict_options options = {.quick = true, .foreign_target = result->foreign};
    if (s->settings.global.dims > 0 || has_groups(s) || !has_local_memory(result->kernel))
        return;
    while (gp_predict(predictor, result->device, result->launch, &options, &p, NULL) && p.overruns &&
           p.overruns_range != GP_NONE)
        if (!gp_launch_halve_range(result->kernel, result->launch, p.overruns_range))
            return;
}

static bool predict_kernel(const struct session *s, struct gp_result *result, struct gp_error *error)
{
    struct gp_predictor *predictor = gp_predictor_new(result->profile, result->kernel);
    struct locals locals = {0};
    bool done = predictor != NULL ? true : gp_fail(error, "out of memory");
    if (done)
        fit_range(s, predictor, result);
    done = done && find_locals(s, result, &locals, error) && predict_all(s, predictor, result, &locals, error);
    if (locals.list != locals.size)
        free(locals.list);
    gp_predictor_free(predictor);
    return done;
}

static void free_result(struct gp_result *result)
{
    free(result->launch);
    free(result->predictions);
}

static void note_left_out(struct session *s, const struct gp_error *error)
{
    if (s->left_out.length == 0)
        s->first_left_out = *error;
    gp_text_printf(&s->left_out, "gpuperf: left out: %s\n", error->text);
}

/* A source that one of several devices' compilers does not take. */
static bool leave_out_device(struct session *s, const struct gp_device *device, const struct gp_error *error)
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

/*
 * What a whole file or several devices are asked for need not suit each kernel on each device: the pairs that it does
 * not suit are left out and named, as long as there are others. A kernel that was asked for by name on one device fails
 * instead.
 */
static bool leave_out(struct session *s, const struct gp_profile *profile, const struct gp_error *error)
{
    bool asked = s->settings.kernels.count > 0 || profile->kernel_count == 1;
    if (asked && s->device_count == 1)
        return false;
    note_left_out(s, error);
    free_result(&s->results[--s->result_count]);
    return true;
}

static bool predict_device(struct session *s, size_t index, struct gp_error *error)
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
    struct gp_profile *profile = of_device->profile;
    if (!check_kernels(s, profile, error) || !check_values(s, profile, error))
        return false;
    struct gp_result *results = realloc(s->results, (s->result_count + profile->kernel_count) * sizeof *results);
    if (results == NULL)
        return gp_fail(error, "out of memory");
    s->results = results;
    s->kernel_number = s->kernel_count = 0;
    for (uint32_t i = 0; i < profile->kernel_count; i++)
        s->kernel_count += is_wanted(&s->settings, &profile->kernels[i]);
    for (uint32_t i = 0; i < profile->kernel_count; i++) {
        if (!is_wanted(&s->settings, &profile->kernels[i]))
            continue;
        s->kernel_number++;
        struct gp_result *result = &s->results[s->result_count++];
        double clock = s->settings.clock_mhz > 0 ? s->settings.clock_mhz : device->clock_mhz.value;
        *result = (struct gp_result){.profile = profile,
                                     .kernel = &profile->kernels[i],
                                     .device = device,
                                     .clock_mhz = clock,
                                     .foreign = of_device->foreign,
                                     .foreign_why = of_device->foreign_why.text,
                                     .groups = s->settings.groups,
                                     .terms = s->settings.terms,
                                     .whole_groups = states_global(s, &profile->kernels[i]) &&
                                                     gp_needs_uniform_groups(profile, s->settings.clang_arguments)};
        result->launch = malloc(sizeof *result->launch);
        if (result->launch == NULL)
            return gp_fail(error, "out of memory");
        if (!make_launch(s, result->kernel, result->launch, error))
            return false;
        if (!predict_kernel(s, result, error) && !leave_out(s, profile, error))
            return false;
    }
    return true;
}

static bool print_results(const struct session *s, struct gp_text *out, struct gp_error *error)
{
    if (s->settings.json)
        return gp_print_results_json(s->results, s->result_count, out, error);
    for (size_t i = 0; i < s->result_count; i++)
        gp_print_result(&s->results[i], out);
    return true;
}

static bool predict(struct session *s, struct gp_text *out, struct gp_error *error)
{
    if (!gp_input_open(s->settings.file, &s->input, error) || !load_devices(s, error))
        return false;
    for (size_t i = 0; i < s->device_count; i++) {
        if (!predict_device(s, i, error))
            return false;
    }
    if (s->result_count == 0) {
        *error = s->first_left_out;
        return false;
    }
    gp_progress_end();
    if (!print_results(s, out, error))
        return false;
    if (s->left_out.length > 0)
        fputs(s->left_out.data, stderr); /* also beside JSON, which has no place for it */
    return true;
}

static void release(struct session *s)
{
    for (size_t i = 0; i < s->result_count; i++)
        free_result(&s->results[i]);
    gp_text_free(&s->left_out);
    for (size_t i = 0; i < s->device_count; i++) {
        gp_device_profile_free(&s->profiles[i]);
        gp_device_free(s->devices[i]);
    }
    free(s->results);
    free(s->profiles);
    free(s->devices);
    gp_input_close(&s->input);
    gp_settings_free(&s->settings);
}

enum gp_status gp_predict_command(const struct gp_command_line *line, struct gp_text *out, struct gp_error *error)
{
    struct session session = {0};
    enum gp_status status = gp_settings_parse(line, &session.settings, error);
    gp_progress_begin();
    if (status == GP_STATUS_OK && !predict(&session, out, error))
        status = GP_STATUS_FAILED;
    gp_progress_end();
    release(&session);
    return status;
}
