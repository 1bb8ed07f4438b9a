/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The reader of thread-latency curves on curves made by hand: a limit of each kind is found where it was put. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tools/calibrate/outstanding.h"

enum { POINTS = 512, WARP = 32, MOST = 8 };

struct made {
    uint32_t threads[POINTS];
    double latency[POINTS];
};

/* Repeatable noise in [-1, 1]. */
static double noise(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (double)(*state >> 8) / (1 << 23) - 1;
}

/* 300 cycles, 2 for each line, 10 for each warp, up to one warp 3 per thread, and another trip whenever `capacity` is
 * used up. */
static struct gp_latency_curve make(struct made *made, enum gp_in_flight_kind kind, uint32_t capacity, uint32_t loads,
                                    uint32_t sharing, double loudness)
{
    uint32_t seed = 7 * loads + sharing;
    for (uint32_t i = 0; i < POINTS; i++) {
        uint32_t threads = 2 * (i + 1), warps = (threads + WARP - 1) / WARP,
                 lines = loads * ((threads + sharing - 1) / sharing);
        uint32_t used = kind == GP_IN_FLIGHT_LINES   ? lines
                        : kind == GP_IN_FLIGHT_WARPS ? loads * warps
                                                     : loads * threads;
        made->threads[i] = threads;
        made->latency[i] = 300 + 2 * lines + 10 * warps + 3 * (threads < WARP ? threads : WARP) +
                           (capacity ? 250 * ((used - 1) / capacity) : 0) + loudness * noise(&seed);
    }
    return (struct gp_latency_curve){
        .loads = loads, .sharing = sharing, .count = POINTS, .threads = made->threads, .latency = made->latency};
}

static void variance_is_the_papers(void **state)
{
    (void)state;
    double latency[] = {10, 10, 16, 16}, variance[4];
    gp_latency_variance(latency, 4, variance);
    assert_float_equal(variance[0], 0, 0);
    assert_float_equal(variance[1], 12, 1e-12); /* mean 12: (4 + 4 + 16) / 2 */
    assert_float_equal(variance[2], 12, 1e-12);
    assert_float_equal(variance[3], 0, 0);
}

static void check_spike(enum gp_in_flight_kind kind, uint32_t capacity, uint32_t loads, uint32_t sharing,
                        uint32_t before)
{
    static struct made made;
    for (int loud = 0; loud <= 1; loud++) {
        struct gp_latency_curve curve = make(&made, kind, capacity, loads, sharing, 4 * loud);
        struct gp_latency_spike spike;
        gp_find_spike(&curve, WARP, &spike);
        assert_int_equal(spike.found, before != 0);
        assert_int_equal(spike.before, before);
        assert_int_equal(spike.after, before ? before + 2 : 0);
    }
}

static void spikes_are_where_the_limit_is(void **state)
{
    (void)state;
    check_spike(GP_IN_FLIGHT_LINES, 128, 1, 1, 128);
    check_spike(GP_IN_FLIGHT_LINES, 128, 2, 1, 64);
    check_spike(GP_IN_FLIGHT_LINES, 128, 1, 2, 256);
    check_spike(GP_IN_FLIGHT_LINES, 128, 4, 8, 256);
    check_spike(GP_IN_FLIGHT_LANES, 1362, 2, 1, 680);
    check_spike(GP_IN_FLIGHT_LANES, 1362, 3, 1, 454);
    check_spike(GP_IN_FLIGHT_WARPS, 44, 2, 1, 704);
    check_spike(GP_IN_FLIGHT_LINES, 0, 1, 1,
                0); /* the rise up to one warp and the steps at warp boundaries are no spikes */
    check_spike(GP_IN_FLIGHT_LANES, 1362, 1, 1, 0);
}

struct reading_case {
    uint32_t loads, sharing;
};

static void read_all(enum gp_in_flight_kind kind, uint32_t capacity, const struct reading_case *cases, size_t count,
                     struct gp_in_flight_reading readings[GP_IN_FLIGHT_KINDS])
{
    static struct made made[MOST];
    struct gp_latency_curve curves[MOST];
    struct gp_latency_spike spikes[MOST];
    for (size_t c = 0; c < count; c++)
        curves[c] = make(&made[c], kind, capacity, cases[c].loads, cases[c].sharing, 3);
    assert_true(gp_read_limits(curves, count, WARP, spikes, readings) > 0 || capacity == 0);
}

static void names_a_table_of_lines(void **state)
{
    (void)state;
    static const struct reading_case cases[] = {{1, 1}, {2, 1}, {1, 2}, {2, 4}, {4, 8}};
    struct gp_in_flight_reading readings[GP_IN_FLIGHT_KINDS];
    read_all(GP_IN_FLIGHT_LINES, 128, cases, 5, readings);
    assert_int_equal(readings[0].kind, GP_IN_FLIGHT_LINES);
    assert_int_equal(readings[0].low, 128);
    assert_int_equal(readings[0].high, 128);
    assert_true(readings[1].low > readings[1].high); /* nothing else explains all five */
    assert_true(readings[2].low > readings[2].high);
}

static void says_what_else_explains_the_curves(void **state)
{
    (void)state;
    static const struct reading_case cases[] = {{1, 1}, {2, 1}};
    struct gp_in_flight_reading readings[GP_IN_FLIGHT_KINDS];
    read_all(GP_IN_FLIGHT_LINES, 128, cases, 2,
             readings); /* without shared lines, lines, threads and four warp loads are one */
    for (int k = 0; k < GP_IN_FLIGHT_KINDS; k++)
        assert_true(readings[k].low <= readings[k].high && readings[k].misfit == 0);
    assert_int_equal(readings[1].kind, GP_IN_FLIGHT_LANES);
    assert_int_equal(readings[1].low, 128);
    assert_int_equal(readings[2].kind, GP_IN_FLIGHT_WARPS);
    assert_int_equal(readings[2].low, 4);
}

static void names_a_table_of_warp_loads(void **state)
{
    (void)state;
    static const struct reading_case cases[] = {{1, 1}, {2, 1}, {3, 1}, {2, 4}};
    struct gp_in_flight_reading readings[GP_IN_FLIGHT_KINDS];
    read_all(GP_IN_FLIGHT_WARPS, 44, cases, 4, readings);
    assert_int_equal(readings[0].kind, GP_IN_FLIGHT_WARPS);
    assert_int_equal(readings[0].low, 44);
    assert_true(readings[0].high <= 44);
    assert_true(readings[1].low > readings[1].high);
}

/* Lashgar et al., 5.2: 680 threads with two loads, 454 with three, none with one. */
static void reads_k20_as_the_errata_do(void **state)
{
    (void)state;
    static const struct reading_case cases[] = {{1, 1}, {2, 1}, {3, 1}};
    struct gp_in_flight_reading readings[GP_IN_FLIGHT_KINDS];
    read_all(GP_IN_FLIGHT_LANES, 1362, cases, 3, readings);
    assert_int_equal(readings[0].kind, GP_IN_FLIGHT_LINES); /* the same where no line is shared */
    assert_int_equal(readings[1].kind, GP_IN_FLIGHT_LANES);
    assert_true(readings[0].low == 1362 && readings[0].high == 1363);
    assert_true(readings[1].low == 1362 && readings[1].high == 1363);
    assert_int_equal(readings[2].kind, GP_IN_FLIGHT_WARPS); /* the paper's own reading: off by some threads */
    assert_true(readings[2].low == 45 && readings[2].high == 45);
    assert_int_equal(readings[2].misfit, 8);
}

static void without_spikes_only_a_lower_bound(void **state)
{
    (void)state;
    static const struct reading_case cases[] = {{1, 1}, {2, 2}};
    struct gp_in_flight_reading readings[GP_IN_FLIGHT_KINDS];
    read_all(GP_IN_FLIGHT_LINES, 0, cases, 2, readings);
    assert_int_equal(readings[GP_IN_FLIGHT_LINES].low, 1024);
    assert_int_equal(readings[GP_IN_FLIGHT_LANES].low, 2048);
    assert_int_equal(readings[GP_IN_FLIGHT_WARPS].low, 64);
    assert_int_equal(readings[GP_IN_FLIGHT_LINES].high, UINT32_MAX);
}

static void sharing_may_be_left_out(void **state)
{
    (void)state;
    static struct made made;
    struct gp_latency_curve curve = make(&made, GP_IN_FLIGHT_LINES, 64, 1, 1, 3);
    struct gp_in_flight_reading with[GP_IN_FLIGHT_KINDS], without[GP_IN_FLIGHT_KINDS];
    struct gp_latency_spike spike;
    assert_int_equal(gp_read_limits(&curve, 1, WARP, &spike, with), 1);
    curve.sharing = 0;
    assert_int_equal(gp_read_limits(&curve, 1, WARP, &spike, without), 1);
    assert_memory_equal(with, without, sizeof with);
}

static void short_curves_have_no_spike(void **state)
{
    (void)state;
    uint32_t threads[] = {32, 34};
    double latency[] = {1, 100};
    struct gp_latency_curve curve = {.loads = 1, .sharing = 1, .count = 2, .threads = threads, .latency = latency};
    struct gp_latency_spike spike;
    gp_find_spike(&curve, WARP, &spike);
    assert_false(spike.found);
}

/* Lines of one warp go out 3 cycles apart; the lines of `beside` warps at the same time; then 1 cycle a line. */
static void check_serialisation(uint32_t beside)
{
    static struct made made;
    for (uint32_t i = 0; i < POINTS; i++) {
        uint32_t threads = 2 * (i + 1), rest = threads > beside * WARP ? threads - beside * WARP : 0;
        made.threads[i] = threads;
        made.latency[i] = 300 + 3 * (threads < WARP ? threads : WARP) + rest;
    }
    struct gp_latency_curve curve = {
        .loads = 1, .sharing = 1, .count = POINTS, .threads = made.threads, .latency = made.latency};
    struct gp_latency_serialisation found;
    gp_find_serialisation(&curve, WARP, &found);
    assert_float_equal(found.rise, 3, 1e-9);
    assert_int_equal(found.side_by_side, beside);
    assert_true(found.flat_to >= beside * WARP && found.flat_to < (beside + 1) * WARP);
}

static void warps_side_by_side_are_counted(void **state)
{
    (void)state;
    for (uint32_t beside = 1; beside <= 4; beside++)
        check_serialisation(beside);
    static struct made made;
    struct gp_latency_serialisation found;
    struct gp_latency_curve flat = make(&made, GP_IN_FLIGHT_LINES, 0, 1, 1, 0);
    for (uint32_t i = 0; i < POINTS; i++)
        made.latency[i] = 300;
    gp_find_serialisation(&flat, WARP, &found);
    assert_int_equal(found.side_by_side, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(variance_is_the_papers),
        cmocka_unit_test(spikes_are_where_the_limit_is),
        cmocka_unit_test(names_a_table_of_lines),
        cmocka_unit_test(says_what_else_explains_the_curves),
        cmocka_unit_test(names_a_table_of_warp_loads),
        cmocka_unit_test(reads_k20_as_the_errata_do),
        cmocka_unit_test(without_spikes_only_a_lower_bound),
        cmocka_unit_test(short_curves_have_no_spike),
        cmocka_unit_test(sharing_may_be_left_out),
        cmocka_unit_test(warps_side_by_side_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
