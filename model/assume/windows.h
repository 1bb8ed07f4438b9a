/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Arguments that are the width of a window in several dimensions: in `for (j = 0; j < k; j++) for (i = 0; i < k; i++)
 * sum += in[(y + j) * n + x + i] * ...` k is a filter's width, which is small; so are those of `in[clamp(y + j, 0, h -
 * 1) * n + clamp(x + i, 0, n - 1)]`, of an image's texels, of a pool (`in[(y * step + j) * n + x * step + i]`) and of a
 * bin (`for (i = x * k; i < (x + 1) * k; i++)`). In one dimension it may be as long as any array.
 */
#ifndef GPUPERF_MODEL_WINDOWS_H
#define GPUPERF_MODEL_WINDOWS_H

#include "model/launch/launch.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gp_windows {
    bool width[GP_MAX_ARGUMENTS]; /* it alone tells how often a loop goes round whose counter is added to an id in an
                                     address, where that of a loop around it, or within it, is, too; and it is no row's
                                     length there */
    bool step[GP_MAX_ARGUMENTS];  /* from one window to the next: it is multiplied with such an id, and is no width */
};

/* The one integer parameter that a value is made of; GP_MAX_ARGUMENTS or more: there are several, or none. */
uint32_t gp_value_parameter(const struct gp_kernel *kernel, gp_ref value);

/* The one integer parameter that tells how often a loop goes round; GP_MAX_ARGUMENTS or more: there are several, or
 * none. */
uint32_t gp_loop_parameter(const struct gp_kernel *kernel, uint32_t loop);

void gp_find_windows(const struct gp_kernel *kernel, struct gp_windows *windows);

#ifdef __cplusplus
}
#endif
#endif
