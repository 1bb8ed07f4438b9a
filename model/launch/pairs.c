#include "model/launch/pairs.h"

#include "model/code/made_of.h"
#include "model/code/refs.h"

enum { HALF = 32 };

static bool is_used(const struct gp_kernel *kernel, const struct gp_inst *inst, gp_ref ref)
{
    for (uint32_t i = 0; i < inst->operand_count; i++)
        if (gp_operand_of(kernel, inst, i) == ref)
            return true;
    return false;
}

static bool is_truncated(const struct gp_inst *inst) { return inst->op == GP_OP_TRUNC && inst->bits == HALF; }

/* The upper half of the parameter, before it is cut to its bits. */
static bool is_upper(const struct gp_kernel *kernel, const struct gp_inst *inst, gp_ref param)
{
    return inst->op == GP_OP_LSHR && gp_operand_of(kernel, inst, 0) == param && gp_signed_constant(kernel, gp_operand_of(kernel, inst, 1), inst->bits) == HALF;
}

/* Whether all that uses the value cuts it to 32 bits; *more: or is its upper half, of which there is one at least. */
static bool only_halves(const struct gp_kernel *kernel, gp_ref value, bool *more)
{
    for (uint32_t i = 0; i < kernel->inst_count; i++) {
        const struct gp_inst *inst = &kernel->insts[i];
        if (!is_used(kernel, inst, value) || is_truncated(inst))
            continue;
        if (more == NULL || !is_upper(kernel, inst, value) || !only_halves(kernel, gp_ref_make(GP_REF_INST, i), NULL))
            return false;
        *more = true;
    }
    return true;
}

bool gp_is_pair(const struct gp_kernel *kernel, uint32_t param)
{
    bool upper = false;
    return kernel->params[param].kind == GP_PARAM_INT && kernel->params[param].bits == 2 * HALF && only_halves(kernel, gp_ref_make(GP_REF_PARAM, param), &upper) && upper;
}

/* Which half of the parameter a value is: 0, 1; -1: none. */
static int half_of(const struct gp_kernel *kernel, gp_ref ref, gp_ref param)
{
    const struct gp_inst *inst = gp_inst_of(kernel, ref);
    if (inst == NULL || !is_truncated(inst))
        return -1;
    gp_ref from = gp_operand_of(kernel, inst, 0);
    const struct gp_inst *shifted = gp_inst_of(kernel, from);
    return from == param ? 0 : shifted != NULL && is_upper(kernel, shifted, param) ? 1 : -1;
}

uint64_t gp_assumed_pair(const struct gp_kernel *kernel, const struct gp_launch *launch, uint32_t param, uint32_t assumed)
{
    uint64_t number[2] = {assumed, assumed};
    gp_ref whole = gp_ref_make(GP_REF_PARAM, param);
    for (uint32_t i = 0; i < kernel->inst_count; i++) {
        const struct gp_inst *inst = &kernel->insts[i];
        for (uint32_t side = 0; inst->op == GP_OP_ICMP && side < 2; side++) {
            int half = half_of(kernel, gp_operand_of(kernel, inst, side), whole);
            struct gp_made_of made = half >= 0 ? gp_made_of(kernel, gp_operand_of(kernel, inst, 1 - side)) : (struct gp_made_of){0};
            unsigned ids = made.items | made.groups;
            if (ids && launch->global[__builtin_ctz(ids)] <= INT32_MAX)
                number[half] = launch->global[__builtin_ctz(ids)];
        }
    }
    return number[1] << HALF | number[0];
}
