/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Launches as lines of text: many combinations of one kernel on one device, or many kernels and devices. */
#include <stdio.h>
#include <string.h>

#include "tools/output/printer.h"

/* "n=64", "global 1024x1024" */
static void print_value(const struct gp_axis *axis, const char *value, struct gp_text *out)
{
    gp_text_printf(out, "%s%s%s", axis->name, axis->kind == GP_AXIS_ARGUMENT ? "=" : " ", value);
}

void gp_print_combination(const struct gp_axes *axes, size_t combination, struct gp_text *out)
{
    bool first = true;
    for (size_t i = 0; i < axes->count; i++) {
        if (!gp_axis_is_varied(&axes->list[i]))
            continue;
        gp_text_printf(out, "%s", first ? "" : ", ");
        print_value(&axes->list[i], gp_axes_value(axes, i, combination), out);
        first = false;
    }
}

static int width_of(const struct gp_axis *axis)
{
    size_t width = strlen(axis->name);
    for (size_t i = 0; i < axis->values.count; i++)
        if (strlen(axis->values.items[i]) > width)
            width = strlen(axis->values.items[i]);
    return (int)width;
}

static void print_varied_names(const struct gp_axes *axes, struct gp_text *out)
{
    for (size_t i = 0; i < axes->count; i++)
        if (gp_axis_is_varied(&axes->list[i]))
            gp_text_printf(out, " %*s", width_of(&axes->list[i]), axes->list[i].name);
}

static void print_varied(const struct gp_result *result, struct gp_text *out)
{
    const struct gp_axes *axes = result->axes;
    for (size_t i = 0; i < axes->count; i++)
        if (gp_axis_is_varied(&axes->list[i]))
            gp_text_printf(out, " %*s", width_of(&axes->list[i]), gp_axes_value(axes, i, result->combination));
}

/* "> 12.5 us" where a loop never ends. */
static void print_size_and_time(const struct gp_prediction *p, struct gp_text *out)
{
    char local[GP_SIZES_TEXT];
    gp_text_printf(out, "  %-9s%s", gp_sizes_text(p->dims, p->local, local), p->endless > 0 ? ">" : " ");
    gp_print_time(out, p->time_ns);
}

/* The first combination's launch tells what is assumed, too. */
static void print_head(const struct gp_result *result, struct gp_text *out)
{
    char launch[4096];
    gp_print_title(result, out);
    gp_print_launch(result, launch, sizeof launch);
    gp_text_printf(out, "  launch     %s first; the best %s %s of each combination\n\n", launch, gp_local_word(result),
                   result->shown > 1 ? "sizes" : "size");
    gp_text_printf(out, " ");
    print_varied_names(result->axes, out);
    gp_text_printf(out, "  %-5s             time  occupancy  limiter   confidence\n", gp_local_word(result));
}

static void print_row(const struct gp_result *result, const struct gp_prediction *p, struct gp_text *out)
{
    gp_text_printf(out, " ");
    print_varied(result, out);
    print_size_and_time(p, out);
    gp_text_printf(out, "%10.0f%%  %-8s %10.0f%%\n", p->occupancy * 100, gp_limit_told(p), p->confidence * 100);
}

void gp_sweep_add(struct gp_printer *printer, const struct gp_result *result, struct gp_text *out)
{
    if (printer->kernel != result->kernel || printer->device != result->device) {
        gp_text_printf(out, "%s", printer->count > 0 ? "\n" : "");
        print_head(result, out);
    }
    for (size_t i = 0; i < result->shown; i++)
        print_row(result, &result->predictions[i], out);
}

static void print_overview_row(const struct gp_printer *printer, const struct gp_result *result,
                               const struct gp_prediction *p, struct gp_text *out)
{
    gp_text_printf(out, "%-*s %-11s", printer->name_width, result->kernel->name, result->device->name);
    print_varied(result, out);
    print_size_and_time(p, out);
    gp_text_printf(out, "  %-8s %9.0f%%\n", gp_limit_told(p), p->confidence * 100);
    if (p->endless > 0) {
        char place[1024];
        gp_print_place(result->profile, result->kernel, result->kernel->loops[p->endless - 1].location, place,
                       sizeof place);
        gp_text_printf(out, "    the loop at %s never ends; the time is of the part that was followed\n", place);
    }
}

void gp_overview_add(struct gp_printer *printer, const struct gp_result *result, struct gp_text *out)
{
    if (printer->count == 0) {
        gp_text_printf(out, "%-*s %-11s", printer->name_width, "kernel", "device");
        print_varied_names(result->axes, out);
        gp_text_printf(out, "  %-5s             time  limiter   confidence\n", gp_local_word(result));
    }
    for (size_t i = 0; i < result->shown; i++)
        print_overview_row(printer, result, &result->predictions[i], out);
}
