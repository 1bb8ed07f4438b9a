/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What the model of CPUs reads beside latencies: lanes of vector code, a core's bytes a cycle from L2 and beyond,
 * misses that it waits for at once, what all cores copy, barriers. Of GPUs there is nothing to do.
 */
#include <math.h>

#include "tools/calibrate/calibration.h"

enum { LOCAL = 256, VECTOR_BYTES = 16 };

/* Cycles of a whole launch. */
static bool cycles_of(struct gp_calibration *c, struct gp_run run, double *cycles, double *spread,
                      struct gp_error *error)
{
    struct gp_times times;
    run.program = "core";
    if (!gp_measure(c, &run, &times, spread, error))
        return false;
    *cycles = times.device * c->clock_mhz * 1e-3;
    return true;
}

static bool say_lanes(struct gp_calibration *c, const char *kernel, const char *field, double operations,
                      struct gp_error *error)
{
    enum { GROUPS = 1024 };
    double cycles, spread;
    uint64_t groups = (uint64_t)GROUPS * c->target->units;
    struct gp_run run = {.kernel = kernel,
                         .groups = groups,
                         .local = LOCAL,
                         .in_bytes = (LOCAL + 2) * sizeof(double),
                         .out_bytes = 8 * LOCAL * sizeof(double)};
    if (!cycles_of(c, run, &cycles, &spread, error))
        return false;
    gp_found(c, field, operations * LOCAL * GROUPS / cycles, spread, "%s: straight code in %u work-items", kernel,
             LOCAL);
    return true;
}

/* One core, times cores. */
static bool say_l2(struct gp_calibration *c, struct gp_error *error)
{
    const struct gp_finding *l2 = gp_finding_of(c, "l2_size");
    double cycles, spread;
    if (l2 == NULL) {
        gp_not_identifiable(c, "l2_bytes_per_clk", "no L2 was found, whose data would show it");
        return true;
    }
    struct gp_run run = {.program = "core", .kernel = "read_stretch", .groups = 1, .local = 1, .out_bytes = 4096};
    run.other = (int32_t)(l2->value / 2 / VECTOR_BYTES) / 8 * 8;
    run.in_bytes = (size_t)run.other * VECTOR_BYTES;
    if (!gp_measure_turn(c, run, 8, 72, &cycles, &spread, error))
        return false;
    gp_found(c, "l2_bytes_per_clk", (double)run.in_bytes / cycles * c->target->units, spread,
             "one core reads half of its L2 again and again, times cores");
    return true;
}

/* Loads of L2 that do not depend on each other, and yet wait for one another, since a set of L1 takes few at a time. */
static bool say_set(struct gp_calibration *c, struct gp_error *error)
{
    enum { LINES = 128, APART = 4096 };
    const struct gp_finding *latency = gp_finding_of(c, "l2_latency");
    double cycles, spread;
    if (latency == NULL) {
        gp_not_identifiable(c, "l1_set_fills", "the latency of L2 was not found");
        return true;
    }
    struct gp_run run = {.program = "core", .kernel = "one_set", .groups = 1, .local = 1, .other = LINES};
    run.in_bytes = (size_t)LINES * APART;
    run.out_bytes = 4096;
    if (!gp_measure_turn(c, run, 64, 1088, &cycles, &spread, error))
        return false;
    gp_found(c, "l1_set_fills", fmax(1, latency->value * LINES / cycles), spread,
             "latency of L2 over the time between loads of %u lines of one set", LINES);
    return true;
}

/* As many cores at once as have four times their L2 in the last cache: what each copies is between the two. */
static bool say_llc(struct gp_calibration *c, struct gp_error *error)
{
    const struct gp_finding *l2 = gp_finding_of(c, "l2_size"), *llc = gp_finding_of(c, "llc_size");
    double cycles, spread, cores = l2 != NULL && llc != NULL ? floor(llc->value / (4 * l2->value)) : 0;
    if (cores < 1) {
        gp_not_identifiable(c, "llc_gbps", "no last cache was found that is far larger than L2");
        return true;
    }
    cores = fmin(cores, c->target->units);
    struct gp_run run = {.program = "core", .kernel = "copy_again", .groups = (uint64_t)cores, .local = 1};
    run.other = (int32_t)(sqrt(l2->value * llc->value / cores) / 2 / VECTOR_BYTES);
    run.in_bytes = run.out_bytes = (size_t)run.other * VECTOR_BYTES * run.groups;
    if (!gp_measure_turn(c, run, 4, 20, &cycles, &spread, error))
        return false;
    gp_found(c, "llc_gbps", 2 * (double)run.in_bytes / cycles / cores * c->target->units * c->clock_mhz * 1e-3, spread,
             "%.0f cores copy %.1f MB each again and again, both ways counted, over cores times all", cores,
             (double)run.in_bytes / cores / (1 << 20));
    return true;
}

/* One group is one core. */
static bool say_core(struct gp_calibration *c, struct gp_error *error)
{
    double cycles, spread;
    const double far = 64 << 20;
    uint32_t local = c->target->most_local;
    struct gp_run run = {
        .kernel = "copy_stretches", .groups = 1, .local = local, .count = (int32_t)(far / local / VECTOR_BYTES)};
    run.in_bytes = run.out_bytes = (size_t)local * (size_t)run.count * VECTOR_BYTES;
    if (!cycles_of(c, run, &cycles, &spread, error))
        return false;
    gp_found(c, "sm_bytes_per_clk", 2 * (double)run.in_bytes / cycles, spread,
             "one core copies %.0f MB, both ways counted", far / (1 << 20));
    return say_l2(c, error) && say_set(c, error) && say_llc(c, error);
}

/* As many misses are under way as fit into the latency of one. */
static bool say_misses(struct gp_calibration *c, struct gp_error *error)
{
    enum { COUNT = 65536 };
    const struct gp_finding *latency = gp_finding_of(c, "dram_latency");
    if (latency == NULL) {
        gp_not_identifiable(c, "mshr_entries", "the latency of DRAM was not found");
        return true;
    }
    size_t bytes = (size_t)1 << 28;
    while (bytes > c->target->most_bytes / 2)
        bytes /= 2;
    struct gp_run run = {
        .program = "core", .kernel = "gather", .groups = 1, .local = 1, .in_bytes = bytes, .out_bytes = 4096};
    run.other = (int32_t)(bytes / sizeof(uint32_t) - 1);
    double cycles, spread;
    if (!gp_measure_turn(c, run, COUNT, 4 * COUNT, &cycles, &spread, error))
        return false;
    gp_found(c, "mshr_entries", fmax(1, round(latency->value / cycles)), spread,
             "latency of DRAM over the time between loads from anywhere in %zu MB", bytes >> 20);
    return true;
}

static bool say_dram(struct gp_calibration *c, struct gp_error *error)
{
    enum { GROUPS = 64, COUNT = 256 };
    double cycles, spread;
    struct gp_run run = {
        .kernel = "copy_stretches", .groups = (uint64_t)GROUPS * c->target->units, .local = LOCAL, .count = COUNT};
    run.in_bytes = run.out_bytes = (size_t)run.groups * LOCAL * COUNT * VECTOR_BYTES;
    while (run.in_bytes > c->target->most_bytes) {
        run.groups /= 2;
        run.in_bytes = run.out_bytes = run.in_bytes / 2;
    }
    if (!cycles_of(c, run, &cycles, &spread, error))
        return false;
    gp_found(c, "dram_gbps", 2 * (double)run.in_bytes / cycles * c->clock_mhz * 1e-3, spread,
             "all cores copy %zu MB, both ways counted: no peak", run.in_bytes >> 20);
    gp_found(c, "dram_efficiency", 1, spread, "dram_gbps is what copies reach");
    return true;
}

static bool say_barriers(struct gp_calibration *c, struct gp_error *error)
{
    struct gp_run run = {
        .program = "core", .kernel = "live_barriers", .groups = 1, .local = LOCAL, .in_bytes = 4096, .out_bytes = 4096};
    double cycles, spread;
    if (!gp_measure_turn(c, run, 64, 1088, &cycles, &spread, error))
        return false;
    gp_found(c, "barrier_latency", cycles / LOCAL, spread,
             "barriers that three floats live across, for each work-item");
    return true;
}

bool gp_probe_core(struct gp_calibration *c, struct gp_error *error)
{
    if (!c->target->is_cpu)
        return true;
    return say_lanes(c, "vector_float", "fp32_lanes", 16, error) &&
           say_lanes(c, "vector_int", "int_lanes", 32, error) && say_lanes(c, "vector_divide", "sfu_lanes", 4, error) &&
           (!c->target->doubles || say_lanes(c, "vector_double", "fp64_lanes", 16, error)) && say_core(c, error) &&
           say_misses(c, error) && say_dram(c, error) && say_barriers(c, error);
}
