/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a launch is, and why nobody's statement is as it is. */
#ifndef GPUPERF_TOOLS_OUTPUT_ASSUMPTIONS_H
#define GPUPERF_TOOLS_OUTPUT_ASSUMPTIONS_H

#include <jansson.h>

#include "tools/results.h"

/*
 * [{"name": "global", "value": "1024x1024", "stated": false, "reason": "..."}, ...]: the range, the caches, and each
 * scalar argument that decides something. What is not known has the value "?". To be owned by the caller.
 */
json_t *gp_assumptions(const struct gp_result *result);

#endif
