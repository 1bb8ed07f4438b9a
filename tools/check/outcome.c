/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The outcome as text, Markdown, GitHub's commands and JSON; SARIF has a file of its own. */
#include "tools/check/outcome.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/predict.h"
#include "report/json_string.h"
#include "tools/check/gate.h"
#include "tools/json_out.h"
#include "tools/report/page.h"
#include "tools/results.h"

static bool fails(const json_t *object) { return json_is_true(json_object_get(object, "fails")); }

/* "+12%" beside the baseline, "new" where that has no such kernel; "" where there is no baseline. */
static void print_change(const json_t *row, char text[16])
{
    double ratio = gp_json_real(row, "ratio");
    snprintf(text, 16, "%s", json_is_true(json_object_get(row, "new")) ? "new" : "");
    if (ratio > 0)
        snprintf(text, 16, "%+.0f%%", 100 * (ratio - 1));
}

static void print_local(const json_t *row, char text[40])
{
    const json_t *local = json_object_get(row, "local");
    int x = (int)json_integer_value(json_array_get(local, 0)), y = (int)json_integer_value(json_array_get(local, 1)),
        z = (int)json_integer_value(json_array_get(local, 2));
    if (z > 1)
        snprintf(text, 40, "%dx%dx%d", x, y, z);
    else if (y > 1)
        snprintf(text, 40, "%dx%d", x, y);
    else
        snprintf(text, 40, "%d", x);
}

static void print_place(const json_t *finding, char text[300])
{
    int line = (int)gp_json_real(finding, "line"), column = (int)gp_json_real(finding, "column");
    snprintf(text, 300, line > 0 ? "%.250s:%d:%d" : "%.250s", gp_json_word(finding, "file"), line, column);
}

/* ---- A program's time, where its launches are known
 * ----------------------------------------------------------------- */

/* Adds a row to its device's sums: [{device, total_ns, launches, kernels}]. */
static void add_to_program(json_t *programs, const json_t *row)
{
    size_t index;
    json_t *program, *found = NULL;
    json_array_foreach(programs, index, program)
    {
        if (json_equal(json_object_get(program, "device"), json_object_get(row, "device")))
            found = program;
    }
    if (found == NULL) {
        found = json_pack("{s:O,s:f,s:f,s:f}", "device", json_object_get(row, "device"), "total_ns", 0.0, "launches",
                          0.0, "kernels", 0.0);
        json_array_append_new(programs, found);
    }
    json_object_set_new(found, "total_ns", json_real(gp_json_real(found, "total_ns") + gp_json_real(row, "total_ns")));
    if (gp_never_ends(row))
        json_object_set_new(found, "endless", json_true());
    json_object_set_new(found, "launches", json_real(gp_json_real(found, "launches") + gp_json_real(row, "launches")));
    json_object_set_new(found, "kernels", json_real(gp_json_real(found, "kernels") + 1));
}

/* By device, in the rows' order; empty: no launches are known. */
static json_t *programs_of(const struct gp_outcome *outcome)
{
    size_t index;
    const json_t *row;
    json_t *programs = json_array();
    json_array_foreach(outcome->rows, index, row)
    {
        if (gp_json_real(row, "total_ns") > 0)
            add_to_program(programs, row);
    }
    return programs;
}

/* "the program on a100: 12.3 ms in kernels, 312 launches of 4"; at least so much where one of them never ends. */
static void print_programs(const struct gp_outcome *outcome, const char *before, const char *mark, struct gp_text *out)
{
    size_t index;
    const json_t *program;
    json_t *programs = programs_of(outcome);
    json_array_foreach(programs, index, program)
    {
        char time[GP_TIME_TEXT];
        gp_time_text(gp_json_real(program, "total_ns"), time);
        gp_text_printf(out, "%sthe program on %s: %s%s%s%s in kernels, %.0f launches of %.0f\n",
                       index == 0 ? before : "", gp_json_word(program, "device"),
                       json_is_true(json_object_get(program, "endless")) ? "at least " : "", mark, time, mark,
                       gp_json_real(program, "launches"), gp_json_real(program, "kernels"));
    }
    json_decref(programs);
}

/* ---- Columns
 * ------------------------------------------------------------------------------------------------------------ */

static int widest(const json_t *rows, const char *key, int least, int most)
{
    size_t index;
    const json_t *row;
    int width = least;
    json_array_foreach(rows, index, row)
    {
        size_t length = strlen(gp_json_word(row, key));
        width = length > (size_t)width ? (int)length : width;
    }
    return width < most ? width : most;
}

struct gp_widths gp_outcome_widths(const struct gp_outcome *outcome)
{
    return (struct gp_widths){.kernel = widest(outcome->rows, "kernel", 28, 60),
                              .device = widest(outcome->rows, "device", 12, 40)};
}

/* "block" where all kernels are CUDA's. */
static const char *local_word(const struct gp_outcome *outcome)
{
    size_t index;
    const json_t *row;
    json_array_foreach(outcome->rows, index, row)
    {
        if (strcmp(gp_json_word(row, "language"), "cuda") != 0)
            return "local";
    }
    return json_array_size(outcome->rows) > 0 ? "block" : "local";
}

/* ---- Text
 * -------------------------------------------------------------------------------------------------------------- */

static void print_row(const json_t *row, const struct gp_widths *widths, struct gp_text *out)
{
    char time[GP_TIME_TEXT], change[16], local[40];
    gp_time_text(gp_json_real(row, "time_ns"), time);
    print_change(row, change);
    print_local(row, local);
    gp_text_printf(out, "  %-*.*s %-*.*s %-9s %9s %6s %5.0f%%", widths->kernel, widths->kernel,
                   gp_json_word(row, "kernel"), widths->device, widths->device, gp_json_word(row, "device"), local,
                   time, change, 100 * gp_json_real(row, "confidence"));
    if (gp_json_real(row, "total_ns") > 0) {
        gp_time_text(gp_json_real(row, "total_ns"), time);
        gp_text_printf(out, " %9.0f %9s", gp_json_real(row, "launches"), time);
    }
    if (strcmp(gp_json_word(row, "verdict"), "ok") != 0)
        gp_text_printf(out, "  %s", fails(row) ? "FAILS" : gp_json_word(row, "verdict"));
    gp_text_printf(out, "\n");
    if (gp_json_word(row, "why")[0] != '\0')
        gp_text_printf(out, "    %s\n", gp_json_word(row, "why"));
}

static bool has_launches(const struct gp_outcome *outcome)
{
    size_t index;
    const json_t *row;
    json_array_foreach(outcome->rows, index, row)
    {
        if (gp_json_real(row, "total_ns") > 0)
            return true;
    }
    return false;
}

static void print_rows(const struct gp_outcome *outcome, struct gp_text *out)
{
    size_t index;
    const json_t *row;
    const char *file = "";
    struct gp_widths widths = gp_outcome_widths(outcome);
    json_array_foreach(outcome->rows, index, row)
    {
        if (index == 0)
            gp_text_printf(out, "  %-*s %-*s %-9s %9s %6s %6s%s\n", widths.kernel, "kernel", widths.device, "device",
                           local_word(outcome), "time", "change", "sure",
                           has_launches(outcome) ? "  launches       all" : "");
        if (strcmp(file, gp_json_word(row, "file")) != 0)
            gp_text_printf(out, "%s\n", file = gp_json_word(row, "file"));
        print_row(row, &widths, out);
    }
}

/* Lines of other files have these before them. */
static void finding_measure(const json_t *finding, struct gp_text *out)
{
    size_t index, count = json_array_size(json_object_get(finding, "also"));
    const json_t *also;
    gp_text_printf(out, "%s", gp_json_word(finding, "measure"));
    json_array_foreach(json_object_get(finding, "also"), index, also)
    {
        const char *file = gp_json_word(also, "file");
        char line[300];
        gp_print_further_line(line, sizeof line, index, count,
                              strcmp(file, gp_json_word(finding, "file")) != 0 ? file : NULL,
                              (uint32_t)gp_json_real(also, "line"));
        gp_text_printf(out, "%s", line);
    }
}

void gp_finding_sentence(const json_t *finding, struct gp_text *out)
{
    double share = gp_json_real(finding, "share"), beside = gp_json_real(finding, "speedup_beside");
    const char *kernel = gp_json_word(finding, "kernel"), *device = gp_json_word(finding, "device"),
               *when = gp_json_word(finding, "beside");
    bool hidden = share < 0.005 && beside > 0;
    finding_measure(finding, out);
    if (hidden)
        gp_text_printf(out, "; %s on %s", kernel, device);
    else
        gp_text_printf(out, "; %.0f%% of %s on %s", 100 * share, kernel, device);
    gp_text_printf(out, " (");
    if (!hidden)
        gp_text_printf(out, "%.1fx without it%s", gp_json_real(finding, "speedup"), beside > 0 ? ", " : "");
    if (beside > 0)
        gp_text_printf(out, "%.1fx%s %s", beside, hidden ? " without it" : "",
                       strstr(gp_json_word(finding, "measure"), when) != NULL ? "then" : when);
    gp_text_printf(out, ")");
}

static void print_finding(const json_t *finding, struct gp_text *out)
{
    char place[300];
    print_place(finding, place);
    gp_text_printf(out, "%s: %s: ", place, fails(finding) ? "error" : "warning");
    gp_finding_sentence(finding, out);
    gp_text_printf(out, " [gpuperf-%s]\n", gp_json_word(finding, "cause"));
    if (gp_json_word(finding, "advice")[0] != '\0')
        gp_text_printf(out, "    %s\n", gp_json_word(finding, "advice"));
}

static void print_sentences(const struct gp_outcome *outcome, struct gp_text *out)
{
    size_t index;
    const json_t *item;
    json_array_foreach(outcome->notes, index, item) { gp_text_printf(out, "left out: %s\n", json_string_value(item)); }
    json_array_foreach(outcome->failed, index, item)
    {
        gp_text_printf(out, "%s: not checked: %s\n", gp_json_word(item, "file"), gp_json_word(item, "error"));
    }
}

/* Rows beside the baseline's and the budgets; findings; one section for each. */
static void outcome_text(const struct gp_outcome *outcome, struct gp_text *out)
{
    size_t index;
    const json_t *finding;
    print_rows(outcome, out);
    print_programs(outcome, "\n", "", out);
    if (json_array_size(outcome->findings) > 0)
        gp_text_printf(out, "\n");
    json_array_foreach(outcome->findings, index, finding) { print_finding(finding, out); }
    print_sentences(outcome, out);
    gp_text_printf(out, "%s%zu predictions, %zu findings, %zu that fail\n",
                   json_array_size(outcome->rows) > 0 ? "\n" : "", json_array_size(outcome->rows),
                   json_array_size(outcome->findings), outcome->failures);
}

/* ---- JSON
 * -------------------------------------------------------------------------------------------------------------- */

static json_t *launches_of(const struct gp_outcome *outcome)
{
    size_t index;
    const json_t *row;
    json_t *array = json_array();
    json_array_foreach(outcome->rows, index, row)
    {
        json_t *launch = json_object();
        const char *const keys[] = {"kernel", "file", "device", "launch", "assumptions"};
        for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
            if (json_object_get(row, keys[i]) != NULL)
                json_object_set(launch, keys[i], json_object_get(row, keys[i]));
        json_array_append_new(array, launch);
    }
    return array;
}

static json_t *devices_of(const struct gp_outcome *outcome)
{
    size_t index;
    const json_t *row;
    json_t *known = json_object(), *array = json_array();
    json_array_foreach(outcome->rows, index, row)
    {
        const char *name = gp_json_word(row, "device");
        if (json_object_get(known, name) != NULL)
            continue;
        json_object_set_new(known, name, json_true());
        json_array_append_new(array, json_pack("{s:o,s:o}", "name", gp_json_string(name), "title",
                                               gp_json_string(gp_json_word(row, "title"))));
    }
    json_decref(known);
    return array;
}

json_t *gp_outcome_object(const struct gp_outcome *outcome)
{
    json_t *programs = programs_of(outcome);
    json_t *object =
        json_pack("{s:s,s:s,s:o,s:o,s:O,s:O,s:O,s:O,s:{s:I}}", "schema", "gpuperf/1", "version",
                  GPUPERF_COMMAND_VERSION, "devices", devices_of(outcome), "launches", launches_of(outcome),
                  "predictions", outcome->rows, "findings", outcome->findings, "failed", outcome->failed, "notes",
                  outcome->notes, "gate", "failures", (json_int_t)outcome->failures);
    if (json_array_size(programs) > 0)
        json_object_set(object, "program", programs);
    json_decref(programs);
    return object;
}

bool gp_outcome_json(const struct gp_outcome *outcome, struct gp_text *out, struct gp_error *error)
{
    return gp_print_json(gp_outcome_object(outcome), out, error);
}

/* ---- Markdown
 * ---------------------------------------------------------------------------------------------------------- */

void gp_markdown_cell(const char *text, struct gp_text *out)
{
    for (; *text != '\0'; text++)
        gp_text_printf(out, *text == '|' ? "\\|" : *text == '\n' ? " " : "%c", *text);
}

static void markdown_row(const json_t *row, struct gp_text *out)
{
    char time[GP_TIME_TEXT], change[16], local[40];
    gp_time_text(gp_json_real(row, "time_ns"), time);
    print_change(row, change);
    print_local(row, local);
    gp_text_printf(out, "| `%s` | %s | %s | %s | %s | %.0f%% | ", gp_json_word(row, "kernel"),
                   gp_json_word(row, "device"), local, time, change, 100 * gp_json_real(row, "confidence"));
    gp_markdown_cell(fails(row) ? "**fails**: " : "", out);
    gp_markdown_cell(gp_json_word(row, "why")[0] != '\0' ? gp_json_word(row, "why") : gp_json_word(row, "verdict"),
                     out);
    gp_text_printf(out, " |\n");
}

static void markdown_finding(const json_t *finding, struct gp_text *out)
{
    char place[300];
    struct gp_text measure = {0};
    print_place(finding, place);
    gp_text_printf(out, "| `%s` | %s, %s | %.1fx | %s", place, gp_json_word(finding, "kernel"),
                   gp_json_word(finding, "device"), gp_json_real(finding, "speedup"),
                   fails(finding) ? "**fails**: " : "");
    finding_measure(finding, &measure);
    if (gp_json_real(finding, "speedup_beside") > 0)
        gp_text_printf(&measure, "; %.1fx %s", gp_json_real(finding, "speedup_beside"),
                       gp_json_word(finding, "beside"));
    gp_markdown_cell(measure.data, out);
    gp_text_free(&measure);
    gp_text_printf(out, ". ");
    gp_markdown_cell(gp_json_word(finding, "advice"), out);
    gp_text_printf(out, " |\n");
}

void gp_markdown_notes(const struct gp_outcome *outcome, struct gp_text *out)
{
    size_t index;
    const json_t *item;
    json_array_foreach(outcome->notes, index, item)
    {
        gp_text_printf(out, "%s* ", index == 0 ? "\n" : "");
        gp_markdown_cell(json_string_value(item), out);
        gp_text_printf(out, "\n");
    }
    json_array_foreach(outcome->failed, index, item)
    {
        gp_text_printf(out, "\nNot checked: `%s`: ", gp_json_word(item, "file"));
        gp_markdown_cell(gp_json_word(item, "error"), out);
        gp_text_printf(out, "\n");
    }
}

/* A table for a pull request's comment. */
static void outcome_markdown(const struct gp_outcome *outcome, struct gp_text *out)
{
    size_t index;
    const json_t *item;
    gp_text_printf(out, "### gpuperf: %zu predictions, %zu findings, %zu that fail\n\n", json_array_size(outcome->rows),
                   json_array_size(outcome->findings), outcome->failures);
    gp_text_printf(out,
                   "| kernel | device | %s | time | change | sure | verdict |\n"
                   "| --- | --- | --- | ---: | ---: | ---: | --- |\n",
                   local_word(outcome));
    json_array_foreach(outcome->rows, index, item) { markdown_row(item, out); }
    print_programs(outcome, "\n", "**", out);
    if (json_array_size(outcome->findings) > 0)
        gp_text_printf(out, "\n| place | kernel, device | gain | what, and what to do |\n| --- | --- | ---: | --- |\n");
    json_array_foreach(outcome->findings, index, item) { markdown_finding(item, out); }
    gp_markdown_notes(outcome, out);
}

/* ---- GitHub
 * ------------------------------------------------------------------------------------------------------------ */

/* A property or a message of a workflow command: % and line ends, in properties : and , too, are written as their
 * codes. */
static void append_escaped(const char *text, bool property, struct gp_text *out)
{
    for (; *text != '\0'; text++)
        gp_text_printf(out, strchr(property ? "%\r\n:," : "%\r\n", *text) != NULL ? "%%%02X" : "%c",
                       (unsigned char)*text);
}

static void github_line(const char *level, const char *file, int line, int column, const char *title,
                        const char *message, const char *more, struct gp_text *out)
{
    gp_text_printf(out, "::%s file=", level);
    append_escaped(file, true, out);
    if (line > 0)
        gp_text_printf(out, ",line=%d,col=%d", line, column > 0 ? column : 1);
    gp_text_printf(out, ",title=");
    append_escaped(title, true, out);
    gp_text_printf(out, "::");
    append_escaped(message, false, out);
    if (more[0] != '\0')
        gp_text_printf(out, "%%0A");
    append_escaped(more, false, out);
    gp_text_printf(out, "\n");
}

static void github_finding(const json_t *finding, struct gp_text *out)
{
    char title[80];
    struct gp_text message = {0};
    snprintf(title, sizeof title, "gpuperf %s", gp_json_word(finding, "cause"));
    gp_finding_sentence(finding, &message);
    github_line(fails(finding) ? "error" : "warning", gp_json_word(finding, "file"), (int)gp_json_real(finding, "line"),
                (int)gp_json_real(finding, "column"), title, message.data, gp_json_word(finding, "advice"), out);
    gp_text_free(&message);
}

static void github_row(const json_t *row, struct gp_text *out)
{
    char message[600];
    const json_t *place = json_object_get(row, "place");
    if (strcmp(gp_json_word(row, "verdict"), "ok") == 0)
        return;
    snprintf(message, sizeof message, "%s on %s: %s", gp_json_word(row, "kernel"), gp_json_word(row, "device"),
             gp_json_word(row, "why"));
    github_line(fails(row) ? "error" : "notice", gp_json_word(row, "file"), (int)gp_json_real(place, "line"),
                (int)gp_json_real(place, "column"), gp_json_word(row, "verdict"), message, gp_json_word(row, "launch"),
                out);
}

/* GitHub's workflow commands: ::warning file=...,line=...::... */
static void outcome_github(const struct gp_outcome *outcome, struct gp_text *out)
{
    size_t index;
    const json_t *item;
    json_array_foreach(outcome->findings, index, item) { github_finding(item, out); }
    json_array_foreach(outcome->rows, index, item) { github_row(item, out); }
    json_array_foreach(outcome->failed, index, item)
    {
        github_line("error", gp_json_word(item, "file"), 0, 0, "not checked", gp_json_word(item, "error"), "", out);
    }
}

/* ---- All formats
 * ------------------------------------------------------------------------------------------------------- */

bool gp_format_parse(const char *name, enum gp_format *format, struct gp_error *error)
{
    static const char *const names[GP_FORMAT_COUNT] = {"text", "json", "sarif", "markdown", "github", "html"};
    for (int i = 0; i < GP_FORMAT_COUNT; i++)
        if (strcmp(name, names[i]) == 0) {
            *format = (enum gp_format)i;
            return true;
        }
    return gp_fail(error, "--format takes text, json, sarif, markdown, github or html, not '%.40s'", name);
}

bool gp_outcome_print(const struct gp_outcome *outcome, enum gp_format format, struct gp_text *out,
                      struct gp_error *error)
{
    switch (format) {
    case GP_FORMAT_JSON: return gp_outcome_json(outcome, out, error);
    case GP_FORMAT_SARIF: return gp_outcome_sarif(outcome, out, error);
    case GP_FORMAT_HTML: return gp_print_page(outcome, out, error);
    case GP_FORMAT_MARKDOWN: outcome_markdown(outcome, out); return true;
    case GP_FORMAT_GITHUB: outcome_github(outcome, out); return true;
    default: outcome_text(outcome, out); return true;
    }
}

bool gp_deliver(const char *path, struct gp_text *out, struct gp_error *error)
{
    if (path == NULL || strcmp(path, "-") == 0)
        return true;
    if (!gp_write_file(path, out->data != NULL ? out->data : "", out->length))
        return gp_fail(error, "cannot write %s: %s", path, strerror(errno));
    gp_text_free(out);
    return true;
}

void gp_outcome_free(struct gp_outcome *outcome)
{
    json_decref(outcome->rows);
    json_decref(outcome->findings);
    json_decref(outcome->failed);
    json_decref(outcome->notes);
}
