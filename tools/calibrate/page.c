/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The page of plots: one file that loads nothing from elsewhere. Its data stand in it as JSON. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>

#include "tools/calibrate/calibration.h"

extern const char gp_calibrate_page_begin[], gp_calibrate_page_end[];

static json_t *real_or_null(double x) { return isfinite(x) ? json_real(x) : json_null(); }

static json_t *finding_object(const struct gp_calibration *c, const struct gp_finding *f)
{
    static const char *const verdicts[] = {
        [GP_FOUND] = "found", [GP_NOT_IDENTIFIABLE] = "not identifiable", [GP_NOT_TRUSTED] = "not trusted"};
    const struct gp_number *entry =
        c->target->known != NULL ? gp_device_number(c->target->known, f->field, NULL) : NULL;
    return json_pack("{s:s, s:s, s:o, s:o, s:f, s:s}", "field", f->field, "verdict", verdicts[f->verdict], "value",
                     real_or_null(f->value), "entry", entry != NULL ? json_real(entry->value) : json_null(), "spread",
                     isfinite(f->spread) ? f->spread : 1.0, "how", f->how);
}

static json_t *curve_object(const struct gp_curve *curve)
{
    json_t *points = json_array();
    for (size_t i = 0; i < curve->count; i++)
        json_array_append_new(points, json_pack("{s:o, s:o, s:o}", "x", real_or_null(curve->x[i]), "y",
                                                real_or_null(curve->y[i]), "fit", real_or_null(curve->fit[i])));
    return json_pack("{s:s, s:s, s:s, s:b, s:o}", "title", curve->title, "x_label", curve->x_label, "y_label",
                     curve->y_label, "log_x", curve->log_x, "points", points);
}

/* Within a script element: no "<" stands in it. */
static void append_json(json_t *object, struct gp_text *out)
{
    char *text = json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(8));
    for (const char *at = text; at != NULL && *at != '\0'; at++)
        gp_text_append(out, *at == '<' ? "\\u003c" : at, *at == '<' ? 6 : 1);
    out->failed |= text == NULL;
    free(text);
}

bool gp_print_plots(const struct gp_calibration *c, struct gp_text *out, struct gp_error *error)
{
    json_t *findings = json_array(), *curves = json_array();
    for (size_t i = 0; i < c->finding_count; i++)
        json_array_append_new(findings, finding_object(c, &c->findings[i]));
    for (size_t i = 0; i < c->curve_count; i++)
        json_array_append_new(curves, curve_object(&c->curves[i]));
    json_t *object = json_pack("{s:s, s:i, s:o, s:o}", "title", c->target->title, "launches", (int)c->launches,
                               "findings", findings, "curves", curves);
    gp_text_printf(out, "%s", gp_calibrate_page_begin);
    append_json(object, out);
    gp_text_printf(out, "%s", gp_calibrate_page_end);
    json_decref(object);
    return !out->failed || gp_fail(error, "out of memory");
}
