/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The texture and read-only cache, by a chase through memory that a kernel only reads. Its hops hold an addition, which
 * another chase through memory that might be written to holds as well.
 */
#include <math.h>

#include "tools/calibrate/chains.h"

enum { LEAST = 1024, MOST = 256 << 10 };

static const struct gp_chain read_only = {256, 4, 64, false, "chase_read_only", 0, true},
                             offsets = {256, 4, 64, false, "chase_offsets", 0, true},
                             addresses = {256, 4, 64, false, "chase", 0, false};

static void say_neither(struct gp_calibration *c, const char *why)
{
    gp_not_identifiable(c, "tex_size", "%s", why);
    gp_not_identifiable(c, "tex_latency", "%s", why);
}

bool gp_probe_texture(struct gp_calibration *c, struct gp_error *error)
{
    struct gp_levels levels;
    double spread, plain, added, other;
    struct gp_curve *curve = gp_new_curve(c, "Chase through read-only memory", "bytes", "cycles a hop", true);
    if (c->target->is_cpu)
        return true;
    if (curve == NULL)
        return gp_fail(error, "too many curves");
    if (!gp_chase_sweep(c, &read_only, LEAST, MOST, curve, &spread, error) ||
        !gp_chase(c, LEAST / 256, &addresses, &plain, &other, error) ||
        !gp_chase(c, LEAST / 256, &offsets, &added, &other, error))
        return false;
    gp_read_levels(curve->x, curve->y, curve->count, GP_FLAT, &levels);
    gp_draw_levels(curve, &levels);
    double first = levels.count > 0 ? levels.levels[0].latency : 0;
    if (first == 0 || fabs(first / added - 1) < GP_FLAT - 1) {
        say_neither(c, "memory that is only read takes as long as other");
        return true;
    }
    gp_found(c, "tex_latency", first - (added - plain), spread, "chase through read-only memory, less an addition");
    if (levels.count > 1)
        gp_found(c, "tex_size", levels.levels[0].bytes, spread,
                 "where a chase through read-only memory begins to miss");
    else
        gp_not_identifiable(c, "tex_size", "%d KB that are only read show one level", MOST >> 10);
    return true;
}
