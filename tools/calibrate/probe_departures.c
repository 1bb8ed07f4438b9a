/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Hong & Kim, sections 4.2 and 5.1: Mem_LD and the departure delays with which their equations come closest to seven
 * micro-benchmarks (Table 4), by one warp of one SM and by as many as a group may have on all SMs, loads coalesced and
 * not, and with a barrier a turn.
 *
 * What an instruction costs is not counted, since compilers differ, but measured without the loads. Of uncoalesced
 * loads the product of transactions and delay is told, of coalesced ones a bound, unless barriers fit as well.
 */
#include <math.h>
#include <stdio.h>

#include "tools/calibrate/calibration.h"
#include "tools/calibrate/readers.h"

enum { BENCHMARKS = 7, MOST_DEPARTURES = 64, STRIDE = 8 /* words */ };

/* Table 4: loads, and all instructions. */
static const struct {
    int loads, instructions;
} table4[BENCHMARKS] = {{0, 23}, {1, 18}, {1, 30}, {2, 29}, {2, 37}, {4, 51}, {6, 65}};

struct points {
    struct gp_departure_point list[MOST_DEPARTURES];
    size_t count;
    double spread;
};

static bool turn(struct gp_calibration *c, const char *name, uint64_t sms, uint32_t warps, int stride, int loads,
                 double *cycles, double *spread, struct gp_error *error)
{
    enum { FEW = 2, MANY = 10 };
    uint32_t local = warps > 1 ? warps * c->target->warp : c->target->warp;
    size_t words = (size_t)MANY * (size_t)(loads > 0 ? loads : 1) * sms * local * (size_t)stride + 16;
    struct gp_run run = {.program = "departures",
                         .kernel = name,
                         .groups = sms,
                         .local = local,
                         .other = stride,
                         .in_bytes = words * sizeof(float),
                         .out_bytes = sms * local * sizeof(float),
                         .goes_on = loads > 0};
    return gp_measure_turn(c, run, FEW, MANY, cycles, spread, error);
}

static bool add_point(struct gp_calibration *c, struct points *points, int which, uint64_t sms, uint32_t warps,
                      bool coalesced, bool barrier, struct gp_error *error)
{
    char with[24], without[24];
    const char *end = barrier ? "_barrier" : "";
    double cycles, compute, spread, other;
    int stride = coalesced ? 1 : STRIDE, loads = table4[which].loads;
    snprintf(with, sizeof with, "mb%d%s", which + 1, end);
    snprintf(without, sizeof without, "only_%d%s", which + 1, end);
    if (!turn(c, with, sms, warps, stride, loads, &cycles, &spread, error) ||
        !turn(c, without, sms, warps, stride, loads, &compute, &other, error))
        return false;
    points->spread = fmax(points->spread, spread);
    points->list[points->count++] = (struct gp_departure_point){.loads = loads,
                                                                .instructions = table4[which].instructions,
                                                                .compute = compute / warps,
                                                                .warps = warps,
                                                                .sms = (double)sms,
                                                                .barriers = barrier,
                                                                .coalesced = coalesced,
                                                                .cycles = cycles};
    return true;
}

/*
 * Where a warp has several loads a turn they overlap, which the equations do not know: one warp tells of one load. Not
 * of an uncoalesced one, which costs a lone SM less than where all share DRAM (Lai & Seznec: a seventh).
 */
static bool measure(struct gp_calibration *c, struct points *points, uint32_t warps, bool barrier,
                    struct gp_error *error)
{
    for (int which = barrier ? 1 : 0; which < BENCHMARKS; which++) {
        if (table4[which].loads == 1 && !barrier && !add_point(c, points, which, 1, 1, true, false, error))
            return false;
        if (!add_point(c, points, which, c->target->units, warps, true, barrier, error))
            return false;
    }
    for (int which = 1; !barrier && which < BENCHMARKS; which++)
        if (!add_point(c, points, which, c->target->units, warps, false, false, error))
            return false;
    return true;
}

static void draw(struct gp_calibration *c, const struct gp_departure_machine *m, const struct points *points,
                 const double values[GP_DEPARTURE_COUNT])
{
    struct gp_curve *curve = gp_new_curve(c, "Hong & Kim's micro-benchmarks, coalesced first: cycles of an instruction",
                                          "point", "CPI", false);
    for (size_t i = 0; curve != NULL && i < points->count; i++) {
        const struct gp_departure_point *p = &points->list[i];
        gp_add_point(curve, (double)i, p->cycles / (p->instructions * p->warps));
        curve->fit[curve->count - 1] = gp_departure_cycles(m, p, values) / (p->instructions * p->warps);
    }
}

static void say_one(struct gp_calibration *c, const struct gp_departures *d, int which, const char *name, double times)
{
    if (d->told[which])
        gp_note(c, "  %s %.4g (%.4g to %.4g fit as well)", name, times * d->value[which], times * d->low[which],
                times * d->high[which]);
    else
        gp_note(c, "  %s not told: %.4g to %.4g fit as well", name, times * d->low[which], times * d->high[which]);
}

static void say(struct gp_calibration *c, const struct gp_departure_machine *m, const struct gp_departures *d,
                const char *which)
{
    gp_note(c, "Hong & Kim, %s: the equations are off by %.0f%%", which, 100 * (exp(d->misfit) - 1));
    say_one(c, d, GP_DEPARTURE_LATENCY, "Mem_LD", 1);
    say_one(c, d, GP_DEPARTURE_UNCOALESCED, "a warp's transactions times Departure_del_uncoal", m->transactions);
    say_one(c, d, GP_DEPARTURE_COALESCED, "Departure_del_coal", 1);
}

/* What DRAM's bandwidth leaves an SM lies between its requests, too: only a longer delay is one. */
static void say_fields(struct gp_calibration *c, const struct gp_departure_machine *m, const struct gp_departures *d,
                       double spread)
{
    static const double FITS = 0.15;
    double product = m->transactions * d->value[GP_DEPARTURE_UNCOALESCED];
    double share = m->load_bytes * m->clock_ghz * c->target->units / m->gbps, most = d->high[GP_DEPARTURE_COALESCED];
    gp_not_identifiable(c, "departure_delay_uncoalesced",
                        "the product with a warp's transactions (%.0f by our rule) is %.4g", m->transactions, product);
    if (d->told[GP_DEPARTURE_COALESCED] && d->misfit < FITS && d->low[GP_DEPARTURE_COALESCED] > 2 * share)
        gp_found(c, "departure_delay_coalesced", d->value[GP_DEPARTURE_COALESCED], spread,
                 "with which Hong & Kim's equations come closest to barriers");
    else
        gp_not_identifiable(c, "departure_delay_coalesced",
                            "at most %.3g; DRAM's bandwidth leaves an SM a request in %.3g", most, share);
}

/* Transactions of a warp's uncoalesced load, by our rule: each lane's on cc 1.0 (Table 3), else lines of 128 bytes. */
static double transactions_of(const struct gp_target *t)
{
    bool lane_by_lane = t->known != NULL && t->known->arch == GP_ARCH_TESLA1;
    return lane_by_lane ? t->warp : t->warp * STRIDE * sizeof(float) / 128.0;
}

bool gp_probe_departures(struct gp_calibration *c, struct gp_error *error)
{
    struct points points = {0};
    struct gp_departures alone, all;
    double gbps, spread;
    if (c->target->is_cpu) {
        gp_note(c, "Hong & Kim's micro-benchmarks are for GPUs");
        return true;
    }
    uint32_t most = c->target->most_local / c->target->warp, warps = most < 16 ? most : 16;
    if (!gp_measure_reading(c, &gbps, &spread, error))
        return false;
    for (; !measure(c, &points, warps, false, error); warps /= 2, points.count = 0)
        if (warps < 4) /* as many may want more registers than there are */
            return false;
    struct gp_departure_machine m = {.clock_ghz = c->clock_mhz * 1e-3,
                                     .gbps = gbps,
                                     .transactions = transactions_of(c->target),
                                     .load_bytes = c->target->warp * sizeof(float)};
    size_t without = points.count;
    if (!measure(c, &points, warps, true, error))
        return false;
    if (!gp_read_departures(&m, points.list, without, &alone) ||
        !gp_read_departures(&m, points.list, points.count, &all))
        return gp_fail(error, "the clock is too coarse: a micro-benchmark took no time");
    say(c, &m, &alone, "Mb1 to Mb7");
    say(c, &m, &all, "with barriers, too");
    say_fields(c, &m, all.misfit < 1.2 * alone.misfit + 0.01 ? &all : &alone, points.spread);
    draw(c, &m, &points, all.value);
    return true;
}
