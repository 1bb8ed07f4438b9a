/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "report/report_json.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/assume/stated.h"
#include "report/json_string.h"
#include "report/report_row.h"
#include "support/text.h"

/* JSON has no infinities and no NaN; a prediction has none either, but a report must not be lost to one. */
static json_t *number(double value) { return json_real(isfinite(value) ? value : 0.0); }

static json_t *sizes(uint64_t x, uint64_t y, uint64_t z)
{
    return json_pack("[I,I,I]", (json_int_t)x, (json_int_t)y, (json_int_t)z);
}

static const struct gp_location *location_of(const struct gp_report_row *row, const struct gp_bottleneck *bottleneck)
{
    uint32_t index = bottleneck->location != GP_NONE ? bottleneck->location : row->kernel->location;
    return index < row->profile->location_count ? &row->profile->locations[index] : NULL;
}

static json_t *also_array(const struct gp_profile *profile, const struct gp_bottleneck *bottleneck)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < bottleneck->also_count; i++) {
        const struct gp_location *location = &profile->locations[bottleneck->also[i]];
        json_array_append_new(array, json_pack("{s:o,s:i,s:i}", "file", gp_json_string(location->file), "line",
                                               (int)location->line, "column", (int)location->column));
    }
    return array;
}

static json_t *bottleneck_object(const struct gp_report_row *row, const struct gp_bottleneck *bottleneck)
{
    const struct gp_location *location = location_of(row, bottleneck);
    json_t *object = json_object();
    json_object_set_new(object, "cause", gp_json_string(gp_cause_name(bottleneck->cause)));
    json_object_set_new(object, "file", gp_json_string(location ? location->file : ""));
    json_object_set_new(object, "line", json_integer(location ? location->line : 0));
    json_object_set_new(object, "column", json_integer(location ? location->column : 0));
    if (bottleneck->also_count > 0)
        json_object_set_new(object, "also", also_array(row->profile, bottleneck));
    json_object_set_new(object, "share", number(bottleneck->share));
    json_object_set_new(object, "speedup", number(bottleneck->speedup));
    json_object_set_new(object, "warns", json_boolean(gp_cause_warns(bottleneck->cause) || bottleneck->repairable));
    if (bottleneck->speedup_beside > 0) {
        json_object_set_new(object, "speedup_beside", number(bottleneck->speedup_beside));
        json_object_set_new(object, "beside", gp_json_string(bottleneck->beside));
    }
    json_object_set_new(object, "measure", gp_json_string(bottleneck->measure));
    json_object_set_new(object, "advice", gp_json_string(bottleneck->advice));
    return object;
}

/* A number where it is one; the components of a vector are text. */
static json_t *argument_value(const char *text)
{
    char *end, *whole_end;
    double real = strtod(text, &end);
    long long whole = strtoll(text, &whole_end, 10);
    if (*whole_end == '\0' && whole_end != text)
        return json_integer(whole);
    return *end == '\0' && end != text && isfinite(real) ? json_real(real) : gp_json_string(text);
}

/* Those that the kernel has; NULL: none. */
static json_t *arguments_object(const struct gp_report_row *row)
{
    json_t *object = NULL;
    for (const char *const *argument = row->arguments; argument != NULL && *argument != NULL; argument++) {
        char name[256];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(*argument, "="), *argument);
        if (!gp_launch_has_argument(row->kernel, name))
            continue;
        object = object != NULL ? object : json_object();
        json_object_set_new(object, name, argument_value(strchr(*argument, '=') + 1));
    }
    return object;
}

/* Where a loop stands in the source. */
static json_t *loop_object(const struct gp_report_row *row, uint32_t loop)
{
    uint32_t index = row->kernel->loops[loop].location;
    const struct gp_location *location = index < row->profile->location_count ? &row->profile->locations[index] : NULL;
    return json_pack("{s:o,s:i,s:i}", "file", gp_json_string(location ? location->file : ""), "line",
                     location ? (int)location->line : 0, "column", location ? (int)location->column : 0);
}

static json_t *hot_loop_object(const struct gp_report_row *row)
{
    json_t *object = loop_object(row, row->prediction->hot_loop);
    json_object_set_new(object, "share", number(row->prediction->hot_share));
    return object;
}

static json_t *lines_array(const struct gp_report_row *row)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < row->prediction->line_count; i++) {
        const struct gp_line_share *line = &row->prediction->lines[i];
        const struct gp_location *at = &row->profile->locations[line->location];
        json_array_append_new(array, json_pack("{s:o,s:i,s:o}", "file", gp_json_string(at->file), "line", (int)at->line,
                                               "share", number(line->share)));
    }
    return array;
}

bool gp_kernel_is_overloaded(const struct gp_profile *profile, const struct gp_kernel *kernel)
{
    for (uint32_t i = 0; i < profile->kernel_count; i++)
        if (&profile->kernels[i] != kernel && strcmp(profile->kernels[i].name, kernel->name) == 0)
            return true;
    return false;
}

static json_t *terms_object(const struct gp_prediction *p)
{
    struct gp_time_term terms[GP_MOST_TERMS];
    size_t count = gp_list_terms(&p->terms, p->model, terms, GP_MOST_TERMS);
    json_t *object = json_object();
    for (size_t i = 0; i < count; i++)
        json_object_set_new(object, terms[i].name, number(terms[i].value));
    return object;
}

static json_t *evidence_object(const struct gp_evidence *evidence)
{
    return json_pack("{s:s,s:i,s:i}", "cell", evidence->cell, "rows", (int)evidence->rows, "kernels",
                     (int)evidence->kernels);
}

/* Those that decide the time: what it is with half and with twice of each, over what it is. */
static void add_effect(json_t *array, const char *name, uint64_t value, const struct gp_argument_effect *effect)
{
    json_t *object = json_object();
    json_object_set_new(object, "name", gp_json_string(name));
    json_object_set_new(object, "value", json_integer((json_int_t)value));
    json_object_set_new(object, "halved", number(effect->halved));
    json_object_set_new(object, "doubled", number(effect->doubled));
    json_array_append_new(array, object);
}

static json_t *effects_array(const struct gp_report_row *row)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < row->effects->count; i++) {
        const struct gp_argument_effect *effect = &row->effects->items[i];
        add_effect(array, row->kernel->params[effect->param].name, row->launch->arguments[effect->param].value, effect);
    }
    if (row->effects->trip_matters)
        add_effect(array, "trip", row->launch->assumed_trip_count, &row->effects->trip);
    return array;
}

static json_t *units_object(const struct gp_headroom *headroom)
{
    json_t *object = json_object();
    for (int i = 0; i < GP_LIMITER_COUNT; i++)
        if (headroom->share[i] > 0)
            json_object_set_new(object, gp_limiter_name((enum gp_limiter)i), number(headroom->share[i]));
    return object;
}

/* NULL where no change of one thing leaves more warps resident. */
static json_t *occupancy_next(const struct gp_occupancy_step *step)
{
    static const char *const of[] = {[GP_STEP_REGISTERS] = "registers_fewer",
                                     [GP_STEP_LOCAL_MEMORY] = "local_memory_fewer",
                                     [GP_STEP_GROUP_SIZE] = "work_items"};
    if (step->of == GP_STEP_NONE)
        return json_null();
    return json_pack("{s:i,s:o,s:o}", of[step->of], (int)step->by, "groups", number(step->groups), "occupancy",
                     number(step->occupancy));
}

static void add_headroom(json_t *object, const struct gp_prediction *p)
{
    const struct gp_headroom *h = &p->headroom;
    if (p->endless > 0)
        return;
    json_object_set_new(object, "headroom", number(h->headroom));
    json_object_set_new(object, "ideal_ns", number(h->ideal_ns));
    json_object_set_new(object, "ideal_moving_ns", number(h->moving_ns));
    json_object_set_new(object, "ideal_computing_ns", number(h->computing_ns));
    json_object_set_new(object, "ideal_by", gp_json_string(gp_limiter_name(h->by)));
    json_object_set_new(object, "at_roof", json_boolean(h->at_roof));
    json_object_set_new(object, "units", units_object(h));
}

static void add_residency(json_t *object, const struct gp_prediction *p)
{
    json_object_set_new(object, "resident_groups", number(p->resident_groups));
    json_object_set_new(object, "occupancy_next", occupancy_next(&p->occupancy_next));
}

json_t *gp_report_row(const struct gp_report_row *row)
{
    const struct gp_prediction *p = row->prediction;
    json_t *object = json_object();
    json_object_set_new(object, "kernel", gp_json_string(row->kernel->name));
    if (gp_kernel_is_overloaded(row->profile, row->kernel))
        json_object_set_new(object, "symbol", gp_json_string(row->kernel->symbol));
    json_object_set_new(object, "device", gp_json_string(row->device));
    json_object_set_new(object, "local_size_agnostic", json_boolean(row->kernel->local_size_agnostic.holds));
    if (row->nearest != NULL)
        json_object_set_new(object, "nearest_device", gp_json_string(row->nearest));
    json_object_set_new(object, "local", sizes(p->local[0], p->local[1], p->local[2]));
    json_object_set_new(object, "global", sizes(p->global[0], p->global[1], p->global[2]));
    json_t *arguments = arguments_object(row);
    if (arguments != NULL)
        json_object_set_new(object, "arguments", arguments);
    json_object_set_new(object, "caches", gp_json_string(p->cold ? "cold" : "warm"));
    json_object_set_new(object, "rank", json_integer(p->rank));
    json_object_set_new(object, "feasible", json_boolean(p->feasible));
    if (!p->feasible)
        json_object_set_new(object, "why", gp_json_string(p->why));
    json_object_set_new(object, "cycles", number(p->cycles));
    json_object_set_new(object, "time_ns", number(p->time_ns));
    json_object_set_new(object, "occupancy", number(p->occupancy));
    if (strcmp(p->model, "cpu") != 0)
        json_object_set_new(object, "resident_warps", number(p->resident_warps));
    json_object_set_new(object, "limiter", gp_json_string(gp_limit_told(p)));
    json_object_set_new(object, "model", gp_json_string(p->model));
    json_object_set_new(object, "confidence", number(p->confidence));
    json_object_set_new(object, "known_share", number(p->known_share));
    json_object_set_new(object, "time_ns_low", number(p->time_ns_low));
    if (p->endless == 0)
        json_object_set_new(object, "time_ns_high", number(p->time_ns_high));
    if (p->basis.evidence.cell != NULL)
        json_object_set_new(object, "evidence", evidence_object(&p->basis.evidence));
    if (row->effects != NULL && row->launch != NULL)
        json_object_set_new(object, "assumed_arguments", effects_array(row));
    json_object_set_new(object, "waves", number(p->waves));
    if (p->feasible) {
        add_headroom(object, p);
        add_residency(object, p);
    }
    if (row->launched)
        json_object_set_new(object, "launched", json_true());
    if (strcmp(p->model, "mwp-cwp") == 0 && p->feasible) {
        json_object_set_new(object, "mwp", number(p->terms.mwp));
        json_object_set_new(object, "cwp", number(p->terms.cwp));
        json_object_set_new(object, "cpi", number(p->terms.cpi));
    }
    json_object_set_new(object, "registers", json_integer(p->registers));
    json_object_set_new(object, "spill_bytes", json_integer(p->spill_bytes));
    json_object_set_new(object, "local_memory", json_integer(p->local_memory));
    if (p->hot_loop != GP_NONE)
        json_object_set_new(object, "hot_loop", hot_loop_object(row));
    if (p->endless > 0)
        json_object_set_new(object, "endless_loop", loop_object(row, p->endless - 1));
    if (p->line_count > 0)
        json_object_set_new(object, "lines", lines_array(row));
    json_t *bottlenecks = json_array();
    for (uint32_t i = 0; i < p->bottleneck_count; i++)
        json_array_append_new(bottlenecks, bottleneck_object(row, &p->bottlenecks[i]));
    json_object_set_new(object, "bottlenecks", bottlenecks);
    if (p->repaired_all_ns > 0)
        json_object_set_new(object, "all_speedup", number(p->time_ns / p->repaired_all_ns));
    if (row->terms && p->feasible)
        json_object_set_new(object, "terms", terms_object(p));
    return object;
}

char *gp_report_json(const struct gp_report_row *rows, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(array, gp_report_row(&rows[i]));
    char *compact = json_dumps(array, JSON_INDENT(2) | GP_REPORT_DIGITS);
    json_decref(array);
    if (!compact)
        return NULL;
    size_t length = strlen(compact);
    char *text = realloc(compact, length + 2);
    if (!text) {
        free(compact);
        return NULL;
    }
    memcpy(text + length, "\n", 2);
    return text;
}

static bool write_text(const char *text, const char *path, struct gp_error *error)
{
    if (strcmp(path, "-") == 0)
        return fputs(text, stdout) >= 0 && fflush(stdout) == 0
                   ? true
                   : gp_fail(error, "cannot write the report: %s", strerror(errno));
    return gp_write_file(path, text, strlen(text)) ||
           gp_fail(error, "%s: cannot write the report: %s", path, strerror(errno));
}

bool gp_report_write_file(const struct gp_report_row *rows, size_t count, const char *path, struct gp_error *error)
{
    char *text = gp_report_json(rows, count);
    if (!text)
        return gp_fail(error, "%s: out of memory", path);
    bool ok = write_text(text, path, error);
    free(text);
    return ok;
}
