/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What is put before a source that is compiled, and headers that a source includes and that stand in it already. */
#ifndef GPUPERF_COMPILE_PRELUDE_FILES_H
#define GPUPERF_COMPILE_PRELUDE_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "support/error.h"

/* The parts' texts, one behind the other. False: the sentence says why. */
bool gp_write_prelude(const char *path, const char *const parts[], size_t count, struct gp_error *error);

/* Makes the directory, `within` in it, and empty files of these names, which may begin with `within/`. */
bool gp_write_empty_headers(const char *directory, const char *within, const char *const names[], size_t count,
                            struct gp_error *error);

#endif
