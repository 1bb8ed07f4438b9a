/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The order in which a compiler's list scheduler issues the instructions of a basic block, or of several that it made
 * one of (predication.h).
 *
 * ptxas and LLVM's AMDGPU backend reorder within a block, for a lone warp and latencies as their tables have them: of
 * what is ready, first what the longest chain of dependences hangs on. So independent loads come before arithmetic, and
 * several are under way at once. The last instruction stays last, phis at the beginning first. Nothing passes a
 * barrier. A load does not pass a store or an atomic of its address space, unless it is known to read what nobody
 * writes; nor do these pass each other. A load waits for registers: what loads bring occupies them from its issue until
 * its last use, and one of shared memory on compute capability 1.x, whose arithmetic reads that memory itself, until
 * nothing else can go. (model/compilers/schedule.h follows the same rules, but only for the time of a lone warp.)
 */
#ifndef GPUPERF_MODEL_BLOCK_ORDER_H
#define GPUPERF_MODEL_BLOCK_ORDER_H

#include "model/profile/profile.h"

struct gp_order_item {
    uint32_t inst;  /* of the kernel */
    uint32_t guard; /* the instruction that decides whether it takes effect; GP_NONE */
    float issue;    /* cycles until the warp may issue the next one ... */
    float latency;  /* ... and until a dependent one may issue */
    uint32_t words; /* a load's result: 32-bit words that wait in registers; else 0 */
    bool late;      /* a load that the compiler leaves where its value is used */
};

struct gp_block_order;

/* For instructions of a kernel, which must stay alive. */
struct gp_block_order *gp_block_order_new(const struct gp_kernel *kernel);
void gp_block_order_free(struct gp_block_order *order);

/*
 * items: straight-line code in program order, each instruction once. words: registers that may hold results of loads at
 * once; a load for which there is no room goes only when nothing else can. The answer, numbers of items, belongs to the
 * order and is valid until its next use.
 */
const uint32_t *gp_block_order_find(struct gp_block_order *order, const struct gp_order_item *items, uint32_t count,
                                    double words);

#endif
