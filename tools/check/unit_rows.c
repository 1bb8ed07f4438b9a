/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/check/unit_rows.h"

#include <fnmatch.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/json_string.h"
#include "report/report_json.h"
#include "tools/check/resident_rows.h"
#include "tools/check/size_rows.h"
#include "tools/check/stated_launch.h"
#include "tools/check/store.h"
#include "tools/input.h"
#include "tools/output/assumptions.h"
#include "model/assume/defaults.h"
#include "model/assume/stated.h"
#include "model/assume/describe.h"
#include "model/predict/assumed_arguments.h"
#include "support/text.h"

struct rows {
    const struct gp_unit_question *question;
    json_t *array, *left_out, *kernels_left_out;
    struct gp_text read; /* what the compiles read */
    bool read_unknown;   /* of some compile that is not known */
};

/* ---- A row ------------------------------------------------------------------------------------------------------- */

static json_t *place_object(const struct gp_profile *profile, const struct gp_kernel *kernel)
{
    const struct gp_location *at =
        kernel->location < profile->location_count ? &profile->locations[kernel->location] : NULL;
    return json_pack("{s:o,s:i,s:i}", "file", gp_json_string(at ? at->file : ""), "line", at ? (int)at->line : 0,
                     "column", at ? (int)at->column : 0);
}

/* The row, which r->array holds; NULL: out of memory. */
static json_t *add_row(struct rows *r, const struct gp_device_profile *of, const struct gp_kernel *kernel,
                       const struct gp_device *device, const struct gp_launch *launch, const struct gp_prediction *p,
                       struct gp_error *error)
{
    char text[512];
    struct gp_report_row row = {
        .profile = of->profile, .kernel = kernel, .device = device->name, .prediction = p, .nearest = device->nearest};
    char *json = gp_report_json(&row, 1);
    json_t *array = json != NULL ? json_loads(json, 0, NULL) : NULL, *object = json_array_get(array, 0);
    free(json);
    if (object == NULL) {
        json_decref(array);
        gp_fail(error, "out of memory");
        return NULL;
    }
    json_object_set_new(object, "file", gp_json_string(r->question->unit->file));
    json_object_set_new(object, "title", gp_json_string(device->title));
    json_object_set_new(object, "language", gp_json_string(of->profile->language));
    gp_launch_words(of->profile, kernel, launch, text, sizeof text);
    json_object_set_new(object, "launch", gp_json_string(text));
    gp_launch_describe_assumed(kernel, launch, text, sizeof text);
    json_object_set_new(object, "assumed", gp_json_string(text));
    json_object_set_new(object, "assumptions", gp_assumptions(kernel, launch));
    json_object_set_new(object, "place", place_object(of->profile, kernel));
    json_array_append(r->array, object);
    json_decref(array);
    return object;
}

/* What the rule states of arguments that the kernel does not have, and what may be meant: {NAME: "; did you mean .."}.
 * Another kernel of the rule may have them. */
static void add_unknown(json_t *row, const struct gp_check_rule *rule, const struct gp_kernel *kernel)
{
    json_t *unknown = json_object();
    for (size_t i = 0; rule != NULL && i < rule->values.count; i++) {
        char name[GP_STATED_NAME];
        struct gp_text meant = {0};
        gp_stated_name(rule->values.items[i], name);
        if (gp_launch_has_argument(kernel, name))
            continue;
        gp_suggest_argument(kernel, name, &meant);
        json_object_set_new(unknown, name, gp_json_string(meant.length > 0 ? meant.data : ""));
        gp_text_free(&meant);
    }
    json_object_set_new(row, "unknown_arguments", unknown);
}

/* ---- A kernel
 * --------------------------------------------------------------------------------------------------------- */

static bool is_asked(const struct gp_unit_question *q, const struct gp_kernel *kernel)
{
    for (size_t i = 0; i < q->kernels->count; i++)
        if (fnmatch(q->kernels->items[i], kernel->name, 0) == 0 || gp_kernel_is_called(kernel, q->kernels->items[i]))
            return true;
    return q->kernels->count == 0;
}

bool gp_is_own_kernel(const struct gp_unit *unit, const struct gp_profile *profile, const struct gp_kernel *kernel)
{
    char here[4096];
    if (unit->recorded || kernel->location >= profile->location_count)
        return true;
    const char *file = profile->locations[kernel->location].file;
    size_t length = getcwd(here, sizeof here) != NULL ? strlen(here) : 0;
    return file[0] != '/' || strcmp(file, unit->file) == 0 ||
           (length > 0 && strncmp(file, here, length) == 0 && file[length] == '/');
}

static bool is_own(const struct gp_unit_question *q, const struct gp_profile *profile, const struct gp_kernel *kernel)
{
    return q->all_kernels || gp_is_own_kernel(q->unit, profile, kernel);
}

static void leave_out(struct rows *r, const struct gp_device *device, const char *kernel, const char *why)
{
    struct gp_text text = {0};
    gp_text_printf(&text, "%s%s%s on %s: %s", r->question->unit->file, kernel ? ": " : "", kernel ? kernel : "",
                   device->name, why);
    json_array_append_new(r->left_out, gp_json_string(text.data));
    if (kernel != NULL)
        json_array_append_new(r->kernels_left_out, gp_json_string(kernel));
    gp_text_free(&text);
}

/* A group that the device cannot run is halved where nobody stated it. */
static bool predict(struct gp_predictor *predictor, const struct gp_device *device, struct gp_launch *launch,
                    bool stated, bool foreign, bool bottlenecks, struct gp_prediction *p, struct gp_error *error)
{
    struct gp_predict_options options = {.bottlenecks = bottlenecks, .foreign_target = foreign};
    for (;;) {
        memset(p, 0, sizeof *p);
        if (!gp_predict(predictor, device, launch, &options, p, error))
            return false;
        if (p->feasible || stated || !gp_launch_halve_group(launch))
            return p->feasible || gp_fail(error, "%s", p->why);
    }
}

static json_t *find_assumption(const json_t *row, const char *name)
{
    const json_t *list = json_object_get(row, "assumptions");
    size_t index;
    json_t *item;
    json_array_foreach(list, index, item)
    {
        if (strcmp(json_string_value(json_object_get(item, "name")), name) == 0)
            return item;
    }
    return NULL;
}

/* What each assumed argument does to the time: "halved": 0.5, "doubled": 2.0, beside its value. */
static void add_effects(json_t *row, const struct gp_kernel *kernel, const struct gp_device *device,
                        struct gp_predictor *predictor, const struct gp_launch *launch, bool foreign)
{
    struct gp_argument_effects effects = {0};
    struct gp_predict_options options = {.foreign_target = foreign};
    gp_find_effects(predictor, kernel, device, launch, &options, &effects);
    for (uint32_t i = 0; i < effects.count; i++) {
        json_t *item = find_assumption(row, kernel->params[effects.items[i].param].name);
        if (item != NULL && effects.items[i].halved > 0)
            json_object_set_new(item, "halved", json_real(effects.items[i].halved));
        if (item != NULL && effects.items[i].doubled > 0)
            json_object_set_new(item, "doubled", json_real(effects.items[i].doubled));
    }
}

/* The row of a prediction and, where they are asked for, the times over local sizes and resident warps. NULL: out of
 * memory. */
static json_t *add_prediction(struct rows *r, const struct gp_device_profile *of, const struct gp_kernel *kernel,
                              const struct gp_device *device, struct gp_predictor *predictor,
                              const struct gp_launch *launch, const struct gp_prediction *p, struct gp_error *error)
{
    json_t *row = add_row(r, of, kernel, device, launch, p, error);
    struct gp_size_question question = {.predictor = predictor,
                                        .kernel = kernel,
                                        .device = device,
                                        .launch = launch,
                                        .own = p,
                                        .uniform =
                                            gp_needs_uniform_groups(of->profile, r->question->unit->arguments.items),
                                        .foreign = of->foreign,
                                        .kernels = of->profile->kernel_count};
    if (row != NULL && r->question->sizes)
        add_effects(row, kernel, device, predictor, launch, of->foreign);
    bool shown = row != NULL && r->question->sizes;
    return row != NULL && (!shown || (gp_add_sizes(&question, row, error) && gp_add_residents(&question, row, error)))
               ? row
               : NULL;
}

/* What a kernel's predictions need. */
struct work {
    struct rows *rows;
    const struct gp_device_profile *of;
    const struct gp_kernel *kernel;
    const struct gp_device *device;
    struct gp_predictor *predictor;
    struct gp_launch *launch, *costliest;
    struct gp_prediction *p;
};

static bool check_stated(struct work *w, const struct gp_check_rule *rule, struct gp_error *error)
{
    struct gp_error why = {""};
    if (gp_state_launch(rule, w->kernel, w->launch, &why) &&
        predict(w->predictor, w->device, w->launch, rule != NULL && rule->local.dims > 0, w->of->foreign, true, w->p,
                &why)) {
        json_t *row = add_prediction(w->rows, w->of, w->kernel, w->device, w->predictor, w->launch, w->p, error);
        if (row != NULL)
            add_unknown(row, rule, w->kernel);
        return row != NULL;
    }
    leave_out(w->rows, w->device, w->kernel->name, why.text);
    return true;
}

/* ---- A program's launches of a kernel ---------------------------------------------------------------------------- */

/* Of one launch, in ns; 0: it cannot be predicted, which is told. */
static double time_of(struct work *w, const struct gp_check_launch *recorded)
{
    struct gp_error why = {""};
    if (gp_state_recorded(recorded, w->kernel, w->device, w->launch, &why) &&
        predict(w->predictor, w->device, w->launch, recorded->local.dims > 0, w->of->foreign, false, w->p, &why))
        return w->p->time_ns;
    gp_fail_within(&why, w->kernel->name);
    struct gp_text text = {0};
    gp_text_printf(&text, "%s:%u: %s on %s", w->rows->question->config->path, recorded->line, why.text,
                   w->device->name);
    json_array_append_new(w->rows->left_out, gp_json_string(text.data));
    gp_text_free(&text);
    return 0;
}

/* A row for all of them: that of the launch that costs most, with how many there are and what all take. */
static bool check_launches(struct work *w, const struct gp_check_rule *rule, struct gp_error *error)
{
    double total = 0, count = 0, most = 0;
    bool stated = false;
    for (size_t i = 0; i < rule->launch_count; i++) {
        const struct gp_check_launch *recorded = &rule->launches[i];
        double ns = gp_launch_is_of(recorded, w->rows->question->unit) ? recorded->count * time_of(w, recorded) : 0;
        total += ns;
        count += ns > 0 ? recorded->count : 0;
        if (ns <= most)
            continue;
        most = ns;
        stated = recorded->local.dims > 0;
        *w->costliest = *w->launch;
    }
    if (most <= 0)
        return true;
    if (!predict(w->predictor, w->device, w->costliest, stated, w->of->foreign, true, w->p, error))
        return false;
    json_t *row = add_prediction(w->rows, w->of, w->kernel, w->device, w->predictor, w->costliest, w->p, error);
    return row != NULL && json_object_set_new(row, "launches", json_real(count)) == 0 &&
           json_object_set_new(row, "total_ns", json_real(total)) == 0;
}

static bool is_launched(const struct gp_check_rule *rule, const struct gp_unit *unit)
{
    for (size_t i = 0; rule != NULL && i < rule->launch_count; i++)
        if (gp_launch_is_of(&rule->launches[i], unit))
            return true;
    return !unit->recorded;
}

static bool check_kernel(struct rows *r, const struct gp_device_profile *of, const struct gp_kernel *kernel,
                         const struct gp_device *device, struct gp_error *error)
{
    const struct gp_check_rule *rule = gp_check_rule_for(r->question->config, kernel->name);
    if (!is_launched(rule, r->question->unit))
        return true;
    struct work w = {.rows = r,
                     .of = of,
                     .kernel = kernel,
                     .device = device,
                     .predictor = gp_predictor_new(of->profile, kernel),
                     .launch = malloc(sizeof *w.launch),
                     .costliest = malloc(sizeof *w.costliest),
                     .p = malloc(sizeof *w.p)};
    bool done = w.predictor == NULL || w.launch == NULL || w.costliest == NULL || w.p == NULL
                    ? gp_fail(error, "out of memory")
                : rule != NULL && rule->launch_count > 0 ? check_launches(&w, rule, error)
                                                         : check_stated(&w, rule, error);
    free(w.p);
    free(w.costliest);
    free(w.launch);
    gp_predictor_free(w.predictor);
    return done;
}

/* ---- A device
 * --------------------------------------------------------------------------------------------------------- */

/* False: out of memory. A compiler that refuses is noted in `refused`, another device's may not. */
static bool check_device(struct rows *r, const struct gp_input *input, const struct gp_device *device,
                         struct gp_error *refused, struct gp_error *error)
{
    struct gp_device_profile of;
    struct gp_error why = {""};
    bool suits = gp_input_suits(input, device, &why);
    if (!suits ||
        !gp_input_profile(input, device, (const char *const *)r->question->unit->arguments.items, &of, &why)) {
        if (suits)
            *refused = why;
        r->read_unknown |= suits;
        leave_out(r, device, NULL, why.text);
        return true;
    }
    bool done = true;
    r->read_unknown |= of.owned && of.preprocessed == NULL;
    gp_text_printf(&r->read, "%s\n", of.preprocessed != NULL ? of.preprocessed : "");
    for (uint32_t i = 0; done && i < of.profile->kernel_count; i++)
        if (is_asked(r->question, &of.profile->kernels[i]) && is_own(r->question, of.profile, &of.profile->kernels[i]))
            done = check_kernel(r, &of, &of.profile->kernels[i], device, error);
    gp_device_profile_free(&of);
    return done;
}

static bool check_devices(struct rows *r, const struct gp_input *input, struct gp_error *error)
{
    struct gp_error refused = {""};
    const struct gp_arguments *names = r->question->devices;
    for (size_t i = 0; i < names->count; i++) {
        struct gp_device *device = gp_device_load(names->items[i], getenv("GPUPERF_HWDB"), error);
        if (device == NULL)
            return false;
        bool done = check_device(r, input, device, &refused, error);
        gp_device_free(device);
        if (!done)
            return false;
    }
    return json_array_size(r->array) > 0 || refused.text[0] == '\0' || gp_fail(error, "%s", refused.text);
}

static bool is_of(const json_t *row, const json_t *other)
{
    return json_equal(json_object_get(row, "kernel"), json_object_get(other, "kernel")) &&
           json_equal(json_object_get(row, "place"), json_object_get(other, "place"));
}

/* The rows were made device by device; a reader wants the devices of each kernel together. */
static json_t *by_kernel(const json_t *rows)
{
    json_t *sorted = json_array(), *row, *other;
    size_t first, index;
    json_array_foreach(rows, first, row)
    {
        bool taken = false;
        for (size_t i = 0; i < first && !taken; i++)
            taken = is_of(json_array_get(rows, i), row);
        if (taken)
            continue;
        json_array_foreach(rows, index, other)
        {
            if (is_of(row, other))
                json_array_append(sorted, other);
        }
    }
    return sorted;
}

/* A result that a compiler's refusal is part of is not kept: what it read is not known. */
static void keep(const struct rows *r, const char *text)
{
    if (!r->read_unknown)
        gp_store_put(r->question, r->read.data != NULL ? r->read.data : "", text);
}

char *gp_unit_rows(const struct gp_unit_question *question, struct gp_error *error)
{
    struct gp_input input;
    char *text = gp_store_get(question);
    if (text != NULL)
        return text;
    struct rows r = {
        .question = question, .array = json_array(), .left_out = json_array(), .kernels_left_out = json_array()};
    if (gp_input_open(question->unit->file, &input, error)) {
        if (check_devices(&r, &input, error)) {
            json_t *whole = json_pack("{s:o,s:O,s:O}", "rows", by_kernel(r.array), "left_out", r.left_out,
                                      "kernels_left_out", r.kernels_left_out);
            text = whole != NULL ? json_dumps(whole, JSON_COMPACT) : NULL;
            json_decref(whole);
            if (text == NULL)
                gp_fail(error, "out of memory");
            else
                keep(&r, text);
        }
        gp_input_close(&input);
    }
    gp_text_free(&r.read);
    json_decref(r.array);
    json_decref(r.left_out);
    json_decref(r.kernels_left_out);
    return text;
}
