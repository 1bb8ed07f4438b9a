/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/check/gate.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model/predict.h"
#include "report/json_string.h"
#include "tools/check/ignored.h"
#include "tools/settings.h"
#include "tools/results.h"

const char *gp_json_word(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text != NULL ? text : "";
}

double gp_json_real(const json_t *object, const char *key) { return json_number_value(json_object_get(object, key)); }

/* ---- What is asked for
 * ------------------------------------------------------------------------------------------------ */

static bool add_causes(struct gp_gate *gate, const char *list, struct gp_error *error)
{
    size_t before = gate->causes.count;
    if (!gp_take_list("--fail-on warning", list, &gate->causes, error))
        return false;
    for (size_t i = before; i < gate->causes.count; i++)
        if (!gp_is_cause(gate->causes.items[i]))
            return gp_fail(error, "--fail-on warning: there is no cause '%.40s'", gate->causes.items[i]);
    return true;
}

bool gp_gate_add(struct gp_gate *gate, const char *text, struct gp_error *error)
{
    char *end;
    if (strcmp(text, "budget") == 0)
        return gate->budget = true;
    if (strcmp(text, "warning") == 0)
        return gate->warnings = true;
    if (strncmp(text, "warning=", 8) == 0)
        return (gate->warnings = true) && add_causes(gate, text + 8, error);
    if (strncmp(text, "regression=", 11) == 0) {
        double percent = strtod(text + 11, &end);
        gate->regression = percent / 100;
        return (end != text + 11 && strcmp(end, "%") == 0 && percent >= 0 && percent <= 1e6) ||
               gp_fail(error, "--fail-on regression takes a percentage, such as regression=10%%, not '%.40s'",
                       text + 11);
    }
    return gp_fail(error, "--fail-on takes warning[=CAUSE,..], regression=PCT%% or budget, not '%.40s'", text);
}

void gp_gate_free(struct gp_gate *gate) { gp_arguments_free(&gate->causes); }

/* ---- Baselines
 * --------------------------------------------------------------------------------------------------------- */

json_t *gp_rows_load(const char *path, struct gp_error *error)
{
    json_error_t why;
    json_t *whole = json_load_file(path, 0, &why), *rows = NULL;
    if (whole == NULL && why.line <= 0)
        gp_fail(error, "cannot read %s: %s", path, strerror(errno));
    else if (whole == NULL)
        gp_fail(error, "%s:%d: no JSON: %s", path, why.line, why.text);
    else if (json_is_array(whole))
        rows = json_incref(whole);
    else if (strcmp(gp_json_word(whole, "schema"), "gpuperf/1") != 0)
        gp_fail(error, "%s: its schema is '%.40s', not 'gpuperf/1'; write it anew with gpuperf check --write-baseline",
                path, gp_json_word(whole, "schema"));
    else if (!json_is_array(json_object_get(whole, "predictions")))
        gp_fail(error, "%s has no 'predictions'; write it anew with gpuperf check --write-baseline", path);
    else
        rows = json_incref(json_object_get(whole, "predictions"));
    json_decref(whole);
    return rows;
}

static bool is_same(const json_t *a, const json_t *b, const char *key)
{
    return strcmp(gp_json_word(a, key), gp_json_word(b, key)) == 0;
}

json_t *gp_row_like(const json_t *rows, const json_t *row)
{
    size_t index;
    json_t *other;
    json_array_foreach(rows, index, other)
    {
        if (is_same(other, row, "kernel") && is_same(other, row, "symbol") && is_same(other, row, "device") &&
            is_same(other, row, "file"))
            return other;
    }
    return NULL;
}

/* ---- Verdicts
 * ---------------------------------------------------------------------------------------------------------- */

static void set_verdict(json_t *row, const char *verdict, bool fails, const char *why)
{
    json_object_set_new(row, "verdict", json_string(verdict));
    json_object_set_new(row, "fails", json_boolean(fails));
    if (why[0] != '\0')
        json_object_set_new(row, "why", gp_json_string(why));
}

static double budget_of(const struct gp_check_rule *rule, const char *device)
{
    for (size_t i = 0; rule != NULL && i < rule->budget_count; i++)
        if (strcasecmp(rule->budgets[i].device, device) == 0)
            return rule->budgets[i].ns;
    return 0;
}

/* Of all launches, where both rows know them, else of one. An endless loop has no time that a ratio could be of. */
static void compare_with(json_t *row, const json_t *base)
{
    const char *what = gp_json_real(row, "total_ns") > 0 && gp_json_real(base, "total_ns") > 0 ? "total_ns" : "time_ns";
    if (gp_never_ends(base)) {
        json_object_set_new(row, "base_endless", json_true());
    } else {
        json_object_set_new(row, "base_ns", json_real(gp_json_real(base, what)));
        if (!gp_never_ends(row))
            json_object_set_new(row, "ratio", json_real(gp_json_real(row, what) / gp_json_real(base, what)));
    }
    if (!is_same(row, base, "launch"))
        json_object_set_new(row, "base_launch", gp_json_string(gp_json_word(base, "launch")));
}

bool gp_never_ends(const json_t *row) { return json_object_get(row, "endless_loop") != NULL; }

/* A launch that never ends is over any budget; it is a regression where the one before ended. */
static void judge_endless(const struct gp_gate *gate, double budget, json_t *row)
{
    const json_t *loop = json_object_get(row, "endless_loop");
    char limit[GP_TIME_TEXT], before[GP_TIME_TEXT];
    struct gp_text why = {0};
    double base = gp_json_real(row, "base_ns");
    bool regression = gate->regression >= 0 && base > 0;
    gp_text_printf(&why, "the loop at %s:%.0f never ends in this launch", gp_json_word(loop, "file"),
                   gp_json_real(loop, "line"));
    if (budget > 0)
        gp_text_printf(&why, ", whose budget is %s", gp_time_text(budget, limit));
    if (base > 0)
        gp_text_printf(&why, "; before, it took %s%s", gp_time_text(base, before),
                       json_object_get(row, "base_launch") != NULL ? " (for another launch)" : "");
    if (json_is_true(json_object_get(row, "base_endless")))
        gp_text_printf(&why, "; nor did it before");
    gp_text_printf(&why, "; the time is of the part that was followed");
    set_verdict(row,
                budget > 0   ? "over budget"
                : regression ? "regression"
                             : "never ends",
                (budget > 0 && gate->budget) || regression, why.data);
    gp_text_free(&why);
}

static void judge(const struct gp_gate *gate, const struct gp_check_rule *rule, const json_t *baseline, json_t *row)
{
    char why[300], time[GP_TIME_TEXT], limit[GP_TIME_TEXT];
    double ns = gp_json_real(row, "time_ns"), budget = budget_of(rule, gp_json_word(row, "device"));
    const json_t *base = baseline != NULL ? gp_row_like(baseline, row) : NULL;
    gp_time_text(ns, time);
    if (budget > 0)
        json_object_set_new(row, "budget_ns", json_real(budget));
    if (base != NULL && gp_json_real(base, "time_ns") > 0)
        compare_with(row, base);
    else if (baseline != NULL)
        json_object_set_new(row, "new", json_true());
    double ratio = gp_json_real(row, "ratio");
    bool over = budget > 0 && ns > budget, slower = gate->regression >= 0 && ratio > 1 + gate->regression;
    if (gp_never_ends(row)) {
        judge_endless(gate, budget, row);
    } else if (rule != NULL && gp_json_real(row, "confidence") < rule->min_confidence && (over || slower)) {
        snprintf(why, sizeof why, "confidence %.0f%% is below %.0f%%; state more of the launch",
                 100 * gp_json_real(row, "confidence"), 100 * rule->min_confidence);
        set_verdict(row, "not judged", false, why);
    } else if (over) {
        gp_time_text(budget, limit);
        snprintf(why, sizeof why, "%s, %.0f%% over its budget of %s", time, 100 * (ns / budget - 1), limit);
        set_verdict(row, "over budget", gate->budget, why);
    } else if (slower) {
        gp_time_text(gp_json_real(row, "base_ns"), limit);
        gp_time_text(gp_json_real(row, "base_ns") * ratio, time);
        snprintf(why, sizeof why, "%s, %.0f%% slower than the baseline's %s%s", time, 100 * (ratio - 1), limit,
                 json_object_get(row, "base_launch") != NULL ? ", which was for another launch" : "");
        set_verdict(row, "regression", true, why);
    } else {
        set_verdict(row, "ok", false,
                    json_is_true(json_object_get(row, "base_endless")) ? "ends now; before, a loop never ended" : "");
    }
}

/* ---- Findings
 * ---------------------------------------------------------------------------------------------------------- */

static bool is_among(const struct gp_arguments *words, const char *word)
{
    for (size_t i = 0; i < words->count; i++)
        if (strcmp(words->items[i], word) == 0)
            return true;
    return false;
}

/* What it costs alone or beside others, whichever is more (gp_bottleneck_worth()). */
static double worth_of(const json_t *bottleneck)
{
    double beside = gp_json_real(bottleneck, "speedup_beside"), share = gp_json_real(bottleneck, "share");
    double then = beside > 1 ? 1 - 1 / beside : 0;
    return then > share ? then : share;
}

bool gp_is_worth_telling(const json_t *bottleneck)
{
    return json_is_true(json_object_get(bottleneck, "warns")) && worth_of(bottleneck) >= GP_TOLD_FROM;
}

static bool is_told(const struct gp_check_rule *rule, const json_t *bottleneck)
{
    return gp_is_worth_telling(bottleneck) &&
           !(rule != NULL && is_among(&rule->ignore, gp_json_word(bottleneck, "cause"))) &&
           !gp_is_ignored(gp_json_word(bottleneck, "file"), (unsigned)gp_json_real(bottleneck, "line"),
                          gp_json_word(bottleneck, "cause"));
}

static void add_findings(const struct gp_gate *gate, const struct gp_check_rule *rule, const json_t *row,
                         struct gp_outcome *outcome)
{
    size_t index;
    json_t *bottleneck;
    json_array_foreach(json_object_get(row, "bottlenecks"), index, bottleneck)
    {
        if (!is_told(rule, bottleneck))
            continue;
        bool fails =
            gate->warnings && (gate->causes.count == 0 || is_among(&gate->causes, gp_json_word(bottleneck, "cause")));
        json_t *finding = json_deep_copy(bottleneck);
        json_object_set_new(finding, "kernel", gp_json_string(gp_json_word(row, "kernel")));
        json_object_set_new(finding, "device", gp_json_string(gp_json_word(row, "device")));
        json_object_set_new(finding, "launch", gp_json_string(gp_json_word(row, "launch")));
        json_object_set_new(finding, "fails", json_boolean(fails));
        json_array_append_new(outcome->findings, finding);
        outcome->failures += fails;
    }
}

void gp_gate_judge(const struct gp_gate *gate, struct gp_check_config *config, const json_t *baseline,
                   struct gp_outcome *outcome)
{
    size_t index;
    json_t *row;
    json_array_foreach(outcome->rows, index, row)
    {
        struct gp_check_rule *rule = gp_check_rule_for(config, gp_json_word(row, "kernel"));
        if (rule != NULL)
            rule->used = true;
        judge(gate, rule, baseline, row);
        outcome->failures += json_is_true(json_object_get(row, "fails"));
        add_findings(gate, rule, row, outcome);
    }
}
