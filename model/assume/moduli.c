/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/assume/rules.h"

#include <string.h>

#include "model/value/id_sources.h"
#include "model/value/refs.h"
#include "model/assume/products.h"

static bool is_multiple_of_another(const struct gp_products *dividend, uint32_t divisor)
{
    bool multiple = false;
    for (uint32_t i = 0; i < dividend->count; i++) {
        const struct gp_product *product = &dividend->product[i];
        multiple |= product->leaf != GP_REF_NONE && product->param_count > 0 && !gp_product_has(product, divisor);
    }
    return multiple;
}

/* The parameter that a place is masked with: `i & mask`; GP_NONE: none. */
static uint32_t mask_of(const struct gp_kernel *kernel, const struct gp_inst *inst)
{
    for (uint32_t k = 0; inst->op == GP_OP_AND && k < 2; k++) {
        uint32_t param = gp_integer_parameter(kernel, gp_behind_casts(kernel, gp_operand_of(kernel, inst, k)));
        if (param != GP_NONE && gp_starts_with_ids(kernel, gp_operand_of(kernel, inst, 1 - k)))
            return param;
    }
    return GP_NONE;
}

void gp_moduli(const struct gp_kernel *kernel, bool moduli[GP_MAX_ARGUMENTS])
{
    memset(moduli, 0, GP_MAX_ARGUMENTS * sizeof *moduli);
    for (uint32_t i = 0; i < kernel->inst_count; i++) {
        const struct gp_inst *inst = &kernel->insts[i];
        uint32_t divisor = gp_divisor_of(kernel, inst), mask = mask_of(kernel, inst);
        if (mask != GP_NONE)
            moduli[mask] = true;
        if (divisor == GP_NONE)
            continue;
        struct gp_products dividend = gp_products_of(kernel, gp_operand_of(kernel, inst, 0), inst->bits);
        moduli[divisor] |= is_multiple_of_another(&dividend, divisor);
    }
}
