/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/assume/joined_orders.h"

#include "model/value/inst_facts.h"
#include "model/value/refs.h"

enum { DEEPEST = 8 };

static bool is_less(unsigned predicate)
{
    return predicate == GP_PRED_ULT || predicate == GP_PRED_ULE || predicate == GP_PRED_SLT || predicate == GP_PRED_SLE;
}
static bool is_greater(unsigned predicate)
{
    return predicate == GP_PRED_UGT || predicate == GP_PRED_UGE || predicate == GP_PRED_SGT || predicate == GP_PRED_SGE;
}
static bool is_strict(unsigned predicate)
{
    return predicate == GP_PRED_ULT || predicate == GP_PRED_SLT || predicate == GP_PRED_UGT || predicate == GP_PRED_SGT;
}

struct search {
    const struct gp_kernel *kernel;
    bool wanted;
    gp_order_seen seen;
    void *data;
};

static bool is_constant(const struct gp_kernel *kernel, gp_ref ref, uint64_t value)
{
    return gp_ref_kind(ref) == GP_REF_CONST && kernel->constants[gp_ref_index(ref)] == value;
}

/* An unsigned number below one that is negative as a signed one: `n - 3 < 0xfffffffe` is how compilers ask whether n is
 * neither 1 nor 2, and says nothing of which is larger. */
static bool asks_for_wrapping(const struct gp_kernel *kernel, const struct gp_inst *inst, gp_ref larger)
{
    return gp_compares_unsigned(inst->sub) && inst->width > 0 && inst->width <= 64 &&
           gp_ref_kind(larger) == GP_REF_CONST &&
           (kernel->constants[gp_ref_index(larger)] >> (inst->width - 1) & 1) != 0;
}

static void see_comparison(const struct search *s, const struct gp_inst *inst)
{
    bool first_larger = s->wanted ? is_greater(inst->sub) : is_less(inst->sub),
         second_larger = s->wanted ? is_less(inst->sub) : is_greater(inst->sub);
    bool equal = inst->sub == (s->wanted ? GP_PRED_EQ : GP_PRED_NE);
    enum gp_order order = equal ? GP_EQUAL : is_strict(inst->sub) == s->wanted ? GP_LESS : GP_LESS_OR_EQUAL;
    gp_ref smaller = gp_operand_of(s->kernel, inst, first_larger ? 1 : 0),
           larger = gp_operand_of(s->kernel, inst, first_larger ? 0 : 1);
    if ((first_larger || second_larger || equal) && !asks_for_wrapping(s->kernel, inst, larger))
        s->seen(s->kernel, smaller, larger, inst->width, order, s->data);
}

static void see_condition(const struct search *s, gp_ref condition, unsigned deepest)
{
    const struct gp_kernel *kernel = s->kernel;
    const struct gp_inst *inst = gp_inst_of(kernel, condition);
    if (inst == NULL || deepest == 0)
        return;
    if (inst->op == GP_OP_ICMP) {
        see_comparison(s, inst);
        return;
    }
    bool choice = inst->op == GP_OP_SELECT && inst->bits == 1; /* a && b: a ? b : false; a || b: a ? true : b */
    bool all_true = inst->op == GP_OP_AND || (choice && is_constant(kernel, gp_operand_of(kernel, inst, 2), 0));
    bool all_false = inst->op == GP_OP_OR || (choice && is_constant(kernel, gp_operand_of(kernel, inst, 1), 1));
    if (inst->bits == 1 && (s->wanted ? all_true : all_false)) {
        see_condition(s, gp_operand_of(kernel, inst, 0), deepest - 1);
        see_condition(s, gp_operand_of(kernel, inst, choice && all_false ? 2 : 1), deepest - 1);
    }
}

void gp_each_order(const struct gp_kernel *kernel, gp_ref condition, bool wanted, gp_order_seen seen, void *data)
{
    struct search search = {kernel, wanted, seen, data};
    see_condition(&search, condition, DEEPEST);
}

void gp_each_order_within(const struct gp_kernel *kernel, uint32_t loop, gp_order_seen seen, void *data)
{
    for (uint32_t b = 0; b < kernel->block_count; b++) {
        const struct gp_inst *last = gp_block_terminator(kernel, b);
        if (last->op == GP_OP_CONDBR && gp_block_can_leave(kernel, b, loop))
            gp_each_order(kernel, gp_operand_of(kernel, last, 0),
                          gp_block_is_within(kernel, gp_ref_index(gp_operand_of(kernel, last, 1)), loop), seen, data);
    }
}
