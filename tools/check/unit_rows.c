/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/check/unit_rows.h"

#include <fnmatch.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/json_string.h"
#include "report/report_json.h"
#include "tools/check/size_rows.h"
#include "tools/check/store.h"
#include "tools/input.h"
#include "model/assume/defaults.h"
#include "model/assume/stated.h"
#include "model/assume/describe.h"

struct rows {
    const struct gp_unit_question *question;
    json_t *array, *left_out;
    struct gp_text read; /* what the compiles read */
    bool read_unknown;   /* of some compile that is not known */
};

/* ---- A kernel's launch --------------------------------------------------------------------------------------------
 */

static void append_sizes(struct gp_text *text, const char *name, const struct gp_sizes *sizes)
{
    if (sizes->dims == 0)
        return;
    gp_text_printf(text, "%s%s=", text->length > 0 ? ":" : "", name);
    for (uint32_t d = 0; d < sizes->dims; d++)
        gp_text_printf(text, "%s%llu", d > 0 ? "x" : "", (unsigned long long)sizes->size[d]);
}

/* A grid of so many groups of the stated size. */
static bool range_of_groups(const struct gp_check_rule *rule, struct gp_sizes *global, struct gp_error *error)
{
    *global = rule->global;
    if (rule->groups.dims == 0)
        return true;
    if (rule->local.dims == 0)
        return gp_fail(error, "'groups' of \"%s\" needs 'local', too: so many groups of which size", rule->pattern);
    *global = rule->groups;
    for (uint32_t d = 0; d < global->dims; d++)
        if (__builtin_mul_overflow(rule->groups.size[d], d < rule->local.dims ? rule->local.size[d] : 1,
                                   &global->size[d]))
            return gp_fail(error, "'groups' of \"%s\" are more than any device runs", rule->pattern);
    return true;
}

/* A rule for several kernels may state arguments that not all of them have. */
static bool has_argument(const struct gp_kernel *kernel, const char *value)
{
    char name[256];
    size_t length = strcspn(value, "=");
    snprintf(name, sizeof name, "%.*s", (int)(length < 255 ? length : 255), value);
    return gp_kernel_find_param(kernel, name) != GP_NONE;
}

/* The rule's words as an annotation's. */
static bool state_launch(const struct gp_check_rule *rule, const struct gp_kernel *kernel, struct gp_launch *launch,
                         struct gp_error *error)
{
    struct gp_text items = {0};
    struct gp_sizes global;
    gp_launch_default(kernel, launch);
    if (rule == NULL)
        return true;
    bool done = range_of_groups(rule, &global, error);
    if (done) {
        append_sizes(&items, "global", &global);
        append_sizes(&items, "local", &rule->local);
        for (size_t i = 0; i < rule->values.count; i++)
            if (has_argument(kernel, rule->values.items[i]))
                gp_text_printf(&items, "%s%s", items.length > 0 ? ":" : "", rule->values.items[i]);
        done = items.length == 0 || gp_launch_assume(kernel, launch, items.data, error);
    }
    gp_text_free(&items);
    return done;
}

/* ---- A row ----------------------------------------------------------------------------------------------------------
 */

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
    gp_launch_describe(kernel, launch, text, sizeof text);
    json_object_set_new(object, "launch", gp_json_string(text));
    gp_launch_describe_assumed(kernel, launch, text, sizeof text);
    json_object_set_new(object, "assumed", gp_json_string(text));
    json_object_set_new(object, "place", place_object(of->profile, kernel));
    json_array_append(r->array, object);
    json_decref(array);
    return object;
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

/* Kernels of libraries' headers (cub, thrust) are somebody else's: their place is elsewhere than the source and the
 * folder that gpuperf runs in. */
static bool is_own(const struct gp_unit_question *q, const struct gp_profile *profile, const struct gp_kernel *kernel)
{
    char here[4096];
    if (q->all_kernels || kernel->location >= profile->location_count)
        return true;
    const char *file = profile->locations[kernel->location].file;
    size_t length = getcwd(here, sizeof here) != NULL ? strlen(here) : 0;
    return file[0] != '/' || strcmp(file, q->unit->file) == 0 ||
           (length > 0 && strncmp(file, here, length) == 0 && file[length] == '/');
}

static void leave_out(struct rows *r, const struct gp_device *device, const char *kernel, const char *why)
{
    struct gp_text text = {0};
    gp_text_printf(&text, "%s%s%s on %s: %s", r->question->unit->file, kernel ? ": " : "", kernel ? kernel : "",
                   device->name, why);
    json_array_append_new(r->left_out, gp_json_string(text.data));
    gp_text_free(&text);
}

/* A group that the device cannot run is halved where nobody stated it. */
static bool predict(struct gp_predictor *predictor, const struct gp_device *device, struct gp_launch *launch,
                    bool stated, bool foreign, struct gp_prediction *p, struct gp_error *error)
{
    struct gp_predict_options options = {.bottlenecks = true, .foreign_target = foreign};
    for (;;) {
        memset(p, 0, sizeof *p);
        if (!gp_predict(predictor, device, launch, &options, p, error))
            return false;
        if (p->feasible || stated || !gp_launch_halve_group(launch))
            return p->feasible || gp_fail(error, "%s", p->why);
    }
}

/* The row of a prediction and, where they are asked for, the times over local sizes. */
static bool add_prediction(struct rows *r, const struct gp_device_profile *of, const struct gp_kernel *kernel,
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
    return row != NULL && (!r->question->sizes || gp_add_sizes(&question, row, error));
}

static bool check_kernel(struct rows *r, const struct gp_device_profile *of, const struct gp_kernel *kernel,
                         const struct gp_device *device, struct gp_error *error)
{
    const struct gp_check_rule *rule = gp_check_rule_for(r->question->config, kernel->name);
    struct gp_predictor *predictor = gp_predictor_new(of->profile, kernel);
    struct gp_launch *launch = malloc(sizeof *launch);
    struct gp_prediction *p = malloc(sizeof *p);
    struct gp_error why = {""};
    bool done = predictor != NULL && launch != NULL && p != NULL ? true : gp_fail(error, "out of memory");
    if (done && state_launch(rule, kernel, launch, &why) &&
        predict(predictor, device, launch, rule != NULL && rule->local.dims > 0, of->foreign, p, &why))
        done = add_prediction(r, of, kernel, device, predictor, launch, p, error);
    else if (done)
        leave_out(r, device, kernel->name, why.text);
    free(p);
    free(launch);
    gp_predictor_free(predictor);
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
    if (!r->read_unknown && json_array_size(r->left_out) == 0)
        gp_store_put(r->question, r->read.data != NULL ? r->read.data : "", text);
}

char *gp_unit_rows(const struct gp_unit_question *question, struct gp_error *error)
{
    struct gp_input input;
    char *text = gp_store_get(question);
    if (text != NULL)
        return text;
    struct rows r = {.question = question, .array = json_array(), .left_out = json_array()};
    if (gp_input_open(question->unit->file, &input, error)) {
        if (check_devices(&r, &input, error)) {
            json_t *whole = json_pack("{s:o,s:O}", "rows", by_kernel(r.array), "left_out", r.left_out);
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
    return text;
}
