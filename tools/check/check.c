/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * gpuperf check: predicts the kernels of a tree for the launches that gpuperf.yaml states, tells what makes them slow,
 * and fails where a budget, a baseline or a finding says so.
 *
 *   units (units.h) --> a process each (workers.h): rows (unit_rows.h) --> gate (gate.h) --> outcome (outcome.h)
 */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/json_string.h"
#include "tools/check/gate.h"
#include "tools/check/unit_rows.h"
#include "tools/check/workers.h"
#include "tools/command.h"

struct check {
    struct gp_arguments devices, kernels, paths;
    const char *config_path, *baseline_path, *new_baseline_path, *out_path;
    struct gp_gate gate;
    enum gp_format format;
    unsigned jobs;
    bool all_kernels;
    struct gp_check_config config;
    struct gp_units units;
    json_t *baseline;
    struct gp_outcome outcome;
};

/* ---- The command line
 * ---------------------------------------------------------------------------------------------------- */

enum {
    OPTION_DEVICE = GP_FIRST_OPTION,
    OPTION_KERNEL,
    OPTION_CONFIG,
    OPTION_BASELINE,
    OPTION_WRITE,
    OPTION_FAIL_ON,
    OPTION_FORMAT,
    OPTION_JOBS,
    OPTION_ALL
};
static const struct option options[] = {
    {"device", required_argument, NULL, OPTION_DEVICE},
    {"kernel", required_argument, NULL, OPTION_KERNEL},
    {"config", required_argument, NULL, OPTION_CONFIG},
    {"baseline", required_argument, NULL, OPTION_BASELINE},
    {"write-baseline", required_argument, NULL, OPTION_WRITE},
    {"fail-on", required_argument, NULL, OPTION_FAIL_ON},
    {"format", required_argument, NULL, OPTION_FORMAT},
    {"jobs", required_argument, NULL, OPTION_JOBS},
    {"all-kernels", no_argument, NULL, OPTION_ALL},
    {NULL, 0, NULL, 0},
};

static bool parse_jobs(const char *text, unsigned *jobs, struct gp_error *error)
{
    char *end;
    unsigned long number = strtoul(text, &end, 10);
    *jobs = (unsigned)number;
    return (text[0] >= '1' && text[0] <= '9' && *end == '\0' && number <= 256) ||
           gp_fail(error, "--jobs takes a number from 1 to 256, not '%.40s'", text);
}

static bool take_option(struct check *c, int option, const char *value, struct gp_error *error)
{
    switch (option) {
    case OPTION_DEVICE: return gp_take_list("--device", value, &c->devices, error);
    case OPTION_KERNEL: gp_arguments_add(&c->kernels, "%s", value); return true;
    case OPTION_CONFIG: c->config_path = value; return true;
    case OPTION_BASELINE: c->baseline_path = value; return true;
    case OPTION_WRITE: c->new_baseline_path = value; return true;
    case OPTION_FAIL_ON: return gp_gate_add(&c->gate, value, error);
    case OPTION_FORMAT: return gp_format_parse(value, &c->format, error);
    case OPTION_JOBS: return parse_jobs(value, &c->jobs, error);
    case OPTION_ALL: return c->all_kernels = true;
    case 'p': gp_arguments_add(&c->paths, "%s", value); return true;
    default: c->out_path = value; return true;
    }
}

static bool parse(struct check *c, const struct gp_command_line *line, struct gp_error *error)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    c->gate = (struct gp_gate){.regression = -1, .threshold = 0.2};
    c->jobs = processors > 0 ? (unsigned)processors : 1;
    optind = 1;
    int option;
    while ((option = getopt_long(line->count, line->arguments, ":p:o:", options, NULL)) != -1) {
        if (option == '?' || option == ':') {
            gp_bad_option(line, option, error);
            return false;
        }
        if (!take_option(c, option, optarg, error))
            return false;
    }
    for (; optind < line->count; optind++)
        gp_arguments_add(&c->paths, "%s", line->arguments[optind]);
    return c->paths.count > 0 ||
           gp_fail(
               error,
               "nothing to check; gpuperf check [OPTIONS] FILE|FOLDER|compile_commands.json ... [-- CLANG-ARGUMENTS]");
}

/* ---- What is needed
 * -------------------------------------------------------------------------------------------------------- */

static bool load_config(struct check *c, struct gp_error *error)
{
    if (!gp_check_config_find(c->config_path, &c->config, error))
        return false;
    gp_check_default_devices(&c->config, &c->devices);
    return true;
}

static bool check_devices(const struct check *c, struct gp_error *error)
{
    for (size_t i = 0; i < c->devices.count; i++) {
        struct gp_device *device = gp_device_load(c->devices.items[i], getenv("GPUPERF_HWDB"), error);
        if (device == NULL)
            return false;
        gp_device_free(device);
    }
    return true;
}

static bool prepare(struct check *c, const struct gp_command_line *line, struct gp_error *error)
{
    if (!load_config(c, error) || !check_devices(c, error))
        return false;
    if (c->baseline_path != NULL && (c->baseline = gp_rows_load(c->baseline_path, error)) == NULL)
        return false;
    if (c->gate.regression >= 0 && c->baseline == NULL)
        return gp_fail(error,
                       "--fail-on regression needs --baseline FILE; gpuperf check --write-baseline FILE makes one");
    for (size_t i = 0; i < c->paths.count; i++)
        if (!gp_units_add(&c->units, c->paths.items[i], (const char *const *)line->rest, error))
            return false;
    gp_units_sort(&c->units);
    return c->units.count > 0 || gp_fail(error, "%s has no .cl, .clcpp or .cu", c->paths.items[0]);
}

/* ---- The work
 * --------------------------------------------------------------------------------------------------------------- */

static char *work(void *context, size_t index, struct gp_error *error)
{
    struct check *c = context;
    struct gp_unit_question question = {.unit = &c->units.items[index],
                                        .devices = &c->devices,
                                        .config = &c->config,
                                        .kernels = &c->kernels,
                                        .all_kernels = c->all_kernels};
    return gp_unit_rows(&question, error);
}

static void take_result(struct check *c, const struct gp_unit *unit, const struct gp_worker_result *result)
{
    json_t *whole = result->text != NULL ? json_loads(result->text, 0, NULL) : NULL;
    if (whole == NULL)
        json_array_append_new(
            c->outcome.failed,
            json_pack("{s:o,s:o}", "file", gp_json_string(unit->file), "error",
                      gp_json_string(result->error.text[0] ? result->error.text : "its result cannot be read")));
    json_array_extend(c->outcome.rows, json_object_get(whole, "rows"));
    json_array_extend(c->outcome.notes, json_object_get(whole, "left_out"));
    json_decref(whole);
}

/* A pattern that no kernel has is misspelt, or the kernel has gone. */
static void note_unused_rules(struct check *c)
{
    for (size_t i = 0; i < c->config.count && c->kernels.count == 0; i++) {
        const struct gp_check_rule *rule = &c->config.rules[i];
        struct gp_text text = {0};
        if (rule->used)
            continue;
        gp_text_printf(&text, "%s:%u: no kernel matches \"%s\"", c->config.path, rule->line, rule->pattern);
        json_array_append_new(c->outcome.failed,
                              json_pack("{s:s,s:o}", "file", c->config.path, "error", gp_json_string(text.data)));
        gp_text_free(&text);
    }
}

static bool look(struct check *c, struct gp_error *error)
{
    c->outcome = (struct gp_outcome){
        .rows = json_array(), .findings = json_array(), .failed = json_array(), .notes = json_array()};
    struct gp_worker_result *results = calloc(c->units.count, sizeof *results);
    if (results == NULL || !gp_run_workers(work, c, c->units.count, c->jobs, results, error)) {
        free(results);
        return false;
    }
    for (size_t i = 0; i < c->units.count; i++) {
        take_result(c, &c->units.items[i], &results[i]);
        free(results[i].text);
    }
    free(results);
    gp_gate_judge(&c->gate, &c->config, c->baseline, &c->outcome);
    note_unused_rules(c);
    return true;
}

/* ---- The result
 * ------------------------------------------------------------------------------------------------------------- */

static bool write_baseline(const struct check *c, struct gp_error *error)
{
    struct gp_text text = {0};
    bool done = c->new_baseline_path == NULL ||
                (gp_outcome_json(&c->outcome, &text, error) && gp_deliver(c->new_baseline_path, &text, error));
    gp_text_free(&text);
    return done;
}

static void release(struct check *c)
{
    gp_outcome_free(&c->outcome);
    json_decref(c->baseline);
    gp_units_free(&c->units);
    gp_check_config_free(&c->config);
    gp_gate_free(&c->gate);
    gp_arguments_free(&c->devices);
    gp_arguments_free(&c->kernels);
    gp_arguments_free(&c->paths);
}

/* 0: nothing fails. 1: the gate does. 2: what was asked for cannot be done, or some source could not be looked at. */
enum gp_status gp_check_command(const struct gp_command_line *line, struct gp_text *out, struct gp_error *error)
{
    struct check c = {0};
    enum gp_status status = GP_STATUS_USAGE;
    if (parse(&c, line, error) && prepare(&c, line, error) && look(&c, error) &&
        gp_outcome_print(&c.outcome, c.format, out, error) && write_baseline(&c, error) &&
        gp_deliver(c.out_path, out, error)) {
        size_t failed = json_array_size(c.outcome.failed);
        status = failed > 0 ? GP_STATUS_TOLD_USAGE : c.outcome.failures > 0 ? GP_STATUS_TOLD_FAILED : GP_STATUS_OK;
    }
    release(&c);
    return status;
}
