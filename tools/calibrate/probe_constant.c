/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Constant memory, by pointer chases (Wang et al., section 4.A.2). What a miss fetches is the stride from which on each
 * hop of a range that no constant cache holds is a miss.
 */
#include <math.h>
#include <string.h>

#include "tools/calibrate/chains.h"

enum { LINE = 64, MOST = 64 << 10 /* bytes that constant memory has */ };

/* Cycles a hop over the distance of its words, in order through a range. */
static bool find_fetch(struct gp_calibration *c, double *fetch, double *spread, struct gp_error *error)
{
    struct gp_curve *curve =
        gp_new_curve(c, "Constant memory: words of a chain apart", "bytes apart", "cycles a hop", true);
    *spread = 0;
    for (size_t apart = 8; apart <= 512; apart *= 2) {
        const struct gp_chain runs = {512, 512 / apart, apart, false, "chase_constant", 64, false};
        double latency, one;
        if (!gp_chase(c, MOST / 512, &runs, &latency, &one, error))
            return false;
        gp_add_point(curve, (double)apart, latency);
        *spread = fmax(*spread, one);
    }
    return curve != NULL && gp_read_step(curve->x, curve->y, curve->count, fetch);
}

static bool sweep(struct gp_calibration *c, struct gp_levels *levels, double *spread, struct gp_error *error)
{
    const struct gp_chain chain = {LINE, 1, 0, false, "chase_constant", 64, false};
    struct gp_curve *curve = gp_new_curve(c, "Pointer chase in constant memory", "bytes", "cycles a hop", true);
    if (curve == NULL)
        return gp_fail(error, "too many curves");
    if (!gp_chase_sweep(c, &chain, 512, MOST, curve, spread, error))
        return false;
    gp_read_levels(curve->x, curve->y, curve->count, GP_FLAT, levels);
    gp_draw_levels(curve, levels);
    return true;
}

bool gp_probe_constant(struct gp_calibration *c, struct gp_error *error)
{
    struct gp_levels levels;
    double spread, other, fetch = 0;
    if (c->target->is_cpu)
        return true; /* has no memory of its own for constants */
    if (!sweep(c, &levels, &spread, error))
        return false;
    if (levels.count > 0)
        gp_found(c, "const_latency", levels.levels[0].latency, spread, "pointer chase in constant memory");
    else
        gp_not_identifiable(c, "const_latency", "no plateau is seen");
    bool fetched = levels.count > 1 && find_fetch(c, &fetch, &other, error);
    if (levels.count < 2)
        gp_not_identifiable(c, "const_size", "64 KB of constants show one level only");
    else if (!fetched)
        gp_not_identifiable(c, "const_size", "what a miss fetches is not seen");
    else if (fetch > LINE)
        gp_not_identifiable(c, "const_size", "a miss fetches %.0f bytes, more than the chain's words are apart", fetch);
    else
        gp_found(c, "const_size", levels.levels[0].bytes, spread, "where constants begin to miss");
    if (fetched)
        gp_not_identifiable(c, "const_line", "a miss fetches %.0f bytes, of a line that may be longer", fetch);
    else
        gp_not_identifiable(c, "const_line", "strides do not show what a miss fetches");
    gp_not_identifiable(c, "const_ways", "how addresses choose a set is not known");
    return error->text[0] == '\0';
}
