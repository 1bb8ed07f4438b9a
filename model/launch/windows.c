#include "model/launch/windows.h"

#include <stdlib.h>
#include <string.h>

#include "model/code/inst_facts.h"
#include "model/code/made_of.h"
#include "model/code/refs.h"
#include "model/launch/products.h"

enum { MOST_LOOKED_AT = 64, SEVERAL = GP_MAX_ARGUMENTS };

/* The one integer parameter that a value is made of; SEVERAL; GP_NONE. */
static uint32_t parameter_of(const struct gp_kernel *kernel, gp_ref ref, unsigned *left)
{
    const struct gp_inst *inst = gp_inst_of(kernel, ref);
    uint32_t found = gp_integer_parameter(kernel, ref);
    if (inst == NULL || *left == 0)
        return found;
    --*left;
    for (uint32_t i = 0; i < inst->operand_count; i++) {
        uint32_t other = parameter_of(kernel, gp_operand_of(kernel, inst, i), left);
        found = found == GP_NONE || found == other ? other : other == GP_NONE ? found : SEVERAL;
    }
    return found;
}

/* Whether a counter is added to an id, each as often as the other. */
static bool is_beside_id(const struct gp_kernel *kernel, const struct gp_products *address, const struct gp_product *counter)
{
    for (uint32_t i = 0; i < address->count; i++) {
        const struct gp_product *other = &address->product[i];
        if (other->leaf != GP_REF_NONE && other->scale == counter->scale && gp_have_same_parameters(other, counter) && gp_made_of(kernel, other->leaf).items != 0)
            return true;
    }
    return false;
}

static void see_address(const struct gp_kernel *kernel, const struct gp_products *address, bool *slides)
{
    for (uint32_t i = 0; i < address->count; i++) {
        gp_ref leaf = address->product[i].leaf;
        const struct gp_induction *counter = gp_ref_kind(leaf) == GP_REF_INST ? gp_counter_of(kernel, gp_ref_index(leaf)) : NULL;
        if (counter != NULL && is_beside_id(kernel, address, &address->product[i]))
            slides[counter->loop] = true;
    }
}

static uint32_t width_of(const struct gp_kernel *kernel, uint32_t loop)
{
    unsigned left = MOST_LOOKED_AT;
    return parameter_of(kernel, kernel->loops[loop].trip_count, &left);
}

/* slides[loops]: their counters are added to ids. */
static void see_loops(const struct gp_kernel *kernel, const bool *slides, bool windows[GP_MAX_ARGUMENTS])
{
    for (uint32_t inner = 0; inner < kernel->loop_count; inner++) {
        uint32_t width = slides[inner] ? width_of(kernel, inner) : GP_NONE;
        for (uint32_t outer = kernel->loops[inner].parent; width < GP_MAX_ARGUMENTS && outer != GP_NONE; outer = kernel->loops[outer].parent)
            windows[width] |= slides[outer] && width_of(kernel, outer) == width;
    }
}

void gp_windows(const struct gp_kernel *kernel, bool windows[GP_MAX_ARGUMENTS])
{
    memset(windows, 0, GP_MAX_ARGUMENTS * sizeof *windows);
    bool *slides = kernel->loop_count > 1 ? calloc(kernel->loop_count, sizeof *slides) : NULL;
    for (uint32_t m = 0; slides != NULL && m < kernel->memory_count; m++) {
        const struct gp_inst *inst = &kernel->insts[kernel->memory[m].inst];
        if (kernel->memory[m].space == GP_SPACE_IMAGE || inst->operand_count == 0)
            continue;
        struct gp_products address = gp_products_of(kernel, gp_operand_of(kernel, inst, 0), 64);
        see_address(kernel, &address, slides);
    }
    if (slides != NULL)
        see_loops(kernel, slides, windows);
    free(slides);
}
