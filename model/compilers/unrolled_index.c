/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/compilers/unrolled_index.h"

#include <math.h>

#include "model/compilers/nvidia_rules.h"
#include "model/value/inst_facts.h"
#include "model/value/value.h"

enum { DEEPEST = 32, MOST_STEPS = 500 };

struct walk {
    const struct gp_kernel *kernel;
    uint32_t outermost; /* of the loops whose counters the index is made of; GP_NONE: none so far */
    uint32_t depth, steps;
};

/* The loop whose counter the phi is; GP_NONE. */
static uint32_t counted_by(const struct gp_kernel *kernel, uint32_t phi)
{
    const struct gp_induction *counter = gp_counter_of(kernel, phi);
    return counter != NULL && gp_ref_kind(counter->step) == GP_REF_CONST ? counter->loop : GP_NONE;
}

static bool is_known(struct walk *w, gp_ref ref);

/* A constant, or what is one once loops around are unrolled. */
static bool turns_are_known(struct walk *w, uint32_t loop)
{
    return w->kernel->loops[loop].trip_count != GP_REF_NONE && is_known(w, w->kernel->loops[loop].trip_count);
}

/* A counter that starts at what is known; what comes round is the counter and its step. */
static bool is_known_counter(struct walk *w, uint32_t phi)
{
    const struct gp_kernel *kernel = w->kernel;
    const struct gp_inst *inst = &kernel->insts[phi];
    uint32_t loop = counted_by(kernel, phi);
    if (loop == GP_NONE || !turns_are_known(w, loop))
        return false;
    if (w->outermost == GP_NONE || kernel->loops[loop].depth < kernel->loops[w->outermost].depth)
        w->outermost = loop;
    for (uint32_t k = 0; k + 1 < inst->operand_count; k += 2)
        if (!gp_block_is_within(kernel, gp_ref_index(kernel->operands[inst->operand + k]), loop) &&
            !is_known(w, kernel->operands[inst->operand + k + 1]))
            return false;
    return true;
}

static bool is_known_inst(struct walk *w, uint32_t index)
{
    const struct gp_inst *inst = &w->kernel->insts[index];
    switch ((enum gp_op)inst->op) {
    case GP_OP_PHI: return is_known_counter(w, index);
    case GP_OP_ADD:
    case GP_OP_SUB:
    case GP_OP_MUL:
    case GP_OP_SHL:
    case GP_OP_LSHR:
    case GP_OP_ASHR:
    case GP_OP_AND:
    case GP_OP_OR:
    case GP_OP_XOR:
    case GP_OP_UDIV:
    case GP_OP_UREM:
    case GP_OP_SDIV:
    case GP_OP_SREM:
    case GP_OP_UMIN:
    case GP_OP_UMAX:
    case GP_OP_SMIN:
    case GP_OP_SMAX:
    case GP_OP_ZEXT:
    case GP_OP_SEXT:
    case GP_OP_TRUNC:
    case GP_OP_COPY:
        for (uint32_t k = 0; k < inst->operand_count; k++)
            if (!is_known(w, w->kernel->operands[inst->operand + k]))
                return false;
        return true;
    default: return false;
    }
}

static bool is_known(struct walk *w, gp_ref ref)
{
    if (gp_ref_kind(ref) == GP_REF_PRIVATE || gp_ref_kind(ref) == GP_REF_CONST)
        return true;
    if (gp_ref_kind(ref) != GP_REF_INST || w->depth >= DEEPEST || w->steps++ >= MOST_STEPS)
        return false;
    w->depth++;
    bool known = is_known_inst(w, gp_ref_index(ref));
    w->depth--;
    return known;
}

/* ---- How much code that is --------------------------------------------------------------------------------------- */

/* What is known in the first or the last iteration of all loops around. */
static bool number_of(const struct gp_kernel *kernel, gp_ref ref, bool last, uint64_t *number);

static bool number_of_counter(const struct gp_kernel *kernel, uint32_t phi, bool last, uint64_t *number)
{
    const struct gp_inst *inst = &kernel->insts[phi];
    const struct gp_induction *counter = gp_counter_of(kernel, phi);
    uint64_t step, turns = 1;
    for (uint32_t k = 0; k + 1 < inst->operand_count; k += 2)
        if (!gp_block_is_within(kernel, gp_ref_index(kernel->operands[inst->operand + k]), counter->loop) &&
            !number_of(kernel, kernel->operands[inst->operand + k + 1], last, number))
            return false;
    if (!number_of(kernel, counter->step, last, &step) ||
        (last && !number_of(kernel, kernel->loops[counter->loop].trip_count, last, &turns)))
        return false;
    *number = (*number + step * (turns - 1)) & gp_bits_mask(inst->bits);
    return true;
}

static bool number_of(const struct gp_kernel *kernel, gp_ref ref, bool last, uint64_t *number)
{
    *number = 0;
    if (gp_ref_kind(ref) == GP_REF_CONST)
        *number = kernel->constants[gp_ref_index(ref)];
    if (gp_ref_kind(ref) != GP_REF_INST)
        return gp_ref_kind(ref) == GP_REF_CONST;
    const struct gp_inst *inst = &kernel->insts[gp_ref_index(ref)];
    if (inst->op == GP_OP_PHI)
        return number_of_counter(kernel, gp_ref_index(ref), last, number);
    const struct gp_operation operation = {.op = inst->op, .bits = inst->bits, .width = inst->width, .sub = inst->sub};
    uint64_t in[2] = {0, 0};
    for (uint32_t k = 0; k < inst->operand_count && k < 2; k++)
        if (!number_of(kernel, kernel->operands[inst->operand + k], last, &in[k]))
            return false;
    return gp_compute(&operation, in[0], in[1], 0, number);
}

/* The most turns of the loop, as its counters that count to a constant have them in the first or last of those around;
 * INFINITY: not known. */
static double most_turns(const struct gp_kernel *kernel, uint32_t loop)
{
    struct walk w = {.kernel = kernel, .outermost = GP_NONE};
    uint64_t first, last;
    if (!turns_are_known(&w, loop) || !number_of(kernel, kernel->loops[loop].trip_count, false, &first) ||
        !number_of(kernel, kernel->loops[loop].trip_count, true, &last))
        return INFINITY;
    return (double)(first > last ? first : last);
}

static bool is_extreme(uint8_t op)
{
    return op == GP_OP_UMIN || op == GP_OP_UMAX || op == GP_OP_SMIN || op == GP_OP_SMAX;
}

/* As gp_nvidia_unrolls_private() counts. */
static uint32_t size_of_block(const struct gp_kernel *kernel, uint32_t b)
{
    const struct gp_block *block = &kernel->blocks[b];
    uint32_t size = block->inst_count - 1,
             counting = block->loop != GP_NONE && kernel->loops[block->loop].latch == b ? GP_NVIDIA_COUNTING : 0;
    for (uint32_t i = block->inst; i < block->inst + block->inst_count; i++) {
        size -= kernel->insts[i].op == GP_OP_PHI;
        size += is_extreme(kernel->insts[i].op);
    }
    return size > counting ? size - counting : 0;
}

/* Instructions of the loop when it and the loops in it are unrolled, each as often as it turns at most; INFINITY where
 * that is not known. */
static double unrolled_size(const struct gp_kernel *kernel, uint32_t loop)
{
    double size = 0, turns = 1;
    uint32_t turning = GP_NONE; /* the loop whose turns these are */
    for (uint32_t b = 0; b < kernel->block_count; b++) {
        uint32_t in = kernel->blocks[b].loop;
        if (!gp_block_is_within(kernel, b, loop))
            continue;
        if (turning != in) {
            turns = most_turns(kernel, loop);
            for (uint32_t inner = in; inner != loop; inner = kernel->loops[inner].parent)
                turns *= most_turns(kernel, inner);
            turning = in;
        }
        size += turns * size_of_block(kernel, b);
    }
    return size;
}

bool gp_index_is_known_unrolled(const struct gp_kernel *kernel, const struct gp_memory *memory, gp_unrolls *unrolls)
{
    struct walk w = {.kernel = kernel, .outermost = GP_NONE};
    return is_known(&w, kernel->operands[kernel->insts[memory->inst].operand]) &&
           (w.outermost == GP_NONE || unrolls == NULL || unrolls(unrolled_size(kernel, w.outermost)));
}

bool gp_index_needs_unrolling(const struct gp_kernel *kernel, const struct gp_memory *memory)
{
    struct walk w = {.kernel = kernel, .outermost = GP_NONE};
    return is_known(&w, kernel->operands[kernel->insts[memory->inst].operand]) && w.outermost != GP_NONE;
}
