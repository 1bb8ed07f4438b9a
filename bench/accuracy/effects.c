/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "bench/accuracy/effects.h"

#include "model/predict.h"

static const double plenty = 1e15;

static void all_registers(struct gp_device *d) { d->registers_per_sm.value = plenty; }
static void all_local_memory(struct gp_device *d) { d->smem_per_sm.value = plenty; }
static void no_l1(struct gp_device *d) { d->l1_size.value = 1; }
static void endless_l2(struct gp_device *d) { d->l2_size.value = plenty; }

static void no_overheads(struct gp_device *d) { d->launch_ns.value = d->group_dispatch_clk.value = 0; }

static void latency_of_l1(struct gp_device *d)
{
    d->l2_latency.value = d->llc_latency.value = d->dram_latency.value = d->l1_latency.value;
}

const struct effect effects[] = {
    {"coalescing", 1u << GP_CAUSE_UNCOALESCED, NULL},
    {"bank conflicts", 1u << GP_CAUSE_BANK_CONFLICT, NULL},
    {"divergence", 1u << GP_CAUSE_DIVERGENCE, NULL},
    {"partial warps", 1u << GP_CAUSE_LOCAL_SIZE, NULL},
    {"registers' occupancy", 0, all_registers},
    {"local memory's occupancy", 0, all_local_memory},
    {"spills", 1u << GP_CAUSE_SPILL, NULL},
    {"exposed latency", 1u << GP_CAUSE_LATENCY, NULL},
    {"latency beyond L1", 0, latency_of_l1},
    {"groups wait at barriers", 1u << GP_CAUSE_BARRIER, NULL},
    {"L1", 0, no_l1},
    {"L2's size", 0, endless_l2},
    {"L2's, DRAM's bandwidth", 1u << GP_CAUSE_BANDWIDTH, NULL},
    {"whole groups per SM", 1u << GP_CAUSE_TAIL, NULL},
    {"launch, start of groups", 0, no_overheads},
};
const size_t effect_count = sizeof effects / sizeof *effects;
