/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <getopt.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "hwdb/boards.h"
#include "report/json_string.h"
#include "tools/command.h"
#include "tools/json_out.h"
#include "tools/sensitivity.h"
#include "tools/settings.h"

static const struct field {
    const char *name, *unit, *meaning;
} fields[] = {
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
    gp_text_printf(out, "%-12s %-32s %-10s %-8s %5s %10s %11s\n", "name", "title", "arch", "target", "SMs", "clock",
                   "bandwidth");
}

static void print_line(const struct gp_device *device, struct gp_text *out)
{
    gp_text_printf(out, "%-12s %-32s %-10s %-8s %5.0f %6.0f MHz %6.0f GB/s\n", device->name, device->title,
                   gp_arch_name(device->arch), target_text(device), device->sm_count.value, device->clock_mhz.value,
                   device->dram_gbps.value);
}

/* A line where the file lacks fields, mostly one that was written for an older version. */
static void print_missing(const struct gp_device *device, struct gp_text *out)
{
    struct gp_text names = {0};
    size_t count = gp_device_missing(device, &names);
    if (count > 0)
        gp_text_printf(out, "%zu field%s missing there and taken as unknown: %s\n", count, count > 1 ? "s are" : " is",
                       names.data);
    gp_text_free(&names);
}

static void print_device(const struct gp_device *device, struct gp_text *out)
{
    gp_text_printf(out, "%s: %s\n", device->name, device->title);
    gp_text_printf(out, "arch %s, compiled for %s%s%s%s\n", gp_arch_name(device->arch),
                   device->triple[0] ? device->triple : "the host", device->cpu[0] ? " " : "", device->cpu,
                   device->proxy_target ? " (a stand-in: no compiler makes code for the device itself)" : "");
    gp_text_printf(out, "from %s\n", device->path);
    print_missing(device, out);
    gp_text_printf(out, "\n");
    for (size_t i = 0; i < FIELD_COUNT; i++) {
        const struct gp_number *number = gp_device_number(device, fields[i].name, NULL);
        gp_text_printf(out, "%-24s %12.10g %-12s %-8s", fields[i].name, number->value, fields[i].unit,
                       gp_origin_name(number->origin));
        gp_text_printf(out, "%s%s\n", number->source && number->source[0] ? "  " : "",
                       number->source ? number->source : "");
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
    json_t *missing = json_array();
    for (size_t i = 0; i < GP_NUMBER_COUNT; i++)
        if (device->missing[i])
            json_array_append_new(missing, gp_json_string(gp_number_fields[i].name));
    json_object_set_new(object, "missing", missing);
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

/* ---- Boards and comparison --------------------------------------------------------------------------------------- */

static json_t *board_object(const struct gp_board *board)
{
    return json_pack("{s:o,s:o,s:o,s:f,s:f,s:f,s:f,s:f,s:f,s:o,s:b}", "name", gp_json_string(board->name), "entry",
                     gp_json_string(board->entry), "target", gp_json_string(board->target), "sm_count", board->units,
                     "clock_mhz", board->clock_mhz, "dram_gbps", board->gbps, "l2_size", 1024 * board->l2_kib,
                     "llc_size", 1024 * board->llc_kib, "memory_gib", board->memory_gib, "source",
                     gp_json_string(board->source), "recalled", board->recalled != 0);
}

static void print_board(const struct gp_board *board, struct gp_text *out)
{
    gp_text_printf(out, "%-36.36s %-9s %-8s %3.0f %5.0f %5.0f %8.1f\n", board->name, board->entry, board->target,
                   board->units, board->clock_mhz, board->gbps, board->l2_kib / 1024);
}

/* All boards, or those that have these words or this compile target. */
static bool is_asked_for(const struct gp_board *board, const char *words)
{
    return words == NULL || strcasecmp(board->target, words) == 0 || gp_board_has_words(board, words);
}

static bool show_boards(bool json, const char *words, struct gp_text *out, struct gp_error *error)
{
    struct gp_boards boards;
    size_t shown = 0;
    if (!gp_boards_load(&boards, error))
        return false;
    for (size_t i = 0; i < boards.count; i++)
        if (is_asked_for(&boards.rows[i], words))
            boards.rows[shown++] = boards.rows[i];
    boards.count = shown;
    if (shown == 0) {
        gp_boards_free(&boards);
        return gp_fail(error,
                       "no board has '%.60s' in its name or as its compile target; gpuperf devices --boards lists all",
                       words);
    }
    json_t *array = json ? json_array() : NULL;
    if (!json)
        gp_text_printf(out, "%-36s %-9s %-8s %3s %5s %5s %8s\n", "board", "entry", "target", "SMs", "MHz", "GB/s",
                       "L2 (MiB)");
    for (size_t i = 0; i < boards.count; i++) {
        if (json)
            json_array_append_new(array, board_object(&boards.rows[i]));
        else
            print_board(&boards.rows[i], out);
    }
    gp_boards_free(&boards);
    return !json || gp_print_json(array, out, error);
}

/* A line where the two differ: both numbers, and where they are from. */
static bool compare_field(const struct gp_device *const devices[2], const char *name, const char *unit,
                          struct gp_text *out)
{
    const struct gp_number *a = gp_device_number(devices[0], name, NULL), *b = gp_device_number(devices[1], name, NULL);
    if (a->value != b->value)
        gp_text_printf(out, "%-24s %14.10g %14.10g %-12s %s, %s\n", name, a->value, b->value, unit,
                       gp_origin_name(a->origin), gp_origin_name(b->origin));
    return a->value != b->value;
}

static bool compare(const struct gp_arguments *names, struct gp_text *out, struct gp_error *error)
{
    struct gp_device *devices[2] = {0};
    bool loaded = true;
    if (names->count != 2)
        return gp_fail(error, "--compare takes two devices: gpuperf devices --compare D1,D2");
    for (size_t i = 0; loaded && i < 2; i++)
        loaded = (devices[i] = gp_device_load(names->items[i], getenv("GPUPERF_HWDB"), error)) != NULL;
    if (loaded)
        gp_text_printf(out, "%-24s %14.14s %14.14s\n", "", devices[0]->name, devices[1]->name);
    size_t differ = 0;
    for (size_t i = 0; loaded && i < FIELD_COUNT; i++)
        differ += compare_field((const struct gp_device *const *)devices, fields[i].name, fields[i].unit, out);
    if (loaded && differ == 0)
        gp_text_printf(out, "no number differs\n");
    gp_device_free(devices[0]);
    gp_device_free(devices[1]);
    return loaded;
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
        done = gp_print_json(json_incref(names->count == 1 ? json_array_get(array, 0) : array), out, error);
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

/* All entries. */
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
        return gp_print_json(array, out, error);
    if (done)
        gp_text_printf(out,
                       "\nBoards that these stand for, by name (--device \"rtx 4060\"): gpuperf devices --boards\n");
    json_decref(array);
    return done;
}

/* What was asked for. */
struct question {
    bool json, boards, compare;
    const char *file;  /* --sensitivity's */
    char *const *rest; /* clang's arguments */
};

static bool answer(const struct question *asked, const char *list, struct gp_text *out, struct gp_error *error)
{
    struct gp_arguments names = {0};
    if (asked->boards)
        return show_boards(asked->json, list, out, error);
    if (asked->file != NULL && strchr(list, ',') != NULL)
        return gp_fail(error, "--sensitivity takes one device: gpuperf devices D --sensitivity FILE");
    if (asked->file != NULL)
        return gp_print_sensitivity(list, asked->file, (const char *const *)asked->rest, out, error);
    if (list == NULL)
        return show_all(asked->json, out, error);
    bool done = gp_take_list("devices", list, &names, error) &&
                (asked->compare ? compare(&names, out, error) : show_some(&names, asked->json, out, error));
    gp_arguments_free(&names);
    return done;
}

enum gp_status gp_devices_command(const struct gp_command_line *line, struct gp_text *out, struct gp_error *error)
{
    enum { JSON = GP_FIRST_OPTION, BOARDS, COMPARE, SENSITIVITY };
    static const struct option options[] = {{"json", no_argument, NULL, JSON},
                                            {"boards", no_argument, NULL, BOARDS},
                                            {"compare", no_argument, NULL, COMPARE},
                                            {"sensitivity", required_argument, NULL, SENSITIVITY},
                                            {NULL, 0, NULL, 0}};
    struct question asked = {0};
    int option;
    optind = 0; /* anew, whatever a parse before has left of a word */
    while ((option = getopt_long(line->count, line->arguments, ":", options, NULL)) != -1) {
        switch (option) {
        case JSON: asked.json = true; break;
        case BOARDS: asked.boards = true; break;
        case COMPARE: asked.compare = true; break;
        case SENSITIVITY: asked.file = optarg; break;
        default: return gp_bad_option(line, option, error);
        }
    }
    int lists = line->count - optind;
    asked.rest = line->rest;
    if (lists > 1 || (line->rest != NULL && asked.file == NULL) ||
        (asked.file != NULL && (lists == 0 || asked.json || asked.compare)) ||
        (asked.boards && (asked.compare || asked.file != NULL)) || (asked.compare && (lists == 0 || asked.json))) {
        gp_fail(error, "'devices' takes one list of names at most: gpuperf devices [D[,D]] [--json], devices --boards "
                       "[WORDS] [--json], devices --compare D1,D2");
        return GP_STATUS_USAGE;
    }
    return answer(&asked, lists > 0 ? line->arguments[optind] : NULL, out, error) ? GP_STATUS_OK : GP_STATUS_FAILED;
}
