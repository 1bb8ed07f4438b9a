/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What work-groups have of their own: local memory's latency and banks, barriers; atomics. */
#include <math.h>

#include "tools/calibrate/calibration.h"
#include "tools/calibrate/readers.h"

static struct gp_run run_of(const struct gp_calibration *c, const char *kernel, uint64_t groups, uint32_t local)
{
    return (struct gp_run){.program = "group",
                           .kernel = kernel,
                           .groups = groups,
                           .local = local < c->target->most_local ? local : c->target->most_local,
                           .in_bytes = 4096,
                           .out_bytes = (size_t)groups * local * 8 + 4096};
}

static bool say_latency(struct gp_calibration *c, struct gp_error *error)
{
    enum { UNROLLED = 8 };
    struct gp_run run = run_of(c, "chase_local", 1, 1);
    double cycles, spread;
    run.program = "chase";
    run.other = 33;
    if (!gp_measure_turn(c, run, 16, 144, &cycles, &spread, error))
        return false;
    gp_found(c, "smem_latency", cycles / UNROLLED, spread, "pointer chase in local memory");
    return true;
}

/* Cycles of a warp's load over its stride: as many passes as lanes meet in a bank. */
static bool say_banks(struct gp_calibration *c, struct gp_error *error)
{
    enum { LOADS = 16, LANES = 32 };
    struct gp_curve *curve =
        gp_new_curve(c, "Local memory: words between lanes", "stride, words", "cycles a load", true);
    double spread, worst = 0, banks;
    struct gp_run run = run_of(c, "banks", 1, LANES);
    for (run.other = 1; run.other <= 64; run.other *= 2) {
        double cycles;
        if (!gp_measure_turn(c, run, 4, 20, &cycles, &spread, error))
            return false;
        gp_add_point(curve, run.other, cycles / LOADS);
        worst = fmax(worst, spread);
    }
    if (curve != NULL && gp_read_step(curve->x, curve->y, curve->count, &banks))
        gp_found(c, "smem_banks", banks, worst, "the stride at which all lanes meet in one bank");
    else
        gp_not_identifiable(c, "smem_banks", "no stride is the first at which conflicts are worst");
    return true;
}

/* A barrier takes its latency and what its warps need to arrive: a line over warps. A CPU's:
 * probe_core.c. */
static bool say_barrier(struct gp_calibration *c, struct gp_error *error)
{
    enum { BARRIERS = 32 };
    struct gp_curve *curve = gp_new_curve(c, "Barriers over a group's warps", "warps", "cycles a barrier", false);
    double worst = 0, slope;
    uint32_t warp = c->target->warp;
    for (uint32_t warps = 2; warps <= 8; warps += 2) {
        double cycles, spread;
        if (!gp_measure_turn(c, run_of(c, "barriers", 1, warps * warp), 2, 10, &cycles, &spread, error))
            return false;
        gp_add_point(curve, warps, cycles / BARRIERS);
        worst = fmax(worst, spread);
    }
    if (curve == NULL || !gp_read_slope(curve->x, curve->y, curve->count, &slope))
        return gp_fail(error, "too many curves");
    double latency[GP_MOST_POINTS];
    for (size_t i = 0; i < curve->count; i++)
        latency[i] = curve->y[i] - slope * curve->x[i];
    gp_found(c, "barrier_latency", gp_median(latency, curve->count, NULL), worst, "barriers in a loop, for no warp");
    return true;
}

/* What a further lane on the same word costs: of a whole warp over half of one. */
static bool say_atomic(struct gp_calibration *c, const char *kernel, const char *field, struct gp_error *error)
{
    double whole, half, spread, other;
    uint32_t warp = c->target->is_cpu ? 64 : c->target->warp;
    if (!gp_measure_turn(c, run_of(c, kernel, 1, warp), 8, 72, &whole, &spread, error) ||
        !gp_measure_turn(c, run_of(c, kernel, 1, warp / 2), 8, 72, &half, &other, error))
        return false;
    gp_found(c, field, (whole - half) / (warp / 2.0), fmax(spread, other),
             "exchanges of one word: a warp's over half a warp's");
    return true;
}

bool gp_probe_groups(struct gp_calibration *c, struct gp_error *error)
{
    return say_latency(c, error) && (c->target->is_cpu || say_banks(c, error)) &&
           (c->target->is_cpu || say_barrier(c, error)) &&
           say_atomic(c, "atomics_global", "atomic_global_clk", error) &&
           say_atomic(c, "atomics_local", "atomic_local_clk", error);
}
