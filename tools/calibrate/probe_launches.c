/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a launch costs, and what each of its groups. */
#include <math.h>

#include "tools/calibrate/calibration.h"
#include "tools/calibrate/readers.h"

/*
 * A launch that is waited for, or of many that are not the mean, whatever is less: where a driver's threads sleep until
 * a launch comes, waking them is no part of what a program pays that launches again and again.
 */
static bool say_launch(struct gp_calibration *c, const struct gp_run *run, struct gp_error *error)
{
    enum { MANY = 200 };
    struct gp_run many = *run;
    struct gp_times alone, mean;
    double spread, other;
    many.back_to_back = MANY;
    if (!gp_measure(c, run, &alone, &spread, error) ||
        (c->target->known == NULL && !gp_measure(c, &many, &mean, &other, error)))
        return false;
    if (c->target->known == NULL && mean.host < alone.host)
        gp_found(c, "launch_ns", mean.host, other, "kernels that do nothing, %d behind each other; one alone: %.0f",
                 MANY, alone.host);
    else
        gp_found(c, "launch_ns", alone.host - (c->target->known != NULL ? alone.device : 0), spread,
                 "a kernel that does nothing, from the call to its end");
    return true;
}

bool gp_probe_launches(struct gp_calibration *c, struct gp_error *error)
{
    struct gp_curve *curve = gp_new_curve(c, "Groups that do nothing", "groups", "us of the device", false);
    struct gp_run run = {.program = "group",
                         .kernel = "nothing",
                         .groups = c->target->units,
                         .local = c->target->warp > 1 ? c->target->warp : 64,
                         .in_bytes = 4096,
                         .out_bytes = 4096};
    struct gp_times times;
    double spread, worst = 0, slope;
    if (!say_launch(c, &run, error))
        return false;
    for (uint64_t each = 8; each <= 64; each += 8) {
        run.groups = each * c->target->units;
        if (!gp_measure(c, &run, &times, &spread, error))
            return false;
        gp_add_point(curve, (double)run.groups, times.device * 1e-3);
        worst = fmax(worst, spread);
    }
    if (curve == NULL || !gp_read_slope(curve->x, curve->y, curve->count, &slope))
        return gp_fail(error, "too many curves");
    for (size_t i = 0; i < curve->count; i++)
        curve->fit[i] = curve->y[0] + slope * (curve->x[i] - curve->x[0]);
    if (c->target->is_cpu)
        gp_found(c, "group_dispatch_clk", slope * c->clock_mhz * c->target->units, worst,
                 "groups that do nothing, each further one of a core");
    else
        gp_not_identifiable(c, "group_dispatch_clk", "an SM starts several groups side by side");
    return true;
}
