/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* git:REV:PATH: a path as it was in a revision, the whole tree of which is laid out, so that its headers are found. */
#ifndef GPUPERF_TOOLS_CHECK_REVISION_H
#define GPUPERF_TOOLS_CHECK_REVISION_H

#include <jansson.h>
#include <limits.h>
#include <stdbool.h>

#include "support/error.h"

/* Whether a side of a comparison names a revision. */
bool gp_is_revision(const char *side);

/* Lays the tree out in a folder, which exists, and says where the path is in it: from the top of the repository,
 * wherever gpuperf runs, or from here where it begins with "./", as git has it. False: a sentence. */
bool gp_revision_open(const char *side, const char *folder, char path[PATH_MAX], struct gp_error *error);

/* A text with `path`, a temporary folder's name that is another one each time, called as the user did. */
json_t *gp_revision_rename(const char *text, const char *path, const char *side);

#endif
