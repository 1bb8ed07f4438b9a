/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * How long a lone warp takes for a basic block, or a straight line of blocks (predication.h), instructions ordered as a
 * compiler's list scheduler would.
 *
 * ptxas and LLVM's AMDGPU backend reorder within a block: loads go up as far as registers allow, so that several are
 * under way at once. Hence a block lasts as long as its longest chain of dependences or as its instructions take to
 * issue, whichever is longer. A load does not pass
 *
 *   - a barrier;
 *   - a store to the same address space, or to one that it may be in (generic addresses), unless it is known to read
 * what nobody writes;
 *   - a volatile store, where it is volatile itself;
 *   - the last use of the load that is so many words before it as results may wait in registers;
 *   - the end of the off-chip load so many before it as a warp may have under way (hwdb: warp_loads).
 *
 * Results not used in their block are waited for where they are, those of phis and other free instructions, too.
 */
#ifndef GPUPERF_MODEL_SCHEDULE_H
#define GPUPERF_MODEL_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

/* One instruction of a block. In a line of blocks each has an instruction once. */
struct gp_slot {
    uint32_t inst;            /* index of the instruction, its result's name */
    uint32_t record;          /* memory operation, or GP_NONE */
    const uint32_t *operands; /* instructions whose results it uses */
    uint32_t operand_count;
    const uint32_t *guard; /* instruction whose result decides whether it takes effect; NULL: none does */
    double issue, latency; /* cycles */
    uint32_t words;        /* loads: 32-bit words of the result; else 0 */
    int space;             /* enum gp_space of a memory operation, else -1 */
    bool store, reorders;  /* reorders: passes any store */
    bool in_order;         /* volatile: follows volatile stores to whatever space */
};

struct gp_schedule;

struct gp_schedule *gp_schedule_new(uint32_t inst_count);
void gp_schedule_free(struct gp_schedule *schedule);

/*
 * A new warp: nothing is under way. `words`: results of loads that may wait in registers at once; `local_words`: of
 * loads from local memory, which then count by themselves; 0: they count among the others. `most_loads`: from elsewhere
 * that may be under way.
 */
void gp_schedule_start(struct gp_schedule *schedule, double words, double local_words, uint32_t most_loads);

/* From here on other `words`. */
void gp_schedule_give_words(struct gp_schedule *schedule, double words);

/* The next instruction of the block, in program order. */
void gp_schedule_add(struct gp_schedule *schedule, const struct gp_slot *slot);

/* Told of a memory operation (a record) that the block waited `cycles` for. */
typedef void gp_stall_observer(void *context, uint32_t record, double cycles);

/* Ends the block, or a part of it that ends in a barrier. Returns the cycles that it took. */
double gp_schedule_finish(struct gp_schedule *schedule, gp_stall_observer *observer, void *context);

/*
 * Between blocks: how much longer (cycles) an instruction's result is waited for, and the part of that which began when
 * it issued; 0 where it is there.
 */
double gp_schedule_pending(const struct gp_schedule *schedule, uint32_t inst, double *latency);

/* In place of a block that was run before: time passes, and a result of it is left under way as gp_schedule_pending()
 * told it. */
void gp_schedule_pass(struct gp_schedule *schedule, double cycles);
void gp_schedule_leave(struct gp_schedule *schedule, uint32_t inst, double pending, double latency);

/* Whether an address may be in both spaces: a generic one is of global or of work-group memory (block_order.c takes all
 * accesses beside one as of one space). */
bool gp_spaces_may_alias(int a, int b);

#endif
