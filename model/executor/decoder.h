/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What the decoder's files share: a kernel on its way to the arrays that are executed (executor_internal.h).
 *
 *   decode.c          all of it, and the order of blocks
 *   decode_values.c   which results are needed, a slot for each, and what is known of them
 *   decode_blocks.c   a block's edges, phis, instructions, end, and the expressions of loops
 *   decode_loops.c    loops, how they end, and how many of their iterations may be left out
 *   decode_carried.c  what the next iteration needs of the one before, and what decides whether there is one
 *   decode_parts.c    parts of one loop: an unrolled one and what is left over
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

/* ---- decode_values.c --------------------------------------------------------------------------------------------- */

void gp_mark_needed(struct decoder *d);
/* The load of which the instruction is another element than the first; NULL: it is none. */
const struct gp_inst *gp_load_of_element(const struct gp_kernel *kernel, const struct gp_inst *inst);
bool gp_is_loaded(const struct gp_kernel *kernel, const struct gp_inst *inst);

/* After what is needed is known. */
void gp_find_scales(struct decoder *d);
void gp_find_floats(struct decoder *d);

void gp_make_slots(struct decoder *d);
uint32_t gp_slot_of(const struct decoder *d, gp_ref ref);
void gp_find_local_values(struct decoder *d);

void gp_find_overlap_checks(struct decoder *d);

/* ---- decode_blocks.c --------------------------------------------------------------------------------------------- */

void gp_make_edges(struct decoder *d);

/* Arrays that gp_decode_block() fills. */
void gp_make_block_arrays(struct decoder *d);
void gp_decode_block(struct decoder *d, uint32_t block);
enum op_kind gp_kind_of(const struct gp_inst *inst);
void gp_decode_op(struct decoder *d, uint32_t index, struct op *op);
/* An instruction's op in a block; NULL: it is not executed. */
struct op *gp_op_of(struct decoder *d, uint32_t block, uint32_t inst);

void gp_decode_expressions(struct decoder *d);
void gp_decode_inductions(struct decoder *d);

/* ---- decode_loops.c ---------------------------------------------------------------------------------------------- */

void gp_make_loops(struct decoder *d);
/* Once blocks are decoded. */
void gp_look_at_loops(struct decoder *d);

/* Fills in what varies in each loop and is used behind it. */
void gp_find_varying(struct decoder *d);

/* ---- decode_carried.c -------------------------------------------------------------------------------------------- */

/* Once it is known which loops' iterations may be left out. */
void gp_find_carried(struct decoder *d);

/* What decides whether loops end, once it is known which results are needed. */
void gp_find_deciders(struct decoder *d);

#endif
