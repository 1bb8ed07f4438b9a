/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * teg
 *
 * The two evaluations of TEG (Lai & Seznec, INRIA RR-7804) on a simulated SM of the GTX 280: C = A B^T with and without
 * the 16-way bank conflict at 1 to 16 warps (Tables 2 and 3), and the first half of lattice QCD's hopping with arrays
 * of structures and structures of arrays (Tables 4 and 5). Fails where a number is further from what they measured than
 * the limits below.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/papers/simulate.h"
#include "model/assume/defaults.h"
#include "model/assume/stated.h"

enum { POINTS = 5, QCD_POINTS = 3 };

static const unsigned warps[POINTS] = {1, 2, 4, 8, 16};
static const double measured_conflict[POINTS] = {55605, 55803, 71465, 107668, 186958},
                    theirs_conflict[POINTS] = {52590, 52878, 64578, 109364, 200538};
static const double measured_free[POINTS] = {17511, 17291, 18330, 23228, 33227},
                    theirs_free[POINTS] = {16746, 17528, 19510, 23630, 34896};
static const double measured_aos[QCD_POINTS] = {51053, 68383, 122430}, theirs_aos[QCD_POINTS] = {46034, 66674, 110162};
static const double measured_soa[QCD_POINTS] = {37926, 47038, 73100}, theirs_soa[QCD_POINTS] = {36202, 45204, 68104};

/* Tiles along the inner dimension: the paper does not say; its one-warp points suggest about 13. One scale factor
 * serves all ten points. */
enum { TILES = 13 };
static const double limit_time = 0.12, limit_gain = 0.20, limit_ratio = 0.20;

static double off(double predicted, double measured) { return predicted / measured - 1; }

static const char *verdict(double error, double limit, unsigned *misses)
{
    *misses += fabs(error) > limit;
    return fabs(error) > limit ? "  MISS" : "";
}

/*
 * The paper's own way (5.1): up to eight warps are one group, timed on its SM; sixteen are two groups on each of the 30
 * SMs. Cycles of the tiles: of the kernel, less those of the kernel without tiles.
 */
static bool simulate_matmul(const char *pad, double cycles[POINTS], struct gp_error *error)
{
    static struct gp_launch launch;
    struct subject subject;
    const char *arguments[] = {pad, NULL};
    if (!subject_open("gtx280", "teg/matmul.cl", "matmul_transposed", arguments, &subject, error))
        return false;
    bool done = true;
    for (int i = 0; done && i < POINTS; i++) {
        unsigned of_group = warps[i] < 8 ? warps[i] : 8, groups = warps[i] / of_group;
        struct experiment experiment = {
            .groups = groups, .resident = groups, .active_sms = groups > 1 ? subject.device->sm_count.value : 1};
        struct gp_sim_result result[2];
        for (int with = 0; done && with < 2; with++) {
            char text[128];
            snprintf(text, sizeof text, "global=%ux%u:local=16x%u:n=%d", 16 * TILES, 2 * of_group * TILES, 2 * of_group,
                     with ? 16 * TILES : 0);
            gp_launch_default(subject.kernel, &launch);
            done = gp_launch_assume(subject.kernel, &launch, text, error) &&
                   simulate(&subject, &launch, &experiment, NULL, NULL, &result[with], error);
        }
        cycles[i] = done ? result[1].cycles - result[0].cycles : NAN;
    }
    subject_close(&subject);
    return done;
}

/* The geometric mean of measured / simulated. */
static double common_scale(const double conflict[POINTS], const double without[POINTS])
{
    double sum = 0;
    for (int i = 0; i < POINTS; i++)
        sum += log(measured_conflict[i] / conflict[i]) + log(measured_free[i] / without[i]);
    return exp(sum / (2 * POINTS));
}

static void print_times(const char *title, const double cycles[], const double measured[], const double theirs[],
                        int count, double scale, double limit, unsigned *misses)
{
    printf("\n%s\n%6s %10s %10s %8s %10s %8s\n", title, "warps", "measured", "gpuperf", "error", "TEG", "error");
    for (int i = 0; i < count; i++) {
        double predicted = scale * cycles[i], error = off(predicted, measured[i]);
        printf("%6u %10.0f %10.0f %+7.1f%% %10.0f %+7.1f%%%s\n", warps[i], measured[i], predicted, 100 * error,
               theirs[i], 100 * off(theirs[i], measured[i]), limit > 0 ? verdict(error, limit, misses) : "");
    }
}

static void print_ratios(const char *title, const double above[], const double below[], const double measured_above[],
                         const double measured_below[], const double theirs_above[], const double theirs_below[],
                         int count, double limit, unsigned *misses)
{
    printf("\n%s\n%6s %10s %10s %8s %10s %8s\n", title, "warps", "measured", "gpuperf", "error", "TEG", "error");
    for (int i = 0; i < count; i++) {
        double measured = measured_above[i] / measured_below[i], predicted = above[i] / below[i],
               theirs = theirs_above[i] / theirs_below[i];
        printf("%6u %10.2f %10.2f %+7.1f%% %10.2f %+7.1f%%%s\n", warps[i], measured, predicted,
               100 * off(predicted, measured), theirs, 100 * off(theirs, measured),
               verdict(off(predicted, measured), limit, misses));
    }
}

static bool matmul(unsigned *misses, struct gp_error *error)
{
    double conflict[POINTS], without[POINTS];
    if (!simulate_matmul("-DPAD=0", conflict, error) || !simulate_matmul("-DPAD=1", without, error))
        return false;
    double scale = common_scale(conflict, without);
    printf("C = A B^T, %d tiles of 16 x 16 (the paper does not state the size); all ten points scaled by %.3f\n", TILES,
           scale);
    print_times("with the 16-way bank conflict (Table 2), cycles", conflict, measured_conflict, theirs_conflict, POINTS,
                scale, limit_time, misses);
    print_times("without (Table 3), cycles", without, measured_free, theirs_free, POINTS, scale, limit_time, misses);
    print_ratios("gain of removing it", conflict, without, measured_conflict, measured_free, theirs_conflict,
                 theirs_free, POINTS, limit_gain, misses);
    return true;
}

/* A group of 1, 2 or 4 warps on an SM of its own: TEG's cycles are of one block by clock(). */
static bool simulate_hopping(const char *layout, double cycles[QCD_POINTS], struct gp_error *error)
{
    static struct gp_launch launch;
    struct subject subject;
    const char *arguments[] = {layout, "-DSITES=4096", NULL};
    if (!subject_open("gtx280", "teg/hopping.cl", "hopping", arguments, &subject, error))
        return false;
    bool done = true;
    for (int i = 0; done && i < QCD_POINTS; i++) {
        char text[128];
        struct gp_sim_result result;
        snprintf(text, sizeof text, "global=4096:local=%u", 32 * warps[i]);
        gp_launch_default(subject.kernel, &launch);
        struct experiment experiment = {.groups = 1, .resident = 1, .active_sms = 1, .as_written = true};
        done = gp_launch_assume(subject.kernel, &launch, text, error) &&
               simulate(&subject, &launch, &experiment, NULL, NULL, &result, error);
        cycles[i] = result.cycles;
    }
    subject_close(&subject);
    return done;
}

static bool hopping(unsigned *misses, struct gp_error *error)
{
    double aos[QCD_POINTS], soa[QCD_POINTS];
    if (!simulate_hopping("-DSOA=0", aos, error) || !simulate_hopping("-DSOA=1", soa, error))
        return false;
    printf(
        "\nLattice QCD's hopping; the paper's own kernel is not in it, so only the ratio is compared with a limit\n");
    print_times("array of structures (Table 4), cycles", aos, measured_aos, theirs_aos, QCD_POINTS, 1, 0, misses);
    print_times("structure of arrays (Table 5), cycles", soa, measured_soa, theirs_soa, QCD_POINTS, 1, 0, misses);
    print_ratios("array of structures / structure of arrays", aos, soa, measured_aos, measured_soa, theirs_aos,
                 theirs_soa, QCD_POINTS, limit_ratio, misses);
    return true;
}

int main(void)
{
    struct gp_error error = {{0}};
    unsigned misses = 0;
    if (!matmul(&misses, &error) || !hopping(&misses, &error)) {
        fprintf(stderr, "teg: %s\n", error.text);
        return 1;
    }
    printf("\nlimits: 12%% of a time, 20%% of a gain or ratio; %u misses\n", misses);
    return misses > 0;
}
