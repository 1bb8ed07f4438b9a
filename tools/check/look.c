/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/check/look.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/json_string.h"
#include "support/prefix.h"
#include "tools/check/gate.h"
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

bool gp_look_parse(struct gp_look *look, const struct gp_command_line *line, const struct option *options,
                   bool (*take)(void *context, int option, const char *value, struct gp_error *error), void *context,
                   struct gp_error *error)
{
    gp_look_begin(look);
    optind = 0; /* anew, whatever a parse before has left of a word */
    for (int option; (option = getopt_long(line->count, line->arguments, ":p:o:", options, NULL)) != -1;) {
        if (option == '?' || option == ':') {
            gp_bad_option(line, option, error);
            return false;
        }
        if (!take(context, option, optarg, error))
            return false;
    }
    for (; optind < line->count; optind++)
        gp_arguments_add(&look->paths, "%s", line->arguments[optind]);
    return true;
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

bool gp_look_check_budgets(struct gp_check_config *config, struct gp_error *error)
{
    for (size_t i = 0; i < config->count; i++)
        for (size_t b = 0; b < config->rules[i].budget_count; b++) {
            struct gp_budget *budget = &config->rules[i].budgets[b];
            struct gp_error why = {""};
            struct gp_device *device = gp_device_load(budget->device, getenv("GPUPERF_HWDB"), &why);
            if (device == NULL)
                return gp_fail(error, "%s:%u: budget: %s", config->path, budget->line, why.text);
            free(budget->device);
            budget->device = strdup(device->name);
            gp_device_free(device);
            if (budget->device == NULL)
                return gp_fail(error, "out of memory");
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
    return gp_check_config_find(look->config_path, &look->config, error) &&
           gp_look_check_budgets(&look->config, error) && gp_look_sources(look, rest, error);
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

static void take_result(struct gp_look *look, const struct gp_unit *unit, const struct gp_worker_result *result)
{
    struct gp_outcome *outcome = &look->outcome;
    json_t *whole = result->text != NULL ? json_loads(result->text, 0, NULL) : NULL;
    if (whole == NULL)
        json_array_append_new(
            outcome->failed,
            json_pack("{s:o,s:o}", "file", gp_json_string(unit->file), "error",
                      gp_json_string(result->error.text[0] ? result->error.text : "its result cannot be read")));
    json_array_extend(outcome->rows, json_object_get(whole, "rows"));
    json_array_extend(outcome->notes, json_object_get(whole, "left_out"));
    json_array_extend(look->kernels_left_out, json_object_get(whole, "kernels_left_out"));
    json_decref(whole);
}

/* Takes the row's list of arguments that it lacks into its rule's: what all of the rule's kernels lack. */
static void take_unknown(struct gp_look *look, json_t *row)
{
    const struct gp_check_rule *rule = gp_check_rule_for(&look->config, gp_json_word(row, "kernel"));
    json_t *unknown = json_incref(json_object_get(row, "unknown_arguments")),
           *all = rule != NULL ? json_object_get(look->unknown_arguments, rule->pattern) : NULL;
    const char *name;
    json_t *meant;
    void *next;
    json_object_del(row, "unknown_arguments");
    if (rule != NULL && all == NULL && unknown != NULL)
        json_object_set_new(look->unknown_arguments, rule->pattern, json_deep_copy(unknown));
    json_object_foreach_safe(all, next, name, meant)
    {
        const char *other = json_string_value(json_object_get(unknown, name));
        if (other == NULL)
            json_object_del(all, name);
        else if (other[0] != '\0' && json_string_value(meant)[0] == '\0')
            json_object_set_new(all, name, gp_json_string(other));
    }
    json_decref(unknown);
}

bool gp_look(struct gp_look *look, struct gp_error *error)
{
    look->outcome = (struct gp_outcome){
        .rows = json_array(), .findings = json_array(), .failed = json_array(), .notes = json_array()};
    look->kernels_left_out = json_array();
    look->unknown_arguments = json_object();
    struct gp_worker_result *results = calloc(look->units.count, sizeof *results);
    if (results == NULL || !gp_run_workers(work, look, look->units.count, look->jobs, results, error)) {
        free(results);
        return false;
    }
    for (size_t i = 0; i < look->units.count; i++) {
        take_result(look, &look->units.items[i], &results[i]);
        free(results[i].text);
    }
    free(results);
    size_t index;
    json_t *row;
    json_array_foreach(look->outcome.rows, index, row) { take_unknown(look, row); }
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

/* What is wrong with the configuration, with its line. */
static void add_mistake(struct gp_look *look, unsigned line, const char *format, ...)
{
    char what[512];
    struct gp_text text = {0};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    gp_text_printf(&text, "%s:%u: %s", look->config.path, line, what);
    json_array_append_new(look->outcome.failed,
                          json_pack("{s:s,s:o}", "file", look->config.path, "error", gp_json_string(text.data)));
    gp_text_free(&text);
}

/* Its kernels are there, but none of them has a row. */
static bool is_left_out(const struct gp_look *look, const struct gp_check_rule *rule)
{
    size_t index;
    const json_t *name;
    json_array_foreach(look->kernels_left_out, index, name)
    {
        if (gp_check_rule_for(&look->config, json_string_value(name)) == rule)
            return true;
    }
    return false;
}

static void note_unknown_arguments(struct gp_look *look, const struct gp_check_rule *rule)
{
    const char *name;
    json_t *meant;
    json_object_foreach(json_object_get(look->unknown_arguments, rule->pattern), name, meant)
    {
        add_mistake(look, rule->args_line, "args: no kernel that \"%.80s\" matches has an argument '%.80s'%s",
                    rule->pattern, name, json_string_value(meant));
    }
}

void gp_look_note_unknown_arguments(struct gp_look *look)
{
    for (size_t i = 0; i < look->config.count; i++)
        note_unknown_arguments(look, &look->config.rules[i]);
}

void gp_look_note_unused_rules(struct gp_look *look)
{
    for (size_t i = 0; i < look->config.count && look->kernels.count == 0; i++) {
        const struct gp_check_rule *rule = &look->config.rules[i];
        note_unknown_sources(look, rule);
        note_unknown_arguments(look, rule);
        if (rule->used || rule->launch_count > 0) /* why a launch has no row is told with it */
            continue;
        if (is_left_out(look, rule))
            add_mistake(look, rule->line, "what \"%.80s\" states could be predicted on no device", rule->pattern);
        else
            add_mistake(look, rule->line, "no kernel matches \"%.80s\"", rule->pattern);
    }
}

void gp_look_free(struct gp_look *look)
{
    gp_outcome_free(&look->outcome);
    json_decref(look->kernels_left_out);
    json_decref(look->unknown_arguments);
    gp_units_free(&look->units);
    gp_check_config_free(&look->config);
    gp_arguments_free(&look->devices);
    gp_arguments_free(&look->kernels);
    gp_arguments_free(&look->paths);
}
