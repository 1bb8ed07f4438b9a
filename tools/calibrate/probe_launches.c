/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a launch costs, and what each of its groups. */
#include <math.h>

#include "tools/calibrate/calibration.h"
#include "tools/calibrate/readers.h"

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
    if (!gp_measure(c, &run, &times, &spread, error))
        return false;
    gp_found(c, "launch_ns", times.host - (c->target->known != NULL ? times.device : 0), spread,
             "a kernel that does nothing, from the call to its end");
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
