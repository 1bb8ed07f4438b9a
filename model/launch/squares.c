#include "model/launch/squares.h"

#include "model/code/made_of.h"
#include "model/code/refs.h"
#include "model/launch/products.h"

static bool bounds(const struct gp_kernel *kernel, const struct gp_launch *launch, uint32_t param, uint32_t dimension)
{
    const struct gp_argument *argument = &launch->arguments[param];
    return kernel->params[param].bounds_dim == dimension && argument->known && !argument->stated && argument->value > 0 && argument->value > INT32_MAX / argument->value;
}

/* Whether the argument is the length of rows that the dimension's ids tell apart. */
static bool is_pitch(const struct gp_kernel *kernel, uint32_t param, uint32_t dimension, gp_ref address)
{
    struct gp_products products = gp_products_of(kernel, address, 64);
    for (uint32_t i = 0; i < products.count; i++) {
        const struct gp_product *product = &products.product[i];
        if (product->leaf != GP_REF_NONE && gp_product_has(product, param) && (gp_made_of(kernel, product->leaf).items >> dimension & 1))
            return true;
    }
    return false;
}

static bool is_pitch_anywhere(const struct gp_kernel *kernel, uint32_t param, uint32_t dimension)
{
    for (uint32_t m = 0; m < kernel->memory_count; m++) {
        const struct gp_memory *memory = &kernel->memory[m];
        const struct gp_inst *inst = &kernel->insts[memory->inst];
        bool global = memory->space == GP_SPACE_GLOBAL || memory->space == GP_SPACE_GENERIC;
        if (global && inst->operand_count > 0 && is_pitch(kernel, param, dimension, gp_operand_of(kernel, inst, 0)))
            return true;
    }
    return false;
}

bool gp_square_is_beyond_int(const struct gp_kernel *kernel, const struct gp_launch *launch, uint32_t dimension)
{
    for (uint32_t p = 0; p < kernel->param_count && p < GP_MAX_ARGUMENTS; p++)
        if (bounds(kernel, launch, p, dimension) && is_pitch_anywhere(kernel, p, dimension))
            return true;
    return false;
}
