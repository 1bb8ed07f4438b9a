/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/check/look.h"

#include <stdlib.h>
#include <unistd.h>

#include "report/json_string.h"
#include "tools/check/unit_rows.h"
#include "tools/check/workers.h"

/* ---- The command line
 * ---------------------------------------------------------------------------------------------------- */

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

bool gp_look_prepare(struct gp_look *look, char *const *rest, struct gp_error *error)
{
    if (!gp_check_config_find(look->config_path, &look->config, error))
        return false;
    gp_check_default_devices(&look->config, &look->devices);
    if (!check_devices(look, error))
        return false;
    for (size_t i = 0; i < look->paths.count; i++)
        if (!gp_units_add(&look->units, look->paths.items[i], (const char *const *)rest, error))
            return false;
    gp_units_sort(&look->units);
    return look->units.count > 0 || gp_fail(error, "%s has no .cl, .clcpp or .cu", look->paths.items[0]);
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

void gp_look_note_unused_rules(struct gp_look *look)
{
    for (size_t i = 0; i < look->config.count && look->kernels.count == 0; i++) {
        const struct gp_check_rule *rule = &look->config.rules[i];
        struct gp_text text = {0};
        if (rule->used)
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
