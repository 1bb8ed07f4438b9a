/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Which resource limits the requests that an SM waits for, and how large it is: Lashgar et al., section 3. Latency of 1
 * to 4 loads over the threads of one group, whose lines neighbours share or not; where it jumps, a table is full, and
 * which one explains all jumps is the reading (tools/calibrate/outstanding.h).
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/calibrate/outstanding.h"
#include "tools/calibrate/calibration.h"

enum { POINTS = 512, CURVES = 6, LINE = 128 };
static const uint32_t patterns[CURVES][2] = {{1, 1}, {2, 1}, {3, 1}, {1, 2}, {2, 4}, {4, 8}}; /* loads, sharing */

struct measured {
    uint32_t threads[POINTS];
    double latency[POINTS];
    size_t count;
};

/* Cycles that the loads take: of the kernel less those of the one that makes their addresses. */
static bool point(struct gp_calibration *c, uint32_t loads, uint32_t sharing, uint32_t threads, double *latency,
                  double *spread, struct gp_error *error)
{
    char name[16];
    struct gp_times with, without;
    struct gp_run run = {.program = "outstanding",
                         .kernel = name,
                         .groups = 1,
                         .local = threads,
                         .other = (int32_t)sharing,
                         .in_bytes = (size_t)4 * threads * LINE,
                         .out_bytes = 4096 * sizeof(int),
                         .resident_data = true};
    snprintf(name, sizeof name, "loads_%u", loads);
    if (!gp_measure(c, &run, &with, spread, error))
        return false;
    snprintf(name, sizeof name, "only_%u", loads);
    if (!gp_measure(c, &run, &without, spread, error))
        return false;
    *latency = (with.device - without.device) * c->clock_mhz * 1e-3;
    return true;
}

static bool sweep(struct gp_calibration *c, uint32_t loads, uint32_t sharing, struct measured *m, double *spread,
                  struct gp_error *error)
{
    char title[80];
    snprintf(title, sizeof title, "Outstanding requests: %u loads, %u threads to a line", loads, sharing);
    struct gp_curve *curve = gp_new_curve(c, title, "threads", "cycles", false);
    uint32_t most = c->target->most_local < 1024 ? c->target->most_local : 1024;
    for (uint32_t threads = 2; threads <= most; threads += 2) {
        double one;
        if (!point(c, loads, sharing, threads, &m->latency[m->count], &one, error))
            return false;
        *spread = fmax(*spread, one);
        m->threads[m->count++] = threads;
        if (threads % 16 == 0)
            gp_add_point(curve, threads, m->latency[m->count - 1]);
    }
    return true;
}

static const char *const fields[GP_IN_FLIGHT_KINDS] = {
    [GP_IN_FLIGHT_LINES] = "mshr_entries", [GP_IN_FLIGHT_LANES] = "prt_lanes", [GP_IN_FLIGHT_WARPS] = "prt_entries"};

static bool explains(const struct gp_in_flight_reading *r) { return r->low <= r->high && r->misfit == 0; }

/* The one reading that explains all jumps of the curves, none of which it misses; else NULL. */
static const struct gp_in_flight_reading *only_reading(const struct gp_in_flight_reading readings[])
{
    const struct gp_in_flight_reading *found = NULL;
    for (size_t k = 0; k < GP_IN_FLIGHT_KINDS; k++)
        if (explains(&readings[k]) && (found == NULL || readings[k].missing < found->missing))
            found = &readings[k];
    for (size_t k = 0; k < GP_IN_FLIGHT_KINDS; k++)
        if (found != NULL && &readings[k] != found && explains(&readings[k]) && readings[k].missing == found->missing)
            return NULL;
    return found;
}

/* Of all curves; where nothing explains them, of all but one: what else limits loads (as many as one warp may wait for)
 * shows in single curves. */
static bool read_most(const struct gp_latency_curve *curves, uint32_t warp, struct gp_in_flight_reading *reading,
                      size_t *jumps)
{
    for (size_t left_out = CURVES + 1; left_out-- > 0;) {
        struct gp_latency_curve some[CURVES];
        struct gp_latency_spike spikes[CURVES];
        struct gp_in_flight_reading readings[GP_IN_FLIGHT_KINDS];
        size_t count = 0;
        for (size_t k = 0; k < CURVES; k++)
            if (k != left_out)
                some[count++] = curves[k];
        *jumps = gp_read_limits(some, count, warp, spikes, readings);
        const struct gp_in_flight_reading *only = only_reading(readings);
        if (*jumps == 0)
            return false;
        if (only != NULL) {
            *reading = *only;
            return true;
        }
    }
    return false;
}

static void say_reading(struct gp_calibration *c, const struct gp_in_flight_reading *reading, bool found, size_t jumps,
                        double spread)
{
    for (size_t k = 0; k < GP_IN_FLIGHT_KINDS; k++)
        if (found && k == (size_t)reading->kind)
            gp_found(c, fields[k], floor((reading->low + (double)reading->high) / 2), spread,
                     "Lashgar et al.: %s; %u to %u explain %zu jumps", gp_in_flight_kind_name(reading->kind),
                     reading->low, reading->high, jumps);
        else if (found)
            gp_not_identifiable(c, fields[k], "Lashgar et al.: another table explains the jumps");
        else if (jumps == 0)
            gp_not_identifiable(c, fields[k], "Lashgar et al.: no curve jumps");
        else
            gp_not_identifiable(c, fields[k], "Lashgar et al.: no table explains the jumps, or several do");
}

bool gp_probe_requests(struct gp_calibration *c, struct gp_error *error)
{
    struct measured *measured = calloc(CURVES, sizeof *measured);
    struct gp_latency_curve list[CURVES] = {0};
    struct gp_in_flight_reading reading;
    double spread = 0;
    bool done = measured != NULL || gp_fail(error, "out of memory");
    for (size_t k = 0; done && k < CURVES; k++) {
        done = sweep(c, patterns[k][0], patterns[k][1], &measured[k], &spread, error);
        list[k] = (struct gp_latency_curve){.loads = patterns[k][0],
                                            .sharing = patterns[k][1],
                                            .count = measured[k].count,
                                            .threads = measured[k].threads,
                                            .latency = measured[k].latency};
    }
    if (done) {
        size_t jumps = 0;
        bool found = read_most(list, c->target->warp, &reading, &jumps);
        say_reading(c, &reading, found, jumps, spread);
    }
    free(measured);
    return done;
}
