/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * How a loop that is not bounded before it runs ends: a counter that is compared with something that stays the same,
 * though nobody knows what it is. From where to where it counts is told by the profile's instructions; so is which
 * branches before it only ask whether it goes round at all.
 */
#ifndef GPUPERF_MODEL_LOOP_EXIT_H
#define GPUPERF_MODEL_LOOP_EXIT_H

#include "model/profile/profile.h"

struct gp_loop_exit {
    const struct gp_induction *counter;
    bool next;         /* its next value is compared, not this iteration's */
    int64_t more;      /* ... which is so much more than what the counter says */
    bool inclusive;    /* the loop goes on at `end` itself */
    uint32_t block;    /* where */
    gp_ref start, end; /* of an unrolled loop and what is left over: where both begin */
};

/* Whether every iteration of a loop comes by a block of it. */
bool gp_passes_by(const struct gp_kernel *kernel, uint32_t loop, uint32_t block);

/* The first exit from `block` on (in the profile's order) that compares a counter of the loop's with what does not
 * change in it. Loads of one place are taken to give the same, as the source's author does, though stores of the loop
 * may go there. */
bool gp_find_loop_exit(const struct gp_kernel *kernel, uint32_t loop, uint32_t block, struct gp_loop_exit *out);

/* Whether another loop's end is made of this one's start and end and constants: what is left over of an unrolled one.
 */
bool gp_is_rest_of_loop(const struct gp_kernel *kernel, const struct gp_loop_exit *other,
                        const struct gp_loop_exit *out);

/*
 * Whether the block's branch, beside the loop, only asks whether there are iterations (of an unrolled loop: some, or so
 * many): it is `data`, made of the exit's start and end and constants, and goes past the loop, or part of it, or not.
 */
bool gp_guards_loop(const struct gp_kernel *kernel, uint32_t block, uint32_t loop, const struct gp_loop_exit *out);

/* Whether the block's branch, beside the loop, asks for the number of its iterations: it is `data`, made of what the
 * exit's start and end are made of. */
bool gp_asks_for_iterations(const struct gp_kernel *kernel, uint32_t block, uint32_t loop,
                            const struct gp_loop_exit *out);

/* The load that a value is, also where phis join loads of one place, or choices stand for a table of constants
 * (passes/analysis/constant_tables.h); NULL: something else. */
const struct gp_inst *gp_load_of(const struct gp_kernel *kernel, gp_ref ref);

/* "n + part" less "part" is n. GP_REF_NONE: it is no such sum. */
gp_ref gp_rest_of_sum(const struct gp_kernel *kernel, gp_ref sum, gp_ref part);

#endif
