/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Comments that silence findings, as the plugin heeds them: `gpuperf-ignore[: CAUSE, ..]` on a line,
 * `gpuperf-ignore-next-line[: ...]` before it. */
#ifndef GPUPERF_TOOLS_CHECK_IGNORED_H
#define GPUPERF_TOOLS_CHECK_IGNORED_H

#include <stdbool.h>

/* Whether a finding of that cause on the file's line is silenced. A file that cannot be read silences nothing. */
bool gp_is_ignored(const char *file, unsigned line, const char *cause);

#endif
