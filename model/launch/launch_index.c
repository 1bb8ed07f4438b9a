/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/launch/launch_index.h"

#include "model/value/inst_facts.h"
#include "model/value/refs.h"
#include "model/value/value.h"

enum { MOST_VALUES = 100 }; /* looked at for one index: any in a source */
static const int64_t largest = GP_INDEX_BEYOND;

struct evaluation {
    const struct gp_kernel *kernel;
    const struct gp_launch *launch;
    struct gp_item item;
    unsigned left; /* of MOST_VALUES */
    enum gp_index_of what;
};

static const struct gp_index unknown = {0};

static struct gp_index number(int64_t value) { return (struct gp_index){true, false, false, value}; }

static struct gp_index made_of(struct gp_index a, struct gp_index b, int64_t value)
{
    return (struct gp_index){true, a.of_group || b.of_group, a.of_item || b.of_item, value};
}

static struct gp_index id_at(const struct evaluation *e, const struct gp_inst *inst)
{
    unsigned id = inst->sub >> 2, dim = inst->sub & 3;
    const struct gp_launch *launch = e->launch;
    if (dim >= 3)
        return unknown;
    switch (id) {
    case GP_ID_LOCAL: return (struct gp_index){true, false, true, e->item.local[dim]};
    case GP_ID_GROUP: return (struct gp_index){true, true, false, (int64_t)e->item.group[dim]};
    case GP_ID_GLOBAL:
        return (struct gp_index){
            true, true, true,
            (int64_t)(e->item.group[dim] * launch->local[dim] + e->item.local[dim] + launch->offset[dim])};
    case GP_ID_LOCAL_SIZE: return number(launch->local[dim]);
    case GP_ID_GROUP_COUNT:
        return number((int64_t)((launch->global[dim] + launch->local[dim] - 1) / launch->local[dim]));
    case GP_ID_GLOBAL_SIZE: return number((int64_t)launch->global[dim]);
    case GP_ID_OFFSET: return number((int64_t)launch->offset[dim]);
    default: return unknown;
    }
}

/* Negative ones only of what is the same for all: rests of loops are so many less. */
static struct gp_index product(struct gp_index a, struct gp_index b)
{
    int64_t value;
    bool same = !a.of_group && !a.of_item && !b.of_group && !b.of_item;
    if (((a.value < 0 || b.value < 0) && !same) || __builtin_mul_overflow(a.value, b.value, &value))
        return unknown;
    return made_of(a, b, value);
}

static struct gp_index sum(struct gp_index a, struct gp_index b)
{
    int64_t value;
    if (__builtin_add_overflow(a.value, b.value, &value))
        return unknown;
    return made_of(a, b, value);
}

static struct gp_index quotient(struct gp_index a, struct gp_index by)
{
    return by.of_group || by.value <= 0 || a.value < 0 ? unknown : made_of(a, by, a.value / by.value);
}

static struct gp_index power_of_two(struct gp_index exponent)
{
    return exponent.of_group || exponent.value < 0 || exponent.value > 62 ? unknown
                                                                          : number(INT64_C(1) << exponent.value);
}

/* The bits that are kept: what is the same for all has any; an id is rounded down, or cut to so many bits, which it
 * fits in. */
static struct gp_index masked(struct gp_index a, struct gp_index b)
{
    uint64_t step = -(uint64_t)b.value;
    bool rounds = b.value < 0 && (step & (step - 1)) == 0,
         fits = b.value > 0 && (b.value & (b.value + 1)) == 0 && a.value >= 0 && a.value <= b.value;
    bool same = !a.of_group && !a.of_item && a.value >= 0;
    return !b.of_group && !b.of_item && (rounds || fits || same) ? made_of(a, b, a.value & b.value) : unknown;
}

/* Of what is the same for all, which does not grow, also of negative numbers: half a window, `size / -2`. */
static struct gp_index signed_quotient(struct gp_index a, struct gp_index by)
{
    bool same = !a.of_group && !a.of_item && !by.of_group && !by.of_item && by.value != 0 && a.value > INT64_MIN;
    return same ? number(a.value / by.value) : quotient(a, by);
}

/* Operations that never give less for more; a remainder or the lower bits of an id say nothing of how far it goes. */
static struct gp_index apply(const struct gp_inst *inst, struct gp_index a, struct gp_index b)
{
    if (!a.known || !b.known)
        return unknown;
    bool a_larger = a.value > b.value;
    switch (inst->op) {
    case GP_OP_ADD: return sum(a, b);
    case GP_OP_SUB: return b.of_group || b.value < -largest ? unknown : sum(a, number(-b.value));
    case GP_OP_MUL: return product(a, b);
    case GP_OP_SHL: return power_of_two(b).known ? product(a, power_of_two(b)) : unknown;
    case GP_OP_LSHR:
    case GP_OP_ASHR: return power_of_two(b).known ? quotient(a, power_of_two(b)) : unknown;
    case GP_OP_UDIV: return quotient(a, b);
    case GP_OP_SDIV: return signed_quotient(a, b);
    case GP_OP_OR: return (a.value & b.value) == 0 ? sum(a, b) : unknown;
    case GP_OP_AND: return masked(a, b);
    case GP_OP_XOR: return b.value == -1 && !a.of_group && !a.of_item ? number(-1 - a.value) : unknown; /* ~n */
    case GP_OP_UMIN:
    case GP_OP_SMIN: return a_larger ? b : a;
    case GP_OP_UMAX:
    case GP_OP_SMAX: return a_larger ? a : b;
    default: return unknown;
    }
}

static struct gp_index index_at(struct evaluation *e, gp_ref ref, unsigned bits);

/* Of a loop's counter: where it starts, which is what comes from outside of the loop. */
static struct gp_index start_of(struct evaluation *e, const struct gp_inst *phi)
{
    const struct gp_kernel *kernel = e->kernel;
    uint32_t block = gp_inst_block(kernel, (uint32_t)(phi - kernel->insts)),
             loop = block != GP_NONE ? kernel->blocks[block].loop : GP_NONE;
    struct gp_index start = unknown;
    for (uint32_t k = 0; phi->operand_count == 4 && k < 4 && !start.known; k += 2)
        if (loop == GP_NONE || !gp_block_is_within(kernel, gp_ref_index(gp_operand_of(kernel, phi, k)), loop))
            start = index_at(e, gp_operand_of(kernel, phi, k + 1), phi->bits);
    return start;
}

static struct gp_index result_at(struct evaluation *e, const struct gp_inst *inst)
{
    const gp_ref *operands = &e->kernel->operands[inst->operand];
    switch (inst->op) {
    case GP_OP_ID: return id_at(e, inst);
    case GP_OP_PHI: return start_of(e, inst);
    case GP_OP_TRUNC:
    case GP_OP_ZEXT:
    case GP_OP_SEXT:
    case GP_OP_COPY: return index_at(e, operands[0], inst->width);
    default:
        if (inst->operand_count != 2 || gp_operation_arity((enum gp_op)inst->op) != 2)
            return unknown;
        struct gp_index a = index_at(e, operands[0], inst->bits);
        return a.known ? apply(inst, a, index_at(e, operands[1], inst->bits)) : unknown;
    }
}

static struct gp_index argument_at(const struct evaluation *e, uint32_t p)
{
    const struct gp_param *param = &e->kernel->params[p];
    if (e->what == GP_INDEX_ADDRESS && param->kind == GP_PARAM_BUFFER)
        return number(0);
    bool settled = p < GP_MAX_ARGUMENTS && param->kind == GP_PARAM_INT && e->launch->arguments[p].known &&
                   (e->what != GP_INDEX_STATED || e->launch->arguments[p].stated || param->bounds_dim != GP_NONE);
    uint64_t value = settled ? e->launch->arguments[p].value : 0;
    bool is_signed = (param->flags & GP_PARAM_SIGNED) != 0;
    return settled ? number((int64_t)(is_signed ? gp_sign_extend(value, param->bits) : value)) : unknown;
}

static struct gp_index index_at(struct evaluation *e, gp_ref ref, unsigned bits)
{
    uint32_t index = gp_ref_index(ref);
    switch (gp_ref_kind(ref)) {
    case GP_REF_CONST: return number((int64_t)gp_sign_extend(e->kernel->constants[index], bits));
    case GP_REF_PARAM: return argument_at(e, index);
    case GP_REF_INST:
        if (e->left == 0)
            return unknown;
        e->left--;
        return result_at(e, &e->kernel->insts[index]);
    default: return unknown;
    }
}

struct gp_index gp_index_at(const struct gp_kernel *kernel, const struct gp_launch *launch, gp_ref ref, unsigned bits,
                            struct gp_item item, enum gp_index_of what)
{
    struct evaluation e = {kernel, launch, item, MOST_VALUES, what};
    return index_at(&e, ref, bits);
}

struct gp_item gp_last_item(const struct gp_launch *launch)
{
    struct gp_item last = {0};
    uint64_t groups[3];
    if (gp_launch_groups(launch, groups) == 0)
        return last;
    for (int d = 0; d < 3; d++) {
        last.group[d] = groups[d] - 1;
        last.local[d] = (uint32_t)(launch->global[d] - 1 - last.group[d] * launch->local[d]);
    }
    return last;
}
