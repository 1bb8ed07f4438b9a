#include "model/launch/unit_strides.h"

#include "model/code/made_of.h"
#include "model/code/refs.h"
#include "model/executor/value.h"

enum { MOST_LOOKED_AT = 64, FIRST_DIMENSION = 1 };

/* What the sum that an address is consists of. */
struct address {
    const struct gp_kernel *kernel;
    unsigned left;
    uint32_t factor;         /* the parameter that the first dimension's id is multiplied with */
    int64_t scale;           /* bytes of what it counts */
    int64_t constant;        /* bytes */
    bool others;             /* something else that differs between work-items or iterations */
};

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

static bool is_straight(enum gp_op op) { return op == GP_OP_ADD || op == GP_OP_SUB || op == GP_OP_MUL || gp_op_is_cast(op); }

/* Whether a value is computed from ids and arguments, by such operations alone. */
static bool is_made_by(const struct gp_kernel *kernel, gp_ref ref, operation_test allowed, unsigned *left)
{
    const struct gp_inst *inst = gp_inst_of(kernel, ref);
    if (inst == NULL || inst->op == GP_OP_ID)
        return true;
    if (*left == 0 || !allowed((enum gp_op)inst->op))
        return false;
    --*left;
    for (uint32_t i = 0; i < inst->operand_count; i++)
        if (!is_made_by(kernel, gp_operand_of(kernel, inst, i), allowed, left))
            return false;
    return true;
}

static void see_term(struct address *a, gp_ref ref)
{
    unsigned left = MOST_LOOKED_AT;
    if (gp_made_of(a->kernel, ref).items != 0 || !is_made_by(a->kernel, ref, is_pure, &left))
        a->others = true;
}

/* A product with a parameter; false: it is none. Of the other dimensions' ids it makes rows; of a remainder or quotient of an id it may make anything. */
static bool see_product(struct address *a, const struct gp_inst *inst, int64_t scale)
{
    for (uint32_t side = 0; side < 2; side++) {
        gp_ref factor = gp_behind_casts(a->kernel, gp_operand_of(a->kernel, inst, side)), index = start_of(a->kernel, gp_operand_of(a->kernel, inst, 1 - side));
        unsigned items = gp_made_of(a->kernel, index).items, left = MOST_LOOKED_AT;
        if (gp_integer_parameter(a->kernel, factor) == GP_NONE || items == 0)
            continue;
        if (items & FIRST_DIMENSION) {
            a->others |= a->factor != GP_NONE || !is_made_by(a->kernel, index, is_straight, &left);
            a->factor = gp_ref_index(factor);
            a->scale = scale;
        }
        return true;
    }
    return false;
}

static void see_sum(struct address *a, gp_ref ref, int64_t scale)
{
    const struct gp_inst *inst = gp_inst_of(a->kernel, ref);
    if (gp_ref_kind(ref) == GP_REF_CONST)
        a->constant += scale * gp_signed_constant(a->kernel, ref, 64);
    if (inst == NULL)
        return;
    if (a->left == 0) {
        a->others = true;
        return;
    }
    a->left--;
    bool sum = inst->op == GP_OP_ADD || inst->op == GP_OP_SUB, product = inst->op == GP_OP_MUL;
    gp_ref by = product ? gp_operand_of(a->kernel, inst, 1) : GP_REF_NONE;
    if (sum || gp_op_is_cast((enum gp_op)inst->op)) {
        for (uint32_t i = 0; i < inst->operand_count; i++)
            see_sum(a, gp_operand_of(a->kernel, inst, i), scale);
    } else if (product && gp_ref_kind(by) == GP_REF_CONST) {
        see_sum(a, gp_operand_of(a->kernel, inst, 0), scale * gp_signed_constant(a->kernel, by, inst->bits));
    } else if (!product || !see_product(a, inst, scale)) {
        see_term(a, ref);
    }
}

enum verdict { UNSEEN, UNIT, OTHER };

static void see_accesses(const struct gp_kernel *kernel, enum verdict verdicts[GP_MAX_ARGUMENTS])
{
    for (uint32_t m = 0; m < kernel->memory_count; m++) {
        const struct gp_memory *memory = &kernel->memory[m];
        const struct gp_inst *inst = &kernel->insts[memory->inst];
        struct address a = {.kernel = kernel, .left = MOST_LOOKED_AT, .factor = GP_NONE};
        if ((memory->space != GP_SPACE_GLOBAL && memory->space != GP_SPACE_CONSTANT && memory->space != GP_SPACE_GENERIC) || inst->operand_count == 0)
            continue;
        see_sum(&a, gp_operand_of(kernel, inst, 0), 1);
        bool unit = !a.others && a.scale >= memory->element_bytes && a.constant > -a.scale && a.constant < a.scale;
        if (a.factor != GP_NONE)
            verdicts[a.factor] = unit && verdicts[a.factor] != OTHER ? UNIT : OTHER;
    }
}

static void see_comparisons(const struct gp_kernel *kernel, enum verdict verdicts[GP_MAX_ARGUMENTS])
{
    for (uint32_t i = 0; i < kernel->inst_count; i++) {
        const struct gp_inst *inst = &kernel->insts[i];
        for (uint32_t k = 0; inst->op == GP_OP_ICMP && k < inst->operand_count; k++) {
            gp_ref ref = gp_behind_casts(kernel, gp_operand_of(kernel, inst, k));
            if (gp_integer_parameter(kernel, ref) != GP_NONE)
                verdicts[gp_ref_index(ref)] = OTHER;
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
