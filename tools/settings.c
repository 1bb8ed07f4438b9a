/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/settings.h"
#include "model/launch/numbers.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool gp_take_list(const char *option, const char *text, struct gp_arguments *list, struct gp_error *error)
{
    for (;;) {
        size_t length = strcspn(text, ",");
        if (length == 0)
            return gp_fail(error, "%s has an empty item; items are separated by single commas", option);
        gp_arguments_add(list, "%.*s", (int)length, text);
        if (text[length] == '\0')
            return true;
        text += length + 1;
    }
}

static bool parse_local(const char *option, const char *text, struct gp_sizes *sizes, struct gp_error *error)
{
    char name[16];
    snprintf(name, sizeof name, "--%s", option);
    return gp_parse_sizes(text, &sizes->dims, sizes->size, error) || gp_fail_within(error, name);
}

struct gp_device *gp_settings_device(const struct gp_settings *settings, const char *spec, struct gp_error *error)
{
    struct gp_text whole = {0};
    size_t length = gp_device_name_length(spec);
    gp_text_append(&whole, spec, length);
    for (size_t i = 0; i < settings->stated.count; i++)
        gp_text_printf(&whole, ":%s", settings->stated.items[i]);
    gp_text_printf(&whole, "%s", spec + length);
    struct gp_device *device = gp_device_load(whole.data, getenv("GPUPERF_HWDB"), error);
    gp_text_free(&whole);
    return device;
}

static bool add_locals(const char *option, const char *text, struct gp_sizes **list, size_t *count,
                       struct gp_error *error)
{
    struct gp_arguments parts = {0};
    char name[16];
    snprintf(name, sizeof name, "--%s", option);
    bool done = gp_take_list(name, text, &parts, error);
    struct gp_sizes *locals = done ? realloc(*list, (*count + parts.count) * sizeof *locals) : NULL;
    if (locals != NULL)
        *list = locals;
    else if (done)
        done = gp_fail(error, "out of memory");
    for (size_t i = 0; done && i < parts.count; i++)
        done = parse_local(option, parts.items[i], &(*list)[(*count)++], error);
    gp_arguments_free(&parts);
    return done;
}

static bool parse_clock(const char *text, double *clock, struct gp_error *error)
{
    char *end;
    *clock = strtod(text, &end);
    bool number = end != text && *end == '\0' && isfinite(*clock);
    return (number && *clock >= 1 && *clock <= 100000) ||
           gp_fail(error, "--clock takes a number of MHz from 1 to 100000, not '%s'", text);
}

static bool parse_format(const char *text, enum gp_prints *format, struct gp_error *error)
{
    static const struct {
        const char *name;
        enum gp_prints format;
    } formats[] = {{"text", GP_PRINTS_TEXT},
                   {"json", GP_PRINTS_DOCUMENT},
                   {"csv", GP_PRINTS_CSV},
                   {"markdown", GP_PRINTS_MARKDOWN}};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        if (strcmp(text, formats[i].name) != 0)
            continue;
        *format = formats[i].format;
        return true;
    }
    return gp_fail(error, "--format takes text, json, csv or markdown, not '%.40s'", text);
}

static bool parse_top(const char *text, size_t *top, struct gp_error *error)
{
    char *end;
    *top = strtoul(text, &end, 10);
    return (text[0] >= '0' && text[0] <= '9' && *end == '\0' && *top >= 1 && *top <= UINT32_MAX) ||
           gp_fail(error, "--top takes a number of local sizes from 1 on, not '%.40s'", text);
}

static bool parse_trip(const char *text, uint32_t *trip, struct gp_error *error)
{
    char *end;
    unsigned long number = strtoul(text, &end, 10);
    bool whole = text[0] >= '0' && text[0] <= '9' && *end == '\0';
    *trip = (uint32_t)number;
    return (whole && number >= 1 && number <= UINT32_MAX) ||
           gp_fail(error, "--trip takes a number of iterations from 1 to %u, not '%s'", UINT32_MAX, text);
}

/* --fix-it, --fix-it=2 */
static bool parse_fix_it(const char *text, struct gp_settings *settings, struct gp_error *error)
{
    char *end = NULL;
    settings->fix_it = true;
    settings->fix_number = text != NULL ? strtoul(text, &end, 10) : 0;
    return text == NULL || (text[0] >= '1' && text[0] <= '9' && *end == '\0' && settings->fix_number <= UINT32_MAX) ||
           gp_fail(error, "--fix-it takes the number of a change from 1 on, as --fix-it=2, not '%.40s'", text);
}

enum {
    OPTION_DEVICE = GP_FIRST_OPTION,
    OPTION_SET,
    OPTION_KERNEL,
    OPTION_GLOBAL,
    OPTION_GROUPS,
    OPTION_LOCAL,
    OPTION_ARG,
    OPTION_CLOCK,
    OPTION_TRIP,
    OPTION_COLD,
    OPTION_WARM,
    OPTION_MODEL,
    OPTION_TERMS,
    OPTION_EXPLAIN,
    OPTION_JSON,
    OPTION_FORMAT,
    OPTION_OVERVIEW,
    OPTION_TOP,
    OPTION_RESIDENT,
    OPTION_COLOUR,
    OPTION_FIX_IT
};

static const struct option options[] = {
    {"device", required_argument, NULL, OPTION_DEVICE},
    {"set", required_argument, NULL, OPTION_SET},
    {"kernel", required_argument, NULL, OPTION_KERNEL},
    {"global", required_argument, NULL, OPTION_GLOBAL},
    {"groups", required_argument, NULL, OPTION_GROUPS},
    {"local", required_argument, NULL, OPTION_LOCAL},
    {"arg", required_argument, NULL, OPTION_ARG},
    {"clock", required_argument, NULL, OPTION_CLOCK},
    {"trip", required_argument, NULL, OPTION_TRIP},
    {"model", required_argument, NULL, OPTION_MODEL},
    {"terms", no_argument, NULL, OPTION_TERMS},
    {"cold", no_argument, NULL, OPTION_COLD},
    {"warm", no_argument, NULL, OPTION_WARM},
    {"json", no_argument, NULL, OPTION_JSON},
    {"format", required_argument, NULL, OPTION_FORMAT},
    {"overview", no_argument, NULL, OPTION_OVERVIEW},
    {"top", required_argument, NULL, OPTION_TOP},
    {"resident", required_argument, NULL, OPTION_RESIDENT},
    {"color", required_argument, NULL, OPTION_COLOUR},
    {"fix-it", optional_argument, NULL, OPTION_FIX_IT},
    {"explain", required_argument, NULL, OPTION_EXPLAIN},
    {NULL, 0, NULL, 0},
};

static bool take_option(int option, const char *value, struct gp_settings *settings, struct gp_error *error)
{
    switch (option) {
    case OPTION_DEVICE: return gp_take_list("--device", value, &settings->devices, error);
    case OPTION_SET: gp_arguments_add(&settings->stated, "%s", value); return true;
    case OPTION_KERNEL: gp_arguments_add(&settings->kernels, "%s", value); return true;
    case OPTION_GLOBAL: return gp_axes_add_list(&settings->axes, GP_AXIS_GLOBAL, value, error);
    case OPTION_GROUPS: return gp_axes_add_list(&settings->axes, GP_AXIS_GROUPS, value, error);
    case OPTION_LOCAL: return add_locals("local", value, &settings->locals, &settings->local_count, error);
    case OPTION_EXPLAIN: return add_locals("explain", value, &settings->explain, &settings->explain_count, error);
    case OPTION_RESIDENT: return gp_axes_add_list(&settings->axes, GP_AXIS_RESIDENT, value, error);
    case OPTION_ARG: return gp_axes_add_argument(&settings->axes, value, error);
    case OPTION_CLOCK: return parse_clock(value, &settings->clock_mhz, error);
    case OPTION_TRIP: return parse_trip(value, &settings->trip_count, error);
    case OPTION_COLD:
    case OPTION_WARM: settings->warm = option == OPTION_WARM; return true;
    case OPTION_TERMS: settings->terms = true; return true;
    case OPTION_MODEL: return gp_model_parse(value, &settings->model, error);
    case OPTION_FORMAT: return parse_format(value, &settings->format, error);
    case OPTION_COLOUR: return gp_colour_parse(value, &settings->colour, error);
    case 'x': settings->language = value; return true;
    case OPTION_TOP: return parse_top(value, &settings->top, error);
    case OPTION_FIX_IT: return parse_fix_it(value, settings, error);
    case OPTION_OVERVIEW: return settings->overview = true;
    default: settings->format = GP_PRINTS_ARRAY; return true;
    }
}

enum gp_status gp_settings_parse_two(const struct gp_command_line *line, struct gp_settings *settings,
                                     const char **first, struct gp_error *error)
{
    *settings = (struct gp_settings){.clang_arguments = line->rest};
    optind = 0; /* anew, whatever a parse before has left of a word */
    int option;
    while ((option = getopt_long(line->count, line->arguments, ":x:", options, NULL)) != -1) {
        if (option == '?' || option == ':')
            return gp_bad_option(line, option, error);
        if (!take_option(option, optarg, settings, error))
            return GP_STATUS_FAILED;
    }
    if (gp_axes_find(&settings->axes, GP_AXIS_GLOBAL) && gp_axes_find(&settings->axes, GP_AXIS_GROUPS)) {
        gp_fail(error, "--global and --groups both say how large the launch is; leave one of them out");
        return GP_STATUS_FAILED;
    }
    if (first != NULL)
        *first = optind + 2 <= line->count ? line->arguments[optind++] : NULL;
    if (optind + 1 == line->count) {
        settings->file = line->arguments[optind];
        return GP_STATUS_OK;
    }
    if (optind >= line->count)
        gp_fail(error, "no file to predict; gpuperf predict [OPTIONS] FILE [-- CLANG-ARGUMENTS]");
    else
        gp_fail(error, "'%s' is one file too many; clang's options go after --", line->arguments[optind + 1]);
    return GP_STATUS_USAGE;
}

enum gp_status gp_settings_parse(const struct gp_command_line *line, struct gp_settings *settings,
                                 struct gp_error *error)
{
    return gp_settings_parse_two(line, settings, NULL, error);
}

void gp_settings_free(struct gp_settings *settings)
{
    gp_arguments_free(&settings->devices);
    gp_arguments_free(&settings->stated);
    gp_arguments_free(&settings->kernels);
    gp_axes_free(&settings->axes);
    free(settings->locals);
    free(settings->explain);
    *settings = (struct gp_settings){0};
}
