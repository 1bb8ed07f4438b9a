/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Latency and rate of each class of operation (Wang et al., Table I; TEG, Listing 1). One work-item's chain tells the
 * latency; as many work-items as an SM holds and more, on all SMs, tell how many it serves a cycle.
 */
#include <stdio.h>

#include "tools/calibrate/calibration.h"

enum { OPERATIONS = 64 /* of a turn */, INT_ADD = 2 };

/* `each`: operations of the class in one step. `lacks`: what a device may be without that has none. */
static const struct operation {
    const char *kernel, *latency, *rate;
    double each;
    enum { NOTHING, DOUBLES, SHUFFLES } lacks;
} operations[] = {
    {"float_mad", "lat_fp32", "fp32_lanes", 1, NOTHING},
    {"double_mad", "lat_fp64", "fp64_lanes", 1, DOUBLES},
    [INT_ADD] = {"int_add", "lat_int", "int_lanes", 2, NOTHING},
    {"int_mul", "lat_int_mul", "int_mul_lanes", 1, NOTHING},
    {"int_shift", NULL, "shift_lanes", 1, NOTHING},
    {"rsqrt", "lat_sfu", "sfu_lanes", 1, NOTHING},
    {"convert", "lat_cvt", "cvt_lanes", 1, NOTHING},
    {"shuffle", "lat_shuffle", "shuffle_lanes", 1, SHUFFLES},
};
enum { COUNT = sizeof operations / sizeof *operations };

static bool has(const struct gp_target *target, const struct operation *o)
{
    return o->lacks == NOTHING || (o->lacks == DOUBLES ? target->doubles : target->shuffles);
}

/* The program of operations that a device may lack is its own. */
static const char *program_of(const struct operation *o) { return o->lacks == SHUFFLES ? "shuffles" : "chains"; }

/* Of a lone work-item, or of the warp that it exchanges with. */
static bool measure_latency(struct gp_calibration *c, const struct operation *o, double *cycles, double *spread,
                            struct gp_error *error)
{
    char name[48];
    snprintf(name, sizeof name, "%s_alone", o->kernel);
    int32_t few = c->target->known != NULL ? 4 : 1000;
    struct gp_run run = {.program = program_of(o),
                         .kernel = name,
                         .groups = 1,
                         .local = o->lacks == SHUFFLES ? c->target->warp : 1,
                         .in_bytes = 4096,
                         .out_bytes = 4096};
    bool done = gp_measure_turn(c, run, few, 5 * few, cycles, spread, error);
    *cycles /= OPERATIONS;
    return done;
}

static bool measure_rate(struct gp_calibration *c, const struct operation *o, double *lanes, double *spread,
                         struct gp_error *error)
{
    char name[48];
    double cycles;
    snprintf(name, sizeof name, o->lacks == SHUFFLES ? "%s_four" : "%s_alone", o->kernel);
    int32_t few = c->target->known != NULL ? 2 : 400;
    uint32_t local = c->target->most_local < 256 ? c->target->most_local : 256;
    uint64_t each = 24; /* groups of an SM: whole waves, whether it holds 2, 3, 4, 6 or 8 */
    struct gp_run run = {.program = program_of(o),
                         .kernel = name,
                         .groups = each * c->target->units,
                         .local = local,
                         .in_bytes = 4096,
                         .out_bytes = each * c->target->units * local * 8};
    bool done = gp_measure_turn(c, run, few, 3 * few, &cycles, spread, error);
    *lanes = (double)OPERATIONS * (double)local * (double)each / cycles;
    return done;
}

/* A CPU's integers: a dependent one takes a cycle on every one there is, which tells its clock beside the driver's. */
static bool measure_clock(struct gp_calibration *c, struct gp_error *error)
{
    double cycles, spread;
    if (!measure_latency(c, &operations[INT_ADD], &cycles, &spread, error))
        return false;
    c->clock_mhz *= 2 / cycles;
    gp_found(c, "clock_mhz", c->clock_mhz, spread, "dependent integer operations, one a cycle; the driver says %.0f",
             c->target->clock_mhz);
    return true;
}

/* A sum's additions: on CPUs sooner done than multiply-adds. */
static bool say_additions(struct gp_calibration *c, struct gp_error *error)
{
    double cycles, spread;
    const struct operation addition = {"float_add", "lat_add", NULL, 1, NOTHING};
    if (!measure_latency(c, &addition, &cycles, &spread, error))
        return false;
    gp_found(c, "lat_add", cycles, spread, "float_add, each on the one before's result");
    return true;
}

bool gp_probe_chains(struct gp_calibration *c, struct gp_error *error)
{
    if (c->target->is_cpu && (!measure_clock(c, error) || !say_additions(c, error)))
        return false;
    for (int i = 0; i < COUNT; i++) {
        const struct operation *o = &operations[i];
        double value, spread;
        if (!has(c->target, o)) {
            const char *lacking = o->lacks == DOUBLES ? "doubles" : "exchanges between lanes";
            gp_not_identifiable(c, o->latency, "the device has no %s", lacking);
            gp_not_identifiable(c, o->rate, "the device has no %s", lacking);
            continue;
        }
        if (o->latency != NULL) {
            if (!measure_latency(c, o, &value, &spread, error))
                return false;
            gp_found(c, o->latency, value / o->each, spread, "%s, each on the one before's result", o->kernel);
        }
        if (c->target->is_cpu) /* in vectors: probe_core.c */
            continue;
        if (!measure_rate(c, o, &value, &spread, error))
            return false;
        gp_found(c, o->rate, value * o->each, spread, "%s, in all work-items", o->kernel);
    }
    return true;
}
