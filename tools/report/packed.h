/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A text in few characters that mean nothing in HTML: deflated (RFC 1950), in base64. JSON of a tree's kernels becomes
 * a tenth. */
#ifndef GPUPERF_TOOLS_REPORT_PACKED_H
#define GPUPERF_TOOLS_REPORT_PACKED_H

#include <stdbool.h>

#include "support/text.h"

/* Appends it. False: out of memory. */
bool gp_append_packed(const char *text, struct gp_text *out);

#endif
