/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Tables for a comment or a page: one for each kernel on each device, and one for an overview. */
#include <stdio.h>

#include "report/report_json.h"
#include "tools/output/printer.h"

static void print_cell(const char *text, struct gp_text *out)
{
    for (; *text != '\0'; text++)
        gp_text_printf(out, *text == '|' ? "\\|" : *text == '\n' ? " " : "%c", *text);
}

static void print_columns(const struct gp_printer *printer, const struct gp_result *result, struct gp_text *out)
{
    const struct gp_axes *axes = result->axes;
    gp_text_printf(out, printer->settings->overview ? "| kernel | device | " : "| ");
    for (size_t i = 0; i < axes->count; i++)
        if (gp_axis_is_varied(&axes->list[i]))
            gp_text_printf(out, "%s | ", axes->list[i].name);
    gp_text_printf(out, "%s | time | occupancy | limiter | confidence |\n", gp_local_word(result));
    gp_text_printf(out, printer->settings->overview ? "| --- | --- | " : "| ");
    for (size_t i = 0; i < axes->count; i++)
        if (gp_axis_is_varied(&axes->list[i]))
            gp_text_printf(out, "---: | ");
    gp_text_printf(out, "--- | ---: | ---: | --- | ---: |\n");
}

static void print_heading(const struct gp_printer *printer, const struct gp_result *result, struct gp_text *out)
{
    char launch[4096];
    gp_text_printf(out, "%s### ", printer->count > 0 ? "\n" : "");
    gp_print_title(result, out);
    gp_print_launch(result, launch, sizeof launch);
    gp_text_printf(out, "\n%s%s\n\n", launch, printer->combinations > 1 ? " first" : "");
}

static void print_row(const struct gp_printer *printer, const struct gp_result *result, const struct gp_prediction *p,
                      struct gp_text *out)
{
    const struct gp_axes *axes = result->axes;
    char local[GP_SIZES_TEXT], time[GP_TIME_TEXT];
    gp_text_printf(out, "| ");
    if (printer->settings->overview) {
        gp_text_printf(out, "`");
        print_cell(result->kernel->name, out);
        gp_text_printf(out, "` | %s | ", result->device->name);
    }
    for (size_t i = 0; i < axes->count; i++)
        if (gp_axis_is_varied(&axes->list[i]))
            gp_text_printf(out, "%s | ", gp_axes_value(axes, i, result->combination));
    gp_text_printf(out, "%s%s%s | %s%s | %.0f%% | %s | %.0f%% |\n", p->rank == 1 ? "**" : "",
                   gp_sizes_text(p->dims, p->local, local), p->rank == 1 ? "**" : "", p->endless > 0 ? "at least " : "",
                   gp_time_text(p->time_ns, time), p->occupancy * 100, gp_limit_told(p), p->confidence * 100);
}

void gp_markdown_add(struct gp_printer *printer, const struct gp_result *result, struct gp_text *out)
{
    bool other = printer->kernel != result->kernel || printer->device != result->device;
    if (other && !printer->settings->overview)
        print_heading(printer, result, out);
    if (printer->settings->overview ? printer->count == 0 : other)
        print_columns(printer, result, out);
    for (size_t i = 0; i < result->shown; i++)
        print_row(printer, result, &result->predictions[i], out);
    if (!printer->settings->overview && printer->combinations == 1 && result->shown < result->count)
        gp_text_printf(out, "\n%zu others are not shown.\n", result->count - result->shown);
}
