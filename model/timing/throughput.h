/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The throughput model: time of a launch from its work.
 *
 * A work-group costs each pipe of its SM so many cycles; the busiest pipe's are S. Its slowest warp alone would take L
 * cycles (the chain), Z of them waiting for memory or to be started. With b resident groups an SM finishes a batch in
 *
 *     T(b) = max(b S + Z / sqrt(n) + W, ((L + W)^k + (b D)^k)^(1/k))
 *
 * Z / sqrt(n) is what imperfect overlap leaves: groups that started together wait together and only slowly fall out of
 * step. n is how many parts of the batch run independently of each other (its warps; its groups where barriers hold a
 * group's warps together). W is what all of them wait for together: what L2 does not hold of the lines that they read
 * again side by side. D is the time that DRAM is busy for a group on each SM: the closer a batch comes to keeping it
 * busy the longer its requests queue there, which k, a property of the device (dram_knee), says. Batches follow each
 * other until the groups of the busiest SM are done; L2, DRAM and the rate at which the device starts groups, shared by
 * all SMs, set floors. Groups of different work count as so many average ones, but no launch ends before its longest
 * group does.
 */
#ifndef GPUPERF_MODEL_THROUGHPUT_H
#define GPUPERF_MODEL_THROUGHPUT_H

#include "model/timing/limiter.h"
#include "model/observe/work.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Under which conditions; each repaired cause is one of these or a change of the work. */
struct gp_conditions {
    const struct gp_device *device;
    double clock_mhz;
    double resident_groups;                     /* per SM */
    double spill_store_bytes, spill_load_bytes; /* per work-item, each store and load as often as it is made */
    double spill_slot_bytes;                    /* of these, distinct */
    uint64_t grid[3];                           /* groups per dimension */
    bool
        cold; /* the last cache holds nothing that the launch touches; else what the same launch before it left there */
    bool hide_latency, no_bandwidth, no_tail, no_barrier, no_start; /* no_start: all groups start at once */
    bool split_items; /* with no_tail: SMs without a group take a part of work-items, too; else a work-item takes as
                         long, however groups are made of them */
    uint32_t repaired_paths; /* bits 1 << GP_NARROW_... */
    /* What the trace model needs to know of a repair whose effect on the work is in the work: */
    bool even_channels;
    const uint8_t *repaired_memory;   /* per memory operation: enum gp_repaired (trace.h); NULL: none */
    const uint8_t *repaired_branches; /* per branch: is repaired; NULL: none */
};

struct gp_timing {
    double cycles; /* of the launch, launch overhead included (but in Hong & Kim's model) */
    enum gp_limiter limiter;
    double waves;                         /* groups over what the device holds at once */
    double dram_bytes, l2_bytes;          /* of the launch */
    double pipe_cycles[GP_LIMITER_COUNT]; /* of one group on one SM; DRAM: its share of the device */
    double chain;                         /* L */
    double sooner; /* cycles that a lone warp waits less than gp_work's chain says, since groups or launches before it
                      brought what it asks for; where the model does not know, 0 */
    /* Simulated: shares of the time in which a scheduler has nothing to issue and its next warp waits for that,
     * requests being room for another outstanding one; else 0. */
    double idle_for_memory, idle_for_requests, idle_for_results;
    double mwp, cwp, cpi; /* Hong & Kim's, where theirs is the model (mwp_cwp.h); else 0 */
};

/*
 * What a launch moves from and to DRAM: bytes, of these those written, and those read from lines far apart as
 * gp_buffer_work.apart_bytes. alone: of what the groups that run at once touch, the share that only one of them
 * touches. streams: at how many places far apart a warp asks for it. request_cycles: what its requests cost beside.
 */
struct gp_dram_traffic {
    double bytes, written, apart, alone, streams, request_cycles;
};

/* When so many groups run at once. of_buffer: [work->buffer_count], what is brought of each; may be NULL. */
void gp_dram_traffic(const struct gp_work *work, const struct gp_conditions *conditions, double concurrent,
                     double *of_buffer, struct gp_dram_traffic *traffic);

/* Bytes besides gp_dram_traffic()'s that DRAM moves for what a group reads once more after its SM has lost it, as the
 * passes over a row do, and the last cache does not keep till then. alone: the traffic's. */
double gp_reread_bytes(const struct gp_work *work, const struct gp_conditions *conditions, double concurrent,
                       double alone);

/* Bytes per cycle that DRAM moves of such traffic: reading alone goes faster than turning round to write. */
double gp_dram_bytes_per_clk(const struct gp_conditions *conditions, const struct gp_dram_traffic *traffic);

/* Cycles that the device takes to start all groups one after the other (device->group_rate); 0 where no such limit is
 * known. */
double gp_start_cycles(const struct gp_work *work, const struct gp_conditions *conditions);

/*
 * Cycles that a third level needs for what it delivers because L2 does not hold what so many groups at once work on; 0
 * where there is none or its bandwidth is not known.
 */
double gp_llc_cycles(const struct gp_work *work, const struct gp_conditions *conditions, double concurrent);

/*
 * Cycles below which no launch with these atomics can be: operations on one address are made one after the other, from
 * whichever SM they come (device->atomic_global_clk each), and so are those in one part of L2. Addresses and lines are
 * taken to be asked for equally often.
 */
double gp_atomic_cycles(const struct gp_work *work, const struct gp_device *device);

/*
 * The same of compare-and-swap that a loop retries: each that succeeds had read what the one before it wrote, so that
 * those on one address are a round trip to L2 apart, from whichever SM they come. A round trip is l2_latency, or as
 * long as L2 takes for an exchange of each warp that waits meanwhile, since those that fail take as long: all resident
 * warps, or as many as there are if the exchanges take but a part of what all else takes (`rest` cycles; 0: nothing). 0
 * on CPUs, whose cores keep the line.
 */
double gp_retry_cycles(const struct gp_work *work, const struct gp_conditions *conditions, double rest);

/* What takes longest; ISSUE where several do. */
enum gp_limiter gp_busiest(const double cycles[GP_LIMITER_COUNT]);

void gp_throughput(const struct gp_work *work, const struct gp_conditions *conditions, struct gp_timing *timing);

#ifdef __cplusplus
}
#endif
#endif
