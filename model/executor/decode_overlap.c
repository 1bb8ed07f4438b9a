/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Comparisons by which compilers ask whether parts of two buffers overlap. */
#include "model/value/inst_facts.h"
#include "model/value/refs.h"
#include "model/executor/decoder.h"

/* The buffer or array that an address is a sum with; GP_REF_NONE: none, or several. */
static gp_ref buffer_of(const struct gp_kernel *kernel, gp_ref ref, unsigned depth)
{
    const struct gp_inst *inst = gp_inst_of(kernel, ref);
    enum gp_ref_kind kind = gp_ref_kind(ref);
    bool param = kind == GP_REF_PARAM && (kernel->params[gp_ref_index(ref)].kind == GP_PARAM_BUFFER ||
                                          kernel->params[gp_ref_index(ref)].kind == GP_PARAM_LOCAL);
    if (param || kind == GP_REF_LOCAL || kind == GP_REF_GLOBAL || kind == GP_REF_PRIVATE)
        return ref;
    if (inst == NULL || depth == 0 || (inst->op != GP_OP_ADD && inst->op != GP_OP_UMIN && inst->op != GP_OP_UMAX))
        return GP_REF_NONE;
    gp_ref a = buffer_of(kernel, gp_operand_of(kernel, inst, 0), depth - 1),
           b = buffer_of(kernel, gp_operand_of(kernel, inst, 1), depth - 1);
    if (inst->op != GP_OP_ADD)
        return a == b ? a : GP_REF_NONE;
    return a == GP_REF_NONE ? b : b == GP_REF_NONE ? a : GP_REF_NONE;
}

/* A comparison of addresses in two buffers. */
static bool compares_buffers(const struct gp_kernel *kernel, gp_ref ref, gp_ref buffers[2])
{
    enum { DEEPEST = 8 };
    const struct gp_inst *inst = gp_inst_of(kernel, ref);
    for (uint32_t i = 0; i < 2; i++)
        buffers[i] = inst != NULL && inst->op == GP_OP_ICMP ? buffer_of(kernel, gp_operand_of(kernel, inst, i), DEEPEST)
                                                            : GP_REF_NONE;
    return buffers[0] != GP_REF_NONE && buffers[1] != GP_REF_NONE && buffers[0] != buffers[1];
}

/*
 * What compilers ask before they choose between two versions of a loop: `a < b_end && b < a_end`, of two buffers. One
 * comparison alone, or two of other buffers, may be of the ends of one.
 */
void gp_find_overlap_checks(struct decoder *d)
{
    const struct gp_kernel *kernel = d->kernel;
    for (uint32_t i = 0; i < d->first_expression; i++) {
        const struct gp_inst *inst = &kernel->insts[i];
        gp_ref x[2], y[2];
        if (inst->bits != 1 || (inst->op != GP_OP_AND && inst->op != GP_OP_OR && inst->op != GP_OP_SELECT))
            continue;
        gp_ref one = gp_operand_of(kernel, inst, 0), other = gp_operand_of(kernel, inst, 1);
        if (inst->op == GP_OP_SELECT && gp_ref_kind(other) == GP_REF_CONST) /* a || b */
            other = gp_operand_of(kernel, inst, 2);
        if (!compares_buffers(kernel, one, x) || !compares_buffers(kernel, other, y) ||
            (x[0] != y[0] && x[0] != y[1]) || (x[1] != y[0] && x[1] != y[1]))
            continue;
        for (uint32_t k = 0; k < 2; k++) {
            uint32_t half = gp_ref_index(k ? other : one);
            struct op *op = gp_op_of(d, gp_inst_block(kernel, half), half);
            if (op != NULL)
                op->asks_for_overlap = true;
        }
    }
}
