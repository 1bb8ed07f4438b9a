/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/assume/neighbours.h"

#include "model/value/id_sources.h"
#include "model/value/refs.h"
#include "model/assume/products.h"

static uint8_t dimensions_of(const struct gp_kernel *kernel, const struct gp_memory *memory)
{
    uint8_t found = 0;
    const struct gp_inst *inst = &kernel->insts[memory->inst];
    int64_t bytes = (int64_t)memory->element_bytes * memory->vector;
    if (inst->operand_count == 0)
        return 0;
    struct gp_products address = gp_products_of(kernel, gp_operand_of(kernel, inst, 0), 64);
    for (uint32_t i = 0; i < address.count; i++) {
        const struct gp_product *product = &address.product[i];
        if (product->param_count == 0 && product->scale > 0 && product->scale <= bytes)
            found |= gp_made_of(kernel, product->leaf).items;
    }
    return found;
}

uint8_t gp_dimensions_of_neighbours(const struct gp_kernel *kernel)
{
    uint8_t found = 0;
    for (uint32_t m = 0; m < kernel->memory_count; m++)
        if (kernel->memory[m].space == GP_SPACE_GLOBAL || kernel->memory[m].space == GP_SPACE_GENERIC)
            found |= dimensions_of(kernel, &kernel->memory[m]);
    return found;
}
