#include "model/launch/lower_bounds.h"

#include <string.h>

#include "model/code/made_of.h"
#include "model/code/refs.h"

enum { DEEPEST = 8 };

/* Whether the kernel ends there, and nothing is done on the way. */
static bool is_idle(const struct gp_kernel *kernel, uint32_t block)
{
    for (unsigned steps = 0; steps < DEEPEST; steps++) {
        const struct gp_block *b = &kernel->blocks[block];
        for (uint32_t i = b->inst; i < b->inst + b->inst_count; i++)
            if (gp_op_is_memory((enum gp_op)kernel->insts[i].op) || kernel->insts[i].op == GP_OP_CALL || kernel->insts[i].op == GP_OP_BARRIER)
                return false;
        const struct gp_inst *last = gp_block_terminator(kernel, block);
        if (last->op != GP_OP_BR)
            return last->op == GP_OP_RET;
        block = gp_ref_index(gp_operand_of(kernel, last, 0));
    }
    return false;
}

/* The parameter, with a constant added or not; GP_NONE: something else. */
static uint32_t parameter_of(const struct gp_kernel *kernel, gp_ref ref)
{
    for (unsigned steps = 0; steps < DEEPEST; steps++) {
        ref = gp_behind_casts(kernel, ref);
        const struct gp_inst *inst = gp_inst_of(kernel, ref);
        if (inst == NULL)
            break;
        if ((inst->op != GP_OP_ADD && inst->op != GP_OP_SUB) || gp_ref_kind(gp_operand_of(kernel, inst, 1)) != GP_REF_CONST)
            return GP_NONE;
        ref = gp_operand_of(kernel, inst, 0);
    }
    return gp_ref_kind(ref) == GP_REF_PARAM && gp_ref_index(ref) < GP_MAX_ARGUMENTS ? gp_ref_index(ref) : GP_NONE;
}

static bool is_less(unsigned predicate) { return predicate == GP_PRED_ULT || predicate == GP_PRED_ULE || predicate == GP_PRED_SLT || predicate == GP_PRED_SLE; }
static bool is_greater(unsigned predicate) { return predicate == GP_PRED_UGT || predicate == GP_PRED_UGE || predicate == GP_PRED_SGT || predicate == GP_PRED_SGE; }

/* A comparison that has to be `wanted`: the id on its larger side and a parameter on the other. */
static void see_comparison(const struct gp_kernel *kernel, const struct gp_inst *inst, bool wanted, bool lower[GP_MAX_ARGUMENTS])
{
    bool first_larger = wanted ? is_greater(inst->sub) : is_less(inst->sub), second_larger = wanted ? is_less(inst->sub) : is_greater(inst->sub);
    if (!first_larger && !second_larger)
        return;
    gp_ref larger = gp_operand_of(kernel, inst, first_larger ? 0 : 1), other = gp_operand_of(kernel, inst, first_larger ? 1 : 0);
    uint32_t param = parameter_of(kernel, other);
    struct gp_made_of made = gp_made_of(kernel, larger);
    if (param != GP_NONE && (made.items | made.groups))
        lower[param] = true;
}

static bool is_constant(const struct gp_kernel *kernel, gp_ref ref, bool value)
{
    return gp_ref_kind(ref) == GP_REF_CONST && (kernel->constants[gp_ref_index(ref)] & 1) == value;
}

/* Conditions all of which have to be true, or all of which have to be false. */
static void see_condition(const struct gp_kernel *kernel, gp_ref condition, bool wanted, unsigned deepest, bool lower[GP_MAX_ARGUMENTS])
{
    const struct gp_inst *inst = gp_inst_of(kernel, condition);
    if (inst == NULL || deepest == 0)
        return;
    if (inst->op == GP_OP_ICMP) {
        see_comparison(kernel, inst, wanted, lower);
        return;
    }
    bool choice = inst->op == GP_OP_SELECT && inst->bits == 1; /* a && b: a ? b : false; a || b: a ? true : b */
    bool all_true = inst->op == GP_OP_AND || (choice && is_constant(kernel, gp_operand_of(kernel, inst, 2), false));
    bool all_false = inst->op == GP_OP_OR || (choice && is_constant(kernel, gp_operand_of(kernel, inst, 1), true));
    if (inst->bits == 1 && (wanted ? all_true : all_false)) {
        see_condition(kernel, gp_operand_of(kernel, inst, 0), wanted, deepest - 1, lower);
        see_condition(kernel, gp_operand_of(kernel, inst, choice && all_false ? 2 : 1), wanted, deepest - 1, lower);
    }
}

void gp_lower_bounds(const struct gp_kernel *kernel, bool lower[GP_MAX_ARGUMENTS])
{
    memset(lower, 0, GP_MAX_ARGUMENTS * sizeof *lower);
    for (uint32_t b = 0; b < kernel->block_count; b++) {
        const struct gp_inst *last = gp_block_terminator(kernel, b);
        if (last->op != GP_OP_CONDBR)
            continue;
        bool if_true = is_idle(kernel, gp_ref_index(gp_operand_of(kernel, last, 1))), if_false = is_idle(kernel, gp_ref_index(gp_operand_of(kernel, last, 2)));
        if (if_true != if_false)
            see_condition(kernel, gp_operand_of(kernel, last, 0), if_false, DEEPEST, lower);
    }
}
