/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/assume/vectors.h"

#include <string.h>

uint32_t gp_vector_elements(const struct gp_kernel *kernel, uint32_t vector, uint32_t elements[GP_MOST_ELEMENTS])
{
    uint32_t count = 0;
    if (kernel->params[vector].kind != GP_PARAM_INT)
        return 0;
    for (uint32_t i = vector + 1; i < kernel->param_count && i < GP_MAX_ARGUMENTS && count < GP_MOST_ELEMENTS; i++)
        if ((kernel->params[i].flags & GP_PARAM_ELEMENT) != 0 && kernel->params[i].vector == vector)
            elements[count++] = i;
    return count;
}

bool gp_is_member(const struct gp_kernel *kernel, const struct gp_param *param)
{
    return (param->flags & GP_PARAM_ELEMENT) != 0 && kernel->params[param->vector].kind != GP_PARAM_INT;
}

bool gp_element_of_bytes(const struct gp_param *element, const void *bytes, size_t size, uint64_t *value)
{
    size_t width = element->bits / 8u, start = (size_t)element->element * width;
    if (width == 0 || width > sizeof *value || start + width > size)
        return false;
    *value = 0;
    memcpy(value, (const char *)bytes + start, width); /* as hosts have it, the lowest byte first */
    return true;
}

void gp_take_elements(const struct gp_kernel *kernel, uint32_t whole, const void *bytes, size_t size, bool stated,
                      struct gp_launch *launch)
{
    for (uint32_t i = whole + 1; i < kernel->param_count && i < GP_MAX_ARGUMENTS; i++) {
        const struct gp_param *param = &kernel->params[i];
        uint64_t value;
        if ((param->flags & GP_PARAM_ELEMENT) != 0 && param->vector == whole &&
            gp_element_of_bytes(param, bytes, size, &value))
            launch->arguments[i] = (struct gp_argument){.known = true, .stated = stated, .value = value};
    }
}
