/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/assume/neighbours.h"

#include "model/value/id_sources.h"
#include "model/value/refs.h"
#include "model/assume/products.h"

static uint8_t dimensions_of(const struct gp_kernel *kernel, uint32_t m)
{
    uint8_t found = 0;
    int64_t bytes = (int64_t)kernel->memory[m].element_bytes * kernel->memory[m].vector;
    struct gp_products address;
    if (!gp_address_products(kernel, m, &address))
        return 0;
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
            found |= dimensions_of(kernel, m);
    return found;
}
