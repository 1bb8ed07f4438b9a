/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The readers of calibration curves, on curves that are made by their own laws, with 5% noise. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tools/calibrate/readers.h"

enum { MOST = 96, REPEATS = 25 };

static uint64_t state = 1;

/* About normal, of the spread. */
static double noisy(double value, double spread)
{
    double sum = -6;
    for (int i = 0; i < 12; i++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        sum += (double)(state >> 11) / (double)(UINT64_C(1) << 53);
    }
    return value * (1 + spread * sum);
}

/* What a probe hands on: the median of repeats with 5% noise. */
static double measured(double value)
{
    double repeats[REPEATS];
    for (int i = 0; i < REPEATS; i++)
        repeats[i] = noisy(value, 0.05);
    return gp_median(repeats, REPEATS, NULL);
}

static void assert_within(double value, double expected, double share)
{
    if (!(fabs(value - expected) <= share * expected))
        fail_msg("%g, not %g", value, expected);
}

static void medians_stand_outliers(void **unused)
{
    (void)unused;
    double even[] = {4, 1, 3, 100}, odd[] = {5, 1, 100}, spread;
    assert_true(gp_median(even, 4, &spread) == 3.5 && gp_median(odd, 3, NULL) == 5);
    assert_true(isnan(gp_median(odd, 0, NULL)));
}

static void slopes_stand_outliers(void **unused)
{
    (void)unused;
    double x[16], y[16], slope;
    for (int i = 0; i < 16; i++) {
        x[i] = i + 1;
        y[i] = i == 3 ? 500 : measured(7 * (i + 1));
    }
    assert_true(gp_read_slope(x, y, 16, &slope));
    assert_within(slope, 7, 0.05);
    assert_false(gp_read_slope(x, y, 1, &slope));
}

/* A device of two caches and DRAM, its lines by chance in sets or in turn. */
static void levels_come_back(bool hashed, unsigned ways)
{
    double x[MOST], y[MOST];
    size_t count = 0;
    struct gp_levels levels;
    for (double bytes = 2048; bytes < 64e6 && count < MOST; bytes *= pow(2, 0.25)) {
        x[count] = bytes;
        y[count++] = measured(33 + 200 * gp_chase_misses(bytes, 131072, ways, hashed) +
                              300 * gp_chase_misses(bytes, 4 << 20, 2 * ways, hashed));
    }
    gp_read_levels(x, y, count, GP_FLAT, &levels);
    assert_int_equal(levels.count, 3);
    assert_within(levels.levels[0].latency, 33, 0.05);
    assert_within(levels.levels[1].latency, 233, 0.05);
    assert_within(levels.levels[2].latency, 533, 0.05);
    assert_within(levels.levels[0].bytes, 131072, 0.1);
    assert_within(levels.levels[1].bytes, 4 << 20, 0.1);
    assert_true(levels.levels[2].bytes == 0);
}

static void caches_of_random_sets_come_back(void **unused)
{
    (void)unused;
    levels_come_back(true, 4);
    levels_come_back(true, 16);
}

static void caches_of_sets_in_turn_come_back(void **unused)
{
    (void)unused;
    levels_come_back(false, 8);
}

static void a_flat_curve_shows_no_cache(void **unused)
{
    (void)unused;
    double x[MOST], y[MOST];
    struct gp_levels levels;
    for (size_t i = 0; i < 40; i++) {
        x[i] = pow(2, 10 + 0.25 * (double)i);
        y[i] = measured(440);
    }
    gp_read_levels(x, y, 40, GP_FLAT, &levels);
    assert_int_equal(levels.count, 1);
    assert_within(levels.levels[0].latency, 440, 0.03);
    gp_read_levels(x, y, 0, GP_FLAT, &levels);
    assert_int_equal(levels.count, 0);
}

/* A CPU's: each level rises by a fifth with the pages that it spans, from the second megabyte on. */
static void rising_plateaus_come_back(void **unused)
{
    (void)unused;
    double x[MOST], y[MOST];
    struct gp_levels levels;
    size_t count = 0;
    for (double bytes = 4096; bytes < 128e6 && count < MOST; bytes *= pow(2, bytes < 1e6 ? 0.25 : 0.5)) {
        double pages = 1 + 0.2 * fmin(1, fmax(0, log2(bytes / 1e6) / 4));
        x[count] = bytes;
        y[count++] = measured(pages * (4 + 10 * gp_chase_misses(bytes, 49152, 12, false) +
                                       36 * gp_chase_misses(bytes, 1 << 20, 16, true) +
                                       450 * gp_chase_misses(bytes, 24 << 20, 16, true)));
    }
    gp_read_levels(x, y, count, GP_FLAT_PAGED, &levels);
    assert_int_equal(levels.count, 4);
    assert_within(levels.levels[1].latency, 14, 0.05);
    assert_within(levels.levels[2].latency, 55, 0.1);
    assert_within(levels.levels[1].bytes, 1 << 20, 0.15);
    assert_within(levels.levels[2].bytes, 24 << 20, 0.2);
}

/* Others use so much of the last cache that its plateau is not to be seen: L2's end is not known, however well some
 * number fits. */
static void a_level_between_is_missed(void **unused)
{
    (void)unused;
    double x[MOST], y[MOST];
    struct gp_levels levels;
    size_t count = 0;
    for (double bytes = 4096; bytes < 128e6 && count < MOST; bytes *= pow(2, bytes < 1e6 ? 0.25 : 0.5)) {
        double rising = bytes > 1.5e6 && bytes < 4e7 ? 30 * pow(bytes / 1.5e6, 0.8) : 0;
        x[count] = bytes;
        y[count++] = measured(bytes >= 4e7 ? 500
                                           : 4 + 10 * gp_chase_misses(bytes, 49152, 12, false) +
                                                 20 * gp_chase_misses(bytes, 1 << 20, 16, true) + rising);
    }
    gp_read_levels(x, y, count, GP_FLAT_PAGED, &levels);
    assert_int_equal(levels.count, 3);
    assert_within(levels.levels[0].bytes, 49152, 0.15);
    assert_true(levels.levels[1].bytes == 0);
}

/* DRAM, then DRAM with translations that are missing: behind the L2 that the driver tells of there is no cache. */
static void translations_are_no_cache(void **unused)
{
    (void)unused;
    double x[MOST], y[MOST];
    struct gp_levels levels;
    size_t count = 0;
    for (double bytes = 4096; bytes < 4e9 && count < MOST; bytes *= pow(2, bytes < 1e7 ? 0.25 : 0.5)) {
        x[count] = bytes;
        y[count++] = measured(33 + 200 * gp_chase_misses(bytes, 131072, 4, true) +
                              300 * gp_chase_misses(bytes, 4 << 20, 16, true) +
                              150 * gp_chase_misses(bytes, 128 << 20, 16, true));
    }
    gp_read_levels(x, y, count, GP_FLAT, &levels);
    assert_int_equal(levels.count, 4);
    gp_end_levels(x, 4 << 20, &levels);
    assert_int_equal(levels.count, 3);
    assert_within(levels.levels[1].bytes, 4 << 20, 0.1);
    assert_within(levels.levels[2].latency, 533, 0.05);
    assert_true(levels.levels[2].bytes == 0);
}

static void misses_are_shares(void **unused)
{
    (void)unused;
    assert_true(gp_chase_misses(100, 1000, 4, false) == 0 && gp_chase_misses(2000, 1000, 4, false) == 1);
    assert_true(gp_chase_misses(1000, 1e6, 4, true) < 1e-6 && gp_chase_misses(1e9, 1000, 64, true) == 1);
    assert_within(gp_chase_misses(1000, 1000, 1, true), 1 - exp(-1), 1e-9);
}

/* A step of banks: passes double with the stride until all lanes meet. */
static void steps_come_back(void **unused)
{
    (void)unused;
    double x[] = {1, 2, 4, 8, 16, 32, 64}, y[7], at;
    for (int i = 0; i < 7; i++)
        y[i] = measured(fmin(32, x[i]));
    assert_true(gp_read_step(x, y, 7, &at) && at == 32);
    for (int i = 0; i < 7; i++)
        y[i] = measured(8);
    assert_false(gp_read_step(x, y, 7, &at));
    assert_false(gp_read_first_step(x, y, 7, &at));
    for (int i = 0; i < 7; i++)
        y[i] = measured(x[i] < 16 ? 300 : x[i] < 64 ? 400 : 570);
    assert_true(gp_read_first_step(x, y, 7, &at) && at == 16);
}

/* The gap of Lashgar et al.'s copies: 768 KB of 8 ns each, from 64 KB to 4 MB. */
static void ends_of_growth_come_back(void **unused)
{
    (void)unused;
    double x[64], y[64], end, slope;
    for (int i = 0; i < 64; i++) {
        x[i] = 64 * (i + 1);
        y[i] = measured(8 * fmin(x[i], 768));
    }
    assert_true(gp_read_end(x, y, 64, &end, &slope));
    assert_within(end, 768, 0.05);
    assert_within(slope, 8, 0.03);
    for (int i = 0; i < 64; i++)
        y[i] = measured(8 * x[i]);
    assert_false(gp_read_end(x, y, 64, &end, &slope));
    for (int i = 0; i < 64; i++)
        y[i] = i % 2 ? 1 : -1; /* no gap at all */
    assert_false(gp_read_end(x, y, 64, &end, &slope));
    assert_false(gp_read_end(x, y, 4, &end, &slope));
}

/* 164 KB, of which each group loses 1 KB. */
static void room_for_groups_comes_back(void **unused)
{
    (void)unused;
    double each[] = {7680, 10240, 12288, 20480, 32768, 40960}, groups[6], low, high;
    for (int i = 0; i < 6; i++)
        groups[i] = floor(164 * 1024 / (each[i] + 1024));
    assert_true(gp_read_room(each, groups, 6, &low, &high));
    assert_within((low + high) / 2, 164 * 1024, 0.02);
    assert_false(gp_read_room(each, groups, 0, &low, &high));
    groups[0] = 1;
    assert_false(gp_read_room(each, groups, 6, &low, &high));
}

/* Warps of 64 cycles each of the bandwidth, 500 of latency, k = 3. */
static void knees_come_back(void **unused)
{
    (void)unused;
    double warps[] = {1, 2, 4, 8, 16, 32}, cycles[6], latency, k, misfit;
    for (int i = 0; i < 6; i++)
        cycles[i] = measured(cbrt(pow(500, 3) + pow(64 * warps[i], 3)));
    assert_true(gp_read_knee(warps, cycles, 6, 64, &latency, &k, &misfit));
    assert_within(latency, 500, 0.05);
    assert_within(k, 3, 0.15);
    assert_true(misfit < 0.05);
    assert_false(gp_read_knee(warps, cycles, 3, 64, &latency, &k, &misfit)); /* nobody waits for bandwidth yet */
}

/* ---- Lee et al.: groups that end together, or one behind the other ----------------------------------------------- */

static void staircases_are_shares(void **unused)
{
    (void)unused;
    double together[] = {100, 101, 100, 99}, stairs[] = {25, 50, 75, 100};
    assert_within(gp_read_staircase(together, 4), 2 / 101.0, 1e-9);
    assert_within(gp_read_staircase(stairs, 4), 0.75, 1e-9);
    assert_true(gp_read_staircase(stairs, 0) == 0);
}

static void policies_are_told_apart(void **unused)
{
    (void)unused;
    assert_int_equal(gp_read_policy(0.01, 0.02, 0.01, 0.01, false), GP_READ_IN_TURN);
    assert_int_equal(gp_read_policy(0.69, 0.81, 0.78, 0.79, false), GP_READ_OLDEST_FIRST);
    assert_int_equal(gp_read_policy(0, 0.77, 0.83, 0.81, false), GP_READ_OLDEST_GROUP);
    assert_int_equal(gp_read_policy(0.1, 0.1, 0.5, 0.6, false), GP_READ_NO_POLICY); /* some do */
    assert_int_equal(gp_read_policy(0.78, 0.79, 0.82, 0.82, true), GP_READ_NO_POLICY);
    assert_int_equal(gp_read_policy(0.01, 0.02, 0.01, 0.01, true), GP_READ_IN_TURN);
}

/* Groups of one to four parts of work, four at a time. */
static void refills_are_told_apart(void **unused)
{
    (void)unused;
    double more[2][12], later[2][12];
    for (int i = 0; i < 12; i++) {
        double work = 10 * (1 + i % 4);
        more[0][i] = i < 4 ? 0 : more[1][i - 4];
        more[1][i] = more[0][i] + work;
        later[0][i] = measured(40 * (i / 4));
        later[1][i] = measured(40 * (i / 4) + work);
    }
    assert_int_equal(gp_read_refill(more[0], more[1], 12, 4), GP_REFILL_AT_ONCE);
    assert_int_equal(gp_read_refill(later[0], later[1], 12, 4), GP_REFILL_BY_WAVES);
    assert_int_equal(gp_read_refill(more[0], more[1], 4, 4), GP_REFILL_UNKNOWN);
}

/* ---- Hong & Kim: points from their own equations ----------------------------------------------------------------- */

static const double table4[7][2] = {{0, 23}, {1, 18}, {1, 30}, {2, 29}, {2, 37}, {4, 51}, {6, 65}}; /* loads, of all */
static const struct gp_departure_machine fx5600 = {1.35, 76.8, 32, 128}, gtx280 = {1.3, 141.7, 8, 128};

/* As many warps of all SMs, and one. Returns how many points. */
static size_t hong_kim_points(const struct gp_departure_machine *m, const double parameters[], bool barriers,
                              double noise, struct gp_departure_point *points)
{
    size_t count = 0;
    for (int i = 0; i < 7; i++)
        for (int kind = 0; kind < (barriers ? 4 : 3); kind++) { /* coalesced, not, of one warp, with barriers */
            struct gp_departure_point p = {.loads = table4[i][0],
                                           .instructions = table4[i][1],
                                           .compute = 4 * table4[i][1],
                                           .warps = kind == 2 ? 1 : 24,
                                           .sms = kind == 2 ? 1 : 16,
                                           .coalesced = kind != 1,
                                           .barriers = kind == 3};
            p.cycles = gp_departure_cycles(m, &p, parameters);
            p.cycles = noise > 0 ? measured(p.cycles) : p.cycles;
            points[count++] = p;
        }
    return count;
}

static void the_equations_give_the_printed_cpi(void **unused)
{
    (void)unused;
    static const double parameters[] = {420, 10, 4}, cpi[] = {4, 17.8, 10.7, 22.1, 17.3, 25.1, 29.5};
    struct gp_departure_point points[32];
    hong_kim_points(&fx5600, parameters, false, 0, points);
    for (int i = 0; i < 7; i++)
        assert_within(points[3 * i + 1].cycles / (24 * table4[i][1]), cpi[i], 0.005);
}

/* Table 6. Without barriers the coalesced delay is only bounded: computation hides it until Mb7's MWP is no more than
 * its CWP. */
static void departures_come_back(const struct gp_departure_machine *m, const double table6[], double noise, double near)
{
    struct gp_departure_point points[32];
    struct gp_departures d;
    assert_true(gp_read_departures(m, points, hong_kim_points(m, table6, true, noise, points), &d));
    for (int p = 0; p < GP_DEPARTURE_COUNT; p++) { /* barriers' part of the times is of the noise's size */
        if (p == GP_DEPARTURE_COALESCED && noise > 0)
            continue;
        assert_within(d.value[p], table6[p], near);
        assert_true(d.told[p]);
    }
    assert_true(gp_read_departures(m, points, hong_kim_points(m, table6, false, noise, points), &d));
    assert_within(d.value[GP_DEPARTURE_LATENCY], table6[0], near);
    assert_within(d.value[GP_DEPARTURE_UNCOALESCED], table6[1], near);
    assert_false(d.told[GP_DEPARTURE_COALESCED]);
    assert_within(d.high[GP_DEPARTURE_COALESCED], table6[0] / ((6 * table6[0] + 4 * 65) / (4 * 65)),
                  noise > 0 ? 0.3 : 0.15);
}

static void departures_of_the_equations_come_back(void **unused)
{
    (void)unused;
    static const double of_fx5600[] = {420, 10, 4}, of_gtx280[] = {450, 40, 4};
    departures_come_back(&fx5600, of_fx5600, 0, 0.02);
    departures_come_back(&gtx280, of_gtx280, 0, 0.02);
    departures_come_back(&fx5600, of_fx5600, 0.05, 0.15);
}

static void points_that_are_no_times_tell_nothing(void **unused)
{
    (void)unused;
    static const double parameters[] = {420, 10, 4};
    struct gp_departure_point points[32];
    struct gp_departures d;
    size_t count = hong_kim_points(&fx5600, parameters, false, 0, points);
    assert_false(gp_read_departures(&fx5600, points, 2, &d));
    points[4].cycles = 0;
    assert_false(gp_read_departures(&fx5600, points, count, &d));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(medians_stand_outliers),
        cmocka_unit_test(slopes_stand_outliers),
        cmocka_unit_test(caches_of_random_sets_come_back),
        cmocka_unit_test(caches_of_sets_in_turn_come_back),
        cmocka_unit_test(a_flat_curve_shows_no_cache),
        cmocka_unit_test(rising_plateaus_come_back),
        cmocka_unit_test(a_level_between_is_missed),
        cmocka_unit_test(translations_are_no_cache),
        cmocka_unit_test(misses_are_shares),
        cmocka_unit_test(steps_come_back),
        cmocka_unit_test(ends_of_growth_come_back),
        cmocka_unit_test(room_for_groups_comes_back),
        cmocka_unit_test(knees_come_back),
        cmocka_unit_test(staircases_are_shares),
        cmocka_unit_test(policies_are_told_apart),
        cmocka_unit_test(refills_are_told_apart),
        cmocka_unit_test(the_equations_give_the_printed_cpi),
        cmocka_unit_test(departures_of_the_equations_come_back),
        cmocka_unit_test(points_that_are_no_times_tell_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
