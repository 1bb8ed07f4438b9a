/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* JSON as a result of the command. */
#ifndef GPUPERF_TOOLS_JSON_OUT_H
#define GPUPERF_TOOLS_JSON_OUT_H

#include <jansson.h>

#include "support/error.h"
#include "support/text.h"

/* Appends a value, which it takes over, and a line end. False: out of memory. */
bool gp_print_json(json_t *value, struct gp_text *out, struct gp_error *error);

#endif
