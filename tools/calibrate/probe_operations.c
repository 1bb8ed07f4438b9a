/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Two papers' tables of operations.
 *
 *   wang: Wang et al., Table I: latency of each operation over the count of active warps of an SM, 1 to the most of a
 *         group. The paper prints no values.
 *   teg:  Lai & Seznec, Table 1 and section 3.2: latency, and cycles between instructions of several warps and of one;
 *         the same of loads from global memory; local memory with and without conflicts.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tools/calibrate/calibration.h"
#include "tools/calibrate/readers.h"

enum { OF_A_CHAIN = 32, OF_EIGHT = 64, MOST_WARPS = 32 };

/* Cycles of an SM for an operation of each of so many warps, or, in one work-item, for one. */
static bool cycles_of(struct gp_calibration *c, const char *name, const char *kind, uint32_t warps, double *cycles,
                      double *spread, struct gp_error *error)
{
    char kernel[40];
    uint32_t local = warps > 0 ? warps * c->target->warp : 1;
    int32_t few = c->target->known != NULL ? 2 : 100;
    struct gp_run run = {.program = "operations",
                         .kernel = kernel,
                         .groups = 1,
                         .local = local < c->target->most_local ? local : c->target->most_local,
                         .in_bytes = 4096,
                         .out_bytes = (size_t)local * 8 + 4096};
    snprintf(kernel, sizeof kernel, "%s_%s", name, kind);
    if (!gp_measure_turn(c, run, few, 3 * few, cycles, spread, error))
        return false;
    *cycles /= strcmp(kind, "chain") == 0 ? OF_A_CHAIN : OF_EIGHT;
    return true;
}

static bool is_double(const char *name) { return strncmp(name, "double", 6) == 0; }

/* ---- Wang et al., Table I ---------------------------------------------------------------------------------------- */

static const struct {
    const char *name, *field; /* that its latency with one warp is; NULL: of none */
} table1[] = {{"int_add", "lat_int"},     {"int_sub", NULL},    {"int_mul", "lat_int_mul"}, {"int_div", NULL},
              {"int_rem", NULL},          {"int_mad", NULL},    {"int_shl", NULL},          {"int_shr", NULL},
              {"uint_add", NULL},         {"uint_sub", NULL},   {"uint_mul", NULL},         {"uint_div", NULL},
              {"uint_rem", NULL},         {"uint_mad", NULL},   {"uint_shl", NULL},         {"uint_shr", NULL},
              {"float_add", "lat_fp32"},  {"float_sub", NULL},  {"float_mul", NULL},        {"float_div", NULL},
              {"float_mad", NULL},        {"float_sqr", NULL},  {"float_sin", NULL},        {"float_cos", NULL},
              {"float_tan", NULL},        {"float_exp", NULL},  {"float_log", NULL},        {"float_sqrt", NULL},
              {"double_add", "lat_fp64"}, {"double_sub", NULL}, {"double_mul", NULL},       {"double_div", NULL},
              {"double_mad", NULL},       {"double_sqr", NULL}, {"double_sqrt", NULL}};

static bool say_operation(struct gp_calibration *c, const char *name, const char *field, struct gp_error *error)
{
    char line[160], title[80];
    size_t used = (size_t)snprintf(line, sizeof line, "  %-12s", name);
    snprintf(title, sizeof title, "%s over warps", name);
    struct gp_curve *curve = field != NULL ? gp_new_curve(c, title, "warps", "cycles of an operation", true) : NULL;
    for (uint32_t warps = 1; warps <= MOST_WARPS && warps * c->target->warp <= c->target->most_local; warps *= 2) {
        double cycles, spread;
        if (!cycles_of(c, name, "chain", warps, &cycles, &spread, error))
            return false;
        if (warps == 1 && field != NULL && !c->target->is_cpu) /* its core has other operations under way */
            gp_found(c, field, cycles, spread, "Wang et al., Table I: %s in one warp, operands swapped", name);
        gp_add_point(curve, warps, cycles);
        used += (size_t)snprintf(line + used, sizeof line - used, " %8.1f", cycles);
    }
    gp_note(c, "%s", line);
    return true;
}

bool gp_probe_table1(struct gp_calibration *c, struct gp_error *error)
{
    gp_note(c, "Wang et al., Table I: cycles of an operation with 1, 2, 4 .. warps of an SM");
    for (size_t i = 0; i < sizeof table1 / sizeof *table1; i++) {
        if (is_double(table1[i].name) && !c->target->doubles)
            continue;
        if (!say_operation(c, table1[i].name, table1[i].field, error))
            return false;
    }
    return true;
}

/* ---- Lai & Seznec ------------------------------------------------------------------------------------------------ */

/* Table 1: the GTX 280's execution latency, issue latency with several warps and in one. */
static const struct {
    const char *name;
    double latency, several, one;
} teg[] = {{"int_add", 24, 4, 8},      {"float_add", 24, 4, 8},    {"float_mul", 24, 2, 8},   {"float_mad", 24, 4, 8},
           {"double_add", 48, 32, 32}, {"double_mul", 48, 32, 32}, {"double_mad", 48, 32, 32}};
enum { TEG = sizeof teg / sizeof *teg, FLOAT_ADD = 1 };

struct issue {
    double latency, several, one, spread;
};

static bool measure_issue(struct gp_calibration *c, const char *name, struct issue *issue, struct gp_error *error)
{
    uint32_t most = c->target->most_local / c->target->warp, warps = most < 8 ? most : 8;
    double spread[3];
    if (!cycles_of(c, name, "chain", 0, &issue->latency, &spread[0], error) ||
        !cycles_of(c, name, "eight", 1, &issue->one, &spread[1], error) ||
        !cycles_of(c, name, "eight", warps, &issue->several, &spread[2], error))
        return false;
    issue->several /= warps;
    issue->spread = fmax(spread[0], fmax(spread[1], spread[2]));
    return true;
}

/* Between two instructions of one warp passes at least what an SM takes for one, four times where it has four parts:
 * only what is longer is the warp's own. */
static void say_same_warp(struct gp_calibration *c, const struct issue *add)
{
    static const double PARTS = 4, CHAINS = 8;
    bool waits = add->one < 1.5 * add->latency / CHAINS;
    if (!waits && (add->one > 1.5 * PARTS * add->several || (add->one > 1.5 * add->several && add->several >= PARTS)))
        gp_found(c, "same_warp_clk", add->one, add->spread, "TEG: independent additions of one warp; of several %.3g",
                 add->several);
    else
        gp_not_identifiable(
            c, "same_warp_clk",
            "a part of the SM takes as long for an instruction, or eight chains do not hide its latency");
}

/* Cycles of a launch of one warp with so many loads, which it adds up; or with their addresses alone (`only`). */
static bool loads_of(struct gp_calibration *c, const char *kind, int loads, double *cycles, double *spread,
                     struct gp_error *error)
{
    char name[16];
    struct gp_times times;
    struct gp_run run = {.program = "outstanding",
                         .kernel = name,
                         .groups = 1,
                         .local = c->target->warp,
                         .other = (int32_t)c->target->warp,
                         .in_bytes = (size_t)4 * c->target->warp * 128,
                         .out_bytes = 4096};
    snprintf(name, sizeof name, "%s_%d", kind, loads);
    if (!gp_measure(c, &run, &times, spread, error))
        return false;
    *cycles = times.device * c->clock_mhz * 1e-3;
    return true;
}

/*
 * A warp's second and third load go out so much later than the one before; that each is added hides in it, its address
 * does not. A fourth may have to wait for the first.
 */
static bool say_loads(struct gp_calibration *c, const struct issue *add, struct gp_error *error)
{
    enum { LOADS = 3 };
    double count[LOADS] = {1, 2, 3}, with[LOADS], only[LOADS], spread, worst = 0, slope, addresses;
    struct gp_curve *curve = gp_new_curve(c, "TEG: loads of one warp", "loads", "cycles of a launch", false);
    for (int i = 0; i < LOADS; i++) {
        if (!loads_of(c, "loads", i + 1, &with[i], &spread, error) ||
            !loads_of(c, "only", i + 1, &only[i], &spread, error))
            return false;
        gp_add_point(curve, count[i], with[i]);
        worst = fmax(worst, spread);
    }
    if (!gp_read_slope(count, with, LOADS, &slope) || !gp_read_slope(count, only, LOADS, &addresses))
        return gp_fail(error, "the clock is too coarse to tell what a further load takes");
    double each = slope - add->one;
    gp_note(c, "  global loads: %.4g cycles, each further one of the same warp %.3g (GTX 280: 436 to 443, about 60)",
            with[0] - only[0], slope);
    if (slope - addresses > 1.5 * add->latency)
        gp_found(c, "same_warp_memory_clk", each, worst * with[0] / slope,
                 "TEG: further loads of one warp, less an instruction for the address");
    else
        gp_not_identifiable(c, "same_warp_memory_clk",
                            "a further load takes little more than its address and addition");
    return true;
}

/* A load from local memory, a store of what it gave and a barrier: lanes a word apart, and so far that all meet in one
 * bank. */
static bool say_conflicts(struct gp_calibration *c, struct gp_error *error)
{
    enum { MOST = 64 };
    double first = 0, x[8], y[8], banks, spread, worst = 0;
    size_t count = 0;
    struct gp_curve *curve = gp_new_curve(c, "TEG: local memory, words between lanes", "stride, words", "cycles", true);
    struct gp_run run = {.program = "group",
                         .kernel = "waits_for_banks",
                         .groups = 1,
                         .local = c->target->warp,
                         .in_bytes = 4096,
                         .out_bytes = 4096};
    for (run.other = 1; run.other <= MOST; run.other *= 2, count++) {
        x[count] = run.other;
        if (!gp_measure_turn(c, run, 4, 20, &y[count], &spread, error))
            return false;
        gp_add_point(curve, x[count], y[count]);
        worst = fmax(worst, spread);
        first = count == 0 ? y[0] : first;
    }
    double lanes = c->target->warp, rise = y[count - 1] - first;
    if (!gp_read_step(x, y, count, &banks)) {
        gp_not_identifiable(c, "smem_replay_clk", "no stride is the first at which conflicts are worst");
        return true;
    }
    double passes = lanes - fmax(1, lanes / banks);
    gp_note(c,
            "  local memory: all lanes in one bank take %.4g cycles more, %.3g each of %.0f further passes (GTX 280: "
            "266 - 74 = 192)",
            rise, rise / passes, passes);
    gp_found(c, "smem_replay_clk", rise / passes, worst, "TEG: conflicts of a warp that waits, %.0f banks", banks);
    return true;
}

/* C_mem: transactions under way that keep memory busy, of a cluster. */
static bool say_in_flight(struct gp_calibration *c, struct gp_error *error)
{
    double gbps, spread, with, without;
    if (!gp_measure_reading(c, &gbps, &spread, error) || !loads_of(c, "loads", 1, &with, &spread, error) ||
        !loads_of(c, "only", 1, &without, &spread, error))
        return false;
    double sms = c->target->known != NULL ? c->target->known->cluster_sms.value : 1;
    double bytes = gbps / (c->clock_mhz * 1e-3) * (with - without) / (c->target->units / sms) / c->target->warp;
    gp_note(c, "  C_mem of %.0f SM%s, from %.4g GB/s read: %.3g of 8 bytes, %.3g of 4 (GTX 280, from its peak: 18, 37)",
            sms, sms > 1 ? "s" : "", gbps, bytes / 8, bytes / 4);
    return true;
}

bool gp_probe_teg(struct gp_calibration *c, struct gp_error *error)
{
    struct issue issue, add = {0};
    if (c->target->is_cpu) {
        gp_note(c, "TEG's micro-benchmarks are for GPUs");
        return true;
    }
    gp_note(c, "TEG, Table 1: latency, cycles between instructions of several warps, of one (GTX 280 there)");
    for (size_t i = 0; i < TEG; i++) {
        if (is_double(teg[i].name) && !c->target->doubles)
            continue;
        if (!measure_issue(c, teg[i].name, &issue, error))
            return false;
        gp_note(c, "  %-12s %6.4g %6.3g %6.3g (%.0f, %.0f, %.0f)", teg[i].name, issue.latency, issue.several, issue.one,
                teg[i].latency, teg[i].several, teg[i].one);
        if (i == FLOAT_ADD)
            add = issue;
    }
    say_same_warp(c, &add);
    return say_loads(c, &add, error) && say_conflicts(c, error) && say_in_flight(c, error);
}
