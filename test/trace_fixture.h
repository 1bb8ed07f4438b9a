/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Programs, traces and SMs made by hand, for simulations whose outcome is worked out on paper. */
#ifndef GPUPERF_TEST_TRACE_FIXTURE_H
#define GPUPERF_TEST_TRACE_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "model/trace/trace.h"

enum {
    MOST_OPS = 64,
    MOST_VISITS = 4096,
    MOST_ACCESSES = 64,
    MOST_SEGMENTS = 4096,
    MOST_GROUPS = 64,
    MOST_ALL_WARPS = 2048
};

/* One scheduler that issues every cycle, nothing else in the way: no caches, no limits, memory of 100 cycles. */
static inline struct gp_sm plain_sm(void)
{
    return (struct gp_sm){.schedulers = 1,
                          .issue_interval = 1,
                          .same_warp = 1,
                          .same_warp_memory = 1,
                          .policy = GP_POLICY_ROUND_ROBIN,
                          .quantum = 1,
                          .lsu_units = 1,
                          .load_replays = 1,
                          .warp_loads = 64,
                          .local_latency = 20,
                          .local_replay = 1,
                          .segment = 32,
                          .dram_latency = 100,
                          .port_bytes = INFINITY,
                          .l2_bytes = INFINITY,
                          .dram_bytes = INFINITY,
                          .channels = 1,
                          .channel_bytes = 256,
                          .sm_count = 1};
}

/* A program of blocks made from ops in order, and one trace that all warps share. */
struct hand {
    struct gp_sm sm;
    struct gp_sim_op ops[MOST_OPS];
    uint32_t operands[MOST_OPS * 4];
    struct gp_sim_block blocks[8];
    struct gp_program program;
    struct gp_visit visits[MOST_VISITS];
    struct gp_trace_access accesses[MOST_ACCESSES];
    uint64_t segments[MOST_SEGMENTS];
    uint32_t segment_count;
    struct gp_trace trace;
    struct gp_sim_warp warps[MOST_ALL_WARPS];
    double start[MOST_GROUPS], finish[MOST_GROUPS];
    struct gp_sim_result result;
};

static inline void hand_start(struct hand *h)
{
    memset(h, 0, sizeof *h);
    h->sm = plain_sm();
    h->program = (struct gp_program){
        .ops = h->ops, .blocks = h->blocks, .operands = h->operands, .memory_count = 16, .spill_block = GP_NONE};
    h->trace = (struct gp_trace){.visits = h->visits, .accesses = h->accesses, .segments = h->segments};
}

static inline void hand_block(struct hand *h) { h->blocks[h->program.block_count++].first = h->program.op_count; }

/* Appends an op to the last block. waits_for: slots of earlier results, ended by a negative number. Its result's slot
 * is returned. */
static inline int hand_op(struct hand *h, struct gp_sim_op op, const int *waits_for)
{
    op.operand = h->program.operand_count;
    op.operand_count = 0;
    for (; waits_for != NULL && *waits_for >= 0; waits_for++, op.operand_count++)
        h->operands[h->program.operand_count++] = (uint32_t)*waits_for;
    op.result = h->program.slot_count++;
    h->ops[h->program.op_count++] = op;
    h->blocks[h->program.block_count - 1].count++;
    h->blocks[h->program.block_count - 1].issued += op.kind != GP_SIM_FREE;
    return (int)op.result;
}

/* An op that waits for one slot (negative: none). */
static inline int hand_after(struct hand *h, struct gp_sim_op op, int slot)
{
    const int waits_for[] = {slot, -1};
    return hand_op(h, op, waits_for);
}

static inline struct gp_sim_op compute_op(double latency, enum gp_unit unit, double busy)
{
    struct gp_sim_op op = {.kind = GP_SIM_COMPUTE,
                           .unit = busy > 0 ? (uint8_t)unit : GP_UNIT_COUNT,
                           .memory = GP_NONE,
                           .issue = 1,
                           .latency = (float)latency,
                           .hold = 1};
    if (busy > 0)
        op.busy[unit] = (float)busy;
    return op;
}

static inline struct gp_sim_op memory_op(uint32_t memory)
{
    return (struct gp_sim_op){
        .kind = GP_SIM_MEMORY, .unit = GP_UNIT_LSU, .memory = memory, .issue = 1, .latency = 1, .hold = 1};
}

static inline struct gp_sim_op barrier_op(void)
{
    return (struct gp_sim_op){
        .kind = GP_SIM_BARRIER, .unit = GP_UNIT_COUNT, .memory = GP_NONE, .issue = 1, .latency = 1, .hold = 1};
}

static inline void hand_visit(struct hand *h, uint32_t block, double weight)
{
    h->visits[h->trace.visit_count++] = (struct gp_visit){.block = block,
                                                          .access = h->trace.access_count,
                                                          .weight = (float)weight,
                                                          .instructions = (float)h->blocks[block].issued};
}

/* A load of so many segments from `first` on, a cycle of the load/store unit each; to be added behind its visit. */
static inline struct gp_trace_access *hand_load(struct hand *h, uint32_t memory, uint64_t first, uint32_t segments,
                                                enum gp_path path)
{
    struct gp_trace_access *a = &h->accesses[h->trace.access_count++];
    *a = (struct gp_trace_access){.memory = memory,
                                  .path = (uint8_t)path,
                                  .lanes = 32,
                                  .wavefronts = (float)segments,
                                  .ideal_wavefronts = 1,
                                  .bytes = 32.0f * (float)segments,
                                  .ideal_bytes = 32,
                                  .share = 1,
                                  .segment = h->segment_count,
                                  .segment_count = segments,
                                  .ideal_segments = segments};
    for (uint32_t i = 0; i < segments; i++)
        h->segments[h->segment_count++] = first + i;
    return a;
}

/* All groups resident, every warp with the hand's trace (moved on by a group or warp step where given). */
static inline struct gp_simulation hand_simulation(struct hand *h, uint32_t groups, uint32_t warps)
{
    for (uint32_t g = 0; g < groups; g++)
        for (uint32_t w = 0; w < warps; w++)
            h->warps[g * warps + w] = (struct gp_sim_warp){&h->trace, (int32_t)g, (int32_t)w};
    return (struct gp_simulation){.sm = &h->sm,
                                  .program = &h->program,
                                  .resident_groups = groups,
                                  .groups = groups,
                                  .warps_per_group = warps,
                                  .warps = h->warps,
                                  .rows = groups,
                                  .active_sms = 1,
                                  .common_groups = groups,
                                  .late_sms = 1,
                                  .l2_share = 1,
                                  .repairs = {0}};
}

static inline void hand_run(struct hand *h, const struct gp_simulation *simulation)
{
    struct gp_simulator *simulator = gp_simulator_new();
    assert_non_null(simulator);
    gp_simulate(simulator, simulation, h->start, h->finish, &h->result);
    gp_simulator_free(simulator);
}

#define assert_near(actual, expected) \
    do { \
        double a_ = (actual), e_ = (expected); \
        if (!(fabs(a_ - e_) <= 1e-6 * fabs(e_) + 1e-9)) \
            fail_msg("%s is %.6f, not %.6f", #actual, a_, e_); \
    } while (0)

#endif
