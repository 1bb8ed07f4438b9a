/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/axes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/launch/numbers.h"

/* ---- Axes -------------------------------------------------------------------------------------------------------- */

static const char *option_of(const struct gp_axis *axis)
{
    static const char *const names[] = {[GP_AXIS_GLOBAL] = "--global",
                                        [GP_AXIS_GROUPS] = "--groups",
                                        [GP_AXIS_ARGUMENT] = "--arg",
                                        [GP_AXIS_RESIDENT] = "--resident"};
    return names[axis->kind];
}

static struct gp_axis *like(const struct gp_axes *axes, enum gp_axis_kind kind, const char *name)
{
    for (size_t i = 0; i < axes->count; i++)
        if (axes->list[i].kind == kind && strcmp(axes->list[i].name, name) == 0)
            return &axes->list[i];
    return NULL;
}

/* An axis without values, in the place that the name has already. NULL: out of memory. */
static struct gp_axis *fresh(struct gp_axes *axes, enum gp_axis_kind kind, const char *name, size_t length,
                             struct gp_error *error)
{
    char *copy = strndup(name, length);
    struct gp_axis *axis = copy != NULL ? like(axes, kind, copy) : NULL;
    if (axis != NULL) {
        gp_arguments_free(&axis->values);
        free(copy);
        return axis;
    }
    struct gp_axis *list = copy != NULL ? realloc(axes->list, (axes->count + 1) * sizeof *list) : NULL;
    if (list == NULL) {
        free(copy);
        gp_fail(error, "out of memory");
        return NULL;
    }
    axes->list = list;
    list[axes->count] = (struct gp_axis){.kind = kind, .name = copy};
    return &list[axes->count++];
}

static bool add_value(struct gp_axis *axis, const char *text, struct gp_error *error)
{
    if (axis->values.count >= GP_MOST_COMBINATIONS)
        return gp_fail(error, "%s %.60s: more than %d values", option_of(axis), axis->name, GP_MOST_COMBINATIONS);
    gp_arguments_add(&axis->values, "%s", text);
    return true;
}

/* ---- Ranges ------------------------------------------------------------------------------------------------------ */

struct range {
    double from, to, by;
    bool multiplies;
};

/* A whole number that a double holds exactly; an exponent may be in it, as in other numbers of the command line. */
static bool take_whole(const char **text, double *number)
{
    char *end;
    if (strchr("+-.0123456789", **text) == NULL)
        return false;
    *number = strtod(*text, &end);
    bool whole = end != *text && fabs(*number) <= 0x1p53 && *number == floor(*number);
    *text = end;
    return whole;
}

/* strtod() would take the first dot of ".." for the point. */
static bool take_first(const char **text, double *number)
{
    char first[64];
    const char *dots = strstr(*text, ".."), *at = first;
    size_t length = (size_t)(dots - *text);
    if (length >= sizeof first)
        return false;
    memcpy(first, *text, length);
    first[length] = '\0';
    *text = dots + 2;
    return take_whole(&at, number) && *at == '\0';
}

static bool fail_range(const struct gp_axis *axis, const char *text, const char *why, struct gp_error *error)
{
    if (axis->kind == GP_AXIS_ARGUMENT)
        return gp_fail(error, "--arg %s=%.60s: %s", axis->name, text, why);
    return gp_fail(error, "%s %.60s: %s", option_of(axis), text, why);
}

static bool parse_range(const struct gp_axis *axis, const char *text, struct range *range, struct gp_error *error)
{
    const char *at = text;
    *range = (struct range){.by = 1};
    bool read = take_first(&at, &range->from) && take_whole(&at, &range->to);
    if (read && (*at == '*' || *at == '+')) {
        range->multiplies = *at++ == '*';
        read = take_whole(&at, &range->by);
    }
    if (!read || *at != '\0')
        return fail_range(axis, text, "a range is FROM..TO, FROM..TO*FACTOR or FROM..TO+STEP, of whole numbers", error);
    if (range->to < range->from)
        return fail_range(axis, text, "the range ends before it begins", error);
    if (range->by < 1 + range->multiplies)
        return fail_range(axis, text, range->multiplies ? "the factor is 2 at least" : "the step is 1 at least", error);
    return !range->multiplies || range->from >= 1 ||
           fail_range(axis, text, "a range by factors begins at 1 at least", error);
}

/* ---- Adding ------------------------------------------------------------------------------------------------------ */

static bool check_resident(const char *text, struct gp_error *error)
{
    double number;
    const char *at = text;
    return (take_whole(&at, &number) && *at == '\0' && number >= 1 && number <= 1024) ||
           gp_fail(error, "--resident takes numbers of warps per SM from 1 to 1024, not '%.60s'", text);
}

static bool check_item(const struct gp_axis *axis, const char *text, struct gp_error *error)
{
    struct gp_sizes sizes;
    if (axis->kind == GP_AXIS_ARGUMENT)
        return true; /* the kernel tells what it is */
    if (axis->kind == GP_AXIS_RESIDENT)
        return check_resident(text, error);
    return gp_parse_sizes(text, &sizes.dims, sizes.size, error) || gp_fail_within(error, option_of(axis));
}

static bool is_range(const struct gp_axis *axis, const char *text)
{
    return (axis->kind == GP_AXIS_ARGUMENT || axis->kind == GP_AXIS_RESIDENT) && strstr(text, "..") != NULL;
}

static bool add_checked(struct gp_axis *axis, const char *text, struct gp_error *error)
{
    return check_item(axis, text, error) && add_value(axis, text, error);
}

static bool add_range(struct gp_axis *axis, const char *text, struct gp_error *error)
{
    struct range range;
    if (!parse_range(axis, text, &range, error))
        return false;
    for (double at = range.from; at <= range.to; at = range.multiplies ? at * range.by : at + range.by) {
        char number[32];
        snprintf(number, sizeof number, "%.0f", at);
        if (!add_checked(axis, number, error))
            return false;
    }
    return true;
}

static bool add_item(struct gp_axis *axis, const char *item, size_t length, struct gp_error *error)
{
    char text[256];
    if (length == 0 || length >= sizeof text)
        return gp_fail(error, "%s has an empty or too long item; items are separated by single %s", option_of(axis),
                       axis->kind == GP_AXIS_ARGUMENT ? "colons" : "commas");
    memcpy(text, item, length);
    text[length] = '\0';
    if (is_range(axis, text))
        return add_range(axis, text, error);
    return add_checked(axis, text, error);
}

static bool add_items(struct gp_axis *axis, const char *text, char separator, struct gp_error *error)
{
    for (;;) {
        size_t length = (size_t)(strchrnul(text, separator) - text);
        if (!add_item(axis, text, length, error))
            return false;
        if (text[length] == '\0')
            return true;
        text += length + 1;
    }
}

bool gp_axes_add_list(struct gp_axes *axes, enum gp_axis_kind kind, const char *text, struct gp_error *error)
{
    const char *name = option_of(&(struct gp_axis){.kind = kind}) + strlen("--");
    struct gp_axis *axis = fresh(axes, kind, name, strlen(name), error);
    return axis != NULL && add_items(axis, text, ',', error);
}

bool gp_axes_add_argument(struct gp_axes *axes, const char *text, struct gp_error *error)
{
    const char *equals = strchr(text, '=');
    if (equals == NULL || equals == text || equals[1] == '\0')
        return gp_fail(error, "--arg takes NAME=NUMBER, not '%s'", text);
    struct gp_axis *axis = fresh(axes, GP_AXIS_ARGUMENT, text, (size_t)(equals - text), error);
    return axis != NULL && add_items(axis, equals + 1, ':', error);
}

/* ---- Combinations ------------------------------------------------------------------------------------------------ */

const struct gp_axis *gp_axes_find(const struct gp_axes *axes, enum gp_axis_kind kind)
{
    for (size_t i = 0; i < axes->count; i++)
        if (axes->list[i].kind == kind)
            return &axes->list[i];
    return NULL;
}

bool gp_axis_is_varied(const struct gp_axis *axis) { return axis->values.count > 1; }

bool gp_axes_combinations(const struct gp_axes *axes, size_t *count, struct gp_error *error)
{
    double all = 1;
    for (size_t i = 0; i < axes->count; i++)
        all *= (double)axes->list[i].values.count;
    *count = (size_t)fmin(all, GP_MOST_COMBINATIONS);
    return all <= GP_MOST_COMBINATIONS ||
           gp_fail(error, "%.0f combinations of values are more than %d; ask for fewer values", all,
                   GP_MOST_COMBINATIONS);
}

const char *gp_axes_value(const struct gp_axes *axes, size_t axis, size_t combination)
{
    for (size_t i = axes->count - 1; i > axis; i--)
        combination /= axes->list[i].values.count;
    return axes->list[axis].values.items[combination % axes->list[axis].values.count];
}

/* The text was read once, when it was added. */
static struct gp_sizes sizes_of(const char *text)
{
    struct gp_sizes sizes = {0};
    gp_parse_sizes(text, &sizes.dims, sizes.size, NULL);
    return sizes;
}

void gp_axes_choose(const struct gp_axes *axes, size_t combination, struct gp_combination *result)
{
    gp_combination_free(result);
    for (size_t i = 0; i < axes->count; i++) {
        const char *value = gp_axes_value(axes, i, combination);
        switch (axes->list[i].kind) {
        case GP_AXIS_GLOBAL: result->global = sizes_of(value); break;
        case GP_AXIS_GROUPS: result->groups = sizes_of(value); break;
        case GP_AXIS_RESIDENT: result->resident = (uint32_t)strtod(value, NULL); break;
        case GP_AXIS_ARGUMENT: gp_arguments_add(&result->values, "%s=%s", axes->list[i].name, value); break;
        }
    }
}

void gp_combination_free(struct gp_combination *combination)
{
    gp_arguments_free(&combination->values);
    *combination = (struct gp_combination){0};
}

void gp_axes_free(struct gp_axes *axes)
{
    for (size_t i = 0; i < axes->count; i++) {
        free(axes->list[i].name);
        gp_arguments_free(&axes->list[i].values);
    }
    free(axes->list);
    *axes = (struct gp_axes){0};
}
