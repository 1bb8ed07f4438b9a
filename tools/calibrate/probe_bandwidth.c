/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Bytes a second: of DRAM by reading and copying far more than any cache holds, for more and more groups; of L2 by
 * reading again and again what it holds and L1 does not; of one SM's way there by one SM doing so.
 */
#include <math.h>
#include <stdio.h>

#include "tools/calibrate/calibration.h"

enum { LOCAL = 256, MOST = 1024, TURN = 64 /* bytes of a work-item a turn */, TURNS = 8 /* of a stream */ };

static uint32_t local_of(const struct gp_calibration *c)
{
    return c->target->most_local < LOCAL ? c->target->most_local : LOCAL;
}

/* What the second half of a launch's turns takes, so that neither its start nor its end are in it. */
static bool stream_of(struct gp_calibration *c, const char *kernel, uint64_t groups, uint32_t local, double moved,
                      double *gbps, double *spread, struct gp_error *error)
{
    double turn = (double)groups * local * TURN, cycles;
    struct gp_run run = {.program = "memory",
                         .kernel = kernel,
                         .groups = groups,
                         .local = local,
                         .in_bytes = (size_t)turn * TURNS,
                         .out_bytes = (size_t)turn * TURNS,
                         .goes_on = true};
    if (!gp_measure_turn(c, run, TURNS / 2, TURNS, &cycles, spread, error))
        return false;
    *gbps = moved * turn / cycles * c->clock_mhz * 1e-3;
    return true;
}

/* GB/s of a stream of so many groups; `moved`: times each byte. A group as large may want more registers than there
 * are. */
static bool stream(struct gp_calibration *c, const char *kernel, uint64_t groups, double moved, double *gbps,
                   double *spread, struct gp_error *error)
{
    uint32_t local = local_of(c);
    return stream_of(c, kernel, groups, local, moved, gbps, spread, error) ||
           stream_of(c, kernel, groups, local / 2, moved, gbps, spread, error);
}

/* Over more and more groups. The last: as many as keep each SM busy many times over. */
static bool sweep(struct gp_calibration *c, const char *kernel, const char *title, double moved, double *gbps,
                  double *spread, struct gp_error *error)
{
    char label[80];
    snprintf(label, sizeof label, "%s: bandwidth over groups", title);
    struct gp_curve *curve = gp_new_curve(c, label, "groups of an SM", "GB/s", true);
    uint64_t most = c->target->most_bytes / 2 / (local_of(c) * TURNS * TURN), each = most / c->target->units;
    if (each > 64)
        each = 64;
    *gbps = *spread = 0;
    for (uint64_t groups = 1; groups <= each; groups *= 2) {
        if (!stream(c, kernel, groups * c->target->units, moved, gbps, spread, error))
            return false;
        gp_add_point(curve, (double)groups, *gbps);
    }
    return true;
}

bool gp_measure_reading(struct gp_calibration *c, double *gbps, double *spread, struct gp_error *error)
{
    uint64_t groups = 16 * c->target->units, most = c->target->most_bytes / (local_of(c) * TURNS * TURN);
    return stream(c, "read_stream", groups < most ? groups : most, 1, gbps, spread, error);
}

/* DRAM's peak is the vendor's to say. What streams reach is a product of it and a share, which no stream tells apart.
 * Writes alone are not asked: a launch may end before they have arrived. */
static bool say_dram(struct gp_calibration *c, struct gp_error *error)
{
    double copied, read, spread, read_spread;
    if (!sweep(c, "copy_stream", "Copies", 2, &copied, &spread, error) ||
        !sweep(c, "read_stream", "Reads", 1, &read, &read_spread, error))
        return false;
    double most = fmax(copied, read);
    gp_found(c, "dram_gbps", most, fmax(spread, read_spread),
             "what the faster of streams reaches that copy (%.4g) and read (%.4g): no peak", copied, read);
    gp_found(c, "dram_efficiency", copied / most, spread, "copies, over the faster of them");
    gp_found(c, "dram_read_efficiency", read / most, read_spread, "reads, over the faster of them");
    return true;
}

/* What is there after the launch before, though L2 tells nobody how it is shared out: not quite half, so that two
 * buffers leave room. */
static double resident_bytes(const struct gp_calibration *c) { return 0.45 * gp_finding_of(c, "l2_size")->value; }

/* Cycles of a turn of a lone group that goes through what L2 holds, once in a launch. */
static bool turn_of_one(struct gp_calibration *c, uint32_t local, double *cycles, double *spread,
                        struct gp_error *error)
{
    enum { FEW = 2, LEAST = 5, MOST_TIMES = 100 };
    double turn = local * TURN, times = c->target->known != NULL ? LEAST : resident_bytes(c) / turn / FEW;
    int32_t many = FEW * (int32_t)fmin(MOST_TIMES, fmax(LEAST, times));
    struct gp_run run = {.program = "memory",
                         .kernel = "read_stream",
                         .groups = 1,
                         .local = local,
                         .in_bytes = (size_t)turn * (size_t)many,
                         .out_bytes = 64,
                         .resident_data = true,
                         .goes_on = true};
    return gp_measure_turn(c, run, FEW, many, cycles, spread, error);
}

/* Of groups in all SMs, which go round and round. */
static bool turn_of_all(struct gp_calibration *c, const char *kernel, uint64_t groups, double *cycles, double *spread,
                        struct gp_error *error)
{
    enum { FEW = 2, MANY = 10, VECTOR = 16 };
    size_t bytes = (size_t)1 << (int)log2(resident_bytes(c));
    struct gp_run run = {.program = "memory",
                         .kernel = kernel,
                         .groups = groups,
                         .local = local_of(c),
                         .other = (int32_t)(bytes / VECTOR - 1),
                         .in_bytes = bytes,
                         .out_bytes = bytes,
                         .resident_data = true};
    return gp_measure_turn(c, run, FEW, MANY, cycles, spread, error);
}

/* What a copy within L2 takes more than the reads that it waits for. Of writes alone a launch may end before they have
 * arrived. */
static bool say_l2_writes(struct gp_calibration *c, uint64_t groups, double reading, double read_spread,
                          struct gp_error *error)
{
    double copying, spread;
    if (!turn_of_all(c, "copy_again", groups, &copying, &spread, error))
        return false;
    if (copying > 1.1 * reading)
        gp_found(c, "l2_write_bytes_per_clk", (double)groups * local_of(c) * TURN / (copying - reading),
                 (spread * copying + read_spread * reading) / (copying - reading),
                 "all SMs copy within L2, beside reading there");
    else
        gp_not_identifiable(c, "l2_write_bytes_per_clk", "copies within L2 take as long as reads");
    return true;
}

/* An SM's way to L2: what twice the work-items of a lone group take more, so that the latency of a turn is in neither.
 */
static bool say_l2(struct gp_calibration *c, struct gp_error *error)
{
    double half, whole, reading, all, spread, other;
    uint32_t local = c->target->most_local < MOST ? c->target->most_local : MOST;
    if (gp_finding_of(c, "l2_size") == NULL) {
        gp_not_identifiable(c, "sm_bytes_per_clk", "no L2 was found, whose data would show it");
        gp_not_identifiable(c, "l2_bytes_per_clk", "no L2 was found");
        gp_not_identifiable(c, "l2_write_bytes_per_clk", "no L2 was found");
        return true;
    }
    if (!turn_of_one(c, local, &whole, &spread, error) && !turn_of_one(c, local /= 2, &whole, &spread, error))
        return false; /* as large a group may want more registers than there are */
    if (!turn_of_one(c, local / 2, &half, &other, error))
        return false;
    double one = local / 2 * TURN / (whole - half) / c->target->halves;
    if (whole > 1.5 * half)
        gp_found(c, "sm_bytes_per_clk", one, spread + other, "a group of %u reads what lies in L2, beside one of %u",
                 local, local / 2);
    else
        gp_not_identifiable(c, "sm_bytes_per_clk", "a group of %u waits for L2's latency more than for bytes", local);
    uint64_t groups = 4 * c->target->units;
    if (!turn_of_all(c, "read_again", groups, &reading, &spread, error))
        return false;
    all = (double)groups * local_of(c) * TURN / reading;
    if (whole <= 1.5 * half || all < 0.9 * one * c->target->units)
        gp_found(c, "l2_bytes_per_clk", all, spread, "all SMs read what lies in L2");
    else
        gp_not_identifiable(c, "l2_bytes_per_clk", "all SMs together reach what each reaches alone");
    return say_l2_writes(c, groups, reading, spread, error);
}

bool gp_probe_bandwidth(struct gp_calibration *c, struct gp_error *error)
{
    return c->target->is_cpu || (say_dram(c, error) && say_l2(c, error)); /* a CPU's: probe_core.c */
}
