/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/output/printer.h"

#include "tools/command.h"
#include "tools/output/terminal.h"

void gp_printer_begin(struct gp_printer *printer, const struct gp_settings *settings, size_t combinations,
                      int name_width)
{
    *printer = (struct gp_printer){.settings = settings, .combinations = combinations, .name_width = name_width};
}

/* What is longer than the result of one launch is not held; one is, so that an error leaves standard output empty. */
static bool pass_on(const struct gp_printer *printer, struct gp_text *out, struct gp_error *error)
{
    enum { MUCH = 1 << 16 };
    return printer->combinations == 1 || out->length < MUCH || gp_print_now(out, error);
}

static void add_text(struct gp_printer *printer, const struct gp_result *result, struct gp_text *out)
{
    size_t from = out->length;
    if (printer->settings->overview)
        gp_overview_add(printer, result, out);
    else if (printer->combinations > 1)
        gp_sweep_add(printer, result, out);
    else
        gp_print_result(result, out);
    gp_dress(out, from, gp_colours(printer->settings->colour), gp_terminal_width());
}

static bool add(struct gp_printer *printer, const struct gp_result *result, struct gp_text *out)
{
    switch (printer->settings->format) {
    case GP_PRINTS_ARRAY: return gp_array_add(printer, result, out);
    case GP_PRINTS_DOCUMENT: return gp_document_add(printer, result, out);
    case GP_PRINTS_CSV:
        if (printer->count == 0)
            gp_csv_head(result->axes, out);
        gp_csv_add(result, out);
        return true;
    case GP_PRINTS_MARKDOWN: gp_markdown_add(printer, result, out); return true;
    default: add_text(printer, result, out); return true;
    }
}

/* How many of a launch's local sizes are printed: those asked for; of an overview, and of many launches as text, the
 * best. */
static size_t shown_of(const struct gp_printer *printer, size_t count)
{
    const struct gp_settings *settings = printer->settings;
    bool text = settings->format == GP_PRINTS_TEXT || settings->format == GP_PRINTS_MARKDOWN;
    size_t top = settings->top > 0                                           ? settings->top
                 : settings->overview || (text && printer->combinations > 1) ? 1
                                                                             : count;
    return top < count ? top : count;
}

bool gp_printer_add(struct gp_printer *printer, const struct gp_result *result, struct gp_text *out,
                    struct gp_error *error)
{
    struct gp_result cut = *result;
    cut.shown = shown_of(printer, result->count);
    bool done = add(printer, &cut, out) || gp_fail(error, "out of memory");
    printer->count++;
    printer->kernel = result->kernel;
    printer->device = result->device;
    return done && pass_on(printer, out, error);
}

bool gp_printer_end(struct gp_printer *printer, struct gp_text *out, struct gp_error *error)
{
    if (printer->settings->format == GP_PRINTS_ARRAY)
        gp_array_end(out);
    return printer->settings->format != GP_PRINTS_DOCUMENT || gp_document_end(printer, out) ||
           gp_fail(error, "out of memory");
}

void gp_printer_free(struct gp_printer *printer)
{
    json_decref(printer->devices);
    json_decref(printer->launches);
    json_decref(printer->findings);
}
