/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * gpuperf init: a first gpuperf.yaml. It names the kernels and, as comments, what of their launches is assumed: what
 * stands there is nobody's statement until somebody takes the '#' away.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/json_string.h"
#include "tools/check/look.h"
#include "tools/check/unit_rows.h"
#include "tools/check/workers.h"
#include "tools/input.h"
#include "tools/settings.h"
#include "model/launch/launch.h"
#include "model/assume/defaults.h"
#include "model/assume/vectors.h"

struct init {
    struct gp_look look; /* of which the options and the sources are used */
    const char *out_path;
};

/* ---- A kernel ---- */

static void append_size(struct gp_text *out, const char *name, const uint64_t size[3], uint32_t dims)
{
    gp_text_printf(out, "    # %s: ", name);
    for (uint32_t d = 0; d < dims; d++)
        gp_text_printf(out, "%s%llu", d > 0 ? "x" : "", (unsigned long long)size[d]);
    gp_text_printf(out, "\n");
}

/* Scalars that decide time; local memory and buffers, of which the bytes decide it. */
static bool is_worth_stating(const struct gp_param *param)
{
    return param->name[0] != '\0' &&
           (((param->kind == GP_PARAM_INT || param->kind == GP_PARAM_FLOAT) && (param->flags & GP_PARAM_SKELETON)) ||
            param->kind == GP_PARAM_LOCAL || param->kind == GP_PARAM_BUFFER);
}

static void append_arguments(const struct gp_kernel *kernel, const struct gp_launch *launch, struct gp_text *out)
{
    const char *before = "    # args: {";
    for (uint32_t i = 0; i < kernel->param_count && i < GP_MAX_ARGUMENTS; i++) {
        const struct gp_param *param = &kernel->params[i];
        const struct gp_argument *argument = &launch->arguments[i];
        if (!is_worth_stating(param) || ((param->flags & GP_PARAM_ELEMENT) && !gp_is_member(kernel, param)))
            continue;
        gp_text_printf(out, "%s%s: ", before, param->name);
        if (param->kind == GP_PARAM_INT && argument->known)
            gp_text_printf(
                out, "%lld",
                (long long)(param->bits < 64 ? (int64_t)(int32_t)argument->value : (int64_t)argument->value));
        else
            gp_text_printf(out, "%s",
                           param->kind == GP_PARAM_LOCAL || param->kind == GP_PARAM_BUFFER ? "BYTES" : "NUMBER");
        before = ", ";
    }
    gp_text_printf(out, "%s", before[0] == ',' ? "}\n" : "");
}

static void append_kernel(const struct gp_profile *profile, const struct gp_kernel *kernel, struct gp_text *out)
{
    static struct gp_launch launch;
    const struct gp_location *at =
        kernel->location < profile->location_count ? &profile->locations[kernel->location] : NULL;
    uint64_t local[3];
    gp_launch_default(kernel, &launch);
    for (int d = 0; d < 3; d++)
        local[d] = launch.local[d];
    gp_text_printf(out, "  \"%s\":", kernel->name);
    if (at != NULL)
        gp_text_printf(out, " # %s:%u", at->file, (unsigned)at->line);
    gp_text_printf(out, "\n    ignore: []\n");
    append_size(out, "global", launch.global, launch.dims);
    append_size(out, "local", local, launch.dims);
    append_arguments(kernel, &launch, out);
}

/* ---- A source, in a process of its own: an array of {name, text} ---- */

static char *kernels_of(const struct gp_look *look, const struct gp_unit *unit, const struct gp_profile *profile,
                        struct gp_error *error)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < profile->kernel_count; i++) {
        struct gp_text text = {0};
        if (!look->all_kernels && !gp_is_own_kernel(unit, profile, &profile->kernels[i]))
            continue; /* as check has it */
        append_kernel(profile, &profile->kernels[i], &text);
        json_array_append_new(array, json_pack("{s:o,s:o}", "name", gp_json_string(profile->kernels[i].name), "text",
                                               gp_json_string(text.data != NULL ? text.data : "")));
        gp_text_free(&text);
    }
    char *result = json_dumps(array, JSON_COMPACT);
    json_decref(array);
    if (result == NULL)
        gp_fail(error, "out of memory");
    return result;
}

/* On one device; NULL and a sentence: it does not run such sources, or its compiler does not take this one. */
static char *kernels_on(const struct gp_look *look, const struct gp_unit *unit, const struct gp_input *input,
                        const char *name, struct gp_error *error)
{
    struct gp_device_profile of;
    struct gp_device *device = gp_device_load(name, getenv("GPUPERF_HWDB"), error);
    char *result = NULL;
    if (device != NULL && gp_input_suits(input, device, error) &&
        gp_input_profile(input, device, (const char *const *)unit->arguments.items, &of, error)) {
        result = kernels_of(look, unit, of.profile, error);
        gp_device_profile_free(&of);
    }
    gp_device_free(device);
    return result;
}

/* By the first device that takes the source: CUDA's and HIP's are not for the same. */
static char *work(void *context, size_t index, struct gp_error *error)
{
    const struct gp_look *look = context;
    const struct gp_unit *unit = &look->units.items[index];
    struct gp_input input;
    char *result = NULL;
    if (!gp_input_open(unit->file, &input, error))
        return NULL;
    for (size_t i = 0; i < look->devices.count && result == NULL; i++)
        result = kernels_on(look, unit, &input, look->devices.items[i], error);
    gp_input_close(&input);
    return result;
}

/* ---- The file ---- */

/* A name stands in the file once. */
static void add_kernels(const json_t *kernels, json_t *seen, struct gp_text *out)
{
    size_t index;
    const json_t *kernel;
    json_array_foreach(kernels, index, kernel)
    {
        const char *name = json_string_value(json_object_get(kernel, "name"));
        if (name == NULL || json_object_get(seen, name) != NULL)
            continue;
        json_object_set_new(seen, name, json_true());
        gp_text_printf(out, "%s", json_string_value(json_object_get(kernel, "text")));
    }
}

static void print_devices(const struct gp_look *look, struct gp_text *out)
{
    gp_text_printf(
        out, "# Settings of gpuperf check, compare and report. Values behind '#' are assumed: where yours differ,\n"
             "# state them and remove the '#'. GPUPERF_RECORD states all of them.\n"
             "devices: [");
    for (size_t i = 0; i < look->devices.count; i++)
        gp_text_printf(out, "%s%s", i > 0 ? ", " : "", look->devices.items[i]);
    gp_text_printf(out, "]\nkernels:\n");
}

/* The number of kernels. */
static size_t print_file(const struct gp_look *look, const struct gp_worker_result *results, struct gp_text *out)
{
    json_t *seen = json_object();
    print_devices(look, out);
    for (size_t i = 0; i < look->units.count; i++) {
        json_t *kernels = results[i].text != NULL ? json_loads(results[i].text, 0, NULL) : NULL;
        if (kernels == NULL)
            gp_text_printf(out, "  # %s: %.200s\n", look->units.items[i].file, results[i].error.text);
        add_kernels(kernels, seen, out);
        json_decref(kernels);
    }
    size_t count = json_object_size(seen);
    json_decref(seen);
    return count;
}

/* A file that is there stays. */
static bool write_new(const char *path, const struct gp_text *text, struct gp_error *error)
{
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0 && errno == EEXIST)
        return gp_fail(error, "%s exists already and is not overwritten; name another file with -o", path);
    bool done = file >= 0 && write(file, text->data, text->length) == (ssize_t)text->length;
    if (file >= 0)
        done = close(file) == 0 && done;
    if (!done && file >= 0)
        unlink(path);
    return done || gp_fail(error, "cannot write %s: %s", path, strerror(errno));
}

static bool look(struct init *c, struct gp_text *out, struct gp_error *error)
{
    struct gp_text text = {0};
    struct gp_worker_result *results = calloc(c->look.units.count, sizeof *results);
    bool done = results != NULL && gp_run_workers(work, &c->look, c->look.units.count, c->look.jobs, results, error);
    size_t count = done ? print_file(&c->look, results, &text) : 0;
    if (done && count == 0)
        done = gp_fail(error, "no kernel found: %.600s",
                       results[0].error.text[0] ? results[0].error.text : "none is there");
    if (done && strcmp(c->out_path, "-") == 0)
        gp_text_append(out, text.data, text.length);
    else if (done && (done = write_new(c->out_path, &text, error)))
        gp_text_printf(out, "%s: %zu kernel%s\n", c->out_path, count, count == 1 ? "" : "s");
    for (size_t i = 0; results != NULL && i < c->look.units.count; i++)
        free(results[i].text);
    free(results);
    gp_text_free(&text);
    return done;
}

/* ---- The verb ---- */

static const struct option options[] = {GP_LOOK_OPTIONS, {NULL, 0, NULL, 0}};

static bool take_option(void *context, int option, const char *value, struct gp_error *error)
{
    struct init *c = context;
    if (option != 'o')
        return gp_look_option(&c->look, option, value, error);
    c->out_path = value;
    return true;
}

static bool parse(struct init *c, const struct gp_command_line *line, struct gp_error *error)
{
    c->out_path = "gpuperf.yaml";
    if (!gp_look_parse(&c->look, line, options, take_option, c, error))
        return false;
    if (c->look.paths.count == 0)
        gp_arguments_add(&c->look.paths, ".");
    return strcmp(c->out_path, "-") == 0 || access(c->out_path, F_OK) != 0 ||
           gp_fail(error, "%s exists already and is not overwritten; name another file with -o", c->out_path);
}

enum gp_status gp_init_command(const struct gp_command_line *line, struct gp_text *out, struct gp_error *error)
{
    struct init c = {0};
    enum gp_status status = GP_STATUS_USAGE;
    if (parse(&c, line, error) && gp_look_sources(&c.look, line->rest, error) && look(&c, out, error))
        status = GP_STATUS_OK;
    gp_look_free(&c.look);
    return status;
}
