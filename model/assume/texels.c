/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/assume/texels.h"

#include <string.h>

static const struct gp_argument *image_argument(const struct gp_kernel *kernel, const struct gp_launch *launch,
                                                uint32_t memory)
{
    gp_ref base = kernel->memory[memory].base;
    uint32_t index = gp_ref_index(base);
    bool image = kernel->memory[memory].space == GP_SPACE_IMAGE && gp_ref_kind(base) == GP_REF_PARAM &&
                 index < GP_MAX_ARGUMENTS && kernel->params[index].kind == GP_PARAM_IMAGE;
    return image ? &launch->arguments[index] : NULL;
}

/* Bytes of a texel that a memory operation accesses, as the launch states; 0: it does not, or the operation is none on
 * an image. */
static uint32_t stated_texel(const struct gp_kernel *kernel, const struct gp_launch *launch, uint32_t memory)
{
    const struct gp_argument *image = image_argument(kernel, launch, memory);
    return image != NULL && image->bytes <= GP_MOST_TEXEL_BYTES ? (uint32_t)image->bytes : 0;
}

bool gp_texel_is_assumed(const struct gp_kernel *kernel, const struct gp_launch *launch, uint32_t memory)
{
    const struct gp_argument *image = image_argument(kernel, launch, memory);
    return image != NULL && image->bytes == 0 && kernel->memory[memory].vector > 1;
}

bool gp_take_texels(const struct gp_kernel *kernel, const struct gp_launch *launch, struct gp_memory *to)
{
    bool changed = false;
    for (uint32_t m = 0; m < kernel->memory_count; m++) {
        struct gp_memory taken = kernel->memory[m];
        uint32_t texel = stated_texel(kernel, launch, m);
        bool whole = texel > 0 && texel % taken.vector == 0; /* so many bytes a channel */
        if (texel > 0) {
            taken.vector = whole ? taken.vector : 1;
            taken.element_bytes = (uint16_t)(texel / taken.vector);
        }
        changed |= to[m].vector != taken.vector || to[m].element_bytes != taken.element_bytes;
        to[m] = taken;
    }
    return changed;
}
