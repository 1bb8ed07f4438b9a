/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Short guarded code without a branch: NVIDIA's compiler makes straight-line code of `if (condition) a few
 * instructions`, with or without an else, behind one condition or several (`c && d`), which all warps issue and lanes
 * whose condition does not hold ignore. Then its loads may be ordered together with what is around (block_order.h,
 * schedule.h). "At most 7 instructions" is the rule of the CUDA C Programming Guide (5.4.2 Control Flow Instructions,
 * in its editions for compute capability 1.x to 3.x) where warps are likely to diverge, and still nvcc 13.0's for sm_75
 * to sm_90; but where a load from global memory is among them it takes 18 (Hopper: 16), and of a condition within
 * guarded code that accesses memory it makes a branch. Atomics, shuffles and what itself has a branch, as a division
 * with a path for rare operands, it does not predicate.
 *
 * AMD's compilers keep such code in a block of its own.
 */
#ifndef GPUPERF_MODEL_PREDICATION_H
#define GPUPERF_MODEL_PREDICATION_H

#include "model/compilers/cost.h"
#include "model/profile/profile.h"

/* Per block. Blocks of one straight line are executed in the order of the line; those that are guarded may be left out.
 */
struct gp_predication {
    uint32_t *head;  /* the first block of its line: itself where it is in none */
    uint32_t *next;  /* the next one of its line; GP_NONE */
    uint32_t *place; /* in its line, from 0 */
    bool *guarded;   /* it may be left out */
    uint32_t *guard; /* the instruction that decides whether it is; GP_NONE: none does */
};

/* As the device's compiler makes it; costs: gp_cost_table(). */
void gp_predication_find(const struct gp_kernel *kernel, const struct gp_device *device,
                         const struct gp_cost costs[GP_CLASS_COUNT], struct gp_predication *predication);
void gp_predication_free(struct gp_predication *predication);

#endif
