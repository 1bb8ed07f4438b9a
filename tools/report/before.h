/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The rows of what a report's kernels were before. */
#ifndef GPUPERF_TOOLS_REPORT_BEFORE_H
#define GPUPERF_TOOLS_REPORT_BEFORE_H

#include "tools/check/look.h"

/*
 * `old`: JSON of check or predict; a file, a folder or a compilation database, looked at as `now` is, with its devices,
 * kernels and configuration; or git:REV:PATH. Its sources are called as those of now: one as the other, those of a
 * folder as those of the folder that `now` looks at. NULL: a sentence.
 */
json_t *gp_rows_before(const char *old, const struct gp_look *now, char *const *rest, struct gp_error *error);

#endif
