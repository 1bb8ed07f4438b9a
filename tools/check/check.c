/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * gpuperf check: predicts the kernels of a tree for the launches that gpuperf.yaml states, tells what makes them slow,
 * and fails where a budget, a baseline or a finding says so.
 *
 *   units (units.h) --> a process each (workers.h): rows (unit_rows.h) --> gate (gate.h) --> outcome (outcome.h)
 */
#include <stdlib.h>
#include <string.h>

#include "report/json_string.h"
#include "tools/check/gate.h"
#include "tools/check/look.h"

struct check {
    struct gp_look look;
    const char *baseline_path, *new_baseline_path, *out_path;
    struct gp_gate gate;
    enum gp_format format;
    json_t *baseline;
};

/* ---- The command line
 * ---------------------------------------------------------------------------------------------------- */

enum { OPTION_BASELINE = GP_LOOK_OPTION_COUNT, OPTION_WRITE, OPTION_FAIL_ON, OPTION_FORMAT };
static const struct option options[] = {
    GP_LOOK_OPTIONS,
    {"baseline", required_argument, NULL, OPTION_BASELINE},
    {"write-baseline", required_argument, NULL, OPTION_WRITE},
    {"fail-on", required_argument, NULL, OPTION_FAIL_ON},
    {"format", required_argument, NULL, OPTION_FORMAT},
    {NULL, 0, NULL, 0},
};

static bool take_option(void *context, int option, const char *value, struct gp_error *error)
{
    struct check *c = context;
    switch (option) {
    case OPTION_BASELINE: c->baseline_path = value; return true;
    case OPTION_WRITE: c->new_baseline_path = value; return true;
    case OPTION_FAIL_ON: return gp_gate_add(&c->gate, value, error);
    case OPTION_FORMAT: return gp_format_parse(value, &c->format, error);
    case 'o': c->out_path = value; return true;
    default: return gp_look_option(&c->look, option, value, error);
    }
}

static bool parse(struct check *c, const struct gp_command_line *line, struct gp_error *error)
{
    c->gate = (struct gp_gate){.regression = -1};
    if (!gp_look_parse(&c->look, line, options, take_option, c, error))
        return false;
    c->look.sizes = c->format == GP_FORMAT_HTML;
    return true;
}

/* ---- The work
 * --------------------------------------------------------------------------------------------------------------- */

static bool load_baseline(struct check *c, struct gp_error *error)
{
    if (c->baseline_path != NULL && (c->baseline = gp_rows_load(c->baseline_path, error)) == NULL)
        return false;
    return c->gate.regression < 0 || c->baseline != NULL ||
           gp_fail(error, "--fail-on regression needs --baseline FILE; gpuperf check --write-baseline FILE makes one");
}

static bool has_row(const json_t *rows, const char *key, const char *value)
{
    size_t index;
    const json_t *row;
    json_array_foreach(rows, index, row)
    {
        if (strcmp(gp_json_word(row, key), value) == 0)
            return true;
    }
    return false;
}

/* A kernel that went away is no longer held to anything: of the files and devices that were looked at. */
static void note_gone(struct check *c)
{
    size_t index;
    const json_t *row;
    json_array_foreach(c->look.kernels.count == 0 ? c->baseline : NULL, index, row)
    {
        struct gp_text text = {0};
        if (!has_row(c->look.outcome.rows, "file", gp_json_word(row, "file")) ||
            !has_row(c->look.outcome.rows, "device", gp_json_word(row, "device")) ||
            gp_row_like(c->look.outcome.rows, row) != NULL)
            continue;
        gp_text_printf(&text, "%s: %s on %s is in the baseline only", gp_json_word(row, "file"),
                       gp_json_word(row, "kernel"), gp_json_word(row, "device"));
        json_array_append_new(c->look.outcome.notes, gp_json_string(text.data));
        gp_text_free(&text);
    }
}

/* A budget that is asked for and not judged. */
static void note_budgets(struct check *c)
{
    size_t count = 0;
    for (size_t i = 0; c->gate.budget && i < c->look.config.count; i++) {
        const struct gp_check_rule *rule = &c->look.config.rules[i];
        count += rule->budget_count;
        for (size_t b = 0; rule->used && b < rule->budget_count; b++) {
            struct gp_text text = {0};
            if (has_row(c->look.outcome.rows, "device", rule->budgets[b].device))
                continue;
            gp_text_printf(
                &text, "%s:%u: a budget of %s, which is not among the devices; add it to devices or remove the budget",
                c->look.config.path, rule->budgets[b].line, rule->budgets[b].device);
            json_array_append_new(c->look.outcome.notes, gp_json_string(text.data));
            gp_text_free(&text);
        }
    }
    if (c->gate.budget && count == 0)
        json_array_append_new(c->look.outcome.notes,
                              json_string("--fail-on budget: no kernel has one; gpuperf.yaml states them"));
}

static bool look(struct check *c, const struct gp_command_line *line, struct gp_error *error)
{
    if (!load_baseline(c, error) || !gp_look_prepare(&c->look, line->rest, error) || !gp_look(&c->look, error))
        return false;
    gp_gate_judge(&c->gate, &c->look.config, c->baseline, &c->look.outcome);
    note_gone(c);
    note_budgets(c);
    gp_look_note_unused_rules(&c->look);
    return true;
}

/* ---- The result
 * ------------------------------------------------------------------------------------------------------------- */

static bool write_baseline(const struct check *c, struct gp_error *error)
{
    struct gp_text text = {0};
    bool done = c->new_baseline_path == NULL ||
                (gp_outcome_json(&c->look.outcome, &text, error) && gp_deliver(c->new_baseline_path, &text, error));
    gp_text_free(&text);
    return done;
}

static void release(struct check *c)
{
    gp_look_free(&c->look);
    json_decref(c->baseline);
    gp_gate_free(&c->gate);
}

/* 0: nothing fails. 1: the gate does. 2: what was asked for cannot be done, or some source could not be looked at. */
enum gp_status gp_check_command(const struct gp_command_line *line, struct gp_text *out, struct gp_error *error)
{
    struct check c = {0};
    enum gp_status status = GP_STATUS_USAGE;
    if (parse(&c, line, error) && look(&c, line, error) && gp_outcome_print(&c.look.outcome, c.format, out, error) &&
        write_baseline(&c, error) && gp_deliver(c.out_path, out, error)) {
        size_t failed = json_array_size(c.look.outcome.failed);
        status = failed > 0 ? GP_STATUS_TOLD_USAGE : c.look.outcome.failures > 0 ? GP_STATUS_TOLD_FAILED : GP_STATUS_OK;
    }
    release(&c);
    return status;
}
