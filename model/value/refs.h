/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a reference of a profile leads to. */
#ifndef GPUPERF_MODEL_REFS_H
#define GPUPERF_MODEL_REFS_H

#include "model/value/value.h"

/* NULL: a constant, a parameter, an array, nothing. */
static inline const struct gp_inst *gp_inst_of(const struct gp_kernel *kernel, gp_ref ref)
{
    return gp_ref_kind(ref) == GP_REF_INST ? &kernel->insts[gp_ref_index(ref)] : NULL;
}

static inline gp_ref gp_operand_of(const struct gp_kernel *kernel, const struct gp_inst *inst, uint32_t n)
{
    return kernel->operands[inst->operand + n];
}

/* The index of an integer parameter of which a launch has a value; GP_NONE: it is something else. */
static inline uint32_t gp_integer_parameter(const struct gp_kernel *kernel, gp_ref ref)
{
    uint32_t index = gp_ref_index(ref);
    return gp_ref_kind(ref) == GP_REF_PARAM && index < GP_MAX_ARGUMENTS && kernel->params[index].kind == GP_PARAM_INT
               ? index
               : GP_NONE;
}

#define GP_MOST_COUNTED (INT64_C(1) << 56) /* constants beyond are not added up */

/* Of so many bits; 0: it is no constant. */
static inline int64_t gp_signed_constant(const struct gp_kernel *kernel, gp_ref ref, unsigned bits)
{
    return gp_ref_kind(ref) == GP_REF_CONST ? (int64_t)gp_sign_extend(kernel->constants[gp_ref_index(ref)], bits) : 0;
}

#endif
