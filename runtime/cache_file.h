/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Which file may be the cache. The directory may be anybody's, the file must be ours: a regular file of this user,
 * reached without a link, that holds nothing but a cache of gpuperf's or something broken. Any other is left alone as
 * it is.
 */
#ifndef GPUPERF_RUNTIME_CACHE_FILE_H
#define GPUPERF_RUNTIME_CACHE_FILE_H

#include <stdbool.h>

#include "support/error.h"

/* "gppf", in the file's header: the number by which SQLite files tell whose they are; and the last version of the
 * tables whose files did not. */
enum { GP_CACHE_APPLICATION = 0x67707066, GP_LAST_UNSIGNED_CACHE = 4 };

/* Makes the directory (mode 0700) and an empty file (0600) as needed, and makes the file private. *path: the file,
 * without links; free with free(). False: a sentence; there can be no cache. */
bool gp_cache_file_ready(const char *directory, char **path, struct gp_error *error);

/* Whether the file is such a one still: what was looked at is what was opened. */
bool gp_cache_file_is_ours(const char *path, struct gp_error *error);

/* A broken file is kept beside for whoever wants to know, once. */
void gp_cache_file_set_aside(const char *path);

#endif
