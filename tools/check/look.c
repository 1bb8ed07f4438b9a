/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/check/look.h"

#include <stdlib.h>
#include <unistd.h>

#include "report/json_string.h"
#include "support/prefix.h"
#include "tools/check/unit_rows.h"
#include "tools/check/workers.h"
#include "tools/settings.h"

/* ---- The command line
 * ---------------------------------------------------------------------------------------------------- */

bool gp_is_recording(const char *path) { return gp_ends_with(path, ".yaml") || gp_ends_with(path, ".yml"); }

void gp_look_begin(struct gp_look *look)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    look->jobs = processors > 0 ? (unsigned)processors : 1;
}

static bool parse_jobs(const char *text, unsigned *jobs, struct gp_error *error)
{
    char *end;
    unsigned long number = strtoul(text, &end, 10);
    *jobs = (unsigned)number;
    return (text[0] >= '1' && text[0] <= '9' && *end == '\0' && number <= 256) ||
           gp_fail(error, "--jobs takes a number from 1 to 256, not '%.40s'", text);
}

bool gp_look_option(struct gp_look *look, int option, const char *value, struct gp_error *error)
{
    switch (option) {
    case GP_LOOK_DEVICE: return gp_take_list("--device", value, &look->devices, error);
    case GP_LOOK_KERNEL: gp_arguments_add(&look->kernels, "%s", value); return true;
    case GP_LOOK_CONFIG: look->config_path = value; return true;
    case GP_LOOK_JOBS: return parse_jobs(value, &look->jobs, error);
    case GP_LOOK_ALL: return look->all_kernels = true;
    default: gp_arguments_add(&look->paths, "%s", value); return true;
    }
}

/* ---- What is needed
 * -------------------------------------------------------------------------------------------------------- */

static bool check_devices(const struct gp_look *look, struct gp_error *error)
{
    for (size_t i = 0; i < look->devices.count; i++) {
        struct gp_device *device = gp_device_load(look->devices.items[i], getenv("GPUPERF_HWDB"), error);
        if (device == NULL)
            return false;
        gp_device_free(device);
    }
    return true;
}

/* The sources of what a program launches. */
static bool add_recorded(struct gp_look *look, const char *const *shared, struct gp_error *error)
{
    for (size_t i = 0; i < look->config.count; i++)
        for (size_t l = 0; l < look->config.rules[i].launch_count; l++) {
            const struct gp_check_launch *launch = &look->config.rules[i].launches[l];
            if (launch->source != NULL &&
                !gp_units_add_recorded(&look->units, launch->source, &launch->options, shared, error))
                return false;
        }
    return true;
}

/* What is named, else the recorded sources. */
static bool add_sources(struct gp_look *look, const char *const *shared, struct gp_error *error)
{
    if (look->paths.count == 0)
        return add_recorded(look, shared, error);
    for (size_t i = 0; i < look->paths.count; i++)
        if (!gp_units_add(&look->units, look->paths.items[i], shared, error))
            return false;
    return true;
}

bool gp_look_sources(struct gp_look *look, char *const *rest, struct gp_error *error)
{
    gp_check_default_devices(&look->config, &look->devices);
    if (!check_devices(look, error) || !add_sources(look, (const char *const *)rest, error))
        return false;
    gp_units_sort(&look->units);
    if (look->units.count > 0)
        return true;
    return look->paths.count > 0
               ? gp_fail(error, "%s has no .cl, .clcpp, .cu or .hip", look->paths.items[0])
               : gp_fail(error, "nothing to look at: name a FILE, FOLDER or compile_commands.json, or a --config that "
                                "GPUPERF_RECORD has written (see gpuperf --help)");
}

bool gp_look_prepare(struct gp_look *look, char *const *rest, struct gp_error *error)
{
    return gp_check_config_find(look->config_path, &look->config, error) && gp_look_sources(look, rest, error);
}

/* ---- The work
 * --------------------------------------------------------------------------------------------------------------- */

static char *work(void *context, size_t index, struct gp_error *error)
{
    struct gp_look *look = context;
    struct gp_unit_question question = {.unit = &look->units.items[index],
                                        .devices = &look->devices,
                                        .config = &look->config,
                                        .kernels = &look->kernels,
                                        .all_kernels = look->all_kernels,
                                        .sizes = look->sizes};
    return gp_unit_rows(&question, error);
}

static void take_result(struct gp_outcome *outcome, const struct gp_unit *unit, const struct gp_worker_result *result)
{
    json_t *whole = result->text != NULL ? json_loads(result->text, 0, NULL) : NULL;
    if (whole == NULL)
        json_array_append_new(
            outcome->failed,
            json_pack("{s:o,s:o}", "file", gp_json_string(unit->file), "error",
                      gp_json_string(result->error.text[0] ? result->error.text : "its result cannot be read")));
    json_array_extend(outcome->rows, json_object_get(whole, "rows"));
    json_array_extend(outcome->notes, json_object_get(whole, "left_out"));
    json_decref(whole);
}

bool gp_look(struct gp_look *look, struct gp_error *error)
{
    look->outcome = (struct gp_outcome){
        .rows = json_array(), .findings = json_array(), .failed = json_array(), .notes = json_array()};
    struct gp_worker_result *results = calloc(look->units.count, sizeof *results);
    if (results == NULL || !gp_run_workers(work, look, look->units.count, look->jobs, results, error)) {
        free(results);
        return false;
    }
    for (size_t i = 0; i < look->units.count; i++) {
        take_result(&look->outcome, &look->units.items[i], &results[i]);
        free(results[i].text);
    }
    free(results);
    return true;
}

/* Launches of a program that loaded a binary: nobody knows from what it was made. */
static void note_unknown_sources(struct gp_look *look, const struct gp_check_rule *rule)
{
    for (size_t l = 0; l < rule->launch_count && look->paths.count == 0; l++) {
        struct gp_text text = {0};
        if (rule->launches[l].source != NULL)
            continue;
        gp_text_printf(&text, "%s:%u: %s: its source is not known; name a file that has it", look->config.path,
                       rule->launches[l].line, rule->pattern);
        json_array_append_new(look->outcome.notes, gp_json_string(text.data));
        gp_text_free(&text);
    }
}

void gp_look_note_unused_rules(struct gp_look *look)
{
    for (size_t i = 0; i < look->config.count && look->kernels.count == 0; i++) {
        const struct gp_check_rule *rule = &look->config.rules[i];
        struct gp_text text = {0};
        note_unknown_sources(look, rule);
        if (rule->used || rule->launch_count > 0) /* why a launch has no row is told with it */
            continue;
        gp_text_printf(&text, "%s:%u: no kernel matches \"%s\"", look->config.path, rule->line, rule->pattern);
        json_array_append_new(look->outcome.failed,
                              json_pack("{s:s,s:o}", "file", look->config.path, "error", gp_json_string(text.data)));
        gp_text_free(&text);
    }
}

void gp_look_free(struct gp_look *look)
{
    gp_outcome_free(&look->outcome);
    gp_units_free(&look->units);
    gp_check_config_free(&look->config);
    gp_arguments_free(&look->devices);
    gp_arguments_free(&look->kernels);
    gp_arguments_free(&look->paths);
}
