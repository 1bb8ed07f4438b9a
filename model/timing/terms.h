/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What a time is made of: every term of the models' equations, by the names that docs/models.md and the papers give
 * them.
 *
 * X(field, symbol, unit, what it is, in a few words: docs/models.md says it in full). A symbol is the paper's, or
 * docs/models.md's; "": it has none. A term of another model than the one that made the prediction is 0.
 */
#ifndef GPUPERF_MODEL_TERMS_H
#define GPUPERF_MODEL_TERMS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* clang-format off */
/* Of every model. */
#define GP_TERMS_LAUNCH(X) \
    X(clock_mhz, "f", "MHz", "clock of all cycles") \
    X(groups, "", "groups", "work-groups of the launch") \
    X(warps_per_group, "", "warps", "warps of a work-group") \
    X(resident_groups, "", "groups", "work-groups that fit an SM") \
    X(atomics_cycles, "", "cycles", "floor: atomics on one place") \
    X(launch_cycles, "", "cycles", "added: until the device begins") \
    X(cycles, "", "cycles", "all of it")
/* How long one group (on CPUs one work-item) keeps each unit of its SM busy. */
#define GP_TERMS_UNITS(X) \
    X(unit_issue, "S_issue", "cycles", "schedulers, for one group") \
    X(unit_fp32, "S_fp32", "cycles", "FP32 lanes and matrix units") \
    X(unit_fp64, "S_fp64", "cycles", "FP64 lanes") \
    X(unit_sfu, "S_sfu", "cycles", "special functions, conversions") \
    X(unit_int, "S_int", "cycles", "integer lanes") \
    X(unit_lsu, "S_lsu", "cycles", "load/store unit, local memory") \
    X(unit_l2, "S_l2", "cycles", "the SM's share of L2") \
    X(unit_dram, "S_dram", "cycles", "the SM's share of DRAM") \
    X(unit_barrier, "S_barrier", "cycles", "barriers")
/* Of the GPU models that know caches. */
#define GP_TERMS_FLOORS(X) \
    X(groups_per_sm, "", "groups", "that the busiest SM gets") \
    X(concurrent_groups, "", "groups", "that the device runs at a time") \
    X(l2_bytes, "", "bytes", "of the launch, beyond L1") \
    X(dram_bytes, "", "bytes", "of the launch, from and to DRAM") \
    X(dram_bytes_per_clk, "", "bytes/clk", "that DRAM moves of such traffic") \
    X(llc_cycles, "", "cycles", "a third level's, for L2's misses") \
    X(dram_cycles, "", "cycles", "floor: what DRAM moves takes") \
    X(start_cycles, "", "cycles", "floor: starting all groups")
/* T(b) = max(b S + Z / sqrt(n) + W, ((L + W)^k + (b D)^k)^(1/k)). */
#define GP_TERMS_THROUGHPUT(X) \
    X(part, "", "groups", "of a group that is on one SM") \
    X(batch_groups, "b", "groups", "that an SM runs at a time") \
    X(busiest, "S", "cycles", "the busiest unit, for one group") \
    X(scheduler_cycles, "", "cycles", "floor: the fullest scheduler") \
    X(sooner, "", "cycles", "taken off L: what others brought") \
    X(spill_wait, "", "cycles", "of L: waiting for spills") \
    X(chain, "L", "cycles", "a lone group, its start included") \
    X(longest, "L_max", "cycles", "the longest group alone") \
    X(waiting, "Z", "cycles", "of L: memory, barriers and start") \
    X(independent, "n", "parts", "of a batch that wait apart") \
    X(beyond_l2, "W", "cycles", "L2's misses that all wait for") \
    X(dram_busy, "D", "cycles", "DRAM, for a group on each SM") \
    X(knee, "k", "", "exponent of DRAM's queues") \
    X(emptying, "", "", "factor of L: a group ends as one") \
    X(at_units, "", "cycles", "b S + Z / sqrt(n) + W") \
    X(in_queues, "", "cycles", "((L + W)^k + (b D)^k)^(1/k)") \
    X(batch, "T(b)", "cycles", "the larger: a batch") \
    X(full_batches, "", "batches", "of the busiest SM") \
    X(last_groups, "", "groups", "of its last, partial batch") \
    X(last_batch, "", "cycles", "T of these") \
    X(groups_cycles, "", "cycles", "floor: groups in turn, alone") \
    X(batches, "", "cycles", "all batches of the busiest SM") \
    X(filling, "", "cycles", "until DRAM's first bytes come")
/* Hong & Kim, ISCA 2009: symbols of its Table 1, numbers of its equations. */
#define GP_TERMS_MWP_CWP(X) \
    X(issue_cycles, "#Issue_cycles", "cycles", "to issue an instruction") \
    X(total_insts, "#Total_insts", "insts", "of a warp") \
    X(comp_insts, "#Comp_insts", "insts", "of these, computation") \
    X(coal_mem_insts, "#Coal_Mem_insts", "insts", "of these, coalesced requests") \
    X(uncoal_mem_insts, "#Uncoal_Mem_insts", "insts", "of these, uncoalesced requests") \
    X(synch_insts, "#Synch_insts", "insts", "barriers") \
    X(uncoal_per_mw, "#Uncoal_per_mw", "", "transactions of such a request") \
    X(load_bytes_per_warp, "Load_bytes_per_warp", "bytes", "of a request, from DRAM") \
    X(mem_ld, "Mem_LD", "cycles", "round trip of a transaction") \
    X(departure_del_coal, "Departure_del_coal", "cycles", "between two coalesced requests") \
    X(departure_del_uncoal, "Departure_del_uncoal", "cycles", "between an uncoalesced one's parts") \
    X(mem_bandwidth, "Mem_Bandwidth", "GB/s", "of DRAM") \
    X(active_sms, "#Active_SMs", "SMs", "") \
    X(active_blocks_per_sm, "#Active_blocks_per_SM", "groups", "") \
    X(n_warps, "N", "warps", "of an SM (20)") \
    X(mem_l, "Mem_L", "cycles", "latency of a request (12)") \
    X(departure_delay, "Departure_delay", "cycles", "between two requests (15)") \
    X(mem_cycles, "Mem_cycles", "cycles", "a warp waits for memory (18)") \
    X(comp_cycles, "Comp_cycles", "cycles", "a warp computes (19)") \
    X(comp_p, "Comp_p", "cycles", "of it, between two requests (2)") \
    X(mwp_without_bw, "MWP_Without_BW", "warps", "(16), (17)") \
    X(mwp_peak_bw, "MWP_peak_BW", "warps", "(6)") \
    X(mwp, "MWP", "warps", "access memory at once (5)") \
    X(cwp_full, "CWP_full", "warps", "(8)") \
    X(cwp, "CWP", "warps", "compute meanwhile (9)") \
    X(equation, "", "", "that holds: 22, 23, 24; or none") \
    X(rep, "#Rep", "", "rounds of active blocks (21)") \
    X(exec_cycles_app, "Exec_cycles_app", "cycles", "(22) to (24), times #Rep") \
    X(synch_cost, "Synch_cost", "cycles", "barriers (26)") \
    X(exec_cycles_with_synch, "Exec_cycles_with_synch", "cycles", "(27)") \
    X(cpi, "CPI", "cyc/inst", "of a warp instruction (25)")
/* The simulation of the busiest SM. */
#define GP_TERMS_TRACE(X) \
    X(simulated_groups, "", "groups", "of the busiest SM, simulated") \
    X(sm_cycles, "", "cycles", "all its groups") \
    X(imbalance, "", "", "factor: other groups do more") \
    X(idle_for_memory, "", "share", "schedulers idle: memory") \
    X(idle_for_requests, "", "share", "schedulers idle: room for requests") \
    X(idle_for_results, "", "share", "schedulers idle: earlier results") \
    X(dram_channel, "", "cycles", "the fullest channel, for a group")
/* Of PoCL-like devices. */
#define GP_TERMS_CPU(X) \
    X(computing, "", "cycles", "a work-item on its busiest port") \
    X(missing, "", "cycles", "meanwhile it waits for memory") \
    X(group_items, "", "items", "of a group") \
    X(barriers_cycles, "", "cycles", "a group keeps values in memory") \
    X(group_cycles, "", "cycles", "items x max(computing, missing)") \
    X(groups_per_core, "", "groups", "that the busiest core gets") \
    X(cores_cycles, "", "cycles", "all groups of that core") \
    X(touched_bytes, "", "bytes", "that come from DRAM") \
    X(memory_cycles, "", "cycles", "floor: these bytes at its rate")
#define GP_TERMS(X) GP_TERMS_LAUNCH(X) GP_TERMS_UNITS(X) GP_TERMS_FLOORS(X) GP_TERMS_THROUGHPUT(X) GP_TERMS_MWP_CWP(X) \
    GP_TERMS_TRACE(X) GP_TERMS_CPU(X)
/* clang-format on */

struct gp_terms {
#define X(field, symbol, unit, what) double field;
    GP_TERMS(X)
#undef X
};

struct gp_time_term {
    const char *name, *symbol, *unit, *what;
    double value;
};

/* The terms of a model ("throughput", "mwp-cwp", "trace", "cpu"), in the order of its equation; returns how many, at
 * most `most`. */
enum { GP_MOST_TERMS = 80 };
size_t gp_list_terms(const struct gp_terms *terms, const char *model, struct gp_time_term *list, size_t most);

#ifdef __cplusplus
}
#endif
#endif
