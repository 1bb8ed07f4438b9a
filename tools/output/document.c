/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * {"schema": "gpuperf/1", "version", "predictions", "devices", "launches", "findings"}. Predictions are printed as they
 * come; of devices, kernels and findings there are few, whatever the number of combinations: a finding is kept once for
 * each place, cause, kernel and device, from the launch that it costs most.
 */
#include <string.h>

#include "model/assume/describe.h"
#include "report/json_string.h"
#include "tools/check/gate.h"
#include "tools/output/assumptions.h"
#include "tools/output/json_rows.h"
#include "tools/output/printer.h"

static void begin(struct gp_printer *printer, struct gp_text *out)
{
    printer->devices = json_object();
    printer->launches = json_array();
    printer->findings = json_object();
    gp_text_printf(out, "{\n  \"schema\": \"gpuperf/1\",\n  \"version\": \"" GPUPERF_COMMAND_VERSION
                        "\",\n  \"predictions\": [\n");
}

static void add_device(struct gp_printer *printer, const struct gp_result *result)
{
    const struct gp_device *device = result->device;
    json_t *object = json_pack("{s:o,s:o,s:f}", "name", gp_json_string(device->name), "title",
                               gp_json_string(device->title), "clock_mhz", result->clock_mhz);
    if (device->nearest != NULL)
        json_object_set_new(object, "nearest_device", gp_json_string(device->nearest));
    json_object_set_new(printer->devices, device->name, object);
}

/* Of a compile target, what its boards take with the best local size. */
static json_t *boards_object(const struct gp_board_range *boards)
{
    return json_pack("{s:I,s:o,s:f,s:o,s:f}", "count", (json_int_t)boards->count, "fastest",
                     gp_json_string(boards->fastest), "fastest_ns", boards->fastest_ns, "slowest",
                     gp_json_string(boards->slowest), "slowest_ns", boards->slowest_ns);
}

static void add_launch(struct gp_printer *printer, const struct gp_result *result)
{
    char launch[4096];
    gp_print_launch(result, launch, sizeof launch);
    json_t *object = json_pack("{s:o,s:o,s:o,s:o}", "kernel", gp_json_string(result->kernel->name), "device",
                               gp_json_string(result->device->name), "launch", gp_json_string(launch), "assumptions",
                               gp_assumptions(result->kernel, result->launch));
    if (result->boards.count > 0)
        json_object_set_new(object, "boards", boards_object(&result->boards));
    if (printer->combinations > 1)
        json_object_set_new(object, "first_of", json_integer((json_int_t)printer->combinations));
    json_array_append_new(printer->launches, object);
}

/* Where it is found, and what. */
static void print_key(const json_t *row, const json_t *bottleneck, struct gp_text *key)
{
    gp_text_printf(key, "%s\n%s\n%s\n%s\n%.0f:%.0f", gp_json_word(row, "kernel"), gp_json_word(row, "device"),
                   gp_json_word(bottleneck, "cause"), gp_json_word(bottleneck, "file"),
                   gp_json_real(bottleneck, "line"), gp_json_real(bottleneck, "column"));
}

static void add_finding(struct gp_printer *printer, const json_t *row, const json_t *bottleneck)
{
    struct gp_text key = {0};
    print_key(row, bottleneck, &key);
    const json_t *known = json_object_get(printer->findings, key.data);
    if (known == NULL || gp_json_real(known, "share") < gp_json_real(bottleneck, "share")) {
        json_t *finding = json_deep_copy(bottleneck);
        json_object_set(finding, "kernel", json_object_get(row, "kernel"));
        json_object_set(finding, "device", json_object_get(row, "device"));
        json_object_set(finding, "local", json_object_get(row, "local"));
        json_object_set(finding, "launch", json_object_get(row, "launch"));
        json_object_set_new(printer->findings, key.data, finding);
    }
    gp_text_free(&key);
}

/* The best size's, of those that `check` would tell. */
static void add_findings(struct gp_printer *printer, const json_t *row)
{
    size_t index;
    json_t *bottleneck;
    json_array_foreach(json_object_get(row, "bottlenecks"), index, bottleneck)
    {
        if (gp_is_worth_telling(bottleneck))
            add_finding(printer, row, bottleneck);
    }
}

static json_t *document_row(const struct gp_printer *printer, const struct gp_result *result, size_t index,
                            const struct gp_combination *stated)
{
    char text[4096];
    json_t *row = gp_result_row(result, index, stated);
    json_object_set_new(row, "file", gp_json_string(printer->settings->file));
    gp_print_launch(result, text, sizeof text);
    json_object_set_new(row, "launch", gp_json_string(text));
    gp_launch_describe_assumed(result->kernel, result->launch, text, sizeof text);
    json_object_set_new(row, "assumed", gp_json_string(text));
    return row;
}

bool gp_document_add(struct gp_printer *printer, const struct gp_result *result, struct gp_text *out)
{
    struct gp_combination stated = {0};
    bool done = true;
    if (printer->count == 0)
        begin(printer, out);
    if (printer->kernel != result->kernel || printer->device != result->device) {
        add_device(printer, result);
        add_launch(printer, result);
    }
    gp_axes_choose(result->axes, result->combination, &stated);
    for (size_t i = 0; done && i < result->shown; i++) {
        json_t *row = document_row(printer, result, i, &stated);
        gp_text_printf(out, printer->count + i > 0 ? ",\n" : "");
        done = gp_append_indented(row, 4, out);
        if (i == 0)
            add_findings(printer, row);
        json_decref(row);
    }
    gp_combination_free(&stated);
    return done;
}

static json_t *values_of(json_t *object)
{
    json_t *array = json_array(), *value;
    const char *key;
    json_object_foreach(object, key, value) { json_array_append(array, value); }
    return array;
}

static bool add_section(const char *name, json_t *value, struct gp_text *out)
{
    struct gp_text text = {0};
    bool done = gp_append_indented(value, 2, &text);
    if (done) /* behind the indentation of its first line */
        gp_text_printf(out, ",\n  \"%s\": %s", name, text.data + 2);
    gp_text_free(&text);
    json_decref(value);
    return done;
}

bool gp_document_end(struct gp_printer *printer, struct gp_text *out)
{
    gp_text_printf(out, "\n  ]");
    bool done = add_section("devices", values_of(printer->devices), out) &&
                add_section("launches", json_incref(printer->launches), out) &&
                add_section("findings", values_of(printer->findings), out);
    gp_text_printf(out, "\n}\n");
    return done;
}
