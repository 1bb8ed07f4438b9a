/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The device file of a calibration. What was found is `measured`, with how and how far repeats were apart. All else is
 * as the database has it for the device, or for the nearest one: with the origin and source that it has there, never as
 * measured. Rules fill again what rules had filled.
 */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compile/workdir.h"
#include "support/prefix.h"
#include "support/words.h"
#include "tools/calibrate/calibration.h"

static struct gp_device *base_of(const struct gp_calibration *c, struct gp_error *error)
{
    const char *directories = getenv("GPUPERF_HWDB");
    char target[16];
    if (c->target->known != NULL)
        return gp_device_load(c->target->known->name, directories, error);
    struct gp_device *base = gp_device_match(c->target->title, directories, error);
    if (base != NULL || error->text[0] != '\0')
        return base;
    if (c->target->is_cpu)
        return gp_device_load("pocl-cpu", directories, error);
    if (gp_target_in_name(c->target->title, target))
        return gp_device_load_nearest(target, directories, error);
    gp_fail(error,
            "%s is like no device of the database, so that its architecture and limits are not known; copy the nearest "
            "entry and put in what was measured",
            c->target->title);
    return NULL;
}

/* Within double quotes of YAML. */
static void append_quoted(struct gp_text *out, const char *text)
{
    gp_text_printf(out, "\"");
    for (; *text != '\0'; text++)
        gp_text_printf(out, "%c", *text == '"' || *text == '\\' || (unsigned char)*text < ' ' ? '\'' : *text);
    gp_text_printf(out, "\"");
}

/* The reader wants whole bytes, lines and so on. */
static double written(const char *unit, double value)
{
    static const char *const whole[] = {"B", "", "lines", "requests", "work-items", "pages"};
    return gp_is_one_of(unit, whole, sizeof whole / sizeof *whole) ? round(value) : value;
}

/* Shares of DRAM's peak. Where what streams reach takes the peak's place, they become shares of that. */
static double scale_of(const struct gp_calibration *c, const struct gp_device *base, const char *field)
{
    static const char *const shares[] = {"dram_apart_efficiency", "dram_streams_efficiency"};
    bool scaled = gp_is_one_of(field, shares, sizeof shares / sizeof *shares) && gp_finding_of(c, "dram_gbps") != NULL;
    return scaled ? 1 / fmax(base->dram_efficiency.value, base->dram_read_efficiency.value) : 1;
}

static void write_kept(const struct gp_number *kept, const char *field, double scale, struct gp_text *out)
{
    struct gp_text source = {0};
    gp_text_printf(&source, "%s%s", kept->source, scale != 1 ? "; as a share of what streams reach" : "");
    gp_text_printf(out, "%s: {value: %.17g, from: %s, source: ", field,
                   scale == 1 ? kept->value : fmin(1, scale * kept->value), gp_origin_name(kept->origin));
    append_quoted(out, source.data);
    gp_text_printf(out, "}\n");
    gp_text_free(&source);
}

static void write_number(const struct gp_calibration *c, const struct gp_device *device, const char *field,
                         const char *unit, const struct gp_number *base, struct gp_text *out)
{
    const struct gp_finding *found = gp_finding_of(c, field);
    char source[320];
    if (found != NULL && found->told) {
        gp_text_printf(out, "%s: {value: %.6g, from: vendor, source: \"%s\"}\n", field, found->value, found->how);
    } else if (found != NULL) {
        snprintf(source, sizeof source, "gpuperf calibrate on %.60s: %s; off by %.0f%% at most", c->target->title,
                 found->how, ceil(100 * found->spread));
        gp_text_printf(out, "%s: {value: %.10g, from: measured, source: ", field, written(unit, found->value));
        append_quoted(out, source);
        gp_text_printf(out, "}\n");
    } else if (base->source == NULL || gp_starts_with(base->source, "rule:")) {
        gp_text_printf(out, "%s: unknown\n", field);
    } else {
        write_kept(base, field, scale_of(c, device, field), out);
    }
}

static void write_head(const struct gp_calibration *c, const char *name, const struct gp_device *base,
                       struct gp_text *out)
{
    gp_text_printf(out,
                   "# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n"
                   "# Measured by `gpuperf calibrate`; what is not, is as in the database's %s.\n"
                   "name: %s\ntitle: ",
                   base->name, name);
    append_quoted(out, c->target->title);
    gp_text_printf(out, "\narch: %s\ncompute_capability: %u\n", gp_arch_name(base->arch), base->compute_capability);
    gp_text_printf(out, "triple: \"%s\"\ncpu: \"%s\"\nproxy_target: %s\nmatches: [", base->triple, base->cpu,
                   base->proxy_target ? "true" : "false");
    append_quoted(out, c->target->title);
    gp_text_printf(out, "]\n\n");
}

/* The reader is asked, so that no file is left that it does not take. It wants the file to be called as the device is.
 */
static bool is_readable(const char *name, const struct gp_text *text, struct gp_error *error)
{
    struct gp_workdir folder;
    char path[PATH_MAX];
    if (!gp_workdir_make(&folder, getenv("TMPDIR") != NULL ? getenv("TMPDIR") : "", error))
        return false;
    snprintf(path, sizeof path, "%s/%s.yaml", folder.path, name);
    bool written = gp_write_file(path, text->data, text->length);
    struct gp_device *device = written ? gp_device_load_file(path, error) : NULL;
    gp_workdir_remove(&folder);
    bool readable = device != NULL;
    gp_device_free(device);
    return readable || (written ? gp_fail_within(error, "what was measured is no device")
                                : gp_fail(error, "cannot write %s", path));
}

bool gp_write_entry(const struct gp_calibration *c, const char *name, struct gp_text *out, struct gp_error *error)
{
    error->text[0] = '\0';
    struct gp_device *base = base_of(c, error);
    if (base == NULL)
        return false;
    write_head(c, name, base, out);
#define X(field, unit, meaning) write_number(c, base, #field, unit, &base->field, out);
    GP_DEVICE_NUMBERS(X)
#undef X
    gp_device_free(base);
    return is_readable(name, out, error);
}
