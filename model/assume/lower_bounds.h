/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Arguments that an id has to reach: in `if (g >= start && g < size)`, `if (x < border) return`. Nobody passes one that
 * is as large as the launch, where nobody says otherwise.
 */
#ifndef GPUPERF_MODEL_LOWER_BOUNDS_H
#define GPUPERF_MODEL_LOWER_BOUNDS_H

#include "model/launch/launch.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * lower[GP_MAX_ARGUMENTS]: per parameter, whether a branch lets only ids from it on do anything: the other way leads to
 * the kernel's end at once, past no memory operation.
 */
void gp_lower_bounds(const struct gp_kernel *kernel, bool lower[GP_MAX_ARGUMENTS]);

#ifdef __cplusplus
}
#endif
#endif
