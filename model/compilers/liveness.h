/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Which values of a kernel are alive where: what registers hold.
 *
 * Instructions that cost nothing own no register: they stand for their operands ("roots"). Values that are live where a
 * block starts are found value by value, from each use up to the definition (Brandner, Boissinot, Darte, Dupont de
 * Dinechin, Rastello, "Computing Liveness Sets for SSA-Form Programs", INRIA RR-7503, 2011, section 5.2).
 */
#ifndef GPUPERF_MODEL_LIVENESS_H
#define GPUPERF_MODEL_LIVENESS_H

#include "model/profile/profile.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { GP_MAX_ROOTS = 4 };

struct gp_live_list {
    uint32_t *values, count, room;
};

struct gp_liveness {
    const struct gp_kernel *kernel;
    bool scalar_unit;                /* values that are the same for all lanes are in registers of their own */
    uint32_t count;                  /* instructions in blocks; the others are expressions */
    uint32_t (*roots)[GP_MAX_ROOTS]; /* per instruction, what its result lives in */
    uint8_t *root_count;
    uint32_t *block_of;          /* per instruction */
    struct gp_live_list *in;     /* per block, live at its start, ascending; without its phis */
    struct gp_live_list *before; /* per block, its predecessors */
};

/* The kernel must stay alive. */
void gp_liveness_begin(struct gp_liveness *liveness, const struct gp_kernel *kernel, bool scalar_unit);
void gp_liveness_end(struct gp_liveness *liveness);

/* 32-bit registers that hold a value; 0 for a predicate. */
uint32_t gp_live_words(const struct gp_liveness *liveness, uint32_t value);
/* Lives in a register of the whole warp. */
bool gp_live_in_scalar(const struct gp_liveness *liveness, uint32_t value);

/* Loaded from an address in constant memory that all lanes share: an operand of the instruction that uses it (NVIDIA),
 * or loaded anew for each. */
bool gp_live_is_operand(const struct gp_liveness *liveness, uint32_t value);

/* The i-th block that control may go to behind a block, or GP_NONE. */
uint32_t gp_block_successor(const struct gp_kernel *kernel, uint32_t block, uint32_t i);

/* A value may be visited more than once. */
typedef void gp_live_visit(void *context, uint32_t value);
/* The roots that an instruction reads; phis read at the ends of their predecessors. */
void gp_live_uses(const struct gp_liveness *liveness, uint32_t inst, gp_live_visit *visit, void *context);
/* ---- Backwards through a block, with what is live ---- */

typedef uint32_t gp_live_words_of(const struct gp_liveness *liveness, uint32_t value);

struct gp_live_walk {
    const struct gp_liveness *l;
    gp_live_words_of *words;  /* NULL: gp_live_words() */
    uint32_t *live_in, stamp; /* per value: in which walk it is live; this walk */
    uint32_t now[2], most[2]; /* words in lanes' and in scalar registers, here and in all walks since most was 0 */
};

void gp_live_walk_begin(struct gp_live_walk *walk, const struct gp_liveness *liveness, gp_live_words_of *words);
void gp_live_walk_end(struct gp_live_walk *walk);
uint32_t gp_live_walk_words(const struct gp_live_walk *walk, uint32_t value);
/* To the block's end; over one instruction; notes what is live now; all of it. */
void gp_live_walk_enter(struct gp_live_walk *walk, uint32_t block);
void gp_live_walk_pass(struct gp_live_walk *walk, uint32_t inst);
void gp_live_walk_record(struct gp_live_walk *walk);
void gp_live_walk_through(struct gp_live_walk *walk, uint32_t block);

/* The most words that are live at once, in registers of lanes and in scalar ones. */
void gp_live_peak(const struct gp_liveness *liveness, uint32_t *vector, uint32_t *scalars);

/*
 * The same of lanes' registers alone, where a compiler that is short of them orders each block (pressure.c): what
 * stands between two stores, barriers or loads from global memory may change places. Blocks that have at most `enough`
 * words alive as they stand are left alone, and no order is taken to need fewer.
 */
void gp_live_least(const struct gp_liveness *liveness, uint32_t enough, uint32_t *vector);

#ifdef __cplusplus
}
#endif
#endif
