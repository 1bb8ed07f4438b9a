/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/assume/rules.h"

#include <string.h>

#include "model/launch/launch_index.h"
#include "model/value/inst_facts.h"
#include "model/value/id_sources.h"
#include "model/value/refs.h"
#include "model/assume/joined_orders.h"

enum { WIDEST = 16, DEEPEST = 8 };

struct counter {
    const struct gp_launch *launch;
    uint32_t phi, loop;
    uint64_t *most;
};

/* Whether what is compared was made wider with its sign; of what was not made wider the parameter's own tells. */
static bool counts_below_zero(const struct gp_kernel *kernel, gp_ref compared, uint32_t param, unsigned bits)
{
    const struct gp_inst *inst = gp_inst_of(kernel, compared);
    bool same = bits <= WIDEST;
    return same ? kernel->params[param].flags & GP_PARAM_SIGNED : inst != NULL && inst->op == GP_OP_SEXT;
}

/* The bits that are left of a value, where an operation only cuts it, with or without its sign; 0: it does other
 * things. */
static unsigned bits_left(const struct gp_kernel *kernel, const struct gp_inst *inst)
{
    gp_ref second = inst->operand_count > 1 ? gp_operand_of(kernel, inst, 1) : GP_REF_NONE;
    uint64_t constant = gp_ref_kind(second) == GP_REF_CONST ? kernel->constants[gp_ref_index(second)] : 0;
    if (gp_op_is_cast((enum gp_op)inst->op))
        return inst->bits;
    if (inst->op == GP_OP_AND && constant > 0 && (constant & (constant + 1)) == 0)
        return 64 - (unsigned)__builtin_clzll(constant);
    const struct gp_inst *shifted = gp_inst_of(kernel, gp_operand_of(kernel, inst, 0));
    bool back = inst->op == GP_OP_ASHR && shifted != NULL && shifted->op == GP_OP_SHL && constant < inst->bits;
    return back && gp_operand_of(kernel, shifted, 1) == second ? inst->bits - (unsigned)constant : 0;
}

/* What a value is a cast of, or its low bits, of which so many are left; itself, where it is neither. */
static gp_ref behind_cut(const struct gp_kernel *kernel, gp_ref ref, unsigned *bits)
{
    const struct gp_inst *inst = gp_inst_of(kernel, ref);
    unsigned left = inst != NULL && inst->operand_count > 0 ? bits_left(kernel, inst) : 0;
    if (inst != NULL && inst->bits > 0 && inst->bits < *bits)
        *bits = inst->bits;
    if (left == 0)
        return ref;
    *bits = left < *bits ? left : *bits;
    ref = gp_operand_of(kernel, inst, 0);
    return inst->op == GP_OP_ASHR ? gp_operand_of(kernel, gp_inst_of(kernel, ref), 0) : ref;
}

/* The value behind all of these. bits: what is left, so many at most before. */
static gp_ref behind_cuts(const struct gp_kernel *kernel, gp_ref ref, unsigned *bits)
{
    for (gp_ref behind;; ref = behind)
        if ((behind = behind_cut(kernel, ref, bits)) == ref)
            return ref;
}

/* Whether a value is the counter, or a sum with it, in whatever width. */
static bool leads_to(const struct gp_kernel *kernel, gp_ref ref, uint32_t phi, unsigned deepest)
{
    unsigned any = 64;
    ref = behind_cuts(kernel, ref, &any);
    const struct gp_inst *inst = gp_inst_of(kernel, ref);
    if (ref == gp_ref_make(GP_REF_INST, phi))
        return true;
    bool sum = inst != NULL && inst->op == GP_OP_ADD && deepest > 0;
    return sum && (leads_to(kernel, gp_operand_of(kernel, inst, 0), phi, deepest - 1) ||
                   leads_to(kernel, gp_operand_of(kernel, inst, 1), phi, deepest - 1));
}

/* What is added to the counter from one iteration to the next, as so many bits hold it; 1: that is not known. */
static uint64_t step_of(const struct gp_kernel *kernel, const struct counter *counter, unsigned bits)
{
    const struct gp_inst *phi = &kernel->insts[counter->phi];
    for (uint32_t k = 0; k + 1 < phi->operand_count; k += 2) {
        unsigned any = 64;
        gp_ref from = gp_operand_of(kernel, phi, k),
               value = behind_cuts(kernel, gp_operand_of(kernel, phi, k + 1), &any);
        const struct gp_inst *sum = gp_inst_of(kernel, value);
        if (!gp_block_is_within(kernel, gp_ref_index(from), counter->loop) || sum == NULL || sum->op != GP_OP_ADD)
            continue;
        for (uint32_t i = 0; i < 2; i++) {
            gp_ref counted = behind_cuts(kernel, gp_operand_of(kernel, sum, i), &any);
            struct gp_index by = gp_index_at(kernel, counter->launch, gp_operand_of(kernel, sum, 1 - i), sum->bits,
                                             (struct gp_item){0}, GP_INDEX_ASSUMED);
            if (counted == gp_ref_make(GP_REF_INST, counter->phi) && by.known && !by.of_item && !by.of_group)
                return (uint64_t)by.value & gp_bits_mask(bits);
        }
    }
    return 1;
}

/* The last number that a counter of so many bits comes to for sure. One that its steps leave where it is comes to none:
 * then they are taken to be half of what it holds. */
static uint64_t last_number(const struct gp_kernel *kernel, const struct counter *counter, unsigned bits,
                            bool is_signed)
{
    uint64_t largest = gp_bits_mask(bits) >> is_signed, step = step_of(kernel, counter, bits);
    step = step == 0 ? largest / 2 + 1 : step;
    return step < largest ? largest + 1 - step : largest;
}

static void see_order(const struct gp_kernel *kernel, gp_ref smaller, gp_ref larger, unsigned bits, enum gp_order order,
                      void *data)
{
    const struct counter *counter = data;
    uint64_t times = 1;
    unsigned compared = kernel->insts[counter->phi].bits;
    behind_cuts(kernel, smaller, &compared);
    bool counts =
        order != GP_EQUAL && compared > 1 && compared <= WIDEST && leads_to(kernel, smaller, counter->phi, DEEPEST);
    uint32_t param = counts ? gp_parameter_shared(kernel, larger, &times) : GP_NONE;
    if (param == GP_NONE)
        return;
    uint64_t most = last_number(kernel, counter, compared, counts_below_zero(kernel, smaller, param, bits)) -
                    (order == GP_LESS_OR_EQUAL);
    uint64_t *known = &counter->most[param];
    *known = *known == 0 || most * times < *known ? most * times : *known;
}

void gp_counter_widths(const struct gp_kernel *kernel, const struct gp_launch *launch, uint64_t most[GP_MAX_ARGUMENTS])
{
    memset(most, 0, GP_MAX_ARGUMENTS * sizeof *most);
    for (uint32_t loop = 0; loop < kernel->loop_count; loop++) {
        const struct gp_block *header = &kernel->blocks[kernel->loops[loop].header];
        for (uint32_t i = header->inst; i < header->inst + header->inst_count && kernel->insts[i].op == GP_OP_PHI; i++)
            gp_each_order_within(kernel, loop, see_order, &(struct counter){launch, i, loop, most});
    }
}
