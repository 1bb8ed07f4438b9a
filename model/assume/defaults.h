/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What is assumed of a launch that is not stated: its range, its groups, its arguments. */
#ifndef GPUPERF_MODEL_DEFAULTS_H
#define GPUPERF_MODEL_DEFAULTS_H

#include "model/launch/launch.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The launch assumed at compile time (DESIGN, "The launch behind a compile-time number"): dimensions the kernel uses;
 * global 1048576, 1024x1024 or 128x128x128; local as required, else 256, 32x8 or 32x4x2; an integer argument that
 * bounds a global id takes that dimension's global size, any other 1024; the kernel's annotate attribute overrides.
 * Cold, whether or not its size is stated: who looks at repeated launches says so.
 */
void gp_launch_default(const struct gp_kernel *kernel, struct gp_launch *launch);

/* Sets the global size, now stated, and, again, the integer arguments that bound a global id and that nobody set
 * explicitly. */
void gp_launch_set_global(const struct gp_kernel *kernel, struct gp_launch *launch, uint32_t dims,
                          const uint64_t global[3]);

/* The integer arguments that are not stated, anew: by what their uses tell, in the launch as it is. */
void gp_assume_arguments(const struct gp_kernel *kernel, struct gp_launch *launch);

/* Another range that nobody stated, of whole groups: what is assumed follows from it. */
void gp_launch_resize(const struct gp_kernel *kernel, struct gp_launch *launch, const uint64_t global[3]);

/* Half the range along a dimension, where nobody stated it, and the arguments that follow from that. False: it was
 * stated, or is no larger than a group. */
bool gp_launch_halve_range(const struct gp_kernel *kernel, struct gp_launch *launch, uint32_t dimension);

#ifdef __cplusplus
}
#endif
#endif
