/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What every timing model takes beside the work, and what it answers. */
#ifndef GPUPERF_MODEL_TIMING_CONDITIONS_H
#define GPUPERF_MODEL_TIMING_CONDITIONS_H

#include "model/observe/work.h"
#include "model/timing/limiter.h"
#include "model/timing/terms.h"

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
    struct gp_terms terms;                /* what it is made of */
};

#endif
