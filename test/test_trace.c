/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The simulated SM on traces made by hand: every expected time is worked out in the comment. */
#include "trace_fixture.h"

#include "hwdb/hwdb.h"
#include "model/trace/trace_queue.h"

static struct hand h;

/* ---- Issue ------------------------------------------------------------------------------------------------------- */

/* Four instructions of 4 cycles' latency: one after the other 0, 4, 8, 12 -> 16; independent 0, 1, 2, 3 -> 7. */
static void dependences(void **state)
{
    (void)state;
    for (int chained = 0; chained <= 1; chained++) {
        hand_start(&h);
        hand_block(&h);
        int slot = -1;
        for (int i = 0; i < 4; i++)
            slot = hand_after(&h, compute_op(4, GP_UNIT_FP32, 1), chained ? slot : -1);
        hand_visit(&h, 0, 1);
        struct gp_simulation s = hand_simulation(&h, 1, 1);
        hand_run(&h, &s);
        assert_near(h.result.cycles, chained ? 16 : 7);
        assert_int_equal(h.result.steps, 4);
    }
}

/* Two groups of a warp, three independent instructions each. In turn: 0 2 4 and 1 3 5; greedy: 0 1 2 and 3 4 5. */
static void policies(void **state)
{
    (void)state;
    static const double finish[][2] = {{8, 9}, {6, 9}};
    for (int greedy = 0; greedy <= 1; greedy++) {
        hand_start(&h);
        h.sm.policy = greedy ? GP_POLICY_GREEDY_OLDEST : GP_POLICY_ROUND_ROBIN;
        hand_block(&h);
        for (int i = 0; i < 3; i++)
            hand_after(&h, compute_op(4, GP_UNIT_FP32, 1), -1);
        hand_visit(&h, 0, 1);
        struct gp_simulation s = hand_simulation(&h, 2, 1);
        hand_run(&h, &s);
        assert_near(h.finish[0], finish[greedy][0]);
        assert_near(h.finish[1], finish[greedy][1]);
    }
}

/*
 * Two waves of a vector instruction, a scalar one and a vector one, each waiting 4 cycles for the one before; a vector
 * instruction takes its turn for 4. The first wave's scalar one issues at 4 beside the second's vector one, so that its
 * second vector one follows at 8, the other's at 12 -> 16. Where a scalar one waits for its turn, both wait until 8 for
 * it: 12 and 16 -> 20.
 */
static void scalar_instructions_issue_beside(void **state)
{
    (void)state;
    for (int beside = 0; beside <= 1; beside++) {
        hand_start(&h);
        h.sm.issue_interval = 4;
        h.sm.issues_beside = beside;
        hand_block(&h);
        int slot = hand_after(&h, compute_op(4, GP_UNIT_FP32, 4), -1);
        struct gp_sim_op scalar = compute_op(4, GP_UNIT_SCALAR, 1);
        scalar.issue = scalar.hold = 0;
        hand_after(&h, compute_op(4, GP_UNIT_FP32, 4), hand_after(&h, scalar, slot));
        hand_visit(&h, 0, 1);
        struct gp_simulation s = hand_simulation(&h, 2, 1);
        hand_run(&h, &s);
        assert_near(h.result.cycles, beside ? 16 : 20);
    }
}

/*
 * TEG, Table 1: single-precision instructions of GT200 issue every 4 cycles from several warps, every 8 from one; 24
 * cycles of latency. Ten independent ones: one warp issues the last at 72 -> 96; two warps at 76 -> 100.
 */
static void same_warp_interval(void **state)
{
    (void)state;
    for (uint32_t warps = 1; warps <= 2; warps++) {
        hand_start(&h);
        h.sm.issue_interval = 2;
        h.sm.same_warp = 8;
        hand_block(&h);
        for (int i = 0; i < 10; i++)
            hand_after(&h, compute_op(24, GP_UNIT_FP32, 4), -1);
        hand_visit(&h, 0, 1);
        struct gp_simulation s = hand_simulation(&h, 1, warps);
        hand_run(&h, &s);
        assert_near(h.result.cycles, warps == 1 ? 96 : 100);
    }
}

/* A unit that is busy for 8 cycles: two warps of two instructions each issue at 0, 8, 16, 24 -> 24 + 10. Waiting for
 * it: 3 x 7. */
static void contention(void **state)
{
    (void)state;
    hand_start(&h);
    hand_block(&h);
    hand_after(&h, compute_op(10, GP_UNIT_FP64, 8), -1);
    hand_after(&h, compute_op(10, GP_UNIT_FP64, 8), -1);
    hand_visit(&h, 0, 1);
    struct gp_simulation s = hand_simulation(&h, 2, 1);
    hand_run(&h, &s);
    assert_near(h.result.cycles, 34);
    assert_near(h.result.busy[GP_UNIT_FP64], 32);
    assert_near(h.result.waits[GP_WAIT_UNIT], 21);
}

/* Two schedulers with units of their own: the same warps no longer meet: 0, 8 -> 18 each. */
static void partitions(void **state)
{
    (void)state;
    hand_start(&h);
    h.sm.schedulers = 2;
    h.sm.partitioned[GP_UNIT_FP64] = true;
    hand_block(&h);
    hand_after(&h, compute_op(10, GP_UNIT_FP64, 8), -1);
    hand_after(&h, compute_op(10, GP_UNIT_FP64, 8), -1);
    hand_visit(&h, 0, 1);
    struct gp_simulation s = hand_simulation(&h, 2, 1);
    hand_run(&h, &s);
    assert_near(h.result.cycles, 18);
    assert_near(h.result.busy[GP_UNIT_FP64], 16); /* of each */
}

/* Five groups, two resident, 10 cycles each and 3 to start one: 3..13, 16..26, 29..39; the fifth runs alone. */
static void groups_follow(void **state)
{
    (void)state;
    hand_start(&h);
    h.sm.schedulers = 2;
    h.sm.dispatch = 3;
    hand_block(&h);
    hand_after(&h, compute_op(10, GP_UNIT_FP32, 0), -1);
    hand_visit(&h, 0, 1);
    struct gp_simulation s = hand_simulation(&h, 5, 1);
    s.resident_groups = 2;
    hand_run(&h, &s);
    static const double starts[] = {3, 3, 16, 16, 29};
    for (int g = 0; g < 5; g++) {
        assert_near(h.start[g], starts[g]);
        assert_near(h.finish[g], starts[g] + 10);
    }
}

/* A visit that stands for 50: 4 cycles before it, 6 in it, 4 behind it are 4 + 300 + 4. */
static void weights_multiply(void **state)
{
    (void)state;
    hand_start(&h);
    hand_block(&h);
    int slot = hand_after(&h, compute_op(4, GP_UNIT_FP32, 1), -1);
    hand_block(&h);
    slot = hand_after(&h, compute_op(6, GP_UNIT_FP32, 1), slot);
    hand_block(&h);
    hand_after(&h, compute_op(4, GP_UNIT_FP32, 1), slot);
    hand_visit(&h, 0, 1);
    hand_visit(&h, 1, 50);
    hand_visit(&h, 2, 1);
    struct gp_simulation s = hand_simulation(&h, 1, 1);
    hand_run(&h, &s);
    assert_near(h.result.cycles, 4 + 50 * 6 + 4);
    assert_near(h.result.instructions, 52);
    assert_near(h.result.busy[GP_UNIT_FP32], 52);
    s = hand_simulation(
        &h, 1,
        2); /* the second warp starts a cycle later and waits for the unit, which the first has for 50: 4, 50, 300, 4 */
    hand_run(&h, &s);
    assert_near(h.result.cycles, 4 + 50 + 50 * 6 + 4);
}

/* ---- Wang et al., Figure 2 --------------------------------------------------------------------------------------- */

/*
 * Two groups of four warps, the trace (comp, constMem, comp, localMem, barrier, comp, globalMem). An operation locks
 * its resource for its delay and takes its latency: comp 10 and 10, constMem 1 and 8, localMem 2 and 6, globalMem 4
 * and 35. Nothing else is in the way: no issue slots. Warps w = 0..7:
 *
 *   1st comp   10 w .. 10 w + 10         constMem until 10 w + 18
 *   2nd comp   80 + 10 w .. 90 + 10 w    (the unit is busy until 80 with the 1st)     localMem until 96 + 10 w
 *   barrier    first group at 126, second at 166
 *   3rd comp   160 + 10 w .. 170 + 10 w  (busy until 160 with the 2nd: computation hides the barrier)
 *   globalMem  until 205 + 10 w: 235 and 275
 *
 * With two more accesses to global memory before the barrier the groups come to it at 96 + 30 + 70 = 196 and 236:
 * between the 2nd and the 3rd comp the unit idles for t_gap = 36 cycles, the 3rd comps end at 236 and 276, all at 271
 * and 311.
 */
static void hybrid_figure_2(void **state)
{
    (void)state;
    for (int more = 0; more <= 1; more++) {
        hand_start(&h);
        h.sm.same_warp = 0;
        hand_block(&h);
        struct gp_sim_op comp = compute_op(10, GP_UNIT_FP32, 10), constant = compute_op(8, GP_UNIT_SFU, 1);
        struct gp_sim_op local = compute_op(6, GP_UNIT_LSU, 2), global = compute_op(35, GP_UNIT_FP64, 4),
                         barrier = barrier_op();
        comp.issue = constant.issue = local.issue = global.issue = barrier.issue = 0;
        comp.hold = constant.hold = local.hold = global.hold = barrier.hold = 0;
        int slot = hand_after(&h, comp, -1);
        slot = hand_after(&h, constant, slot);
        slot = hand_after(&h, comp, slot);
        slot = hand_after(&h, local, slot);
        for (int i = 0; i < 2 * more; i++)
            slot = hand_after(&h, global, slot);
        hand_after(&h, barrier, slot);
        slot = hand_after(&h, comp, -1);
        hand_after(&h, global, slot);
        hand_visit(&h, 0, 1);
        struct gp_simulation s = hand_simulation(&h, 2, 4);
        hand_run(&h, &s);
        assert_near(h.finish[0], more ? 271 : 235);
        assert_near(h.finish[1], more ? 311 : 275);
        assert_near(h.result.busy[GP_UNIT_FP32], 240);
        /* comp runs without a break until 240, or stands still for t_gap */
        assert_near(h.finish[1] - 35 - h.result.busy[GP_UNIT_FP32], more ? 36 : 0);
    }
}

/* ---- Barriers ---------------------------------------------------------------------------------------------------- */

/* Two warps at 0 and 1, an instruction of 5, barrier (latency 7), one of 4. The second arrives at 6, issues until 7:
 * both go on at 14. */
static void barriers(void **state)
{
    (void)state;
    hand_start(&h);
    h.sm.barrier_latency = 7;
    hand_block(&h);
    int slot = hand_after(&h, compute_op(5, GP_UNIT_FP32, 1), -1);
    hand_after(&h, barrier_op(), slot);
    hand_after(&h, compute_op(4, GP_UNIT_FP32, 1), -1);
    hand_visit(&h, 0, 1);
    struct gp_simulation s = hand_simulation(&h, 1, 2);
    hand_run(&h, &s);
    assert_near(h.result.cycles, 14 + 1 + 4); /* the second of them issues a cycle later */
    s.repairs.no_barrier = true;
    hand_run(&h, &s);
    assert_near(h.result.cycles, 8 + 4); /* issued: 0, 1; the barriers at 5, 6; 7, 8 */
}

/* ---- Requests in flight (Lashgar et al., section 2) -------------------------------------------------------------- */

/*
 * Four MSHR entries, one request of six lines that leave a cycle apart: 0..3 go, the fifth waits for the first entry
 * (100), the sixth for the second (101) -> 201.
 */
static void mshr_entries(void **state)
{
    (void)state;
    hand_start(&h);
    h.sm.mshr_entries = 4;
    h.sm.mshr_merges = 8;
    hand_block(&h);
    hand_after(&h, memory_op(0), -1);
    hand_visit(&h, 0, 1);
    hand_load(&h, 0, 1000, 6, GP_PATH_L2);
    struct gp_simulation s = hand_simulation(&h, 1, 1);
    hand_run(&h, &s);
    assert_near(h.result.cycles, 201);
    h.sm.mshr_entries = 6;
    hand_run(&h, &s);
    assert_near(h.result.cycles, 105);
}

/* Entries that merge two requests: of three warps that ask for one line the third finds it full and waits; with four it
 * does not. */
static void mshr_merges(void **state)
{
    (void)state;
    for (uint32_t merges = 2; merges <= 4; merges += 2) {
        hand_start(&h);
        h.sm.l1 = (struct gp_cache_shape){.bytes = 4096, .line = 128, .ways = 4, .latency = 10};
        h.sm.mshr_entries = 4;
        h.sm.mshr_merges = merges;
        hand_block(&h);
        hand_after(&h, memory_op(0), -1);
        hand_after(&h, memory_op(1), -1);
        hand_visit(&h, 0, 1);
        hand_load(&h, 0, 1000, 1, GP_PATH_L1);
        hand_load(&h, 1, 2000, 1, GP_PATH_L1);
        static const int64_t none[2] = {0, 0};
        struct gp_simulation s = hand_simulation(&h, 1, 3);
        s.group_step = s.warp_step = none;
        hand_run(&h, &s);
        /* In turn: the line at 0, merged at 1 and 2; the other from 3 on, or from 100 on when the load/store unit stood
         */
        assert_near(h.result.cycles, merges == 2 ? 200 : 103);
    }
}

/*
 * Two PRT entries: a request each, however many lines. Three warps with 4 lines each, replayed in turn: the second ends
 * at 4 + 3 + 100 = 107, and gives its entry back with the first; the third's 4 lines are there at 210. With one line
 * each, the first entry is free at 100.
 */
static void prt_entries(void **state)
{
    (void)state;
    for (uint32_t lines = 1; lines <= 4; lines += 3) {
        hand_start(&h);
        h.sm.prt_entries = 2;
        hand_block(&h);
        hand_after(&h, memory_op(0), -1);
        hand_visit(&h, 0, 1);
        hand_load(&h, 0, 1000, lines, GP_PATH_L2);
        static const int64_t far[1] = {100};
        struct gp_simulation s = hand_simulation(&h, 1, 3);
        s.warp_step = far;
        double waits = lines > 1 ? 210 : 200;
        hand_run(&h, &s);
        assert_near(h.result.cycles, waits);
        h.sm.prt_entries = 3;
        hand_run(&h, &s); /* 0, 4, 8 or 0, 1, 2: the load/store unit takes a cycle for each line */
        assert_near(h.result.cycles, 3 * lines - 1 + 100);
        h.sm.prt_entries = 0;
        h.sm.prt_lanes = 64; /* two warps' lanes: the same limit */
        hand_run(&h, &s);
        assert_near(h.result.cycles, waits);
    }
}

/*
 * A cluster's pipeline of 2 bytes a cycle, 100 cycles long, holds 200 bytes: six segments. The seventh enters when the
 * first is done, at 100, the eighth at 16 + 100; the warp is held so long, and its addition (latency 1) comes then.
 * Segment 7 begins at 112, when the bytes before it have gone.
 */
static void cluster_pipeline(void **state)
{
    (void)state;
    hand_start(&h);
    h.sm.cluster_bytes = 2;
    h.sm.cluster_sms = 1;
    hand_block(&h);
    hand_after(&h, memory_op(0), -1);
    hand_after(&h, compute_op(1, GP_UNIT_COUNT, 0), -1);
    hand_visit(&h, 0, 1);
    hand_load(&h, 0, 1000, 6, GP_PATH_L2);
    struct gp_simulation s = hand_simulation(&h, 1, 1);
    hand_run(&h, &s);
    assert_near(h.result.cycles, 5 * 16 + 100); /* six fit: served one by one */
    h.trace.access_count = h.segment_count = 0;
    hand_load(&h, 0, 1000, 8, GP_PATH_L2);
    hand_run(&h, &s);
    assert_near(h.result.cycles, 116 + 100); /* the eighth enters at 116 and is served at once */
}

/* Ten further passes, a cycle each: where they hold the warp its next instruction, 40 cycles long, issues at 10, else
 * at 1. */
static void replays_hold_a_warp(void **state)
{
    (void)state;
    for (int hold = 0; hold <= 1; hold++) {
        hand_start(&h);
        h.sm.replays_hold = hold;
        hand_block(&h);
        hand_after(&h, memory_op(0), -1);
        hand_after(&h, compute_op(40, GP_UNIT_COUNT, 0), -1);
        hand_visit(&h, 0, 1);
        hand_load(&h, 0, 0, 1, GP_PATH_LOCAL)->replays = 10;
        struct gp_simulation s = hand_simulation(&h, 1, 1);
        hand_run(&h, &s);
        assert_near(h.result.cycles, hold ? 50 : 41);
    }
}

/* Four lanes a cycle: three warps' loads, there at 100, 101 and 102, are in registers at 100, 108 and 116. */
static void return_lanes(void **state)
{
    (void)state;
    hand_start(&h);
    h.sm.return_lanes = 4;
    hand_block(&h);
    hand_after(&h, memory_op(0), -1);
    hand_visit(&h, 0, 1);
    hand_load(&h, 0, 1000, 1, GP_PATH_L2);
    struct gp_simulation s = hand_simulation(&h, 1, 3);
    static const int64_t far[1] = {100};
    s.warp_step = far;
    hand_run(&h, &s);
    assert_near(h.result.cycles, 116);
}

/*
 * Two loads go out side by side, each its own lines two passes apart: a load of four lines sends them at 0, 2, 4 and 6,
 * the second warp's at 1, 3, 5 and 7, the third's behind them at 8, 9, 10 and 11. One after the other the first is
 * there earlier and the third at the same time.
 */
static void load_replays(void **state)
{
    (void)state;
    static const double one_after_the_other[3] = {103, 107, 111}, side_by_side[3] = {106, 107, 111};
    for (uint32_t aside = 1; aside <= 2; aside++) {
        for (uint32_t warps = 1; warps <= 3; warps++) {
            hand_start(&h);
            h.sm.load_replays = aside;
            h.sm.port_bytes = 32; /* a line a cycle: later warps take the gaps that the first leaves */
            hand_block(&h);
            hand_after(&h, memory_op(0), -1);
            hand_visit(&h, 0, 1);
            hand_load(&h, 0, 1000, 4, GP_PATH_L2)->wavefronts = 4;
            struct gp_simulation s = hand_simulation(&h, 1, warps);
            static const int64_t far[1] = {100};
            s.warp_step = far;
            hand_run(&h, &s);
            assert_near(h.result.cycles, aside == 1 ? one_after_the_other[warps - 1] : side_by_side[warps - 1]);
        }
    }
}

/* A warp may wait for two loads: the third issues when the first is there. */
static void loads_of_a_warp(void **state)
{
    (void)state;
    hand_start(&h);
    h.sm.warp_loads = 2;
    hand_block(&h);
    for (uint32_t m = 0; m < 3; m++)
        hand_after(&h, memory_op(m), -1);
    hand_visit(&h, 0, 1);
    for (uint32_t m = 0; m < 3; m++)
        hand_load(&h, m, 1000 + 100 * m, 1, GP_PATH_L2);
    struct gp_simulation s = hand_simulation(&h, 1, 1);
    hand_run(&h, &s);
    assert_near(h.result.cycles, 200);
}

/* ---- Bandwidth and channels -------------------------------------------------------------------------------------- */

/*
 * 32 bytes a cycle for 4 active SMs: every segment of 32 bytes takes the device 4 cycles. Eight of them leave a cycle
 * apart; the last begins at 28 -> 128. All in one of four channels: each takes 16: the last begins at 112 -> 212;
 * spread over four: 4 x ... the second of the same channel at 16 -> 119.
 */
static void bandwidth(void **state)
{
    (void)state;
    hand_start(&h);
    h.sm.dram_bytes = 32;
    hand_block(&h);
    hand_after(&h, memory_op(0), -1);
    hand_visit(&h, 0, 1);
    hand_load(&h, 0, 0, 8, GP_PATH_L2);
    struct gp_simulation s = hand_simulation(&h, 1, 1);
    s.active_sms = 4;
    hand_run(&h, &s);
    assert_near(h.result.cycles, 128);
    assert_near(h.result.dram, 32);
    h.sm.channels = 4;
    h.sm.channel_bytes = 256; /* the eight segments lie in one channel */
    hand_run(&h, &s);
    assert_near(h.result.cycles, 212);
    h.sm.channel_bytes = 32;
    hand_run(&h, &s); /* segments 0..3 begin at 0..3, 4..7 at 16..19 */
    assert_near(h.result.cycles, 119);
    h.sm.channel_bytes = 256;
    s.repairs.even_channels = true;
    hand_run(&h, &s);
    assert_near(h.result.cycles, 128);
    s.repairs.no_bandwidth = true;
    hand_run(&h, &s);
    assert_near(h.result.cycles, 107);
}

/* A block of so many memory operations, each waiting for the one before, visited once. */
static void chain_of_loads(uint32_t count)
{
    int slot = -1;
    hand_block(&h);
    for (uint32_t m = 0; m < count; m++)
        slot = hand_after(&h, memory_op(m), slot);
    hand_visit(&h, 0, 1);
}

/* L1 of two lines, two ways: a b a c b. The third finds a; c drives b out, which is the least recently used; b misses
 * again. */
static void least_recently_used(void **state)
{
    (void)state;
    hand_start(&h);
    h.sm.l1 = (struct gp_cache_shape){.bytes = 256, .line = 128, .ways = 2, .latency = 10};
    static const uint64_t segments[] = {4, 8, 4, 12, 8};
    chain_of_loads(5);
    for (uint32_t m = 0; m < 5; m++)
        hand_load(&h, m, segments[m], 1, GP_PATH_L1);
    struct gp_simulation s = hand_simulation(&h, 1, 1);
    hand_run(&h, &s);
    assert_near(h.result.l1_hits, 1);
    assert_near(h.result.cycles, 4 * 100 + 10);
}

/*
 * L1 of one line: b is asked for while a is on its way and finds no room, so that a is there for the third load; then b
 * takes its place, and the fifth finds it. 0 -> 100 (a), 110, 210 (b), 220.
 */
static void lines_on_their_way(void **state)
{
    (void)state;
    hand_start(&h);
    h.sm.l1 = (struct gp_cache_shape){.bytes = 128, .line = 128, .ways = 1, .latency = 10};
    static const uint64_t segments[] = {4, 8, 4, 8, 8};
    hand_block(&h);
    int a = hand_after(&h, memory_op(0), -1);
    hand_after(&h, memory_op(1), -1);
    int last = a;
    for (uint32_t m = 2; m < 5; m++)
        last = hand_after(&h, memory_op(m), last);
    hand_visit(&h, 0, 1);
    for (uint32_t m = 0; m < 5; m++)
        hand_load(&h, m, segments[m], 1, GP_PATH_L1);
    struct gp_simulation s = hand_simulation(&h, 1, 1);
    hand_run(&h, &s);
    assert_near(h.result.l1_hits, 2);
    assert_near(h.result.cycles, 2 * 100 + 2 * 10);
}

/* A line is there by sectors: its second sector is fetched by itself. */
static void sectors(void **state)
{
    (void)state;
    hand_start(&h);
    h.sm.l1 = (struct gp_cache_shape){.bytes = 4096, .line = 128, .ways = 4, .latency = 10};
    static const uint64_t segments[] = {4, 5, 4, 5};
    chain_of_loads(4);
    for (uint32_t m = 0; m < 4; m++)
        hand_load(&h, m, segments[m], 1, GP_PATH_L1);
    struct gp_simulation s = hand_simulation(&h, 1, 1);
    hand_run(&h, &s);
    assert_near(h.result.l1_hits, 2);
    assert_near(h.result.cycles, 2 * 100 + 2 * 10);
}

/*
 * Four loads, one after the other, of segments that nobody knows: of a range of one segment all but the first are hits;
 * of a large one none is, and over many loads of many warps its segments lie evenly in the channels: as fast as if
 * there were one channel of all the bandwidth.
 */
static void segments_nobody_knows(void **state)
{
    (void)state;
    for (int large = 0; large <= 1; large++) {
        hand_start(&h);
        h.sm.l1 = (struct gp_cache_shape){.bytes = 4096, .line = 128, .ways = 4, .latency = 10};
        const struct gp_segment_range range = {1000, large ? 1 << 27 : 1}, ranges[4] = {range, range, range, range};
        chain_of_loads(4);
        for (uint32_t m = 0; m < 4; m++)
            hand_load(&h, m, GP_SEGMENT_ANY + 64 * m, 1, GP_PATH_L1);
        struct gp_simulation s = hand_simulation(&h, 1, 1);
        s.ranges = ranges;
        hand_run(&h, &s);
        assert_near(h.result.l1_hits, large ? 0 : 3);
        assert_near(h.result.cycles, large ? 4 * 100 : 100 + 3 * 10);
    }
    double cycles[2];
    for (int channels = 0; channels <= 1; channels++) {
        hand_start(&h);
        h.sm.channels = channels ? 8 : 1;
        h.sm.channel_bytes = 256;
        h.sm.dram_bytes = 1;
        const struct gp_segment_range range = {1000, 1 << 27};
        hand_block(&h);
        hand_op(&h, memory_op(0), NULL);
        hand_visit(&h, 0, 1);
        hand_load(&h, 0, GP_SEGMENT_ANY, 1, GP_PATH_L2);
        struct gp_simulation s = hand_simulation(&h, 1, 8);
        s.ranges = &range;
        hand_run(&h, &s);
        cycles[channels] = h.result.cycles;
    }
    assert_true(cycles[0] >= 8 * 32);
    assert_near(cycles[1], cycles[0]);
}

/* A loop of which two iterations are shown, the second standing for four: where the first and the second load. */
static struct gp_trace_access *show_two_iterations(uint64_t first, uint64_t second, bool moved)
{
    hand_start(&h);
    h.sm.l1 = (struct gp_cache_shape){.bytes = 4096, .line = 128, .ways = 4, .latency = 10};
    hand_block(&h);
    hand_op(&h, memory_op(0), NULL);
    hand_visit(&h, 0, 1);
    hand_load(&h, 0, first, 1, GP_PATH_L1);
    hand_visit(&h, 0, 4);
    struct gp_trace_access *a = hand_load(&h, 0, second, 1, GP_PATH_L1);
    a->flags |= moved ? GP_ACCESS_MOVED : 0;
    return a;
}

/*
 * Two shown iterations of a loop in the same segment, the second standing for four of which a fourth enter a new one:
 * it misses for that share, and does not hit because the first happens to have been there.
 */
static void shown_iterations_that_moved(void **state)
{
    (void)state;
    for (int moved = 0; moved <= 1; moved++) {
        show_two_iterations(4, 4, moved)->share = 0.25f;
        struct gp_simulation s = hand_simulation(&h, 1, 1);
        hand_run(&h, &s);
        assert_near(h.result.l1_hits, moved ? 0 : 4);
        assert_near(h.result.segments, 5);
    }
}

/* The second warp's second shown iteration lies where the first warp's first was: chance, too, where addresses move. */
static void shown_iterations_of_another_warp(void **state)
{
    (void)state;
    for (int moved = 0; moved <= 1; moved++) {
        show_two_iterations(8, 12, moved);
        struct gp_simulation s = hand_simulation(&h, 1, 2);
        static const int64_t back[1] = {-4};
        s.warp_step = back;
        hand_run(&h, &s);
        assert_near(h.result.l1_hits, moved ? 0 : 4);
    }
}

/* A table that had more room in another simulation has no more in this one. */
static void tables_keep_to_their_size(void **state)
{
    (void)state;
    struct gp_waiting room[8];
    struct gp_in_flight table = {.heap = room, .capacity = 8, .most = 2};
    for (int i = 3; i > 0; i--)
        gp_in_flight_push(&table, i, 1);
    assert_int_equal(table.count, 2);
    assert_int_equal(table.lanes, 2);
    assert_near(gp_in_flight_room(&table, 0, 0, 2, 0), 1);
}

/* Groups that have nothing to issue: each takes the place that is free first. In two places they start at 0, 10, 20 and
 * 10, 20, 30. */
static void empty_groups(void **state)
{
    (void)state;
    hand_start(&h);
    hand_block(&h);
    hand_visit(&h, 0, 1);
    h.sm.dispatch = 10;
    struct gp_simulation s = hand_simulation(&h, 6, 1);
    s.resident_groups = 2;
    hand_run(&h, &s);
    assert_near(h.result.cycles, 30);
}

/* A lane in two waits behind a branch. Repaired the instructions are paid by half; the segments that active lanes ask
 * for, and what of the trace is done, stay. */
static void repaired_branches(void **state)
{
    (void)state;
    for (int repaired = 0; repaired <= 1; repaired++) {
        static const uint8_t branches[1] = {1};
        hand_start(&h);
        hand_block(&h);
        hand_op(&h, compute_op(1, GP_UNIT_COUNT, 0), NULL);
        hand_op(&h, memory_op(0), NULL);
        hand_visit(&h, 0, 4);
        h.visits[0].idle = 0.5f;
        h.visits[0].branch = 0;
        hand_load(&h, 0, 0, 3, GP_PATH_L2);
        struct gp_simulation s = hand_simulation(&h, 1, 1);
        s.repairs.branches = repaired ? branches : NULL;
        hand_run(&h, &s);
        assert_near(h.result.instructions, repaired ? 4 : 8);
        assert_near(h.result.segments, 12);
        assert_near(h.result.progress, 8);
    }
}

/* Where the table of requests is full, that is what the others wait for, not the load/store unit's work. */
static void full_tables_are_waited_for(void **state)
{
    (void)state;
    for (uint32_t entries = 0; entries <= 2; entries += 2) {
        hand_start(&h);
        h.sm.prt_entries = entries;
        hand_block(&h);
        hand_op(&h, memory_op(0), NULL);
        hand_visit(&h, 0, 1);
        hand_load(&h, 0, 0, 1, GP_PATH_L2);
        struct gp_simulation s = hand_simulation(&h, 1, 8);
        hand_run(&h, &s);
        assert_int_equal(h.result.waits[GP_WAIT_REQUESTS] > 50, entries > 0);
    }
}

/* Stopped when instructions and segments are as many as allowed; it is told when half of the instructions had been
 * issued. */
static void stopped(void **state)
{
    (void)state;
    hand_start(&h);
    hand_block(&h);
    hand_op(&h, memory_op(0), NULL);
    for (uint32_t i = 0; i < 20; i++) {
        hand_visit(&h, 0, 1);
        hand_load(&h, 0, 8 * i, 3, GP_PATH_L2);
    }
    struct gp_simulation s = hand_simulation(&h, 1, 1);
    s.most_steps = 40;
    hand_run(&h, &s);
    assert_true(h.result.stopped && h.result.steps == 10);
    assert_near(h.result.half_progress, 5);
    assert_true(h.result.half_cycles > 0 && h.result.half_cycles < h.result.cycles);
    s.most_steps = 0;
    hand_run(&h, &s);
    assert_true(!h.result.stopped && h.result.steps == 20);
}

/* ---- Sampling and learning paper, section 4 ---------------------------------------------------------------------- */

/*
 * GTX 580, 6 groups of 8 warps on an SM, a loop of additions. All groups start together. How far apart they finish, as
 * a share of the whole: FP32 0, FP64 much (Figures 6 to 8).
 */
static double staircase(const struct gp_device *d, enum gp_class add, int adds)
{
    hand_start(&h);
    gp_sm_of(d, d->clock_mhz.value, d->l1_size.value, &h.sm);
    h.sm.dispatch = 0;
    hand_block(&h);
    struct gp_sim_op op;
    int sum = adds - 1; /* the slot of the last addition: the first waits for the iteration before */
    for (int i = 0; i < adds; i++) {
        gp_sim_op_of(d, &h.sm, add, &op);
        sum = hand_after(&h, op, sum);
    }
    gp_sim_op_of(d, &h.sm, GP_CLASS_INT_ADD, &op);
    int i = hand_after(&h, op, (int)h.program.slot_count);
    gp_sim_op_of(d, &h.sm, GP_CLASS_INT_CMP, &op);
    int condition = hand_after(&h, op, i);
    gp_sim_op_of(d, &h.sm, GP_CLASS_BRANCH, &op);
    hand_after(&h, op, condition);
    for (int v = 0; v < 300; v++)
        hand_visit(&h, 0, 1);
    struct gp_simulation s = hand_simulation(&h, 6, 8);
    hand_run(&h, &s);
    double low = INFINITY, high = 0;
    for (int g = 0; g < 6; g++) {
        assert_near(h.start[g], 0);
        low = fmin(low, h.finish[g]);
        high = fmax(high, h.finish[g]);
    }
    return (high - low) / high;
}

static void staircases(void **state)
{
    (void)state;
    struct gp_error error;
    struct gp_device *d = gp_device_load("gtx580", SOURCE_HWDB, &error);
    if (d == NULL)
        fail_msg("%s", error.text);
    assert_true(staircase(d, GP_CLASS_FLOAT_ADD, 1) < 0.05);
    /* At an eighth of FP32's rate the oldest group alone fills the FP64 unit: close to one group after the other, 5/6.
     */
    for (int adds = 1; adds <= 3; adds++)
        assert_true(staircase(d, GP_CLASS_DOUBLE_ADD, adds) > 0.7);
    /* With the 16 lanes of FP64 that the paper takes the GTX 580 to have, and FP32's latency, it grows with the
     * additions. */
    d->fp64_lanes.value = 16;
    d->lat_fp64.value = d->lat_fp32.value;
    double one = staircase(d, GP_CLASS_DOUBLE_ADD, 1), two = staircase(d, GP_CLASS_DOUBLE_ADD, 2),
           three = staircase(d, GP_CLASS_DOUBLE_ADD, 3);
    assert_true(one > 0.5 && two > one + 0.02 && three > two + 0.02);
    gp_device_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dependences),
        cmocka_unit_test(policies),
        cmocka_unit_test(scalar_instructions_issue_beside),
        cmocka_unit_test(same_warp_interval),
        cmocka_unit_test(contention),
        cmocka_unit_test(partitions),
        cmocka_unit_test(groups_follow),
        cmocka_unit_test(weights_multiply),
        cmocka_unit_test(hybrid_figure_2),
        cmocka_unit_test(barriers),
        cmocka_unit_test(load_replays),
        cmocka_unit_test(mshr_entries),
        cmocka_unit_test(mshr_merges),
        cmocka_unit_test(prt_entries),
        cmocka_unit_test(cluster_pipeline),
        cmocka_unit_test(return_lanes),
        cmocka_unit_test(replays_hold_a_warp),
        cmocka_unit_test(loads_of_a_warp),
        cmocka_unit_test(bandwidth),
        cmocka_unit_test(least_recently_used),
        cmocka_unit_test(lines_on_their_way),
        cmocka_unit_test(sectors),
        cmocka_unit_test(segments_nobody_knows),
        cmocka_unit_test(shown_iterations_that_moved),
        cmocka_unit_test(shown_iterations_of_another_warp),
        cmocka_unit_test(empty_groups),
        cmocka_unit_test(repaired_branches),
        cmocka_unit_test(full_tables_are_waited_for),
        cmocka_unit_test(stopped),
        cmocka_unit_test(tables_keep_to_their_size),
        cmocka_unit_test(staircases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
