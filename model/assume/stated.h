/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What is stated of a launch, as texts: arguments by name, sizes, caches. */
#ifndef GPUPERF_MODEL_STATED_H
#define GPUPERF_MODEL_STATED_H

#include "model/launch/launch.h"
#include "support/text.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether gp_launch_set_argument() knows the name: a parameter, or an array that the launch sizes. */
bool gp_launch_has_argument(const struct gp_kernel *kernel, const char *name);

/* "; did you mean 'width'": the arguments that a name which is none may be meant for. Adds nothing where there are
 * none. */
void gp_suggest_argument(const struct gp_kernel *kernel, const char *name, struct gp_text *text);

/*
 * Sets NAME to an integer or decimal number in the parameter's own type; of a LOCAL or BUFFER parameter, or of an array
 * that the launch sizes (CUDA's extern __shared__), its bytes. False: no such argument (lists them), or not a scalar.
 */
bool gp_launch_set_argument(const struct gp_kernel *kernel, struct gp_launch *launch, const char *name,
                            const char *number, struct gp_error *error);

/*
 * One assume item after another: "global=1024x1024:local=32x8:n=1024:trip=16". `dynamic` is dynamic_local_bytes. The
 * order does not matter. On failure the launch is as before.
 */
bool gp_launch_assume(const struct gp_kernel *kernel, struct gp_launch *launch, const char *items,
                      struct gp_error *error);

#ifdef __cplusplus
}
#endif
#endif
