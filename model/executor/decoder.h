/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What the decoder's files share: a kernel on its way to the arrays that are executed (executor_internal.h).
 *
 *   decode_needed.c       which results are needed
 *   decode_floats.c       which values are floating-point numbers, and which only scale indices
 *   decode_slots.c        a slot for each
 *   decode_edges.c        edges from block to block
 *   decode_block.c        a block's instructions and its end
 *   decode_phis.c         its phis
 *   decode_loops.c        loops, and how many of their iterations may be left out
 *   decode_expressions.c  their trip counts and steps
 *   decode_iteration.c    what changes from one iteration to the next
 *   decode_carried.c      what decides beside counters what the next one has
 *   decode_exits.c        how loops end that nobody knows the trip count of
 *   decode_deciders.c     which of a loop's phis decide alone whether it ends
 *   decode_unrolled.c     by how much parts of a loop are unrolled
 *   decode_overlap.c      comparisons that ask whether buffers overlap
 *   executor_decode.c     all of it
 */
#ifndef GPUPERF_MODEL_DECODER_H
#define GPUPERF_MODEL_DECODER_H

#include "model/executor/executor_internal.h"

struct decoder {
    struct gp_executor *ex;
    const struct gp_kernel *kernel;
    uint32_t first_expression; /* instructions from here on are expressions */
    bool *needed;              /* per instruction: its result is */
    bool *scale;               /* per instruction: a floating-point number that does nothing but scale indices */
    bool *scaled;              /* per instruction: depends on a load of such a number */
    uint32_t *work;            /* instructions whose operands are to be marked */
    uint32_t work_count;
    uint32_t *slot;   /* per instruction */
    uint32_t *stamp;  /* scratch per instruction */
    uint32_t *inside; /* scratch per block: blocks of the loop at hand, ascending */
    uint32_t inside_count;
    uint32_t *edge_from; /* scratch per block: index + 1 of its edge into the block at hand */
    uint32_t first_constant, first_array;
    uint32_t op_count, more_count, phi_count, out_count, case_count, expression_count;
};

static inline const gp_ref *gp_operands(const struct decoder *d, const struct gp_inst *inst)
{
    return d->kernel->operands + inst->operand;
}

/* ---- decode_needed.c --------------------------------------------------------------------------------------------- */

void gp_mark_needed(struct decoder *d);
/* Operands [first, end) of an instruction decide control flow or an address, whoever uses its result. */
void gp_rooted_operands(const struct gp_inst *inst, uint32_t *first, uint32_t *end);
/* The load of which the instruction is another element than the first; NULL: it is none. */
const struct gp_inst *gp_load_of_element(const struct gp_kernel *kernel, const struct gp_inst *inst);
bool gp_is_loaded(const struct gp_kernel *kernel, const struct gp_inst *inst);

/* ---- decode_floats.c --------------------------------------------------------------------------------------------- */

/* After what is needed is known. */
void gp_find_scales(struct decoder *d);
void gp_find_floats(struct decoder *d);

/* ---- decode_slots.c ---------------------------------------------------------------------------------------------- */

void gp_make_slots(struct decoder *d);
uint32_t gp_slot_of(const struct decoder *d, gp_ref ref);
void gp_find_local_values(struct decoder *d);

/* ---- decode_edges.c ---------------------------------------------------------------------------------------------- */

void gp_make_edges(struct decoder *d);
/* The k-th target of a terminator, k below the limit; GP_NONE beyond the last. A switch: default first. */
uint32_t gp_target_at(const struct decoder *d, const struct gp_inst *inst, uint32_t k);
uint32_t gp_target_limit(const struct gp_inst *inst);

/* ---- decode_block.c ---------------------------------------------------------------------------------------------- */

/* Arrays that gp_decode_block() fills. */
void gp_make_block_arrays(struct decoder *d);
void gp_decode_block(struct decoder *d, uint32_t block);
enum op_kind gp_kind_of(const struct gp_inst *inst);
void gp_decode_op(struct decoder *d, uint32_t index, struct op *op);
/* An instruction's op in a block; NULL: it is not executed. */
struct op *gp_op_of(struct decoder *d, uint32_t block, uint32_t inst);
unsigned gp_bits_of(const struct gp_kernel *kernel, gp_ref ref);

/* ---- decode_phis.c ----------------------------------------------------------------------------------------------- */

void gp_decode_phi(struct decoder *d, uint32_t block, uint32_t index);
/* Once the block has all its phis. */
void gp_stage_phis(struct decoder *d, struct block *b);

/* ---- decode_loops.c ---------------------------------------------------------------------------------------------- */

void gp_make_loops(struct decoder *d);
/* Once blocks are decoded. */
void gp_look_at_loops(struct decoder *d);

/* ---- decode_expressions.c ---------------------------------------------------------------------------------------- */

void gp_decode_expressions(struct decoder *d);
void gp_decode_inductions(struct decoder *d);

/* ---- decode_iteration.c ------------------------------------------------------------------------------------------ */

/* Whether a branch that stays in the loop goes another way from iteration to iteration, as far as is known. */
bool gp_depends_on_iteration(struct decoder *d, uint32_t loop);
/* Fills in what varies in each loop and is used behind it. */
void gp_find_varying(struct decoder *d);

/* ---- decode_carried.c -------------------------------------------------------------------------------------------- */

/* Once it is known which loops' iterations may be left out. */
void gp_find_carried(struct decoder *d);

/* ---- decode_exits.c ---------------------------------------------------------------------------------------------- */

/* Whether a branch of a loop (or of a loop inside) leaves it for another reason than data. */
bool gp_is_known_exit(const struct decoder *d, uint32_t block, uint32_t loop);
/* How well a block suits as the exit of its loop where nothing is known, larger is better; 0: no exit. */
unsigned gp_exit_rank(const struct decoder *d, uint32_t block);
/* Marks the exchange that a loop goes round for. */
void gp_find_retried(struct decoder *d, uint32_t loop);
/* What branches ask of the loops of which so many iterations are assumed. */
void gp_find_ends(struct decoder *d);

/* ---- decode_deciders.c ------------------------------------------------------------------------------------------- */

/* What decides whether loops end, once it is known which results are needed. */
void gp_find_deciders(struct decoder *d);

/* ---- decode_unrolled.c ------------------------------------------------------------------------------------------- */

/* Fills in by how much a loop is unrolled, and which other parts of it are. */
void gp_find_factors(struct decoder *d, uint32_t loop);

/* ---- decode_overlap.c -------------------------------------------------------------------------------------------- */

void gp_find_overlap_checks(struct decoder *d);

#endif
