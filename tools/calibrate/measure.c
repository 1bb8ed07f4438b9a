/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Times that can be trusted: of a real device's repeats the lower quartile, since others who use the machine only add;
 * of a simulated one's the median; and how far these may be off: the middle half's spread over the root of their
 * number. A first launch that warms up is not counted. A machine that others use shows as a spread: the number is then
 * not trusted.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tools/calibrate/calibration.h"
#include "tools/calibrate/readers.h"

static const double TRUSTED = 0.1; /* of a number, how far its median may be off */

bool gp_measure(struct gp_calibration *c, const struct gp_run *what, struct gp_times *times, double *spread,
                struct gp_error *error)
{
    enum { MOST = 32 };
    const double LONG = 2e8; /* ns of the host */
    double device[MOST], host[MOST], device_spread, host_spread, sum = 0;
    unsigned count = 0, least = c->repeats < 3 ? c->repeats : 3;
    struct gp_times once;
    struct gp_run run = *what;
    if (c->target->known == NULL && !c->target->time(c->target, &run, &once, error))
        return false;
    for (; count < c->repeats && count < MOST && (count < least || sum < LONG); count++) {
        run.again = count > 0;
        if (!c->target->time(c->target, &run, &once, error))
            return false;
        device[count] = once.device;
        host[count] = once.host;
        sum += once.host;
    }
    times->device = gp_median(device, count, &device_spread);
    times->host = gp_median(host, count, &host_spread);
    if (c->target->known == NULL) { /* others only add */
        times->device = device[(count - 1) / 4];
        times->host = host[(count - 1) / 4];
    }
    c->launches += count;
    *spread = count > 2 ? device_spread / sqrt(count) : 0; /* about that of the median */
    return true;
}

/* Two launches that differ in turns of the loop alone: ns that those take, and how far they may be off. */
static bool measure_turns(struct gp_calibration *c, struct gp_run *run, int32_t few, int32_t many, double *ns,
                          double *off, struct gp_error *error)
{
    struct gp_times first, second;
    double first_spread, second_spread;
    run->count = few;
    if (!gp_measure(c, run, &first, &first_spread, error))
        return false;
    run->count = many;
    if (!gp_measure(c, run, &second, &second_spread, error))
        return false;
    *ns = second.device - first.device;
    *off = (second_spread * second.device + first_spread * first.device) / 2;
    return true;
}

/* A clock that ticks now and then says the same of all repeats, and that may be wrong: there are turns enough for a
 * hundred ticks, unless what they read would end. */
bool gp_measure_turn(struct gp_calibration *c, struct gp_run run, int32_t few, int32_t many, double *cycles,
                     double *spread, struct gp_error *error)
{
    const double TICKS = 100, MOST_TURNS = 1 << 24;
    double ns, off, tick = c->target->tick_ns;
    if (!measure_turns(c, &run, few, many, &ns, &off, error))
        return false;
    double more = ceil(fmin(TICKS * tick / fmax(ns, tick), MOST_TURNS / many));
    if (more > 1 && !run.goes_on) {
        few *= (int32_t)more;
        many *= (int32_t)more;
        if (!measure_turns(c, &run, few, many, &ns, &off, error))
            return false;
    }
    *cycles = ns / (many - few) * c->clock_mhz * 1e-3;
    *spread = (off + tick / 2) / fmax(1e-9, fabs(ns));
    return true;
}

static struct gp_finding *new_finding(struct gp_calibration *c, const char *field)
{
    for (size_t i = 0; i < c->finding_count; i++)
        if (strcmp(c->findings[i].field, field) == 0)
            return &c->findings[i];
    return &c->findings[c->finding_count < GP_MOST_FINDINGS ? c->finding_count++ : GP_MOST_FINDINGS - 1];
}

void gp_found(struct gp_calibration *c, const char *field, double value, double spread, const char *how, ...)
{
    struct gp_finding *f = new_finding(c, field);
    va_list list;
    *f = (struct gp_finding){.field = field, .value = value, .spread = spread};
    va_start(list, how);
    vsnprintf(f->how, sizeof f->how, how, list);
    va_end(list);
    if (!(value > 0) || !isfinite(value)) {
        f->verdict = GP_NOT_IDENTIFIABLE;
        snprintf(f->how, sizeof f->how, "no difference between two times");
    } else if (spread > TRUSTED) {
        f->verdict = GP_NOT_TRUSTED;
    }
}

void gp_found_choice(struct gp_calibration *c, const char *field, int value, const char *how, ...)
{
    struct gp_finding *f = new_finding(c, field);
    va_list list;
    *f = (struct gp_finding){.field = field, .value = value};
    va_start(list, how);
    vsnprintf(f->how, sizeof f->how, how, list);
    va_end(list);
}

void gp_told(struct gp_calibration *c, const char *field, double value)
{
    struct gp_finding *f = new_finding(c, field);
    *f = (struct gp_finding){.field = field, .value = value, .told = true};
    snprintf(f->how, sizeof f->how, "the %s driver says so", c->target->driver);
}

void gp_not_identifiable(struct gp_calibration *c, const char *field, const char *why, ...)
{
    struct gp_finding *f = new_finding(c, field);
    va_list list;
    *f = (struct gp_finding){.field = field, .verdict = GP_NOT_IDENTIFIABLE};
    va_start(list, why);
    vsnprintf(f->how, sizeof f->how, why, list);
    va_end(list);
}

void gp_note(struct gp_calibration *c, const char *format, ...)
{
    char line[256];
    va_list list;
    va_start(list, format);
    vsnprintf(line, sizeof line, format, list);
    va_end(list);
    gp_text_printf(&c->notes, "%s\n", line);
}

const struct gp_finding *gp_finding_of(const struct gp_calibration *c, const char *field)
{
    for (size_t i = 0; i < c->finding_count; i++)
        if (strcmp(c->findings[i].field, field) == 0 && c->findings[i].verdict == GP_FOUND)
            return &c->findings[i];
    return NULL;
}

struct gp_curve *gp_new_curve(struct gp_calibration *c, const char *title, const char *x_label, const char *y_label,
                              bool log_x)
{
    if (c->curve_count == GP_MOST_CURVES)
        return NULL;
    struct gp_curve *curve = &c->curves[c->curve_count++];
    *curve = (struct gp_curve){.log_x = log_x};
    snprintf(curve->title, sizeof curve->title, "%s", title);
    snprintf(curve->x_label, sizeof curve->x_label, "%s", x_label);
    snprintf(curve->y_label, sizeof curve->y_label, "%s", y_label);
    return curve;
}

void gp_add_point(struct gp_curve *curve, double x, double y)
{
    if (curve == NULL || curve->count == GP_MOST_POINTS)
        return;
    curve->x[curve->count] = x;
    curve->y[curve->count] = y;
    curve->fit[curve->count++] = NAN;
}
