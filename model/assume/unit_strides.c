/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/assume/rules.h"

#include "model/value/id_sources.h"
#include "model/value/operand_walk.h"
#include "model/value/refs.h"
#include "model/value/value.h"
#include "model/assume/products.h"

enum { FIRST_DIMENSION = 1 };

/* What a counter starts with; else the value itself. */
static gp_ref start_of(const struct gp_kernel *kernel, gp_ref ref)
{
    ref = gp_behind_casts(kernel, ref);
    const struct gp_inst *inst = gp_inst_of(kernel, ref);
    for (uint32_t i = 1; inst != NULL && inst->op == GP_OP_PHI && i < inst->operand_count; i += 2) {
        gp_ref start = gp_operand_of(kernel, inst, i);
        if (gp_made_of(kernel, start).items != 0)
            return start;
    }
    return ref;
}

typedef bool (*operation_test)(enum gp_op op);

static bool is_pure(enum gp_op op) { return gp_operation_arity(op) > 0; }

static bool is_straight(enum gp_op op)
{
    return op == GP_OP_ADD || op == GP_OP_SUB || op == GP_OP_MUL || gp_op_is_cast(op);
}

static enum gp_visit see_operation(const struct gp_kernel *kernel, gp_ref ref, const struct gp_inst *inst,
                                   void *allowed)
{
    (void)kernel, (void)ref;
    if (inst == NULL || inst->op == GP_OP_ID)
        return GP_VISIT_NEXT;
    return (*(operation_test *)allowed)((enum gp_op)inst->op) ? GP_VISIT_OPERANDS : GP_VISIT_ENOUGH;
}

/* Whether a value is computed from ids and arguments, by such operations alone. */
static bool is_made_by(const struct gp_kernel *kernel, gp_ref ref, operation_test allowed)
{
    return gp_walk_operands(kernel, ref, see_operation, &allowed) == GP_WALK_WHOLE;
}

enum verdict { UNSEEN, UNIT, OTHER };

/* Something in an element's place: it differs between work-items or iterations, and the parameter is not its factor.
 * Other dimensions' ids, and groups' numbers, with a factor of their own make rows. */
static bool lies_between(const struct gp_kernel *kernel, const struct gp_product *product)
{
    struct gp_made_of made = gp_made_of(kernel, start_of(kernel, product->leaf));
    if (product->param_count > 0 && made.items != 0)
        return made.items & FIRST_DIMENSION;
    bool of_other_groups = product->param_count == 0 && (made.groups & ~FIRST_DIMENSION);
    return made.items != 0 || of_other_groups || !is_made_by(kernel, product->leaf, is_pure);
}

/* Rows: of other dimensions' ids, of a counter that starts with no id. */
static bool is_of_rows(const struct gp_kernel *kernel, gp_ref leaf)
{
    const struct gp_inst *inst = gp_inst_of(kernel, leaf);
    struct gp_made_of made = gp_made_of(kernel, start_of(kernel, leaf));
    bool counts = inst != NULL && inst->op == GP_OP_PHI;
    return made.items != 0 ? !(made.items & FIRST_DIMENSION) : counts;
}

/* What an address is made of, beside one parameter and with it. */
struct parts {
    int64_t scale;     /* bytes of what the first dimension's id counts with the parameter; 0: it does not */
    int64_t constant;  /* bytes */
    bool between;      /* something lies between neighbours */
    bool rows, groups; /* the parameter tells rows, or groups, apart */
    bool row, beside; /* it tells which row an argument picks, and something picks an element of that: `r[k * n + k]` */
    bool crooked;     /* it is multiplied with what may be anything */
};

static void add_own(const struct gp_kernel *kernel, const struct gp_product *product, struct parts *parts)
{
    gp_ref start = start_of(kernel, product->leaf);
    bool alone = product->param_count == 1, of_groups = gp_made_of(kernel, product->leaf).groups != 0;
    if (alone && (gp_made_of(kernel, start).items & FIRST_DIMENSION)) {
        parts->scale = parts->scale == 0 || product->scale < parts->scale ? product->scale : parts->scale;
        parts->crooked |= !is_made_by(kernel, start, is_straight);
        return;
    }
    parts->rows |= alone && is_of_rows(kernel, product->leaf);
    parts->row |= product->param_count == 2 && product->params[0] != product->params[1] && product->leaf == GP_REF_NONE;
    parts->groups |= of_groups;
    parts->crooked |= of_groups && !is_made_by(kernel, product->leaf, is_straight);
}

/* What an address tells of one parameter, in accesses of so many bytes. */
static enum verdict see_parameter(const struct gp_kernel *kernel, const struct gp_products *address, uint32_t param,
                                  uint32_t bytes)
{
    struct parts parts = {0};
    for (uint32_t i = 0; i < address->count; i++) {
        const struct gp_product *product = &address->product[i];
        if (gp_product_has(product, param))
            add_own(kernel, product, &parts);
        else if (product->leaf != GP_REF_NONE || product->param_count > 0) {
            parts.between |= lies_between(kernel, product);
            parts.beside = true;
        } else
            parts.constant += product->scale;
    }
    if (parts.scale == 0)
        return ((parts.rows || parts.groups) && parts.between) || (parts.row && parts.beside) ? OTHER : UNSEEN;
    bool in_element = parts.scale >= bytes && parts.constant > -parts.scale && parts.constant < parts.scale;
    return address->whole && in_element && !parts.between && !parts.rows && !parts.crooked ? UNIT : OTHER;
}

static void see_accesses(const struct gp_kernel *kernel, enum verdict verdicts[GP_MAX_ARGUMENTS])
{
    for (uint32_t m = 0; m < kernel->memory_count; m++) {
        const struct gp_memory *memory = &kernel->memory[m];
        struct gp_products address;
        if ((memory->space != GP_SPACE_GLOBAL && memory->space != GP_SPACE_CONSTANT &&
             memory->space != GP_SPACE_GENERIC) ||
            !gp_address_products(kernel, m, &address))
            continue;
        for (uint32_t i = 0; i < address.count; i++)
            for (uint32_t k = 0; k < address.product[i].param_count; k++) {
                uint32_t param = address.product[i].params[k];
                enum verdict verdict =
                    verdicts[param] == OTHER ? OTHER : see_parameter(kernel, &address, param, memory->element_bytes);
                verdicts[param] = verdict > verdicts[param] ? verdict : verdicts[param];
            }
    }
}

/* Whether the first dimension's id is multiplied with it alone: `2 * i * d + d < n` asks for an index. */
static bool is_of_index(const struct gp_kernel *kernel, const struct gp_products *side, uint32_t param)
{
    for (uint32_t i = 0; i < side->count; i++)
        if (side->product[i].param_count == 1 && gp_product_has(&side->product[i], param) &&
            (gp_made_of(kernel, side->product[i].leaf).items & FIRST_DIMENSION))
            return true;
    return false;
}

static void see_comparisons(const struct gp_kernel *kernel, enum verdict verdicts[GP_MAX_ARGUMENTS])
{
    for (uint32_t i = 0; i < kernel->inst_count; i++) {
        const struct gp_inst *inst = &kernel->insts[i];
        for (uint32_t k = 0; inst->op == GP_OP_ICMP && k < inst->operand_count; k++) {
            struct gp_products side = gp_products_of(kernel, gp_operand_of(kernel, inst, k), inst->width);
            for (uint32_t at = 0; at < side.count; at++)
                for (uint32_t f = 0; f < side.product[at].param_count; f++)
                    if (!is_of_index(kernel, &side, side.product[at].params[f]))
                        verdicts[side.product[at].params[f]] = OTHER;
        }
    }
}

void gp_unit_strides(const struct gp_kernel *kernel, bool unit[GP_MAX_ARGUMENTS])
{
    enum verdict verdicts[GP_MAX_ARGUMENTS] = {UNSEEN};
    see_accesses(kernel, verdicts);
    see_comparisons(kernel, verdicts);
    for (uint32_t p = 0; p < GP_MAX_ARGUMENTS; p++)
        unit[p] = verdicts[p] == UNIT;
}
