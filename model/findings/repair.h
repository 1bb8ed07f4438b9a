/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A copy of a launch's work that can be changed as if a cause were repaired, and set back: the time of the changed work
 * is what the kernel would take (DESIGN: "Predictions and causes"). Used for bottlenecks, and for how much of a time
 * rests on guesses.
 */
#ifndef GPUPERF_MODEL_REPAIR_H
#define GPUPERF_MODEL_REPAIR_H

#include "model/timing/conditions.h"

struct gp_repair {
    const struct gp_work *before;
    const struct gp_conditions *conditions_before;
    struct gp_work work;
    struct gp_conditions conditions;
    uint8_t *repaired; /* per memory operation: enum gp_repaired */
    uint8_t *shared;   /* per branch: is shared */
    double *useful;    /* per buffer: bytes of a group that its work-items ask for */
    double *wasted;    /* per buffer: transactions beyond those that its requests could be */
    double *longer;    /* per memory operation: cycles by which each of its waits has become longer */
    uint32_t *changed; /* memory operations that are repaired, in `work` other than before */
    uint32_t changed_count;
    struct gp_cost addition; /* of integers, on the device */
    double fullest_bank[GP_MAX_LANES +
                        1]; /* gp_expected_in_fullest() of so many words in the device's banks; 0: not asked for yet */
};

/* Begins unchanged. The work and the conditions must stay alive. */
void gp_repair_begin(struct gp_repair *repair, const struct gp_work *work, const struct gp_conditions *conditions);
void gp_repair_end(struct gp_repair *repair);
void gp_repair_reset(struct gp_repair *repair);

/* Memory operation `m`, an index in work.memory: each request moves its useful bytes only, in as few transactions as
 * the device can. */
void gp_coalesce(struct gp_repair *repair, uint32_t m);
/* One pass per conflict-free access of that width. */
void gp_free_of_conflicts(struct gp_repair *repair, uint32_t m);
/* A store to local memory writes so many copies of a table, each to other banks: as many more instructions and passes.
 */
void gp_write_copies(struct gp_repair *repair, uint32_t m, double copies);
/* A look-up in such copies adds the lane's own to its place: an instruction more, as nvcc 13.0 has it (one for sm_86,
 * two for sm_90). */
void gp_find_own_copy(struct gp_repair *repair, uint32_t m);
/* Each group combines in local memory, beside the requests, and then makes one atomic for each address, side by side;
 * on addresses that nobody knows no two meet. */
void gp_combine_in_groups(struct gp_repair *repair, uint32_t m);
/* Nobody meets anybody on an address, as with fewer groups that do more each, or copies for them. */
void gp_no_contention(struct gp_repair *repair, uint32_t m);
/* What it accesses is in a register. */
void gp_keep_in_registers(struct gp_repair *repair, uint32_t m);
/* It is made `times` times by the average warp, no more: else a register has it. */
void gp_keep_between(struct gp_repair *repair, uint32_t m, double times);
/* Of a repair's or another copy of the work: a memory operation moves so many times as much beyond L1. */
void gp_scale_l2_bytes(struct gp_memory_work *memory, double by);
/* So much of what makes addresses of loads in a block, an index in work.blocks, is not needed. */
void gp_spare_addresses(struct gp_repair *repair, uint32_t block, double share);
/* A lone warp waits so many cycles less. */
void gp_wait_less(struct gp_repair *repair, double cycles);
/*
 * Paths of a mask (1 << GP_NARROW_...) repaired. What the source can spell otherwise has other latencies, too:
 * chain_saved, cycles of a lone warp (spelling_causes.c); what runs on a wider pipe keeps its own.
 */
void gp_widen(struct gp_repair *repair, uint32_t paths, double chain_saved);
/*
 * Groups whose warps have work in all lanes, and fewer of them. What the schedulers and the arithmetic pipes do for a
 * warp stays; what its lanes ask memory for grows with them, so that the launch moves what it did. Once, and after all
 * other repairs of the work.
 */
void gp_fill_warps(struct gp_repair *repair);
/* Each side of a branch paid by its share of the lanes. */
void gp_share_branch(struct gp_repair *repair, uint32_t branch);
/* What a single lane of a warp asks memory for behind a branch, time and again, its lanes ask for side by side:
 * operation `m`, which gets there so often. */
void gp_ask_side_by_side(struct gp_repair *repair, uint32_t m, double turns);
/* And, of a branch that a single lane of a group takes, by all of its warps: the group waits for the slowest of them,
 * which does a part. */
void gp_share_among_warps(struct gp_repair *repair, uint32_t branch);

#endif
