#include <getopt.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "hwdb/hwdb.h"
#include "report/json_string.h"
#include "tools/command.h"
#include "tools/settings.h"

static const struct field { const char *name, *unit, *meaning; } fields[] = {
#define X(field, unit, meaning) {#field, unit, meaning},
    GP_DEVICE_NUMBERS(X)
#undef X
};
enum { FIELD_COUNT = sizeof fields / sizeof fields[0] };

static const char *target_text(const struct gp_device *device)
{
    if (device->cpu[0] != '\0')
        return device->cpu;
    return device->triple[0] != '\0' ? device->triple : "host";
}

/* ---- Text ------------------------------------------------------------------------------------------------------- */

static void print_heading(struct gp_text *out)
{
    gp_text_printf(out, "%-12s %-32s %-10s %-8s %5s %10s %11s\n", "name", "title", "arch", "target", "SMs", "clock", "bandwidth");
}

static void print_line(const struct gp_device *device, struct gp_text *out)
{
    gp_text_printf(out, "%-12s %-32s %-10s %-8s %5.0f %6.0f MHz %6.0f GB/s\n", device->name, device->title, gp_arch_name(device->arch),
                   target_text(device), device->sm_count.value, device->clock_mhz.value, device->dram_gbps.value);
}

static void print_device(const struct gp_device *device, struct gp_text *out)
{
    gp_text_printf(out, "%s: %s\n", device->name, device->title);
    gp_text_printf(out, "arch %s, compiled for %s%s%s%s\n", gp_arch_name(device->arch), device->triple[0] ? device->triple : "the host",
                   device->cpu[0] ? " " : "", device->cpu, device->proxy_target ? " (a stand-in: no compiler makes code for the device itself)" : "");
    gp_text_printf(out, "from %s\n\n", device->path);
    for (size_t i = 0; i < FIELD_COUNT; i++) {
        const struct gp_number *number = gp_device_number(device, fields[i].name, NULL);
        gp_text_printf(out, "%-24s %12.10g %-12s %-8s", fields[i].name, number->value, fields[i].unit, gp_origin_name(number->origin));
        gp_text_printf(out, "%s%s\n", number->source && number->source[0] ? "  " : "", number->source ? number->source : "");
    }
}

/* ---- JSON ------------------------------------------------------------------------------------------------------- */

static json_t *summary(const struct gp_device *device)
{
    json_t *object = json_object();
    json_object_set_new(object, "name", gp_json_string(device->name));
    json_object_set_new(object, "title", gp_json_string(device->title));
    if (device->nearest != NULL)
        json_object_set_new(object, "nearest_device", gp_json_string(device->nearest));
    json_object_set_new(object, "arch", gp_json_string(gp_arch_name(device->arch)));
    json_object_set_new(object, "compute_capability", json_integer(device->compute_capability));
    json_object_set_new(object, "triple", gp_json_string(device->triple));
    json_object_set_new(object, "cpu", gp_json_string(device->cpu));
    json_object_set_new(object, "proxy_target", json_boolean(device->proxy_target));
    json_object_set_new(object, "sm_count", json_real(device->sm_count.value));
    json_object_set_new(object, "clock_mhz", json_real(device->clock_mhz.value));
    json_object_set_new(object, "dram_gbps", json_real(device->dram_gbps.value));
    return object;
}

static json_t *details(const struct gp_device *device)
{
    json_t *object = summary(device);
    json_t *matches = json_array();
    for (int i = 0; i < GP_MAX_DEVICE_MATCHES && device->matches[i] != NULL; i++)
        json_array_append_new(matches, gp_json_string(device->matches[i]));
    json_object_set_new(object, "matches", matches);
    json_object_set_new(object, "path", gp_json_string(device->path));
    json_t *numbers = json_object();
    for (size_t i = 0; i < FIELD_COUNT; i++) {
        const struct gp_number *number = gp_device_number(device, fields[i].name, NULL);
        json_t *entry = json_object();
        json_object_set_new(entry, "value", json_real(number->value));
        json_object_set_new(entry, "unit", gp_json_string(fields[i].unit));
        json_object_set_new(entry, "from", gp_json_string(gp_origin_name(number->origin)));
        json_object_set_new(entry, "source", gp_json_string(number->source));
        json_object_set_new(entry, "meaning", gp_json_string(fields[i].meaning));
        json_object_set_new(numbers, fields[i].name, entry);
    }
    json_object_set_new(object, "numbers", numbers);
    return object;
}

static bool print_json(json_t *value, struct gp_text *out, struct gp_error *error)
{
    char *text = value ? json_dumps(value, JSON_INDENT(2)) : NULL;
    json_decref(value);
    if (text == NULL)
        return gp_fail(error, "out of memory");
    gp_text_printf(out, "%s\n", text);
    free(text);
    return true;
}

/* ---- The verb --------------------------------------------------------------------------------------------------- */

static bool show_one(const char *name, json_t *array, struct gp_text *out, struct gp_error *error)
{
    struct gp_device *device = gp_device_load(name, getenv("GPUPERF_HWDB"), error);
    if (device == NULL)
        return false;
    if (array != NULL) {
        json_array_append_new(array, details(device));
    } else {
        if (out->length > 0)
            gp_text_printf(out, "\n");
        print_device(device, out);
    }
    gp_device_free(device);
    return true;
}

/* One name gives one JSON object, a list an array of them. */
static bool show_some(const struct gp_arguments *names, bool json, struct gp_text *out, struct gp_error *error)
{
    json_t *array = json ? json_array() : NULL;
    bool done = true;
    for (size_t i = 0; done && i < names->count; i++)
        done = show_one(names->items[i], array, out, error);
    if (done && json)
        done = print_json(json_incref(names->count == 1 ? json_array_get(array, 0) : array), out, error);
    json_decref(array);
    return done;
}

static bool list_device(const char *name, json_t *array, struct gp_text *out, struct gp_error *error)
{
    struct gp_device *device = gp_device_load(name, getenv("GPUPERF_HWDB"), error);
    if (device == NULL)
        return false;
    if (array != NULL)
        json_array_append_new(array, summary(device));
    else
        print_line(device, out);
    gp_device_free(device);
    return true;
}

static bool show_all(bool json, struct gp_text *out, struct gp_error *error)
{
    char **names;
    size_t count;
    if (!gp_device_list(getenv("GPUPERF_HWDB"), &names, &count, error))
        return false;
    json_t *array = json ? json_array() : NULL;
    if (!json)
        print_heading(out);
    bool done = true;
    for (size_t i = 0; i < count; i++) {
        done = done && list_device(names[i], array, out, error);
        free(names[i]);
    }
    free(names);
    if (done && json)
        return print_json(array, out, error);
    json_decref(array);
    return done;
}

enum gp_status gp_devices_command(const struct gp_command_line *line, struct gp_text *out, struct gp_error *error)
{
    static const struct option options[] = {{"json", no_argument, NULL, GP_FIRST_OPTION}, {NULL, 0, NULL, 0}};
    bool json = false;
    int option;
    optind = 1;
    while ((option = getopt_long(line->count, line->arguments, ":", options, NULL)) != -1) {
        if (option != GP_FIRST_OPTION)
            return gp_bad_option(line, option, error);
        json = true;
    }
    if (optind + 1 < line->count || line->rest != NULL) {
        gp_fail(error, "'devices' takes one list of names at most: gpuperf devices [D[,D]] [--json]");
        return GP_STATUS_USAGE;
    }
    if (optind == line->count)
        return show_all(json, out, error) ? GP_STATUS_OK : GP_STATUS_FAILED;
    struct gp_arguments names = {0};
    bool done = gp_take_list("devices", line->arguments[optind], &names, error) && show_some(&names, json, out, error);
    gp_arguments_free(&names);
    return done ? GP_STATUS_OK : GP_STATUS_FAILED;
}
