/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What came back of a simulated entry: each number within a tenth of what went in, a line exactly. dram_gbps is what
 * streams reach, so that the entry's is taken times its share; the shares themselves say nothing alone.
 */
#include <math.h>
#include <string.h>

#include "support/prefix.h"
#include "tools/calibrate/calibration.h"

static bool is_share(const char *field)
{
    return gp_starts_with(field, "dram_") && strstr(field, "efficiency") != NULL;
}

/* How far off, as a share of what went in. */
static double off(const struct gp_calibration *c, const struct gp_finding *f)
{
    const struct gp_device *d = c->target->known;
    double entry = gp_device_number(d, f->field, NULL)->value;
    if (strcmp(f->field, "dram_gbps") == 0)
        entry *= d->dram_efficiency.value;
    return fabs(f->value - entry) / fmax(fabs(entry), 1e-9);
}

void gp_print_round_trip(const struct gp_calibration *c, struct gp_text *out)
{
    static const double CLOSE = 0.1;
    struct gp_text back = {0}, astray = {0}, none = {0};
    for (size_t i = 0; i < c->finding_count; i++) {
        const struct gp_finding *f = &c->findings[i];
        if (is_share(f->field) || gp_device_number(c->target->known, f->field, NULL) == NULL)
            continue;
        if (f->verdict != GP_FOUND)
            gp_text_printf(&none, " %s", f->field);
        else if (off(c, f) <= (strstr(f->field, "_line") != NULL ? 0 : CLOSE))
            gp_text_printf(&back, " %s", f->field);
        else
            gp_text_printf(&astray, " %s (%.0f%%)", f->field, 100 * off(c, f));
    }
    gp_text_printf(out, "came back:%s\noff:%s\nnot identifiable:%s\n", back.length > 0 ? back.data : " nothing",
                   astray.length > 0 ? astray.data : " nothing", none.length > 0 ? none.data : " nothing");
    gp_text_free(&back);
    gp_text_free(&astray);
    gp_text_free(&none);
}
