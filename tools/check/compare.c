/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * gpuperf compare OLD NEW: what a change does to each kernel's predicted time, and which causes came and went.
 *
 * A side is a source, profile or module; JSON of predict or check; or git:REV:PATH, of which the revision's whole tree
 * is laid out in a temporary folder, so that its own headers are found.
 */
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compile/workdir.h"
#include "report/json_string.h"
#include "support/prefix.h"
#include "tools/check/changes.h"
#include "tools/check/gate.h"
#include "tools/check/look.h"
#include "tools/check/revision.h"
#include "tools/check/unit_rows.h"
#include "tools/command.h"
#include "tools/settings.h"
#include "tools/results.h"

struct compare {
    struct gp_arguments devices, kernels;
    const char *config_path, *out_path, *sides[2];
    struct gp_gate gate;
    struct gp_check_config config;
    enum gp_format format;
    bool bisect;
    char *const *rest;
    json_t *rows[2];
    struct gp_outcome outcome;
};

/* ---- A side's rows
 * -------------------------------------------------------------------------------------------------------- */

/* Both sides' rows are of one file, so that they are told as one. */
static void name_rows(json_t *rows, const char *name)
{
    size_t index;
    json_t *row;
    json_array_foreach(rows, index, row) { json_object_set_new(row, "file", gp_json_string(name)); }
}

static json_t *predict_rows(struct compare *c, const char *path, struct gp_error *error)
{
    struct gp_unit unit = {.file = (char *)path};
    gp_arguments_add_all(&unit.arguments, (const char *const *)c->rest);
    struct gp_unit_question question = {
        .unit = &unit, .devices = &c->devices, .config = &c->config, .kernels = &c->kernels, .all_kernels = true};
    char *text = gp_unit_rows(&question, error);
    gp_arguments_free(&unit.arguments);
    json_t *whole = text != NULL ? json_loads(text, 0, NULL) : NULL,
           *rows = json_incref(json_object_get(whole, "rows"));
    free(text);
    json_decref(whole);
    return rows;
}

/* Of a program's recorded launches, by the sources that lie beside them. */
static json_t *recorded_rows(struct compare *c, const char *path, struct gp_error *error)
{
    struct gp_look look = {.all_kernels = true};
    json_t *rows = NULL;
    gp_look_begin(&look);
    look.config_path = path;
    gp_arguments_add_all(&look.devices, (const char *const *)c->devices.items);
    gp_arguments_add_all(&look.kernels, (const char *const *)c->kernels.items);
    if (gp_look_prepare(&look, c->rest, error) && gp_look(&look, error)) {
        const json_t *failed = json_array_get(look.outcome.failed, 0);
        if (failed != NULL && json_array_size(look.outcome.rows) == 0)
            gp_fail(error, "%s: %s", gp_json_word(failed, "file"), gp_json_word(failed, "error"));
        else
            rows = json_incref(look.outcome.rows);
    }
    gp_look_free(&look);
    return rows;
}

static json_t *side_rows(struct compare *c, const char *side, struct gp_error *error)
{
    if (gp_is_recording(side))
        return recorded_rows(c, side, error);
    struct gp_workdir folder;
    char path[PATH_MAX];
    if (!gp_is_revision(side))
        return gp_ends_with(side, ".json") ? gp_rows_load(side, error) : predict_rows(c, side, error);
    if (!gp_workdir_make(&folder, getenv("TMPDIR") != NULL ? getenv("TMPDIR") : "", error))
        return NULL;
    json_t *rows = gp_revision_open(side, folder.path, path, error) ? predict_rows(c, path, error) : NULL;
    gp_workdir_remove(&folder);
    return rows;
}

/* ---- Text
 * ------------------------------------------------------------------------------------------------------------------ */

static void print_causes(const json_t *causes, char sign, struct gp_text *out)
{
    size_t index;
    const json_t *cause;
    json_array_foreach(causes, index, cause) { gp_text_printf(out, " %c%s", sign, json_string_value(cause)); }
}

static void print_row(const json_t *row, struct gp_text *out)
{
    char before[GP_TIME_TEXT] = "-", after[GP_TIME_TEXT];
    double ratio = gp_json_real(row, "ratio");
    if (gp_json_real(row, "base_ns") > 0)
        gp_time_text(gp_json_real(row, "base_ns"), before);
    gp_time_text(gp_json_real(row, gp_json_real(row, "total_ns") > 0 ? "total_ns" : "time_ns"), after);
    gp_text_printf(out, "%-26.26s %-12.12s %9s %9s ", gp_json_word(row, "kernel"), gp_json_word(row, "device"), before,
                   after);
    if (ratio > 0)
        gp_text_printf(out, "%6.2fx %4.0f%%", ratio, 100 * gp_json_real(row, "confidence"));
    else
        gp_text_printf(out, "%7s %4.0f%%", "new", 100 * gp_json_real(row, "confidence"));
    print_causes(json_object_get(row, "causes_went"), '-', out);
    print_causes(json_object_get(row, "causes_came"), '+', out);
    gp_text_printf(out, "%s\n", json_is_true(json_object_get(row, "fails")) ? "  FAILS" : "");
    if (gp_json_word(row, "base_launch")[0] != '\0')
        gp_text_printf(out, "  another launch: %s, before %s\n", gp_json_word(row, "launch"),
                       gp_json_word(row, "base_launch"));
}

static void print_text(const struct compare *c, struct gp_text *out)
{
    size_t index;
    const json_t *item;
    gp_text_printf(out, "%-26s %-12s %9s %9s %7s %5s\n", "kernel", "device", "before", "after", "ratio", "sure");
    json_array_foreach(c->outcome.rows, index, item) { print_row(item, out); }
    json_array_foreach(c->outcome.notes, index, item) { gp_text_printf(out, "%s\n", json_string_value(item)); }
}

/* ---- The verb
 * -------------------------------------------------------------------------------------------------------------- */

enum { OPTION_DEVICE = GP_FIRST_OPTION, OPTION_KERNEL, OPTION_CONFIG, OPTION_FAIL_ON, OPTION_FORMAT, OPTION_BISECT };
static const struct option options[] = {
    {"device", required_argument, NULL, OPTION_DEVICE},
    {"kernel", required_argument, NULL, OPTION_KERNEL},
    {"config", required_argument, NULL, OPTION_CONFIG},
    {"fail-on", required_argument, NULL, OPTION_FAIL_ON},
    {"format", required_argument, NULL, OPTION_FORMAT},
    {"bisect", no_argument, NULL, OPTION_BISECT},
    {NULL, 0, NULL, 0},
};

static bool take_option(struct compare *c, int option, const char *value, struct gp_error *error)
{
    switch (option) {
    case OPTION_DEVICE: return gp_take_list("--device", value, &c->devices, error);
    case OPTION_KERNEL: gp_arguments_add(&c->kernels, "%s", value); return true;
    case OPTION_CONFIG: c->config_path = value; return true;
    case OPTION_FAIL_ON: return gp_gate_add(&c->gate, value, error);
    case OPTION_FORMAT: return gp_format_parse(value, &c->format, error);
    case OPTION_BISECT: return c->bisect = true;
    default: c->out_path = value; return true;
    }
}

static bool parse(struct compare *c, const struct gp_command_line *line, struct gp_error *error)
{
    c->gate = (struct gp_gate){.regression = -1, .threshold = 0.2};
    c->rest = line->rest;
    optind = 1;
    int option;
    while ((option = getopt_long(line->count, line->arguments, ":o:", options, NULL)) != -1) {
        if (option == '?' || option == ':') {
            gp_bad_option(line, option, error);
            return false;
        }
        if (!take_option(c, option, optarg, error))
            return false;
    }
    if (line->count - optind != 2)
        return gp_fail(error, "'compare' takes two: gpuperf compare [OPTIONS] OLD NEW [-- CLANG-ARGUMENTS]; each a "
                              "source, a profile, JSON, or git:REV:PATH");
    c->sides[0] = line->arguments[optind];
    c->sides[1] = line->arguments[optind + 1];
    return true;
}

static bool look(struct compare *c, struct gp_error *error)
{
    if (!gp_check_config_find(c->config_path, &c->config, error))
        return false;
    gp_check_default_devices(&c->config, &c->devices);
    bool of_json = gp_ends_with(c->sides[0], ".json") && gp_ends_with(c->sides[1], ".json");
    for (int i = 0; i < 2; i++) {
        if ((c->rows[i] = side_rows(c, c->sides[i], error)) == NULL)
            return gp_fail_within(error, c->sides[i]);
        if (!of_json)
            name_rows(c->rows[i], c->sides[1]);
    }
    c->outcome = (struct gp_outcome){
        .rows = json_incref(c->rows[1]), .findings = json_array(), .failed = json_array(), .notes = json_array()};
    gp_gate_judge(&c->gate, &c->config, c->rows[0], &c->outcome);
    gp_add_changes(&c->outcome, c->rows[0], c->gate.threshold);
    return true;
}

static bool print(const struct compare *c, struct gp_text *out, struct gp_error *error)
{
    if (c->format != GP_FORMAT_TEXT)
        return gp_outcome_print(&c->outcome, c->format, out, error);
    print_text(c, out);
    return true;
}

static void release(struct compare *c)
{
    gp_outcome_free(&c->outcome);
    json_decref(c->rows[0]);
    json_decref(c->rows[1]);
    gp_check_config_free(&c->config);
    gp_gate_free(&c->gate);
    gp_arguments_free(&c->devices);
    gp_arguments_free(&c->kernels);
}

/* 0: nothing fails. 1: the gate does. 2: the two cannot be compared; for `git bisect run` that is 125, a revision to
 * skip. */
enum gp_status gp_compare_command(const struct gp_command_line *line, struct gp_text *out, struct gp_error *error)
{
    struct compare c = {0};
    enum gp_status status = GP_STATUS_USAGE;
    if (parse(&c, line, error) && look(&c, error) && print(&c, out, error) && gp_deliver(c.out_path, out, error))
        status = c.outcome.failures > 0 ? GP_STATUS_TOLD_FAILED : GP_STATUS_OK;
    else if (c.bisect)
        status = GP_STATUS_SKIP;
    release(&c);
    return status;
}
