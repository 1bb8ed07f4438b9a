/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * gpuperf compare OLD NEW: what a change does to each kernel's predicted time, and which causes came and went.
 *
 * A side is a source, a folder, a profile or a module; JSON of predict or check; or git:REV:PATH, of which the
 * revision's whole tree is laid out in a temporary folder, so that its own headers are found.
 */
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "compile/workdir.h"
#include "report/json_string.h"
#include "support/prefix.h"
#include "tools/check/changes.h"
#include "tools/check/gate.h"
#include "tools/check/look.h"
#include "tools/check/revision.h"
#include "tools/command.h"
#include "tools/settings.h"
#include "tools/results.h"

struct compare {
    struct gp_arguments devices, kernels;
    const char *config_path, *out_path, *sides[2];
    struct gp_gate gate;
    struct gp_check_config config;
    enum gp_format format;
    bool bisect, folders[2];
    char *const *rest;
    json_t *rows[2];
    struct gp_outcome outcome;
};

/* ---- A side's rows
 * -------------------------------------------------------------------------------------------------------- */

static bool is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static bool is_json(const char *side)
{
    return gp_ends_with(side, ".json") && !gp_ends_with(side, "compile_commands.json");
}

/* The files of a folder beside JSON of it keep their names; "git:REV:src" is "src" there. */
static const char *own_name(const char *side)
{
    const char *colon = gp_is_revision(side) ? strchr(side + 4, ':') : NULL;
    return colon != NULL ? colon + 1 : side;
}

/* Of a file, both sides' rows are of one file, so that they are told as one; below two folders those of one name are.
 */
static void name_rows(const struct compare *c, json_t *rows, const char *path, const char *side)
{
    const char *name = is_folder(path) && is_json(c->sides[1]) ? own_name(side) : c->sides[1];
    size_t index, length = strlen(path), shown = strlen(name);
    json_t *row;
    while (length > 1 && path[length - 1] == '/')
        length--;
    while (is_folder(path) && shown > 1 && name[shown - 1] == '/')
        shown--;
    json_array_foreach(rows, index, row)
    {
        const char *file = gp_json_word(row, "file");
        struct gp_text text = {0};
        bool below = is_folder(path) && strncmp(file, path, length) == 0;
        gp_text_printf(&text, "%.*s%s", (int)shown, name, below ? file + length : "");
        json_object_set_new(row, "file", gp_json_string(text.data));
        gp_text_free(&text);
    }
}

/* What cannot be looked at, with the side's own name. */
static void take_failed(struct compare *c, const json_t *failed, const char *path, const char *side)
{
    size_t index;
    const json_t *item;
    json_array_foreach(failed, index, item)
    {
        json_array_append_new(c->outcome.failed,
                              json_pack("{s:o,s:o}", "file", gp_revision_rename(gp_json_word(item, "file"), path, side),
                                        "error", gp_revision_rename(gp_json_word(item, "error"), path, side)));
    }
}

/* Of a source, a folder, a profile or a module that the user calls `side`. What cannot be looked at is told; where
 * nothing can be, it fails. */
static json_t *looked_rows(struct compare *c, const char *path, const char *side, struct gp_error *error)
{
    c->folders[side == c->sides[1]] = is_folder(path);
    struct gp_look look = {.all_kernels = true};
    bool recording = gp_is_recording(path);
    json_t *rows = NULL;
    gp_look_begin(&look);
    look.config_path = recording ? path : c->config_path;
    if (!recording)
        gp_arguments_add(&look.paths, "%s", path);
    gp_arguments_add_all(&look.devices, (const char *const *)c->devices.items);
    gp_arguments_add_all(&look.kernels, (const char *const *)c->kernels.items);
    if (gp_look_prepare(&look, c->rest, error) && gp_look(&look, error)) {
        gp_look_note_unknown_arguments(&look);
        take_failed(c, look.outcome.failed, path, side);
        if (json_array_size(c->outcome.failed) > 0 && json_array_size(look.outcome.rows) == 0)
            gp_fail(error, "%s", gp_json_word(json_array_get(c->outcome.failed, 0), "error"));
        else
            rows = json_incref(look.outcome.rows);
    }
    gp_look_free(&look);
    if (rows != NULL)
        name_rows(c, rows, path, side);
    return rows;
}

static json_t *side_rows(struct compare *c, const char *side, struct gp_error *error)
{
    struct gp_workdir folder;
    char path[PATH_MAX];
    if (!gp_is_revision(side))
        return is_json(side) ? gp_rows_load(side, error) : looked_rows(c, side, side, error);
    if (!gp_workdir_make(&folder, getenv("TMPDIR") != NULL ? getenv("TMPDIR") : "", error))
        return NULL;
    json_t *rows = gp_revision_open(side, folder.path, path, error) ? looked_rows(c, path, side, error) : NULL;
    gp_workdir_remove(&folder);
    return rows;
}

/* JSON of a whole tree beside one of its files: the rows of that file, where it has some. */
static void keep_rows_of(json_t *rows, const char *file)
{
    json_t *kept = json_array(), *row;
    size_t index;
    json_array_foreach(rows, index, row)
    {
        if (strcmp(gp_json_word(row, "file"), file) == 0)
            json_array_append(kept, row);
    }
    if (json_array_size(kept) > 0) {
        json_array_clear(rows);
        json_array_extend(rows, kept);
    }
    json_decref(kept);
}

/* JSON beside something else than JSON or a folder: as one file. */
static void match_json(const struct compare *c, int json)
{
    if (!is_json(c->sides[json]) || is_json(c->sides[!json]) || c->folders[!json])
        return;
    keep_rows_of(c->rows[json], own_name(c->sides[!json]));
    name_rows(c, c->rows[json], c->sides[json], c->sides[json]);
}

/* ---- Text
 * ------------------------------------------------------------------------------------------------------------------ */

static void print_causes(const json_t *causes, char sign, struct gp_text *out)
{
    size_t index;
    const json_t *cause;
    json_array_foreach(causes, index, cause) { gp_text_printf(out, " %c%s", sign, json_string_value(cause)); }
}

/* "19.1 us", "-" or "endless"; of all launches, where they are known. */
static void print_times(const json_t *row, char before[GP_TIME_TEXT], char after[GP_TIME_TEXT])
{
    strcpy(before, json_is_true(json_object_get(row, "base_endless")) ? "endless" : "-");
    strcpy(after, "endless");
    if (gp_json_real(row, "base_ns") > 0)
        gp_time_text(gp_json_real(row, "base_ns"), before);
    if (!gp_never_ends(row))
        gp_time_text(gp_json_real(row, gp_json_real(row, "total_ns") > 0 ? "total_ns" : "time_ns"), after);
}

/* "0.09x"; "new" of what was not there before, "-" where one of both never ends. */
static void print_ratio(const json_t *row, char text[16])
{
    double ratio = gp_json_real(row, "ratio");
    strcpy(text, json_is_true(json_object_get(row, "new")) ? "new" : "-");
    if (ratio > 0)
        snprintf(text, 16, "%.2fx", ratio);
}

/* Of a side that never ends. */
static const char *endless_words(const json_t *row)
{
    return gp_never_ends(row) || json_is_true(json_object_get(row, "base_endless")) ? gp_json_word(row, "why") : "";
}

static void print_row(const json_t *row, const struct gp_widths *widths, struct gp_text *out)
{
    char before[GP_TIME_TEXT], after[GP_TIME_TEXT], ratio[16];
    print_times(row, before, after);
    print_ratio(row, ratio);
    gp_text_printf(out, "%-*.*s %-*.*s %9s %9s %7s %4.0f%%", widths->kernel, widths->kernel,
                   gp_json_word(row, "kernel"), widths->device, widths->device, gp_json_word(row, "device"), before,
                   after, ratio, 100 * gp_json_real(row, "confidence"));
    print_causes(json_object_get(row, "causes_went"), '-', out);
    print_causes(json_object_get(row, "causes_came"), '+', out);
    gp_text_printf(out, "%s\n", json_is_true(json_object_get(row, "fails")) ? "  FAILS" : "");
    if (endless_words(row)[0] != '\0')
        gp_text_printf(out, "  %s\n", endless_words(row));
    if (gp_json_word(row, "base_launch")[0] != '\0')
        gp_text_printf(out, "  another launch: %s, before %s\n", gp_json_word(row, "launch"),
                       gp_json_word(row, "base_launch"));
}

static void print_text(const struct compare *c, struct gp_text *out)
{
    size_t index;
    const json_t *item;
    struct gp_widths widths = gp_outcome_widths(&c->outcome);
    gp_text_printf(out, "%-*s %-*s %9s %9s %7s %5s\n", widths.kernel, "kernel", widths.device, "device", "before",
                   "after", "ratio", "sure");
    json_array_foreach(c->outcome.rows, index, item) { print_row(item, &widths, out); }
    json_array_foreach(c->outcome.notes, index, item) { gp_text_printf(out, "%s\n", json_string_value(item)); }
    json_array_foreach(c->outcome.failed, index, item)
    {
        gp_text_printf(out, "%s: not compared: %s\n", gp_json_word(item, "file"), gp_json_word(item, "error"));
    }
}

/* ---- Markdown
 * -------------------------------------------------------------------------------------------------------------- */

static void markdown_row(const json_t *row, struct gp_text *out)
{
    char before[GP_TIME_TEXT], after[GP_TIME_TEXT], ratio[16];
    print_times(row, before, after);
    print_ratio(row, ratio);
    gp_text_printf(out, "| `");
    gp_markdown_cell(gp_json_word(row, "kernel"), out);
    gp_text_printf(out, "` | %s | %s | %s | %s%s%s | %.0f%% |", gp_json_word(row, "device"), before, after,
                   json_is_true(json_object_get(row, "fails")) ? "**fails**: " : "", ratio,
                   gp_json_word(row, "base_launch")[0] != '\0' ? " (another launch)" : "",
                   100 * gp_json_real(row, "confidence"));
    print_causes(json_object_get(row, "causes_went"), '-', out);
    print_causes(json_object_get(row, "causes_came"), '+', out);
    gp_text_printf(out, "%s", endless_words(row)[0] != '\0' ? " " : "");
    gp_markdown_cell(endless_words(row), out);
    gp_text_printf(out, " |\n");
}

static void print_markdown(const struct compare *c, struct gp_text *out)
{
    size_t index;
    const json_t *item;
    gp_text_printf(out, "### gpuperf: ");
    gp_markdown_cell(c->sides[0], out);
    gp_text_printf(out, " and ");
    gp_markdown_cell(c->sides[1], out);
    gp_text_printf(out, "\n\n| kernel | device | before | after | ratio | sure | causes |\n"
                        "| --- | --- | ---: | ---: | ---: | ---: | --- |\n");
    json_array_foreach(c->outcome.rows, index, item) { markdown_row(item, out); }
    gp_markdown_notes(&c->outcome, out);
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
    c->gate = (struct gp_gate){.regression = -1};
    c->rest = line->rest;
    optind = 0; /* anew, whatever a parse before has left of a word */
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
        return gp_fail(error,
                       "'compare' takes two sides: gpuperf compare [OPTIONS] OLD NEW [-- CLANG-ARGUMENTS]; each a "
                       "source, a profile, JSON, or git:REV:PATH");
    c->sides[0] = line->arguments[optind];
    c->sides[1] = line->arguments[optind + 1];
    return true;
}

static bool look(struct compare *c, struct gp_error *error)
{
    if (!gp_check_config_find(c->config_path, &c->config, error) || !gp_look_check_budgets(&c->config, error))
        return false;
    gp_check_default_devices(&c->config, &c->devices);
    c->outcome = (struct gp_outcome){.findings = json_array(), .failed = json_array(), .notes = json_array()};
    for (int i = 0; i < 2; i++)
        if ((c->rows[i] = side_rows(c, c->sides[i], error)) == NULL)
            return gp_fail_within(error, c->sides[i]);
    match_json(c, 0);
    match_json(c, 1);
    c->outcome.rows = json_incref(c->rows[1]);
    gp_gate_judge(&c->gate, &c->config, c->rows[0], &c->outcome);
    gp_add_changes(&c->outcome, c->rows[0]);
    return true;
}

static bool print(const struct compare *c, struct gp_text *out, struct gp_error *error)
{
    switch (c->format) {
    case GP_FORMAT_TEXT: print_text(c, out); return true;
    case GP_FORMAT_MARKDOWN: print_markdown(c, out); return true;
    default: return gp_outcome_print(&c->outcome, c->format, out, error);
    }
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
        status = json_array_size(c.outcome.failed) > 0 ? GP_STATUS_TOLD_USAGE
                 : c.outcome.failures > 0              ? GP_STATUS_TOLD_FAILED
                                                       : GP_STATUS_OK;
    if (c.bisect && (status == GP_STATUS_USAGE || status == GP_STATUS_TOLD_USAGE))
        status = status == GP_STATUS_USAGE ? GP_STATUS_SKIP : GP_STATUS_TOLD_SKIP;
    release(&c);
    return status;
}
