/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The throughput model's arithmetic on work made by hand, on the device of hand_device.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "hand_device.h"
#include "model/timing/atomics.h"
#include "model/timing/throughput.h"
#include "model/timing/traffic.h"

static struct gp_device device;

static struct gp_conditions conditions(double resident)
{
    return (struct gp_conditions){
        .device = &device, .clock_mhz = 1000, .resident_groups = resident, .grid = {1000, 1, 1}, .cold = true};
}

static double dram_bytes(const struct gp_work *work, const struct gp_conditions *c, double concurrent)
{
    struct gp_dram_traffic traffic;
    gp_dram_traffic(work, c, concurrent, NULL, &traffic);
    return traffic.bytes;
}

#define assert_near(actual, expected) \
    assert_true(fabs((actual)-1.0 * (expected)) <= 1e-9 * fabs(1.0 * (expected)) + 1e-9)

/* 8 warps a group, 64 FP32 instructions each: 512 warp instructions / (64 lanes / 32) = 256 cycles; issue: 512 / 4 =
 * 128. */
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

/* The terms are those of the equation: they make up its two sides, and the time. */
static void terms_make_up_the_time(void **state)
{
    (void)state;
    struct gp_buffer_work buffer = {.group_bytes = 65536, .useful_bytes = 65536, .extent = 65536000};
    struct gp_work work = {.groups = 1000,
                           .warps_per_group = 8,
                           .lanes_used = 1,
                           .chain = 900,
                           .chain_memory = 700,
                           .buffers = &buffer,
                           .buffer_count = 1};
    work.pipes.issue = work.pipes.ops[GP_PIPE_FP32] = 64;
    struct gp_conditions c = conditions(4);
    struct gp_timing timing;
    gp_throughput(&work, &c, &timing);
    const struct gp_terms *t = &timing.terms;
    assert_near(t->busiest, timing.pipe_cycles[GP_LIMITER_FP32]);
    assert_near(t->at_units, t->batch_groups * t->busiest + t->waiting / sqrt(t->independent) + t->beyond_l2);
    double latency = t->emptying * (t->chain + t->beyond_l2), moving = t->batch_groups * t->dram_busy;
    assert_near(t->in_queues, pow(pow(latency, t->knee) + pow(moving, t->knee), 1 / t->knee));
    assert_near(t->batch, fmax(t->at_units, t->in_queues));
    assert_near(t->dram_cycles, t->dram_bytes / t->dram_bytes_per_clk);
    assert_true(t->dram_bytes > 65535000 && t->waiting >= 700 && t->chain >= 900);
    assert_near(timing.cycles, t->launch_cycles + fmax(fmax(t->batches, t->start_cycles), t->dram_cycles + t->filling));
}

/* Each model's list has its own terms, each once, with what all models have behind them. */
static void each_model_lists_its_terms(void **state)
{
    (void)state;
    static const char *const models[][2] = {
        {"throughput", "in_queues"}, {"mwp-cwp", "mwp_peak_bw"}, {"trace", "idle_for_memory"}, {"cpu", "group_cycles"}};
    struct gp_terms terms = {.in_queues = 1, .mwp_peak_bw = 2, .idle_for_memory = 3, .group_cycles = 4, .cycles = 5};
    for (size_t m = 0; m < 4; m++) {
        struct gp_time_term list[GP_MOST_TERMS];
        size_t count = gp_list_terms(&terms, models[m][0], list, GP_MOST_TERMS), own = 0;
        assert_true(count > 10 && count < GP_MOST_TERMS);
        assert_string_equal(list[count - 1].name, "cycles");
        assert_near(list[count - 1].value, 5);
        for (size_t i = 0; i < count; i++) {
            own += strcmp(list[i].name, models[m][1]) == 0 && list[i].value == (double)m + 1;
            for (size_t k = 0; k < i; k++)
                assert_string_not_equal(list[i].name, list[k].name);
        }
        assert_int_equal(own, 1);
    }
}

/* Products of integers take one of the two halves of 64 lanes that FP32 has from GA10x on, and leave the other to sums
 * and floats; where FP32 has 64 lanes they take all of them. 8 warps a group. */
static void products_take_half_of_fp32(void **state)
{
    (void)state;
    struct gp_work work = {.groups = 1000, .warps_per_group = 8, .lanes_used = 1};
    work.pipes.ops[GP_PIPE_INT_MUL] = 64;
    struct gp_conditions c = conditions(4);
    struct gp_device of = device;
    struct gp_timing t;
    c.device = &of;
    gp_throughput(&work, &c, &t);
    assert_near(fmax(t.pipe_cycles[GP_LIMITER_FP32], t.pipe_cycles[GP_LIMITER_INT]), 256);
    work.pipes.ops[GP_PIPE_FP32] = 64;
    gp_throughput(&work, &c, &t);
    assert_near(t.pipe_cycles[GP_LIMITER_FP32], 512);
    hand_arch(&of, GP_ARCH_AMPERE);
    of.fp32_lanes.value = 128;
    of.int_shares_fp32.value = 1;
    gp_throughput(&work, &c, &t);
    assert_near(t.pipe_cycles[GP_LIMITER_FP32], 256);
    assert_near(t.pipe_cycles[GP_LIMITER_INT], 256);
    work.pipes.ops[GP_PIPE_FP32] = 0;
    gp_throughput(&work, &c, &t);
    assert_near(t.pipe_cycles[GP_LIMITER_FP32], 128);
    assert_near(t.pipe_cycles[GP_LIMITER_INT], 256);
    work.pipes.ops[GP_PIPE_FP32] = work.pipes.ops[GP_PIPE_INT] = 64;
    gp_throughput(&work, &c, &t);
    assert_near(t.pipe_cycles[GP_LIMITER_FP32], 384);
}

/* Loads and local accesses hold the FP32 lanes where these take a warp in two turns and its addresses are taken in one;
 * 8 warps a group. */
static void accesses_hold_fp32(void **state)
{
    (void)state;
    struct gp_memory_work accesses[] = {
        {.wavefronts = 10}, {.wavefronts = 10, .writes = true}, {.wavefronts = 20, .passes = 20}};
    struct gp_work work = {
        .groups = 1000, .warps_per_group = 8, .lanes_used = 1, .memory = accesses, .memory_count = 3};
    work.pipes.ops[GP_PIPE_FP32] = 64;
    struct gp_conditions c = conditions(4);
    struct gp_device of = device;
    struct gp_timing t;
    c.device = &of;
    hand_arch(&of, GP_ARCH_AMPERE);
    gp_throughput(&work, &c, &t);
    assert_near(t.pipe_cycles[GP_LIMITER_FP32], 256 + 8 * (0.6 * 10 + 0.25 * 20)); /* the store holds nothing */
    of.lsu_lanes.value = 16; /* a warp's addresses in two turns, as on Turing */
    hand_arch(&of, of.arch);
    gp_throughput(&work, &c, &t);
    assert_near(t.pipe_cycles[GP_LIMITER_FP32], 256);
    of.lsu_lanes.value = 32;
    hand_arch(&of, GP_ARCH_PASCAL);
    gp_throughput(&work, &c, &t);
    assert_near(t.pipe_cycles[GP_LIMITER_FP32], 256);
    of.fp32_lanes.value = 128;
    hand_arch(&of, GP_ARCH_HOPPER);
    gp_throughput(&work, &c, &t);
    assert_near(t.pipe_cycles[GP_LIMITER_FP32], 128);
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

/* Two groups of 8 warps on 10 SMs, 400 instructions a warp: 800 cycles each; spread over all SMs 160. A work-item takes
 * 700 in any group, less where SMs without one take a part of it: no less than the first access, 500. */
static void idle_sms_do_not_shorten_work_items(void **state)
{
    (void)state;
    struct gp_work work = {.groups = 2, .warps_per_group = 8, .lanes_used = 1, .chain = 700};
    work.pipes.issue = 400;
    struct gp_conditions c = conditions(4);
    struct gp_timing t;
    gp_throughput(&work, &c, &t);
    assert_near(t.cycles, 800);
    c.no_tail = true;
    gp_throughput(&work, &c, &t);
    assert_near(t.cycles, 700);
    c.split_items = true;
    gp_throughput(&work, &c, &t);
    assert_near(t.cycles, 500);
}

/* Of 100 groups one takes 50 times as long as the average: 50 x 1000 cycles, and 50 x 40 of the schedulers (160 / 4)
 * where no latency is waited for, though all groups take 10 x 40 on an SM. */
static void the_longest_group_computes_without_latency(void **state)
{
    (void)state;
    struct gp_work work = {.groups = 100, .warps_per_group = 1, .lanes_used = 1, .chain = 1000, .longest = 50};
    work.pipes.issue = 160;
    struct gp_conditions c = conditions(4);
    struct gp_timing t;
    gp_throughput(&work, &c, &t);
    assert_near(t.cycles, 50 * 1000);
    c.hide_latency = true;
    gp_throughput(&work, &c, &t);
    assert_near(t.cycles, 50 * 40);
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
    struct gp_work work = {
        .groups = 1000, .warps_per_group = 1, .lanes_used = 1, .chain = 0, .buffers = &buffer, .buffer_count = 1};
    struct gp_conditions c = conditions(4);
    struct gp_timing t;
    gp_throughput(&work, &c, &t);
    assert_near(t.dram_bytes, 131072000);
    assert_near(t.cycles, 655360);
    assert_int_equal(t.limiter, GP_LIMITER_DRAM);
    buffer.shared.next[0] = 1; /* every group reads the same: it is fetched once */
    gp_throughput(&work, &c, &t);
    assert_near(t.dram_bytes, 131072);
}

/* 40 cycles of local memory and 30 of the caches for each of two warps: one after the other on NVIDIA's GPUs, side by
 * side on AMD's. */
static void local_memory_of_amd_is_a_unit_of_its_own(void **state)
{
    (void)state;
    static const struct {
        enum gp_arch arch;
        double cycles;
    } cases[] = {{GP_ARCH_VOLTA, 140}, {GP_ARCH_GCN, 80}, {GP_ARCH_RDNA, 80}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct gp_memory_work memory[] = {{.wavefronts = 40, .passes = 40}, {.wavefronts = 30}};
        struct gp_work work = {
            .groups = 10, .warps_per_group = 2, .lanes_used = 1, .chain = 1, .memory = memory, .memory_count = 2};
        struct gp_conditions c = conditions(1);
        struct gp_device d = *c.device;
        d.arch = cases[i].arch;
        c.device = &d;
        struct gp_timing t;
        gp_throughput(&work, &c, &t);
        assert_near(t.pipe_cycles[GP_LIMITER_LSU], cases[i].cycles);
    }
}

/* Spills: 32 B stored and 32 B loaded per work-item: 16 instructions a warp; 2048 B a warp through L2 (64 B/clk and
 * SM). */
static void spills_cost(void **state)
{
    (void)state;
    struct gp_work work = {.groups = 10, .warps_per_group = 2, .lanes_used = 1, .chain = 1};
    struct gp_conditions c = conditions(1);
    c.spill_store_bytes = c.spill_load_bytes = c.spill_slot_bytes = 32;
    struct gp_timing t;
    gp_throughput(&work, &c, &t);
    assert_near(t.pipe_cycles[GP_LIMITER_LSU], 32);
    assert_near(t.pipe_cycles[GP_LIMITER_L2], 64);
}

/* Groups that live through the whole launch: DRAM takes 1000 groups x 128 KB / 200 B = 655 360 cycles; its pipeline
 * fills in one latency of 500, not in the chain of 9000. */
static void dram_waits_for_the_first_line_only(void **state)
{
    (void)state;
    struct gp_buffer_work buffer = {.base = gp_ref_make(GP_REF_PARAM, 0), .group_bytes = 131072, .extent = INFINITY};
    struct gp_work work = {
        .groups = 1000, .warps_per_group = 1, .lanes_used = 1, .chain = 9000, .buffers = &buffer, .buffer_count = 1};
    struct gp_conditions c = conditions(32);
    struct gp_timing t;
    gp_throughput(&work, &c, &t);
    assert_near(t.cycles, 655360 + 500);
}

/*
 * A lone warp on each of ten SMs waits 500 cycles for a line from DRAM. Half of each line that its neighbour touches,
 * too, does not spare it that, as both ask at the same time; if ten groups follow one another on each SM, what another
 * wave has brought does.
 */
static void neighbours_wait_for_the_same_line(void **state)
{
    (void)state;
    struct gp_buffer_work buffer = {.base = gp_ref_make(GP_REF_PARAM, 0), .group_bytes = 128, .extent = INFINITY};
    struct gp_memory_work memory = {.requests = 1, .waits = 1, .stall = 500, .latency = 500, .dram_latency = 300};
    struct gp_work work = {.groups = 10,
                           .warps_per_group = 1,
                           .lanes_used = 1,
                           .chain = 600,
                           .chain_memory = 500,
                           .buffers = &buffer,
                           .buffer_count = 1,
                           .memory = &memory,
                           .memory_count = 1};
    struct gp_conditions c = conditions(1);
    struct gp_timing alone, shared;
    device.dram_knee.value = device.dram_read_knee.value = 64; /* no queues */
    gp_throughput(&work, &c, &alone);
    buffer.shared.next[0] = 0.5;
    gp_throughput(&work, &c, &shared);
    assert_near(shared.cycles, alone.cycles);
    work.groups = 100;
    buffer.extent = 640; /* all touch the same ten half lines */
    gp_throughput(&work, &c, &shared);
    assert_true(shared.cycles < 0.9 * 10 * alone.cycles);
    assert_true(alone.terms.sooner == 0 && shared.terms.sooner > 0 &&
                shared.terms.sooner < work.chain_memory); /* told of the warp's waits */
}

/*
 * 100 words spilled per work-item come back one at a time: 10 groups, one per SM, have 10 x 100 x 4 B x 32 lanes = 128
 * KB of slots, which L2 (1 MB) holds: 100 x 200 cycles behind the chain of 1000. Where L2 is much smaller they come
 * from DRAM: 100 x 500.
 */
static void spilled_registers_are_waited_for(void **state)
{
    (void)state;
    struct gp_work work = {.groups = 10, .warps_per_group = 1, .lanes_used = 1, .chain = 1000};
    struct gp_conditions c = conditions(1);
    struct gp_timing t;
    c.spill_store_bytes = c.spill_load_bytes = c.spill_slot_bytes = 400;
    gp_throughput(&work, &c, &t);
    assert_near(t.cycles, 1000 + 100 * 200);
    device.l2_size.value = 8192;
    gp_throughput(&work, &c, &t);
    assert_near(t.dram_bytes, 10 * 800 * 32);                 /* stored, and loaded again */
    assert_near(t.cycles, 10 * 800 * 32 / 200.0 + 100 * 500); /* DRAM's time beside what the lone warp waits for */
    hand_arch(&device, GP_ARCH_RDNA);                         /* two at a time */
    gp_throughput(&work, &c, &t);
    assert_near(t.cycles, 10 * 800 * 32 / 200.0 + 50 * 500);
    device.llc_size.value = 8 << 20; /* a third level is one way for both */
    device.llc_gbps.value = 100;
    assert_near(gp_llc_cycles(&work, &c, 10), 10 * 800 * 32 / 100.0);
}

/* Misses per read of so many lines, read round after round, in a cache of 256 sets of 16 lines that finds the set by a
 * hash; the least recently used goes. */
static double simulated_misses(uint64_t lines)
{
    enum { SETS = 256, WAYS = 16, ROUNDS = 4 };
    static uint64_t held[SETS][WAYS]; /* most recently used first */
    uint64_t misses = 0;
    memset(held, 0, sizeof held);
    for (int round = 0; round < ROUNDS; round++)
        for (uint64_t line = 1; line <= lines; line++) {
            uint64_t hash = (line ^ line >> 7) * 0xbf58476d1ce4e5b9u;
            hash = (hash ^ hash >> 27) * 0x94d049bb133111ebu;
            uint64_t *set = held[(hash ^ hash >> 31) % SETS];
            int way = 0;
            while (way < WAYS - 1 && set[way] != line)
                way++;
            misses += round > 0 && set[way] != line;
            memmove(set + 1, set, (size_t)way * sizeof *set);
            set[0] = line;
        }
    return (double)misses / ((double)lines * (ROUNDS - 1));
}

/* Behind L2 (1 MB, lines of 128 B) a third level of 100 B a cycle: 10 groups work on `times` 1 MB and read 1 MB each.
 * What L2 does not hold comes from there. */
static void a_third_level_delivers_what_l2_does_not_hold(void **state)
{
    (void)state;
    static const double times[] = {0.3, 0.8, 1, 1.3, 2, 4, 20};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        struct gp_buffer_work buffers[] = {{.base = gp_ref_make(GP_REF_PARAM, 0),
                                            .group_bytes = 104857.6 * times[i],
                                            .read_again = true,
                                            .extent = INFINITY},
                                           {.base = gp_ref_make(GP_REF_PARAM, 1),
                                            .group_bytes = 1e6,
                                            .stored_bytes = 1e6,
                                            .extent = INFINITY}}; /* only written */
        struct gp_memory_work memory = {.requests = 1, .reuse.again = 1, .l2_bytes = 1048576};
        struct gp_work work = {.groups = 10,
                               .warps_per_group = 1,
                               .lanes_used = 1,
                               .memory = &memory,
                               .memory_count = 1,
                               .buffers = buffers,
                               .buffer_count = 2};
        struct gp_conditions c = conditions(1);
        device.llc_size.value = 8 << 20;
        device.llc_gbps.value = 100;
        double share = gp_llc_cycles(&work, &c, 10) / (10 * 1048576 / 100.0),
               simulated = simulated_misses((uint64_t)(256 * 16 * times[i]));
        if (fabs(share - simulated) > 0.04)
            fail_msg("%g times L2: %g missed, simulated %g", times[i], share, simulated);
        buffers[0].extent = 1 << 20; /* a whole buffer lies evenly in the sets: it fits, or it does not */
        assert_true(gp_llc_cycles(&work, &c, 10) == 0);
        buffers[0].extent = 2 << 20;
        assert_true(times[i] < 2 || fabs(gp_llc_cycles(&work, &c, 10) - 10 * 1048576 / 100.0) < 1);
    }
}

/* The same groups side by side on the same bytes, twenty times what L2 holds: what the third level delivers it delivers
 * once for all of them. */
static void a_third_level_delivers_what_groups_share_once(void **state)
{
    (void)state;
    struct gp_buffer_work buffer = {.base = gp_ref_make(GP_REF_PARAM, 0),
                                    .group_bytes = 20 << 20,
                                    .shared = {.next = {1, 1, 1}},
                                    .read_again = true,
                                    .extent = INFINITY};
    struct gp_memory_work memory = {.requests = 1, .reuse.again = 1, .l2_bytes = 1048576};
    struct gp_work work = {.groups = 10,
                           .warps_per_group = 1,
                           .lanes_used = 1,
                           .memory = &memory,
                           .memory_count = 1,
                           .buffers = &buffer,
                           .buffer_count = 1};
    struct gp_conditions c = conditions(1);
    device.llc_size.value = 8 << 20;
    device.llc_gbps.value = 100;
    assert_near(gp_llc_cycles(&work, &c, 10), 1048576 / 100.0);
}

/*
 * Ten groups of four warps read 2 MB each, which L1 loses and they read once more: half of what L2 is asked for, 512 KB
 * a warp. Where each warp brings 512 KB before it comes back (20 MB of all, twenty times what L2 holds), DRAM delivers
 * it again; where it brings 1 KB, L2 does, and a last level of 1 GB does in any case. So it does where these 512 KB are
 * the same 16 KB of a group time and again.
 */
static void what_l2_has_lost_comes_from_dram_again(void **state)
{
    (void)state;
    struct gp_buffer_work buffer = {
        .base = gp_ref_make(GP_REF_PARAM, 0), .group_bytes = 2 << 20, .read_again = true, .extent = INFINITY};
    struct gp_memory_work memory = {.requests = 16,
                                    .misses = 16,
                                    .reuse.again = 8,
                                    .reuse.lost = 8,
                                    .reuse.since = 8 * 524288,
                                    .l2_bytes = 1048576};
    struct gp_work work = {.groups = 10,
                           .warps_per_group = 4,
                           .lanes_used = 1,
                           .memory = &memory,
                           .memory_count = 1,
                           .buffers = &buffer,
                           .buffer_count = 1};
    struct gp_conditions c = conditions(1);
    struct gp_timing t;
    gp_throughput(&work, &c, &t);
    assert_near(t.dram_bytes, 2 * 10 * 2097152.0);
    memory.reuse.since = 8 * 1024;
    gp_throughput(&work, &c, &t);
    assert_near(t.dram_bytes, 10 * 2097152.0);
    memory.reuse.since = 8 * 524288;
    device.llc_size.value = 1 << 30;
    gp_throughput(&work, &c, &t);
    assert_near(t.dram_bytes, 10 * 2097152.0);
    device.llc_size.value = 0;
    buffer.group_bytes = 16384;
    gp_throughput(&work, &c, &t);
    assert_true(t.dram_bytes < 1.001 * 10 * 16384); /* hardly a set gets more of them than it has ways */
}

/* Twelve groups that wait for memory nearly all of the time, and one more than fit: it starts when one of these is
 * done, and takes as long. Where groups differ it may start sooner. */
static void a_group_too_many_takes_another_round(void **state)
{
    (void)state;
    struct gp_work work = {.groups = 12 * device.sm_count.value,
                           .warps_per_group = 1,
                           .lanes_used = 1,
                           .pipes = {.issue = 1000},
                           .chain = 1e6,
                           .chain_memory = 1e6,
                           .longest = 1};
    struct gp_conditions c = conditions(12);
    struct gp_timing one, two, uneven;
    gp_throughput(&work, &c, &one);
    work.groups++;
    gp_throughput(&work, &c, &two);
    work.longest = 1.2;
    gp_throughput(&work, &c, &uneven);
    assert_true(two.cycles > 1.99 * one.cycles && two.cycles < 2.01 * one.cycles);
    assert_true(uneven.cycles > one.cycles && uneven.cycles < 0.9 * two.cycles);
}

/* A group of RDNA's lies on both SMs of a work-group processor, each of which does half of it: alone it takes half as
 * long as in CU mode, where two groups take as long as one. */
static void a_group_on_two_sms_takes_half_the_time(void **state)
{
    (void)state;
    struct gp_work work = {.groups = 1, .warps_per_group = 32, .lanes_used = 1, .pipes = {.issue = 1e6}};
    struct gp_conditions c = conditions(0.5);
    struct gp_timing one, two, three, apart;
    hand_arch(&device, GP_ARCH_RDNA);
    gp_throughput(&work, &c, &one);
    work.groups = device.sm_count.value / 2;
    gp_throughput(&work, &c, &two);
    work.groups++;
    gp_throughput(&work, &c, &three);
    work.groups = 1;
    device.cu_mode = true;
    c.resident_groups = 1;
    gp_throughput(&work, &c, &apart);
    assert_near(two.cycles, one.cycles);
    assert_true(fabs(three.cycles / one.cycles - 2) < 0.01 && fabs(apart.cycles / one.cycles - 2) < 0.01);
}

/* Of so many accesses to random sets of 16 ways, how often a set has got all its ways taken before a line's turn comes
 * again (Poisson). */
static double of_a_set_or_more(double mean)
{
    double fewer = 0;
    for (int k = 0; k < 16; k++)
        fewer += exp(k * log(mean) - mean - lgamma(k + 1));
    return 1 - fewer;
}

/*
 * A stencil through planes of 16 x 8 groups: half of the 8 KB that a group reads the one above it in z reads, too, a
 * plane of groups later. The plane is 1 MB, once what L2 holds, and of half a plane and of two planes it is a half and
 * the double. Where ten planes run at a time, nine of them are beside the one below.
 */
static void a_plane_is_a_round_of_the_last_cache(void **state)
{
    (void)state;
    struct gp_buffer_work buffer = {
        .base = gp_ref_make(GP_REF_PARAM, 0), .group_bytes = 8192, .shared = {.next = {0, 0, 0.5}}, .extent = INFINITY};
    struct gp_work work = {.warps_per_group = 1, .lanes_used = 1, .buffers = &buffer, .buffer_count = 1};
    struct gp_conditions c = conditions(1);
    for (uint64_t rows = 4; rows <= 16; rows *= 2) {
        c.grid[0] = 16, c.grid[1] = rows, c.grid[2] = 100;
        work.groups = 1600.0 * (double)rows;
        double kept = 0.5 * (1 - of_a_set_or_more(2.0 * (double)rows));
        assert_near(dram_bytes(&work, &c, 10), 16.0 * (double)rows * 8192 * (1 + 99 * (1 - kept)));
    }
    c.grid[1] = 8;
    work.groups = 12800;
    assert_near(dram_bytes(&work, &c, 1280), 10 * (1 + 9 * 0.5) * 16 * 8 * 8192);
}

/*
 * One group per SM, four warps, each of which reads five times what the group touched before and waits for it once:
 * 1000 cycles. A warp in four misses L1, a different one each time, and holds up the others. They work on 20 MB, of
 * which L2 holds nothing: 300 cycles more at the third level's 500.
 */
static void what_l2_does_not_hold_holds_up_all_warps(void **state)
{
    (void)state;
    struct gp_buffer_work buffers[] = {
        {.base = gp_ref_make(GP_REF_PARAM, 0), .group_bytes = 2 << 20, .read_again = true, .extent = INFINITY},
        {.base = gp_ref_make(GP_REF_PARAM, 1), .group_bytes = 1e4, .extent = INFINITY}};
    struct gp_memory_work memory = {.requests = 5,
                                    .misses = 1.25,
                                    .reuse = {.again = 1.25, .at_lines = 5},
                                    .latency = 1000,
                                    .stall = 1000,
                                    .waits = 1};
    struct gp_work work = {.groups = 10,
                           .warps_per_group = 4,
                           .lanes_used = 1,
                           .chain = 1000,
                           .chain_memory = 1000,
                           .memory = &memory,
                           .memory_count = 1,
                           .buffers = buffers,
                           .buffer_count = 2};
    struct gp_conditions c = conditions(1);
    struct gp_timing t;
    c.no_bandwidth = true;
    device.llc_size.value = 64 << 20;
    device.llc_latency.value = 500;
    gp_throughput(&work, &c, &t);
    assert_near(t.chain, 1000 + 300);
    assert_near(t.cycles, 1000 + 300);
    memory.buffer = 1;
    buffers[0].read_again = false;
    buffers[1].read_again =
        true; /* what is read again is a tenth of L2's size; the rest is read once and passes through */
    gp_throughput(&work, &c, &t);
    assert_near(t.cycles, 1000);
    memory.buffer = 0;
    memory.reuse.again = 0;
    buffers[1].read_again = false; /* new to the group: that was in the chain */
    gp_throughput(&work, &c, &t);
    assert_near(t.cycles, 1000);
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
    hand_arch(&device, GP_ARCH_RDNA);
    gp_throughput(&work, &c, &t);
    assert_near(t.pipe_cycles[GP_LIMITER_ISSUE], 30);
}

/*
 * A SIMD of GCN's takes one vector instruction after the other: 4 warps of 64 FP32 instructions at 2 a cycle and of 16
 * special functions at half a one, 128 + 128 cycles. NVIDIA's pipes work side by side, RDNA's special functions have a
 * pipeline of their own.
 */
static void amds_vector_instructions_take_turns(void **state)
{
    (void)state;
    struct gp_work work = {.groups = 10, .warps_per_group = 4, .lanes_used = 1};
    work.pipes.ops[GP_PIPE_FP32] = 64;
    work.pipes.ops[GP_PIPE_SFU] = 16;
    struct gp_conditions c = conditions(1);
    struct gp_timing t;
    gp_throughput(&work, &c, &t);
    assert_near(t.cycles, 128);
    hand_arch(&device, GP_ARCH_RDNA);
    gp_throughput(&work, &c, &t);
    assert_near(t.cycles, 128);
    hand_arch(&device, GP_ARCH_CDNA);
    gp_throughput(&work, &c, &t);
    assert_near(t.cycles, 256);
}

/* 4 warps, 50 barriers each: 200 x 32 work-items of which 16 a clock arrive. Without barriers the 25 cycles of issue
 * are left. */
static void barriers(void **state)
{
    (void)state;
    struct gp_work work = {.groups = 10, .warps_per_group = 4, .lanes_used = 1, .chain = 0};
    struct gp_device narrow = device;
    narrow.barrier_lanes.value = 16;
    work.pipes.issue = 25;
    work.pipes.ops[GP_PIPE_BARRIER] = 50;
    struct gp_conditions c = conditions(1);
    c.device = &narrow;
    struct gp_timing t;
    gp_throughput(&work, &c, &t);
    assert_near(t.cycles, 400);
    assert_int_equal(t.limiter, GP_LIMITER_BARRIER);
    c.no_barrier = true;
    gp_throughput(&work, &c, &t);
    assert_near(t.cycles, 25);
}

/*
 * 4 groups of 4 warps, S = 240. Three barriers hold each up for 20 + 10 cycles of local memory and of the barrier: 960
 * + 90 / sqrt(4), ten times. With 29 a phase is 800 / 30 of a lone warp's cycles, less than that.
 */
static void barriers_hold_up(void **state)
{
    (void)state;
    struct gp_work work = {.groups = 400, .warps_per_group = 4, .lanes_used = 1, .chain = 800, .barriers = 3};
    work.pipes.issue = 240;
    struct gp_conditions c = conditions(4);
    struct gp_timing t;
    gp_throughput(&work, &c, &t);
    assert_near(t.cycles, 10 * (960 + 45));
    work.barriers = 29;
    gp_throughput(&work, &c, &t);
    assert_near(t.cycles, 10 * (960 + 29 * 800 / 30.0 / 2));
    /* A lone group: its last warp comes when the others have had their turns, 240 / 4 cycles of each phase's, at most
     * 30 */
    work.barriers = 3;
    c.resident_groups = 1;
    gp_throughput(&work, &c, &t);
    assert_near(t.cycles, 40 * (800 + 3 * 30));
    c.no_barrier = true;
    gp_throughput(&work, &c, &t);
    assert_near(t.cycles, 40 * (800 - 3 * 10));
}

/* Warps are spread over the four schedulers whole: five take as long as eight. */
static void a_scheduler_does_not_help_another(void **state)
{
    (void)state;
    static const double turns[] = {1, 1, 1, 1, 2, 2, 2, 2, 3};
    for (unsigned warps = 1; warps <= sizeof turns / sizeof turns[0]; warps++) {
        struct gp_work work = {.groups = 10 * warps, .warps_per_group = 1, .lanes_used = 1};
        work.pipes.ops[GP_PIPE_FP32] = 400;
        struct gp_conditions c = conditions(16);
        struct gp_timing t;
        gp_throughput(&work, &c, &t);
        assert_near(t.cycles, turns[warps - 1] * 400 * 32 / (device.fp32_lanes.value / 4));
        device.partitioned.value = 0;
        gp_throughput(&work, &c, &t);
        assert_near(t.cycles, warps * 400 * 32 / device.fp32_lanes.value);
        device.partitioned.value = 1;
    }
}

/* A warp's two instructions of double precision and two conversions: 4 x 32 / 2 cycles one after the other where both
 * are as slow; else each has a unit. */
static void slow_conversions_share_a_unit(void **state)
{
    (void)state;
    struct gp_work work = {.groups = 10, .warps_per_group = 1, .lanes_used = 1};
    work.pipes.ops[GP_PIPE_FP64] = work.pipes.ops[GP_PIPE_CVT64] = 2;
    struct gp_conditions c = conditions(1);
    struct gp_timing t;
    gp_throughput(&work, &c, &t);
    assert_near(t.cycles, 16); /* 2 x 32 / 4: a lone warp has one scheduler's lanes */
    device.fp64_lanes.value = device.cvt64_lanes.value = 2;
    gp_throughput(&work, &c, &t);
    assert_near(t.cycles, 64);
    assert_int_equal(t.limiter, GP_LIMITER_FP64);
}

/* 11 groups on 10 SMs, one resident: two rounds in step, 1.1 fluid; half the loss remains: 1.1 + 0.5 * 0.9 when the
 * tail is of whole groups per SM: per_sm = ceil(1.1) = 2. Without the tail 1.1 groups. */
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
    work.groups = 2; /* of ten SMs eight are idle */
    c.no_tail = false;
    gp_throughput(&work, &c, &t);
    assert_near(t.cycles, 100);
    c.no_tail = true;
    gp_throughput(&work, &c, &t);
    assert_near(t.cycles, 20);
}

/*
 * Ten groups, one per SM, of a chain of 3000 cycles, that bring 80 000 B each: DRAM takes 4000 cycles for all. In a
 * norm of 2 both take 5000; where half of the bytes go back, it is a copy, whose norm here is 1 and whose bandwidth
 * half: 3000 + 8000.
 */
static void requests_queue_in_dram(void **state)
{
    (void)state;
    struct gp_buffer_work buffer = {.base = gp_ref_make(GP_REF_PARAM, 0), .group_bytes = 80000, .extent = INFINITY};
    struct gp_work work = {
        .groups = 10, .warps_per_group = 1, .lanes_used = 1, .chain = 3000, .buffers = &buffer, .buffer_count = 1};
    struct gp_conditions c = conditions(1);
    struct gp_timing t;
    device.dram_read_knee.value = 2;
    device.dram_knee.value = 1;
    device.dram_efficiency.value = 0.5;
    gp_throughput(&work, &c, &t);
    assert_near(t.cycles, 5000);
    assert_int_equal(t.limiter, GP_LIMITER_DRAM);
    buffer.stored_bytes = 40000;
    gp_throughput(&work, &c, &t);
    assert_near(t.cycles, 11000);
    buffer.stored_bytes = 80000 / 9.0; /* a ninth: a third of the way */
    gp_throughput(&work, &c, &t);
    double transfer = 4000 / (1 - 0.5 / 3), norm = 2 - 1.0 / 3;
    assert_near(t.cycles, pow(pow(3000, norm) + pow(transfer, norm), 1 / norm));
}

/*
 * Of many arrays DRAM moves less than of two, and each request for it costs its SM something beside. 64 operations at
 * places far apart, or all at one, of 10 groups of a warp.
 */
static void streams_and_requests_cost_dram(void **state)
{
    (void)state;
    static struct gp_memory_work memory[64];
    struct gp_buffer_work buffer = {.base = gp_ref_make(GP_REF_PARAM, 0), .group_bytes = 80000, .extent = INFINITY};
    struct gp_work work = {.groups = 10,
                           .warps_per_group = 1,
                           .lanes_used = 1,
                           .buffers = &buffer,
                           .buffer_count = 1,
                           .memory = memory,
                           .memory_count = 64};
    struct gp_conditions c = conditions(1);
    struct gp_dram_traffic traffic;
    for (uint32_t m = 0; m < 64; m++)
        memory[m] =
            (struct gp_memory_work){.requests = 1, .misses = 1, .l2_bytes = 80000 / 64.0, .shape.first_symbol = 1};
    gp_dram_traffic(&work, &c, 10, NULL, &traffic);
    double rate = gp_dram_bytes_per_clk(&c, &traffic);
    device.dram_streams_efficiency.value = 0.5;
    assert_near(gp_dram_bytes_per_clk(&c, &traffic), rate);
    for (uint32_t m = 0; m < 64; m++)
        memory[m].shape.first_offset = (uint64_t)m << 20;
    gp_dram_traffic(&work, &c, 10, NULL, &traffic);
    assert_near(gp_dram_bytes_per_clk(&c, &traffic), rate / 2);
    device.dram_request_clk.value = 10; /* 64 requests of each SM */
    gp_dram_traffic(&work, &c, 10, NULL, &traffic);
    assert_near(traffic.bytes / gp_dram_bytes_per_clk(&c, &traffic), traffic.bytes / (rate / 2) + 640);
}

/* 1000 groups of 8 cycles on ten SMs that hold 32 each: 800 cycles, or what starting them takes. */
static void groups_start_one_after_the_other(void **state)
{
    (void)state;
    struct gp_work work = {.groups = 1000, .warps_per_group = 1, .lanes_used = 1, .chain = 10};
    struct gp_conditions c = conditions(32);
    struct gp_timing t;
    work.pipes.issue = 32;
    gp_throughput(&work, &c, &t);
    assert_near(t.cycles, 800);
    device.group_rate.value = 0.5;
    gp_throughput(&work, &c, &t);
    assert_near(t.cycles, 2000);
    assert_int_equal(t.limiter, GP_LIMITER_LAUNCH);
}

/* Of 1000 bytes that ten groups read, 400 are written: these move twice. */
static void what_is_read_and_written_moves_twice(void **state)
{
    (void)state;
    struct gp_buffer_work buffer = {
        .base = gp_ref_make(GP_REF_PARAM, 0), .group_bytes = 1000, .rewritten_bytes = 400, .extent = INFINITY};
    struct gp_work work = {.groups = 10, .warps_per_group = 1, .lanes_used = 1, .buffers = &buffer, .buffer_count = 1};
    struct gp_conditions c = conditions(1);
    struct gp_dram_traffic traffic;
    gp_dram_traffic(&work, &c, 10, NULL, &traffic);
    assert_near(traffic.bytes, 14000);
    assert_near(traffic.written, 4000);
    buffer.stored_bytes = 1000; /* by atomics */
    buffer.rewritten_bytes = 1000;
    gp_dram_traffic(&work, &c, 10, NULL, &traffic);
    assert_near(traffic.bytes, 20000);
    assert_near(traffic.written, 10000);
}

/*
 * Ten groups each touch three rows of 1000 bytes, two of which the next one touches, too, and write one of them before
 * they read it: twelve rows in all. Where neighbours read what it writes all of them come, else two do; ten go back in
 * any case.
 */
static void what_others_write_comes_and_goes(void **state)
{
    (void)state;
    struct gp_buffer_work buffer = {.base = gp_ref_make(GP_REF_PARAM, 0),
                                    .group_bytes = 3000,
                                    .shared = {.next = {2 / 3.0}},
                                    .stored_bytes = 1000,
                                    .read_and_written = true,
                                    .read_elsewhere = 1,
                                    .extent = INFINITY};
    struct gp_work work = {.groups = 10, .warps_per_group = 1, .lanes_used = 1, .buffers = &buffer, .buffer_count = 1};
    struct gp_conditions c = conditions(1);
    struct gp_dram_traffic traffic;
    c.grid[0] = 10;
    gp_dram_traffic(&work, &c, 10, NULL, &traffic);
    assert_near(traffic.bytes, 22000);
    assert_near(traffic.written, 10000);
    buffer.read_elsewhere = 0;
    gp_dram_traffic(&work, &c, 10, NULL, &traffic);
    assert_near(traffic.bytes, 12000);
    assert_near(traffic.written, 10000);
    buffer.shared_written.next[0] = 0.5; /* the next one writes half of it as well */
    gp_dram_traffic(&work, &c, 10, NULL, &traffic);
    assert_near(traffic.written, 5500);
    buffer.group_bytes *= 10000; /* L2 has lost that until a wave of one group is followed by the next */
    buffer.stored_bytes *= 10000;
    gp_dram_traffic(&work, &c, 1, NULL, &traffic);
    assert_near(traffic.written, 100e6);
}

/* L2 holds 1 MB of the launch before: all of half of it, nothing of twenty times, and of once what the sets' share of
 * lines leaves. */
static void the_launch_before_has_left_its_data(void **state)
{
    (void)state;
    struct gp_buffer_work buffer = {.base = gp_ref_make(GP_REF_PARAM, 0), .extent = INFINITY};
    struct gp_work work = {.groups = 10, .warps_per_group = 1, .lanes_used = 1, .buffers = &buffer, .buffer_count = 1};
    struct gp_conditions c = conditions(1);
    static const double times[] = {0.5, 1, 20};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        buffer.group_bytes = 104857.6 * times[i];
        c.cold = true;
        assert_near(dram_bytes(&work, &c, 10), 1048576 * times[i]);
        c.cold = false;
        double share = dram_bytes(&work, &c, 10) / (1048576 * times[i]);
        assert_true(fabs(share - of_a_set_or_more(16 * times[i])) < 1e-6);
    }
    buffer.extent = 524288; /* what is contiguous lies in pages that lie anywhere */
    buffer.group_bytes = 52428.8;
    assert_near(dram_bytes(&work, &c, 10), 524288 * of_a_set_or_more(8));
}

/* Of a third level, from which comes what L2 has lost since the launch before: 10 B a cycle. */
static void a_third_level_has_what_l2_lost_since(void **state)
{
    (void)state;
    struct gp_buffer_work buffer = {.base = gp_ref_make(GP_REF_PARAM, 0), .extent = INFINITY, .group_bytes = 1048576};
    struct gp_work work = {.groups = 10, .warps_per_group = 1, .lanes_used = 1, .buffers = &buffer, .buffer_count = 1};
    struct gp_conditions c = conditions(1);
    device.llc_size.value = 1e9;
    device.llc_gbps.value = 10; /* B per cycle at 1 GHz */
    c.cold = false;
    assert_near(gp_llc_cycles(&work, &c, 10), 1048576); /* ten times L2: all of it */
    buffer.stored_bytes = buffer.group_bytes / 4;       /* wires of its own */
    assert_near(gp_llc_cycles(&work, &c, 10), 0.75 * 1048576);
    c.cold = true;
    assert_near(gp_llc_cycles(&work, &c, 10), 0);
}

/* A thousand groups of a warp with one operation of one buffer. */
static struct gp_work work_of(struct gp_memory_work *memory, struct gp_buffer_work *buffer)
{
    return (struct gp_work){.groups = 1000,
                            .warps_per_group = 1,
                            .lanes_used = 1,
                            .memory = memory,
                            .memory_count = 1,
                            .buffers = buffer,
                            .buffer_count = 1};
}

/* 32 000 B a group and ten SMs: at 64 B per cycle and SM 500 cycles, read or written; where L2 takes 160 B a cycle of
 * stores, 2000. */
static void l2_takes_stores_at_their_own_rate(void **state)
{
    (void)state;
    struct gp_memory_work memory = {.requests = 10, .l2_bytes = 32000};
    struct gp_buffer_work buffer = {0};
    struct gp_work work = work_of(&memory, &buffer);
    struct gp_conditions c = conditions(1);
    struct gp_timing t;
    device.l2_write_bytes_per_clk.value = 160;
    gp_throughput(&work, &c, &t);
    assert_near(t.pipe_cycles[GP_LIMITER_L2], 500);
    memory.writes = true;
    gp_throughput(&work, &c, &t);
    assert_near(t.pipe_cycles[GP_LIMITER_L2], 2000);
}

/* The same 32 000 B, of which each line is looked up for a third of what L2 reads of it meanwhile. Atomics have a time
 * of their own. */
static void l2_looks_up_lines_for_little(void **state)
{
    (void)state;
    struct gp_memory_work memory = {.requests = 10, .l2_bytes = 32000, .l2_busy = 3};
    struct gp_buffer_work buffer = {0};
    struct gp_work work = work_of(&memory, &buffer);
    struct gp_conditions c = conditions(1);
    struct gp_timing t;
    gp_throughput(&work, &c, &t);
    assert_near(t.pipe_cycles[GP_LIMITER_L2], 1500);
    memory.atomics.operations = 1;
    memory.atomics.addresses = memory.atomics.lines = INFINITY;
    gp_throughput(&work, &c, &t);
    assert_near(t.pipe_cycles[GP_LIMITER_L2], 500);
}

/*
 * Warps of three kinds of work: groups of two put the first of each on the same two partitions, one and a half times
 * the mean; groups of four and of three start elsewhere each, so that all partitions get the same.
 */
static void groups_of_two_warps_crowd_partitions(void **state)
{
    (void)state;
    static const struct {
        double warps, first, second, times;
    } cases[] = {{2, 3, 1, 1.5}, {4, 3, 1, 1}, {3, 3, 1, 1}, {1, 1, 0, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct gp_work work = {.groups = 1000,
                               .warps_per_group = cases[i].warps,
                               .lanes_used = 1,
                               .instructions = (cases[i].first + cases[i].second) / cases[i].warps,
                               .of_every_fourth = {cases[i].first, cases[i].second}};
        struct gp_conditions c = conditions(8);
        struct gp_timing t;
        work.pipes.issue = 100;
        gp_throughput(&work, &c, &t);
        assert_near(t.pipe_cycles[GP_LIMITER_ISSUE], cases[i].times * 100 * cases[i].warps / 4);
    }
}

/* A third of the additions go to the multiply-adds' lanes where these have less to do: of 120 cycles each on 64 lanes
 * 40 of one, then both take 100. */
static void sums_are_evened_out(void **state)
{
    (void)state;
    struct gp_work work = {.groups = 1000, .warps_per_group = 1, .lanes_used = 1};
    struct gp_conditions c = conditions(8);
    struct gp_timing t;
    work.pipes.ops[GP_PIPE_INT] = work.pipes.sums = 240; /* 120 cycles */
    gp_throughput(&work, &c, &t);
    assert_near(t.pipe_cycles[GP_LIMITER_INT], 80);
    assert_near(t.pipe_cycles[GP_LIMITER_FP32], 40);
    work.pipes.ops[GP_PIPE_FP32] = 160; /* 80 cycles: 20 of the additions make both 100 */
    gp_throughput(&work, &c, &t);
    assert_near(t.pipe_cycles[GP_LIMITER_INT], 100);
    assert_near(t.pipe_cycles[GP_LIMITER_FP32], 100);
    hand_arch(&device, GP_ARCH_MAXWELL);
    gp_throughput(&work, &c, &t);
    assert_near(t.pipe_cycles[GP_LIMITER_INT], 120);
}

/*
 * 1000 warps add to 256 words of 1 KB each. 32 neighbours ask for one line: 2.5 cycles a warp; lanes that ask for all
 * eight: 16.5. In 4 KB four parts take turns. On one address each lane takes two cycles.
 */
static void l2_adds_by_stretches_of_a_kilobyte(void **state)
{
    (void)state;
    struct gp_memory_work memory = {.requests = 1,
                                    .atomics.operations = 32,
                                    .atomics.asked_lines = 1,
                                    .transactions = 4,
                                    .atomics.lines = 8,
                                    .atomics.addresses = 256,
                                    .writes = true};
    struct gp_work work = {.groups = 1000, .warps_per_group = 1, .lanes_used = 1, .memory = &memory, .memory_count = 1};
    assert_near(gp_atomic_cycles(&work, &device), 2500);
    memory.atomics.asked_lines = 8;
    assert_near(gp_atomic_cycles(&work, &device), 16500);
    memory.atomics.lines = 32;
    memory.atomics.addresses = 1024;
    assert_near(gp_atomic_cycles(&work, &device), 4125);
    memory.atomics.addresses = 1;
    assert_near(gp_atomic_cycles(&work, &device), 64000);
    memory.atomics.addresses = memory.atomics.lines =
        1e9; /* anywhere: 10 look-ups a cycle are 45 / 64 as many sectors */
    memory.transactions = 32;
    assert_near(gp_atomic_cycles(&work, &device), 32000 / (10 * 45.0 / 64));
    memory.atomics.lines = 32;
    memory.atomics.addresses = 1024;
    memory.transactions = 4;
    hand_arch(&device, GP_ARCH_CDNA); /* a segment a cycle, in 32 lines */
    assert_near(gp_atomic_cycles(&work, &device), 125);
}

/* More bandwidth is never slower, a narrower pipe never faster. */
static void monotone(void **state)
{
    (void)state;
    struct gp_buffer_work buffer = {.base = gp_ref_make(GP_REF_PARAM, 0), .group_bytes = 5000, .extent = INFINITY};
    struct gp_memory_work memory = {.requests = 10, .wavefronts = 40, .l2_bytes = 1280};
    struct gp_work work = {.groups = 777,
                           .warps_per_group = 3,
                           .lanes_used = 1,
                           .chain = 900,
                           .chain_memory = 500,
                           .memory = &memory,
                           .memory_count = 1,
                           .buffers = &buffer,
                           .buffer_count = 1};
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
        cmocka_unit_test_setup(terms_make_up_the_time, fresh_device),
        cmocka_unit_test(each_model_lists_its_terms),
        cmocka_unit_test_setup(a_third_level_delivers_what_groups_share_once, fresh_device),
        cmocka_unit_test_setup(what_l2_has_lost_comes_from_dram_again, fresh_device),
        cmocka_unit_test_setup(a_plane_is_a_round_of_the_last_cache, fresh_device),
        cmocka_unit_test_setup(what_l2_does_not_hold_holds_up_all_warps, fresh_device),
        cmocka_unit_test_setup(accesses_hold_fp32, fresh_device),
        cmocka_unit_test_setup(products_take_half_of_fp32, fresh_device),
        cmocka_unit_test_setup(latency_limits, fresh_device),
        cmocka_unit_test_setup(the_longest_group_computes_without_latency, fresh_device),
        cmocka_unit_test_setup(idle_sms_do_not_shorten_work_items, fresh_device),
        cmocka_unit_test_setup(overlap_is_imperfect, fresh_device),
        cmocka_unit_test_setup(dram_limits, fresh_device),
        cmocka_unit_test_setup(local_memory_of_amd_is_a_unit_of_its_own, fresh_device),
        cmocka_unit_test_setup(spills_cost, fresh_device),
        cmocka_unit_test_setup(tail, fresh_device),
        cmocka_unit_test_setup(barriers, fresh_device),
        cmocka_unit_test_setup(barriers_hold_up, fresh_device),
        cmocka_unit_test_setup(slow_conversions_share_a_unit, fresh_device),
        cmocka_unit_test_setup(a_scheduler_does_not_help_another, fresh_device),
        cmocka_unit_test_setup(requests_queue_in_dram, fresh_device),
        cmocka_unit_test_setup(streams_and_requests_cost_dram, fresh_device),
        cmocka_unit_test_setup(groups_start_one_after_the_other, fresh_device),
        cmocka_unit_test_setup(what_is_read_and_written_moves_twice, fresh_device),
        cmocka_unit_test_setup(what_others_write_comes_and_goes, fresh_device),
        cmocka_unit_test_setup(the_launch_before_has_left_its_data, fresh_device),
        cmocka_unit_test_setup(a_third_level_has_what_l2_lost_since, fresh_device),
        cmocka_unit_test_setup(a_group_on_two_sms_takes_half_the_time, fresh_device),
        cmocka_unit_test_setup(a_group_too_many_takes_another_round, fresh_device),
        cmocka_unit_test_setup(l2_takes_stores_at_their_own_rate, fresh_device),
        cmocka_unit_test_setup(l2_adds_by_stretches_of_a_kilobyte, fresh_device),
        cmocka_unit_test_setup(l2_looks_up_lines_for_little, fresh_device),
        cmocka_unit_test_setup(groups_of_two_warps_crowd_partitions, fresh_device),
        cmocka_unit_test_setup(sums_are_evened_out, fresh_device),
        cmocka_unit_test_setup(monotone, fresh_device),
        cmocka_unit_test_setup(dram_waits_for_the_first_line_only, fresh_device),
        cmocka_unit_test_setup(neighbours_wait_for_the_same_line, fresh_device),
        cmocka_unit_test_setup(spilled_registers_are_waited_for, fresh_device),
        cmocka_unit_test_setup(a_third_level_delivers_what_l2_does_not_hold, fresh_device),
        cmocka_unit_test_setup(accesses_issue_beside_vector_instructions_on_amd, fresh_device),
        cmocka_unit_test_setup(amds_vector_instructions_take_turns, fresh_device)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
