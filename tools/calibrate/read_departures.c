/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Hong & Kim's memory parameters from cycles of their micro-benchmarks: those with which the equations come closest, by
 * least squares of logarithms, on a grid that narrows around the best. Whether the points tell a parameter is how far
 * it may go up and down until the equations fit worse.
 */
#include "tools/calibrate/readers.h"

#include <math.h>
#include <string.h>

#include "model/timing/mwp_cwp.h"

enum { ITERATIONS = 1000 };

double gp_departure_cycles(const struct gp_departure_machine *m, const struct gp_departure_point *p,
                           const double parameters[GP_DEPARTURE_COUNT])
{
    struct gp_mwp_result result;
    struct gp_mwp_inputs inputs = {.issue_cycles = p->compute / p->instructions,
                                   .frequency_ghz = m->clock_ghz,
                                   .bandwidth_gbps = m->gbps,
                                   .memory_latency = parameters[GP_DEPARTURE_LATENCY],
                                   .departure_uncoalesced = parameters[GP_DEPARTURE_UNCOALESCED],
                                   .departure_coalesced = parameters[GP_DEPARTURE_COALESCED],
                                   .warps_per_block = p->warps,
                                   .blocks = p->sms,
                                   .active_sms = p->sms,
                                   .active_blocks_per_sm = 1,
                                   .computation_insts = (p->instructions - p->loads) * ITERATIONS,
                                   .coalesced_insts = p->coalesced ? p->loads * ITERATIONS : 0,
                                   .uncoalesced_insts = p->coalesced ? 0 : p->loads * ITERATIONS,
                                   .barriers = p->barriers * ITERATIONS,
                                   .transactions_per_uncoalesced = m->transactions,
                                   .load_bytes_per_warp = m->load_bytes};
    gp_mwp_cwp(&inputs, &result);
    return result.cycles / ITERATIONS;
}

/* Root of the mean square of logarithms. */
static double misfit(const struct gp_departure_machine *m, const struct gp_departure_point *points, size_t count,
                     const double parameters[GP_DEPARTURE_COUNT])
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += pow(log(points[i].cycles / gp_departure_cycles(m, &points[i], parameters)), 2);
    return sqrt(sum / (double)count);
}

static void narrow(const struct gp_departure_machine *m, const struct gp_departure_point *points, size_t count,
                   double parameters[GP_DEPARTURE_COUNT])
{
    enum { STEPS = 12, ROUNDS = 24 };
    double width = log(8);
    for (int round = 0; round < ROUNDS; round++, width *= 0.7)
        for (int p = 0; p < GP_DEPARTURE_COUNT; p++) {
            double from = parameters[p], best = from, least = misfit(m, points, count, parameters);
            for (int s = -STEPS; s <= STEPS; s++) {
                parameters[p] = from * exp(width * s / STEPS);
                double here = misfit(m, points, count, parameters);
                if (here < least - 1e-12) {
                    least = here;
                    best = parameters[p];
                }
            }
            parameters[p] = best;
        }
}

/* From several places: the equations' cases make valleys. */
static void search(const struct gp_departure_machine *m, const struct gp_departure_point *points, size_t count,
                   double best[GP_DEPARTURE_COUNT])
{
    static const double starts[][GP_DEPARTURE_COUNT] = {{200, 4, 0.1}, {600, 4, 0.1}, {200, 40, 0.1}, {600, 40, 0.1},
                                                        {200, 4, 10},  {600, 4, 10},  {200, 40, 10},  {600, 40, 10}};
    double least = INFINITY;
    for (size_t s = 0; s < sizeof starts / sizeof *starts; s++) {
        double here[GP_DEPARTURE_COUNT];
        memcpy(here, starts[s], sizeof here);
        narrow(m, points, count, here);
        double off = misfit(m, points, count, here);
        if (off < least) {
            least = off;
            memcpy(best, here, sizeof here);
        }
    }
}

/* The furthest value of a parameter, by steps of 2%, with which the equations fit as well; 0 or INFINITY: they always
 * do. What lies between may fit worse. */
static double reach(const struct gp_departure_machine *m, const struct gp_departure_point *points, size_t count,
                    const double best[GP_DEPARTURE_COUNT], int which, bool up)
{
    enum { STEPS = 460 };                            /* four orders of magnitude */
    static const double WORSE = 0.002, OF_NOISE = 4; /* two standard deviations of what the misfit is by chance */
    double parameters[GP_DEPARTURE_COUNT], last = best[which];
    double most = misfit(m, points, count, best) * (1 + OF_NOISE / (double)count) + WORSE;
    memcpy(parameters, best, sizeof parameters);
    for (int s = 1; s <= STEPS; s++) {
        parameters[which] = best[which] * pow(1.02, up ? s : -s);
        if (misfit(m, points, count, parameters) <= most)
            last = s < STEPS ? parameters[which] : up ? INFINITY : 0;
    }
    return last;
}

bool gp_read_departures(const struct gp_departure_machine *m, const struct gp_departure_point *points, size_t count,
                        struct gp_departures *d)
{
    *d = (struct gp_departures){0};
    for (size_t i = 0; i < count; i++)
        if (!(points[i].cycles > 0 && points[i].compute > 0))
            return false;
    if (count < GP_DEPARTURE_COUNT)
        return false;
    search(m, points, count, d->value);
    d->misfit = misfit(m, points, count, d->value);
    for (int p = 0; p < GP_DEPARTURE_COUNT; p++) {
        d->low[p] = reach(m, points, count, d->value, p, false);
        d->high[p] = reach(m, points, count, d->value, p, true);
        d->told[p] = d->high[p] < 2 * d->low[p];
    }
    return true;
}
