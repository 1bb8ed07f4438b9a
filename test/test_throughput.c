/* The throughput model's arithmetic on work made by hand, on the device of hand_device.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "hand_device.h"
#include "model/throughput.h"

static struct gp_device device;

static struct gp_conditions conditions(double resident)
{
    return (struct gp_conditions){.device = &device, .clock_mhz = 1000, .resident_groups = resident, .grid = {1000, 1, 1}};
}

#define assert_near(actual, expected) assert_true(fabs((actual) - 1.0 * (expected)) <= 1e-9 * fabs(1.0 * (expected)) + 1e-9)

/* 8 warps a group, 64 FP32 instructions each: 512 warp instructions / (64 lanes / 32) = 256 cycles; issue: 512 / 4 = 128. */
static void fp32_limits(void **state)
{
    (void)state;
    struct gp_work work = {.groups = 1000, .warps_per_group = 8, .lanes_used = 1, .chain = 300};
    work.pipes.issue = 64;
    work.pipes.ops[GP_PIPE_FP32] = 64;
    struct gp_conditions c = conditions(4);
    struct gp_timing t;
    gp_throughput(&work, &c, &t);
    assert_near(t.pipe_cycles[GP_LIMITER_FP32], 256);
    assert_near(t.pipe_cycles[GP_LIMITER_ISSUE], 128);
    assert_int_equal(t.limiter, GP_LIMITER_FP32);
    assert_near(t.cycles, 100 * 256); /* 100 groups per SM, the chain of 300 is hidden by 4 x 256 */
    assert_near(t.waves, 25);
}

/* One resident group whose warps each wait 1000 cycles: the chain decides. 100 groups per SM one after the other. */
static void latency_limits(void **state)
{
    (void)state;
    struct gp_work work = {.groups = 1000, .warps_per_group = 1, .lanes_used = 1, .chain = 1000};
    work.pipes.issue = 40; /* 10 cycles */
    struct gp_conditions c = conditions(1);
    struct gp_timing t;
    gp_throughput(&work, &c, &t);
    assert_near(t.cycles, 100 * 1000);
    assert_int_equal(t.limiter, GP_LIMITER_LATENCY);
    c.hide_latency = true;
    gp_throughput(&work, &c, &t);
    assert_near(t.cycles, 100 * 10);
}

/* Exposed latency: Z / sqrt(n). Four resident groups of one warp, S = 400, L = 800, Z = 600: 1600 + 600 / 2. */
static void overlap_is_imperfect(void **state)
{
    (void)state;
    struct gp_work work = {.groups = 400, .warps_per_group = 1, .lanes_used = 1, .chain = 800, .chain_memory = 600};
    work.pipes.issue = 1600;
    struct gp_conditions c = conditions(4);
    struct gp_timing t;
    gp_throughput(&work, &c, &t);
    assert_near(t.cycles, 10 * (1600 + 300));
}

/* 1000 groups of 128 KB in 1 MB of L2: 131 072 000 B at 200 B/cycle (200 GB/s, 1 GHz) = 655 360 cycles. */
static void dram_limits(void **state)
{
    (void)state;
    struct gp_buffer_work buffer = {.base = gp_ref_make(GP_REF_PARAM, 0), .group_bytes = 131072, .extent = INFINITY};
    struct gp_work work = {.groups = 1000, .warps_per_group = 1, .lanes_used = 1, .chain = 0, .buffers = &buffer, .buffer_count = 1};
    struct gp_conditions c = conditions(4);
    struct gp_timing t;
    gp_throughput(&work, &c, &t);
    assert_near(t.dram_bytes, 131072000);
    assert_near(t.cycles, 655360);
    assert_int_equal(t.limiter, GP_LIMITER_DRAM);
    buffer.shared[0] = 1; /* every group reads the same: it is fetched once */
    gp_throughput(&work, &c, &t);
    assert_near(t.dram_bytes, 131072);
}

/* Spills: 32 B stored and 32 B loaded per work-item: 16 instructions a warp; 2048 B a warp through L2 (64 B/clk and SM). */
static void spills_cost(void **state)
{
    (void)state;
    struct gp_work work = {.groups = 10, .warps_per_group = 2, .lanes_used = 1, .chain = 1};
    struct gp_conditions c = conditions(1);
    c.spill_store_bytes = c.spill_load_bytes = 32;
    struct gp_timing t;
    gp_throughput(&work, &c, &t);
    assert_near(t.pipe_cycles[GP_LIMITER_LSU], 32);
    assert_near(t.pipe_cycles[GP_LIMITER_L2], 64);
}

/* Groups that live through the whole launch: DRAM takes 1000 groups x 128 KB / 200 B = 655 360 cycles; its pipeline fills in one latency of 500, not in the chain of 9000. */
static void dram_waits_for_the_first_line_only(void **state)
{
    (void)state;
    struct gp_buffer_work buffer = {.base = gp_ref_make(GP_REF_PARAM, 0), .group_bytes = 131072, .extent = INFINITY};
    struct gp_work work = {.groups = 1000, .warps_per_group = 1, .lanes_used = 1, .chain = 9000, .buffers = &buffer, .buffer_count = 1};
    struct gp_conditions c = conditions(32);
    struct gp_timing t;
    gp_throughput(&work, &c, &t);
    assert_near(t.cycles, 655360 + 500);
}

/*
 * 100 words spilled per work-item come back one at a time: 10 groups, one per SM, have 10 x 100 x 4 B x 32 lanes = 128 KB of slots, which L2
 * (1 MB) holds: 100 x 200 cycles behind the chain of 1000. Where L2 holds half of that they come from DRAM: 100 x 500.
 */
static void spilled_registers_are_waited_for(void **state)
{
    (void)state;
    struct gp_work work = {.groups = 10, .warps_per_group = 1, .lanes_used = 1, .chain = 1000};
    struct gp_conditions c = conditions(1);
    struct gp_timing t;
    c.spill_store_bytes = c.spill_load_bytes = 400;
    gp_throughput(&work, &c, &t);
    assert_near(t.cycles, 1000 + 100 * 200);
    device.l2_size.value = 65536;
    gp_throughput(&work, &c, &t);
    assert_near(t.dram_bytes, 10 * 800 * 32); /* stored, and loaded again */
    assert_near(t.cycles, 10 * 800 * 32 / 200.0 + 100 * 500); /* DRAM's time beside what the lone warp waits for */
    device.llc_size.value = 8 << 20; /* a third level reads and writes at the same time */
    device.llc_gbps.value = 100;
    assert_near(gp_llc_cycles(&work, &c, 10), 10 * 400 * 32 / 100.0);
}

/*
 * Behind L2 a third level of 100 GB/s (100 B/cycle) and 8 MB: 10 groups work on 4 MB, of which L2 holds a quarter, and read 1 MB each from L2:
 * three quarters of 10 MB at 100 B a cycle.
 */
static void a_third_level_delivers_what_l2_does_not_hold(void **state)
{
    (void)state;
    struct gp_buffer_work buffer = {.base = gp_ref_make(GP_REF_PARAM, 0), .group_bytes = 419430.4, .extent = INFINITY};
    struct gp_memory_work memory = {.requests = 1, .l2_bytes = 1048576};
    struct gp_work work = {.groups = 10, .warps_per_group = 1, .lanes_used = 1, .memory = &memory, .memory_count = 1, .buffers = &buffer, .buffer_count = 1};
    struct gp_conditions c = conditions(1);
    struct gp_timing t;
    device.llc_size.value = 8 << 20;
    device.llc_gbps.value = 100;
    device.llc_latency.value = 300;
    gp_throughput(&work, &c, &t);
    assert_near(t.cycles, 0.75 * 10 * 1048576 / 100);
}

/* The same groups side by side on the same bytes: what the third level delivers it delivers once for all of them. */
static void a_third_level_delivers_what_groups_share_once(void **state)
{
    (void)state;
    struct gp_buffer_work buffer = {.base = gp_ref_make(GP_REF_PARAM, 0), .group_bytes = 4194304, .shared = {1, 1, 1}, .extent = INFINITY};
    struct gp_memory_work memory = {.requests = 1, .l2_bytes = 1048576};
    struct gp_work work = {.groups = 10, .warps_per_group = 1, .lanes_used = 1, .memory = &memory, .memory_count = 1, .buffers = &buffer, .buffer_count = 1};
    struct gp_conditions c = conditions(1);
    device.llc_size.value = 8 << 20;
    device.llc_gbps.value = 100;
    assert_near(gp_llc_cycles(&work, &c, 10), 0.75 * 1048576 / 100);
}

/*
 * One group per SM, whose warp waits 1000 cycles for five accesses of 200 to what it touched before. They work on 4 MB, of which L2 holds a
 * quarter: three accesses in four take the 300 cycles more of the third level's 500.
 */
static void what_l2_does_not_hold_comes_later(void **state)
{
    (void)state;
    struct gp_buffer_work buffer = {.base = gp_ref_make(GP_REF_PARAM, 0), .group_bytes = 419430.4, .extent = INFINITY};
    struct gp_memory_work memory = {.requests = 5, .misses = 5, .again = 5, .latency = 1000, .stall = 1000};
    struct gp_work work = {.groups = 10, .warps_per_group = 1, .lanes_used = 1, .chain = 1000, .chain_memory = 1000, .memory = &memory, .memory_count = 1,
                           .buffers = &buffer, .buffer_count = 1};
    struct gp_conditions c = conditions(1);
    struct gp_timing t;
    c.no_bandwidth = true;
    device.llc_size.value = 8 << 20;
    device.llc_latency.value = 500;
    gp_throughput(&work, &c, &t);
    assert_near(t.chain, 1000 + 5 * 0.75 * 300);
}

/* AMD issues an access beside a vector instruction of another wave: 30 of 40 instructions share the slots. */
static void accesses_issue_beside_vector_instructions_on_amd(void **state)
{
    (void)state;
    struct gp_memory_work memory = {.requests = 10};
    struct gp_work work = {.groups = 10, .warps_per_group = 4, .lanes_used = 1, .memory = &memory, .memory_count = 1};
    work.pipes.issue = 40;
    struct gp_conditions c = conditions(1);
    struct gp_timing t;
    gp_throughput(&work, &c, &t);
    assert_near(t.pipe_cycles[GP_LIMITER_ISSUE], 40);
    device.arch = GP_ARCH_RDNA;
    gp_throughput(&work, &c, &t);
    assert_near(t.pipe_cycles[GP_LIMITER_ISSUE], 30);
}

/* 11 groups on 10 SMs, one resident: two rounds in step, 1.1 fluid; half the loss remains: 1.1 + 0.5 * 0.9 when the tail is
 * of whole groups per SM: per_sm = ceil(1.1) = 2. Without the tail 1.1 groups. */
static void tail(void **state)
{
    (void)state;
    struct gp_work work = {.groups = 11, .warps_per_group = 4, .lanes_used = 1, .chain = 0};
    work.pipes.issue = 100;
    struct gp_conditions c = conditions(1);
    struct gp_timing t;
    gp_throughput(&work, &c, &t);
    assert_near(t.cycles, 200);
    c.no_tail = true;
    gp_throughput(&work, &c, &t);
    assert_near(t.cycles, 110);
}

/* More bandwidth is never slower, a narrower pipe never faster. */
static void monotone(void **state)
{
    (void)state;
    struct gp_buffer_work buffer = {.base = gp_ref_make(GP_REF_PARAM, 0), .group_bytes = 5000, .extent = INFINITY};
    struct gp_memory_work memory = {.requests = 10, .wavefronts = 40, .l2_bytes = 1280};
    struct gp_work work = {.groups = 777, .warps_per_group = 3, .lanes_used = 1, .chain = 900, .chain_memory = 500,
                           .memory = &memory, .memory_count = 1, .buffers = &buffer, .buffer_count = 1};
    work.pipes.issue = 50;
    work.pipes.ops[GP_PIPE_FP32] = 40;
    double last = INFINITY;
    for (double gbps = 10; gbps < 2000; gbps *= 1.7) {
        device.dram_gbps.value = gbps;
        struct gp_conditions c = conditions(5);
        struct gp_timing t;
        gp_throughput(&work, &c, &t);
        assert_true(t.cycles <= last);
        last = t.cycles;
    }
}

static int fresh_device(void **state)
{
    (void)state;
    device = hand_device();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(fp32_limits, fresh_device),
        cmocka_unit_test_setup(a_third_level_delivers_what_groups_share_once, fresh_device),
        cmocka_unit_test_setup(what_l2_does_not_hold_comes_later, fresh_device), cmocka_unit_test_setup(latency_limits, fresh_device),
        cmocka_unit_test_setup(overlap_is_imperfect, fresh_device), cmocka_unit_test_setup(dram_limits, fresh_device),
        cmocka_unit_test_setup(spills_cost, fresh_device), cmocka_unit_test_setup(tail, fresh_device),
        cmocka_unit_test_setup(monotone, fresh_device), cmocka_unit_test_setup(dram_waits_for_the_first_line_only, fresh_device),
        cmocka_unit_test_setup(spilled_registers_are_waited_for, fresh_device),
        cmocka_unit_test_setup(a_third_level_delivers_what_l2_does_not_hold, fresh_device),
        cmocka_unit_test_setup(accesses_issue_beside_vector_instructions_on_amd, fresh_device)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
