/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What it costs where the lanes of a warp are: lanes that go two ways through a branch; loads so many words apart, from
 * a word on that begins no line, in another order; and DRAM's bandwidth over resident warps.
 */
#include <math.h>

#include "tools/calibrate/calibration.h"
#include "tools/calibrate/readers.h"

enum { LOCAL = 256 };

/* ---- Divergence -------------------------------------------------------------------------------------------------- */

/* Every other `width` lanes go the other way: a warp goes both as long as it is wider. */
bool gp_probe_divergence(struct gp_calibration *c, struct gp_error *error)
{
    struct gp_curve *curve =
        gp_new_curve(c, "Two ways through a branch, every other lanes", "lanes", "cycles a turn", true);
    double x[8], y[8], spread, worst = 0;
    size_t count = 0;
    struct gp_run run = {.program = "places",
                         .kernel = "two_ways",
                         .groups = 1,
                         .local = LOCAL < c->target->most_local ? LOCAL : c->target->most_local,
                         .in_bytes = 4096,
                         .out_bytes = LOCAL * sizeof(float)};
    if (c->target->is_cpu)
        return true;
    for (run.other = 1; run.other <= 128; run.other *= 2, count++) {
        if (!gp_measure_turn(c, run, 4, 20, &y[count], &spread, error))
            return false;
        x[count] = run.other;
        worst = fmax(worst, spread);
        gp_add_point(curve, x[count], y[count]);
    }
    size_t last = count - 1, at = 0;
    while (at < last && y[at] > 0.75 * y[0])
        at++;
    bool steps = at > 0 && y[at] < 0.75 * y[0] && y[last] < 1.15 * y[at];
    if (steps)
        gp_found(c, "warp_width", x[at], worst, "from so many lanes on a branch's two ways cost one");
    else
        gp_not_identifiable(c, "warp_width", "a branch's two ways cost as much however many lanes go each");
    if (steps)
        gp_note(c, "divergence: a warp that goes both ways takes %.2f times as long", y[0] / y[at]);
    return true;
}

/* ---- Coalescing -------------------------------------------------------------------------------------------------- */

static bool read_places(struct gp_calibration *c, const char *kernel, int other, uint64_t apart, double *ns,
                        double *spread, struct gp_error *error)
{
    enum { COUNT = 4 };
    uint64_t groups = 8 * (uint64_t)c->target->units;
    uint32_t local = LOCAL < c->target->most_local ? LOCAL : c->target->most_local;
    uint64_t bytes = (groups * local * COUNT * apart + 64) * sizeof(float);
    if (bytes > c->target->most_bytes)
        groups = groups * c->target->most_bytes / (bytes + 1);
    struct gp_times times;
    struct gp_run run = {.program = "places",
                         .kernel = kernel,
                         .groups = groups,
                         .local = local,
                         .count = COUNT,
                         .other = other,
                         .in_bytes = (groups * local * COUNT * apart + 64) * sizeof(float),
                         .out_bytes = 64};
    if (!gp_measure(c, &run, &times, spread, error))
        return false;
    *ns = times.device / (double)(groups * local);
    return true;
}

/* What a warp moves grows with the distance of its lanes until each has a transaction of its own. */
static bool say_transaction(struct gp_calibration *c, double *whole, struct gp_error *error)
{
    struct gp_curve *curve =
        gp_new_curve(c, "Loads beyond caches, lanes so many words apart", "words apart", "ns of a work-item", true);
    double x[7], y[7], spread, worst = 0, at;
    size_t count = 0;
    for (int apart = 1; apart <= 64; apart *= 2, count++) {
        if (!read_places(c, "apart", apart, (uint64_t)apart, &y[count], &spread, error))
            return false;
        x[count] = apart;
        worst = fmax(worst, spread);
        gp_add_point(curve, x[count], y[count]);
    }
    *whole = y[0];
    if (gp_read_step(x, y, count, &at))
        gp_found(c, "l1_sector", at * sizeof(float), worst,
                 "lanes so far apart move no more if they are further apart");
    else
        gp_not_identifiable(c, "l1_sector", "lanes further apart always cost more");
    gp_note(c, "coalescing: a warp of lanes 64 words apart costs %.1f times one of neighbours", y[count - 1] / y[0]);
    return true;
}

bool gp_probe_coalescing(struct gp_calibration *c, struct gp_error *error)
{
    double whole, off, turned, spread;
    if (c->target->is_cpu)
        return true;
    if (!say_transaction(c, &whole, error) || !read_places(c, "from", 1, 1, &off, &spread, error) ||
        !read_places(c, "turned", 1, 1, &turned, &spread, error))
        return false;
    gp_note(c, "coalescing: from the second word of a line on %.2f times; neighbours in turned order %.2f times",
            off / whole, turned / whole);
    return true;
}

/* ---- DRAM's knee ------------------------------------------------------------------------------------------------- */

/*
 * A batch of loads of all resident warps takes (latency^k + transfer^k)^(1/k), of which transfer grows with the warps:
 * the exponent with which that is closest to the cycles of more and more warps. It is the throughput model's; the
 * simulation has queues.
 */
static bool fit(struct gp_calibration *c, struct gp_curve *curve, double transfer, struct gp_error *error)
{
    double latency, k, misfit;
    if (!gp_read_knee(curve->x, curve->y, curve->count, transfer, &latency, &k, &misfit)) {
        gp_not_identifiable(c, "dram_read_knee", "a group's warps are on one side of the knee alone");
        return true;
    }
    for (size_t i = 0; i < curve->count; i++)
        curve->fit[i] = pow(pow(latency, k) + pow(transfer * curve->x[i], k), 1 / k);
    if (c->target->known != NULL)
        gp_not_identifiable(c, "dram_read_knee", "the simulation has queues, which are like an exponent of %.3g", k);
    else
        gp_found(c, "dram_read_knee", k, misfit, "reads of more and more warps, %.0f cycles of latency", latency);
    return error->text[0] == '\0';
}

bool gp_probe_knee(struct gp_calibration *c, struct gp_error *error)
{
    enum { TURN = 64 /* bytes of a work-item */ };
    double gbps, spread;
    uint32_t most = c->target->most_local / c->target->warp;
    struct gp_curve *curve = gp_new_curve(c, "Reads over an SM's warps", "warps", "cycles of a batch", true);
    if (c->target->is_cpu || curve == NULL)
        return true;
    if (!gp_measure_reading(c, &gbps, &spread, error))
        return false;
    double each = gbps / c->target->units / (c->clock_mhz * 1e-3); /* bytes of an SM a cycle */
    for (uint32_t warps = 1; warps <= most; warps *= 2) {
        double cycles;
        uint32_t local = warps * c->target->warp;
        struct gp_run run = {.program = "memory",
                             .kernel = "read_stream",
                             .groups = c->target->units,
                             .local = local,
                             .in_bytes = (size_t)c->target->units * local * TURN * 10,
                             .out_bytes = 64,
                             .goes_on = true};
        if (!gp_measure_turn(c, run, 2, 10, &cycles, &spread, error)) {
            error->text[0] = '\0'; /* as many may want more registers than there are */
            break;
        }
        gp_add_point(curve, warps, cycles);
        gp_note(c, "knee: %2u warps of an SM read %.4g GB/s", warps,
                (double)c->target->units * local * TURN / cycles * c->clock_mhz * 1e-3);
    }
    return fit(c, curve, c->target->warp * TURN / each, error);
}
