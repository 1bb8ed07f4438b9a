/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Lashgar et al., section 3.3 and Figure 2: a kernel that copies data of 64 KB to 4 MB takes less time right after the
 * host's copy than after another copy has flushed L2. The gap stops growing where L2 does not hold the data any more,
 * or somewhat later, where something else than DRAM bounds a copy out of L2. What the gap is then tells as well: so
 * many bytes did not come from DRAM.
 */
#include <math.h>

#include "tools/calibrate/calibration.h"
#include "tools/calibrate/readers.h"

enum { LOCAL = 256, ELEMENT = 8, STEP = 64 << 10, POINTS = 64 };

static bool time_copy(struct gp_calibration *c, size_t bytes, enum gp_copied copied, double *ns, double *spread,
                      struct gp_error *error)
{
    struct gp_times times;
    struct gp_run run = {.program = "memory",
                         .kernel = "copy_elements",
                         .groups = bytes / ELEMENT / LOCAL,
                         .local = LOCAL,
                         .in_bytes = bytes,
                         .out_bytes = bytes,
                         .copied = copied};
    if (!gp_measure(c, &run, &times, spread, error))
        return false;
    *ns = times.device;
    return true;
}

/* The middle of the gaps behind the end. */
static double level_behind(const double *bytes, const double *gap, double end)
{
    double level[POINTS];
    size_t count = 0;
    for (size_t i = 0; i < POINTS; i++)
        if (bytes[i] > end)
            level[count++] = gap[i];
    return gp_median(level, count, NULL);
}

/* A flushed copy reads and writes each byte: half of its time is a byte's that is read. */
bool gp_probe_l2_copies(struct gp_calibration *c, struct gp_error *error)
{
    double bytes[POINTS], gap[POINTS], cold[POINTS], end, slope, worst = 0;
    struct gp_curve *curve = gp_new_curve(c, "Copies: what a flushed L2 costs", "bytes", "ns more", false);
    if (c->target->is_cpu) {
        gp_note(c, "Lashgar et al.'s L2 sizes are for GPUs: a CPU's host and device are one");
        return true;
    }
    struct gp_curve *times[2] = {
        gp_new_curve(c, "Copies of 8-byte elements right after the host's", "bytes", "ns", false),
        gp_new_curve(c, "Copies of 8-byte elements, L2 flushed", "bytes", "ns", false)};
    for (size_t i = 0; i < POINTS; i++) {
        double warm, flushed, one, other;
        bytes[i] = (double)((i + 1) * STEP);
        if (!time_copy(c, (i + 1) * STEP, GP_COPIED_DATA, &warm, &one, error) ||
            !time_copy(c, (i + 1) * STEP, GP_COPIED_OTHER, &flushed, &other, error))
            return false;
        gap[i] = flushed - warm;
        cold[i] = flushed;
        gp_add_point(times[0], bytes[i], warm);
        gp_add_point(times[1], bytes[i], flushed);
        worst = fmax(worst, fmax(one, other));
        gp_add_point(curve, bytes[i], gap[i]);
    }
    if (!gp_read_end(bytes, gap, POINTS, &end, &slope)) {
        gp_not_identifiable(c, "l2_size", "Lashgar et al.: the gap does not stop growing between 64 KB and 4 MB");
        return true;
    }
    for (size_t i = 0; curve != NULL && i < curve->count; i++)
        curve->fit[i] = slope * fmin(curve->x[i], end);
    double level = level_behind(bytes, gap, end), each;
    if (!gp_read_slope(bytes, cold, POINTS, &each))
        return gp_fail(error, "the clock is too coarse to tell what a further byte takes");
    gp_note(c, "Lashgar et al., Figure 2: the gap stops growing at %.0f KB (M2070 768, K20 1536) and is %.4g us then,",
            end / 1024, level * 1e-3);
    gp_note(c, "  in which DRAM moves %.0f KB", 2 * level / each / 1024);
    gp_not_identifiable(c, "l2_size", "copies tell its size within a third; a chase tells it");
    return true;
}
