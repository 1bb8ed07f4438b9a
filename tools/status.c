/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * gpuperf status: what the OpenCL layer has done for each kernel so far, in all programs of this user.
 *
 *   kernel               launches    ours   predicted      driver's  global      local   decision
 *   nlmeans_vert              512     508      1.24 s        1.61 s  1920x1080   8x32    model: predicted best
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "runtime/cache.h"
#include "runtime/status.h"
#include "tools/cache_folder.h"
#include "tools/command.h"
#include "tools/json_out.h"
#include "tools/results.h"

struct listing {
    struct gp_text *out;
    json_t *rows; /* NULL: text */
    size_t count;
};

static void print_date(int64_t seconds, char text[32])
{
    time_t time = (time_t)seconds;
    struct tm parts;
    if (gmtime_r(&time, &parts) == NULL || strftime(text, 32, "%Y-%m-%dT%H:%M:%SZ", &parts) == 0)
        text[0] = '\0';
}

static void add_json(struct listing *list, const struct gp_kernel_status *status, int64_t seconds)
{
    char date[32];
    print_date(seconds, date);
    json_t *row =
        json_pack("{s:s, s:s, s:I, s:I, s:f, s:f, s:s, s:s, s:s, s:s, s:s}", "kernel", status->kernel, "device",
                  status->device, "launches", (json_int_t)status->launches, "chosen", (json_int_t)status->chosen,
                  "predicted_ns", status->ns, "driver_ns", status->driver_ns, "global", status->global, "local",
                  status->local, "from", status->from, "reason", status->reason, "last", date);
    if (row != NULL) /* else a name that is no UTF-8 */
        json_array_append_new(list->rows, row);
}

static void print_known_time(struct gp_text *out, double ns)
{
    char text[GP_TIME_TEXT];
    gp_text_printf(out, " %11s", ns > 0 ? gp_time_text(ns, text) : "-");
}

static void add_text(struct listing *list, const struct gp_kernel_status *status)
{
    if (list->count == 0)
        gp_text_printf(list->out, "%-24s %9s %9s %11s %11s  %-14s %s\n", "kernel", "launches", "ours", "predicted",
                       "driver's", "global", "local");
    gp_text_printf(list->out, "%-24.60s %9llu %9llu", status->kernel, (unsigned long long)status->launches,
                   (unsigned long long)status->chosen);
    print_known_time(list->out, status->ns);
    print_known_time(list->out, status->driver_ns);
    gp_text_printf(list->out, "  %-14s %s\n", status->global, status->local);
    gp_text_printf(list->out, "    on %s; %s: %s\n", status->device, status->from[0] != '\0' ? status->from : "driver",
                   status->reason[0] != '\0' ? status->reason : "nothing was decided yet");
}

static void add(void *context, const struct gp_kernel_status *status, int64_t seconds)
{
    struct listing *list = context;
    if (list->rows != NULL)
        add_json(list, status, seconds);
    else
        add_text(list, status);
    list->count++;
}

/* Who asks does not make one. NULL: a sentence. */
static struct gp_cache *open_cache(struct gp_error *error)
{
    char folder[4096], file[4200];
    if (!gp_cache_folder(folder) || folder[0] == '\0') {
        gp_fail(error, "there is no cache: %s",
                getenv("GPUPERF_CACHE") != NULL ? "GPUPERF_CACHE is empty"
                                                : "HOME is not set; set GPUPERF_CACHE to its folder");
        return NULL;
    }
    snprintf(file, sizeof file, "%s/gpuperf.db", folder);
    if (access(file, F_OK) == 0)
        return gp_cache_open(folder, error);
    gp_fail(error, "%s is not there yet: run an OpenCL program with the layer first (docs/layer.md)", file);
    return NULL;
}

static bool list_all(bool json, struct gp_text *out, struct gp_error *error)
{
    struct gp_cache *cache = open_cache(error);
    if (cache == NULL)
        return false;
    struct listing list = {.out = out, .rows = json ? json_array() : NULL};
    gp_cache_statuses(cache, add, &list);
    gp_cache_close(cache);
    if (json)
        return gp_print_json(list.rows, out, error);
    if (list.count == 0)
        gp_text_printf(out, "No launch without a stated local size is recorded yet.\n");
    return true;
}

enum gp_status gp_status_command(const struct gp_command_line *line, struct gp_text *out, struct gp_error *error)
{
    bool json = line->count == 2 && strcmp(line->arguments[1], "--json") == 0;
    if (line->count > 1 && !json) {
        gp_fail(error, "'status' takes --json and nothing else, not '%.40s'", line->arguments[1]);
        return GP_STATUS_USAGE;
    }
    return list_all(json, out, error) ? GP_STATUS_OK : GP_STATUS_FAILED;
}
