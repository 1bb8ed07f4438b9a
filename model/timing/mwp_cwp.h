/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Hong & Kim, "An Analytical Model for a GPU Architecture with Memory-level and Thread-level Parallelism Awareness"
 * (ISCA 2009).
 *
 * MWP: warps of an SM that can access memory at the same time. CWP: warps that can compute while one waits for memory,
 * plus one. Which of them is larger decides whether memory or computation shows in the time.
 *
 * Read with these corrections: the three cases in the order (22), (24), (23), since the printed conditions overlap and
 * (23) as printed would claim Case 5 for memory; a kernel without memory instructions computes only; MWP is at least 1;
 * a barrier waits for warps of its own block, so that no more of them than that has depart one after the other in (26).
 */
#ifndef GPUPERF_MODEL_MWP_CWP_H
#define GPUPERF_MODEL_MWP_CWP_H

#include "model/timing/conditions.h"

/* The parameters of the paper's Table 1 (its symbols behind them). Counts are per warp, cycles of the SM's clock. */
struct gp_mwp_inputs {
    double issue_cycles;            /* #Issue_cycles: cycles to issue one instruction of a warp */
    double frequency_ghz;           /* Freq */
    double bandwidth_gbps;          /* Mem_Bandwidth */
    double memory_latency;          /* Mem_LD: round trip of one transaction */
    double departure_uncoalesced;   /* Departure_del_uncoal: between two transactions of an uncoalesced request */
    double departure_coalesced;     /* Departure_del_coal: between two coalesced requests */
    double warps_per_block, blocks; /* #Threads_per_block / 32, #Blocks */
    double active_sms, active_blocks_per_sm;
    double computation_insts;                  /* #Comp_insts; shared-memory accesses and barriers count here */
    double uncoalesced_insts, coalesced_insts; /* #Uncoal_Mem_insts, #Coal_Mem_insts */
    double barriers;                           /* #Synch_insts */
    double transactions_per_uncoalesced;       /* #Uncoal_per_mw */
    double load_bytes_per_warp;                /* Load_bytes_per_warp */
};

enum gp_mwp_case {
    GP_MWP_COMPUTATION_ONLY,
    GP_MWP_TOO_FEW_WARPS /* (22) */,
    GP_MWP_COMPUTATION /* (24) */,
    GP_MWP_MEMORY /* (23) */
};

struct gp_mwp_result {
    double mwp, cwp, cwp_full;
    double mwp_peak_bw, mwp_without_bw;
    double memory_cycles, computation_cycles; /* Mem_cycles, Comp_cycles */
    double memory_latency;                    /* Mem_L */
    double departure_delay;
    double repetitions;        /* #Rep */
    double application_cycles; /* Exec_cycles_app */
    double barrier_cycles;     /* Synch_cost */
    double cycles;             /* Exec_cycles_with_synch */
    double cpi;                /* (25) */
    enum gp_mwp_case which;
};

/* Equations (5) to (27). All inputs must be finite and not negative; latency, delays, clock, SMs and blocks positive.
 */
void gp_mwp_cwp(const struct gp_mwp_inputs *inputs, struct gp_mwp_result *result);

/*
 * The parameters of a launch: counts from its work (requests to global and private memory are memory instructions;
 * local memory, constants and images, as the paper's cached ones, and barriers are computation, and so is what they
 * replay), the rest from the device and the occupancy.
 *
 * The paper's devices do not cache global memory. Where L1 does, what it serves counts as computation, too, and the
 * others wait for L2 or DRAM at their average latency, of which only DRAM's share takes its bandwidth.
 */
void gp_mwp_cwp_inputs(const struct gp_kernel *kernel, const struct gp_work *work,
                       const struct gp_conditions *conditions, struct gp_mwp_inputs *inputs);

/* The time of a launch: cycles of (27), no launch overhead. */
void gp_mwp_cwp_time(const struct gp_kernel *kernel, const struct gp_work *work, const struct gp_conditions *conditions,
                     struct gp_timing *timing);

#endif
