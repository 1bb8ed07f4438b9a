/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/timing/mwp_cwp.h"

#include <math.h>

/* (10) to (18): what a memory request costs and how many can be under way. */
static void memory(const struct gp_mwp_inputs *in, struct gp_mwp_result *r)
{
    double insts = in->uncoalesced_insts + in->coalesced_insts;
    double latency_uncoalesced =
        in->memory_latency + (in->transactions_per_uncoalesced - 1) * in->departure_uncoalesced; /* (10) */
    double latency_coalesced = in->memory_latency;                                               /* (11) */
    double uncoalesced = in->uncoalesced_insts / insts, coalesced = in->coalesced_insts / insts; /* (13) (14) */
    r->memory_latency = latency_uncoalesced * uncoalesced + latency_coalesced * coalesced;       /* (12) */
    r->departure_delay = in->departure_uncoalesced * in->transactions_per_uncoalesced * uncoalesced +
                         in->departure_coalesced * coalesced;                                                 /* (15) */
    r->memory_cycles = latency_uncoalesced * in->uncoalesced_insts + latency_coalesced * in->coalesced_insts; /* (18) */
}

/* (5) to (9), (16), (17): warps that overlap. */
static void parallelism(const struct gp_mwp_inputs *in, double warps, struct gp_mwp_result *r)
{
    r->mwp_without_bw = fmin(r->memory_latency / r->departure_delay, warps);                     /* (16) (17) */
    double bandwidth_per_warp = in->frequency_ghz * in->load_bytes_per_warp / r->memory_latency; /* (7) */
    r->mwp_peak_bw = in->bandwidth_gbps / (bandwidth_per_warp * in->active_sms);                 /* (6) */
    r->mwp = fmax(1, fmin(fmin(r->mwp_without_bw, r->mwp_peak_bw), warps));                      /* (5) */
    r->cwp_full = (r->memory_cycles + r->computation_cycles) / r->computation_cycles;            /* (8) */
    r->cwp = fmin(r->cwp_full, warps);                                                           /* (9) */
}

void gp_mwp_cwp(const struct gp_mwp_inputs *in, struct gp_mwp_result *r)
{
    *r = (struct gp_mwp_result){0};
    double memory_insts = in->uncoalesced_insts + in->coalesced_insts;
    double total_insts = in->computation_insts + memory_insts;
    double warps = in->warps_per_block * in->active_blocks_per_sm;             /* (20) */
    r->computation_cycles = in->issue_cycles * total_insts;                    /* (19) */
    r->repetitions = in->blocks / (in->active_blocks_per_sm * in->active_sms); /* (21) */
    if (memory_insts <= 0) {
        r->which = GP_MWP_COMPUTATION_ONLY;
        r->mwp = r->cwp = 1;
        r->application_cycles = r->computation_cycles * warps * r->repetitions;
    } else {
        memory(in, r);
        parallelism(in, warps, r);
        double period = r->computation_cycles / memory_insts; /* Comp_p, (2) */
        if (r->mwp >= warps && r->cwp >= warps) {
            r->which = GP_MWP_TOO_FEW_WARPS;
            r->application_cycles = r->memory_cycles + r->computation_cycles + period * (r->mwp - 1); /* (22) */
        } else if (r->mwp > r->cwp || r->computation_cycles > r->memory_cycles) {
            r->which = GP_MWP_COMPUTATION;
            r->application_cycles = r->memory_latency + r->computation_cycles * warps; /* (24) */
        } else {
            r->which = GP_MWP_MEMORY;
            r->application_cycles = r->memory_cycles * warps / r->mwp + period * (r->mwp - 1); /* (23) */
        }
        r->application_cycles *= r->repetitions;
    }
    double waiting = fmax(0, r->departure_delay * (fmin(r->mwp, in->warps_per_block) - 1));
    r->barrier_cycles = waiting * in->barriers * in->active_blocks_per_sm * r->repetitions; /* (26) */
    r->cycles = r->application_cycles + r->barrier_cycles;                                  /* (27) */
    if (total_insts > 0)
        r->cpi = r->application_cycles / (total_insts * in->warps_per_block * in->blocks / in->active_sms); /* (25) */
}
