#include "model/launch/radii.h"

#include <string.h>

#include "model/code/made_of.h"
#include "model/code/refs.h"

/* The parameter whose negative this is; GP_NONE: something else. */
static uint32_t negated(const struct gp_kernel *kernel, gp_ref ref)
{
    const struct gp_inst *inst = gp_inst_of(kernel, gp_behind_casts(kernel, ref));
    if (inst == NULL || inst->op != GP_OP_SUB)
        return GP_NONE;
    gp_ref from = gp_operand_of(kernel, inst, 0), what = gp_behind_casts(kernel, gp_operand_of(kernel, inst, 1));
    bool zero = gp_ref_kind(from) == GP_REF_CONST && kernel->constants[gp_ref_index(from)] == 0;
    return zero && gp_ref_kind(what) == GP_REF_PARAM && gp_ref_index(what) < GP_MAX_ARGUMENTS ? gp_ref_index(what) : GP_NONE;
}

void gp_radii(const struct gp_kernel *kernel, bool radius[GP_MAX_ARGUMENTS])
{
    memset(radius, 0, GP_MAX_ARGUMENTS * sizeof *radius);
    for (uint32_t i = 0; i < kernel->induction_count; i++) {
        const struct gp_inst *phi = &kernel->insts[kernel->inductions[i].phi];
        for (uint32_t k = 1; k < phi->operand_count; k += 2) {
            uint32_t param = negated(kernel, gp_operand_of(kernel, phi, k));
            if (param != GP_NONE)
                radius[param] = true;
        }
    }
}
