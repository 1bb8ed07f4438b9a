/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a launch is, and why nobody's statement is as it is. */
#ifndef GPUPERF_TOOLS_OUTPUT_ASSUMPTIONS_H
#define GPUPERF_TOOLS_OUTPUT_ASSUMPTIONS_H

#include <jansson.h>

#include "model/launch/launch.h"

/*
 * [{"name": "global", "value": "1024x1024", "stated": false, "why": "..."}, ...]: sizes, arguments and iterations, as
 * gp_launch_assumptions() lists them; `why` of what nobody has stated. To be owned by the caller.
 */
json_t *gp_assumptions(const struct gp_kernel *kernel, const struct gp_launch *launch);

#endif
