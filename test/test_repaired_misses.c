/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What loads find in L1 once they are coalesced. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "model/findings/repair.h"
#include "model/observe/coalesced_misses.h"
#include "test/hand_device.h"

#define assert_near(actual, expected) \
    assert_true(fabs((actual)-1.0 * (expected)) <= 1e-9 * fabs(1.0 * (expected)) + 1e-9)

static const struct gp_l1_fill fill = {.l2_latency = 200, .dram_latency = 500, .line = 128, .port = 64, .held = 65536};

/* 320 requests of 32 lanes, each along a row of floats: every 32nd brings 32 lines of 128 bytes from DRAM. */
static struct gp_memory_work walking(void)
{
    return (struct gp_memory_work){.requests = 320,
                                   .together = 1,
                                   .transactions = 320 * 32,
                                   .ideal.transactions = 320,
                                   .bytes = 320 * 32 * 128,
                                   .useful_bytes = 320 * 128,
                                   .misses = 10,
                                   .ideal.misses = 10,
                                   .l2_bytes = 320 * 128,
                                   .ideal.l2_bytes = 10 * 128,
                                   .reuse.asked_anew = 320,
                                   .reuse.walked_over = 320,
                                   .latency = 310 * 30 + 10 * 500,
                                   .ideal.latency = 310 * 30 + 10 * 500,
                                   .dram_latency = 10 * 300,
                                   .ideal.dram_latency = 10 * 300};
}

static void walks_are_seen(void **state)
{
    (void)state;
    assert_near(gp_walked(4, 4, 128).anew, 1);
    assert_near(gp_walked(16, 4, 128).whole, 4);   /* unrolled */
    assert_near(gp_walked(4, 16, 128).anew, 0.25); /* a window */
    assert_near(gp_walked(0, 4, 128).anew, 0);
    assert_near(gp_walked(4096, 4, 128).whole, 1);
    assert_near(gp_walked(-1, 4, 128).anew, 1);
}

/* Side by side each asks for 128 bytes that nobody has brought. */
static void every_coalesced_request_of_a_walk_misses(void **state)
{
    (void)state;
    struct gp_memory_work m = walking();
    const struct gp_l1_access l1 = {.hit = 30};
    gp_repair_misses(&fill, &l1, &m, 1, 1);
    assert_near(m.ideal.misses, 320);
    assert_near(m.ideal.latency, 320 * 500);
    assert_near(m.ideal.dram_latency, 320 * 300);
    assert_near(m.ideal.l2_bytes, 320 * 128);
}

/* What another warp brought is there in any order of the lanes; a second load of the same place asks for nothing. */
static void what_others_brought_is_found(void **state)
{
    (void)state;
    struct gp_memory_work m[2] = {walking(), walking()};
    const struct gp_l1_access l1[2] = {{.hit = 30}, {.hit = 30}};
    for (int i = 0; i < 2; i++)
        m[i].misses = 1 - i, m[i].l2_bytes = (1 - i) * 32 * 128, m[i].dram_latency = (1 - i) * 300;
    gp_repair_misses(&fill, l1, m, 2, 1);
    assert_near(m[0].ideal.misses, 32);
    assert_near(m[1].ideal.misses, 0);
}

/* Unrolled, one of two loads brings what the other finds; coalesced, each brings its own part, and both together no
 * more. */
static void what_enters_is_parted(void **state)
{
    (void)state;
    struct gp_memory_work m[2] = {walking(), walking()};
    const struct gp_l1_access l1[2] = {{.hit = 30}, {.hit = 30}};
    m[1].shape.first_offset = 4;
    m[0].l2_bytes = 2 * 320 * 128, m[0].misses = 20;
    m[1].l2_bytes = m[1].misses = m[1].dram_latency = 0;
    gp_repair_misses(&fill, l1, m, 2, 1);
    for (int i = 0; i < 2; i++) {
        assert_near(m[i].ideal.misses, 320);
        assert_near(m[i].ideal.l2_bytes, 320 * 128);
    }
}

/* A second loop over the same finds what L1 still holds; else it brings all of it again, which DRAM need not send. */
static void a_later_pass_comes_again(void **state)
{
    (void)state;
    for (int lost = 0; lost < 2; lost++) {
        struct gp_memory_work m[2] = {walking(), walking()};
        const struct gp_l1_access l1[2] = {{.hit = 30, .loop = 0}, {.hit = 30, .loop = 1}};
        m[1].reuse.again = m[1].misses, m[1].dram_latency = m[1].ideal.dram_latency = 0;
        m[1].reuse.lost = 10, m[1].reuse.since = 10 * (lost ? 2 : 0.5) * fill.held;
        gp_repair_misses(&fill, l1, m, 2, 1);
        assert_near(m[0].ideal.misses, 320);
        assert_near(m[0].ideal.again, 0);
        assert_near(m[1].ideal.misses, lost ? 320 : 10);
        assert_near(m[1].ideal.again, lost ? 320 : 10);
        assert_near(m[1].ideal.dram_latency, 0);
        if (lost)
            assert_near(m[1].ideal.l2_bytes, 320 * 128);
    }
}

/* What is brought between two passes shrinks as the first does: then L1 may hold it. */
static void less_is_brought_between_passes(void **state)
{
    (void)state;
    struct gp_memory_work m[2] = {walking(), walking()};
    const struct gp_l1_access l1[2] = {{.hit = 30, .loop = 0}, {.hit = 30, .loop = 1}};
    for (int i = 0; i < 2; i++) /* each iteration finds that L1 has lost the lines of the one before */
        m[i].misses = 320, m[i].l2_bytes = 320 * 32 * 128, m[i].reuse.stayed_bytes = (31 + i) * 320 * 128;
    m[1].reuse.lost = 10, m[1].reuse.since = 10 * 2 * fill.held;
    gp_repair_misses(&fill, l1, m, 2, 1);
    assert_near(m[0].ideal.l2_bytes, 320 * 128);
    assert_near(m[1].ideal.misses, 0);
    assert_near(m[1].ideal.since, m[1].reuse.since / 32);
}

/* An unknown L1 leaves it all as it was. */
static void others_stay(void **state)
{
    (void)state;
    struct gp_memory_work m = walking();
    const struct gp_l1_access l1 = {.hit = 0};
    gp_repair_misses(&fill, &l1, &m, 1, 1);
    assert_near(m.ideal.misses, 10);
    assert_near(m.ideal.latency, 310 * 30 + 10 * 500);
}

/* Two loads under way together, one of which is waited for: of what both wait longer the wait grows by the longer once.
 */
static void waits_grow_once(void **state)
{
    (void)state;
    struct gp_device device = hand_device();
    struct gp_buffer_work buffer = {.base = gp_ref_make(GP_REF_PARAM, 0), .group_bytes = 320 * 128, .extent = INFINITY};
    struct gp_memory_work m[2] = {walking(), walking()};
    const struct gp_l1_access l1[2] = {{.hit = 30}, {.hit = 30}};
    m[1].shape.first_offset = 65536;
    m[1].waits = 320, m[1].stall = m[1].chain_stall = 320 * 20;
    gp_repair_misses(&fill, l1, m, 2, 1);
    struct gp_branch_work none;
    struct gp_work work = {.groups = 10,
                           .warps_per_group = 1,
                           .lanes_used = 1,
                           .chain = 10000,
                           .chain_memory = 320 * 20,
                           .memory = m,
                           .memory_count = 2,
                           .buffers = &buffer,
                           .buffer_count = 1,
                           .branches = &none};
    struct gp_conditions c = {.device = &device, .clock_mhz = 1000, .resident_groups = 1, .grid = {10, 1, 1}};
    struct gp_repair r;
    gp_repair_begin(&r, &work, &c);
    double more = 320 * 500 - (310 * 30 + 10 * 500);
    for (int times = 0; times < 2; times++) {
        gp_coalesce(&r, 0);
        assert_near(r.work.chain, 10000 + more);
        gp_coalesce(&r, 1);
        assert_near(r.work.chain, 10000 + more);
        gp_repair_reset(&r);
        assert_near(r.work.chain, 10000);
    }
    r.work.memory[1].ideal.latency =
        m[1].latency /
        2; /* that it answers sooner itself takes off half of what it was waited for, not of what the other is */
    gp_coalesce(&r, 0);
    gp_coalesce(&r, 1);
    assert_near(r.work.chain, 10000 + more - 320 * 10);
    gp_repair_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(walks_are_seen),
                                       cmocka_unit_test(every_coalesced_request_of_a_walk_misses),
                                       cmocka_unit_test(what_others_brought_is_found),
                                       cmocka_unit_test(what_enters_is_parted),
                                       cmocka_unit_test(a_later_pass_comes_again),
                                       cmocka_unit_test(less_is_brought_between_passes),
                                       cmocka_unit_test(others_stay),
                                       cmocka_unit_test(waits_grow_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
