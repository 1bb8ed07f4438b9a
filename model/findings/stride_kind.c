/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/findings/causes.h"

#include <stdlib.h>

#include "model/value/inst_facts.h"
#include "model/value/operand_walk.h"
#include "support/saturate.h"

static bool is_constant(const struct gp_kernel *kernel, gp_ref ref, int64_t *value)
{
    if (gp_ref_kind(ref) != GP_REF_CONST)
        return false;
    *value = (int64_t)kernel->constants[gp_ref_index(ref)];
    return true;
}

struct step {
    const struct gp_kernel *kernel;
    uint32_t loop, looked_at;
};

static bool find_step(struct step *s, gp_ref ref, int64_t *step);

/* The header's phi that grows by a constant. */
static bool step_of_phi(const struct step *s, uint32_t phi, int64_t *step)
{
    const struct gp_kernel *kernel = s->kernel;
    for (uint32_t i = 0; i < kernel->induction_count; i++) {
        const struct gp_induction *induction = &kernel->inductions[i];
        if (induction->loop != s->loop || induction->phi != phi || !is_constant(kernel, induction->step, step))
            continue;
        unsigned bits = kernel->insts[phi].bits;
        if (bits < 64 && (*step >> (bits - 1) & 1))
            *step |= -(INT64_C(1) << bits);
        return true;
    }
    return false;
}

/* A product with a constant, a shift by one, or nothing that moves. */
static bool step_of_scaled(struct step *s, const struct gp_inst *inst, int64_t *step)
{
    const gp_ref *in = &s->kernel->operands[inst->operand];
    int64_t by = 0, moved;
    bool shift = inst->op == GP_OP_SHL;
    if (is_constant(s->kernel, in[1], &by) && (!shift || (by >= 0 && by < 48)))
        return find_step(s, in[0], &moved) && !__builtin_mul_overflow(moved, shift ? INT64_C(1) << by : by, step);
    return !shift && is_constant(s->kernel, in[0], &by) && find_step(s, in[1], &moved) &&
           !__builtin_mul_overflow(moved, by, step);
}

static bool stays(struct step *s, const struct gp_inst *inst)
{
    int64_t moved = 0;
    for (uint32_t k = 0; k < inst->operand_count; k++)
        if (!find_step(s, s->kernel->operands[inst->operand + k], &moved) || moved != 0)
            return false;
    return true;
}

/* By how much a value grows from one iteration of the loop to the next. False: not known. */
static bool find_step(struct step *s, gp_ref ref, int64_t *step)
{
    *step = 0;
    if (gp_ref_kind(ref) != GP_REF_INST)
        return true;
    const struct gp_inst *inst = &s->kernel->insts[gp_ref_index(ref)];
    const gp_ref *in = &s->kernel->operands[inst->operand];
    int64_t other = 0;
    if (!gp_is_made_within(s->kernel, ref, s->loop) || inst->op == GP_OP_ID)
        return true;
    if (++s->looked_at > GP_MOST_VISITED)
        return false;
    switch ((enum gp_op)inst->op) {
    case GP_OP_PHI: return step_of_phi(s, gp_ref_index(ref), step);
    case GP_OP_ADD:
        return find_step(s, in[0], step) && find_step(s, in[1], &other) && !__builtin_add_overflow(*step, other, step);
    case GP_OP_SUB:
        return find_step(s, in[0], step) && find_step(s, in[1], &other) && !__builtin_sub_overflow(*step, other, step);
    case GP_OP_OR: /* of bits that the other operand leaves free */
        return find_step(s, in[0], step) && is_constant(s->kernel, in[1], &other) &&
               (other == 0 || *step % (INT64_C(2) << (63 - __builtin_clzll((uint64_t)other | 1))) == 0);
    case GP_OP_SEXT:
    case GP_OP_ZEXT:
    case GP_OP_TRUNC: return find_step(s, in[0], step);
    case GP_OP_MUL:
    case GP_OP_SHL: return step_of_scaled(s, inst, step);
    case GP_OP_LOAD:
    case GP_OP_CALL:
    case GP_OP_WEIGHT: return false;
    default: return stays(s, inst);
    }
}

/* A loop of a constant number of iterations takes each work-item to where the next one starts. */
static bool loop_fills(const struct gp_kernel *kernel, const struct gp_memory_work *work, uint32_t m, uint32_t loop)
{
    const struct gp_inst *access = &kernel->insts[kernel->memory[m].inst];
    struct step s = {.kernel = kernel, .loop = loop};
    int64_t step = 0, iterations = 0;
    if (!is_constant(kernel, kernel->loops[loop].trip_count, &iterations) ||
        !find_step(&s, kernel->operands[access->operand], &step))
        return false;
    int64_t bytes = (int64_t)kernel->memory[m].element_bytes * kernel->memory[m].vector;
    return gp_size_of(step) >= bytes && gp_size_of(step) < gp_size_of(work[m].shape.stride) && iterations > 1 &&
           iterations < 1 << 24 && gp_multiply(gp_size_of(step), iterations) >= gp_size_of(work[m].shape.stride);
}

/* Copies that the compiler made of one access of the source: they and it fill half of the way to the next work-item's,
 * or more. */
static bool copies_fill(const struct gp_kernel *kernel, const struct gp_memory_work *work, uint32_t m)
{
    uint32_t location = kernel->insts[kernel->memory[m].inst].location;
    int64_t filled = (int64_t)kernel->memory[m].element_bytes * kernel->memory[m].vector;
    for (uint32_t i = 0; i < kernel->memory_count; i++) {
        int64_t apart = (int64_t)(work[i].shape.first_offset - work[m].shape.first_offset);
        if (i != m && location != GP_NONE && kernel->insts[kernel->memory[i].inst].location == location &&
            kernel->memory[i].base == kernel->memory[m].base && kernel->memory[i].flags == kernel->memory[m].flags &&
            work[i].shape.stride == work[m].shape.stride && work[i].shape.first_symbol == work[m].shape.first_symbol &&
            apart != 0 && gp_size_of(apart) < gp_size_of(work[m].shape.stride))
            filled += (int64_t)kernel->memory[i].element_bytes * kernel->memory[i].vector;
    }
    return 2 * filled >= gp_size_of(work[m].shape.stride);
}

/* Whether two operations step alike through one buffer, both to read or both to write. */
static bool step_alike(const struct gp_kernel *kernel, const struct gp_memory_work *work, uint32_t a, uint32_t b)
{
    const struct gp_memory *x = &kernel->memory[a], *y = &kernel->memory[b];
    return work[b].requests > 0 && x->base == y->base && x->flags == y->flags &&
           work[a].shape.stride == work[b].shape.stride && work[a].shape.first_symbol == work[b].shape.first_symbol;
}

struct gp_stride_use gp_stride_use(const struct gp_kernel *kernel, const struct gp_memory_work *work, uint32_t m)
{
    struct gp_stride_use use = {.first = work[m].shape.first_offset};
    bool used[GP_LARGEST_GAP] = {false};
    int64_t stride = gp_size_of(work[m].shape.stride);
    for (uint32_t i = 0; stride > 0 && stride <= GP_LARGEST_GAP && i < kernel->memory_count; i++) {
        int64_t apart = (int64_t)(work[i].shape.first_offset - work[m].shape.first_offset);
        if (!step_alike(kernel, work, m, i) || gp_size_of(apart) >= stride)
            continue;
        use.accesses++;
        use.first = work[i].shape.first_offset < use.first ? work[i].shape.first_offset : use.first;
        for (int64_t k = 0; k < (int64_t)kernel->memory[i].element_bytes * kernel->memory[i].vector; k++)
            used[(apart + k + stride) % stride] = true;
    }
    for (int64_t k = 0; k < GP_LARGEST_GAP; k++)
        use.bytes += used[k];
    return use;
}

/* All bytes up to the next work-item's, as many as one access takes at most, in several. */
static enum gp_stride_kind kind_of_small(const struct gp_kernel *kernel, const struct gp_memory_work *work, uint32_t m)
{
    enum { WIDEST = 16 };
    int64_t stride = gp_size_of(work[m].shape.stride);
    struct gp_stride_use use = gp_stride_use(kernel, work, m);
    if (stride > WIDEST || use.bytes != stride || use.accesses < 2 || (kernel->memory[m].flags & GP_MEMORY_ATOMIC))
        return GP_STRIDE_OTHER;
    return (stride & (stride - 1)) == 0 && use.first % (uint64_t)stride == 0 ? GP_STRIDE_VECTOR : GP_STRIDE_PACKED;
}

enum gp_stride_kind gp_stride_kind(const struct gp_kernel *kernel, const struct gp_memory_work *work, uint32_t m)
{
    const struct gp_memory *memory = &kernel->memory[m];
    uint32_t of = gp_ref_index(memory->base);
    if (gp_size_of(work[m].shape.stride) <
        memory->element_bytes) /* parts of an element: several work-items share one */
        return GP_STRIDE_NONE;
    if (gp_size_of(work[m].shape.stride) == (int64_t)memory->element_bytes * memory->vector)
        return GP_STRIDE_ELEMENTS;
    enum gp_stride_kind small = kind_of_small(kernel, work, m);
    if (small != GP_STRIDE_OTHER)
        return small;
    if (gp_ref_kind(memory->base) == GP_REF_PARAM && (kernel->params[of].flags & GP_PARAM_RECORDS))
        return GP_STRIDE_RECORDS;
    for (uint32_t loop = kernel->blocks[gp_inst_block(kernel, memory->inst)].loop; loop != GP_NONE;
         loop = kernel->loops[loop].parent)
        if (loop_fills(kernel, work, m, loop))
            return GP_STRIDE_CHUNKS;
    return copies_fill(kernel, work, m) ? GP_STRIDE_CHUNKS : GP_STRIDE_OTHER;
}

bool gp_walks_rows(const struct gp_kernel *kernel, uint32_t m)
{
    enum { MOST_UNROLLED = 16 };
    const struct gp_memory *memory = &kernel->memory[m];
    uint32_t loop = kernel->blocks[gp_inst_block(kernel, memory->inst)].loop;
    struct step s = {.kernel = kernel, .loop = loop};
    int64_t step = 0, bytes = (int64_t)memory->element_bytes * memory->vector;
    return loop != GP_NONE && bytes > 0 &&
           find_step(&s, kernel->operands[kernel->insts[memory->inst].operand], &step) && gp_size_of(step) >= bytes &&
           gp_size_of(step) <= MOST_UNROLLED * bytes && step % bytes == 0;
}
