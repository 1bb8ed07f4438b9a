/* Hong & Kim's equations: their Table 2, and Cases 1 to 7 of their Figures 5 to 8 worked by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "model/mwp_cwp.h"

#define assert_within(actual, expected, share) assert_true(fabs((actual) - 1.0 * (expected)) <= (share) * fabs(1.0 * (expected)))

/* Tiled matrix multiplication of their Figure 12 on an imaginary GPU: 80 GB/s, 1 GHz, 16 SMs. */
static void table_2(void **state)
{
    (void)state;
    struct gp_mwp_inputs in = {.issue_cycles = 4, .frequency_ghz = 1, .bandwidth_gbps = 80, .memory_latency = 420, .departure_uncoalesced = 10,
                               .departure_coalesced = 4, .warps_per_block = 4, .blocks = 80, .active_sms = 16, .active_blocks_per_sm = 5,
                               .computation_insts = 27, .uncoalesced_insts = 6, .barriers = 6, .transactions_per_uncoalesced = 32, .load_bytes_per_warp = 128};
    struct gp_mwp_result r;
    gp_mwp_cwp(&in, &r);
    assert_within(r.departure_delay, 320, 0);
    assert_within(r.memory_latency, 730, 0);
    assert_within(r.mwp, 2.28, 0.001);
    assert_within(r.cwp, 20, 0);
    assert_within(r.cwp_full, 34.18, 0.001);
    assert_within(r.computation_cycles, 132, 0);
    assert_within(r.memory_cycles, 4380, 0);
    assert_within(r.application_cycles, 38450, 0.001);
    assert_within(r.barrier_cycles, 12288, 0.002); /* 12300 with MWP in full precision */
    assert_within(r.cycles, 50738, 0.001);
    assert_int_equal(r.which, GP_MWP_MEMORY);
}

/* A machine on which MWP is what the departure delay makes it: latency / delay; issue takes one cycle; one block. */
static struct gp_mwp_inputs figure(double warps, double memory_insts, double memory_period, double computation_period, double mwp)
{
    return (struct gp_mwp_inputs){.issue_cycles = 1, .frequency_ghz = 1, .bandwidth_gbps = 1e9, .memory_latency = memory_period,
                                  .departure_uncoalesced = memory_period / mwp, .departure_coalesced = memory_period / mwp, .warps_per_block = warps,
                                  .blocks = 1, .active_sms = 1, .active_blocks_per_sm = 1,
                                  .computation_insts = memory_insts * (computation_period - 1), .coalesced_insts = memory_insts,
                                  .transactions_per_uncoalesced = 32, .load_bytes_per_warp = 128};
}

static double cycles_of(struct gp_mwp_inputs in, enum gp_mwp_case which)
{
    struct gp_mwp_result r;
    gp_mwp_cwp(&in, &r);
    assert_int_equal(r.which, which);
    return r.cycles;
}

/* Figure 5: CWP 4 > MWP 2. Eight warps of one period each: 4 memory periods, and by (23) one computation period of
 * (MWP - 1); the figure draws 2. Four warps of two periods: the same. Memory 300, computation 100. */
static void case_1_and_2(void **state)
{
    (void)state;
    assert_within(cycles_of(figure(8, 1, 300, 100, 2), GP_MWP_MEMORY), 4 * 300 + 100, 1e-12);
    assert_within(cycles_of(figure(4, 2, 300, 100, 2), GP_MWP_MEMORY), 4 * 300 + 100, 1e-12);
}

/* Figure 6: MWP 8 > CWP 4: eight computation periods and one memory period. */
static void case_3_and_4(void **state)
{
    (void)state;
    assert_within(cycles_of(figure(8, 1, 300, 100, 8), GP_MWP_COMPUTATION), 300 + 8 * 100, 1e-12);
    assert_within(cycles_of(figure(4, 2, 250, 100, 4), GP_MWP_COMPUTATION), 250 + 8 * 100, 1e-12);
}

/* Figure 7: computation longer than memory, CWP below 2: eight computation periods and one memory period. */
static void case_5(void **state)
{
    (void)state;
    assert_within(cycles_of(figure(8, 1, 80, 100, 8), GP_MWP_COMPUTATION), 80 + 8 * 100, 1e-12);
    assert_within(cycles_of(figure(8, 1, 80, 100, 1), GP_MWP_COMPUTATION), 80 + 8 * 100, 1e-12); /* also when MWP is small */
}

/* Figure 8: as many warps as MWP and CWP. One warp of two periods: all in sequence. Two warps: one more computation period. */
static void case_6_and_7(void **state)
{
    (void)state;
    assert_within(cycles_of(figure(1, 2, 300, 100, 1), GP_MWP_TOO_FEW_WARPS), 2 * 300 + 2 * 100, 1e-12);
    assert_within(cycles_of(figure(2, 2, 300, 100, 2), GP_MWP_TOO_FEW_WARPS), 2 * 300 + 2 * 100 + 100, 1e-12);
}

static void no_memory(void **state)
{
    (void)state;
    struct gp_mwp_inputs in = figure(4, 0, 300, 100, 2);
    in.computation_insts = 50;
    assert_within(cycles_of(in, GP_MWP_COMPUTATION_ONLY), 4 * 50, 1e-12);
}

/* (6): bandwidth bounds MWP. 128 B in 400 cycles at 1 GHz is 0.32 GB/s a warp; 3.2 GB/s over 2 SMs carry 5 warps. */
static void bandwidth_bounds_mwp(void **state)
{
    (void)state;
    struct gp_mwp_inputs in = figure(16, 4, 400, 10, 100);
    struct gp_mwp_result r;
    in.bandwidth_gbps = 3.2;
    in.active_sms = 2;
    gp_mwp_cwp(&in, &r);
    assert_within(r.mwp_peak_bw, 5, 1e-12);
    assert_within(r.mwp, 5, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(table_2), cmocka_unit_test(case_1_and_2), cmocka_unit_test(case_3_and_4), cmocka_unit_test(case_5),
                                       cmocka_unit_test(case_6_and_7), cmocka_unit_test(no_memory), cmocka_unit_test(bandwidth_bounds_mwp)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
