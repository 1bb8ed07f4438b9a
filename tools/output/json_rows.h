/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What JSON's two forms share: a row, and text that goes into a larger one. */
#ifndef GPUPERF_TOOLS_OUTPUT_JSON_ROWS_H
#define GPUPERF_TOOLS_OUTPUT_JSON_ROWS_H

#include <jansson.h>

#include "tools/results.h"

/* A local size of a result; what was stated of its launch in `stated`. To be owned by the caller. NULL: out of memory.
 */
json_t *gp_result_row(const struct gp_result *result, size_t index, const struct gp_combination *stated);

/* A value, each line of it behind so many spaces. False: there is none (out of memory). */
bool gp_append_indented(const json_t *value, int spaces, struct gp_text *out);

#endif
