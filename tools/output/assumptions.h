/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a launch is, and why nobody's statement is as it is. */
#ifndef GPUPERF_TOOLS_OUTPUT_ASSUMPTIONS_H
#define GPUPERF_TOOLS_OUTPUT_ASSUMPTIONS_H

#include <jansson.h>

#include "model/launch/launch.h"
#include "model/profile/profile.h"

/*
 * [{"name": "global", "value": "1024x1024", "stated": false, "why": "..."}, ...]: sizes, arguments and iterations, as
 * gp_launch_assumptions() lists them; `why` of what nobody has stated. To be owned by the caller.
 */
json_t *gp_assumptions(const struct gp_kernel *kernel, const struct gp_launch *launch);

/* As gp_launch_describe() has it; of CUDA's kernels in CUDA's words: "grid times block 1048576, block 256, n=5". */
void gp_launch_words(const struct gp_profile *profile, const struct gp_kernel *kernel, const struct gp_launch *launch,
                     char *text, size_t size);

#endif
