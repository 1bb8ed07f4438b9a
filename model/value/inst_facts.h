/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Facts about single instructions and memory operations that every timing model needs. */
#ifndef GPUPERF_MODEL_INST_FACTS_H
#define GPUPERF_MODEL_INST_FACTS_H

#include "hwdb/hwdb.h"
#include "model/profile/profile.h"

/* Uniform, and of a class that a scalar unit takes; a branch, which is never a vector instruction there. */
bool gp_inst_runs_on_scalar_unit(const struct gp_inst *inst);

/* Instructions of the scalar unit of such a one that costs so many: none for a branch on a uniform condition, which the
 * branch unit takes. */
double gp_inst_scalar_issue(const struct gp_kernel *kernel, const struct gp_inst *inst, double issue);

/* A load at a constant address of constant memory: NVIDIA's arithmetic instructions take it as an operand
 * c[bank][offset]. */
bool gp_inst_has_constant_address(const struct gp_kernel *kernel, const struct gp_inst *load);

/* Whether a branch goes by the work-item's number, so that warps of a group may go different ways. */
bool gp_branches_part_warps(const struct gp_kernel *kernel);

/* Divisions and remainders of integers. */
bool gp_class_divides_integers(uint8_t class);

/*
 * Index of the location of an instruction; where the optimiser moved or merged it and took that away, that of an
 * instruction that it is combined with. GP_NONE: neither has one.
 */
uint32_t gp_own_place(const struct gp_kernel *kernel, uint32_t inst);

/* The location to tell of an instruction: gp_own_place(), else gp_place_around(). GP_NONE as `inst` is the kernel as a
 * whole. */
uint32_t gp_inst_place(const struct gp_kernel *kernel, uint32_t inst);

/* The same of all instructions at once: places[kernel->inst_count]. */
void gp_inst_places(const struct gp_kernel *kernel, uint32_t *places);

/* That of the innermost loop around an instruction that has one, else the kernel's. */
uint32_t gp_place_around(const struct gp_kernel *kernel, uint32_t inst);

/* The block that an instruction stands in; GP_NONE: none, as of an expression. */
uint32_t gp_inst_block(const struct gp_kernel *kernel, uint32_t inst);

/* Whether a block is in the loop or in one within it. GP_NONE: all are. */
bool gp_block_is_within(const struct gp_kernel *kernel, uint32_t block, uint32_t loop);

/* Whether an instruction of the loop, or of one within it, makes a value. */
bool gp_is_made_within(const struct gp_kernel *kernel, gp_ref ref, uint32_t loop);

/* What a phi is when its loop is entered; GP_REF_NONE: nothing comes from outside of it. */
gp_ref gp_phi_start(const struct gp_kernel *kernel, const struct gp_inst *phi, uint32_t loop);

/* Whether no other loop is within a loop. */
bool gp_loop_is_innermost(const struct gp_kernel *kernel, uint32_t loop);

/* Whether an instruction is a phi of a loop's header. */
bool gp_is_header_phi(const struct gp_kernel *kernel, uint32_t loop, uint32_t inst);

/* The counter that an instruction, a phi, is; NULL: it is none. */
const struct gp_induction *gp_counter_of(const struct gp_kernel *kernel, uint32_t phi);

/* The same of a value. */
const struct gp_induction *gp_counter_at(const struct gp_kernel *kernel, gp_ref ref);

/* Whether a block ends in a branch that can lead out of the loop. GP_NONE: none can. */
bool gp_block_can_leave(const struct gp_kernel *kernel, uint32_t block, uint32_t loop);

bool gp_loop_has_exit(const struct gp_kernel *kernel, uint32_t loop);

/* Whether a loop has exits, but nothing that it does decides them: each lane leaves in its first iteration or never. */
bool gp_loop_cannot_end_itself(const struct gp_kernel *kernel, uint32_t loop);

/* Whether one way out of a block's end leads through another block, and another does not; ways round the loop do not
 * count. GP_NONE: there is none. */
bool gp_branch_decides(const struct gp_kernel *kernel, uint32_t loop, uint32_t from, uint32_t block);

/* Whether the kernel ends behind a block, and nothing is done on the way: no memory operation, call or barrier. */
bool gp_block_is_idle(const struct gp_kernel *kernel, uint32_t block);

/* Whether operand k of an instruction is a number that is computed with, stored or exchanged: it decides neither a way
 * nor an address. */
bool gp_operand_decides_nothing(const struct gp_inst *inst, uint32_t k);

/* A memory operation whose addresses the executor reports. */
static inline bool gp_inst_accesses(const struct gp_inst *inst)
{
    return inst->op >= GP_OP_LOAD && inst->op <= GP_OP_BULK_COPY && inst->record != GP_NONE;
}

/* Of an integer comparison: as unsigned a negative number is beyond all others. */
static inline bool gp_compares_unsigned(unsigned predicate)
{
    return predicate == GP_PRED_ULT || predicate == GP_PRED_ULE || predicate == GP_PRED_UGT || predicate == GP_PRED_UGE;
}

/* Where a memory operation accesses. GP_REF_NONE: it has no address. */
static inline gp_ref gp_memory_address(const struct gp_kernel *kernel, const struct gp_memory *memory)
{
    const struct gp_inst *inst = &kernel->insts[memory->inst];
    return inst->operand_count > 0 ? kernel->operands[inst->operand] : gp_ref_make(GP_REF_NONE, 0);
}

/* addresses[kernel->inst_count]: integer instructions that nothing needs but addresses of loads from off the chip. What
 * goes round a loop, such as its counter, is needed by the next turn. */
void gp_find_load_addresses(const struct gp_kernel *kernel, bool *addresses);

/* loop[memory operations]: the innermost loop around each; GP_NONE: none. */
void gp_memory_loops(const struct gp_kernel *kernel, uint32_t *loop);

/* What compilers move nothing across, since they know little of what it does. */
static inline bool gp_inst_is_fence(const struct gp_inst *inst)
{
    return inst->op == GP_OP_BARRIER || inst->op == GP_OP_CALL || inst->op == GP_OP_BULK_COPY;
}

static inline bool gp_memory_writes(const struct gp_memory *memory)
{
    return memory->flags & (GP_MEMORY_STORE | GP_MEMORY_ATOMIC);
}

/* Whether it reads constants from a cache of their own. On AMD's devices since GCN and on Intel's constant memory is
 * global memory: LLVM makes the same loads of both. */
bool gp_memory_reads_constants(const struct gp_device *device, const struct gp_memory *memory);

/* Whether what a memory operation reads may be found in a cache of its SM. */
bool gp_memory_reads_cached(const struct gp_device *device, const struct gp_memory *memory);

/* Whether that is a texture cache beside L1: images, and what is known to be read only (CUDA C Programming Guide,
 * compute capability 3.x). */
bool gp_memory_reads_texture_cache(const struct gp_device *device, const struct gp_memory *memory);

#endif
