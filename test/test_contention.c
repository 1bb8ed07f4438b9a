/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What is left of atomics whose groups combine first. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "model/findings/repair.h"
#include "model/timing/atomics.h"
#include "test/hand_device.h"

#define assert_near(actual, expected) \
    assert_true(fabs((actual)-1.0 * (expected)) <= 1e-9 * fabs(1.0 * (expected)) + 1e-9)

/* Of a group of eight warps: each lane adds to one of 64 words in two lines, and three lanes meet another. */
static struct gp_memory_work adding(void)
{
    return (struct gp_memory_work){.requests = 1,
                                   .atomics.operations = 32,
                                   .atomics.contention = 3,
                                   .atomics.asked_lines = 2,
                                   .transactions = 8,
                                   .ideal.transactions = 4,
                                   .atomics.lines = 2,
                                   .atomics.addresses = 64,
                                   .wavefronts = 1,
                                   .l2_bytes = 256,
                                   .writes = true};
}

static struct gp_memory_work repaired(struct gp_memory_work memory, void repair(struct gp_repair *, uint32_t))
{
    struct gp_device device = hand_device();
    struct gp_buffer_work buffer = {.base = gp_ref_make(GP_REF_PARAM, 0), .group_bytes = 256, .extent = 256};
    struct gp_branch_work none;
    struct gp_work work = {.groups = 100,
                           .warps_per_group = 8,
                           .lanes_used = 1,
                           .memory = &memory,
                           .memory_count = 1,
                           .buffers = &buffer,
                           .buffer_count = 1,
                           .branches = &none};
    struct gp_conditions c = {.device = &device, .clock_mhz = 1000, .resident_groups = 1, .grid = {100, 1, 1}};
    struct gp_repair r;
    device.atomic_local_clk.value = 2;
    gp_repair_begin(&r, &work, &c);
    repair(&r, 0);
    repair(&r, 0); /* once is enough */
    struct gp_memory_work result = r.work.memory[0];
    gp_repair_end(&r);
    return result;
}

/* 256 operations become 64, side by side; the lanes that met take turns in local memory. */
static void a_group_keeps_one_for_each_address(void **state)
{
    (void)state;
    struct gp_memory_work m = repaired(adding(), gp_combine_in_groups);
    assert_near(m.atomics.operations, 8);
    assert_near(m.atomics.asked_lines, 0.25);
    assert_near(m.transactions, 1);
    assert_near(m.l2_bytes, 32);
    assert_near(m.wavefronts, 1 + 3 * 2);
    assert_near(m.atomics.contention, 0);
}

/* As many addresses as operations: all stay, but no two lanes of a warp meet. */
static void as_many_addresses_save_nothing_but_turns(void **state)
{
    (void)state;
    struct gp_memory_work m = adding();
    m.atomics.addresses = 256, m.atomics.lines = 8;
    m = repaired(m, gp_combine_in_groups);
    assert_near(m.atomics.operations, 32);
    assert_near(m.atomics.asked_lines, 1);
    assert_near(m.atomics.contention, 0);
}

/* All to one: a tree of five steps. */
static void a_sum_is_a_tree(void **state)
{
    (void)state;
    struct gp_memory_work m = adding();
    m.atomics.addresses = m.atomics.lines = 1, m.atomics.contention = 31;
    m = repaired(m, gp_combine_in_groups);
    assert_near(m.atomics.operations, 1.0 / 8);
    assert_near(m.wavefronts, 1 + 5 * 2); /* each of which loads and stores */
}

/* What combining leaves may be too much: nobody meets anybody. */
static void apart_nothing_is_left(void **state)
{
    (void)state;
    struct gp_memory_work m = repaired(adding(), gp_no_contention);
    assert_near(m.atomics.operations, 0);
    assert_near(m.atomics.contention, 0);
    assert_near(m.wavefronts, 1);
    assert_near(m.l2_bytes, 64);
}

/*
 * 100 groups of eight warps of 32 lanes that each exchange until they succeed: on one address all but the first wait
 * for the one before, 200 cycles each; on as many addresses as there are work-items nobody does. What each of two
 * exchanges adds up on a buffer. A group that combines makes one exchange. CPUs' cores keep the line.
 */
static void exchanges_follow_each_other(void **state)
{
    (void)state;
    struct gp_device device = hand_device();
    struct gp_memory_work memory[2] = {{.requests = 32,
                                        .atomics.operations = 528,
                                        .atomics.successes = 32,
                                        .atomics.contention = 496,
                                        .transactions = 32,
                                        .atomics.lines = 1,
                                        .atomics.addresses = 1,
                                        .writes = true}};
    struct gp_work work = {.groups = 100, .warps_per_group = 8, .lanes_used = 1, .memory = memory, .memory_count = 1};
    struct gp_conditions conditions = {.device = &device}; /* none is resident beside another */
    device.l2_latency.value = 200;
    assert_near(gp_retry_cycles(&work, &conditions, 0), 200 * (25600 - 1));
    memory[0].atomics.addresses = 256;
    assert_near(gp_retry_cycles(&work, &conditions, 0), 200 * (100 - 1));
    memory[0].atomics.addresses = 25600;
    assert_near(gp_retry_cycles(&work, &conditions, 0), 0);
    memory[0].atomics.addresses = INFINITY;
    assert_near(gp_retry_cycles(&work, &conditions, 0), 0);
    memory[0].atomics.addresses = 1;
    memory[1] = memory[0];
    work.memory_count = 2;
    assert_near(gp_retry_cycles(&work, &conditions, 0), 200 * (51200 - 1));
    hand_arch(&device, GP_ARCH_CPU);
    assert_near(gp_retry_cycles(&work, &conditions, 0), 0);
}

/*
 * Those that fail take as long: all resident warps' exchanges, of two lines and 32 words 4.5 cycles each; if all else
 * takes longer than the exchanges by themselves, as many fewer try at a time. Lanes on addresses of their own succeed
 * one by one: the average of 32 is waiting for a quarter of its warp's time.
 */
static void failed_exchanges_take_turns(void **state)
{
    (void)state;
    struct gp_device device = hand_device();
    struct gp_memory_work memory = {.requests = 1,
                                    .atomics.operations = 32,
                                    .atomics.successes = 32,
                                    .transactions = 8,
                                    .atomics.asked_lines = 2,
                                    .atomics.lines = 2,
                                    .atomics.addresses = 32,
                                    .writes = true};
    struct gp_work work = {.groups = 1e6, .warps_per_group = 8, .lanes_used = 1, .memory = &memory, .memory_count = 1};
    struct gp_conditions conditions = {.device = &device, .resident_groups = 4};
    hand_arch(&device, GP_ARCH_AMPERE);
    device.sm_count.value = 10;
    device.l2_latency.value = 200;
    device.atomic_global_clk.value = 1;
    double resident = 10 * 4 * 8, trips = 8e6 - 1, round = resident * (1 - resident / 16e6) * 4.5;
    assert_near(gp_retry_cycles(&work, &conditions, 0), trips * round);
    assert_near(gp_retry_cycles(&work, &conditions, 2 * trips * 200), trips * round / 2);
    assert_near(gp_retry_cycles(&work, &conditions, 1e3 * trips * 200), trips * 200);
    memory.scattered = 1;
    assert_near(gp_retry_cycles(&work, &conditions, 0), trips * round / (log(32) + 0.5772));
}

static void a_group_exchanges_once(void **state)
{
    (void)state;
    struct gp_memory_work m = adding();
    m.atomics.operations = 528, m.atomics.successes = 32, m.atomics.addresses = m.atomics.lines = 1,
    m.atomics.contention = 31;
    assert_near(repaired(m, gp_combine_in_groups).atomics.successes, 1.0 / 8);
    assert_near(repaired(m, gp_no_contention).atomics.successes, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_group_keeps_one_for_each_address),
                                       cmocka_unit_test(as_many_addresses_save_nothing_but_turns),
                                       cmocka_unit_test(a_sum_is_a_tree),
                                       cmocka_unit_test(apart_nothing_is_left),
                                       cmocka_unit_test(exchanges_follow_each_other),
                                       cmocka_unit_test(failed_exchanges_take_turns),
                                       cmocka_unit_test(a_group_exchanges_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
