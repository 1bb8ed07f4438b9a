/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The SM that a device has, in the simulation's terms. */
#include "model/trace/trace.h"

#include <math.h>

static struct gp_cache_shape shape(double bytes, double line, double ways, double latency)
{
    return (struct gp_cache_shape){
        .bytes = bytes, .line = (uint32_t)line, .ways = (uint32_t)fmax(1, ways), .latency = latency};
}

static void set_issue(const struct gp_device *d, double cus, struct gp_sm *sm)
{
    sm->schedulers = (uint32_t)(d->schedulers_per_sm.value * cus);
    sm->issue_interval = 1 / (d->issue_per_scheduler.value * d->issue_efficiency.value);
    sm->same_warp = d->same_warp_clk.value;
    sm->same_warp_memory = d->same_warp_memory_clk.value;
    sm->policy = (enum gp_policy)d->scheduler_policy.value;
    sm->quantum = d->scheduler_quantum.value;
    sm->warp_loads = (uint32_t)fmin(64, d->warp_loads.value);
    sm->barrier_latency = d->barrier_latency.value;
    sm->dispatch = d->group_dispatch_clk.value;
    for (int u = 0; u < GP_UNIT_COUNT; u++)
        sm->partitioned[u] = d->partitioned.value > 0;
    /* A double-precision unit of a lane or two serves all schedulers of an SM. */
    sm->partitioned[GP_UNIT_FP64] &= d->fp64_lanes.value >= 4 * d->schedulers_per_sm.value;
    sm->partitioned[GP_UNIT_SCALAR] = d->scalar_unit.value > 0 ? d->arch == GP_ARCH_RDNA : sm->partitioned[GP_UNIT_INT];
    sm->partitioned[GP_UNIT_LSU] = sm->partitioned[GP_UNIT_LDS] = sm->partitioned[GP_UNIT_BARRIER] = false;
}

static void set_caches(const struct gp_device *d, double cus, double l1_bytes, struct gp_sm *sm)
{
    double segment = d->l1_sector.value > 0 ? d->l1_sector.value : d->l1_line.value > 0 ? d->l1_line.value : 64;
    sm->segment = (uint32_t)segment;
    sm->l1 = shape(l1_bytes * cus, d->l1_line.value, d->l1_ways.value, d->l1_latency.value);
    sm->l2 = shape(d->l2_size.value, d->l2_line.value, d->l2_ways.value, d->l2_latency.value);
    sm->constant = shape(d->const_size.value, d->const_line.value, d->const_ways.value, d->const_latency.value);
    /* The texture cache's associativity is published for no device: that of L1. */
    sm->texture = shape(d->tex_size.value, d->l1_line.value, d->l1_ways.value, d->tex_latency.value);
}

static void set_memory(const struct gp_device *d, double clock_mhz, double cus, struct gp_sm *sm)
{
    sm->local_latency = d->smem_latency.value;
    sm->local_replay = d->smem_replay_clk.value;
    sm->issues_beside = gp_arch_is_amd(d->arch) && d->scalar_unit.value > 0;
    sm->replays_hold = d->arch <= GP_ARCH_KEPLER; /* where the scheduler issues an instruction again for each pass;
                                                     later the load/store unit repeats it */
    sm->local_atomic = d->atomic_local_clk.value;
    sm->global_atomic = d->atomic_global_clk.value;
    double beyond =
        fmax(0, d->dram_latency.value -
                    d->l2_latency.value); /* at another clock DRAM takes the same time, not as many cycles */
    sm->dram_latency = d->dram_latency.value + beyond * (clock_mhz / d->clock_mhz.value - 1);
    sm->port_bytes = d->sm_bytes_per_clk.value * cus;
    sm->l2_bytes = d->l2_size.value > 0 ? d->l2_bytes_per_clk.value : INFINITY;
    sm->l2_written_bytes = d->l2_size.value > 0 ? d->l2_write_bytes_per_clk.value : INFINITY;
    sm->dram_bytes = d->dram_gbps.value * 1e9 * d->dram_efficiency.value /
                     (clock_mhz * 1e6); /* of copies; a launch's own: gp_dram_bytes_per_clk() */
    double clusters = d->sm_count.value / d->cluster_sms.value;
    sm->cluster_sms = (uint32_t)d->cluster_sms.value;
    sm->cluster_bytes =
        d->cluster_sms.value > 1 ? d->dram_gbps.value * 1e3 / clock_mhz / clusters : 0; /* TEG, 3.1: of the peak */
    bool hashed = d->channel_hash.value > 0;
    sm->channels = hashed ? 1 : (uint32_t)fmin(64, d->dram_channels.value);
    sm->channel_bytes = (uint32_t)d->channel_bytes.value;
    /*
     * Hong & Kim's delay between the transactions of an uncoalesced access is fitted with all SMs at work (GTX 280: 40
     * cycles; Lai & Seznec measured a seventh of that with one). Here that is the shared bandwidth.
     */
    sm->departure = d->departure_delay_coalesced.value;
    sm->mshr_entries = (uint32_t)d->mshr_entries.value;
    sm->mshr_merges = (uint32_t)d->mshr_merges.value;
    sm->prt_entries = (uint32_t)d->prt_entries.value;
    sm->prt_lanes = (uint32_t)d->prt_lanes.value;
    sm->load_replays = (uint32_t)fmin(GP_MOST_REPLAYS, fmax(1, d->load_replays.value));
    sm->return_lanes = d->return_lanes.value;
}

void gp_sm_of(const struct gp_device *device, double clock_mhz, double l1_bytes, struct gp_sm *sm)
{
    double cus = device->arch == GP_ARCH_RDNA ? 2 : 1;
    *sm = (struct gp_sm){.lsu_units = cus, .sm_count = (uint32_t)fmax(1, device->sm_count.value / cus)};
    set_issue(device, cus, sm);
    set_caches(device, cus, l1_bytes, sm);
    set_memory(device, clock_mhz, cus, sm);
}
