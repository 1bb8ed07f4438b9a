/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The headers of a source, so that a profile, which is made later than the driver built the program and may be kept for
 * long, is not used for others. */
#ifndef GPUPERF_RUNTIME_INCLUDES_H
#define GPUPERF_RUNTIME_INCLUDES_H

#include <stdbool.h>

/* Whether a source may include headers. No file is opened: which there are, only the preprocessor knows
 * (plugin/preprocessed.h). */
bool gp_may_include(const char *source);

/* Whether the preprocessor included any, by its own account. */
bool gp_has_included(const char *preprocessed);

/*
 * What the headers hold that the preprocessor included, by its account, with those that it looked for in vain, as text:
 * a line for each. NULL: not all of them are regular files of at most 16 MiB that have not been changed since
 * `built_ns` (CLOCK_REALTIME), when the driver read them; or one is there now that was not. Free with free().
 */
char *gp_headers_record(const char *preprocessed, long long built_ns);

/* Whether such a record would be the same now. */
bool gp_headers_are_same(const char *record, long long built_ns);

#endif
